// What a step did, in order: the alphabet that coverage rules speak. The semantics produces events
// and coverage consumes them; replay produces its own from the same definition.
//
// One step yields: `begin`; the uses in guards and channel indices of all participating edges, in
// the source state; then, per edge in update order (before_update, sender, receivers in system
// order, after_update), the uses and definitions its updates really performed, then `fired`; last
// `end` and `state`. Before the first step there are `start`, the initial definitions of all cells
// and one `state`. A use of a cell that the same edge has defined earlier in the same step is local
// to the edge and yields no event. Clocks count as cells (Network::cell_of): a comparison uses
// them, an assignment defines them, the passing of time does neither.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/facts.hpp"
#include "engine/model/ids.hpp"
#include "engine/zone/dbm.hpp"

namespace tw {

enum class EventKind : std::uint8_t {
  kStart,              // a run begins
  kInitialDefinition,  // cell
  kBegin,              // a step begins
  kUse,                // cell, edge, use
  kDefinition,         // cell, edge
  kFired,              // edge
  kEnd,                // nothing more happens in the step
  kState,              // the new state
};

/// Where invariants, which belong to no edge, count as uses.
enum class InvariantUses : std::uint8_t {
  kNone,
  kLeave,  // the source's invariant is used by every edge that leaves it, beside its guard
  kEnter,  // the target's invariant is used by every edge that enters it, after all updates
};

struct Event {
  EventKind kind = EventKind::kState;
  UseKind use = UseKind::kComputation;
  EdgeId edge;  // invalid: before_update or after_update
  CellId cell;

  friend bool operator==(const Event&, const Event&) = default;
};

/// An event in one word: 3 bits kind, 1 bit use, 30 bits edge, 30 bits cell; all ones is "none".
struct EventWord {
  static constexpr std::uint64_t kIdMask = (std::uint64_t{1} << 30) - 1;
  static constexpr unsigned kUseShift = 3;
  static constexpr unsigned kEdgeShift = 4;
  static constexpr unsigned kCellShift = 34;

  [[nodiscard]] static std::uint64_t encode(const Event& event) {
    return static_cast<std::uint64_t>(event.kind) |
           (static_cast<std::uint64_t>(event.use) << kUseShift) |
           (to_bits(event.edge) << kEdgeShift) | (to_bits(event.cell) << kCellShift);
  }
  [[nodiscard]] static Event decode(std::uint64_t word) {
    return {.kind = static_cast<EventKind>(word & 7),
            .use = static_cast<UseKind>((word >> kUseShift) & 1),
            .edge = from_bits<EdgeId>(word >> kEdgeShift),
            .cell = from_bits<CellId>(word >> kCellShift)};
  }

 private:
  template <class IdT>
  static std::uint64_t to_bits(IdT id) {
    return id.valid() ? id.index() : kIdMask;
  }
  template <class IdT>
  static IdT from_bits(std::uint64_t bits) {
    return (bits & kIdMask) == kIdMask ? IdT() : IdT(bits & kIdMask);
  }
};

/// One edge of a step with the values its selects have.
struct FiredEdge {
  EdgeId edge;
  std::vector<std::int32_t> selects;

  friend bool operator==(const FiredEdge&, const FiredEdge&) = default;
};

/// Edges that fire together: the sender (or the only one) first, then receivers in system order. An
/// edge into a branchpoint is followed by the edge that leaves it. Without edges: a *wait*, a
/// moment at which clocks are looked at while time passes; it does not count as a step of a run.
struct Step {
  std::vector<FiredEdge> edges;
  /// Where clocks decide who takes part or comes first, a step may be possible in several convex
  /// sets of clock values: which of them, as the search counts. Means nothing to replay.
  std::uint32_t piece = 0;
  /// Of a wait: what clocks must satisfy then. Means nothing to replay.
  std::vector<ClockConstraint> until;

  [[nodiscard]] bool is_wait() const { return edges.empty(); }

  friend bool operator==(const Step&, const Step&) = default;
};

/// Steps of a run, waits not counted.
[[nodiscard]] inline std::size_t length_of(std::span<const Step> steps) {
  return static_cast<std::size_t>(
      std::ranges::count_if(steps, [](const Step& step) { return !step.is_wait(); }));
}

}  // namespace tw
