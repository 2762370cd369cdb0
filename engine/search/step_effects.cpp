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

StepEffects::StepEffects(const System& system, Effects& effects)
    : effects_(effects),
      events_(effects.rules().watches_anything()),
      of_edge_(system.network().edges.size()) {}

EffectId StepEffects::of(const Successors& successors, std::size_t step) {
  const Successors::StepRef& ref = successors.steps[step];
  const bool cacheable = !events_ && ref.edge_count == 1;
  const std::uint32_t first = successors.edges[ref.first_edge].edge;
  if (cacheable && of_edge_[first].valid())
    return of_edge_[first];
  effects_.begin_step();
  for (std::uint32_t i = 0; i < ref.event_count; ++i)
    effects_.add(successors.events[ref.first_event + i]);
  for (std::uint32_t i = 0; !events_ && i < ref.edge_count; ++i)
    effects_.add_fired(EdgeId(successors.edges[ref.first_edge + i].edge));
  const EffectId effect = effects_.end_step();
  if (cacheable)
    of_edge_[first] = effect;
  return effect;
}

}  // namespace tw
