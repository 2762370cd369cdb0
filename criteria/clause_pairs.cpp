#include "criteria/clause_pairs.hpp"

namespace tw {
namespace {

// Of a correlated token: which pair, the value of the clause, that of the guard.
std::uint32_t code(std::uint32_t pair, bool clause, bool guard) {
  return pair * 4 + (clause ? 2U : 0U) + (guard ? 1U : 0U);
}

}  // namespace

ClausePairs::ClausePairs(Pairing pairing, CoverageRules& rules)
    : pairing_(pairing),
      rules_(rules),
      items_(rules.add_item_family("pair")),
      goals_(std::make_shared<Goals>()) {
  tokens_ = rules.add_token_family(
      {.name = "one of the two states was met",
       .observation_argument = 0,
       .open = true,
       .leads_to = [pairing, goals = goals_](const CoverageRules& own, const Arguments& token) {
         return leads_to(pairing, *goals, own, token);
       }});
}

std::vector<ItemId> ClausePairs::leads_to(Pairing pairing,
                                          const Goals& goals,
                                          const CoverageRules& rules,
                                          const Arguments& token) {
  std::vector<ItemId> out;
  const auto own = goals.find(token[0]);
  if (own == goals.end())
    return out;
  if (pairing == Pairing::kCorrelated)
    return {own->second[token[2] / 4].item};
  for (const Goal& goal : own->second)
    if (value_of(rules, goal.when, token[2]))
      out.push_back(goal.item);
  return out;
}

void ClausePairs::add(const Decision& decision, const std::vector<ClausePair>& pairs) {
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const ItemId item =
        rules_.add_item(items_, {decision.key, i},
                        {.id = pairs[i].id, .label = pairs[i].label, .where = decision.where});
    for (const ObservationId at : decision.observations) {
      (*goals_)[static_cast<std::uint32_t>(at.index())].push_back(
          {.item = item, .when = pairs[i].when});
      rules_.lead_to(at, item);
    }
    if (!item.valid())
      continue;
    if (pairing_ == Pairing::kCorrelated)
      add_correlated(decision, pairs[i], i);
    else
      add_restricted(decision, pairs[i], i);
  }
  if (pairing_ == Pairing::kRestricted)
    for (const ObservationId at : decision.observations)
      rules_.add_rule({.on = EventKind::kState,
                       .at = at,
                       .action = Rule::Action::kArm,
                       .token = tokens_,
                       .arguments = {Term::observation(), Term::binding(), Term::valuation()}});
}

void ClausePairs::add_correlated(const Decision& decision,
                                 const ClausePair& pair,
                                 std::uint32_t number) {
  const FormulaId clause = decision.clause[pair.clause];
  for (const bool value : {true, false})
    for (const bool guard : {true, false}) {
      const FormulaId here = rules_.both(
          pair.when, rules_.both(value ? clause : rules_.negate(clause),
                                 guard ? decision.guard : rules_.negate(decision.guard)));
      const auto token = [&](std::uint32_t which) {
        return std::vector{Term::observation(), Term::binding(), Term::constant(which)};
      };
      for (const ObservationId at : decision.observations) {
        rules_.add_rule({.on = EventKind::kState,
                         .at = at,
                         .when = here,
                         .action = Rule::Action::kArm,
                         .token = tokens_,
                         .arguments = token(code(number, value, guard))});
        rules_.add_rule({.on = EventKind::kState,
                         .at = at,
                         .when = here,
                         .needs = TokenPattern{.family = tokens_,
                                               .arguments = token(code(number, !value, !guard))},
                         .action = Rule::Action::kCover,
                         .item = items_,
                         .arguments = {Term::constant(decision.key), Term::constant(number)}});
      }
    }
}

void ClausePairs::add_restricted(const Decision& decision,
                                 const ClausePair& pair,
                                 std::uint32_t number) {
  for (const ObservationId at : decision.observations)
    rules_.add_rule({.on = EventKind::kState,
                     .at = at,
                     .when = pair.when,
                     .needs = TokenPattern{.family = tokens_,
                                           .arguments = {Term::observation(), Term::binding(),
                                                         Term::valuation(1U << pair.clause)}},
                     .action = Rule::Action::kCover,
                     .item = items_,
                     .arguments = {Term::constant(decision.key), Term::constant(number)}});
}

}  // namespace tw
