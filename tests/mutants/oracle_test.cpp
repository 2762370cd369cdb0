// Mutants of random networks: the fast ways against the slow one.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/model/print.hpp"
#include "engine/mutants/equivalence.hpp"
#include "engine/mutants/kills.hpp"
#include "engine/suite/generate.hpp"
#include "tests/mutants/naive.hpp"
#include "tests/support/generate_twice.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

test::RandomOptions options_of(std::uint32_t seed) {
  return {.may_fail = seed % 4 == 1,
          .priorities = seed % 5 == 2,
          .branchpoints = seed % 3 == 0,
          .locals = seed % 2 == 0};
}

std::string words(std::uint32_t seed, const Network& network, const Mutant& mutant) {
  return fmt::format("seed {}, {} ({})\n{}", seed, mutant.id, mutant.label, print_xta(network));
}

TEST_CASE("mutants: verdicts without clocks are those of trying every run", "[mutants][oracle]") {
  std::size_t equivalent = 0;
  std::size_t killable = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const Network network = test::random_network(seed, options_of(seed));
    const std::vector<Mutant> mutants = choose(list_mutants(network), 25);
    PairJudge pairs(network, {});
    const std::vector<MutantVerdict> witnesses = judge_by_witnesses(network, mutants, {});
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      INFO(words(seed, network, mutants[i]));
      const test::NaivePair naive(network, mutants[i]);
      const std::optional<bool> expected = naive.is_killable(400);
      if (!expected)
        continue;
      const MutantVerdict verdict = pairs.judge(mutants[i]);
      CHECK(verdict == (*expected ? MutantVerdict::kKillable : MutantVerdict::kEquivalent));
      ++(*expected ? killable : equivalent);
      // The way of timed networks says less, but nothing wrong.
      if (witnesses[i] != MutantVerdict::kUndecided)
        CHECK(witnesses[i] == verdict);
      std::size_t budget = 300;
      if (naive.some_run_notices(3, 0, budget))
        CHECK(verdict == MutantVerdict::kKillable);
    }
  }
  CHECK(equivalent > 50);
  CHECK(killable > 100);
}

TEST_CASE("mutants: tests kill what naive replay says they kill", "[mutants][oracle]") {
  std::size_t killed = 0;
  std::size_t survived = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    test::RandomOptions options = options_of(seed);
    if (seed % 2 == 0)
      options.clocks = {.count = 2, .strict = true, .invariants = true, .urgent_channels = true};
    const Network network = test::random_network(seed, options);
    TestRuns runs(network);
    std::vector<Test> tests;
    for (const char* name : {"edge", "def-use"}) {
      CoverageRules rules;
      Diagnostics diagnostics;
      make_criterion(name)->declare(network, {}, rules, diagnostics);
      for (const Test& test :
           generate_twice(network, rules, {.search = {.max_states = 2'000}}).suite.tests)
        if (runs.add(test) == tests.size())
          tests.push_back(test);
    }
    for (const Mutant& mutant : choose(list_mutants(network), 25)) {
      INFO(words(seed, network, mutant));
      const std::vector<bool> killers = kills(runs, mutant);
      REQUIRE(killers.size() == tests.size());
      const test::NaivePair naive(network, mutant);
      for (std::size_t t = 0; t < tests.size(); ++t) {
        std::vector<Rational> delays;
        for (const Delay& delay : tests[t].delays)
          delays.push_back(delay.chosen);
        const bool expected = naive.is_killed_by(tests[t].steps, delays);
        CHECK(killers[t] == expected);
        ++(expected ? killed : survived);
      }
    }
  }
  CHECK(killed > 500);
  CHECK(survived > 500);
}

TEST_CASE("mutants: no run notices a timed mutant called equivalent", "[mutants][oracle]") {
  std::size_t equivalent = 0;
  std::size_t killable = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    test::RandomOptions options{.priorities = seed % 5 == 2, .locals = seed % 2 == 0};
    options.clocks = {.count = 2,
                      .strict = seed % 3 == 0,
                      .values = seed % 4 == 0,
                      .invariants = true,
                      .urgent_locations = seed % 3 == 1,
                      .urgent_channels = seed % 2 == 1,
                      .receivers = seed % 7 == 0};
    const Network network = test::random_network(seed, options);
    const std::vector<Mutant> mutants = choose(list_mutants(network), 30);
    const std::vector<MutantVerdict> verdicts = judge(network, mutants, {});
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      killable += verdicts[i] == MutantVerdict::kKillable ? 1U : 0U;
      if (verdicts[i] != MutantVerdict::kEquivalent)
        continue;
      ++equivalent;
      INFO(words(seed, network, mutants[i]));
      std::size_t budget = 400;
      CHECK_FALSE(test::NaivePair(network, mutants[i]).some_run_notices(4, 3, budget));
    }
  }
  CHECK(equivalent > 100);
  CHECK(killable > 50);
}

}  // namespace
}  // namespace tw
