#include "engine/search/step_effects.hpp"

#include <algorithm>

namespace tw {

Instrumentation instrumentation_for(const CoverageRules& rules) {
  Instrumentation out{
      .watched = rules.watched(), .invariants = rules.invariant_uses(), .pool = &rules.pool()};
  for (const Condition& condition : rules.conditions())
    if (condition.expression.valid())
      out.conditions.push_back(condition.expression);
  return out;
}

StepEffects::StepEffects(const System& system, SuccessorGenerator& generator, Effects& effects)
    : system_(system),
      generator_(generator),
      effects_(effects),
      events_(effects.rules().watches_anything()),
      before_(effects.condition_words()),
      after_(effects.condition_words()),
      of_edge_(system.network().edges.size()) {
  const Network& network = system.network();
  const CoverageRules& rules = effects.rules();
  std::size_t expressions = 0;
  for (const Condition& condition : rules.conditions()) {
    PackedPattern pattern = system.layout().pattern();
    for (const LocationId location : condition.locations) {
      const ProcessId process = network.locations[location].process;
      const std::size_t first = network.processes[process].first_location.index();
      system.layout().require_location(
          process.index(), static_cast<std::uint32_t>(location.index() - first), pattern);
    }
    for (const Condition::CellValue& cell : condition.cells)
      system.layout().require_cell(cell.cell.index(), cell.value, pattern);
    conditions_.push_back({.pattern = std::move(pattern)});
    if (condition.expression.valid())
      conditions_.back().expression = expressions++;
  }
  asks_before_ = std::any_of(rules.rules().begin(), rules.rules().end(), [](const Rule& rule) {
    return rule.where.valid() && rule.on != EventKind::kState;
  });
}

void StepEffects::evaluate(const std::uint64_t* state, std::vector<std::uint64_t>& out) const {
  std::fill(out.begin(), out.end(), 0);
  for (std::size_t i = 0; i < conditions_.size(); ++i)
    if (conditions_[i].pattern.matches(state) &&
        (conditions_[i].expression == CompiledCondition::kNone ||
         generator_.holds(conditions_[i].expression, state)))
      out[i / 64] |= std::uint64_t{1} << (i % 64);
}

OutcomeId StepEffects::initial(const std::uint64_t* state) {
  evaluate(state, after_);
  std::vector<std::uint64_t> bottom;
  set_bit(bottom, kBottomBit);
  return effects_.apply(effects_.initial(after_), effects_.sets().intern(bottom));
}

EffectId StepEffects::of(const Successors& successors, std::size_t step) {
  const Successors::StepRef& ref = successors.steps[step];
  const bool cacheable = conditions_.empty() && !events_ && ref.edge_count == 1;
  const std::uint32_t first = successors.edges[ref.first_edge].edge;
  if (cacheable && of_edge_[first].valid())
    return of_edge_[first];
  effects_.begin_step();
  for (std::uint32_t i = 0; i < ref.event_count; ++i)
    effects_.add(successors.events[ref.first_event + i]);
  for (std::uint32_t i = 0; !events_ && i < ref.edge_count; ++i)
    effects_.add_fired(EdgeId(successors.edges[ref.first_edge + i].edge));
  if (!conditions_.empty()) {
    evaluate(successors.states.data() + step * system_.state_words(), after_);
    effects_.add_conditions(before_, after_);
  }
  const EffectId effect = effects_.end_step();
  if (cacheable)
    of_edge_[first] = effect;
  return effect;
}

}  // namespace tw
