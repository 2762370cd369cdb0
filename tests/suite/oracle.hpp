// What the oracle tests share: criteria by seed, runs of the product, and making a failing network
// small.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/model/print.hpp"
#include "engine/suite/generate.hpp"
#include "tests/support/random_network.hpp"

namespace tw {

struct Setup {
  const char* criterion;
  CriterionOptions options;
};

inline CoverageRules declare(const Network& network, const Setup& setup) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(setup.criterion)->declare(network, setup.options, rules, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  return rules;
}

using Lengths = std::vector<std::optional<std::size_t>>;

// Covered items with the lengths the search found; none where it proved the item infeasible.
inline Lengths lengths_of(const Generated& generated) {
  Lengths out;
  for (const Verdict& verdict : generated.verdicts)
    out.push_back(verdict.status == ItemStatus::kCovered ? std::optional<std::size_t>(verdict.depth)
                                                         : std::nullopt);
  return out;
}

// The same in all that a user sees.
inline void require_same(const Generated& one, const Generated& other, bool same_memory) {
  REQUIRE(lengths_of(one) == lengths_of(other));
  REQUIRE(one.search.states == other.search.states);
  REQUIRE(one.search.expansions == other.search.expansions);
  REQUIRE(one.search.transitions == other.search.transitions);
  REQUIRE((!same_memory || one.search.bytes_per_state == other.search.bytes_per_state));
  REQUIRE(one.suite.tests.size() == other.suite.tests.size());
  for (std::size_t i = 0; i < one.suite.tests.size(); ++i)
    REQUIRE(one.suite.tests[i].steps == other.suite.tests[i].steps);
}

// As the options say, and once more with byte code, a tree of states or two threads, in turn: that
// must not make a difference.
inline Generated run(const Network& network, const Setup& setup, const GenerateOptions& options) {
  CoverageRules rules = declare(network, setup);
  Generated out = generate(network, rules, options);
  GenerateOptions others = options;
  static std::size_t turn = 0;
  ++turn;
  if (turn % 3 == 0)
    others.search.execution = Execution::kByteCode;
  else if (turn % 3 == 1)
    others.search.store = StoreKind::kTree;
  else
    others.search.threads = 2;
  INFO("with " << (turn % 3 == 0 ? "byte code" : turn % 3 == 1 ? "a tree" : "two threads"));
  CoverageRules again = declare(network, setup);
  require_same(out, generate(network, again, others), turn % 3 != 1);
  return out;
}

inline std::set<std::size_t> covered_by_suite(const Generated& generated) {
  std::set<std::size_t> out;
  for (const Test& test : generated.suite.tests)
    for (const ItemId item : test.covers)
      out.insert(item.index());
  return out;
}

// Runs a check on a network and, if it fails, on ever smaller ones.
template <class Check>
std::string shrink(std::uint32_t seed, test::RandomOptions options, Check check) {
  std::string problem = check(test::random_network(seed, options));
  if (problem.empty())
    return "";
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t edge = 0; edge < test::kMostRandomEdges; ++edge) {
      test::RandomOptions fewer = options;
      if (!fewer.without_edges.insert(edge).second)
        continue;
      const std::string still = check(test::random_network(seed, fewer));
      if (still.empty())
        continue;
      options = fewer;
      problem = still;
      smaller = true;
    }
  }
  return fmt::format("seed {}: {}\n{}", seed, problem,
                     print_xta(test::random_network(seed, options)));
}

inline Setup setup_of(std::uint32_t seed) {
  Setup setup{.criterion = "edge"};
  constexpr std::uint32_t kSetups = 6;
  switch (seed % kSetups) {
    case 0:
      setup.criterion = "location";
      break;
    case 1:
      break;
    case 2:
      setup.criterion = "edge-init";
      setup.options.initial =
          seed % 4 == 0 ? InitialSimilarity::kVariables : InitialSimilarity::kLocations;
      break;
    case 3:
      setup.criterion = "def-use";
      setup.options.def_use = DefUseReading::kAtomic;
      break;
    default:
      setup.criterion = "def-use";
      setup.options.invariants = seed % 5 == 0   ? InvariantUses::kLeave
                                 : seed % 7 == 0 ? InvariantUses::kEnter
                                                 : InvariantUses::kNone;
      break;
  }
  setup.options.level = (seed / kSetups) % 2 == 0 ? Level::kTemplate : Level::kInstance;
  return setup;
}

}  // namespace tw
