#include "engine/coverage/ledger.hpp"

#include <algorithm>

#include "engine/coverage/effects.hpp"

namespace tw {

Ledger::Ledger(const CoverageRules& rules) : rules_(&rules) {
  for (std::size_t i = 0; i < rules.observations().size(); ++i)
    left_.push_back(std::max<std::uint32_t>(
        static_cast<std::uint32_t>(rules.items_of(ObservationId(i)).size()), 1));
  add_tokens();
}

void Ledger::add_tokens() {
  for (std::size_t i = open_.size(); i < rules_->tokens().size(); ++i) {
    const std::vector<ItemId>& leads_to = rules_->tokens()[TokenId(i)].leads_to;
    const auto open =
        std::ranges::count_if(leads_to, [&](ItemId item) { return !is_covered(item); });
    open_.push_back(static_cast<std::uint32_t>(open));
    if (open == 0 && !leads_to.empty())
      set_bit(dead_, bit_of(TokenId(i)));
  }
}

bool Ledger::cover(ItemId item) {
  if (is_covered(item))
    return false;
  set_bit(covered_, item.index());
  ++count_;
  for (const TokenId token : rules_->tokens_of(item))
    if (token.index() < open_.size() && --open_[token.index()] == 0)
      set_bit(dead_, bit_of(token));
  for (const ObservationId observation : rules_->observations_of(item))
    --left_[observation.index()];
  return true;
}

}  // namespace tw
