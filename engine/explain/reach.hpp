// Which edges fire at all, and which locations are reached.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/search/search_options.hpp"

namespace tw {

struct Reach {
  bool complete = false;      // nothing was left out
  bool fits = true;           // false: no initial state
  std::uint64_t states = 0;   // with clocks symbolic ones
  std::vector<bool> fired;    // by edge
  std::vector<bool> reached;  // by location; branchpoints, too
};

/// An item per edge, in order: it fires.
[[nodiscard]] CoverageRules firing_rules(const Network& network);

/// Explores as the options say; steps that make a run-time error are skipped.
[[nodiscard]] Reach explore_reach(const Network& network, SearchOptions options);

/// The edges into a location, ascending.
[[nodiscard]] std::vector<EdgeId> edges_into(const Network& network, LocationId location);
[[nodiscard]] std::vector<EdgeId> edges_out_of(const Network& network, LocationId location);

/// Edges of other processes on the same channels, or elements of the same array, that take the
/// other part; ascending.
[[nodiscard]] std::vector<EdgeId> partners_of(const Network& network, EdgeId edge);

}  // namespace tw
