// A zone that is compared with many stored ones, whose numbers are packed into 8, 16 or 32 bits
// (zone_store.hpp). What depends on this zone and on the bounds of its clocks is worked out once;
// then a comparison looks at as many numbers at once as a vector holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/zone/dbm.hpp"

namespace tw {

/// Packed numbers, several at a time.
namespace zone_numbers {

inline constexpr std::size_t kVector = 16;

template <class Number>
struct VectorOf {
  using Type [[gnu::vector_size(kVector)]] = Number;
  static constexpr std::size_t kCount = kVector / sizeof(Number);
};

template <class Number>
typename VectorOf<Number>::Type load(const Number* from) {
  typename VectorOf<Number>::Type out;
  std::memcpy(&out, from, kVector);
  return out;
}

template <class Vector>
bool is_any_set(const Vector& mask) {
  std::uint64_t words[2];
  std::memcpy(words, &mask, kVector);
  return (words[0] | words[1]) != 0;
}

template <class Number, class Byte>
auto* as(Byte* bytes) {
  using To = std::conditional_t<std::is_const_v<Byte>, const Number, Number>;
  return reinterpret_cast<To*>(bytes);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// Calls f with a number of this many bytes.
template <class F>
auto by_width(std::size_t width, F f) {
  if (width == sizeof(std::int8_t))
    return f(std::int8_t{});
  if (width == sizeof(std::int16_t))
    return f(std::int16_t{});
  return f(std::int32_t{});
}

}  // namespace zone_numbers

class ZoneProbe {
 public:
  /// size: clocks + 1.
  explicit ZoneProbe(std::size_t size);

  /// Stored zones are whole vectors; what is left over is infinity. Behind them come as many bytes
  /// again that may be read.
  static constexpr std::size_t kVector = zone_numbers::kVector;

  /// The zone is borrowed until the next one. How many bytes a number needs at the least.
  [[nodiscard]] std::size_t set_zone(const ZoneView& zone);
  /// Pre: enough for the zone.
  void pack(std::size_t width);
  [[nodiscard]] const std::byte* bytes() const { return packed_.data(); }
  /// Of a zone with numbers this wide.
  [[nodiscard]] std::size_t stride(std::size_t width) const {
    return (n_ * n_ * width + kVector - 1) / kVector * kVector;
  }

  /// Pre: packed. Borrowed until the next zone is set.
  void set_bounds(const LuBounds& bounds);

  /// Calls f with an object that compares with many zones, packed as this one: its
  /// `is_simulated_by(bytes)` needs bounds, `simulates(bytes)` limit_above() as well.
  template <class F>
  auto compare(F f) const {
    return zone_numbers::by_width(
        width_, [&](auto number) { return f(Comparison<decltype(number)>(*this)); });
  }
  [[nodiscard]] bool is_simulated_by(const std::byte* other) const;
  [[nodiscard]] bool simulates(const std::byte* other);
  /// Pre: bounds are set.
  void limit_above();

  [[nodiscard]] static Bound unpack(const std::byte* zone, std::size_t width, std::size_t at);
  void unpack(const std::byte* zone, std::size_t width, Bound* out) const;

 private:
  template <class Number>
  class Comparison;

  template <class Number>
  void limit_plainly_below();
  template <class Number>
  void limit_plainly_above();
  void limit_shorts_below();
  void limit_shorts_above();

  std::size_t n_;
  std::size_t width_ = 0;
  const Bound* zone_ = nullptr;       // borrowed
  const LuBounds* bounds_ = nullptr;  // borrowed
  bool is_short_ = false;             // 16 bits are enough for the zone …
  bool has_short_bounds_ = false;     // … and for sums with bounds
  bool has_above_ = false;
  // All of these have room for one more vector behind them.
  std::vector<std::int16_t> shorts_;  // the zone, if is_short_
  std::vector<std::byte> packed_;     // the zone, as wide as stored ones
  std::vector<std::byte> below_;      // what stored numbers must not be less than
  std::vector<std::byte> above_;      // what those in row 0 must be greater than to matter
  std::vector<std::byte> in_row_;     // all bits of the first n numbers
  // Scratch.
  std::vector<std::int32_t> columns_;
  std::vector<std::int16_t> short_columns_;
  std::vector<std::int16_t> short_limits_;
};

// HOT: all of it is compiled in place, where zones are walked through.
template <class Number>
class ZoneProbe::Comparison {
 public:
  explicit Comparison(const ZoneProbe& probe)
      : n_(probe.n_),
        count_(probe.stride(sizeof(Number)) / sizeof(Number)),
        own_(zone_numbers::as<Number>(probe.packed_.data())),
        below_(zone_numbers::as<Number>(probe.below_.data())),
        above_(zone_numbers::as<Number>(probe.above_.data())),
        in_row_(zone_numbers::as<Number>(probe.in_row_.data())) {}

  // No number is less than its limit; these are whole vectors.
  [[nodiscard]] bool is_simulated_by(const std::byte* bytes) const {
    using zone_numbers::load;
    const Number* const other = zone_numbers::as<Number>(bytes);
    std::size_t k = 0;
    for (; k + 4 * kStep <= count_; k += 4 * kStep) {
      const auto any = (load(other + k) < load(below_ + k)) |
                       (load(other + k + kStep) < load(below_ + k + kStep)) |
                       (load(other + k + 2 * kStep) < load(below_ + k + 2 * kStep)) |
                       (load(other + k + 3 * kStep) < load(below_ + k + 3 * kStep));
      if (zone_numbers::is_any_set(any))
        return false;
    }
    for (; k < count_; k += kStep)
      if (zone_numbers::is_any_set(load(other + k) < load(below_ + k)))
        return false;
    return true;
  }

  // The other zone has no number that shows a point that the probe does not simulate.
  [[nodiscard]] bool simulates(const std::byte* bytes) const {
    using zone_numbers::load;
    constexpr std::size_t kRows = 3;
    const Number* const other = zone_numbers::as<Number>(bytes);
    for (std::size_t x = 0; x < n_; x += kStep) {
      const auto row0 = load(other + x);
      const auto in_row = load(in_row_ + x);
      std::size_t at = x;
      // Most that differ do so in the first rows.
      while (at < n_ * n_) {
        decltype(row0 > row0) any = {};
        for (const std::size_t stretch = std::min(at + kRows * n_, n_ * n_); at < stretch; at += n_)
          any |= (load(other + at) > load(own_ + at)) & (row0 > load(above_ + at));
        if (zone_numbers::is_any_set(any & in_row))
          return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kStep = zone_numbers::VectorOf<Number>::kCount;

  std::size_t n_;
  std::size_t count_;
  const Number* own_;
  const Number* below_;
  const Number* above_;
  const Number* in_row_;
};

inline bool ZoneProbe::is_simulated_by(const std::byte* other) const {
  return compare([&](const auto& with) { return with.is_simulated_by(other); });
}

inline bool ZoneProbe::simulates(const std::byte* other) {
  limit_above();
  return compare([&](const auto& with) { return with.simulates(other); });
}

}  // namespace tw
