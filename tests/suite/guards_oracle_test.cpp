// The criteria about guards, read literally (direct_guards.hpp). All runs of random networks are
// followed, with clocks on a grid of times; items and shortest lengths must be those of the search.
// A failure prints the seed and a network made small.

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/suite/direct_guards.hpp"
#include "tests/suite/oracle.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

using Shortest = std::map<std::string, std::size_t>;

void note(const std::set<std::string>& covered, std::size_t depth, Shortest& out) {
  for (const std::string& id : covered) {
    std::size_t& least = out.emplace(id, depth).first->second;
    least = std::min(least, depth);
  }
}

// Ids and lengths that the search found.
Shortest found_by_search(const Network& network, const Setup& setup, std::string& problem) {
  CoverageRules rules = declare(network, setup);
  const Generated found = generate_twice(
      network, rules,
      {.search = {.full = true, .max_states = 20'000}, .reduce = Reduction::kRedundant});
  if (!found.internal_error.empty())
    problem = "replay: " + found.internal_error;
  if (!found.search.limit.empty())
    problem = "limit";
  Shortest out;
  for (std::size_t i = 0; i < found.verdicts.size(); ++i)
    if (found.verdicts[i].status == ItemStatus::kCovered)
      out[rules.items()[ItemId(i)].id] = found.verdicts[i].depth;
  return out;
}

std::string describe(const Shortest& expected, const Shortest& found) {
  std::string out;
  for (const auto& [id, length] : expected)
    if (const auto other = found.find(id); other == found.end() || other->second != length)
      out += fmt::format("{}: {} instead of {}\n", id,
                         other == found.end() ? "none" : fmt::to_string(other->second), length);
  for (const auto& [id, length] : found)
    if (!expected.contains(id))
      out += fmt::format("{}: {} instead of none\n", id, length);
  return out;
}

TEST_CASE("criteria about guards cover what their definitions say", "[suite][oracle][guards]") {
  std::size_t compared = 0;
  std::size_t items = 0;
  for (std::uint32_t seed = 40'001; seed <= 41'200; ++seed) {
    const Setup setup = guard_setup(seed);
    const test::RandomOptions options{.branchpoints = seed % 7 == 0, .locals = seed % 2 == 0};
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      constexpr std::size_t kMostNodes = 1'500;
      Shortest expected;
      const bool complete = test::follow_all_runs(
          replay::Interpreter(network, InvariantUses::kNone),
          DirectCriterion(network, setup.criterion, setup.options.level), kMostNodes,
          [&](const DirectCriterion& follower, std::size_t depth) {
            note(follower.covered(), depth, expected);
          });
      if (!complete)
        return "";
      std::string wrong;
      const Shortest found = found_by_search(network, setup, wrong);
      if (wrong == "limit")
        return "";
      ++compared;
      items += expected.size();
      return wrong.empty() ? describe(expected, found) : wrong;
    });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  CHECK(compared >= 800);
  CHECK(items >= 1'500);
}

// With clocks, runs are followed on a grid: what it finds is real, and up to a length it finds all.
// A run of n steps that looks at two moments besides has at most n + 3 points in time whose
// fractions matter.
TEST_CASE("criteria about guards with clocks cover what their definitions say",
          "[suite][oracle][guards][timed]") {
  constexpr std::uint32_t kGrid = 5;
  constexpr std::size_t kExact = 2;
  constexpr std::size_t kMostNodes = 4'000;
  std::size_t compared = 0;
  std::size_t items = 0;
  for (std::uint32_t seed = 60'001; seed <= 60'500; ++seed) {
    const Setup setup = guard_setup(seed);
    const test::RandomOptions options{.locals = seed % 2 == 0,
                                      .clocks = {.count = static_cast<int>(1 + seed % 2),
                                                 .strict = seed % 3 == 0,
                                                 .invariants = seed % 4 != 0,
                                                 .urgent_locations = seed % 3 == 1}};
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      const test::ClockUsage usage = test::clock_usage(network);
      const replay::Interpreter interpreter(network, InvariantUses::kNone);
      if (usage.diagonals || usage.copies || usage.rates || interpreter.initial_problem())
        return "";
      const Rational tick(1, kGrid);
      const Rational beyond = usage.tested + usage.assigned + tick;
      const auto normalise = [&](replay::RunState& state) {
        for (Rational& clock : state.clocks)
          if (clock > beyond)
            clock = beyond;
      };
      struct Node {
        replay::RunState state;
        DirectCriterion follower;
        std::size_t depth = 0;
      };
      Shortest expected;
      std::set<std::pair<replay::RunState, DirectCriterion::Seen>> seen;
      std::deque<Node> waiting;
      const auto arrive = [&](replay::RunState state, DirectCriterion follower, std::size_t depth) {
        normalise(state);
        note(follower.covered(), depth, expected);
        if (depth <= kExact && seen.emplace(state, follower.key()).second)
          waiting.push_back({std::move(state), std::move(follower), depth});
      };
      DirectCriterion first(network, setup.criterion, setup.options.level);
      first.start(interpreter.initial(), interpreter.initial_events());
      arrive(interpreter.initial(), std::move(first), 0);
      for (; !waiting.empty(); waiting.pop_front()) {
        const Node node = waiting.front();
        if (seen.size() > kMostNodes)
          return "";
        replay::RunState at = node.state;
        DirectCriterion now = node.follower;
        for (;;) {
          if (node.depth < kExact)
            for (const Step& step : interpreter.steps(at).steps) {
              const replay::StepResult result = interpreter.step(at, step);
              if (!result.possible)
                continue;
              DirectCriterion next = now;
              next.advance(result.state, result.events);
              arrive(result.state, std::move(next), node.depth + 1);
            }
          replay::StepResult waited = interpreter.delay(at, tick);
          if (!waited.possible)
            break;
          normalise(waited.state);
          if (waited.state == at)
            break;
          at = std::move(waited.state);
          now.look(at);
          note(now.covered(), node.depth, expected);
        }
      }
      std::string wrong;
      Shortest found = found_by_search(network, setup, wrong);
      if (wrong == "limit")
        return "";
      std::erase_if(found, [&](const auto& item) { return item.second > kExact; });
      ++compared;
      items += expected.size();
      return wrong.empty() ? describe(expected, found) : wrong;
    });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  CHECK(compared >= 200);
  CHECK(items >= 500);
}

}  // namespace
}  // namespace tw
