// From the steps the semantics yields to the effects that coverage knows. HOT.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/coverage/effects.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

/// What the semantics must notice for these rules.
[[nodiscard]] Instrumentation instrumentation_for(const CoverageRules& rules);

class StepEffects {
 public:
  /// Both are borrowed. Pre: the system was made with instrumentation_for the effects' rules.
  StepEffects(const System& system, Effects& effects);

  [[nodiscard]] EffectId of(const Successors& successors, std::size_t step);

 private:
  Effects& effects_;
  bool events_ = false;            // the semantics yields them
  std::vector<EffectId> of_edge_;  // steps of one edge, where nothing else matters
};

}  // namespace tw
