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
#include "tests/support/generate_twice.hpp"
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

inline Generated run(const Network& network, const Setup& setup, const GenerateOptions& options) {
  CoverageRules rules = declare(network, setup);
  return generate_twice(network, rules, options);
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
