// From the steps the semantics yields to the effects that coverage knows. HOT.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/coverage/effects.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

/// What the semantics must notice for these rules.
[[nodiscard]] Instrumentation instrumentation_for(const CoverageRules& rules);

/// The effects of the steps that one generator yields. Pre: the system was made with
/// instrumentation_for the effects' rules.
class StepEffects {
 public:
  /// The events of the next kind, in their order.
  void add_kind(std::span<const std::uint64_t> events, Effects& effects) {
    by_kind_.push_back(effects.of_events(events));
  }
  /// All kinds that a generator knows.
  void learn(const SuccessorGenerator& generator, Effects& effects);

  [[nodiscard]] EffectId of(StepKindId kind) const { return by_kind_[kind.index()]; }

 private:
  std::vector<EffectId> by_kind_;
};

}  // namespace tw
