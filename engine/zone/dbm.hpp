// Zones: convex sets of clock values, as difference bound matrices (docs/algorithms.md 3.1). Entry
// (i, j) bounds the difference of clocks i and j; clock 0 is the constant zero, real clocks count
// from 1. Matrices are kept closed (every entry is as tight as the others imply), so emptiness,
// inclusion and equality are plain comparisons. HOT: bench zone/*.
//
// A zone is a stretch of memory, as it lies inside states: functions take a view of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/zone/bound.hpp"

namespace tw {

/// A difference constraint: clock `i` minus clock `j` is within `bound`; 0 is the constant zero.
struct ClockConstraint {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  Bound bound;

  friend bool operator==(const ClockConstraint&, const ClockConstraint&) = default;

  /// Holds exactly where this one does not.
  [[nodiscard]] ClockConstraint negated() const {
    return {.i = j, .j = i, .bound = bound.negated()};
  }
};

/// By clock: the greatest constant from below (x > c) and from above (x < c) that a clock will be
/// compared with before it is set again; kNoBound if there is none. Entries of clock 0 are there
/// but mean nothing.
struct LuBounds {
  static constexpr std::int32_t kNoBound = -1;

  std::vector<std::int32_t> lower;
  std::vector<std::int32_t> upper;

  friend bool operator==(const LuBounds&, const LuBounds&) = default;
};

class ZoneView {
 public:
  /// size: clocks + 1; the memory has size² bounds.
  ZoneView(Bound* bounds, std::size_t size) : m_(bounds), n_(size) {}

  /// A view that nothing is changed through.
  [[nodiscard]] static ZoneView reading(const Bound* bounds, std::size_t size) {
    return {const_cast<Bound*>(bounds), size};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] Bound at(std::size_t i, std::size_t j) const { return m_[i * n_ + j]; }
  [[nodiscard]] const Bound* data() const { return m_; }

  /// Every clock has the value 0.
  void set_zero();
  /// Every clock has any value.
  void set_universe();

  /// Where else this can hold at all: a quick test. Not exact for several constraints together.
  [[nodiscard]] bool can_hold(const ClockConstraint& c) const {
    return at(c.j, c.i) + c.bound >= Bound::at_most(0);
  }
  [[nodiscard]] bool implies(const ClockConstraint& c) const { return at(c.i, c.j) <= c.bound; }

  /// Intersects; false: nothing is left, and the contents mean nothing.
  bool constrain(const ClockConstraint& c);

  /// The same with several.
  bool constrain(std::span<const ClockConstraint> constraints);

  /// Lets time pass without limit.
  void up();
  /// The same where some clocks stand still (by clock): the smallest zone around the result.
  void up(const std::vector<bool>& stopped);

  /// Clock i gets a constant, or the value of clock j (also itself) plus an offset. Pre: no value
  /// becomes negative.
  void set(std::size_t i, std::int32_t value);
  void set_to(std::size_t i, std::size_t j, std::int32_t offset);
  /// Clock i may have any value.
  void free(std::size_t i);

  /// Is the other zone a subset?
  [[nodiscard]] bool includes(const ZoneView& other) const;

  /// Forgets what no comparison within the bounds can find out: Extra+LU (docs/algorithms.md 3.3).
  /// Pre: no diagonal constraint tells points of the zone apart.
  void extrapolate(const LuBounds& bounds);

  /// Forgets, of each clock that is further from another one than Bound::kMostDifference, all
  /// differences, so that sums of bounds do not overflow. False: there is none.
  bool forget_great_differences();

  /// Is every point simulated by a point of the other zone, as far as comparisons within the bounds
  /// can tell: Z ⊆ aLU(Z') (docs/algorithms.md 3.4)? True if it is a subset.
  [[nodiscard]] bool is_simulated_by(const ZoneView& other, const LuBounds& bounds) const;

  /// Tightens all entries; false: the zone is empty.
  bool close();

 private:
  Bound& entry(std::size_t i, std::size_t j) { return m_[i * n_ + j]; }

  Bound* m_;
  std::size_t n_;
};

/// A zone with memory of its own.
class Zone {
 public:
  explicit Zone(std::size_t clocks) : bounds_((clocks + 1) * (clocks + 1)), n_(clocks + 1) {
    view().set_universe();
  }

  [[nodiscard]] Bound* data() { return bounds_.data(); }
  [[nodiscard]] ZoneView view() { return {bounds_.data(), n_}; }
  [[nodiscard]] ZoneView view() const { return ZoneView::reading(bounds_.data(), n_); }

  friend bool operator==(const Zone&, const Zone&) = default;

 private:
  std::vector<Bound> bounds_;
  std::size_t n_;
};

/// The fewest constraints that imply all others, in a fixed order (docs/algorithms.md 3.1): equal
/// for equal zones, and short.
[[nodiscard]] std::vector<ClockConstraint> minimal_constraints(const ZoneView& zone);

}  // namespace tw
