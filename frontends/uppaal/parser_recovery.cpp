// Reporting syntax errors and finding the place to go on after one.

#include <algorithm>
#include <utility>

#include "engine/base/suggest.hpp"
#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {
namespace {

constexpr std::size_t kMaxQuoted = 40;

// What stands in parentheses is short, and a search without bound would be quadratic on garbage.
constexpr std::size_t kMaxSkippedTokens = 256;

std::string quoted(const Token& token) {
  if (token.text.empty())
    return std::string(describe(token.kind));
  // A word or string may be as long as the file; its beginning is enough to recognise it.
  if (token.text.size() > kMaxQuoted)
    return "'" + std::string(token.text.substr(0, kMaxQuoted)) + "...'";
  return "'" + std::string(token.text) + "'";
}

// Words that never stand inside what is being read, however many braces were left open.
bool leaves(Construct construct, TokenKind kind) {
  if (kind == TokenKind::kProcess || kind == TokenKind::kSystem)
    return true;
  return construct != Construct::kDeclaration &&
         (kind == TokenKind::kState || kind == TokenKind::kInit || kind == TokenKind::kTrans ||
          kind == TokenKind::kCommit);
}

// Words that begin the next construct of the same kind, so that a forgotten ';' costs only one.
bool begins(Construct construct, TokenKind kind) {
  switch (construct) {
    case Construct::kDeclaration:
    case Construct::kProcessPart:
      return kind == TokenKind::kTypedef;
    case Construct::kStatement:
    case Construct::kLocal:
      return kind == TokenKind::kIf || kind == TokenKind::kFor || kind == TokenKind::kWhile ||
             kind == TokenKind::kDo || kind == TokenKind::kReturn;
    case Construct::kEdgePart:
      return kind == TokenKind::kSelect || kind == TokenKind::kGuard || kind == TokenKind::kSync ||
             kind == TokenKind::kAssignWord;
    case Construct::kListItem:
      return kind == TokenKind::kComma;
  }
  return false;
}

// Whether what begins with this token gives names to things.
bool declares(Construct construct, TokenKind first) {
  switch (construct) {
    case Construct::kDeclaration:
    case Construct::kLocal:
      return true;
    case Construct::kProcessPart:
      return first != TokenKind::kTrans;
    case Construct::kEdgePart:
      return first == TokenKind::kSelect;
    case Construct::kStatement:
    case Construct::kListItem:  // of an edge; a location is kept
      return false;
  }
  return false;
}

bool is_keyword(TokenKind kind) {
  switch (kind) {
#define TW_CASE(name, spelling) case TokenKind::name:
    TW_UPPAAL_KEYWORDS(TW_CASE)
    return true;
    TW_UPPAAL_PUNCTUATION(TW_CASE)
#undef TW_CASE
    case TokenKind::kName:
    case TokenKind::kNumber:
    case TokenKind::kReal:
    case TokenKind::kString:
    case TokenKind::kUnknown:
    case TokenKind::kEnd:
      return false;
  }
  return false;
}

}  // namespace

void TextParser::report(SourceRange where, std::string message, std::string hint) {
  if (!panic_)
    diagnostics_.error(where, std::move(message), std::move(hint));
}

void TextParser::fail(const Token& token, std::string message, std::string hint) {
  // The lexer has already complained about an unknown token; and where the last panic began, a
  // second one can only be its consequence.
  if (token.kind != TokenKind::kUnknown && pos_ != last_mistake_)
    report(token.where, std::move(message), std::move(hint));
  if (!panic_)
    last_mistake_ = pos_;
  panic_ = true;
}

void TextParser::fail_expected(std::string_view expected, std::string_view hint) {
  if (panic_)
    return;
  fail(current(), "expected " + std::string(expected) + ", found " + quoted(current()),
       std::string(hint));
}

/// As fail_expected, for a token that begins nothing known. Right behind a mistake it is most
/// likely a rest of the broken construct and not worth a message.
void TextParser::fail_misplaced(std::string_view expected, std::string_view hint) {
  if (!unsettled_)
    fail_expected(expected, hint);
  panic_ = true;
}

/// As expect, but what stands in front is not lost if the next words begin something new: a word
/// that can do nothing else, or any on a line of its own.
void TextParser::expect_semicolon(const char* context, const char* hint) {
  if (panic_ || at(TokenKind::kSemicolon) || !(begins_anew() || at(TokenKind::kRightBrace))) {
    expect(TokenKind::kSemicolon, context, hint);
    return;
  }
  fail_expected(std::string(describe(TokenKind::kSemicolon)) + " " + context, hint);
  panic_ = false;
  unsettled_ = true;
}

/// The '}' that belongs to the brace at token open. A missing one is said where that brace is: the
/// place where it is missed tells little.
bool TextParser::expect_close(std::size_t open, const char* context) {
  if (panic_ || tokens_[open].kind != TokenKind::kLeftBrace)
    return expect(TokenKind::kRightBrace, context);
  if (accept(TokenKind::kRightBrace))
    return true;
  const bool at_fault = current().kind == TokenKind::kUnknown ||
                        previous().kind == TokenKind::kUnknown || pos_ == last_mistake_;
  if (!at_fault)
    report(tokens_[open].where, "'{' is never closed",
           "a '}' is missing " + std::string(context) +
               (at_end() ? "" : ", before " + quoted(current())));
  last_mistake_ = pos_;
  unsettled_ = true;
  return false;
}

bool TextParser::begins_anew() const {
  const TokenKind kind = current().kind;
  if (kind == TokenKind::kTypedef || kind == TokenKind::kProcess || kind == TokenKind::kSystem ||
      leaves(Construct::kStatement, kind) || begins(Construct::kStatement, kind) ||
      begins(Construct::kEdgePart, kind) || at_type())
    return true;
  if (kind != TokenKind::kName || pos_ == 0)
    return false;
  const char* const end = previous().text.data() + previous().text.size();
  return std::find(end, current().text.data(), '\n') != current().text.data();
}

/// "did you mean 'guard'?", of words with blanks between them; empty: none of them.
std::string TextParser::meant(std::string_view words) const {
  if (!at(TokenKind::kName))
    return {};
  std::vector<std::string> known;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    known.emplace_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string_view near = nearest_name(current().text, known);
  // In the language of UPPAAL 3 younger keywords are names.
  return near.empty() || near == current().text ? std::string()
                                                : "did you mean '" + std::string(near) + "'?";
}

bool TextParser::expect(TokenKind kind, const char* context, const char* hint) {
  if (accept(kind))
    return true;
  if (!panic_)
    fail_expected(std::string(describe(kind)) + " " + context, hint);
  return false;
}

/// A name; what says whose, as in "the name of a process".
ast::Name TextParser::expect_name(std::string_view what) {
  if (at(TokenKind::kName)) {
    advance();
    return {.text = std::string(previous().text), .where = previous().where};
  }
  if (!panic_) {
    const bool reserved = is_keyword(current().kind);
    fail_expected(what,
                  reserved ? quoted(current()) + " is a reserved word; choose another name" : "");
  }
  return {};
}

// XML models name locations with words that are keywords only in the text format ("init", "state").
// Where nothing but a location can stand, such a word is a name, if what follows agrees.
ast::Name TextParser::expect_location(std::string_view what) {
  const TokenKind after = panic_ ? TokenKind::kEnd : peek(1).kind;
  const bool fits = after == TokenKind::kComma || after == TokenKind::kSemicolon ||
                    after == TokenKind::kLeftBrace || after == TokenKind::kArrow ||
                    after == TokenKind::kUncontrollableArrow;
  if (!is_keyword(current().kind) || !fits)
    return expect_name(what);
  advance();
  return {.text = std::string(previous().text), .where = previous().where};
}

// A location or variable of a process, in a property.
ast::Name TextParser::expect_member() {
  if (!is_keyword(current().kind))
    return expect_name("a location or variable after '.'");
  advance();
  return {.text = std::string(previous().text), .where = previous().where};
}

void TextParser::stop_too_deep() {
  if (stopped_)
    return;
  report(current().where, "nesting is deeper than " + std::to_string(kMaxNesting) + " levels",
         "split it into smaller parts");
  panic_ = true;
  stopped_ = true;
  pos_ = tokens_.size() - 1;
}

/// After a '}' that closes the broken construct: does something new begin at index?
bool TextParser::resumes_after_brace(std::size_t index) const {
  const TokenKind kind = tokens_[index].kind;
  return kind == TokenKind::kName || kind == TokenKind::kRightBrace || kind == TokenKind::kEnd ||
         kind == TokenKind::kLeftBrace || (is_keyword(kind) && kind != TokenKind::kElse);
}

/// To be called after each construct of a list, which began at token start.
void TextParser::settle(Construct construct, std::size_t start) {
  const bool failed = panic_;
  if (failed) {
    recover(construct, start);
    if (declares(construct, tokens_[start].kind))
      note_lost(start, pos_);
  }
  unsettled_ = failed;
}

/// What these tokens would have declared is missing from the tree. Which of their names that is
/// cannot be told, so it may be any: whoever looks one of them up in vain stays silent.
void TextParser::note_lost(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, tokens_.size()); ++i)
    if (tokens_[i].kind == TokenKind::kName)
      document_.lost_names.emplace(tokens_[i].text);
}

/// Ends a panic inside the construct that began at token start: goes on after its ';' or its
/// closing
/// '}', before a '}' that closes the surrounding construct, or before a word that begins something
/// new. Braces are counted from start, because the mistake may lie inside some of them.
void TextParser::recover(Construct construct, std::size_t start) {
  if (stopped_)
    return;
  panic_ = false;
  const std::size_t mistake = pos_;
  std::size_t depth = 0;
  for (pos_ = start; !at_end_of_tokens(); ++pos_) {
    const TokenKind kind = tokens_[pos_].kind;
    const bool closes = kind == TokenKind::kRightBrace;
    const bool outside = depth == 0;
    if (kind == TokenKind::kLeftBrace)
      ++depth;
    else if (closes && !outside)
      --depth;
    if (pos_ < mistake)
      continue;
    if ((closes && outside) || (pos_ > start && leaves(construct, kind)))
      return;
    if (pos_ > start && outside && begins(construct, kind))
      return;
    if (outside && kind == TokenKind::kSemicolon)
      break;
    if (closes && depth == 0 && resumes_after_brace(pos_ + 1))
      break;
  }
  // An element of a list leaves the ';' to the list.
  if (construct != Construct::kListItem)
    pos_ = std::min(pos_ + 1, tokens_.size() - 1);
}

/// Ends a panic inside parentheses that opened at token open, if their ')' can be found; what
/// stands behind them is then read as usual.
void TextParser::recover_parentheses(std::size_t open) {
  if (stopped_ || !panic_ || tokens_[open].kind != TokenKind::kLeftParen)
    return;
  std::size_t depth = 0;
  const std::size_t end = std::min(pos_ + kMaxSkippedTokens, tokens_.size() - 1);
  for (std::size_t i = open; i < end; ++i) {
    const TokenKind kind = tokens_[i].kind;
    if (kind == TokenKind::kLeftBrace || kind == TokenKind::kRightBrace)
      return;
    if (kind == TokenKind::kLeftParen)
      ++depth;
    if (kind == TokenKind::kRightParen && --depth == 0) {
      panic_ = i < pos_;
      pos_ = std::max(pos_, i);
      return;
    }
  }
}

/// Index of the bracket that closes the one at index open, or of the end of the text.
std::size_t TextParser::matching(std::size_t open) const {
  const TokenKind opening = tokens_[open].kind;
  const TokenKind closing =
      opening == TokenKind::kLeftBrace ? TokenKind::kRightBrace : TokenKind::kRightParen;
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens_.size(); ++i) {
    if (tokens_[i].kind == opening)
      ++depth;
    if (tokens_[i].kind == closing && --depth == 0)
      return i;
  }
  return tokens_.size() - 1;
}

}  // namespace tw::uppaal
