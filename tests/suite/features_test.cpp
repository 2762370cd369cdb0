// Features meet: random networks in which any two features of the language come together, with
// every family of criteria and every end of a run, against brute force. The product makes each
// suite twice, in different ways. A table counts the pairs in what was compared: none is rare.
// With TW_FEATURES=table it is printed; TW_FEATURES=N takes N networks.

#include "tests/support/features.hpp"

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/suite/oracle.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

constexpr std::uint32_t kNetworks = 2'400;
constexpr std::size_t kLeastMeetings = 30;
constexpr std::size_t kMostNodes = 400;

struct Family {
  const char* name;
  std::vector<const char*> criteria;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"places and edges", {"location", "edge", "edge-init"}},
      {"pairs", {"edge-pair", "edge-pair-global", "sync-pair"}},
      {"definitions and uses", {"def-use", "p-use", "c-use", "all-defs"}},
      {"values", {"sc", "pwc"}},
      {"guards", {"pc", "cc", "coc", "gacc", "cacc", "racc", "gicc", "ricc"}},
      {"objectives", {"mcdc-masking", "mcdc-unique-cause", "mutation"}}};
  return all;
}

enum class End {
  kExhausted,
  kLimit,
  kError
};

// Independent bits, so that all combinations occur.
class Coins {
 public:
  explicit Coins(std::uint32_t seed) : random_(seed) {}
  bool flip() { return random_() % 2 == 0; }
  bool one_in(std::uint32_t n) { return random_() % n == 0; }
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

 private:
  std::mt19937 random_;
};

struct Plan {
  std::size_t family = 0;
  Setup setup;
  test::RandomOptions options;
  bool limited = false;
};

Plan plan_of(std::uint32_t seed) {
  Coins coins(seed * 7919);
  Plan out{.family = seed % families().size()};
  const std::vector<const char*>& criteria = families()[out.family].criteria;
  out.setup.criterion = criteria[seed / families().size() % criteria.size()];
  out.setup.options.level = coins.flip() ? Level::kTemplate : Level::kInstance;
  const bool fails = coins.flip();
  out.limited = !fails && coins.flip();
  out.options = {.may_fail = fails,
                 .priorities = coins.flip(),
                 .branchpoints = !coins.one_in(3),
                 .locals = !coins.one_in(3),
                 .data = !coins.one_in(3),
                 .hooks = coins.flip()};
  if (coins.one_in(8))
    return out;
  out.options.clocks = {.count = coins.between(2, 3),
                        .strict = !coins.one_in(3),
                        .diagonals = !coins.one_in(3),
                        .values = coins.flip(),
                        .copies = !coins.one_in(3),
                        .invariants = !coins.one_in(3),
                        .lower_invariants = !coins.one_in(4),
                        .urgent_locations = !coins.one_in(3),
                        .urgent_channels = !coins.one_in(3),
                        .receivers = !coins.one_in(3),
                        .array = !coins.one_in(3),
                        .variable_bounds = coins.flip(),
                        .rates = !coins.one_in(3)};
  return out;
}

struct Judged {
  Lengths shortest;
  std::optional<std::size_t> exact_up_to;  // so far there is nothing else, and nothing shorter
};

// Nothing: the judge has no opinion.
std::optional<Judged> judge(const Network& network, CoverageRules& rules) {
  if (network.clocks.empty()) {
    const test::BruteForce oracle = test::brute_force(network, rules, 4 * kMostNodes);
    if (!oracle.complete)
      return std::nullopt;
    return Judged{.shortest = oracle.shortest, .exact_up_to = test::TimedBruteForce::kNoLimit};
  }
  const test::ClockUsage usage = test::clock_usage(network);
  const bool looks = rules.has_timed_observations();
  constexpr std::uint32_t kFine = 5;
  constexpr std::uint32_t kStopwatches = 2;
  const std::uint32_t grid = usage.rates ? kStopwatches : usage.closed && !looks ? 1 : kFine;
  const test::TimedBruteForce oracle = test::brute_force_timed(
      network, rules, {.steps_per_unit = grid, .most_nodes = kMostNodes, .most_steps = 8});
  Judged out{.shortest = oracle.shortest};
  // Not all moments before the first step were looked at, or there are more than the grid has.
  if (!usage.rates && !(looks && oracle.exact_up_to == 0))
    out.exact_up_to = oracle.exact_up_to;
  return out;
}

// What is wrong with a verdict. `whole`: nothing ended the search early.
std::string compare(const Judged& judged, std::size_t item, const Verdict& verdict, bool whole) {
  constexpr std::size_t kNone = test::TimedBruteForce::kNoLimit;
  const std::size_t least =
      item < judged.shortest.size() ? judged.shortest[item].value_or(kNone) : kNone;
  if (least != kNone && verdict.status == ItemStatus::kInfeasible)
    return fmt::format("is called infeasible and covered after {} steps", least);
  if (verdict.status != ItemStatus::kCovered)
    return whole && least != kNone ? "is missed" : "";
  const std::size_t length = verdict.depth;
  if (judged.exact_up_to && length <= *judged.exact_up_to && least > length)
    return fmt::format("is covered after {} steps, which is too short", length);
  if (whole && least < length)
    return fmt::format("is covered after {} steps, and {} are enough", length, least);
  return "";
}

std::string compare(const Network& network, const Plan& plan, test::PairTable* table) {
  CoverageRules rules = declare(network, plan.setup);
  const std::optional<Judged> judged = judge(network, rules);
  if (!judged)
    return "";
  const bool stopwatches =
      test::features_of(network).test(static_cast<std::size_t>(test::Feature::kStopwatch));
  GenerateOptions options{.search = {.full = true, .max_states = 1'500},
                          .reduce = Reduction::kRedundant};
  if (plan.limited)
    options.search.max_states = 1 + network.edges.size() / 2;
  CoverageRules again = declare(network, plan.setup);
  const Generated found = generate_twice(network, again, options);
  if (!found.internal_error.empty())
    return "replay: " + found.internal_error;
  if (!found.has_initial_state)
    return "";
  const bool whole = found.search.limit.empty() && !stopwatches;
  for (std::size_t i = 0; i < found.verdicts.size(); ++i) {
    const std::string problem = compare(*judged, i, found.verdicts[i], whole);
    if (!problem.empty())
      return fmt::format("{} {}", again.items()[ItemId(i)].id, problem);
  }
  const bool says_something = stopwatches || (judged->exact_up_to && *judged->exact_up_to != 0);
  if (table != nullptr && says_something)
    table->add(test::features_of(network), plan.family,
               static_cast<std::size_t>(found.reason == StopReason::kModelError ? End::kError
                                        : found.search.limit.empty()            ? End::kExhausted
                                                                                : End::kLimit));
  return "";
}

TEST_CASE("any two features meet in networks that are compared", "[suite][oracle][features]") {
  const char* const wanted = std::getenv("TW_FEATURES");
  const std::string how = wanted == nullptr ? "" : wanted;
  const std::uint32_t networks =
      how.empty() || how == "table" ? kNetworks : static_cast<std::uint32_t>(std::stoul(how));
  std::vector<std::string> names;
  for (const Family& family : families())
    names.emplace_back(family.name);
  test::PairTable table(names, {"exhausted", "limit", "error"});
  for (std::uint32_t seed = 1; seed <= networks; ++seed) {
    const Plan plan = plan_of(seed);
    test::PairTable* counts = &table;
    const std::string problem = shrink(seed, plan.options, [&](const Network& network) {
      return compare(network, plan, std::exchange(counts, nullptr));
    });
    INFO(plan.setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  if (!how.empty())
    std::cout << table.text();
  if (networks >= kNetworks)
    CHECK(table.rarer_than(kLeastMeetings) == std::vector<std::string>());
}

}  // namespace
}  // namespace tw
