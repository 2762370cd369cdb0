#include "criteria/observer/lexer.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string>

namespace tw::observer {
namespace {

constexpr std::string_view kDouble[] = {":=", "==", "!=", "<=", ">="};
constexpr std::string_view kSingle = "(){}[],;.<>-=!";

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(const SourceFile& file, Diagnostics& diagnostics)
      : text_(file.text),
        diagnostics_(diagnostics) {}

  std::vector<Lexeme> run() {
    while (at_ < text_.size())
      next();
    add(Lexeme::Kind::kEnd, text_.size(), text_.size());
    return std::move(out_);
  }

 private:
  void next() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (starts("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (starts("/*")) {
      skip_comment();
    } else if (is_name_start(c)) {
      take(is_name_part);
      add(Lexeme::Kind::kName, begin, at_);
    } else if (is_digit(c)) {
      take(is_digit);
      add(Lexeme::Kind::kNumber, begin, at_);
    } else if (const auto* two = std::ranges::find_if(
                   kDouble, [this](std::string_view sign) { return starts(sign); });
               two != std::end(kDouble)) {
      at_ += 2;
      add(Lexeme::Kind::kSign, begin, at_);
    } else if (kSingle.find(c) != std::string_view::npos) {
      ++at_;
      add(Lexeme::Kind::kSign, begin, at_);
    } else {
      refuse();
    }
  }

  [[nodiscard]] bool starts(std::string_view word) const {
    return text_.substr(at_).starts_with(word);
  }

  template <class Belongs>
  void take(Belongs belongs) {
    while (at_ < text_.size() && belongs(text_[at_]))
      ++at_;
  }

  void skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos)
      diagnostics_.error(range(at_, at_ + 2), "comment without end", "close it with '*/'");
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
  }

  // A character of several bytes is one, and a run of them one mistake.
  void refuse() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80 &&
           static_cast<unsigned char>(text_[begin]) >= 0x80)
      ++at_;
    const auto byte = static_cast<unsigned char>(text_[begin]);
    diagnostics_.error(range(begin, at_),
                       byte < 0x20 || byte == 0x7F
                           ? fmt::format("unexpected byte 0x{:02x}", byte)
                           : fmt::format("unexpected '{}'", text_.substr(begin, at_ - begin)));
  }

  static SourceRange range(std::size_t begin, std::size_t end) {
    return {.begin = static_cast<std::uint32_t>(begin), .end = static_cast<std::uint32_t>(end)};
  }

  void add(Lexeme::Kind kind, std::size_t begin, std::size_t end) {
    out_.push_back(
        {.kind = kind, .text = text_.substr(begin, end - begin), .where = range(begin, end)});
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::vector<Lexeme> out_;
};

}  // namespace

std::vector<Lexeme> split(const SourceFile& file, Diagnostics& diagnostics) {
  return Lexer(file, diagnostics).run();
}

}  // namespace tw::observer
