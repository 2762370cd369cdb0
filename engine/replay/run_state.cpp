#include "engine/replay/run_state.hpp"

#include <algorithm>

namespace tw::replay {

std::strong_ordering operator<=>(const RunState& a, const RunState& b) {
  const auto by_index = [](LocationId x, LocationId y) { return x.index() <=> y.index(); };
  const std::strong_ordering locations = std::lexicographical_compare_three_way(
      a.locations.begin(), a.locations.end(), b.locations.begin(), b.locations.end(), by_index);
  if (locations != std::strong_ordering::equal)
    return locations;
  const std::strong_ordering cells = a.cells <=> b.cells;
  if (cells != std::strong_ordering::equal)
    return cells;
  const auto by_time = [](const Rational& x, const Rational& y) { return cmp(x, y) <=> 0; };
  return std::lexicographical_compare_three_way(a.clocks.begin(), a.clocks.end(), b.clocks.begin(),
                                                b.clocks.end(), by_time);
}

RunState on_the_way(const RunState& from, const RunState& to, const Rational& part) {
  RunState out = to;
  for (std::size_t i = 0; i < out.clocks.size(); ++i)
    out.clocks[i] = from.clocks[i] + part * (to.clocks[i] - from.clocks[i]);
  return out;
}

}  // namespace tw::replay
