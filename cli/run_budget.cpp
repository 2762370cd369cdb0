#include "cli/run_budget.hpp"

namespace tw {

RunBudget::RunBudget(RunLimits most, Watch::Options options)
    : watch_(options),
      budget_({.most = most,
               .interrupted = [this](std::string_view phase) { return watch_(phase); },
               .now = {},
               .resident = {}}),
      scope_(&budget_) {}

std::function<void(const SearchProgress&)> RunBudget::progress() {
  return [this](const SearchProgress& progress) { watch_(progress); };
}

}  // namespace tw
