// Chaining: tests that go on to the next item instead of starting over. The global search gives a
// shortest trace per item; a suite of those repeats the same first steps again and again. Here many
// suites are planned on the graph of all runs (route.hpp), and the best of them is taken, by
// whatever is to be kept low (docs/adr/016-run-graph.md).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/coverage/ledger.hpp"
#include "engine/search/search.hpp"
#include "engine/suite/generate.hpp"
#include "engine/suite/walker.hpp"

namespace tw {

struct ChainOptions {
  Optimise optimise = Optimise::kSteps;
  /// What tests show depends on delays, too, so that only who has chosen them knows which candidate
  /// is best: those for the other goals are wanted as well.
  bool all_goals = false;
  Delays delays = Delays::kRobust;    // by which time is measured
  OnError on_error = OnError::kStop;  // as in the exploration
  /// The same system, if there is one, that forgets dead values: it has fewer states to plan with.
  const System* planning = nullptr;
  /// Expansions that chaining may spend in all; afterwards it takes what it has.
  std::uint64_t budget = 0;
  std::uint64_t exact_budget = 0;  // beginnings of suites the last attempt looks at; 0: none
  std::uint64_t lower_bound = 0;   // no suite has fewer steps
  std::uint64_t max_bytes = 0;     // of the graph; 0: no limit
};

struct Chained {
  std::vector<Walk> walks;
  std::vector<std::vector<Walk>> others;  // best for other goals, if they are wanted
  std::uint64_t lower_bound = 0;          // no suite with this coverage has fewer steps
};

/// `traces` has a shortest trace for every item that `others` has not covered; the result covers
/// the same and is not longer. All arguments are borrowed for the call.
[[nodiscard]] Chained chain(const System& system,
                            Effects& effects,
                            const Ledger& others,
                            const std::vector<Walk>& traces,
                            const ChainOptions& options);

}  // namespace tw
