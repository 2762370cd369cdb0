// Zones against brute force on a grid of times, on random small timed networks: items and shortest
// lengths, every order, algorithm and reduction, every choice of delays. generate() replays what it
// writes, at the chosen delays and at the closed ends of their intervals. A failure prints the seed
// and, made as small as it gets, the network.

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/suite/oracle.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

// What the oracle says about an item, against what was found. The oracle is exact up to a length,
// and beyond it whatever it found exists.
std::string compare_item(const test::TimedBruteForce& oracle,
                         std::size_t item,
                         std::optional<std::size_t> found) {
  const std::optional<std::size_t> least =
      item < oracle.shortest.size() ? oracle.shortest[item] : std::nullopt;
  if (least && (!found || *found > *least))
    return fmt::format("is missed or too long: {} instead of {}",
                       found ? fmt::to_string(*found) : "none", *least);
  if (found && *found <= oracle.exact_up_to && found != least)
    return fmt::format("is covered after {} steps, which is too short", *found);
  return "";
}

std::string compare_lengths(const test::TimedBruteForce& oracle,
                            const Generated& found,
                            const CoverageRules& rules,
                            const char* what) {
  if (!found.internal_error.empty())
    return fmt::format("replay ({}): {}", what, found.internal_error);
  if (!found.has_initial_state)
    return "";
  const Lengths lengths = lengths_of(found);
  // A search that was ended early may have missed something, but what it has is right.
  const bool complete = found.search.limit.empty();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (!complete && !lengths[i])
      continue;
    const std::string problem = compare_item(oracle, i, lengths[i]);
    if (!problem.empty())
      return fmt::format("{}: {} {}", what, rules.items()[ItemId(i)].id, problem);
  }
  return "";
}

// One more way to make a suite, by seed.
std::string compare_suites(const Network& network,
                           const Setup& setup,
                           const Generated& global,
                           std::uint32_t seed) {
  std::set<std::size_t> feasible;
  for (std::size_t i = 0; i < global.verdicts.size(); ++i)
    if (global.verdicts[i].status == ItemStatus::kCovered)
      feasible.insert(i);
  struct Way {
    const char* name;
    GenerateOptions options;
  };
  const Way ways[] = {
      {"dfs", {.search = {.order = Order::kDfs, .max_states = 2'000}}},
      {"random", {.search = {.order = Order::kRandom, .max_states = 2'000}}},
      {"both ways",
       {.search = {.subsumption = Subsumption::kBothWays}, .reduce = Reduction::kRedundant}},
      {"local", {.search = {.algorithm = Algorithm::kLocal, .reset = true, .max_states = 1'000}}},
      {"earliest", {.reduce = Reduction::kNone, .delays = Delays::kEarliest}},
      {"latest", {.reduce = Reduction::kCover, .delays = Delays::kLatest}},
      {"chain", {.chain_budget = 1'000, .exact_budget = 200}},
      {"time", {.optimise = Optimise::kTime, .chain_budget = 300, .exact_budget = 0}}};
  const Way& way = ways[seed % std::size(ways)];
  const Generated found = run(network, setup, way.options);
  if (!found.internal_error.empty())
    return fmt::format("replay ({}): {}", way.name, found.internal_error);
  if (found.search.limit.empty() && covered_by_suite(found) != feasible)
    return fmt::format("{} covers other items", way.name);
  return "";
}

// What is wrong; empty if all agree. Counts networks that are small enough for that.
std::string compare_with_oracle(const Network& network,
                                const Setup& setup,
                                std::uint32_t seed,
                                std::size_t& looked_at) {
  CoverageRules rules = declare(network, setup);
  constexpr std::uint32_t kFine = 5;
  const test::ClockUsage usage = test::clock_usage(network);
  const test::TimedBruteForce oracle = test::brute_force_timed(
      network, rules, {.steps_per_unit = usage.closed ? 1 : kFine, .most_nodes = 600});
  if (oracle.exact_up_to == 0)
    return "";
  const Generated global = run(
      network, setup, {.search = {.full = true, .max_states = 3'000}, .reduce = Reduction::kNone});
  if (std::string problem = compare_lengths(oracle, global, rules, "global"); !problem.empty())
    return problem;
  if (!global.search.limit.empty())
    return "";
  ++looked_at;
  const SearchOptions another[] = {{.subsumption = Subsumption::kEquality, .max_states = 800},
                                   {.algorithm = Algorithm::kFig3, .max_states = 800}};
  const Generated found =
      run(network, setup, {.search = another[seed % 2], .reduce = Reduction::kRedundant});
  if (found.search.limit.empty())
    if (std::string problem = compare_lengths(oracle, found, rules, "another"); !problem.empty())
      return problem;
  return compare_suites(network, setup, global, seed / 2);
}

test::RandomOptions closed_options(std::uint32_t seed) {
  return {.branchpoints = seed % 7 == 0,
          .locals = seed % 2 == 0,
          .clocks = {.count = static_cast<int>(1 + seed % 3),
                     .diagonals = seed % 5 == 0,
                     .values = seed % 3 == 0,
                     .copies = seed % 4 == 0,
                     .shifts = seed % 12 == 0,
                     .invariants = seed % 8 != 0,
                     .lower_invariants = seed % 6 == 0,
                     .urgent_locations = seed % 3 == 1,
                     .urgent_channels = seed % 4 == 1,
                     .array = seed % 5 == 1,
                     .variable_bounds = seed % 5 == 2}};
}

test::RandomOptions open_options(std::uint32_t seed) {
  test::RandomOptions options = closed_options(seed);
  options.clocks.strict = seed % 2 == 0;
  options.clocks.receivers = seed % 3 != 0;
  options.priorities = seed % 4 == 0;
  return options;
}

void compare_all(std::uint32_t first,
                 std::uint32_t last,
                 test::RandomOptions (*options)(std::uint32_t),
                 std::size_t least) {
  std::size_t looked_at = 0;
  for (std::uint32_t seed = first; seed <= last; ++seed) {
    const std::string problem = shrink(seed, options(seed), [&](const Network& network) {
      return compare_with_oracle(network, setup_of(seed), seed, looked_at);
    });
    INFO(problem);
    REQUIRE(problem.empty());
  }
  CHECK(looked_at >= least);
}

// Where steps with errors are left out, priorities and urgent channels look past them.
TEST_CASE("zones and whole times agree where steps with errors are left out",
          "[suite][oracle][timed]") {
  std::size_t looked_at = 0;
  std::size_t with_errors = 0;
  for (std::uint32_t seed = 200'001; seed <= 200'800; ++seed) {
    test::RandomOptions options = seed % 3 == 0 ? open_options(seed) : closed_options(seed);
    options.may_fail = true;
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      const Setup setup = setup_of(seed);
      CoverageRules rules = declare(network, setup);
      constexpr std::uint32_t kFine = 5;
      const test::TimedBruteForce oracle =
          test::brute_force_timed(network, rules,
                                  {.steps_per_unit = test::clock_usage(network).closed ? 1 : kFine,
                                   .most_nodes = 600,
                                   .on_error = OnError::kSkip});
      if (oracle.exact_up_to == 0)
        return "";
      const Generated found =
          run(network, setup,
              {.search = {.full = seed % 2 == 0, .on_error = OnError::kSkip, .max_states = 2'000},
               .reduce = seed % 4 == 0 ? Reduction::kChain : Reduction::kNone,
               .chain_budget = 500,
               .exact_budget = 100});
      ++looked_at;
      with_errors += found.search.errors.empty() ? 0U : 1U;
      return compare_lengths(oracle, found, rules, "errors left out");
    });
    INFO(problem);
    REQUIRE(problem.empty());
  }
  CHECK(looked_at >= 500);
  CHECK(with_errors >= 100);
}

TEST_CASE("zones and whole times agree on closed networks", "[suite][oracle][timed]") {
  compare_all(1, 2'500, closed_options, 2'000);
}

TEST_CASE("zones and a fine grid of times agree on open networks", "[suite][oracle][timed]") {
  compare_all(100'001, 101'000, open_options, 500);
}

}  // namespace
}  // namespace tw
