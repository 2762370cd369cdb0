// Where a run of a network stands, and what can go wrong on the way. Clocks have exact values.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/model/ids.hpp"
#include "engine/model/run_error.hpp"

namespace tw::replay {

/// Meta variables always hold their initial values here: they are scratch memory of one step, so
/// equal run states are equal states.
struct RunState {
  std::vector<LocationId> locations;  // by process
  std::vector<std::int32_t> cells;    // state, then meta
  std::vector<Rational> clocks;       // by ClockId

  friend bool operator==(const RunState&, const RunState&) = default;
  /// Locations first, then cells, then clocks.
  friend std::strong_ordering operator<=>(const RunState& a, const RunState& b);
};

struct Failure {
  RunStatus error = RunStatus::kOk;
  ExprId at;
  Misfit misfit;

  [[nodiscard]] bool happened() const { return error != RunStatus::kOk; }
  [[nodiscard]] RunError what() const { return {.status = error, .at = at, .misfit = misfit}; }
};

/// Between two states between which only time passes: a part of the way, from 0 to 1.
[[nodiscard]] RunState on_the_way(const RunState& from, const RunState& to, const Rational& part);

}  // namespace tw::replay
