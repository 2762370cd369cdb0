#include "criteria/clause_pairs.hpp"

#include <fmt/format.h>

namespace tw {
namespace {

// Of a correlated token: which pair, the value of the clause, that of the guard.
std::uint32_t code(std::uint32_t pair, bool clause, bool guard) {
  return pair * 4 + (clause ? 2U : 0U) + (guard ? 1U : 0U);
}

}  // namespace

std::size_t most_paired_clauses(const CriterionOptions& options) {
  return options.pairing == HalfPlaces::kSuite ? 12 : 31;
}

CriterionInfo pair_criterion(std::string_view name, const CriterionOptions& options) {
  CriterionInfo out = guard_criterion(name, options);
  if (options.pairing == HalfPlaces::kSuite)
    out.options += out.options.empty() ? "--pairing suite" : " --pairing suite";
  return out;
}

ClausePairs::ClausePairs(Pairing pairing, HalfPlaces places, CoverageRules& rules)
    : pairing_(pairing),
      places_(places),
      rules_(rules),
      items_(rules.add_item_family("pair")),
      goals_(std::make_shared<Goals>()) {
  if (places == HalfPlaces::kSuite) {
    halves_ = rules.add_item_family("half");
    return;
  }
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
  std::vector<ItemId> items;
  for (std::uint32_t i = 0; i < pairs.size(); ++i)
    items.push_back(
        rules_.add_item(items_, {decision.key, i},
                        {.id = pairs[i].id, .label = pairs[i].label, .where = decision.where}));
  if (places_ == HalfPlaces::kTest) {
    add_tokens(decision, pairs, items);
    return;
  }
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (!items[i].valid())
      continue;
    if (pairing_ == Pairing::kCorrelated)
      add_correlated_halves(decision, pairs[i], i, items[i]);
    else
      add_restricted_halves(decision, pairs[i], items[i]);
  }
  if (pairing_ == Pairing::kRestricted)
    for (const ObservationId at : decision.observations)
      rules_.add_rule({.on = EventKind::kState,
                       .at = at,
                       .action = Rule::Action::kCover,
                       .item = halves_,
                       .arguments = {Term::constant(decision.key), Term::valuation()}});
}

void ClausePairs::add_tokens(const Decision& decision,
                             const std::vector<ClausePair>& pairs,
                             const std::vector<ItemId>& items) {
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    for (const ObservationId at : decision.observations) {
      (*goals_)[static_cast<std::uint32_t>(at.index())].push_back(
          {.item = items[i], .when = pairs[i].when});
      rules_.lead_to(at, items[i]);
    }
    if (!items[i].valid())
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

// The value of the clause and of the guard where the clause decides: two and two belong together.
void ClausePairs::add_correlated_halves(const Decision& decision,
                                        const ClausePair& pair,
                                        std::uint32_t number,
                                        ItemId item) {
  const FormulaId clause = decision.clause[pair.clause];
  std::vector<ItemId> halves;
  for (const bool value : {true, false})
    for (const bool guard : {true, false}) {
      const Arguments arguments = {decision.key, code(number, value, guard)};
      halves.push_back(rules_.add_half(
          halves_, arguments,
          {.id = fmt::format("{}={},guard={}", pair.id, truth_name(value), truth_name(guard)),
           .label =
               fmt::format("{}: {} is {}, the guard is {}", pair.label,
                           decision.clauses[pair.clause], truth_name(value), truth_name(guard)),
           .where = decision.where}));
      const FormulaId here = rules_.both(
          pair.when, rules_.both(value ? clause : rules_.negate(clause),
                                 guard ? decision.guard : rules_.negate(decision.guard)));
      for (const ObservationId at : decision.observations) {
        rules_.lead_to(at, halves.back());
        rules_.add_rule(
            {.on = EventKind::kState,
             .at = at,
             .when = here,
             .action = Rule::Action::kCover,
             .item = halves_,
             .arguments = {Term::constant(arguments[0]), Term::constant(arguments[1])}});
      }
    }
  rules_.set_pairs(
      item, {{.first = halves[0], .second = halves[3]}, {.first = halves[1], .second = halves[2]}});
}

// Valuations that differ in the clause only.
void ClausePairs::add_restricted_halves(const Decision& decision,
                                        const ClausePair& pair,
                                        ItemId item) {
  const std::uint32_t bit = 1U << pair.clause;
  std::vector<ItemPair> pairs;
  for (std::uint32_t v = 0; v < (1U << decision.clauses.size()); ++v)
    if ((v & bit) != 0 && value_of(rules_, pair.when, v))
      pairs.push_back(
          {.first = valuation_half(decision, v), .second = valuation_half(decision, v ^ bit)});
  rules_.set_pairs(item, std::move(pairs));
}

ItemId ClausePairs::valuation_half(const Decision& decision, std::uint32_t valuation) {
  const ItemId known = rules_.find_item(halves_, {decision.key, valuation});
  if (known.valid())
    return known;
  std::string letters;
  for (std::size_t i = 0; i < decision.clauses.size(); ++i)
    letters += ((valuation >> i) & 1) != 0 ? 'T' : 'F';
  const std::string& criterion = rules_.criteria()[rules_.item_families()[halves_].criterion].name;
  const ItemId half =
      rules_.add_half(halves_, {decision.key, valuation},
                      {.id = fmt::format("{}:{}={}", criterion, decision.name, letters),
                       .label = fmt::format("clauses {} in {}", letters, decision.label),
                       .where = decision.where});
  for (const ObservationId at : decision.observations)
    rules_.lead_to(at, half);
  return half;
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
