// Comparisons of two clocks, closed under what updates make of them: `x - y < 3` after `x = z + 1`
// was `z - y < 2` before, and after `x = 5` it was `y > 2`. Extrapolation knows nothing of them:
// zones are split on them all first (docs/algorithms.md 3.5).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "engine/base/id_vector.hpp"
#include "engine/model/facts.hpp"
#include "engine/semantics/clock_updates.hpp"
#include "engine/zone/dbm.hpp"

namespace tw {

class Diagonals {
 public:
  /// `assignments`: all of the network; copied.
  Diagonals(std::size_t clocks, std::span<const ClockWay> assignments);

  /// Does nothing if the test is of one clock.
  void add(const ClockTest& test);
  /// Adds what the comparisons were before assignments, to the end.
  void close();

  /// Each or its negation once: i < j, ascending.
  [[nodiscard]] std::vector<ClockConstraint> constraints() const;
  /// The greatest constant of a comparison that the clock takes part in, with another clock or, as
  /// that one is set to a number, alone; LuBounds::kNoBound if there is none.
  [[nodiscard]] const IdVector<ClockId, std::int32_t>& bounds() const { return bounds_; }
  /// A clock with too many comparisons to list; what is listed means nothing then.
  [[nodiscard]] ClockId unbounded() const { return unbounded_; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;  // i < j, raw bound

  void add(ClockId i, ClockId j, std::int64_t constant, bool strict);
  void add_relation(ClockId i, ClockId j, ExprKind relation, std::int64_t constant);
  void close(const ClockConstraint& diagonal, const ClockWay& assignment);
  void raise(ClockId clock, std::int64_t constant);

  IdVector<ClockId, std::vector<ClockWay>> by_target_;
  std::set<Key> keys_;
  std::vector<ClockConstraint> open_;
  IdVector<ClockId, std::int32_t> bounds_;
  ClockId unbounded_;
};

}  // namespace tw
