#include "engine/search/step_effects.hpp"

namespace tw {

Instrumentation instrumentation_for(const CoverageRules& rules) {
  Instrumentation out{
      .watched = rules.watched(), .invariants = rules.invariant_uses(), .pool = &rules.pool()};
  // In the order in which StateObserver counts them.
  for (const Observation& observation : rules.observations())
    for (const Atom& atom : observation.atoms)
      if (atom.expression.valid())
        out.predicates.push_back(
            {.expression = atom.expression,
             .at = observation.locations.empty() ? LocationId() : observation.locations.front()});
  return out;
}

void StepEffects::learn(const SuccessorGenerator& generator, Effects& effects) {
  while (by_kind_.size() < generator.kinds())
    add_kind(generator.events(StepKindId(by_kind_.size())), effects);
}

}  // namespace tw
