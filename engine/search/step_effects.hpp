// From the steps the semantics yields to the effects that coverage knows: their events, and which
// conditions hold before and after. HOT.
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
  /// All are borrowed. Pre: the system was made with instrumentation_for the effects' rules.
  StepEffects(const System& system, SuccessorGenerator& generator, Effects& effects);

  /// What comes before the first step, applied to no token.
  [[nodiscard]] OutcomeId initial(const std::uint64_t* state);

  /// Steps from this state follow.
  void leave(const std::uint64_t* state) {
    if (asks_before_)
      evaluate(state, before_);
  }

  [[nodiscard]] EffectId of(const Successors& successors, std::size_t step);

 private:
  struct CompiledCondition {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    PackedPattern pattern;
    std::size_t expression = kNone;  // number among the system's conditions
  };

  void evaluate(const std::uint64_t* state, std::vector<std::uint64_t>& out) const;

  const System& system_;
  SuccessorGenerator& generator_;
  Effects& effects_;
  bool events_ = false;  // the semantics yields them
  std::vector<CompiledCondition> conditions_;
  bool asks_before_ = false;  // some rule asks about source states
  std::vector<std::uint64_t> before_;
  std::vector<std::uint64_t> after_;
  std::vector<EffectId> of_edge_;  // steps of one edge, where nothing else matters
};

}  // namespace tw
