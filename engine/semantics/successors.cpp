#include "engine/semantics/successors.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace tw {

void Successors::clear() {
  steps.clear();
  edges.clear();
  selects.clear();
  states.clear();
  events.clear();
  clock_details.clear();
  error = {};
}

SuccessorGenerator::SuccessorGenerator(const System& system, OnError on_error)
    : system_(system),
      on_error_(on_error),
      watching_(system.is_watching()),
      timed_(system.is_timed()),
      locations_(system.processes()),
      next_locations_(system.processes()),
      memory_(system.code().memory),
      next_(system.code().memory),
      defined_in_(system.code().watched.size(), 0),
      source_(system.zone_size() - 1),
      rest_(system.zone_size() - 1),
      images_(system.zone_size()) {}

// True if the code ran to its end. An error either ends the expansion or just this step.
bool SuccessorGenerator::check(RunResult result, EdgeId edge) {
  if (result.status == RunStatus::kOk)
    return true;
  if (on_error_ == OnError::kStop && !failed_) {
    failed_ = true;
    error_ = {.status = result.status, .at = system_.code().origins[result.at], .edge = edge};
  }
  return false;
}

SuccessorGenerator::Initial SuccessorGenerator::initial() {
  const Network& network = system_.network();
  failed_ = false;
  for (std::size_t p = 0; p < system_.processes(); ++p) {
    const Process& process = network.processes[ProcessId(p)];
    next_locations_[p] =
        static_cast<std::uint32_t>(process.initial.index() - process.first_location.index());
  }
  next_ = system_.code().memory;
  Initial out;
  out.state.resize(system_.state_words());
  system_.layout().pack(next_locations_, next_.data(), out.state.data());
  work_.clear();
  out.exists = invariants_hold();
  if (failed_)
    out.error = error_;
  if (timed_ && out.exists)
    out.exists = set_initial_zone(out);
  return out;
}

void SuccessorGenerator::expand(const std::uint64_t* state, Successors& out) {
  out.clear();
  packed_ = state;
  failed_ = false;
  system_.layout().unpack(state, locations_, memory_.data());
  any_committed_ = false;
  for (std::size_t p = 0; p < locations_.size(); ++p)
    any_committed_ = any_committed_ || system_.location(p, locations_[p]).committed;
  // The successor being built starts as a copy; each step takes back what it wrote.
  next_locations_ = locations_;
  std::copy_n(memory_.data(), system_.network().memory.state, next_.data());
  if (timed_)
    system_.load_zone(state, source_.data());
  collect_candidates(out);
  combine(out);
  if (failed_)
    out.error = error_;
}

void SuccessorGenerator::collect_candidates(Successors& out) {
  active_.clear();
  passive_.clear();
  guard_constraints_.clear();
  for (std::size_t p = 0; p < locations_.size() && !failed_; ++p)
    for (const std::uint32_t edge : system_.location(p, locations_[p]).edges)
      collect_edge(edge, out);
}

void SuccessorGenerator::collect_edge(std::uint32_t index, Successors& out) {
  for_each_way(index, memory_, [&](const CompiledEdge& edge, std::uint32_t branch) {
    try_edge(edge, branch, out);
    return !failed_;
  });
}

void SuccessorGenerator::try_edge(const CompiledEdge& edge, std::uint32_t branch, Successors& out) {
  const Code& code = system_.code();
  const auto holds = [&](const CompiledEdge& e) {
    if (e.guard == CodeBlock::kNone)
      return true;
    const RunResult result = run(code, e.guard, memory_.data(), &work_);
    return check(result, e.id) && result.holds;
  };
  work_.constraints.clear();
  if (!holds(edge) || (branch != kNoBranch && !holds(system_.edge(branch))))
    return;
  for (const ClockConstraint& constraint : work_.constraints)
    if (!source_.view().can_hold(constraint))
      return;
  const CompiledEdge& syncing =
      branch != kNoBranch && !edge.channel.present() ? system_.edge(branch) : edge;
  Candidate candidate{
      .edge = static_cast<std::uint32_t>(edge.id.index()),
      .branch = branch,
      .first_select = static_cast<std::uint32_t>(out.selects.size()),
      .first_constraint = static_cast<std::uint32_t>(guard_constraints_.size()),
      .constraint_count = static_cast<std::uint32_t>(work_.constraints.size()),
      .direction = syncing.direction,
      .committed = system_.location(edge.process, locations_[edge.process]).committed};
  if (syncing.channel.present()) {
    if (syncing.channel.entry != CodeBlock::kNone &&
        !check(run(code, syncing.channel.entry, memory_.data()), syncing.id))
      return;
    candidate.channel = static_cast<std::uint32_t>(memory_[syncing.channel.result]);
  }
  guard_constraints_.insert(guard_constraints_.end(), work_.constraints.begin(),
                            work_.constraints.end());
  for (const CompiledSelect& select : edge.selects)
    out.selects.push_back(memory_[select.cell]);
  for (std::size_t i = 0; branch != kNoBranch && i < system_.edge(branch).selects.size(); ++i)
    out.selects.push_back(memory_[system_.edge(branch).selects[i].cell]);
  (candidate.direction == Direction::kReceive ? passive_ : active_).push_back(candidate);
}

void SuccessorGenerator::combine(Successors& out) {
  proposals_.clear();
  proposed_.clear();
  for (const Candidate& candidate : active_) {
    if (failed_)
      return;
    if (candidate.direction == Direction::kInternal) {
      team_.assign(1, candidate);
      propose(out);
    } else if (system_.network().channels[ChannelId(candidate.channel)].broadcast) {
      combine_broadcast(candidate, out);
    } else {
      combine_binary(candidate, out);
    }
  }
  fire_by_priority(out);
}

// Only the highest priority at which a step exists counts; a step whose target invariant fails does
// not exist and blocks nobody. With clocks a step blocks others where it exists.
void SuccessorGenerator::fire_by_priority(Successors& out) {
  std::uint64_t below = std::numeric_limits<std::uint64_t>::max();
  blocked_.clear();
  while (!failed_ && (timed_ || out.steps.empty())) {
    std::uint64_t highest = 0;
    bool found = false;
    for (const Proposal& proposal : proposals_) {
      if (proposal.priority >= below)
        continue;
      highest = std::max(highest, proposal.priority);
      found = true;
    }
    if (!found)
      return;
    level_.clear();
    for (const Proposal& proposal : proposals_)
      if (proposal.priority == highest && !failed_)
        take(std::span(proposed_).subspan(proposal.first, proposal.count), out);
    blocked_.insert(blocked_.end(), level_.begin(), level_.end());
    below = highest;
  }
}

void SuccessorGenerator::combine_binary(const Candidate& sender, Successors& out) {
  const std::uint32_t process = system_.edge(sender.edge).process;
  for (const Candidate& receiver : passive_) {
    if (receiver.channel != sender.channel || system_.edge(receiver.edge).process == process)
      continue;
    team_.assign({sender, receiver});
    propose(out);
    if (failed_)
      return;
  }
}

// Every process that can receive does, with one of its edges: the product of their choices, the
// first receiver slowest. One whose clocks decide may also stay behind, last of its choices.
void SuccessorGenerator::combine_broadcast(const Candidate& sender, Successors& out) {
  const std::uint32_t process = system_.edge(sender.edge).process;
  struct Choice {
    std::size_t first;
    std::size_t last;
    std::size_t at;  // last: stay behind
    bool may_stay;
  };
  std::vector<Choice> choices;
  std::vector<std::size_t> able;
  for (std::size_t i = 0; i < passive_.size(); ++i)
    if (passive_[i].channel == sender.channel && system_.edge(passive_[i].edge).process != process)
      able.push_back(i);
  for (std::size_t i = 0; i < able.size();) {
    std::size_t end = i;
    bool may_stay = true;
    for (; end < able.size() && system_.edge(passive_[able[end]].edge).process ==
                                    system_.edge(passive_[able[i]].edge).process;
         ++end)
      may_stay = may_stay && passive_[able[end]].constraint_count != 0;
    choices.push_back({i, end, i, may_stay});
    i = end;
  }
  for (;;) {
    team_.assign(1, sender);
    for (const Choice& choice : choices)
      if (choice.at != choice.last)
        team_.push_back(passive_[able[choice.at]]);
    propose(out);
    std::size_t i = choices.size();
    for (; i-- > 0;) {
      if (++choices[i].at < choices[i].last + (choices[i].may_stay ? 1U : 0U))
        break;
      choices[i].at = choices[i].first;
    }
    if (i == static_cast<std::size_t>(-1) || failed_)
      return;
  }
}

// Committed locations go first; with priorities nothing fires before all teams are known.
void SuccessorGenerator::propose(Successors& out) {
  if (any_committed_ &&
      std::none_of(team_.begin(), team_.end(), [](const Candidate& c) { return c.committed; }))
    return;
  if (!system_.has_priorities()) {
    take(team_, out);
    return;
  }
  proposals_.push_back({.first = static_cast<std::uint32_t>(proposed_.size()),
                        .count = static_cast<std::uint32_t>(team_.size()),
                        .priority = priority_of(team_)});
  proposed_.insert(proposed_.end(), team_.begin(), team_.end());
}

// Channel priority first, then the highest process priority in the team.
std::uint64_t SuccessorGenerator::priority_of(std::span<const Candidate> team) const {
  const Network& network = system_.network();
  std::int64_t channel = 0;
  if (team.front().direction != Direction::kInternal)
    channel = network.channels[ChannelId(team.front().channel)].priority;
  std::uint64_t process = 0;
  for (const Candidate& c : team)
    process = std::max<std::uint64_t>(
        process, network.processes[ProcessId(system_.edge(c.edge).process)].priority);
  return (static_cast<std::uint64_t>(channel + (std::int64_t{1} << 31)) << 32) | process;
}

void SuccessorGenerator::take(std::span<const Candidate> team, Successors& out) {
  if (watching_)
    fire_watched(team, out);
  else
    fire(team, out);
}

inline bool SuccessorGenerator::run_updates(std::uint32_t entry, EdgeId edge, Successors& out) {
  if (entry == CodeBlock::kNone)
    return true;
  if (watching_)
    return run_watched_updates(entry, edge, out);
  return check(run(system_.code(), entry, next_.data(), &work_), edge);
}

void SuccessorGenerator::choose(const CompiledEdge& edge,
                                const std::int32_t* selects,
                                std::vector<std::int32_t>& memory) const {
  for (std::size_t i = 0; i < edge.selects.size(); ++i)
    memory[edge.selects[i].cell] = selects[i];
}

bool SuccessorGenerator::update(const Candidate& candidate, Successors& out) {
  const CompiledEdge& edge = system_.edge(candidate.edge);
  const std::int32_t* selects = out.selects.data() + candidate.first_select;
  choose(edge, selects, next_);
  if (!run_updates(edge.updates, edge.id, out))
    return false;
  if (watching_)
    note_fired(edge.id, out);
  next_locations_[edge.process] = edge.target;
  if (candidate.branch == kNoBranch)
    return true;
  const CompiledEdge& branch = system_.edge(candidate.branch);
  choose(branch, selects + edge.selects.size(), next_);
  if (!run_updates(branch.updates, branch.id, out))
    return false;
  if (watching_)
    note_fired(branch.id, out);
  next_locations_[edge.process] = branch.target;
  return true;
}

bool SuccessorGenerator::invariants_hold() {
  for (std::size_t p = 0; system_.has_invariants() && p < next_locations_.size(); ++p) {
    const std::uint32_t invariant = system_.location(p, next_locations_[p]).invariant;
    if (invariant == CodeBlock::kNone)
      continue;
    const RunResult result = run(system_.code(), invariant, next_.data(), &work_);
    if (!check(result, EdgeId()) || !result.holds)
      return false;
  }
  return true;
}

void SuccessorGenerator::fire(std::span<const Candidate> team, Successors& out) {
  if (timed_ && !find_pieces(team))
    return;
  if (run_team(team, out))
    append_successor(team, out);
  take_back(team);
}

// Runs all updates and asks the invariants; true if the step exists.
bool SuccessorGenerator::run_team(std::span<const Candidate> team, Successors& out) {
  const MemoryMap& map = system_.network().memory;
  work_.clear();
  // `meta` variables are scratch: every step starts with their initial values.
  if (map.meta != map.state)
    std::copy(system_.code().memory.begin() + map.state, system_.code().memory.begin() + map.meta,
              next_.begin() + map.state);
  if (!run_updates(system_.before_update(), EdgeId(), out))
    return false;
  for (const Candidate& candidate : team)
    if (!update(candidate, out))
      return false;
  return run_updates(system_.after_update(), EdgeId(), out) && invariants_hold();
}

template <class F>
void SuccessorGenerator::for_each_written(std::span<const Candidate> team, F f) const {
  if (system_.has_hooks()) {
    for (std::uint32_t cell = 0; cell < system_.network().memory.state; ++cell)
      f(cell);
    return;
  }
  for (const Candidate& candidate : team) {
    for (const std::uint32_t cell : system_.edge(candidate.edge).writes)
      f(cell);
    if (candidate.branch != kNoBranch)
      for (const std::uint32_t cell : system_.edge(candidate.branch).writes)
        f(cell);
  }
}

void SuccessorGenerator::append_successor(std::span<const Candidate> team, Successors& out) {
  const auto first_edge = static_cast<std::uint32_t>(out.edges.size());
  const PackedLayout& layout = system_.layout();
  const std::size_t at = out.states.size();
  out.states.insert(out.states.end(), packed_, packed_ + system_.state_words());
  std::uint64_t* packed = out.states.data() + at;
  for (const Candidate& candidate : team) {
    out.edges.push_back({.edge = candidate.edge, .first_select = candidate.first_select});
    const CompiledEdge& edge = system_.edge(candidate.edge);
    if (candidate.branch != kNoBranch) {
      const auto taken = static_cast<std::uint32_t>(edge.selects.size());
      out.edges.push_back(
          {.edge = candidate.branch, .first_select = candidate.first_select + taken});
    }
    layout.set_location(edge.process, next_locations_[edge.process], packed);
  }
  out.steps.push_back({.first_edge = first_edge,
                       .edge_count = static_cast<std::uint32_t>(out.edges.size()) - first_edge});
  for_each_written(team, [&](std::uint32_t cell) {
    if (memory_[cell] != next_[cell])
      layout.set_cell(cell, next_[cell], packed);
  });
  if (timed_)
    append_zones(out);
}

void SuccessorGenerator::take_back(std::span<const Candidate> team) {
  for (const Candidate& candidate : team) {
    const std::uint32_t process = system_.edge(candidate.edge).process;
    next_locations_[process] = locations_[process];
  }
  for_each_written(team, [&](std::uint32_t cell) { next_[cell] = memory_[cell]; });
}

SuccessorGenerator::Seen SuccessorGenerator::see(std::size_t predicate,
                                                 std::vector<ClockConstraint>& constraints) {
  work_.constraints.clear();
  const RunResult result =
      run(system_.code(), system_.predicate(predicate), memory_.data(), &work_);
  if (result.status != RunStatus::kOk)
    return Seen::kUndefined;
  if (!result.holds)
    return Seen::kFalse;
  constraints.insert(constraints.end(), work_.constraints.begin(), work_.constraints.end());
  return Seen::kTrue;
}

Step SuccessorGenerator::describe(const Successors& from, std::size_t step) const {
  const Successors::StepRef& ref = from.steps[step];
  Step out{.piece = ref.piece};
  for (std::uint32_t i = 0; i < ref.edge_count; ++i) {
    const Successors::FiredRef& fired = from.edges[ref.first_edge + i];
    const CompiledEdge& edge = system_.edge(fired.edge);
    FiredEdge described{.edge = edge.id};
    for (std::size_t k = 0; k < edge.selects.size(); ++k)
      described.selects.push_back(from.selects[fired.first_select + k]);
    out.edges.push_back(std::move(described));
  }
  return out;
}

}  // namespace tw
