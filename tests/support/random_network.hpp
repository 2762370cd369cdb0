// Random small networks for comparing algorithms with each other: handshake and broadcast,
// committed locations, selects, arrays, functions, priorities, invariants. The seed decides
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
  bool locals = false;  // every template has a variable of its own, some have two processes
};

[[nodiscard]] Network random_network(std::uint32_t seed, RandomOptions options = {});

}  // namespace tw::test
