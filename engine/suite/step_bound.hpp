// No suite has fewer steps than this: a bound from the graph of all runs.
//
// How often each arc is taken by the tests of a suite satisfies three kinds of inequalities: of
// each item some arc is taken; a node is not left more often than it is entered, but for the start;
// and every set of nodes that has all arcs to an item, but not the start, is entered. What a
// solution of the dual of that linear program is worth is a lower bound, and one is built step by
// step: an item gets a *price*, as high as possible such that no walk collects more than it is long
// (dual ascent; docs/algorithms.md 6.5). Each step is a search for a shortest path, so the bound
// can be had where the program would be much too large to be solved.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/suite/run_graph.hpp"

namespace tw {

struct StepBound {
  std::uint64_t steps = 0;
  /// The prices of the first two kinds, in parts of a step. Whoever leaves a node with items left
  /// walks at least as far as their prices together, without the potential of the node.
  std::vector<std::int64_t> prices;      // by item
  std::vector<std::int64_t> potentials;  // by node
  std::int64_t parts = 1;                // of a step
  /// With the third kind: what each item adds to the bound.
  std::vector<std::int64_t> shares;  // by item
  std::int64_t share_parts = 1;
};

/// Pre: the graph is complete. Takes at most about so many looks at arcs; the bound is true
/// wherever it ends.
[[nodiscard]] StepBound step_bound(const RunGraph& graph, std::uint64_t max_work);

}  // namespace tw
