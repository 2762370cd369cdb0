#include "engine/replay/run_state.hpp"

#include <algorithm>

namespace tw::replay {

std::strong_ordering operator<=>(const RunState& a, const RunState& b) {
  const auto by_index = [](LocationId x, LocationId y) { return x.index() <=> y.index(); };
  const std::strong_ordering locations = std::lexicographical_compare_three_way(
      a.locations.begin(), a.locations.end(), b.locations.begin(), b.locations.end(), by_index);
  return locations != std::strong_ordering::equal ? locations : a.cells <=> b.cells;
}

}  // namespace tw::replay
