// From what noting code noticed to the events of a step. HOT: bench semantics/expand, but only
// where some cell is watched.

#include <algorithm>

#include "engine/semantics/successors.hpp"

namespace tw {

// Guards, left invariants and channels of all edges, again, in the source state.
void SuccessorGenerator::note_predicates(Team team) {
  for (const Candidate* candidate : team) {
    const CompiledEdge& edge = system_.edge(candidate->edge);
    const std::span<const std::int32_t> selects = teams_.member(candidate->choice).selects;
    choose(edge, selects, memory_);
    note_edge_predicates(edge);
    if (candidate->branch == kNoBranch)
      continue;
    const CompiledEdge& branch = system_.edge(candidate->branch);
    choose(branch, selects.subspan(edge.selects.size()), memory_);
    note_edge_predicates(branch);
  }
}

void SuccessorGenerator::note_edge_predicates(const CompiledEdge& edge) {
  notes_.list.clear();
  for (const std::uint32_t entry : edge.source_notes) {
    // Guards and channels were evaluated before. An invariant held when its location was entered,
    // but may have read meta variables, which are back at their initial values: an error now only
    // ends the list of its uses.
    static_cast<void>(run_noting(system_.code(), entry, memory_.data(), notes_));
  }
  take_notes(edge.id, UseKind::kPredicate);  // leaves none behind
}

bool SuccessorGenerator::run_watched_updates(std::uint32_t entry, EdgeId edge) {
  if (!check(run_noting(system_.code(), entry, next_.data(), notes_, &work_), edge, next_))
    return false;
  take_notes(edge, UseKind::kComputation);
  return true;
}

void SuccessorGenerator::note_fired(EdgeId edge) {
  note_event({.kind = EventKind::kFired, .edge = edge});
}

// The notes of one turn become events. A use of what the same turn has defined is local to it.
void SuccessorGenerator::take_notes(EdgeId edge, UseKind kind) {
  ++turn_;
  for (const Note& note : notes_.list) {
    std::uint64_t& defined_in = defined_in_[note.cell.index()];
    if (note.is_definition) {
      defined_in = turn_;
      note_event({.kind = EventKind::kDefinition, .edge = edge, .cell = note.cell});
    } else if (defined_in != turn_) {
      note_event({.kind = EventKind::kUse, .use = kind, .edge = edge, .cell = note.cell});
    }
  }
  notes_.list.clear();
}

// The invariants of the locations entered, in the new state.
void SuccessorGenerator::note_entered(Team team) {
  for (const Candidate* candidate : team) {
    note_edge_entered(system_.edge(candidate->edge));
    if (candidate->branch != kNoBranch)
      note_edge_entered(system_.edge(candidate->branch));
  }
}

void SuccessorGenerator::note_edge_entered(const CompiledEdge& edge) {
  if (edge.target_notes == CodeBlock::kNone)
    return;
  notes_.list.clear();
  static_cast<void>(run_noting(system_.code(), edge.target_notes, next_.data(), notes_));
  const auto end_of_updates = static_cast<std::ptrdiff_t>(events_.size());
  for (const Note& note : notes_.list) {
    // Another edge may have defined the cell again since, so the turns do not tell; steps are
    // short.
    const std::uint64_t own =
        EventWord::encode({.kind = EventKind::kDefinition, .edge = edge.id, .cell = note.cell});
    const auto last = events_.begin() + end_of_updates;
    if (std::find(events_.begin(), last, own) == last)
      note_event({.kind = EventKind::kUse,
                  .use = UseKind::kPredicate,
                  .edge = edge.id,
                  .cell = note.cell});
  }
  notes_.list.clear();
}

}  // namespace tw
