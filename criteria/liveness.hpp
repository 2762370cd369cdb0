// Which uses a definition may reach: the cheap half of the question, decided without running the
// model.
//
// If all edges that touch a cell belong to one process, a definition lives along the control flow
// of that process until an edge that redefines the cell whenever it fires; uses off these paths are
// never reached. Other cells may be redefined, or not, at any time between two steps of a process:
// every definition may reach every use. A feasible pair is never left out.
//
// A branchpoint is a node like any other, but in the middle of a step. What an edge out of it uses
// early, it uses in the source state of the step: where the edge into the branchpoint starts.
#pragma once

#include <vector>

#include "criteria/cell_accesses.hpp"
#include "engine/model/network.hpp"

namespace tw {

class Liveness {
 public:
  /// The network is borrowed and outlives this.
  explicit Liveness(const Network& network);

  /// Edges whose use of the cell this definition may reach, ascending. The definition is one of the
  /// cell's or the initial one.
  [[nodiscard]] std::vector<EdgeId> reached_uses(const CellAccesses& cell, EdgeId definition) const;

 private:
  /// Invalid: several, or an update hook.
  [[nodiscard]] ProcessId only_process(const CellAccesses& cell) const;
  /// By location of the process, counted from its first.
  [[nodiscard]] std::vector<bool> live_places(const CellAccesses& cell,
                                              const Process& process,
                                              EdgeId definition) const;
  [[nodiscard]] bool reaches(const CellAccesses::Use& use,
                             const Process& process,
                             const std::vector<bool>& live) const;
  [[nodiscard]] bool is_branchpoint(LocationId location) const;

  const Network* network_;                     // borrowed: outlives this
  std::vector<std::vector<EdgeId>> out_;       // by location: edges that leave it
  std::vector<std::vector<LocationId>> from_;  // by location: where the step through it starts
};

}  // namespace tw
