#include "engine/replay/run_state.hpp"

#include <algorithm>

namespace tw::replay {

std::strong_ordering operator<=>(const RunState& a, const RunState& b) {
  const auto by_index = [](LocationId x, LocationId y) { return x.index() <=> y.index(); };
  const std::strong_ordering locations = std::lexicographical_compare_three_way(
      a.locations.begin(), a.locations.end(), b.locations.begin(), b.locations.end(), by_index);
  return locations != std::strong_ordering::equal ? locations : a.cells <=> b.cells;
}

std::string_view describe(RunError error) {
  switch (error) {
    case RunError::kNone:
      return "no error";
    case RunError::kDivisionByZero:
      return "a division by zero";
    case RunError::kOverflow:
      return "a result that does not fit into 32 bits";
    case RunError::kNegativeShift:
      return "a shift by a negative count";
    case RunError::kValueOutOfRange:
      return "a value outside its range";
    case RunError::kIndexOutOfRange:
      return "an index outside its array";
    case RunError::kAssertionFailed:
      return "an assertion that fails";
    case RunError::kNoReturn:
      return "a function that ends without returning a value";
    case RunError::kTooManySteps:
      return "a computation that does not end";
  }
  return "";
}

}  // namespace tw::replay
