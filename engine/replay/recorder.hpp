// Collects the events of one step while it is evaluated; engine/model/events.hpp says what they
// are.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/model/events.hpp"

namespace tw::replay {

class Recorder {
 public:
  /// What follows belongs to this edge (invalid: an update hook), until the next begin() or
  /// resume(). It has defined nothing yet.
  void begin(EdgeId edge, UseKind kind) {
    resume(edge, kind);
    defined_[edge_].clear();
  }

  /// The same, but what the edge has defined so far stays local to it.
  void resume(EdgeId edge, UseKind kind) {
    edge_ = edge;
    kind_ = kind;
  }

  void use(CellId cell) {
    if (!defined_[edge_].contains(cell))
      events_.push_back({.kind = EventKind::kUse, .use = kind_, .edge = edge_, .cell = cell});
  }

  void define(CellId cell) {
    events_.push_back({.kind = EventKind::kDefinition, .edge = edge_, .cell = cell});
    defined_[edge_].insert(cell);
  }

  void fired() { events_.push_back({.kind = EventKind::kFired, .edge = edge_}); }

  void state() { events_.push_back({.kind = EventKind::kState}); }

  [[nodiscard]] std::vector<Event> take() { return std::move(events_); }

 private:
  std::vector<Event> events_;
  EdgeId edge_;
  UseKind kind_ = UseKind::kPredicate;
  // By each edge so far: its later uses of them are local to it.
  std::unordered_map<EdgeId, std::unordered_set<CellId>> defined_;
};

}  // namespace tw::replay
