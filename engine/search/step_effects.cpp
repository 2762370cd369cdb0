#include "engine/search/step_effects.hpp"

#include <algorithm>

#include "engine/semantics/dead_cells.hpp"

namespace tw {
namespace {

void set_cells(std::size_t first, std::size_t count, std::vector<bool>& out) {
  for (std::size_t cell = first; cell < std::min(first + count, out.size()); ++cell)
    out[cell] = true;
}

// All cells of all variables that an expression mentions, and what its calls read.
void add_mentioned(const Network& network,
                   const ExpressionPool& pool,
                   ExprId id,
                   std::vector<bool>& out) {
  const Expression& e = pool[id];
  if (e.kind == ExprKind::kVariable) {
    const Variable& variable = network.variables[e.variable()];
    if (variable.first_cell.valid())
      set_cells(variable.first_cell.index(), network.types.shape(variable.type).cells, out);
  } else if (e.kind == ExprKind::kCall) {
    for (const Use& use : network.functions[e.function()].facts.uses)
      if (!use.place.is_clock)
        set_cells(use.place.first, use.place.count, out);
  }
  for (const ExprId part : pool.operands(id))
    add_mentioned(network, pool, part, out);
}

// Those whose values are seen in states. That one is used or defined does not tell its value.
std::vector<bool> observed_cells(const Network& network, const CoverageRules& rules) {
  std::vector<bool> out(network.memory.state);
  for (const Observation& observation : rules.observations()) {
    for (const Observation::CellValue& value : observation.cells)
      set_cells(value.cell.index(), 1, out);
    for (const Atom& atom : observation.atoms)
      if (atom.expression.valid())
        add_mentioned(network, rules.pool(), atom.expression, out);
  }
  for (const ValueTuples& tuples : rules.value_tuples())
    for (const ValueTuples::Factor& factor : tuples.factors)
      if (factor.cell.valid())
        set_cells(factor.cell.index(), 1, out);
  return out;
}

}  // namespace

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

Instrumentation forgetting_for(const Network& network, const CoverageRules& rules) {
  Instrumentation out = instrumentation_for(rules);
  out.forgotten = dead_cells(network, observed_cells(network, rules));
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
