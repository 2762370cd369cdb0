// What a timed network can cover, by trying everything on a grid of times: breadth-first search
// over pairs of state and tokens in which each step comes after a delay of 0, 1/k, 2/k, … units. It
// is the oracle of the search with zones.
//
// What it finds is real, whatever the grid. It finds everything
// - at k = 1, if all constraints are closed (non-strict): delays of such a run can be rounded to
//   whole numbers, all by the same threshold, and it is still a run (Henzinger, Manna, Pnueli
//   1992). Copies and non-zero values do not change that: every constraint is about the difference
//   of two points in time;
// - else in runs of at most k - 1 steps: constraints only see the whole parts of times and the
// order
//   of their fractions, and the start and k - 1 steps have at most k different ones.
// Stopped clocks measure sums of differences, and neither argument holds.
//
// To be finite it takes clock values for equal that no constraint can tell apart. Without
// comparisons and copies between clocks those are all values above the largest constant. With them
// the distances between clocks count, as long as they are not larger than everything that later
// steps can compare or add; where clocks are set to others plus something, that depends on the
// number of steps, which is therefore limited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/model/run_status.hpp"

namespace tw::test {

/// What a network does with its clocks, by reading it.
struct ClockUsage {
  std::int64_t tested = 0;    // largest constant in a comparison, by absolute value
  std::int64_t assigned = 0;  // largest number a clock is set to
  std::int64_t shift = 0;     // largest number added to a clock in an assignment
  bool diagonals = false;     // two clocks in one comparison
  bool copies = false;        // clocks are set to other clocks
  bool closed = true;         // no strict comparison, and nothing that is decided by one's opposite
  bool rates = false;
};

[[nodiscard]] ClockUsage clock_usage(const Network& network);

struct TimedBruteForceOptions {
  /// Where clocks are set to others plus something, runs are never longer than this.
  static constexpr std::size_t kMostShifts = 4;

  std::uint32_t steps_per_unit = 1;  // k
  std::size_t most_nodes = 1'000;
  std::size_t most_steps = 1'000;     // of a run
  OnError on_error = OnError::kStop;  // as for the interpreter
};

struct TimedBruteForce {
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  /// By item: the length of the shortest run found that covers it; there is such a run.
  std::vector<std::optional<std::size_t>> shortest;
  /// Lengths up to this are shortest, and what has no length has none up to this.
  std::size_t exact_up_to = 0;
  /// Nothing was left out on the grid.
  bool exhaustive = false;
};

/// Open item families of the rules get the members that were met. Run-time errors of the model end
/// a run and nothing else. Where a condition of the rules asks a clock, it is asked at every moment
/// of the grid; a run of n steps that looks twice has n + 3 moments, so lengths are exact up to
/// k - 3.
[[nodiscard]] TimedBruteForce brute_force_timed(const Network& network,
                                                CoverageRules& rules,
                                                const TimedBruteForceOptions& options = {});

}  // namespace tw::test
