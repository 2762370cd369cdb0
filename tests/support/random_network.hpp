// Random small networks for comparing algorithms with each other: handshake and broadcast,
// committed locations, selects, arrays, structs, functions with references, quantifiers, effects
// inside expressions, priorities, invariants, update hooks, meta variables. The seed decides
// everything.
//
// Timed ones have clocks in guards, invariants and updates, and fewer data unless asked for, so
// that all their states at whole times can be looked at. All constants in their constraints are
// small.
#pragma once

#include <cstdint>
#include <random>
#include <set>

#include "engine/model/network.hpp"

namespace tw::test {

struct RandomClocks {
  int count = 0;           // 0: the network is not timed; templates with `locals` may have one more
  bool strict = false;     // < and >, too
  bool diagonals = false;  // comparisons between clocks
  bool values = false;     // clocks start at and are set to other values than 0
  bool copies = false;     // clocks are set to other clocks
  bool shifts = false;     // and to other clocks plus something
  bool invariants = false;  // upper bounds on clocks
  bool lower_invariants = false;
  bool urgent_locations = false;
  bool urgent_channels = false;
  bool receivers = false;        // edges that receive a broadcast may ask clocks
  bool array = false;            // some of the clocks are an array; selects and data pick one
  bool variable_bounds = false;  // clocks are compared with and set to variables
  bool rates = false;            // clocks that stop, always or as data say
};

struct RandomOptions {
  bool may_fail = false;  // updates that can leave their range
  bool priorities = false;
  bool branchpoints = false;
  bool locals = false;  // every template has a variable of its own, some have two processes
  bool data = false;    // timed networks, too, have arrays, structs, functions, meta variables
  bool hooks = false;   // most networks have update hooks
  RandomClocks clocks;
  /// Edges to leave out, by their number; what else there is stays the same. For shrinking.
  std::set<std::size_t> without_edges;
};

/// More than any random network has.
inline constexpr std::size_t kMostRandomEdges = 40;

[[nodiscard]] Network random_network(std::uint32_t seed, RandomOptions options = {});

}  // namespace tw::test
