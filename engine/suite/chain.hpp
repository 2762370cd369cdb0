// Chaining: tests that go on to the next item instead of starting over (algorithm notes 5.3). The
// global search gives a shortest trace per item; a suite of those repeats the same first steps
// again and again. Here a test is led from where it stands to the nearest item that is left, until
// starting over is cheaper. Several ways to do so are tried. Where the model is small, the local
// algorithm with resets then looks for anything shorter: it finds the optimum, or proves that it is
// there already.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/coverage/ledger.hpp"
#include "engine/search/search.hpp"
#include "engine/suite/generate.hpp"
#include "engine/suite/walker.hpp"

namespace tw {

struct ChainOptions {
  Optimise optimise = Optimise::kSteps;
  OnError on_error = OnError::kStop;  // as in the exploration
  /// Expansions that chaining may spend in all; afterwards it takes what it has.
  std::uint64_t budget = 0;
  std::uint64_t exact_budget = 0;  // those of the last attempt; 0: none
  std::uint64_t lower_bound = 0;   // no suite has fewer steps
  std::uint64_t max_bytes = 0;     // of each search; 0: no limit
  std::function<bool(const SearchProgress&)> interrupted;
};

struct Chained {
  std::vector<Walk> walks;
  bool optimal = false;  // no suite with this coverage has fewer steps
};

/// `traces` has a shortest trace for every item that `others` has not covered; the result covers
/// the same and is not longer. All arguments are borrowed for the call.
[[nodiscard]] Chained chain(const System& system,
                            Effects& effects,
                            const Ledger& others,
                            const std::vector<Walk>& traces,
                            const ChainOptions& options);

}  // namespace tw
