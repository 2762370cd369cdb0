// From what noting code noticed to the events of a step. HOT: bench semantics/expand, but only
// where some cell is watched.

#include <algorithm>
#include <cassert>

#include "engine/semantics/successors.hpp"

namespace tw {

void SuccessorGenerator::fire_watched(std::span<const Candidate> team, Successors& out) {
  if (timed_ && !find_pieces(team))
    return;
  const std::size_t first_event = out.events.size();
  const std::size_t first_step = out.steps.size();
  note_predicates(team, out);
  if (run_team(team, out))
    append_successor(team, out);
  if (out.steps.size() != first_step)
    note_entered(team, first_event, out);
  else
    out.events.resize(first_event);
  for (std::size_t i = first_step; i < out.steps.size(); ++i) {
    out.steps[i].first_event = static_cast<std::uint32_t>(first_event);
    out.steps[i].event_count = static_cast<std::uint32_t>(out.events.size() - first_event);
  }
  take_back(team);
}

// Guards, left invariants and channels of all edges, again, in the source state.
void SuccessorGenerator::note_predicates(std::span<const Candidate> team, Successors& out) {
  for (const Candidate& candidate : team) {
    const CompiledEdge& edge = system_.edge(candidate.edge);
    const std::int32_t* selects = out.selects.data() + candidate.first_select;
    choose(edge, selects, memory_);
    note_edge_predicates(edge, out);
    if (candidate.branch == kNoBranch)
      continue;
    const CompiledEdge& branch = system_.edge(candidate.branch);
    choose(branch, selects + edge.selects.size(), memory_);
    note_edge_predicates(branch, out);
  }
}

void SuccessorGenerator::note_edge_predicates(const CompiledEdge& edge, Successors& out) {
  notes_.list.clear();
  for (const std::uint32_t entry : edge.source_notes) {
    // Guards and channels were evaluated before. An invariant held when its location was entered,
    // but may have read meta variables, which are back at their initial values: an error now only
    // ends the list of its uses.
    static_cast<void>(run_noting(system_.code(), entry, memory_.data(), notes_));
  }
  take_notes(edge.id, UseKind::kPredicate, out);  // leaves none behind
}

bool SuccessorGenerator::run_watched_updates(std::uint32_t entry, EdgeId edge, Successors& out) {
  if (!check(run_noting(system_.code(), entry, next_.data(), notes_, &work_), edge))
    return false;
  take_notes(edge, UseKind::kComputation, out);
  return true;
}

void SuccessorGenerator::note_fired(EdgeId edge, Successors& out) const {
  out.events.push_back({.kind = EventKind::kFired, .edge = edge});
}

// The notes of one turn become events. A use of what the same turn has defined is local to it.
void SuccessorGenerator::take_notes(EdgeId edge, UseKind kind, Successors& out) {
  ++turn_;
  for (const Note& note : notes_.list) {
    std::uint64_t& defined_in = defined_in_[note.cell.index()];
    if (note.is_definition) {
      defined_in = turn_;
      out.events.push_back({.kind = EventKind::kDefinition, .edge = edge, .cell = note.cell});
    } else if (defined_in != turn_) {
      out.events.push_back({.kind = EventKind::kUse, .use = kind, .edge = edge, .cell = note.cell});
    }
  }
  notes_.list.clear();
}

// The invariants of the locations entered, in the new state.
void SuccessorGenerator::note_entered(std::span<const Candidate> team,
                                      std::size_t first_event,
                                      Successors& out) {
  for (const Candidate& candidate : team) {
    note_edge_entered(system_.edge(candidate.edge), first_event, out);
    if (candidate.branch != kNoBranch)
      note_edge_entered(system_.edge(candidate.branch), first_event, out);
  }
}

void SuccessorGenerator::note_edge_entered(const CompiledEdge& edge,
                                           std::size_t first_event,
                                           Successors& out) {
  if (edge.target_notes == CodeBlock::kNone)
    return;
  notes_.list.clear();
  static_cast<void>(run_noting(system_.code(), edge.target_notes, next_.data(), notes_));
  const std::size_t end_of_updates = out.events.size();
  for (const Note& note : notes_.list) {
    // Another edge may have defined the cell again since, so the turns do not tell; steps are
    // short.
    const Event own{.kind = EventKind::kDefinition, .edge = edge.id, .cell = note.cell};
    const auto first = out.events.begin() + static_cast<std::ptrdiff_t>(first_event);
    const auto last = out.events.begin() + static_cast<std::ptrdiff_t>(end_of_updates);
    if (std::find(first, last, own) == last)
      out.events.push_back({.kind = EventKind::kUse,
                            .use = UseKind::kPredicate,
                            .edge = edge.id,
                            .cell = note.cell});
  }
  notes_.list.clear();
}

}  // namespace tw
