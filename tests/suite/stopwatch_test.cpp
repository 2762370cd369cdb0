// Stopwatches: zones contain too much, so every trace is checked, and what cannot be confirmed is
// undecided.

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/suite/oracle.hpp"
#include "tests/suite/text_model.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

TEST_CASE("a trace that only zones allow leaves its item undecided", "[suite][stopwatch]") {
  // x runs in a, y in b: to show 6 each they need 12 units, and there are 10.
  const Generated out = generate_locations(R"(
    clock x, y, t;
    process P() {
      state a { y' == 0 && t <= 10 }, b { x' == 0 && t <= 10 }, c, d;
      init a;
      trans a -> b { }, b -> c { guard x >= 6 && y >= 6; }, a -> d { guard y >= 1; };
    }
    system P;)");
  CHECK(out.internal_error.empty());
  CHECK(count(out, ItemStatus::kCovered) == 2);
  CHECK(count(out, ItemStatus::kUndecided) == 1);
  CHECK(count(out, ItemStatus::kInfeasible) == 1);  // y stands still in a
  CHECK(out.search.unconfirmed);
}

TEST_CASE("delays suit stopwatches", "[suite][stopwatch]") {
  for (const Delays delays : {Delays::kEarliest, Delays::kRobust, Delays::kLatest}) {
    const Generated out = generate_locations(R"(
      clock x, y, t;
      process P() {
        state a { y' == 0 && t < 12 }, b { x' == 0 && t < 12 }, c;
        init a;
        trans a -> b { }, b -> c { guard x > 5 && y > 5; };
      }
      system P;)",
                                             {.delays = delays});
    CHECK(out.internal_error.empty());
    CHECK(count(out, ItemStatus::kCovered) == 3);
    REQUIRE(out.suite.tests.size() == 1);
    CHECK(out.suite.tests[0].duration() > 10);
    CHECK(out.suite.tests[0].duration() < 12);
  }
}

TEST_CASE("data decide whether a clock runs", "[suite][stopwatch]") {
  const Generated out = generate_locations(R"(
    clock x, t;
    bool on;
    process P() {
      state a { x' == on && t <= 8 }, b;
      init a;
      trans a -> a { guard t >= 3 && !on; assign on = true; }, a -> b { guard x >= 5 && t <= 8; };
    }
    system P;)");
  CHECK(out.internal_error.empty());
  CHECK(count(out, ItemStatus::kCovered) == 2);
  CHECK(out.suite.duration() == 8);
}

TEST_CASE("stopwatches do not make an initial state", "[suite][stopwatch]") {
  const Generated out = generate_locations(R"(
    clock x;
    process P() { state a { x' == 0 && x >= 1 }, b; init a; trans a -> b { }; }
    system P;)");
  CHECK_FALSE(out.has_initial_state);
  CHECK(out.suite.tests.empty());
  CHECK(count(out, ItemStatus::kCovered) == 0);
}

// What brute force finds on a grid is real: it is never called infeasible. generate() replays what
// it covers.
TEST_CASE("nothing real is called infeasible on random stopwatches", "[suite][stopwatch][oracle]") {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    const test::RandomOptions options{.locals = seed % 2 == 0,
                                      .clocks = {.count = static_cast<int>(2 + seed % 2),
                                                 .strict = seed % 3 == 0,
                                                 .values = seed % 4 == 0,
                                                 .invariants = true,
                                                 .rates = true}};
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      const Setup setup{.criterion = "edge"};
      CoverageRules rules = declare(network, setup);
      const test::TimedBruteForce oracle =
          test::brute_force_timed(network, rules, {.steps_per_unit = 2, .most_nodes = 300});
      const Generated found = run(network, setup, {.search = {.full = true, .max_states = 3'000}});
      if (!found.internal_error.empty())
        return "replay: " + found.internal_error;
      for (std::size_t i = 0; i < found.verdicts.size(); ++i)
        if (oracle.shortest[i] && found.verdicts[i].status == ItemStatus::kInfeasible)
          return "a feasible item is called infeasible: " + rules.items()[ItemId(i)].id;
      return "";
    });
    INFO(problem);
    REQUIRE(problem.empty());
  }
}

}  // namespace
}  // namespace tw
