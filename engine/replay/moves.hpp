// Who could act in a state, and who could act together: guards, channels and synchronisation,
// before any update. Everything is enumerated in the canonical order of steps: processes in system
// order, edges in document order, select values ascending with the first select slowest; behind an
// edge into a branchpoint its ways out; receivers in system order with the first receiver slowest.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

/// What one process contributes to a step.
struct Move {
  ProcessId process;
  std::vector<FiredEdge> edges;  // two where the way leads through a branchpoint
  Direction direction = Direction::kInternal;
  ChannelId channel;  // invalid: internal
};

/// An error in the guard or channel of edges that leave the current location.
struct FailedMove {
  std::vector<FiredEdge> edges;
  Failure failure;
};

struct Moves {
  std::vector<Move> enabled;
  std::vector<FailedMove> failed;
};

[[nodiscard]] Moves moves_from(const Network& network, const RunState& from);

/// Moves that fit together: the acting process first, then receivers in system order.
struct Candidate {
  std::vector<Move> moves;

  [[nodiscard]] Step step() const;
};

/// All candidates, as if there were neither committed locations nor priorities.
[[nodiscard]] std::vector<Candidate> candidates_of(const Network& network,
                                                   const std::vector<Move>& enabled);

/// Someone in a committed location takes part, or nobody is in one.
[[nodiscard]] bool respects_committed(const Network& network,
                                      const RunState& from,
                                      const Candidate& candidate);

/// Channel first, then process; greater wins.
using Priority = std::pair<std::int32_t, std::uint32_t>;
[[nodiscard]] Priority priority_of(const Network& network, const Candidate& candidate);

}  // namespace tw::replay
