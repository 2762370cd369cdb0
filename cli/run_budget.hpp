// What a command may take, from the first byte it reads to the last one it writes: its limits, the
// signals that end it, and a line that shows how far it is.
#pragma once

#include <string_view>

#include "cli/watch.hpp"
#include "engine/base/budget.hpp"
#include "engine/search/search_options.hpp"

namespace tw {

/// Make one at the beginning of a command; not two at a time. Budget of this thread as long as it
/// lives.
class RunBudget {
 public:
  RunBudget(RunLimits most, Watch::Options options);

  [[nodiscard]] Budget& budget() { return budget_; }
  [[nodiscard]] Watch& watch() { return watch_; }
  /// For SearchOptions::progress.
  [[nodiscard]] std::function<void(const SearchProgress&)> progress();

 private:
  Watch watch_;
  Budget budget_;
  BudgetScope scope_;
};

}  // namespace tw
