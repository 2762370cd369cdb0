#include "criteria/liveness.hpp"

#include <algorithm>

namespace tw {

Liveness::Liveness(const Network& network)
    : network_(&network),
      out_(network.locations.size()),
      from_(network.locations.size()) {
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    out_[network.edges[EdgeId(i)].source.index()].push_back(EdgeId(i));
  // Forward from every location through the branchpoints behind it.
  for (std::size_t i = 0; i < network.locations.size(); ++i) {
    const LocationId start(i);
    if (is_branchpoint(start))
      continue;
    from_[i].push_back(start);
    std::vector<LocationId> open = {start};
    while (!open.empty()) {
      const LocationId at = open.back();
      open.pop_back();
      for (const EdgeId edge : out_[at.index()]) {
        const LocationId next = network.edges[edge].target;
        std::vector<LocationId>& starts = from_[next.index()];
        if (!is_branchpoint(next) || (!starts.empty() && starts.back() == start))
          continue;
        starts.push_back(start);
        open.push_back(next);
      }
    }
  }
}

bool Liveness::is_branchpoint(LocationId location) const {
  return network_->decl(location).kind == LocationKind::kBranchpoint;
}

std::vector<EdgeId> Liveness::reached_uses(const CellAccesses& cell, EdgeId definition) const {
  std::vector<EdgeId> out;
  const ProcessId only = only_process(cell);
  if (!only.valid()) {
    for (const CellAccesses::Use& use : cell.uses)
      out.push_back(use.edge);
    return out;
  }
  const Process& process = network_->processes[only];
  const std::vector<bool> live = live_places(cell, process, definition);
  for (const CellAccesses::Use& use : cell.uses)
    if (reaches(use, process, live))
      out.push_back(use.edge);
  return out;
}

ProcessId Liveness::only_process(const CellAccesses& cell) const {
  const EdgeId hook = hook_edge(*network_);
  ProcessId only;
  const auto fits = [&](EdgeId edge) {
    if (edge == hook)
      return false;
    const ProcessId process = network_->edges[edge].process;
    if (!only.valid())
      only = process;
    return only == process;
  };
  const bool one = std::ranges::all_of(cell.uses, fits, &CellAccesses::Use::edge) &&
                   std::ranges::all_of(cell.definitions, fits, &CellAccesses::Definition::edge);
  return one ? only : ProcessId();
}

std::vector<bool> Liveness::live_places(const CellAccesses& cell,
                                        const Process& process,
                                        EdgeId definition) const {
  std::vector<bool> live(process.location_count, false);
  std::vector<LocationId> open;
  const auto visit = [&](LocationId location) {
    const std::size_t i = location.index() - process.first_location.index();
    if (!live[i])
      open.push_back(location);
    live[i] = true;
  };
  const auto kills = [&](EdgeId edge) {
    const auto at =
        std::ranges::lower_bound(cell.definitions, edge, {}, &CellAccesses::Definition::edge);
    return at != cell.definitions.end() && at->edge == edge && at->always;
  };
  visit(definition == initial_edge(*network_) ? process.initial
                                              : network_->edges[definition].target);
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    for (const EdgeId edge : out_[at.index()])
      if (!kills(edge))
        visit(network_->edges[edge].target);
  }
  return live;
}

bool Liveness::reaches(const CellAccesses::Use& use,
                       const Process& process,
                       const std::vector<bool>& live) const {
  const auto is_live = [&](LocationId location) {
    return live[location.index() - process.first_location.index()];
  };
  const LocationId source = network_->edges[use.edge].source;
  return (use.late && is_live(source)) ||
         (use.early && std::ranges::any_of(from_[source.index()], is_live));
}

}  // namespace tw
