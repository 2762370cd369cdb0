#include "frontends/uppaal/lexer.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "frontends/uppaal/source_text.hpp"

namespace tw::uppaal {
namespace {

struct Lexed {
  SourceText source;
  Diagnostics diagnostics;
  std::vector<Token> tokens;

  explicit Lexed(std::string_view text) {
    source.append(text, 0);
    tokens = tokenize(source, diagnostics);
  }

  [[nodiscard]] std::string words() const {
    std::string words;
    for (const Token& token : tokens) {
      if (token.kind != TokenKind::kEnd)
        words += (words.empty() ? "" : " ") + std::string(token.text);
    }
    return words;
  }

  [[nodiscard]] std::string message() const {
    return diagnostics.all().empty() ? "" : diagnostics.all().front().message;
  }
};

std::string words_of(std::string_view text) { return Lexed(text).words(); }

TEST_CASE("the lexer takes the longest token", "[uppaal][lexer]") {
  CHECK(words_of("a<<=b>>=c<?d>?e**f") == "a <<= b >>= c <? d >? e ** f");
  CHECK(words_of("a->b -u->c") == "a -> b -u-> c");
  CHECK(words_of("x:=y==z") == "x := y == z");
  CHECK(words_of("a+++b") == "a ++ + b");
  CHECK(words_of("p||q&&!r|s&t") == "p || q && ! r | s & t");
}

TEST_CASE("the operators of queries are no tokens of a model", "[uppaal][lexer]") {
  CHECK(words_of("i-->0") == "i -- > 0");
  CHECK(words_of("A[]p") == "A [ ] p");
  CHECK(words_of("E<>p") == "E < > p");
}

TEST_CASE("every fixed token is read back as itself", "[uppaal][lexer]") {
#define TW_CHECK(name, spelling) CHECK(Lexed(spelling).tokens.front().kind == TokenKind::name);
  TW_UPPAAL_PUNCTUATION(TW_CHECK)
  TW_UPPAAL_KEYWORDS(TW_CHECK)
#undef TW_CHECK
}

TEST_CASE("a token kind is described by its spelling or in words", "[uppaal][lexer]") {
  CHECK(describe(TokenKind::kSemicolon) == "';'");
  CHECK(describe(TokenKind::kTypedef) == "'typedef'");
  CHECK(describe(TokenKind::kName) == "a name");
  CHECK(describe(TokenKind::kEnd) == "the end of the text");
}

TEST_CASE("a name may hold '$' and '#' but not begin with them", "[uppaal][lexer]") {
  const Lexed inside("a$b c#d _x9");
  CHECK(inside.words() == "a$b c#d _x9");
  CHECK_FALSE(inside.diagnostics.has_errors());

  const Lexed front("#a");
  CHECK(front.message() == "character '#' is not part of the language");
  CHECK(front.tokens.front().kind == TokenKind::kUnknown);
}

TEST_CASE("words that older models use as names are names", "[uppaal][lexer]") {
  const std::vector<std::string_view> words{
      "branchpoint", "probability", "import",  "before_update", "after_update",
      "progress",    "gantt",       "assert",  "sum",           "double",
      "string",      "hybrid",      "dynamic", "spawn",         "exit",
      "query",       "location",    "xor",     "priority",      "numOf",
      "IO",          "foreach",     "A",       "abs",           "random",
      "deadlock",    "break",       "Int",     "integer"};
  for (const std::string_view word : words) {
    CAPTURE(word);
    CHECK(Lexed(word).tokens.front().kind == TokenKind::kName);
  }
}

TEST_CASE("numbers are decimal, with or without a fraction", "[uppaal][lexer]") {
  const Lexed lexed("007 1.5 2e3 2E-3 1.5e+7 3.x 4e");
  CHECK(lexed.words() == "007 1.5 2e3 2E-3 1.5e+7 3 . x 4 e");
  CHECK(lexed.tokens[0].kind == TokenKind::kNumber);
  CHECK(lexed.tokens[1].kind == TokenKind::kReal);
  CHECK(lexed.tokens[2].kind == TokenKind::kReal);
  CHECK_FALSE(lexed.diagnostics.has_errors());
}

TEST_CASE("a number outside 32 bits is too large", "[uppaal][lexer]") {
  CHECK(Lexed("2147483648").message().empty());
  CHECK(Lexed("0000000000002147483647").message().empty());
  CHECK(Lexed("2147483649").message() == "number is too large");
  CHECK(Lexed("99999999999999999999999").message() == "number is too large");
  CHECK(Lexed("99999999999.5").message().empty());
}

TEST_CASE("a hexadecimal number is one token with one message", "[uppaal][lexer]") {
  const Lexed lexed("0x1F;");
  CHECK(lexed.message() == "hexadecimal number '0x1F' is not part of the language");
  CHECK(lexed.words() == "0x1F ;");
  CHECK(lexed.diagnostics.errors() == 1);
}

TEST_CASE("comments and line continuations are white space", "[uppaal][lexer]") {
  CHECK(words_of("a // b\nc /* d\n * e */ f") == "a c f");
  CHECK(words_of("int \\\n i\\  \r\n;") == "int i ;");
  CHECK(words_of("a/**/b") == "a b");
  CHECK(words_of("// only") == "");
  CHECK(words_of("a / b") == "a / b");
}

TEST_CASE("an unclosed comment or string is reported where it begins", "[uppaal][lexer]") {
  const Lexed comment("a /* b");
  CHECK(comment.message() == "comment is never closed");
  CHECK(comment.diagnostics.all().front().where == SourceRange{2, 4});

  const Lexed string("a = \"b;\nc");
  CHECK(string.message() == "string is never closed");
  CHECK(string.tokens.back().kind == TokenKind::kEnd);
  CHECK(string.words() == "a = \"b; c");
}

TEST_CASE("an unknown character is reported once, whole", "[uppaal][lexer]") {
  const Lexed tilde("~a");
  CHECK(tilde.message() == "character '~' is not part of the language");
  CHECK_FALSE(tilde.diagnostics.all().front().hint.empty());

  const Lexed arrow("a \u2192 b");
  CHECK(arrow.diagnostics.errors() == 1);
  CHECK(arrow.message() == "character '\u2192' is not part of the language");
  CHECK(arrow.tokens.size() == 4);
}

TEST_CASE("the end token stands right behind the last token", "[uppaal][lexer]") {
  CHECK(Lexed("int i  \n // c").tokens.back().where == SourceRange{5, 5});
  CHECK(Lexed("").tokens.size() == 1);
}

TEST_CASE("tokens of decoded text point at the bytes of the file", "[uppaal][lexer]") {
  SourceText source;  // x &lt;= 3 from offset 100
  source.append("x ", 100);
  source.append_decoded("<", 102, 106);
  source.append("= 3", 106);
  Diagnostics diagnostics;

  const std::vector<Token> tokens = tokenize(source, diagnostics);

  REQUIRE(tokens.size() == 4);
  CHECK(tokens[1].kind == TokenKind::kLessEqual);
  CHECK(tokens[1].where == SourceRange{102, 107});
  CHECK(tokens[2].where == SourceRange{108, 109});
}

}  // namespace
}  // namespace tw::uppaal
