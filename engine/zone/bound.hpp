// An upper bound on a difference of clocks, `< c` or `<= c` or none, packed into 32 bits so that
// the order of bounds is the order of numbers (docs/algorithms.md 3.1): twice the constant, plus
// one if the bound itself is allowed.
#pragma once

#include <cstdint>
#include <limits>

namespace tw {

class Bound {
 public:
  /// Constants of models stay below this, so that no sum of a few bounds overflows.
  static constexpr std::int32_t kMostConstant = (1 << 27) - 1;
  /// Differences in zones that steps begin with stay below this.
  static constexpr std::int32_t kMostDifference = 2 * kMostConstant;

  constexpr Bound() = default;  // < 0: holds for no difference of a clock with itself

  static constexpr Bound at_most(std::int32_t c) { return Bound(2 * c + 1); }
  static constexpr Bound less_than(std::int32_t c) { return Bound(2 * c); }
  static constexpr Bound infinity() { return Bound(kInfinity); }
  static constexpr Bound from_raw(std::int32_t raw) { return Bound(raw); }

  [[nodiscard]] constexpr std::int32_t raw() const { return raw_; }
  [[nodiscard]] constexpr bool is_infinite() const { return raw_ == kInfinity; }
  [[nodiscard]] constexpr bool is_strict() const { return (raw_ & 1) == 0; }
  /// Pre: not infinite.
  [[nodiscard]] constexpr std::int32_t constant() const { return raw_ >> 1; }

  friend constexpr bool operator==(Bound a, Bound b) { return a.raw_ == b.raw_; }
  friend constexpr bool operator<(Bound a, Bound b) { return a.raw_ < b.raw_; }
  friend constexpr bool operator<=(Bound a, Bound b) { return a.raw_ <= b.raw_; }
  friend constexpr bool operator>(Bound a, Bound b) { return a.raw_ > b.raw_; }
  friend constexpr bool operator>=(Bound a, Bound b) { return a.raw_ >= b.raw_; }

  /// x - y within a and y - z within b: x - z is within the sum, strictly if one of them is strict.
  friend constexpr Bound operator+(Bound a, Bound b) {
    if (a.is_infinite() || b.is_infinite())
      return infinity();
    return Bound(a.raw_ + b.raw_ - ((a.raw_ | b.raw_) & 1));
  }

  /// What y - x must satisfy where x - y does not satisfy this one. Pre: not infinite.
  [[nodiscard]] constexpr Bound negated() const { return Bound(1 - raw_); }

 private:
  static constexpr std::int32_t kInfinity = std::numeric_limits<std::int32_t>::max();

  explicit constexpr Bound(std::int32_t raw) : raw_(raw) {}

  std::int32_t raw_ = 0;
};

}  // namespace tw
