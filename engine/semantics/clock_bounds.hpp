// How far clocks matter: for every location the greatest constants that each clock can still be
// compared with, from below and from above, before it is set again. Static guard analysis, for the
// extrapolation with lower and upper bounds (docs/algorithms.md 3.3). A clock without bounds is
// inactive.
//
// Constants flow backwards along the edges of a process until an edge surely sets the clock; where
// a clock is set to another one, its constants become constants of that one, shifted. Every process
// is looked at alone: what others set is ignored (they can only make a clock matter less), but what
// others copy can happen in any location.
//
// Comparisons of two clocks are no business of extrapolation: zones are split on them. They are
// collected for the whole network, with those that they become before an update.
#pragma once

#include <span>
#include <vector>

#include "engine/base/id_vector.hpp"
#include "engine/model/facts.hpp"
#include "engine/model/network.hpp"
#include "engine/zone/dbm.hpp"

namespace tw {

/// A comparison with a clock that somebody wants to see, whether it holds or not.
struct ObservedTest {
  ClockTest test;
  LocationId at;  // only while its process is there; invalid: everywhere
};

class ClockBounds {
 public:
  /// Both are read, not kept.
  explicit ClockBounds(const Network& network, std::span<const ObservedTest> observed = {});

  /// What one process in this location can find out, by clock + 1; index 0 is the constant zero.
  /// The bounds of a state are the greatest over its processes. Means nothing for a branchpoint.
  [[nodiscard]] const LuBounds& at(LocationId location) const { return bounds_[location]; }

  /// All comparisons of two clocks that can be made now or after some updates, each or its negation
  /// once: i < j, ascending.
  [[nodiscard]] const std::vector<ClockConstraint>& diagonals() const { return diagonals_; }

  /// By clock: it is compared with another clock, and one of the two may stand still. The distance
  /// between them changes then while time passes, so that no bound tells which values are alike.
  /// Empty: no clock is so.
  [[nodiscard]] const std::vector<bool>& drifting() const { return drifting_; }

  /// A clock that can be compared with ever greater constants, or in too many ways with another:
  /// it is set from others or itself in a circle. Bounds and diagonals mean nothing then, and zones
  /// need not be finitely many. Invalid: none.
  [[nodiscard]] ClockId unbounded() const { return unbounded_; }

 private:
  IdVector<LocationId, LuBounds> bounds_;
  std::vector<ClockConstraint> diagonals_;
  std::vector<bool> drifting_;
  ClockId unbounded_;
};

}  // namespace tw
