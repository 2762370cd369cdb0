// Mutations in terms of tokens. Changing bytes of a program mostly breaks its syntax; moving,
// copying and exchanging whole words, statements and elements gets past the parser more often.
// Every other mutation is still libFuzzer's own, which also draws on the dictionary.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class Kind : std::uint8_t {
  kBlank,
  kWord,
  kNumber,
  kSign,
};

Kind kind_of(char c) {
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
    return Kind::kBlank;
  if (c >= '0' && c <= '9')
    return Kind::kNumber;
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? Kind::kWord : Kind::kSign;
}

class TokenMutator {
 public:
  TokenMutator(std::string text, unsigned seed) : text_(std::move(text)), random_(seed) {}

  std::string mutate() {
    const std::vector<Span> tokens = this->tokens();
    if (tokens.size() < 2)
      return text_;
    switch (below(6)) {
      case 0:
        erase(run_of(tokens, 4));
        break;
      case 1:
        insert(below(2) == 0 ? run_of(tokens, 6) : unit(), text_);
        break;
      case 2:
        exchange(tokens);
        break;
      case 3:
        change_number(tokens);
        break;
      case 4:
        wrap(run_of(tokens, 5));
        break;
      default:
        erase(unit());
        break;
    }
    return std::move(text_);
  }

  std::string cross_over(std::string other) {
    TokenMutator donor(std::move(other), static_cast<unsigned>(random_()));
    const Span from = below(2) == 0 ? donor.unit() : donor.run_of(donor.tokens(), 8);
    insert(from, donor.text_);
    return std::move(text_);
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  [[nodiscard]] std::vector<Span> tokens() const {
    std::vector<Span> out;
    for (std::size_t begin = 0; begin < text_.size();) {
      const Kind kind = kind_of(text_[begin]);
      std::size_t end = begin + 1;
      while (end < text_.size() && kind != Kind::kSign &&
             (kind_of(text_[end]) == kind ||
              (kind == Kind::kWord && kind_of(text_[end]) == Kind::kNumber)))
        ++end;
      if (kind != Kind::kBlank)
        out.push_back({begin, end});
      begin = end;
    }
    return out;
  }

  Span run_of(const std::vector<Span>& tokens, std::size_t longest) {
    if (tokens.empty())
      return {};
    const std::size_t first = below(tokens.size());
    const std::size_t last = std::min(first + below(longest), tokens.size() - 1);
    return {tokens[first].begin, tokens[last].end};
  }

  /// A statement, a group in brackets or an element, from a random place on.
  Span unit() {
    const std::size_t start = below(text_.size());
    const std::size_t begin = std::min(text_.find_first_of(";{}<(,", start), text_.size());
    if (begin == text_.size())
      return {start, text_.size()};
    if (text_[begin] == '<')
      return element(begin);
    if (text_[begin] == '{' || text_[begin] == '(')
      return {begin, closing(begin)};
    const std::size_t end = std::min(text_.find_first_of(";,{", begin + 1), text_.size());
    if (end == text_.size())
      return {begin + 1, end};
    return {begin + 1, text_[end] == '{' ? closing(end) : end + (text_[begin] == ',' ? 0 : 1)};
  }

  [[nodiscard]] Span element(std::size_t begin) const {
    const std::size_t name_end = std::min(text_.find_first_of(" />", begin + 1), text_.size());
    const std::string close = "</" + text_.substr(begin + 1, name_end - begin - 1) + '>';
    const std::size_t found = text_.find(close, name_end);
    if (found != std::string::npos)
      return {begin, found + close.size()};
    return {begin, std::min(text_.find('>', begin), text_.size() - 1) + 1};
  }

  /// Behind the bracket that closes the one at begin.
  [[nodiscard]] std::size_t closing(std::size_t begin) const {
    std::size_t depth = 0;
    for (std::size_t i = begin; i < text_.size(); ++i) {
      if (text_[i] == '{' || text_[i] == '(')
        ++depth;
      else if ((text_[i] == '}' || text_[i] == ')') && --depth == 0)
        return i + 1;
    }
    return text_.size();
  }

  void erase(Span what) { text_.erase(what.begin, what.end - what.begin); }

  /// Copies a part of a text, which may be our own, to a place behind a token or a statement.
  void insert(Span what, const std::string& from) {
    const std::string copy = ' ' + from.substr(what.begin, what.end - what.begin) + ' ';
    std::size_t at = below(text_.size() + 1);
    const std::size_t boundary = text_.find_first_of(below(2) == 0 ? ";{}>" : " ;{}>,()", at);
    if (boundary != std::string::npos)
      at = boundary + 1;
    text_.insert(at, copy);
  }

  /// Puts one token in the place of another of its kind, or both in each other's.
  void exchange(const std::vector<Span>& tokens) {
    Span a = tokens[below(tokens.size())];
    std::vector<Span> alike;
    for (const Span& token : tokens)
      if (kind_of(text_[token.begin]) == kind_of(text_[a.begin]) && token.begin != a.begin)
        alike.push_back(token);
    if (alike.empty())
      return;
    Span b = alike[below(alike.size())];
    if (a.begin > b.begin)
      std::swap(a, b);
    const std::string first = text_.substr(a.begin, a.end - a.begin);
    const std::string second = text_.substr(b.begin, b.end - b.begin);
    if (below(2) == 0)
      text_.replace(b.begin, second.size(), first);
    text_.replace(a.begin, first.size(), second);
  }

  void change_number(const std::vector<Span>& tokens) {
    constexpr std::string_view kNumbers[] = {
        "0",     "1",     "2",          "3",          "7",           "100", "1000000",
        "32767", "32768", "2147483647", "2147483648", "-2147483648", "-1",  "1.5"};
    std::vector<Span> numbers;
    for (const Span& token : tokens)
      if (kind_of(text_[token.begin]) == Kind::kNumber)
        numbers.push_back(token);
    const Span at = numbers.empty() ? tokens[below(tokens.size())] : numbers[below(numbers.size())];
    text_.replace(at.begin, at.end - at.begin, kNumbers[below(std::size(kNumbers))]);
  }

  void wrap(Span what) {
    constexpr std::string_view kBrackets[][2] = {{"(", ")"},   {"-(", ")"}, {"!", ""},
                                                 {"{", "}"},   {"[", "]"},  {"abs(", ")"},
                                                 {"", " + 1"}, {"", "[0]"}, {"1 ? 0 : ", ""}};
    const auto& pair = kBrackets[below(std::size(kBrackets))];
    text_.insert(what.end, pair[1]);
    text_.insert(what.begin, pair[0]);
  }

  std::string text_;
  std::minstd_rand random_;
};

std::size_t put(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  const std::size_t size = std::min(text.size(), max_size);
  std::copy_n(text.begin(), size, data);
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned seed) {
  if (seed % 2 == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  return put(TokenMutator(std::string(data, data + size), seed).mutate(), data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data,
                                                 std::size_t size,
                                                 const std::uint8_t* other,
                                                 std::size_t other_size,
                                                 std::uint8_t* out,
                                                 std::size_t max_size,
                                                 unsigned seed) {
  TokenMutator mutator(std::string(data, data + size), seed);
  return put(mutator.cross_over(std::string(other, other + other_size)), out, max_size);
}
