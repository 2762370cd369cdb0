#include "engine/coverage/commuting.hpp"

#include <algorithm>

namespace tw {
namespace {

bool is_event_cell(const Term& term) {
  return term.source == Term::Source::kCell && !term.map.valid();
}

// By family: at which positions of their arguments all tokens may have their cell.
using Positions = IdVector<TokenFamilyId, std::vector<bool>>;

void keep_cells(const std::vector<Term>& arguments, std::vector<bool>& positions) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] = positions[i] && i < arguments.size() && is_event_cell(arguments[i]);
}

bool accesses_cell(EventKind kind) {
  return kind == EventKind::kUse || kind == EventKind::kDefinition ||
         kind == EventKind::kInitialDefinition;
}

// Narrows the positions; false: the rule binds tokens to more than a cell.
bool keeps_to_cell(const Rule& rule, Positions& positions) {
  const bool covers = rule.action == Rule::Action::kCover;
  if (covers && !rule.needs)
    return true;
  if (!accesses_cell(rule.on) || (!covers && (rule.on == EventKind::kUse || rule.needs)))
    return false;
  if (rule.needs)
    keep_cells(rule.needs->arguments, positions[rule.needs->family]);
  if (!covers)
    keep_cells(rule.arguments, positions[rule.token]);
  return true;
}

}  // namespace

bool tokens_keep_to_cells(const CoverageRules& rules) {
  if (!rules.observations().empty() || !rules.value_tuples().empty())
    return false;
  Positions positions;
  for (const TokenFamily& family : rules.token_families()) {
    if (family.lifetime != Lifetime::kUntilDropped)
      return false;
    positions.push_back(std::vector<bool>(Arguments::kMost, true));
  }
  for (const Rule& rule : rules.rules())
    if (!keeps_to_cell(rule, positions))
      return false;
  return std::all_of(positions.begin(), positions.end(), [](const std::vector<bool>& family) {
    return std::ranges::find(family, true) != family.end();
  });
}

}  // namespace tw
