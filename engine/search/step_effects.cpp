#include "engine/search/step_effects.hpp"

#include <algorithm>

namespace tw {

StepEffects::StepEffects(const System& system, Effects& effects)
    : system_(system),
      effects_(effects),
      before_(effects.condition_words()),
      after_(effects.condition_words()),
      of_edge_(system.network().edges.size()) {
  const Network& network = system.network();
  const CoverageRules& rules = effects.rules();
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
    patterns_.push_back(std::move(pattern));
  }
  asks_before_ = std::any_of(rules.rules().begin(), rules.rules().end(), [](const Rule& rule) {
    return rule.where.valid() && rule.on != EventKind::kState;
  });
}

void StepEffects::evaluate(const std::uint64_t* state, std::vector<std::uint64_t>& out) const {
  std::fill(out.begin(), out.end(), 0);
  for (std::size_t i = 0; i < patterns_.size(); ++i)
    if (patterns_[i].matches(state))
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
  const bool cacheable = patterns_.empty() && ref.edge_count == 1;
  const std::uint32_t first = successors.edges[ref.first_edge].edge;
  if (cacheable && of_edge_[first].valid())
    return of_edge_[first];
  effects_.begin_step();
  for (std::uint32_t i = 0; i < ref.edge_count; ++i)
    effects_.add_fired(EdgeId(successors.edges[ref.first_edge + i].edge));
  if (!patterns_.empty()) {
    evaluate(successors.states.data() + step * system_.layout().words(), after_);
    effects_.add_conditions(before_, after_);
  }
  const EffectId effect = effects_.end_step();
  if (cacheable)
    of_edge_[first] = effect;
  return effect;
}

}  // namespace tw
