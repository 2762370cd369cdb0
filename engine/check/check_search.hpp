// What a suite says that only a search can know: which items are infeasible, how short the shortest
// ways are, what was counted, and that no suite is shorter.
//
// Two searches. The first has other settings than the one that made the suite: byte code instead of
// machine code, no steps left out, values that nobody reads kept, other subsumption of zones. It
// knows which items can be covered, and how soon. The second repeats the run as the suite's options
// say; counts and bounds are compared with it. Both go on as long as the budget of this thread
// allows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/check/check_result.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/generate.hpp"
#include "engine/suite/suite.hpp"
#include "engine/suite/suite_file.hpp"

namespace tw {

struct SearchCheckOptions {
  /// As the suite says.
  GenerateOptions made_with;
  /// The rules as they were declared, without what searches and replays add to them.
  std::function<CoverageRules()> declare;
  const SourceFile& source;  // of the model
  /// The suite was made by this version of the program: what it counts can be counted again.
  bool is_same_version = true;
  std::function<void(const SearchProgress&)> progress;  // as in SearchOptions
};

/// Pre: all else that the suite says is so. `said` is by item.
void check_search(const Network& network,
                  const SuiteFile& suite,
                  const std::vector<Verdict>& said,
                  const SearchCheckOptions& options,
                  CheckResult& result);

}  // namespace tw
