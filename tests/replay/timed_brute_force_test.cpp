// The oracle of timed searches against itself: other grids, and no states taken for equal.

#include "tests/support/timed_brute_force.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include <catch2/catch.hpp>

#include "engine/model/print.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/replay/monitor.hpp"
#include "frontends/load.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

using test::brute_force_timed;
using test::TimedBruteForce;
using test::TimedBruteForceOptions;
using Lengths = std::map<std::string, std::size_t>;

// Edges, and pairs of definition and use.
CoverageRules rules_of(const Network& network) {
  CoverageRules rules;
  rules.begin_criterion({.name = "test"});
  const ItemFamilyId edge = rules.add_item_family("edge");
  for (std::uint32_t i = 0; i < network.edges.size(); ++i)
    rules.add_item(edge, {i}, {.id = fmt::format("edge {}", i)});
  rules.add_rule({.on = EventKind::kFired, .item = edge, .arguments = {Term::edge()}});
  const ItemFamilyId pair = rules.add_item_family("pair", [](const Arguments& a) {
    return Item{.id = fmt::format("pair {} {} {}", a[0], a[1], a[2])};
  });
  const TokenFamilyId live = rules.add_token_family({.name = "live", .open = true});
  for (const EventKind kind : {EventKind::kDefinition, EventKind::kInitialDefinition}) {
    rules.add_rule({.on = kind,
                    .action = Rule::Action::kDrop,
                    .token = live,
                    .arguments = {Term::cell(), Term::any()}});
    rules.add_rule({.on = kind,
                    .action = Rule::Action::kArm,
                    .token = live,
                    .arguments = {Term::cell(), Term::edge()}});
  }
  rules.add_rule({.on = EventKind::kUse,
                  .needs = TokenPattern{.family = live, .arguments = {Term::cell(), Term::any()}},
                  .item = pair,
                  .arguments = {Term::cell(), Term::token(1), Term::edge()}});
  return rules;
}

struct Found {
  Lengths lengths;
  TimedBruteForce raw;

  [[nodiscard]] Lengths up_to(std::size_t most) const {
    Lengths out = lengths;
    std::erase_if(out, [&](const auto& entry) { return entry.second > most; });
    return out;
  }
};

Found find(const Network& network, const TimedBruteForceOptions& options) {
  CoverageRules rules = rules_of(network);
  Found out{.lengths = {}, .raw = brute_force_timed(network, rules, options)};
  for (std::size_t i = 0; i < out.raw.shortest.size(); ++i)
    if (out.raw.shortest[i])
      out.lengths.emplace(rules.items()[ItemId(i)].id, *out.raw.shortest[i]);
  return out;
}

Network network_of(const std::string& text) {
  LoadedModel model = load_model_text("model.xta", text);
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    if (diagnostic.severity == Severity::kError)
      FAIL(render(diagnostic, model.file));
  return std::move(*model.network);
}

TEST_CASE("timed brute force: lengths count steps, not time", "[replay][timed][oracle]") {
  const Network network = network_of(
      "clock x, y; process P() { state a { x <= 4 }, b, c, d; init a;"
      "  trans a -> a { guard x >= 2; assign x = 0; },"
      "        a -> b { guard y >= 6; },"
      "        b -> c { guard x == 3 && y == 8; },"
      "        b -> d { guard x == 3 && y == 5; }; } system P;");
  const Found found = find(network, {});
  CHECK(found.raw.exhaustive);
  CHECK(found.raw.exact_up_to == TimedBruteForce::kNoLimit);
  CHECK(found.lengths.at("edge 0") == 1);
  CHECK(found.lengths.at("edge 1") == 2);
  CHECK(found.lengths.at("edge 2") == 4);  // two rounds, of 5 units together
  CHECK_FALSE(found.lengths.contains("edge 3"));
}

TEST_CASE("timed brute force: open constraints need a grid as fine as runs are long",
          "[replay][timed][oracle]") {
  const Network network = network_of(
      "clock x, y; process P() { state a, b, c; init a;"
      "  trans a -> b { guard x > 0 && x < 1; assign y = 0; },"
      "        b -> c { guard x < 1 && y > 0; }; } system P;");
  const auto last = [&](std::uint32_t k) {
    const Found found = find(network, {.steps_per_unit = k});
    CHECK(found.raw.exact_up_to == k - 1);
    return found.lengths.contains("edge 1");
  };
  CHECK_FALSE(last(1));
  CHECK_FALSE(last(2));
  CHECK(last(3));
}

TEST_CASE("timed brute force: what a network does with its clocks is read off",
          "[replay][timed][oracle]") {
  const auto usage = [](const std::string& guard, const std::string& update) {
    return test::clock_usage(network_of(
        "clock x, y, z[2], w[2]; int[0,3] i; broadcast chan c; void f(clock& r) { r = 7; }"
        "process P() { state a; init a; trans a -> a { guard " +
        guard + "; assign " + update + "; }; } system P;"));
  };
  const test::ClockUsage plain = usage("x <= 5 && y >= 2 * i && x + 1 == 3", "x = i, y = 1");
  CHECK((plain.tested == 6 && plain.assigned == 7 && plain.shift == 0));
  CHECK((plain.closed && !plain.diagonals && !plain.copies && !plain.rates));
  CHECK_FALSE(usage("x < 5", "x = 0").closed);
  CHECK(usage("x - y <= 5", "x = 0").diagonals);
  CHECK(usage("x <= y", "x = 0").diagonals);
  CHECK(usage("i < 2", "x = y").copies);
  CHECK(usage("i < 2", "x = 1 + y - i").shift == 4);
  CHECK(usage("i < 2", "z = w").copies);
  CHECK_FALSE(test::clock_usage(network_of("clock x; broadcast chan c; process P() { state a;"
                                           "init a; trans a -> a { guard x >= 1; sync c?; }; }"
                                           "system P;"))
                  .closed);
  CHECK_FALSE(test::clock_usage(network_of("clock x; process P() { state a; init a;"
                                           "trans a -> a { guard x >= 1; }; }"
                                           "process Q() { state a; init a; } system P < Q;"))
                  .closed);
  CHECK(test::clock_usage(
            network_of("clock x; process P() { state a { x' == 0 }; init a; } system P;"))
            .rates);
}

// --- Random networks

test::RandomOptions closed_options(std::uint32_t seed) {
  return {.branchpoints = seed % 5 == 0,
          .locals = seed % 4 == 0,
          .clocks = {.count = static_cast<int>(1 + seed % 3),
                     .diagonals = seed % 7 == 0,
                     .values = seed % 2 == 0,
                     .copies = seed % 11 == 0,
                     .shifts = seed % 13 == 0,
                     .invariants = true,
                     .lower_invariants = seed % 3 == 0,
                     .urgent_locations = seed % 4 == 1,
                     .urgent_channels = seed % 5 == 1,
                     .array = seed % 6 == 0,
                     .variable_bounds = seed % 3 == 1}};
}

test::RandomOptions open_options(std::uint32_t seed) {
  test::RandomOptions options = closed_options(seed);
  options.priorities = seed % 3 == 0;
  options.clocks.strict = seed % 2 == 0;
  options.clocks.receivers = seed % 3 != 0;
  return options;
}

TEST_CASE("timed brute force: random networks are models that UPPAAL would read",
          "[replay][timed][oracle]") {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    test::RandomOptions options = seed % 2 == 0 ? open_options(seed) : closed_options(seed);
    options.clocks.rates = seed % 3 == 0;
    options.may_fail = seed % 5 == 0;
    const std::string text = print_xta(test::random_network(seed, options));
    const LoadedModel model = load_model_text("model.xta", text);
    INFO(text);
    for (const Diagnostic& diagnostic : model.diagnostics.all())
      if (diagnostic.severity == Severity::kError)
        FAIL(render(diagnostic, model.file));
    REQUIRE(model.network);
  }
}

TEST_CASE("timed brute force: whole times are enough for closed networks",
          "[replay][timed][oracle]") {
  std::size_t compared = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const Network network = test::random_network(seed, closed_options(seed));
    INFO(fmt::format("seed {}\n{}", seed, print_xta(network)));
    REQUIRE(test::clock_usage(network).closed);
    const Found whole = find(network, {.most_nodes = 150});
    for (const std::uint32_t k : {2U, 3U}) {
      const Found finer = find(network, {.steps_per_unit = k, .most_nodes = 400});
      const std::size_t most = std::min(whole.raw.exact_up_to, finer.raw.exact_up_to);
      REQUIRE(whole.up_to(most) == finer.up_to(most));
      compared += whole.up_to(most).size();
    }
  }
  CHECK(compared > 1'000);  // the networks are not all dead
}

TEST_CASE("timed brute force: a finer grid finds no more than it says", "[replay][timed][oracle]") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const Network network = test::random_network(seed, open_options(seed));
    INFO(fmt::format("seed {}\n{}", seed, print_xta(network)));
    const Found coarse = find(network, {.steps_per_unit = 3, .most_nodes = 300});
    const Found fine = find(network, {.steps_per_unit = 5, .most_nodes = 600});
    const std::size_t most = std::min(coarse.raw.exact_up_to, fine.raw.exact_up_to);
    REQUIRE(coarse.up_to(most) == fine.up_to(most));
  }
}

// All runs up to a length, with all delays up to one after which everything has been exceeded.
struct Enumeration {
  const replay::Interpreter& interpreter;
  Rational grid;
  Rational longest;
  std::size_t most_steps = 0;
  std::size_t runs = 0;  // left
  std::map<ItemId, std::size_t> out;

  void go_on(const replay::RunState& state, const replay::Monitor& monitor, std::size_t depth) {
    for (const ItemId item : monitor.covered()) {
      const auto [known, is_new] = out.emplace(item, depth);
      known->second = std::min(known->second, depth);
    }
    if (depth == most_steps)
      return;
    for (Rational wait = 0; wait <= longest; wait += grid) {
      const replay::StepResult waited = interpreter.delay(state, wait);
      if (!waited.possible)
        return;
      for (const Step& step : interpreter.steps(waited.state).steps) {
        if (runs == 0)
          return;
        --runs;
        const replay::StepResult result = interpreter.step(waited.state, step);
        replay::Monitor next = monitor;
        next.advance(result.state, result.events);
        go_on(result.state, next, depth + 1);
      }
    }
  }
};

TEST_CASE("timed brute force: taking states for equal loses nothing", "[replay][timed][oracle]") {
  std::size_t finished = 0;
  for (std::uint32_t seed = 1'001; seed <= 1'150; ++seed) {
    const bool open = seed % 2 == 0;
    test::RandomOptions options = open ? open_options(seed) : closed_options(seed);
    options.clocks.diagonals = seed % 3 == 0;
    options.clocks.copies = seed % 4 == 0;
    options.clocks.shifts = seed % 5 == 0;
    const Network network = test::random_network(seed, options);
    INFO(fmt::format("seed {}\n{}", seed, print_xta(network)));
    constexpr int kSteps = 3;
    const std::uint32_t k = open ? 2 : 1;
    const test::ClockUsage usage = test::clock_usage(network);
    const Found found = find(network, {.steps_per_unit = k, .most_nodes = 5'000});

    CoverageRules rules = rules_of(network);
    const replay::Interpreter interpreter = replay::interpreter_for(network, rules);
    if (interpreter.initial_problem())
      continue;
    replay::Monitor monitor(network, rules);
    monitor.start(interpreter.initial(), interpreter.initial_events());
    Enumeration all{.interpreter = interpreter,
                    .grid = fraction(1, k),
                    .longest = usage.tested + usage.assigned + kSteps * usage.shift + 1,
                    .most_steps = kSteps,
                    .runs = 20'000,
                    .out = {}};
    all.go_on(interpreter.initial(), monitor, 0);
    if (all.runs == 0)
      continue;
    ++finished;
    Lengths lengths;
    for (const auto& [item, length] : all.out)
      lengths.emplace(rules.items()[item].id, length);
    REQUIRE(found.up_to(kSteps) == lengths);
  }
  CHECK(finished > 50);
}

}  // namespace
}  // namespace tw
