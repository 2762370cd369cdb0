// Exact points in time: delays are fractions of a model's time unit, and sums of them must not be
// rounded. Unbounded, so that no input overflows.
#pragma once

#include <gmpxx.h>
#include <optional>
#include <string>
#include <string_view>

namespace tw {

using Rational = mpq_class;

/// In lowest terms, as the library wants it. Pre: the denominator is positive.
[[nodiscard]] inline Rational fraction(long numerator, long denominator) {
  Rational out(numerator, denominator);
  out.canonicalize();
  return out;
}

/// "3", "7/2", "-1/3": in lowest terms.
[[nodiscard]] std::string to_string(const Rational& value);

/// Reads what to_string writes, also not in lowest terms; at most 10,000 characters, so that
/// what nobody meant costs nothing.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text);

}  // namespace tw
