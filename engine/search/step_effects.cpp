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

void StepEffects::add(std::span<const std::uint64_t> events, std::span<const std::uint32_t> ends) {
  const std::size_t base = events_.size();
  std::size_t first = 0;
  for (const std::uint32_t end : ends) {
    kinds_.push_back({.first = base + first, .end = base + end});
    first = end;
  }
  events_.insert(events_.end(), events.begin(), events.end());
}

void StepEffects::add_all(const SuccessorGenerator& generator) {
  while (kinds_.size() < generator.kinds()) {
    const auto events = generator.events(StepKindId(kinds_.size()));
    const auto end = static_cast<std::uint32_t>(events.size());
    add(events, std::span(&end, 1));
  }
}

}  // namespace tw
