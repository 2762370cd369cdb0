#include "engine/base/rational.hpp"

#include <algorithm>

namespace tw {
namespace {

// More than the vertices of our linear programs ever need.
constexpr std::size_t kMostCharacters = 10'000;

std::optional<mpz_class> parse_natural(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  constexpr int kDecimal = 10;
  return mpz_class(std::string(text), kDecimal);
}

}  // namespace

std::string to_string(const Rational& value) { return value.get_str(); }

std::optional<Rational> parse_rational(std::string_view text) {
  if (text.size() > kMostCharacters)
    return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  const auto numerator = parse_natural(text.substr(0, slash));
  const auto denominator = slash == std::string_view::npos ? std::optional<mpz_class>(1)
                                                           : parse_natural(text.substr(slash + 1));
  if (!numerator || !denominator || *denominator == 0)
    return std::nullopt;
  Rational value(*numerator, *denominator);
  value.canonicalize();
  return negative ? Rational(-value) : value;
}

}  // namespace tw
