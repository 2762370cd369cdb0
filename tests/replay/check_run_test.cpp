#include "engine/replay/check_run.hpp"

#include <array>

#include <catch2/catch.hpp>

#include "engine/replay/monitor.hpp"
#include "tests/replay/run.hpp"
#include "tests/replay/timed_run.hpp"

namespace tw {
namespace {

/// P goes a -> b -> a; the way back needs x > 0 and divides by x - 1.
struct Checked : test::Run {
  Two p = process("P");
  VariableId x = m.global("x", m.int_type(0, 9));
  CoverageRules rules;

  explicit Checked(std::int32_t value) {
    const ExprId rest = m.binary(ExprKind::kSubtract, m.v(x), m.c(1));
    edge(p, {.updates = {set(x, value)}});
    m.edge(p.of, p.b, p.a,
           {.guard = m.binary(ExprKind::kGreater, m.v(x), m.c(0)),
            .updates = {m.assign(m.v(x), m.binary(ExprKind::kDivide, m.c(4), rest))}});
    start();
    rules.begin_criterion({.name = "edge"});
    const ItemFamilyId fired = rules.add_item_family("fired");
    for (std::uint32_t i = 0; i < 2; ++i)
      rules.add_item(fired, {i}, {.id = std::to_string(i)});
    rules.add_rule({.on = EventKind::kFired, .item = fired, .arguments = {Term::edge()}});
  }

  replay::RunCheck check(const std::vector<std::size_t>& edges) {
    std::vector<Step> steps;
    for (const std::size_t e : edges)
      steps.push_back({.edges = {{.edge = EdgeId(e)}}});
    return replay::check_run(*network, rules, steps, {});
  }
};

TEST_CASE("check_run: a run tells what it covers", "[replay][check]") {
  Checked c(3);
  const replay::RunCheck run = c.check({0, 1, 0});
  CHECK(run.possible);
  CHECK(run.why_not.empty());
  CHECK(run.covered == std::vector{ItemId(0), ItemId(1)});
}

TEST_CASE("check_run: step by step, a run tells its states", "[replay][check]") {
  Checked c(0);
  replay::Monitor monitor(*c.network, c.rules);
  const replay::Interpreter interpreter = replay::interpreter_for(*c.network, c.rules);
  replay::Run run(interpreter, monitor);
  CHECK(run.state() == interpreter.initial());
  CHECK_FALSE(run.take({.edges = {{.edge = EdgeId(0)}}}, 0));
  const replay::RunState before = run.state();
  CHECK(before != interpreter.initial());
  const auto failed = run.take({.edges = {{.edge = EdgeId(1)}}}, 0);
  REQUIRE(failed);
  CHECK_THAT(failed->why_not, Catch::Contains("is not enabled"));
  CHECK(run.state() == before);
  CHECK(run.covered() == std::vector{ItemId(0)});
}

TEST_CASE("check_run: an empty run is possible", "[replay][check]") {
  Checked c(3);
  const replay::RunCheck run = c.check({});
  CHECK(run.possible);
  CHECK(run.covered.empty());
}

TEST_CASE("check_run: a step that does not exist is named, with what ran before it",
          "[replay][check]") {
  Checked c(0);
  const replay::RunCheck run = c.check({0, 1, 0});
  CHECK_FALSE(run.possible);
  CHECK(run.failed_step == 1);
  CHECK_THAT(run.why_not, Catch::Contains("is not enabled"));
  CHECK(run.error == RunStatus::kOk);
  CHECK(run.covered == std::vector{ItemId(0)});
}

TEST_CASE("check_run: a run-time error is told as such", "[replay][check]") {
  Checked c(1);
  const replay::RunCheck run = c.check({0, 1});
  CHECK_FALSE(run.possible);
  CHECK(run.failed_step == 1);
  CHECK(run.error == RunStatus::kDivisionByZero);
  CHECK(run.error_at.valid());
}

TEST_CASE("check_run: without an initial state nothing runs", "[replay][check]") {
  test::Run r;
  const auto p = r.process("P");
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  r.m.set_invariant(p.a, r.is(x, 1));
  r.start();
  CoverageRules rules;
  const replay::RunCheck run = replay::check_run(*r.network, rules, {}, {});
  CHECK_FALSE(run.possible);
  CHECK(run.why_not == "the invariant of P.a does not hold");
  CHECK(run.covered.empty());
}

/// Leaves a after one to two units of time, b at once; the edge back to a is the third.
struct TimedCheck : test::TimedRun {
  CoverageRules rules;

  TimedCheck()
      : TimedRun(
            "clock x; process P() { state a { x <= 2 }, b, c; urgent b; init a;"
            "  trans a -> b { guard x >= 1; assign x = 0; }, b -> c { }, c -> a { assign x = 1; };"
            "} system P;") {
    rules.begin_criterion({.name = "edge"});
    const ItemFamilyId fired = rules.add_item_family("fired");
    for (std::uint32_t i = 0; i < 3; ++i)
      rules.add_item(fired, {i}, {.id = std::to_string(i)});
    rules.add_rule({.on = EventKind::kFired, .item = fired, .arguments = {Term::edge()}});
  }

  replay::RunCheck check(const std::vector<Rational>& delays) {
    const std::vector<Step> steps = {
        {{{.edge = EdgeId(0)}}}, {{{.edge = EdgeId(1)}}}, {{{.edge = EdgeId(2)}}}};
    return replay::check_run(*network, rules, steps, delays);
  }
};

TEST_CASE("check_run: every step comes after its delay", "[replay][check][timed]") {
  TimedCheck c;
  const replay::RunCheck run = c.check({fraction(3, 2), 0, fraction(7, 3)});
  CHECK(run.why_not.empty());
  CHECK(run.possible);
  CHECK(run.covered == std::vector{ItemId(0), ItemId(1), ItemId(2)});
}

TEST_CASE("check_run: a delay that is not possible makes its step fail", "[replay][check][timed]") {
  TimedCheck c;
  SECTION("too long") {
    const replay::RunCheck run = c.check({3, 0, 0});
    CHECK_FALSE(run.possible);
    CHECK(run.failed_step == 0);
    CHECK(run.why_not == "the invariant of P.a does not hold after this delay");
    CHECK(run.covered.empty());
  }
  SECTION("where no time passes") {
    const replay::RunCheck run = c.check({1, 1, 0});
    CHECK_FALSE(run.possible);
    CHECK(run.failed_step == 1);
    CHECK(run.why_not == "time cannot pass: P is in the urgent location b");
    CHECK(run.covered == std::vector{ItemId(0)});
  }
  SECTION("too short, so that the step does not exist") {
    const replay::RunCheck run = c.check({fraction(1, 2), 0, 0});
    CHECK(run.failed_step == 0);
    CHECK(run.why_not == "edge P.a -> b is not enabled");
  }
  SECTION("none at all") { CHECK(c.check({}).why_not == "edge P.a -> b is not enabled"); }
}

TEST_CASE("check_run: clocks are looked at when a state is entered and after every delay",
          "[replay][check][timed]") {
  TimedCheck c;
  CoverageRules rules;
  rules.begin_criterion({.name = "late"});
  const ItemFamilyId late = rules.add_item_family("late");
  rules.add_item(late, {}, {.id = "late"});
  ExpressionPool& pool = rules.pool();
  const TypeId clock = c.network->types.clock_type();
  const VariableId x = c.network->clocks[ClockId(0)].variable;
  const std::array sides = {
      pool.add({.kind = ExprKind::kVariable,
                .timed = true,
                .type = clock,
                .payload = static_cast<std::uint32_t>(x.index())}),
      pool.add({.kind = ExprKind::kConstant, .type = c.network->types.int_type(), .payload = 2})};
  const ExprId at_two =
      pool.add({.kind = ExprKind::kGreaterEqual, .type = c.network->types.bool_type()}, sides);
  rules.add_rule({.on = EventKind::kState,
                  .at = rules.add_observation({.atoms = {{.expression = at_two}}}),
                  .when = rules.atom(0),
                  .item = late});
  const std::vector<Step> steps = {{{{.edge = EdgeId(0)}}}};
  const std::vector<Rational> soon = {fraction(199, 100)};
  const std::vector<Rational> then = {2};
  CHECK(replay::check_run(*c.network, rules, steps, soon).covered.empty());
  CHECK(replay::check_run(*c.network, rules, steps, then).covered == std::vector{ItemId(0)});
}

TEST_CASE("monitor: copies go on independently", "[replay][monitor]") {
  Checked c(3);
  const TokenFamilyId tokens = c.rules.add_token_family({.name = "t", .open = true});
  c.rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = tokens,
                    .arguments = {Term::edge()}});
  replay::Monitor monitor(*c.network, c.rules);
  monitor.start(c.at, c.interpreter().initial_events());
  const replay::Monitor before = monitor;
  monitor.advance(c.at, c.go("0").events);
  CHECK(before.tokens().empty());
  CHECK(before.covered().empty());
  CHECK(monitor.tokens() == std::set<replay::TokenValue>{{.family = tokens, .arguments = {0}}});
  CHECK(monitor.covered() == std::vector{ItemId(0)});
  CHECK(before.tokens() < monitor.tokens());
  CHECK(c.rules.tokens().empty());  // values, not members
}

}  // namespace
}  // namespace tw
