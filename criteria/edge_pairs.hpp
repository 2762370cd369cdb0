// Items about two edges: one fires first, the other one then. What "then" means is up to the
// criterion: it arms a token for the edge that came first and covers the pair when the other fires.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct EdgePairOptions {
  std::string_view criterion;
  std::string_view joint;  // between the two in a label: "then"
  bool own = false;        // both of one template: the second needs no owner in a name
};

/// The edges that may come second, by the one that comes first; edges of processes.
using EdgePairList = std::vector<std::vector<EdgeId>>;

/// Of processes; of several that are alike an item has many.
inline constexpr std::uint64_t kMostEdgePairs = 30'000'000;
void refuse_edge_pairs(std::string_view criterion, Diagnostics& diagnostics);

struct EdgePairs {
  ItemFamilyId items;  // (key of the first edge, key of the second)
  MapId keys;          // by edge
  /// By edge that may come first: the items it leads to.
  std::vector<std::vector<ItemId>> items_of;
};

/// Adds an item for every pair to the criterion begun last; a diagnostic, and no items, if they are
/// too many.
[[nodiscard]] EdgePairs add_edge_pairs(const Network& network,
                                       Level level,
                                       const EdgePairOptions& options,
                                       const EdgePairList& pairs,
                                       CoverageRules& rules,
                                       Diagnostics& diagnostics);

/// Where a step that fires an edge begins and ends: beyond a branchpoint, if the edge leads into or
/// out of one.
class StepEnds {
 public:
  /// The network is borrowed.
  explicit StepEnds(const Network& network);

  /// A process may fire the second edge in the step after the one in which it fires the first.
  [[nodiscard]] bool can_follow(EdgeId first, EdgeId second) const;

 private:
  const Network* network_;  // borrowed: outlives this
  std::vector<std::vector<LocationId>> begins_;
  std::vector<std::vector<LocationId>> ends_;
};

}  // namespace tw
