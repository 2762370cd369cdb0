// Random small networks for comparing algorithms with each other: handshake and broadcast,
// committed locations, selects, arrays, structs, functions with references, quantifiers, effects
// inside expressions, priorities, invariants, update hooks, meta variables. The seed decides
// everything.
#pragma once

#include <cstdint>
#include <random>

#include "engine/model/network.hpp"

namespace tw::test {

struct RandomOptions {
  bool may_fail = false;  // updates that can leave their range
  bool priorities = false;
  bool branchpoints = false;
};

[[nodiscard]] Network random_network(std::uint32_t seed, RandomOptions options = {});

}  // namespace tw::test
