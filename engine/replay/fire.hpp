// Carries out one step: updates, new locations, invariants, and the events of all that.
#pragma once

#include <vector>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

struct Outcome {
  Failure failure;      // in an update or invariant; the rest means nothing then
  LocationId violated;  // whose invariant does not hold; valid: the step does not exist
  RunState state;
  std::vector<Event> events;
};

/// Pre: the guards of all edges hold, and they may fire together.
[[nodiscard]] Outcome fire(const Network& network,
                           const RunState& from,
                           const Step& step,
                           InvariantUses invariants = InvariantUses::kNone);

/// Evaluates the invariants of all locations in a state.
[[nodiscard]] Outcome check_invariants(const Network& network, RunState state);

}  // namespace tw::replay
