#include "engine/coverage/rules.hpp"

#include <catch2/catch.hpp>

#include "engine/replay/monitor.hpp"
#include "tests/replay/run.hpp"

namespace tw {
namespace {

using test::Run;

TEST_CASE("filter: '*' and '?' are wild, everything else stands for itself", "[coverage][filter]") {
  const auto passes = [](const char* glob, const char* id) {
    return ItemFilter({glob}).passes(id);
  };
  CHECK(passes("edge:Train.*", "edge:Train.Safe.Appr"));
  CHECK_FALSE(passes("edge:Train.*", "edge-init:Train.Safe.Appr"));
  CHECK(passes("*Appr", "edge:Train.Safe.Appr"));
  CHECK_FALSE(passes("*Appr", "edge:Train.Appr.Cross"));
  CHECK(passes("*:*.A*.*s", "edge:Train.Appr.Cross"));
  CHECK(passes("edge:T?ain.S*", "edge:Train.Safe.Appr"));
  CHECK_FALSE(passes("edge:T?ain", "edge:Tain"));
  CHECK(passes("def-use:list[2]:*", "def-use:list[2]:init:P.A.B"));
  CHECK_FALSE(passes("def-use:list[2]:*", "def-use:list2:init:P.A.B"));
  CHECK(passes("a*b*a*b", "aabbab"));
  CHECK_FALSE(passes("", "x"));
  CHECK(passes("**", ""));
}

TEST_CASE("filter: one of several is enough, none lets all pass", "[coverage][filter]") {
  CHECK(ItemFilter().passes("anything"));
  const ItemFilter filter({"edge:*", "location:P.A"});
  CHECK(filter.passes("edge:P.A.B"));
  CHECK(filter.passes("location:P.A"));
  CHECK_FALSE(filter.passes("location:P.B"));
}

TEST_CASE("rules: what a filter leaves out is not declared", "[coverage][rules]") {
  CoverageRules rules(ItemFilter({"a:*"}));
  rules.begin_criterion({.name = "a"});
  const ItemFamilyId family = rules.add_item_family("f");
  CHECK_FALSE(rules.add_item(family, {1}, {.id = "b:1"}).valid());
  CHECK(rules.add_item(family, {2}, {.id = "a:2"}) == ItemId(0));
  CHECK_FALSE(rules.item(family, {1}).valid());
  CHECK(rules.item(family, {2}) == ItemId(0));
  CHECK(rules.find_item("a:2") == ItemId(0));
  CHECK_FALSE(rules.find_item("b:1").valid());
}

TEST_CASE("rules: members belong to their family and the criterion begun last",
          "[coverage][rules]") {
  CoverageRules rules;
  rules.begin_criterion({.name = "one"});
  const ItemFamilyId first = rules.add_item_family("first");
  const CriterionId two = rules.begin_criterion({.name = "two"});
  const ItemFamilyId second = rules.add_item_family("second");
  const ItemId a = rules.add_item(first, {7}, {.id = "a"});
  const ItemId b = rules.add_item(second, {7}, {.id = "b"});
  CHECK(a != b);
  CHECK(rules.item(first, {7}) == a);
  CHECK(rules.item(second, {7}) == b);
  CHECK(rules.items()[b].criterion == two);
  CHECK(rules.items()[b].arguments == Arguments{7});
  CHECK_FALSE(rules.item(first, {7, 0}).valid());
  CHECK_FALSE(rules.item(first, {8}).valid());
}

TEST_CASE("rules: members of an open family are made when they are met", "[coverage][rules]") {
  CoverageRules rules(ItemFilter({"n:*", "o:*"}));
  rules.begin_criterion({.name = "open"});
  const ItemFamilyId family = rules.add_item_family("number", [](const Arguments& arguments) {
    return Item{.id = (arguments[0] < 5 ? "n:" : "other:") + std::to_string(arguments[0])};
  });
  const ItemId three = rules.item(family, {3});
  REQUIRE(three.valid());
  CHECK(rules.items()[three].id == "n:3");
  CHECK(rules.item(family, {3}) == three);
  CHECK_FALSE(rules.item(family, {6}).valid());  // the filter holds for them as well
  CHECK(rules.items().size() == 1);
  const TokenFamilyId tokens = rules.add_token_family({.name = "t", .open = true});
  CHECK(rules.token(tokens, {1}) == TokenId(0));
  CHECK(rules.token(tokens, {1}) == TokenId(0));
  CHECK(rules.token(tokens, {2}) == TokenId(1));
}

TEST_CASE("rules: a token that leads nowhere does not exist", "[coverage][rules]") {
  CoverageRules rules(ItemFilter({"kept*"}));
  rules.begin_criterion({.name = "c"});
  const ItemFamilyId items = rules.add_item_family("i");
  const ItemId dropped = rules.add_item(items, {0}, {.id = "dropped"});
  const ItemId kept = rules.add_item(items, {1}, {.id = "kept"});
  const ItemId also = rules.add_item(items, {2}, {.id = "kept too"});
  const TokenFamilyId tokens = rules.add_token_family({.name = "t"});
  CHECK_FALSE(rules.add_token(tokens, {0}, {dropped}).valid());
  CHECK_FALSE(rules.add_token(tokens, {1}, {}).valid());
  const TokenId token = rules.add_token(tokens, {2}, {also, dropped, kept, also});
  REQUIRE(token.valid());
  CHECK(rules.tokens()[token].leads_to == std::vector{kept, also});
  CHECK_FALSE(rules.token(tokens, {0}).valid());
  CHECK(rules.token(tokens, {2}) == token);
}

TEST_CASE("rules: equal observations are one, watched cells are remembered", "[coverage][rules]") {
  CoverageRules rules;
  rules.begin_criterion({.name = "c"});
  const ObservationId a = rules.add_observation({.locations = {LocationId(1)}});
  const ObservationId b = rules.add_observation({.locations = {LocationId(2)}});
  CHECK(a != b);
  CHECK(rules.add_observation({.locations = {LocationId(1)}}) == a);
  CHECK_FALSE(rules.watches_anything());
  rules.watch(CellId(2));
  CHECK(rules.watched() == std::vector{false, false, true});
}

// --- How rules act, as the monitor of replay reads them

/// Two processes that go a -> b -> a on their own; x counts what the first one does.
struct Watched : Run {
  Two p = process("P");
  Two q = process("Q");
  VariableId x = m.global("x", m.int_type(0, 9));
  CoverageRules rules;
  ItemFamilyId items;

  Watched() {
    m.edge(p.of, p.a, p.b, {.updates = {set(x, 1)}});
    m.edge(p.of, p.b, p.a, {.guard = is(x, 1), .updates = {set(x, 2)}});
    m.edge(q.of, q.a, q.b);
    m.edge(q.of, q.b, q.a);
    start();
    rules.begin_criterion({.name = "c"});
    items = rules.add_item_family("i");
    for (std::uint32_t i = 0; i < 8; ++i)
      rules.add_item(items, {i}, {.id = std::to_string(i)});
  }

  TokenFamilyId tokens(Lifetime lifetime = Lifetime::kUntilDropped) {
    const TokenFamilyId family = rules.add_token_family({.name = "t", .lifetime = lifetime});
    for (std::uint32_t i = 0; i < 4; ++i)
      rules.add_token(family, {i}, {ItemId(0)});
    return family;
  }

  /// Takes steps by name and says what is covered and how many tokens there are.
  std::pair<std::vector<std::size_t>, std::size_t> after(const test::Words& steps) {
    at = interpreter().initial();
    replay::Monitor now(*network, rules);
    now.start(at, interpreter().initial_events());
    for (const std::string& step : steps) {
      const replay::StepResult result = go(step);
      now.advance(at, result.events);
    }
    std::vector<std::size_t> covered;
    for (const ItemId item : now.covered())
      covered.push_back(item.index());
    return {covered, now.tokens().size()};
  }
};

using Seen = std::pair<std::vector<std::size_t>, std::size_t>;

TEST_CASE("rules: a closed family ignores unknown members", "[coverage][monitor]") {
  Watched w;
  w.rules.add_rule({.on = EventKind::kFired,
                    .item = w.items,
                    .arguments = {Term::edge(w.rules.add_map({3, 99, Term::kNothing, 4, 5}))}});
  CHECK(w.after({"0", "1", "2"}) == Seen{{3}, 0});
  CHECK(w.after({"2", "3"}) == Seen{{4}, 0});
  CHECK(w.rules.items().size() == 8);
}

TEST_CASE("rules: an open family gets what the monitor meets", "[coverage][monitor]") {
  Watched w;
  const ItemFamilyId open = w.rules.add_item_family("o", [](const Arguments& arguments) {
    return Item{.id = "o" + std::to_string(arguments[0])};
  });
  w.rules.add_rule({.on = EventKind::kFired, .item = open, .arguments = {Term::edge()}});
  CHECK(w.after({"2", "0"}) == Seen{{8, 9}, 0});
  CHECK(w.rules.items()[ItemId(8)].id == "o2");
}

TEST_CASE("rules: observations are made in the new state", "[coverage][monitor]") {
  Watched w;
  const CellId x = w.network->variables[w.x].first_cell;
  w.rules.add_rule({.on = EventKind::kState,
                    .at = w.rules.add_observation({.cells = {{.cell = x, .value = 1}}}),
                    .item = w.items,
                    .arguments = {Term::constant(7)}});
  CHECK(w.after({}) == Seen{{}, 0});
  CHECK(w.after({"0"}) == Seen{{7}, 0});
}

TEST_CASE("rules: atoms may be expressions of the rules' own pool", "[coverage][monitor]") {
  Watched w;
  ExpressionPool& pool = w.rules.pool();
  const TypeId whole = w.network->types.int_type();
  const ExprId x = pool.add({.kind = ExprKind::kVariable,
                             .type = w.network->variables[w.x].type,
                             .payload = static_cast<std::uint32_t>(w.x.index())});
  const ExprId zero = pool.add({.kind = ExprKind::kConstant, .type = whole});
  const ExprId two = pool.add({.kind = ExprKind::kConstant, .type = whole, .payload = 2});
  const std::array quotient = {two, x};
  const std::array sides = {pool.add({.kind = ExprKind::kDivide, .type = whole}, quotient), zero};
  const ExprId above =
      pool.add({.kind = ExprKind::kGreater, .type = w.network->types.bool_type()}, sides);
  w.rules.add_rule({.on = EventKind::kState,
                    .at = w.rules.add_observation({.atoms = {{.expression = above}}}),
                    .when = w.rules.atom(0),
                    .item = w.items,
                    .arguments = {Term::constant(6)}});
  CHECK(w.after({}) == Seen{{}, 0});  // 2 / 0 > 0 cannot be evaluated: undefined
  CHECK(w.after({"0"}) == Seen{{6}, 0});
}

TEST_CASE("rules: tokens are dropped before they are armed, all rules see those from before",
          "[coverage][monitor]") {
  Watched w;
  const TokenFamilyId t = w.tokens();
  using enum Rule::Action;
  w.rules.add_rule(
      {.on = EventKind::kFired, .action = kArm, .token = t, .arguments = {Term::edge()}});
  w.rules.add_rule(
      {.on = EventKind::kFired, .action = kDrop, .token = t, .arguments = {Term::any()}});
  w.rules.add_rule({.on = EventKind::kFired,
                    .needs = TokenPattern{t, {Term::any()}},
                    .item = w.items,
                    .arguments = {Term::token(0)}});
  CHECK(w.after({"0"}) == Seen{{}, 1});
  CHECK(w.after({"0", "2"}) == Seen{{0}, 1});
  CHECK(w.after({"0", "2", "1"}) == Seen{{0, 2}, 1});
}

TEST_CASE("rules: arming a token that leads nowhere has no effect", "[coverage][monitor]") {
  Watched w;
  const TokenFamilyId t = w.rules.add_token_family({.name = "t"});
  w.rules.add_token(t, {0}, {ItemId(0)});
  w.rules.add_token(t, {1}, {});
  w.rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = t,
                    .arguments = {Term::edge()}});
  CHECK(w.after({"0"}) == Seen{{}, 1});
  CHECK(w.after({"0", "1", "2"}) == Seen{{}, 1});
}

TEST_CASE("rules: tokens live for a step, for a move, or until they are dropped",
          "[coverage][monitor]") {
  Watched w;
  const auto arm_by_process = [&w](Lifetime lifetime) {
    const TokenFamilyId t = w.tokens(lifetime);
    w.rules.add_rule({.on = EventKind::kFired,
                      .action = Rule::Action::kArm,
                      .token = t,
                      .arguments = {Term::edge(w.rules.add_map(
                          {0, Term::kNothing, Term::kNothing, 1, Term::kNothing}))}});
    w.rules.add_rule({.on = EventKind::kState,
                      .at = w.rules.add_observation({}),
                      .needs = TokenPattern{t, {Term::constant(0)}},
                      .item = w.items,
                      .arguments = {Term::constant(5)}});
  };
  SECTION("until dropped") {
    arm_by_process(Lifetime::kUntilDropped);
    CHECK(w.after({"0", "2", "3", "1"}).second == 2);
  }
  SECTION("to the next step") {
    arm_by_process(Lifetime::kNextStep);
    CHECK(w.after({"0"}) == Seen{{5}, 1});
    CHECK(w.after({"0", "2"}).second == 0);
    CHECK(w.after({"2", "3"}).second == 1);
  }
  SECTION("to the next move of its process") {
    arm_by_process(Lifetime::kNextMove);
    CHECK(w.after({"0", "2", "3"}).second == 2);
    CHECK(w.after({"0", "2", "1"}).second == 0);
    CHECK(w.after({"2", "0"}).second == 1);
  }
  SECTION("in the step that arms them") {
    arm_by_process(Lifetime::kThisStep);
    CHECK(w.after({"0"}) == Seen{{5}, 0});
    CHECK(w.after({"2", "3"}) == Seen{{}, 0});
  }
}

// (x == 1 || 2 / x == 2), looked at where P is in b, with values as an argument.
TEST_CASE("rules: valuations are arguments, undefined atoms decide nothing they are needed for",
          "[coverage][monitor]") {
  Watched w;
  ExpressionPool& pool = w.rules.pool();
  const TypeId whole = w.network->types.int_type();
  const TypeId truth = w.network->types.bool_type();
  const auto number = [&](std::uint32_t value) {
    return pool.add({.kind = ExprKind::kConstant, .type = whole, .payload = value});
  };
  const ExprId x = pool.add({.kind = ExprKind::kVariable,
                             .type = w.network->variables[w.x].type,
                             .payload = static_cast<std::uint32_t>(w.x.index())});
  const std::array first = {x, number(1)};
  const std::array quotient = {number(2), x};
  const std::array second = {pool.add({.kind = ExprKind::kDivide, .type = whole}, quotient),
                             number(1)};
  const ObservationId seen = w.rules.add_observation(
      {.atoms = {{.expression = pool.add({.kind = ExprKind::kEqual, .type = truth}, first)},
                 {.expression = pool.add({.kind = ExprKind::kEqual, .type = truth}, second)}}});
  SECTION("the atoms as a number") {
    w.rules.add_rule(
        {.on = EventKind::kState, .at = seen, .item = w.items, .arguments = {Term::valuation()}});
    CHECK(w.after({}) == Seen{{}, 0});              // x is 0: 2 / x has no value
    CHECK(w.after({"0"}) == Seen{{1}, 0});          // x is 1: true, false
    CHECK(w.after({"0", "1"}) == Seen{{1, 2}, 0});  // x is 2: false, true
  }
  SECTION("some flipped") {
    w.rules.add_rule(
        {.on = EventKind::kState, .at = seen, .item = w.items, .arguments = {Term::valuation(2)}});
    CHECK(w.after({"0"}) == Seen{{3}, 0});
  }
  SECTION("short circuit") {
    const FormulaId a = w.rules.atom(0);
    const FormulaId b = w.rules.atom(1);
    const std::array formulas = {w.rules.both(a, b),
                                 w.rules.negate(w.rules.both(a, b)),
                                 w.rules.either(w.rules.negate(a), b),
                                 w.rules.either(b, a),
                                 w.rules.differ(a, b),
                                 w.rules.constant(true)};
    for (std::uint32_t i = 0; i < formulas.size(); ++i)
      w.rules.add_rule({.on = EventKind::kState,
                        .at = seen,
                        .when = formulas[i],
                        .item = w.items,
                        .arguments = {Term::constant(i)}});
    CHECK(w.after({}) == Seen{{1, 2, 5}, 0});
    CHECK(w.after({"0"}) == Seen{{1, 2, 3, 4, 5}, 0});
  }
}

}  // namespace
}  // namespace tw
