// Random small networks for comparing algorithms with each other: handshake and broadcast,
// committed locations, selects, arrays, structs, functions with references, quantifiers, effects
// inside expressions, priorities, invariants, update hooks, meta variables. The seed decides
// everything.
#pragma once

#include <cstdint>
#include <random>
#include <set>

#include "engine/model/network.hpp"

namespace tw::test {

struct RandomOptions {
  bool may_fail = false;  // updates that can leave their range
  bool priorities = false;
  bool branchpoints = false;
  bool locals = false;  // every template has a variable of its own, some have two processes
  /// Edges to leave out, by their number; what else there is stays the same. For shrinking.
  std::set<std::size_t> without_edges;
};

/// More than any random network has.
inline constexpr std::size_t kMostRandomEdges = 40;

[[nodiscard]] Network random_network(std::uint32_t seed, RandomOptions options = {});

}  // namespace tw::test
