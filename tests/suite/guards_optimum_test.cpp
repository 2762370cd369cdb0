// Suites of criteria about guards on random networks with clocks, judged by the literal reading
// (direct_guards.hpp) at every moment that can matter:
//
// - what a test `covers` is what it shows with its delays, from arrival to leaving;
// - intervals keep it: with one delay at an end of its interval nothing of it is lost;
// - no lower bound is above the length of a suite that exists. The shortest ones on a grid of times
//   are found by trying everything; how far ours are from them is printed.
//
// A sample runs always, TW_OPTIMUM=500 asks for so many networks.

#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/suite/direct_guards.hpp"
#include "tests/suite/oracle.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

using Ids = std::set<std::string>;

constexpr std::uint32_t kSample = 60;
constexpr std::size_t kMostNodes = 3'000;
constexpr std::uint32_t kGrid = 2;

Setup setup_for(std::uint32_t seed) {
  Setup out = guard_setup(seed);
  out.options.observe = seed % 5 == 0;
  return out;
}

DirectCriterion reading(const Network& network, const Setup& setup) {
  return {network, setup.criterion, setup.options.level, setup.options.observe};
}

/// What steps show after these delays, looked at often enough: clocks are compared with whole
/// numbers, so nothing changes but at multiples of the fraction that all delays are multiples of.
Ids shown(const Network& network,
          const Setup& setup,
          const std::vector<Step>& steps,
          const std::vector<Rational>& delays) {
  const replay::Interpreter interpreter(network, InvariantUses::kNone);
  mpz_class common = 1;
  for (const Rational& delay : delays)
    common = lcm(common, delay.get_den());
  const Rational tick(1, 2 * common);
  DirectCriterion follower = reading(network, setup);
  replay::RunState state = interpreter.initial();
  follower.start(state, interpreter.initial_events());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (Rational spent = 0; spent < delays[i]; spent += tick) {
      state = interpreter.delay(state, tick).state;
      follower.look(state);
    }
    if (steps[i].is_wait())
      continue;
    replay::StepResult result = interpreter.step(state, steps[i]);
    REQUIRE(result.possible);
    state = std::move(result.state);
    follower.advance(state, result.events);
  }
  return follower.covered();
}

std::string difference(const Ids& expected, const Ids& found, const char* what) {
  for (const std::string& id : expected)
    if (!found.contains(id))
      return fmt::format("{}: {} is missing", what, id);
  return {};
}

std::string check_covers(const Network& network,
                         const Setup& setup,
                         const CoverageRules& rules,
                         const Test& test) {
  std::vector<Rational> delays;
  for (const Delay& delay : test.delays)
    delays.push_back(delay.chosen);
  Ids covers;
  for (const ItemId item : test.covers)
    covers.insert(rules.items()[item].id);
  const Ids seen = shown(network, setup, test.steps, delays);
  std::string problem = difference(seen, covers, "shown, not in covers");
  if (problem.empty())
    problem = difference(covers, seen, "in covers, not shown");
  for (std::size_t i = 0; i < delays.size() && problem.empty(); ++i) {
    const Delay& delay = test.delays[i];
    for (const auto& end : {std::optional(delay.min), delay.max}) {
      if (!end)
        continue;
      std::vector<Rational> moved = delays;
      moved[i] = (3 * *end + delay.chosen) / 4;
      const bool is_strict = end == delay.max ? delay.max_strict : delay.min_strict;
      if (!is_strict)
        moved[i] = *end;
      problem = difference(covers, shown(network, setup, test.steps, moved),
                           fmt::format("delay {} of {}", i + 1, to_string(moved[i])).c_str());
      if (!problem.empty())
        break;
    }
  }
  return problem;
}

/// The fewest steps of a suite on the grid that shows all that is wanted; nullopt: too many nodes,
/// or it needs a finer grid.
std::optional<std::size_t> shortest_on_grid(const Network& network,
                                            const Setup& setup,
                                            const Ids& wanted,
                                            const test::ClockUsage& usage) {
  const replay::Interpreter interpreter(network, InvariantUses::kNone);
  const Rational tick(1, kGrid);
  const Rational beyond = usage.tested + usage.assigned + tick;
  struct Node {
    replay::RunState state;
    DirectCriterion follower;
    Ids covered;  // of what is wanted
    std::size_t depth = 0;
  };
  const auto normalise = [&](replay::RunState& state) {
    for (Rational& clock : state.clocks)
      if (clock > beyond)
        clock = beyond;
  };
  const auto gain = [&](Node& node) {
    for (const std::string& id : node.follower.covered())
      if (wanted.contains(id))
        node.covered.insert(id);
    return node.covered.size() == wanted.size();
  };
  std::set<std::tuple<replay::RunState, DirectCriterion::Seen, Ids, Ids>> known;
  std::deque<Node> waiting;
  const auto arrive = [&](Node node, bool now) {
    normalise(node.state);
    gain(node);
    if (!known.emplace(node.state, node.follower.key(), node.follower.pending(), node.covered)
             .second)
      return;
    if (now)
      waiting.push_front(std::move(node));
    else
      waiting.push_back(std::move(node));
  };
  const auto start = [&](Ids covered, std::size_t depth) {
    Node node{interpreter.initial(), reading(network, setup), std::move(covered), depth};
    node.follower.start(node.state, interpreter.initial_events());
    arrive(std::move(node), true);
  };
  start({}, 0);
  while (!waiting.empty() && known.size() < kMostNodes) {
    Node node = std::move(waiting.front());
    waiting.pop_front();
    for (;;) {
      if (gain(node))
        return node.depth;
      for (const Step& step : interpreter.steps(node.state).steps) {
        replay::StepResult result = interpreter.step(node.state, step);
        if (!result.possible)
          continue;
        Node next = node;
        next.follower.advance(result.state, result.events);
        next.state = std::move(result.state);
        ++next.depth;
        arrive(std::move(next), false);
      }
      replay::StepResult waited = interpreter.delay(node.state, tick);
      if (!waited.possible)
        break;
      normalise(waited.state);
      if (waited.state == node.state)
        break;
      node.state = std::move(waited.state);
      node.follower.look(node.state);
    }
    start(node.covered, node.depth);
  }
  return std::nullopt;
}

struct Figures {
  std::size_t networks = 0;
  std::size_t tests = 0;
  std::size_t compared = 0;  // with the shortest suite on the grid
  std::size_t shortest = 0;
  std::size_t proven = 0;
  double ratios = 0;
  double bounds = 0;
  double greatest = 1;

  void add(std::size_t steps, std::size_t bound, std::size_t optimum) {
    const auto whole = static_cast<double>(optimum);
    const double ratio = optimum == 0 ? 1 : static_cast<double>(steps) / whole;
    ++compared;
    shortest += steps <= optimum ? 1U : 0U;
    proven += steps == bound ? 1U : 0U;
    ratios += ratio;
    bounds += optimum == 0 ? 1 : static_cast<double>(bound) / whole;
    greatest = std::max(greatest, ratio);
  }
};

std::string check_network(const Network& network,
                          const Setup& setup,
                          std::uint32_t seed,
                          Figures& figures) {
  const test::ClockUsage usage = test::clock_usage(network);
  const replay::Interpreter interpreter(network, InvariantUses::kNone);
  if (usage.rates || interpreter.initial_problem())
    return "";
  CoverageRules rules = declare(network, setup);
  constexpr std::array kPolicies = {Delays::kRobust, Delays::kEarliest, Delays::kLatest};
  constexpr std::array kReductions = {Reduction::kChain, Reduction::kChain, Reduction::kCover,
                                      Reduction::kRedundant};
  const Generated found = generate(network, rules,
                                   {.search = {.max_states = 20'000},
                                    .reduce = kReductions.at(seed / 7 % kReductions.size()),
                                    .delays = kPolicies.at(seed % kPolicies.size())});
  if (!found.internal_error.empty())
    return "replay: " + found.internal_error;
  if (found.reason != StopReason::kExhausted)
    return "";
  ++figures.networks;
  figures.tests += found.suite.tests.size();
  for (const Test& test : found.suite.tests)
    if (std::string problem = check_covers(network, setup, rules, test); !problem.empty())
      return problem;
  Ids wanted;
  for (std::size_t i = 0; i < found.verdicts.size(); ++i)
    if (found.verdicts[i].status == ItemStatus::kCovered)
      wanted.insert(rules.items()[ItemId(i)].id);
  Ids covered;
  for (const Test& test : found.suite.tests)
    for (const ItemId item : test.covers)
      covered.insert(rules.items()[item].id);
  if (covered != wanted)
    return "the suite covers other items than are covered";
  if (found.suite.lower_bound > found.suite.steps())
    return "the lower bound is above the suite";
  if (usage.diagonals || usage.copies)
    return "";
  const std::optional<std::size_t> optimum = shortest_on_grid(network, setup, wanted, usage);
  if (!optimum)
    return "";
  if (found.suite.lower_bound > *optimum)
    return fmt::format("the lower bound is {}, and {} steps are enough", found.suite.lower_bound,
                       *optimum);
  if (kReductions.at(seed / 7 % kReductions.size()) == Reduction::kChain)
    figures.add(found.suite.steps(), found.suite.lower_bound, *optimum);
  return "";
}

TEST_CASE("suites about guards with clocks show what they cover, and bounds are true",
          "[suite][oracle][guards][timed][optimum]") {
  const char* const asked = std::getenv("TW_OPTIMUM");
  const std::uint32_t networks =
      asked == nullptr ? kSample : static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10));
  Figures figures;
  for (std::uint32_t seed = 70'001; figures.networks < networks; ++seed) {
    const Setup setup = setup_for(seed);
    const test::RandomOptions options{.locals = seed % 2 == 0,
                                      .clocks = {.count = static_cast<int>(1 + seed % 2),
                                                 .strict = seed % 3 == 0,
                                                 .invariants = seed % 4 != 0,
                                                 .urgent_locations = seed % 3 == 1}};
    const std::string problem = shrink(seed, options, [&](const Network& network) {
      return check_network(network, setup, seed, figures);
    });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  const auto compared = static_cast<double>(figures.compared);
  WARN(
      fmt::format("{} networks, {} tests; {} compared with the shortest suite on the grid: mean "
                  "{:.3f}, greatest {:.2f}, {} as short, bounds {:.3f} of it, {} proven",
                  figures.networks, figures.tests, figures.compared, figures.ratios / compared,
                  figures.greatest, figures.shortest, figures.bounds / compared, figures.proven));
  CHECK(figures.compared * 3 >= networks);
  CHECK(figures.ratios / compared <= 1.05);
}

}  // namespace
}  // namespace tw
