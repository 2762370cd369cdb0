// Which obstacles keep an item from being covered: found by taking them out and searching again.
//
// First as much is taken out as one can think of, from what stands nearest to the item to the whole
// network, until a search covers the item. What its trace passes by is left out; of the rest a
// smallest set is found (docs/algorithms.md 8.4): none of its obstacles can be put back. If it has
// several, each single one that was thought of is tried alone, too. So the answer is a fact, not a
// guess: without these obstacles the item is covered, as a search and a replay show, and with fewer
// of them no search within the limits finds it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/explain/obstacle.hpp"
#include "engine/explain/reach.hpp"
#include "engine/explain/trials.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct Relief {
  std::vector<Obstacle> obstacles;  // all of them have to go; those nearest to the item last
  std::uint32_t steps = 0;          // of a shortest test without them …
  std::vector<Step> trace;          // … which is this one, or as short
  /// Every obstacle was put back once, and a complete search did not find the item then.
  bool minimal = false;
};

/// What the item is about: it is covered where one of these fires, or on arrival at one of these.
struct ItemGoal {
  std::vector<EdgeId> edges;
  std::vector<LocationId> locations;
};

/// None: not even everything taken out helps, or the limits did not suffice to find out.
/// Pre: the item is not covered in the network.
[[nodiscard]] std::optional<Relief> find_relief(const Network& network,
                                                const ItemGoal& goal,
                                                const Reach& reach,
                                                Trials& trials);

}  // namespace tw
