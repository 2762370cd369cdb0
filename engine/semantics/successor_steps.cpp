// Taking a step: updates, invariants, and the state behind them.

#include "engine/semantics/successors.hpp"

namespace tw {

// True if the code ran to its end. An error either ends the expansion or just this step.
bool SuccessorGenerator::check(RunResult result,
                               EdgeId edge,
                               const std::vector<std::int32_t>& memory) {
  if (result.status == RunStatus::kOk)
    return true;
  const Code& code = system_.code();
  note_error({.status = result.status,
              .at = code.origins[result.at],
              .misfit = misfit(code, result, memory.data()),
              .edge = edge});
  return false;
}

void SuccessorGenerator::note_error(const ModelError& error) {
  had_error_ = true;
  if (is_trying_ || failed_)
    return;
  if (on_error_ == OnError::kStop) {
    failed_ = true;
    error_ = error;
    return;
  }
  const auto [known, is_new] = skipped_.try_emplace({error.edge, error.at}, error.misfit.value);
  if (!is_new && known->second <= error.misfit.value)
    return;
  known->second = error.misfit.value;
  news_.push_back(error);
}

void SuccessorGenerator::fire(TeamId id, Team team, Successors& out) {
  unpack();
  if (timed_ && !find_pieces(team))
    return;
  const std::size_t first = out.size();
  had_error_ = false;
  events_.clear();
  if (watching_)
    note_predicates(team);
  if (run_team(id, team))
    append_successor(team, out);
  const bool exists = out.size() != first;
  if (exists && watching_)
    note_entered(team);
  if (exists) {
    const StepKindId kind = watching_ ? teams_.kind(events_) : teams_.plain_kind(id);
    for (std::size_t i = first; i < out.size(); ++i) {
      out.step(i).team = id;
      out.step(i).kind = kind;
    }
  }
  if (teams_.is_memorable(id) && (timed_ ? exists && action_.valid() : !had_error_))
    remember(id, out, exists);
  take_back(team);
}

// The step that was just fired, if it exists: what it wrote and, with clocks, its action.
void SuccessorGenerator::remember(TeamId id, const Successors& out, bool exists) {
  const auto owner = static_cast<std::uint32_t>(id.index());
  if (!exists) {
    step_memo_.remember(owner, teams_.reads(id), packed_, kNoStep);
    return;
  }
  const StepKindId kind = out.step(out.size() - 1).kind;
  std::uint64_t* values = step_memo_.remember(owner, teams_.reads(id), packed_,
                                              static_cast<std::uint32_t>(kind.index()));
  for (const StateBits& bits : teams_.writes(id)) {
    *values++ = written_[bits.word];
    *values++ = target_[bits.word] & written_[bits.word];
  }
  if (timed_)
    *values = action_.index();
}

// What a step does depends on what it reads. But `a[i] = 1` writes some element of a, and may well
// leave it as it was: so cells that it does not read get a value that they cannot have.
void SuccessorGenerator::hide_unread(TeamId id, Team team) {
  hidden_.clear();
  for_each_written(team, [&](std::uint32_t cell) {
    // One that has no bits has one value only, and nothing tells who reads it.
    if (next_[cell] == kHidden || !system_.layout().has_bits(cell) || teams_.may_read(id, cell))
      return;
    next_[cell] = kHidden;
    hidden_.push_back(cell);
  });
}

// Cells that still have it were not written. Of those that it reads, it may have written all.
void SuccessorGenerator::find_written(TeamId id, Team team) {
  const PackedLayout& layout = system_.layout();
  std::ranges::fill(written_, 0);
  for (const StateBits& bits : teams_.writes(id))
    written_[bits.word] = bits.mask & teams_.reads_of_word(id, bits.word);
  for (const Candidate* candidate : team)
    layout.add_location_bits(candidate->process, written_);
  for (const std::uint32_t cell : hidden_) {
    if (next_[cell] == kHidden)
      next_[cell] = memory_[cell];
    else
      layout.add_cell_bits(cell, written_);
  }
}

inline bool SuccessorGenerator::run_updates(std::uint32_t entry, EdgeId edge) {
  if (entry == CodeBlock::kNone)
    return true;
  if (watching_)
    return run_watched_updates(entry, edge);
  return check(run(system_.code(), entry, next_.data(), &work_), edge, next_);
}

void SuccessorGenerator::choose(const CompiledEdge& edge,
                                std::span<const std::int32_t> selects,
                                std::vector<std::int32_t>& memory) const {
  for (std::size_t i = 0; i < edge.selects.size(); ++i)
    memory[edge.selects[i].cell] = selects[i];
}

bool SuccessorGenerator::update(const Candidate& candidate) {
  const CompiledEdge& edge = system_.edge(candidate.edge);
  const std::span<const std::int32_t> selects = teams_.member(candidate.choice).selects;
  choose(edge, selects, next_);
  if (!run_updates(edge.updates, edge.id))
    return false;
  if (watching_)
    note_fired(edge.id);
  next_locations_[edge.process] = edge.target;
  if (candidate.branch == kNoBranch)
    return true;
  const CompiledEdge& branch = system_.edge(candidate.branch);
  choose(branch, selects.subspan(edge.selects.size()), next_);
  if (!run_updates(branch.updates, branch.id))
    return false;
  if (watching_)
    note_fired(branch.id);
  next_locations_[edge.process] = branch.target;
  return true;
}

void SuccessorGenerator::forget_dead(const Candidate& candidate) {
  const CompiledEdge& last =
      system_.edge(candidate.branch == kNoBranch ? candidate.edge : candidate.branch);
  for (const std::uint32_t cell : last.forgets)
    next_[cell] = system_.code().memory[cell];
}

bool SuccessorGenerator::invariants_hold() {
  for (std::size_t p = 0; system_.has_invariants() && p < next_locations_.size(); ++p) {
    const std::uint32_t invariant = system_.location(p, next_locations_[p]).invariant;
    if (invariant == CodeBlock::kNone)
      continue;
    const RunResult result = run(system_.code(), invariant, next_.data(), &work_);
    if (!check(result, EdgeId(), next_) || !result.holds)
      return false;
  }
  return true;
}

// Runs all updates and, without clocks, asks the invariants; true if the step exists.
bool SuccessorGenerator::run_team(TeamId id, Team team) {
  const MemoryMap& map = system_.network().memory;
  work_.clear();
  // `meta` variables are scratch: every step starts with their initial values.
  if (map.meta != map.state)
    std::copy(system_.code().memory.begin() + map.state, system_.code().memory.begin() + map.meta,
              next_.begin() + map.state);
  hide_unread(id, team);
  if (!run_updates(system_.before_update(), EdgeId()))
    return false;
  for (const Candidate* candidate : team)
    if (!update(*candidate))
      return false;
  if (!run_updates(system_.after_update(), EdgeId()))
    return false;
  for (const Candidate* candidate : team)
    forget_dead(*candidate);
  find_written(id, team);
  return timed_ || invariants_hold();
}

template <class F>
void SuccessorGenerator::for_each_written(Team team, F f) const {
  if (system_.has_hooks()) {
    for (std::uint32_t cell = 0; cell < system_.network().memory.state; ++cell)
      f(cell);
    return;
  }
  for (const Candidate* candidate : team) {
    for (const std::uint32_t cell : system_.edge(candidate->edge).writes)
      f(cell);
    if (candidate->branch != kNoBranch)
      for (const std::uint32_t cell : system_.edge(candidate->branch).writes)
        f(cell);
  }
}

void SuccessorGenerator::append_successor(Team team, Successors& out) {
  const PackedLayout& layout = system_.layout();
  std::copy_n(packed_, words_, target_.begin());
  for (const Candidate* candidate : team)
    layout.set_location(candidate->process, next_locations_[candidate->process], target_.data());
  for_each_written(team, [&](std::uint32_t cell) {
    if (memory_[cell] != next_[cell])
      layout.set_cell(cell, next_[cell], target_.data());
  });
  const std::uint64_t hash = hash_state(target_.data(), words_);
  if (timed_) {
    append_zones(team, hash, out);
    return;
  }
  std::copy(target_.begin(), target_.end(), out.room(words_));
  out.add({}, hash, 0);
}

void SuccessorGenerator::take_back(Team team) {
  for (const Candidate* candidate : team)
    next_locations_[candidate->process] = locations_[candidate->process];
  for_each_written(team, [&](std::uint32_t cell) { next_[cell] = memory_[cell]; });
}

}  // namespace tw
