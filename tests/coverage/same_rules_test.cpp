#include "engine/coverage/same_rules.hpp"

#include <functional>
#include <string>

#include <catch2/catch.hpp>

namespace tw {
namespace {

struct Recipe {
  std::string name = "a";
  std::uint32_t item = 1;
  EventKind on = EventKind::kFired;
  Lifetime lifetime = Lifetime::kUntilDropped;
  bool negated = false;
  bool open_items = false;
};

CoverageRules make(const Recipe& recipe) {
  CoverageRules rules;
  rules.begin_criterion({.name = recipe.name});
  const ItemFamilyId items =
      recipe.open_items ? rules.add_item_family("f", [](const Arguments&) { return Item{}; })
                        : rules.add_item_family("f");
  const ItemId item = rules.add_item(items, {recipe.item}, {.id = recipe.name + ":1"});
  const TokenFamilyId tokens = rules.add_token_family({.name = "t", .lifetime = recipe.lifetime});
  rules.add_token(tokens, {0}, {item});
  rules.add_rule({.on = recipe.on,
                  .action = Rule::Action::kArm,
                  .token = tokens,
                  .arguments = {Term::constant(0)}});
  const ObservationId at =
      rules.add_observation({.locations = {LocationId(0)}, .atoms = {{.location = LocationId(1)}}});
  rules.lead_to(at, item);
  const FormulaId atom = rules.atom(0);
  rules.add_rule({.on = EventKind::kState,
                  .at = at,
                  .when = recipe.negated ? rules.negate(atom) : atom,
                  .needs = TokenPattern{.family = tokens, .arguments = {Term::any()}},
                  .action = Rule::Action::kCover,
                  .item = items,
                  .arguments = {Term::constant(recipe.item)}});
  return rules;
}

TEST_CASE("rules ask for the same if only names differ", "[coverage][rules]") {
  const CoverageRules rules = make({});
  CHECK(ask_for_the_same(rules, make({})));
  CHECK(ask_for_the_same(rules, make({.name = "b"})));
  CHECK_FALSE(ask_for_the_same(rules, make({.item = 2})));
  CHECK_FALSE(ask_for_the_same(rules, make({.on = EventKind::kBegin})));
  CHECK_FALSE(ask_for_the_same(rules, make({.lifetime = Lifetime::kNextStep})));
  CHECK_FALSE(ask_for_the_same(rules, make({.negated = true})));
  CHECK_FALSE(ask_for_the_same(make({.open_items = true}), make({.open_items = true})));
  CHECK_FALSE(ask_for_the_same(rules, CoverageRules()));
}

}  // namespace
}  // namespace tw
