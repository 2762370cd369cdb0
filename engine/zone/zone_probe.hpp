// A zone that is compared with many stored ones, whose numbers are packed into 8, 16 or 32 bits
// (zone_store.hpp). What depends on this zone and on the bounds of its clocks is worked out once;
// then a comparison looks at as many numbers at once as a vector holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/zone/dbm.hpp"

namespace tw {

class ZoneProbe {
 public:
  /// size: clocks + 1.
  explicit ZoneProbe(std::size_t size);

  /// Stored zones are whole vectors; what is left over is infinity. Behind them come as many bytes
  /// again that may be read.
  static constexpr std::size_t kVector = 16;

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
  /// Pre: bounds are set, and the other zone is packed as this one.
  [[nodiscard]] bool is_simulated_by(const std::byte* other) const;
  [[nodiscard]] bool simulates(const std::byte* other);

  [[nodiscard]] static Bound unpack(const std::byte* zone, std::size_t width, std::size_t at);
  void unpack(const std::byte* zone, std::size_t width, Bound* out) const;

 private:
  template <class Number>
  void limit_below();
  template <class Number>
  void limit_above();
  void limit_shorts_below();
  void limit_shorts_above();
  template <class Number>
  [[nodiscard]] bool matters(const Number* other) const;

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

}  // namespace tw
