// What a single item is about, read off the rules: the edges that begin and complete it, and where
// one must be to show it.
#pragma once

#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/explain/relief.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct ItemEvents {
  std::vector<EdgeId> begins;         // of events that arm a token of the item, ascending
  std::vector<EdgeId> completes;      // of events that cover it, ascending
  std::vector<LocationId> locations;  // of states that do either, ascending
  bool needs_token = false;           // it cannot be covered without being begun
};

[[nodiscard]] ItemEvents events_of_item(const Network& network,
                                        const CoverageRules& rules,
                                        ItemId item);

/// All of them together.
[[nodiscard]] ItemGoal goal_of(const ItemEvents& events);

}  // namespace tw
