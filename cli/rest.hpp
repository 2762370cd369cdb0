// What a run that was ended early has left open, for whoever waits for it.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/suite/generate.hpp"

namespace tw {

struct RunRest {
  std::string_view model;  // as the user named it
  const CoverageRules& rules;
  const Generated& result;
  const Budget& budget;
  const RunLimits& limits;
};

/// In which phase it ended, what is undecided, what to do. Nothing if it was not ended early.
void tell_rest(const RunRest& rest);

}  // namespace tw
