#include "frontends/uppaal/lexer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace tw::uppaal {
namespace {

struct Spelling {
  TokenKind kind;
  std::string_view text;
};

/// Spellings by their first character, longer ones first, so that the first that matches is the
/// longest.
template <std::size_t kCount>
class Spellings {
 public:
  consteval explicit Spellings(std::array<Spelling, kCount> all) : all_(all) {
    std::ranges::sort(all_, [](const Spelling& a, const Spelling& b) {
      return a.text[0] != b.text[0] ? a.text[0] < b.text[0] : a.text.size() > b.text.size();
    });
    for (std::size_t i = kCount; i-- > 0;)
      first_[index_of(all_[i].text[0])] = i;
    for (std::size_t i = 0; i < kCount; ++i)
      last_[index_of(all_[i].text[0])] = i + 1;
  }

  /// All that begin with c.
  [[nodiscard]] std::span<const Spelling> starting_with(char c) const {
    const std::size_t index = index_of(c);
    if (index >= first_.size())
      return {};
    return {all_.data() + first_[index], last_[index] - first_[index]};
  }

 private:
  static constexpr std::size_t index_of(char c) { return static_cast<unsigned char>(c); }

  std::array<Spelling, kCount> all_;
  std::array<std::size_t, 128> first_{};
  std::array<std::size_t, 128> last_{};
};

#define TW_SPELLING(name, spelling) Spelling{TokenKind::name, spelling},
constexpr Spellings kPunctuation{std::array{TW_UPPAAL_PUNCTUATION(TW_SPELLING)}};
constexpr Spellings kKeywords{std::array{TW_UPPAAL_KEYWORDS(TW_SPELLING)}};
#undef TW_SPELLING

constexpr std::string_view kMaxMagnitude = "2147483648";

// The standard classifiers follow the locale; the language does not.
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '$' || c == '#'; }

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool exceeds_magnitude(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() != kMaxMagnitude.size())
    return digits.size() > kMaxMagnitude.size();
  return digits > kMaxMagnitude;
}

class Lexer {
 public:
  Lexer(const SourceText& source, Diagnostics& diagnostics)
      : source_(source),
        text_(source.text()),
        diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 3 + 2);  // labels are dense; declarations have blanks to spare
    while (skip_blanks())
      scan_token();
    // Zero wide and right behind the last token, where a missing ';' would have to go.
    const std::uint32_t end = tokens_.empty() ? source_.map(0, 0).begin : tokens_.back().where.end;
    tokens_.push_back({.kind = TokenKind::kEnd, .where = {end, end}, .text = {}});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char at(std::size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }

  template <class Predicate>
  [[nodiscard]] std::size_t skip_while(std::size_t offset, Predicate holds) const {
    while (offset < text_.size() && holds(text_[offset]))
      ++offset;
    return offset;
  }

  /// Passes white space, comments and line continuations; false at the end of the text.
  bool skip_blanks() {
    while (pos_ < text_.size()) {
      if (is_blank(text_[pos_])) {
        ++pos_;
      } else if (text_.substr(pos_, 2) == "//") {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      } else if (text_.substr(pos_, 2) == "/*") {
        skip_comment();
      } else if (const std::size_t next = after_continuation(); next != pos_) {
        pos_ = next;
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_comment() {
    const std::size_t close = text_.find("*/", pos_ + 2);
    if (close != std::string_view::npos) {
      pos_ = close + 2;
      return;
    }
    diagnostics_.error(source_.map(pos_, pos_ + 2), "comment is never closed",
                       "close it with '*/'");
    // The parser stays silent about an unknown token, so the lost rest causes no second message.
    push(TokenKind::kUnknown, pos_ + 2);
    pos_ = text_.size();
  }

  [[nodiscard]] std::size_t after_continuation() const {
    if (text_[pos_] != '\\')
      return pos_;
    const std::size_t next =
        skip_while(pos_ + 1, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    return at(next) == '\n' ? next + 1 : pos_;
  }

  void scan_token() {
    const char c = text_[pos_];
    if (starts_name(c)) {
      scan_word();
    } else if (is_digit(c)) {
      scan_number();
    } else if (c == '"') {
      scan_string();
    } else {
      scan_punctuation();
    }
  }

  void scan_word() {
    const std::size_t end = skip_while(pos_, continues_name);
    const std::string_view word = text_.substr(pos_, end - pos_);
    for (const Spelling& keyword : kKeywords.starting_with(word[0])) {
      if (keyword.text == word) {
        push(keyword.kind, end);
        return;
      }
    }
    push(TokenKind::kName, end);
  }

  void scan_number() {
    if (at(pos_) == '0' && (at(pos_ + 1) == 'x' || at(pos_ + 1) == 'X') &&
        is_hex_digit(at(pos_ + 2))) {
      const std::size_t end = skip_while(pos_ + 2, is_hex_digit);
      diagnostics_.error(source_.map(pos_, end),
                         "hexadecimal number '" + std::string(text_.substr(pos_, end - pos_)) +
                             "' is not part of the language",
                         "write it in decimal");
      push(TokenKind::kNumber, end);
      return;
    }
    std::size_t end = skip_while(pos_, is_digit);
    const std::size_t whole = end;
    if (at(end) == '.' && is_digit(at(end + 1)))
      end = skip_while(end + 1, is_digit);
    end = after_exponent(end);
    if (end == whole && exceeds_magnitude(text_.substr(pos_, end - pos_)))
      diagnostics_.error(source_.map(pos_, end), "number is too large",
                         "the largest number is 2147483647");
    push(end == whole ? TokenKind::kNumber : TokenKind::kReal, end);
  }

  [[nodiscard]] std::size_t after_exponent(std::size_t offset) const {
    if (at(offset) != 'e' && at(offset) != 'E')
      return offset;
    const bool has_sign = at(offset + 1) == '+' || at(offset + 1) == '-';
    const std::size_t digits = offset + (has_sign ? 2 : 1);
    return is_digit(at(digits)) ? skip_while(digits, is_digit) : offset;
  }

  void scan_string() {
    const std::size_t close = text_.find('"', pos_ + 1);
    if (close != std::string_view::npos) {
      push(TokenKind::kString, close + 1);
      return;
    }
    diagnostics_.error(source_.map(pos_, pos_ + 1), "string is never closed", "close it with '\"'");
    push(TokenKind::kUnknown, std::min(text_.find('\n', pos_), text_.size()));
  }

  void scan_punctuation() {
    for (const Spelling& spelling : kPunctuation.starting_with(text_[pos_])) {
      if (text_.substr(pos_, spelling.text.size()) == spelling.text) {
        push(spelling.kind, pos_ + spelling.text.size());
        return;
      }
    }
    scan_unknown();
  }

  void scan_unknown() {
    // A character outside ASCII takes several bytes; they make one message.
    const std::size_t end = skip_while(
        pos_ + 1, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
    const std::string_view unknown = text_.substr(pos_, end - pos_);
    const bool printable = static_cast<unsigned char>(unknown[0]) >= 0x20U && unknown[0] != 0x7F;
    diagnostics_.error(source_.map(pos_, end),
                       printable
                           ? "character '" + std::string(unknown) + "' is not part of the language"
                           : "control character is not part of the language",
                       hint_for(unknown[0]));
    push(TokenKind::kUnknown, end);
  }

  static std::string hint_for(char c) {
    if (c == '~')
      return "write the complement of x as '-x - 1', or '!x' for the logical negation";
    if (c == '#' || c == '$')
      return "a name begins with a letter or '_'";
    if (c == '\\')
      return "a backslash may only stand at the end of a line";
    return "remove it";
  }

  void push(TokenKind kind, std::size_t end) {
    tokens_.push_back(
        {.kind = kind, .where = source_.map(pos_, end), .text = text_.substr(pos_, end - pos_)});
    pos_ = end;
  }

  const SourceText& source_;  // borrowed for the duration of run()
  const std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t pos_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string_view describe(TokenKind kind) {
  switch (kind) {
#define TW_DESCRIBE(name, spelling) \
  case TokenKind::name:             \
    return "'" spelling "'";
    TW_UPPAAL_PUNCTUATION(TW_DESCRIBE)
    TW_UPPAAL_KEYWORDS(TW_DESCRIBE)
#undef TW_DESCRIBE
    case TokenKind::kName:
      return "a name";
    case TokenKind::kNumber:
    case TokenKind::kReal:
      return "a number";
    case TokenKind::kString:
      return "a string";
    case TokenKind::kUnknown:
      return "an unknown character";
    case TokenKind::kEnd:
      return "the end of the text";
  }
  return "a token";
}

std::vector<Token> tokenize(const SourceText& text, Diagnostics& diagnostics) {
  return Lexer(text, diagnostics).run();
}

}  // namespace tw::uppaal
