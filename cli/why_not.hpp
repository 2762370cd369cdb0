// Why an edge never fires: visits all reachable states and notes how far it gets in each.
#pragma once

#include <string>
#include <vector>

#include "engine/model/network.hpp"
#include "engine/search/search_options.hpp"

namespace tw {

/// One line of plain words per edge. Guards, partners, committed locations and priorities are
/// looked at by the second interpreter; if there are too many states for that, or the search hits a
/// limit, the words say so. Edges that do fire are called so. With clocks only variables are looked
/// at closely: what they never allow, no time allows.
[[nodiscard]] std::vector<std::string> why_edges_do_not_fire(const Network& network,
                                                             const std::vector<EdgeId>& edges,
                                                             SearchOptions options);

}  // namespace tw
