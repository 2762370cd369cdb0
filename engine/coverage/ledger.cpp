#include "engine/coverage/ledger.hpp"

#include "engine/coverage/effects.hpp"

namespace tw {

Ledger::Ledger(const CoverageRules& rules) {
  std::vector<std::vector<TokenId>> tokens_of(rules.items().size());
  open_.reserve(rules.tokens().size());
  for (std::size_t i = 0; i < rules.tokens().size(); ++i) {
    const Token& token = rules.tokens()[TokenId(i)];
    open_.push_back(static_cast<std::uint32_t>(token.leads_to.size()));
    for (const ItemId item : token.leads_to)
      tokens_of[item.index()].push_back(TokenId(i));
  }
  tokens_of_ = std::make_shared<const std::vector<std::vector<TokenId>>>(std::move(tokens_of));
}

bool Ledger::cover(ItemId item) {
  if (is_covered(item))
    return false;
  set_bit(covered_, item.index());
  ++count_;
  // Members of open families come later and lead nowhere that is known.
  if (item.index() < tokens_of_->size())
    for (const TokenId token : (*tokens_of_)[item.index()])
      if (--open_[token.index()] == 0)
        set_bit(dead_, bit_of(token));
  return true;
}

}  // namespace tw
