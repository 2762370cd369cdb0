#include "engine/semantics/successors.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

namespace tw {

namespace {

// In units of BudgetMeter.
constexpr std::uint64_t kTeamWork = 32;

}  // namespace

SuccessorGenerator::SuccessorGenerator(const System& system, OnError on_error)
    : system_(system),
      on_error_(on_error),
      watching_(system.is_watching()),
      timed_(system.is_timed()),
      words_(system.layout().words()),
      locations_(system.processes()),
      next_locations_(system.processes()),
      memory_(system.code().memory),
      next_(system.code().memory),
      defined_in_(system.code().watched.size(), 0),
      teams_(system),
      offers_(system, teams_),
      step_memo_(words_, 2 * std::min(words_, StepMemo::kMostWords) + (timed_ ? 1 : 0)),
      word_hashes_(words_),
      current_(system.processes(), words_, offers_.nothing()),
      target_(words_),
      written_(words_),
      may_receive_(system.network().channels.size(), ProcessSet(system.processes())),
      source_(system.zone_size() - 1),
      rest_(system.zone_size() - 1),
      images_(system.zone_size()),
      zone_memo_(timed_ ? 1 + words_ : 1, 0) {
  if (timed_)
    prepare_clocks();
}

// There is no step that could be left out: an error counts in any case.
SuccessorGenerator::Initial SuccessorGenerator::initial() {
  const OnError on_error = std::exchange(on_error_, OnError::kStop);
  Initial out = begin();
  on_error_ = on_error;
  return out;
}

SuccessorGenerator::Initial SuccessorGenerator::begin() {
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
  std::copy_n(out.state.begin(), words_, target_.begin());
  next_is_copy_ = false;
  work_.clear();
  out.exists = timed_ ? set_initial_zone(out) : invariants_hold();
  if (failed_)
    out.error = error_;
  return out;
}

// Code that runs needs the state in cells; most states need no code to run. The successor being
// built starts as a copy; each step takes back what it wrote.
void SuccessorGenerator::unpack() {
  if (!unpacked_)
    system_.layout().unpack(packed_, locations_, memory_.data());
  if (!next_is_copy_) {
    next_locations_ = locations_;
    std::copy_n(memory_.data(), system_.network().memory.state, next_.data());
  }
  unpacked_ = true;
  next_is_copy_ = true;
}

std::size_t SuccessorGenerator::append(const std::uint64_t* state,
                                       Successors& out,
                                       LeaveOut left_out) {
  if (out.size() == 0 &&
      (is_torn_ || teams_.are_many() || offers_.are_many() || actions_.size() > kManyActions))
    forget();
  is_torn_ = true;
  packed_ = state;
  unpacked_ = false;
  next_is_copy_ = false;
  failed_ = false;
  first_step_ = out.size();
  left_out_ = 0;
  leaves_out_recent_ = left_out.recent;
  if (left_out.recent && !recent_)
    recent_.emplace(words_);
  if (timed_)
    begin_timed(state);
  // Most states are one or two words long.
  if (words_ == 1)
    append_all(left_out.sleeping, std::integral_constant<std::size_t, 1>(), out);
  else if (words_ == 2)
    append_all(left_out.sleeping, std::integral_constant<std::size_t, 2>(), out);
  else
    append_all(left_out.sleeping, words_, out);
  if (failed_)
    out.error = error_;
  if (!news_.empty()) {
    out.skipped.insert(out.skipped.end(), news_.begin(), news_.end());
    news_.clear();
  }
  is_torn_ = false;
  return out.size() - first_step_ + left_out_;
}

template <class Words>
void SuccessorGenerator::append_all(Sleep sleeping, Words words, Successors& out) {
  hash_ = 0;
  for (std::size_t i = 0; i < words; ++i) {
    word_hashes_[i] = hash_at(i, packed_[i]);
    hash_ ^= word_hashes_[i];
  }
  const auto offers_of = [this](std::size_t process) {
    const Offers* const known = offers_.recall(process, packed_);
    return known != nullptr ? known : find_offers(process);
  };
  if (!current_.move_to(packed_, words, offers_of))
    return;
  any_committed_ = current_.committed().any();
  combine(sleeping, words, out);
}

// Numbers of kinds stay good.
void SuccessorGenerator::forget() {
  current_.forget();  // first: it compares with what offers_ has
  teams_.forget();
  offers_.forget();
  step_memo_.clear();
  actions_.clear();
  zone_memo_.clear();
  if (stays_)
    stays_->clear();
}

bool SuccessorGenerator::clocks_can_hold(const Candidate& candidate) const {
  return std::ranges::all_of(
      candidate.guard, [this](const ClockConstraint& c) { return source_.view().can_hold(c); });
}

template <class Words>
inline void SuccessorGenerator::combine(Sleep sleeping, Words words, Successors& out) {
  proposals_.clear();
  proposed_.clear();
  may_sleep_ = sleeping;
  std::size_t awake = 0;
  current_.active().for_each_but(sleeping, [&](std::size_t p) {
    const Offers& offers = current_[p];
    awake += offers.active.size();
    if (!offers.ready.empty()) {
      take_ready(p, offers, words, out);
      return true;
    }
    for (const Candidate& candidate : offers.active) {
      act(candidate, out);
      if (failed_)
        return false;
    }
    return true;
  });
  left_out_ += current_.active_count() - awake;
  if (system_.has_priorities() && !failed_)
    fire_by_priority(out);
}

// What a process does alone, whoever else can do something, unless somebody is committed.
template <class Words>
inline void SuccessorGenerator::take_ready(std::size_t process,
                                           const Offers& offers,
                                           Words words,
                                           Successors& out) {
  if (any_committed_ && !offers.committed)
    return;
  const auto reads = [&](std::size_t word) { return offers.reads[word]; };
  for (const ReadyStep& step : offers.ready)
    append_changed({.team = step.team, .kind = step.kind}, step.changes,
                   step.enters_committed ? 0 : may_sleep_, reads, words, out);
  if (!any_committed_ && offers.can_sleep && process < kSleepers)
    may_sleep_ |= Sleep{1} << process;
}

void SuccessorGenerator::act(const Candidate& candidate, Successors& out) {
  if (!can_hold(candidate))
    return;
  const Candidate* const alone = &candidate;
  if (candidate.direction == Direction::kInternal)
    propose(Team(&alone, 1), out);
  else if (is_broadcast(Team(&alone, 1)))
    combine_broadcast(candidate, out);
  else
    combine_binary(candidate, out);
}

bool SuccessorGenerator::is_broadcast(Team team) const {
  return team.front()->direction != Direction::kInternal &&
         system_.network().channels[ChannelId(team.front()->channel)].broadcast;
}

// Only the highest priority at which a step exists counts; a step whose target invariant fails does
// not exist and blocks nobody. With clocks a step blocks others where it exists.
void SuccessorGenerator::fire_by_priority(Successors& out) {
  std::uint64_t below = std::numeric_limits<std::uint64_t>::max();
  blocked_.clear();
  while (!failed_ && (timed_ || out.size() - first_step_ + left_out_ == 0)) {
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
  for_each_receiver(sender.channel, [&](const Candidate& receiver) {
    if (receiver.process == sender.process)
      return true;
    const std::array<const Candidate*, 2> team = {&sender, &receiver};
    propose(team, out);
    return !failed_;
  });
}

// Every process that can receive does, with one of its edges: the product of their choices, the
// first receiver slowest. One whose clocks decide may also stay behind, last of its choices.
void SuccessorGenerator::combine_broadcast(const Candidate& sender, Successors& out) {
  struct Choice {
    std::size_t first;
    std::size_t last;
    std::size_t at;  // last: stay behind
    bool may_stay;
  };
  std::vector<Choice> choices;
  std::vector<const Candidate*> able;
  for_each_receiver(sender.channel, [&](const Candidate& receiver) {
    if (receiver.process != sender.process)
      able.push_back(&receiver);
    return true;
  });
  for (std::size_t i = 0; i < able.size();) {
    std::size_t end = i;
    bool may_stay = true;
    for (; end < able.size() && able[end]->process == able[i]->process; ++end)
      may_stay = may_stay && !able[end]->guard.empty();
    choices.push_back({i, end, i, may_stay});
    i = end;
  }
  for (;;) {
    team_.assign(1, &sender);
    for (const Choice& choice : choices)
      if (choice.at != choice.last)
        team_.push_back(able[choice.at]);
    propose(team_, out);
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
void SuccessorGenerator::propose(Team team, Successors& out) {
  meter_.spend(kTeamWork);
  if (any_committed_ &&
      std::none_of(team.begin(), team.end(), [](const Candidate* c) { return c->committed; }))
    return;
  if (!system_.has_priorities()) {
    take(team, out);
    return;
  }
  proposals_.push_back({.first = static_cast<std::uint32_t>(proposed_.size()),
                        .count = static_cast<std::uint32_t>(team.size()),
                        .priority = priority_of(team)});
  proposed_.insert(proposed_.end(), team.begin(), team.end());
}

// Channel priority first, then the highest process priority in the team.
std::uint64_t SuccessorGenerator::priority_of(Team team) const {
  const Network& network = system_.network();
  std::int64_t channel = 0;
  if (team.front()->direction != Direction::kInternal)
    channel = network.channels[ChannelId(team.front()->channel)].priority;
  std::uint64_t process = 0;
  for (const Candidate* c : team)
    process = std::max<std::uint64_t>(process, network.processes[ProcessId(c->process)].priority);
  return (static_cast<std::uint64_t>(channel + (std::int64_t{1} << 31)) << 32) | process;
}

TeamId SuccessorGenerator::number_of(Team team) {
  if (team.front()->alone.valid())
    return team.front()->alone;
  choices_.clear();
  for (const Candidate* candidate : team)
    choices_.push_back(candidate->choice);
  return teams_.team(choices_);
}

void SuccessorGenerator::take(Team team, Successors& out) {
  const TeamId id = number_of(team);
  if (!(timed_ ? recall_timed(id, team, out) : recall(id, team, out)))
    fire(id, team, out);
}

// The step as it was in another state that agrees in all that matters. False: not remembered.
bool SuccessorGenerator::recall(TeamId id, Team team, Successors& out) {
  if (!teams_.is_memorable(id))
    return false;
  const StepMemo::Memory known =
      step_memo_.look(static_cast<std::uint32_t>(id.index()), teams_.reads(id), packed_);
  if (!known.known())
    return false;
  if (known.answer == kNoStep)
    return true;
  recall_changes(id, known);
  const auto reads = [&](std::size_t word) { return reads_of(id, word); };
  const bool ends_sleep = teams_.enters_committed(id) || is_broadcast(team);
  append_changed({.team = id, .kind = StepKindId(known.answer)}, changes_,
                 ends_sleep ? 0 : may_sleep_, reads, words_, out);
  return true;
}

void SuccessorGenerator::recall_changes(TeamId id, const StepMemo::Memory& known) {
  const std::span<const StateBits> written = teams_.writes(id);
  changes_.resize(written.size());
  for (std::size_t i = 0; i < written.size(); ++i)
    changes_[i] = {
        .word = written[i].word, .mask = known.values[2 * i], .value = known.values[2 * i + 1]};
}

// The state being expanded with some changes, unless it came lately. Of those that may sleep, those
// do that do not notice the step, nor does it notice theirs. HOT.
template <class Reads, class Words>
inline void SuccessorGenerator::append_changed(const Successors::StepRef& step,
                                               std::span<const BitAssignment> changes,
                                               Sleep may_sleep,
                                               Reads reads,
                                               Words words,
                                               Successors& out) {
  std::uint64_t* const target = out.room(words);
  for (std::size_t i = 0; i < words; ++i)
    target[i] = packed_[i];
  std::uint64_t hash = hash_;
  for (const BitAssignment& change : changes) {
    std::uint64_t& word = target[change.word];
    word = (word & ~change.mask) | change.value;
    hash ^= word_hashes_[change.word] ^ hash_at(change.word, word);
  }
  if (leaves_out_recent_ && recent_->meet(target, hash) && has_come(step.kind)) {
    ++left_out_;
    return;
  }
  // Definitions are seen even if they change nothing.
  auto change = changes.begin();
  for (std::size_t i = 0; may_sleep != 0 && i < words; ++i) {
    std::uint64_t changed = 0;
    std::uint64_t mattering = reads(i);
    if (change != changes.end() && change->word == i) {
      changed = watching_ ? change->mask : packed_[i] ^ target[i];
      mattering |= change->mask;
      ++change;
    }
    if ((changed | mattering) != 0)
      may_sleep &= ~current_.noticing(may_sleep, i, changed, mattering);
  }
  out.add(step, hash, may_sleep);
}

// A kind may be known before there is a step of it: others may keep it from happening.
inline bool SuccessorGenerator::has_come(StepKindId kind) {
  if (kind.index() >= has_come_.size())
    has_come_.resize(kind.index() + 1);
  return std::exchange(has_come_[kind.index()], 1) != 0;
}

// Of a word: the bits that decide whether the team fires, and what it does.
std::uint64_t SuccessorGenerator::reads_of(TeamId team, std::size_t word) const {
  std::uint64_t out = teams_.reads_of_word(team, word);
  for (const ChoiceId choice : teams_.choices(team))
    out |= current_.reads(system_.edge(teams_.member(choice).edge).process, word);
  return out;
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
  const Successors::StepRef& ref = from.step(step);
  Step out{.piece = ref.piece};
  const auto add = [&](std::uint32_t edge, std::span<const std::int32_t> selects) {
    out.edges.push_back({.edge = system_.edge(edge).id,
                         .selects = std::vector<std::int32_t>(selects.begin(), selects.end())});
  };
  for (const ChoiceId choice : teams_.choices(ref.team)) {
    const StepTeams::Member member = teams_.member(choice);
    const std::size_t own = system_.edge(member.edge).selects.size();
    add(member.edge, member.selects.first(own));
    if (member.branch != kNoBranch)
      add(member.branch, member.selects.subspan(own));
  }
  return out;
}

}  // namespace tw
