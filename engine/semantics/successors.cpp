#include "engine/semantics/successors.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

namespace tw {

void Successors::clear() {
  steps.clear();
  states.clear();
  hashes.clear();
  sleeping.clear();
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
      teams_(system),
      offer_memo_(system.layout().words(), 0),
      step_memo_(system.layout().words(),
                 std::min(system.layout().words(), StepMemo::kMostWords) + (timed_ ? 1 : 0)),
      word_hashes_(system.layout().words()),
      current_(system.processes()),
      depends_(system.layout().words() * system.processes()),
      flips_(system.layout().words() * system.processes()),
      stale_(system.processes()),
      active_(system.processes()),
      committed_(system.processes()),
      target_(system.layout().words()),
      last_(system.layout().words()),
      may_receive_(system.network().channels.size(), ProcessSet(system.processes())),
      source_(system.zone_size() - 1),
      rest_(system.zone_size() - 1),
      images_(system.zone_size()),
      zone_memo_(timed_ ? 1 + system.layout().words() : 1, 0) {
  forget_current();
  if (!timed_)
    return;
  location_demands_.resize(system.locations());
  remembers_steps_ = !system.has_priorities() && !system.has_urgent_channels();
  for (std::size_t p = 0; p < system.processes(); ++p) {
    bool demands = false;
    for (std::size_t k = 0; k < system.network().processes[ProcessId(p)].location_count; ++k) {
      const auto local = static_cast<std::uint32_t>(k);
      const CompiledLocation& location = system.location(p, local);
      const bool has_invariant = location.invariant != CodeBlock::kNone;
      location_demands_[system.location_number(p, local)] = {.stops_time = location.stops_time,
                                                             .known = !has_invariant};
      demands = demands || has_invariant || location.stops_time;
      remembers_steps_ = remembers_steps_ && (!has_invariant || location.is_invariant_fixed);
    }
    if (demands)
      demanding_.push_back(static_cast<std::uint32_t>(p));
  }
  zone_bits_.push_back({.word = 0, .mask = ~std::uint64_t{0}});
  for (const StateBits& bits : system.clock_bits())
    zone_bits_.push_back({.word = bits.word + 1, .mask = bits.mask});
  zone_key_.resize(1 + system.layout().words());
  remembers_zones_ = !system.clock_bits().empty() && zone_bits_.size() <= StepMemo::kMostWords &&
                     !system.has_priorities();
}

// True if the code ran to its end. An error either ends the expansion or just this step.
bool SuccessorGenerator::check(RunResult result, EdgeId edge) {
  if (result.status == RunStatus::kOk)
    return true;
  had_error_ = true;
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

// Code that runs needs the state in cells; most states need no code to run.
void SuccessorGenerator::unpack() {
  if (unpacked_)
    return;
  unpacked_ = true;
  system_.layout().unpack(packed_, locations_, memory_.data());
  // The successor being built starts as a copy; each step takes back what it wrote.
  next_locations_ = locations_;
  std::copy_n(memory_.data(), system_.network().memory.state, next_.data());
}

std::size_t SuccessorGenerator::append(const std::uint64_t* state,
                                       Successors& out,
                                       LeaveOut left_out) {
  if (out.steps.empty() && (teams_.are_many() || constraints_.size() > kManyConstraints ||
                            actions_.size() > kManyConstraints))
    forget();
  packed_ = state;
  unpacked_ = false;
  failed_ = false;
  first_step_ = out.size();
  left_out_ = 0;
  leaves_out_recent_ = left_out.recent;
  if (left_out.recent && !recent_)
    recent_.emplace(last_.size());
  hash_ = 0;
  for (std::size_t i = 0; i < word_hashes_.size(); ++i) {
    word_hashes_[i] = hash_at(i, state[i]);
    hash_ ^= word_hashes_[i];
  }
  if (timed_) {
    system_.load_zone(state, source_.data());
    source_number_ = ZoneNumber();
    located_ = false;
    count_looks();
  }
  collect_candidates();
  std::copy_n(state, last_.size(), last_.begin());
  if (failed_)
    forget_current();  // not all of them were looked at
  else
    combine(left_out.sleeping, out);
  if (failed_)
    out.error = error_;
  return out.size() - first_step_ + left_out_;
}

// Numbers of kinds stay good.
void SuccessorGenerator::forget() {
  teams_.forget();
  offer_memo_.clear();
  step_memo_.clear();
  offer_words_.clear();
  offers_.clear();
  forget_current();
  constraints_.clear();
  actions_.clear();
  zone_memo_.clear();
}

bool SuccessorGenerator::clocks_can_hold(const Candidate& candidate) const {
  return std::ranges::all_of(
      guard_of(candidate), [this](const ClockConstraint& c) { return source_.view().can_hold(c); });
}

void SuccessorGenerator::forget_current() {
  static const Offers kNothing;
  current_.assign(current_.size(), &kNothing);
  active_count_ = 0;
  stale_.fill();
}

// Neighbours in the queue have much in common: where nothing changed that a process depends on, it
// has the same offers as in the state before.
void SuccessorGenerator::collect_candidates() {
  const std::uint64_t* depends = depends_.data();
  for (std::size_t i = 0; i < last_.size(); ++i, depends += current_.size())
    if (const std::uint64_t changed = packed_[i] ^ last_[i]; changed != 0)
      stale_.add_touched(depends, changed);
  stale_.for_each([this](std::size_t p) {
    renew_offers(p);
    return !failed_;
  });
  if (failed_)
    return;
  stale_.clear();
  any_committed_ = committed_.any();
}

void SuccessorGenerator::renew_offers(std::size_t process) {
  const std::size_t number =
      system_.location_number(process, system_.layout().location(process, packed_));
  const Offers* const offers = offers_at(number);
  if (failed_)
    return;
  const CompiledLocation& location = system_.location(number);
  active_count_ += offers->active.size() - current_[process]->active.size();
  current_[process] = offers;
  for (std::size_t i = 0, at = process; i < last_.size(); ++i, at += current_.size()) {
    depends_[at] = location.offer_mask[i];
    flips_[at] = offers->flips[i];
  }
  active_.set(process, !offers->active.empty());
  committed_.set(process, location.committed);
}

// Of the process that is there; meaningless after an error.
const SuccessorGenerator::Offers* SuccessorGenerator::offers_at(std::size_t location_number) {
  const auto owner = static_cast<std::uint32_t>(location_number);
  const CompiledLocation& location = system_.location(location_number);
  const bool memorable = location.offer_bits.size() <= StepMemo::kMostWords;
  if (memorable) {
    const StepMemo::Memory known = offer_memo_.look(owner, location.offer_bits, packed_);
    if (known.known())
      return offers_[known.answer].get();
  }
  const OffersId id = find_offers(location);
  if (memorable && !failed_)
    offer_memo_.remember(owner, location.offer_bits, packed_,
                         static_cast<std::uint32_t>(id.index()));
  return offers_[id.index()].get();
}

// Runs guards and channels. Offers that were met before keep their number.
SuccessorGenerator::OffersId SuccessorGenerator::find_offers(const CompiledLocation& location) {
  unpack();
  new_offers_.clear();
  for (const std::uint32_t index : location.edges)
    for_each_way(index, memory_, [&](const CompiledEdge& edge, std::uint32_t branch) {
      try_edge(location, edge, branch);
      return !failed_;
    });
  const OffersId id = offer_words_.intern(new_offers_);
  if (id.index() < offers_.size())
    return id;
  auto made = std::make_unique<Offers>();
  Offers& offers = *made;
  for (std::span<const std::int32_t> rest = new_offers_; !rest.empty();) {
    const std::size_t length = kOfferWords + kConstraintWords * static_cast<std::size_t>(rest[4]) +
                               kConstraintWords * static_cast<std::size_t>(rest[5]);
    add_offer(rest.first(length), location.committed, offers);
    rest = rest.subspan(length);
  }
  finish(offers);
  offers_.push_back(std::move(made));
  return id;
}

// The way to leave that memory_ has, if its guard holds, as words: choice, direction, channel, the
// kind of its step, if that is worked out, how many constraints and changes there are, and these.
void SuccessorGenerator::try_edge(const CompiledLocation& location,
                                  const CompiledEdge& edge,
                                  std::uint32_t branch) {
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
  const CompiledEdge& syncing =
      branch != kNoBranch && !edge.channel.present() ? system_.edge(branch) : edge;
  std::int32_t channel = 0;
  if (syncing.channel.present()) {
    if (syncing.channel.entry != CodeBlock::kNone &&
        !check(run(code, syncing.channel.entry, memory_.data()), syncing.id))
      return;
    channel = memory_[syncing.channel.result];
  }
  selects_.clear();
  for (const CompiledSelect& select : edge.selects)
    selects_.push_back(memory_[select.cell]);
  for (std::size_t i = 0; branch != kNoBranch && i < system_.edge(branch).selects.size(); ++i)
    selects_.push_back(memory_[system_.edge(branch).selects[i].cell]);
  const ChoiceId choice = teams_.choice(static_cast<std::uint32_t>(edge.id.index()), branch,
                                        selects_, work_.constraints);
  const std::size_t at = new_offers_.size();
  new_offers_.insert(
      new_offers_.end(),
      {static_cast<std::int32_t>(choice.index()), static_cast<std::int32_t>(syncing.direction),
       channel, kUnresolved, static_cast<std::int32_t>(work_.constraints.size()), 0});
  for (const ClockConstraint& constraint : work_.constraints)
    new_offers_.insert(new_offers_.end(),
                       {static_cast<std::int32_t>(constraint.i),
                        static_cast<std::int32_t>(constraint.j), constraint.bound.raw()});
  if (!location.resolves || syncing.direction != Direction::kInternal)
    return;
  const Candidate candidate{.choice = choice,
                            .alone = teams_.team(std::span(&choice, 1)),
                            .edge = static_cast<std::uint32_t>(edge.id.index()),
                            .branch = branch,
                            .process = edge.process};
  resolve(candidate, at);
}

// What an internal edge does, which will be asked next. Not if that is an error: whether it counts
// depends on what else can happen.
void SuccessorGenerator::resolve(const Candidate& candidate, std::size_t at) {
  const OnError on_error = std::exchange(on_error_, OnError::kSkip);
  const Candidate* const alone = &candidate;
  resolved_.clear();
  // Selects of the edge being tried stay as they are: only what the team wrote is taken back.
  fire(candidate.alone, Team(&alone, 1), resolved_);
  on_error_ = on_error;
  if (had_error_)
    return;
  if (resolved_.size() == 0) {
    new_offers_[at + 3] = kResolvedToNothing;
    return;
  }
  new_offers_[at + 3] = static_cast<std::int32_t>(resolved_.steps[0].kind.index());
  for (std::size_t i = 0; i < word_hashes_.size(); ++i) {
    const std::uint64_t change = packed_[i] ^ resolved_.states[i];
    if (change == 0)
      continue;
    ++new_offers_[at + 5];
    new_offers_.insert(new_offers_.end(),
                       {static_cast<std::int32_t>(i), static_cast<std::int32_t>(change >> 32),
                        static_cast<std::int32_t>(change & 0xFFFFFFFF)});
  }
}

void SuccessorGenerator::add_offer(std::span<const std::int32_t> words,
                                   bool committed,
                                   Offers& out) {
  const ChoiceId choice(static_cast<std::size_t>(words[0]));
  const StepTeams::Member member = teams_.member(choice);
  Candidate candidate{.choice = choice,
                      .edge = member.edge,
                      .branch = member.branch,
                      .process = system_.edge(member.edge).process,
                      .channel = static_cast<std::uint32_t>(words[2]),
                      .first_constraint = static_cast<std::uint32_t>(constraints_.size()),
                      .constraint_count = static_cast<std::uint32_t>(words[4]),
                      .direction = static_cast<Direction>(words[1]),
                      .committed = committed};
  if (words[3] == kResolvedToNothing)
    return;
  std::size_t i = kOfferWords;
  for (std::uint32_t k = 0; k < candidate.constraint_count; ++k, i += kConstraintWords)
    constraints_.push_back({.i = static_cast<std::uint32_t>(words[i]),
                            .j = static_cast<std::uint32_t>(words[i + 1]),
                            .bound = Bound::from_raw(words[i + 2])});
  if (candidate.direction == Direction::kReceive) {
    out.passive.push_back(candidate);
    may_receive_[candidate.channel].set(candidate.process, true);
    return;
  }
  if (candidate.direction == Direction::kInternal)
    candidate.alone = teams_.team(std::span(&choice, 1));
  out.active.push_back(candidate);
  if (words[3] == kUnresolved)
    return;
  out.ready.push_back({.team = candidate.alone,
                       .kind = StepKindId(static_cast<std::size_t>(words[3])),
                       .first_change = static_cast<std::uint32_t>(out.changes.size()),
                       .change_count = static_cast<std::uint32_t>(words[5]),
                       .enters_committed = teams_.enters_committed(candidate.alone)});
  for (; i < words.size(); i += kConstraintWords)
    out.changes.push_back({.word = static_cast<std::uint32_t>(words[i]),
                           .mask = std::uint64_t{static_cast<std::uint32_t>(words[i + 1])} << 32 |
                                   static_cast<std::uint32_t>(words[i + 2])});
}

// Whether its steps can be taken as they are, and whether the process can sleep then: nobody else
// decides if they exist.
void SuccessorGenerator::finish(Offers& offers) const {
  if (offers.ready.size() != offers.active.size() || system_.has_priorities())
    offers.ready.clear();
  offers.can_sleep =
      !offers.ready.empty() && std::ranges::none_of(offers.ready, &ReadyStep::enters_committed);
  offers.flips.resize(last_.size());
  for (const StateBits& change : offers.changes)
    offers.flips[change.word] |= change.mask;
  // Definitions are seen even if they change nothing.
  for (std::size_t i = 0; watching_ && i < offers.flips.size(); ++i)
    for (const ReadyStep& step : offers.ready)
      offers.flips[i] |= teams_.writes(step.team, i);
}

void SuccessorGenerator::combine(Sleep sleeping, Successors& out) {
  proposals_.clear();
  proposed_.clear();
  may_sleep_ = sleeping;
  std::size_t awake = 0;
  active_.for_each_but(sleeping, [&](std::size_t p) {
    const Offers& offers = *current_[p];
    awake += offers.active.size();
    if (!offers.ready.empty())
      take_ready(p, out);
    else
      for (const Candidate& candidate : offers.active) {
        act(candidate, out);
        if (failed_)
          return false;
      }
    return true;
  });
  left_out_ += active_count_ - awake;
  if (system_.has_priorities() && !failed_)
    fire_by_priority(out);
}

// What a process does alone, whoever else can do something, unless somebody is committed.
inline void SuccessorGenerator::take_ready(std::size_t process, Successors& out) {
  if (any_committed_ && !committed_.contains(process))
    return;
  const Offers& offers = *current_[process];
  const auto flips = [](const StateBits& change, std::size_t) { return change.mask; };
  for (const ReadyStep& step : offers.ready) {
    const std::span<const StateBits> changes =
        std::span(offers.changes).subspan(step.first_change, step.change_count);
    if (append_changed(step.team, step.kind, changes, flips, out))
      out.sleeping.push_back(
          step.enters_committed ? 0 : sleeping_after(step.team, [&](std::size_t word) {
            return depends_on(process, word);
          }));
  }
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
  team_.assign({&sender, nullptr});
  for_each_receiver(sender.channel, [&](const Candidate& receiver) {
    if (receiver.process == sender.process)
      return true;
    team_[1] = &receiver;
    propose(team_, out);
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
      may_stay = may_stay && able[end]->constraint_count != 0;
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
  if (timed_)
    out.sleeping.resize(out.size());  // nobody: time passes in every state
}

// The step as it was in another state that agrees in all that matters. False: not remembered.
bool SuccessorGenerator::recall(TeamId id, Team team, Successors& out) {
  const std::span<const StateBits> bits = teams_.depends_on(id);
  if (!teams_.is_memorable(id))
    return false;
  const StepMemo::Memory known =
      step_memo_.look(static_cast<std::uint32_t>(id.index()), bits, packed_);
  if (!known.known())
    return false;
  if (known.answer == kNoStep)
    return true;
  const auto flips = [&](const StateBits&, std::size_t i) { return known.values[i]; };
  if (!append_changed(id, StepKindId(known.answer), bits, flips, out))
    return true;
  const bool ends_sleep = may_sleep_ == 0 || teams_.enters_committed(id) || is_broadcast(team);
  out.sleeping.push_back(
      ends_sleep ? 0 : sleeping_after(id, [&](std::size_t word) { return depends_on(id, word); }));
  return true;
}

// The state being expanded with some bits of some words flipped. False: it came lately. HOT.
template <class Flips>
inline bool SuccessorGenerator::append_changed(
    TeamId team, StepKindId kind, std::span<const StateBits> words, Flips flips, Successors& out) {
  std::uint64_t* const target = target_.data();
  const std::size_t count = target_.size();
  for (std::size_t i = 0; i < count; ++i)
    target[i] = packed_[i];
  std::uint64_t hash = hash_;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t word = words[i].word;
    target[word] ^= flips(words[i], i);
    hash ^= word_hashes_[word] ^ hash_at(word, target[word]);
  }
  if (leaves_out_recent_ && recent_->meet(target, hash) && has_come(kind)) {
    ++left_out_;
    return false;
  }
  for (std::size_t i = 0; i < count; ++i)
    out.states.push_back(target[i]);
  out.hashes.push_back(hash);
  out.steps.push_back({.team = team, .kind = kind});
  return true;
}

// A kind may be known before there is a step of it: others may keep it from happening.
inline bool SuccessorGenerator::has_come(StepKindId kind) {
  if (kind.index() >= has_come_.size())
    has_come_.resize(kind.index() + 1);
  return std::exchange(has_come_[kind.index()], 1) != 0;
}

// Those that may sleep and do not notice the step to target_, nor does it notice theirs.
template <class DependsOn>
inline Sleep SuccessorGenerator::sleeping_after(TeamId team, DependsOn depends) const {
  const std::size_t count = current_.size();
  Sleep noticed = 0;
  for (std::size_t i = 0; i < target_.size(); ++i) {
    const std::uint64_t changed = watching_ ? teams_.writes(team, i) : packed_[i] ^ target_[i];
    const std::uint64_t needed = depends(i);
    if ((changed | needed) == 0)
      continue;
    const std::uint64_t* const depends_on = depends_.data() + i * count;
    const std::uint64_t* const flips = flips_.data() + i * count;
    for (Sleep rest = may_sleep_; rest != 0; rest &= rest - 1) {
      const auto p = static_cast<std::size_t>(std::countr_zero(rest));
      const bool is_noticed = ((changed & depends_on[p]) | (needed & flips[p])) != 0;
      noticed |= Sleep{is_noticed ? 1U : 0U} << p;
    }
  }
  return may_sleep_ & ~noticed;
}

std::uint64_t SuccessorGenerator::depends_on(TeamId team, std::size_t word) const {
  std::uint64_t out = 0;
  for (const StateBits& bits : teams_.depends_on(team))
    out |= bits.word == word ? bits.mask : 0;
  for (const ChoiceId choice : teams_.choices(team))
    out |= depends_on(system_.edge(teams_.member(choice).edge).process, word);
  return out;
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
  if (run_team(team))
    append_successor(team, out);
  const bool exists = out.size() != first;
  out.sleeping.resize(out.size());
  if (exists && watching_)
    note_entered(team);
  if (exists) {
    const StepKindId kind = watching_ ? teams_.kind(events_) : teams_.plain_kind(id);
    for (std::size_t i = first; i < out.size(); ++i) {
      out.steps[i].team = id;
      out.steps[i].kind = kind;
    }
  }
  if (exists && timed_ && action_.valid() && teams_.is_memorable(id))
    remember_timed(id, out);
  if (!timed_ && !had_error_ && teams_.is_memorable(id))
    remember(id, out, exists);
  take_back(team);
}

// The step that was just fired, if it exists.
void SuccessorGenerator::remember(TeamId id, const Successors& out, bool exists) {
  const std::span<const StateBits> bits = teams_.depends_on(id);
  const auto owner = static_cast<std::uint32_t>(id.index());
  if (!exists) {
    step_memo_.remember(owner, bits, packed_, kNoStep);
    return;
  }
  std::uint64_t* const changes = step_memo_.remember(
      owner, bits, packed_, static_cast<std::uint32_t>(out.steps.back().kind.index()));
  const std::uint64_t* const state = out.states.data() + out.states.size() - word_hashes_.size();
  for (std::size_t i = 0; i < bits.size(); ++i)
    changes[i] = packed_[bits[i].word] ^ state[bits[i].word];
}

inline bool SuccessorGenerator::run_updates(std::uint32_t entry, EdgeId edge) {
  if (entry == CodeBlock::kNone)
    return true;
  if (watching_)
    return run_watched_updates(entry, edge);
  return check(run(system_.code(), entry, next_.data(), &work_), edge);
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

bool SuccessorGenerator::invariants_hold() {
  if (timed_)
    return timed_invariants_hold();
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

// Runs all updates and, without clocks, asks the invariants; true if the step exists.
bool SuccessorGenerator::run_team(Team team) {
  const MemoryMap& map = system_.network().memory;
  work_.clear();
  // `meta` variables are scratch: every step starts with their initial values.
  if (map.meta != map.state)
    std::copy(system_.code().memory.begin() + map.state, system_.code().memory.begin() + map.meta,
              next_.begin() + map.state);
  if (!run_updates(system_.before_update(), EdgeId()))
    return false;
  for (const Candidate* candidate : team)
    if (!update(*candidate))
      return false;
  return run_updates(system_.after_update(), EdgeId()) && (timed_ || invariants_hold());
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
  const std::size_t at = out.states.size();
  out.states.insert(out.states.end(), packed_, packed_ + system_.state_words());
  std::uint64_t* packed = out.states.data() + at;
  for (const Candidate* candidate : team)
    layout.set_location(candidate->process, next_locations_[candidate->process], packed);
  for_each_written(team, [&](std::uint32_t cell) {
    if (memory_[cell] != next_[cell])
      layout.set_cell(cell, next_[cell], packed);
  });
  out.steps.emplace_back();
  out.hashes.push_back(hash_state(packed, layout.words()));
  if (timed_)
    append_zones(team, out);
}

void SuccessorGenerator::take_back(Team team) {
  for (const Candidate* candidate : team)
    next_locations_[candidate->process] = locations_[candidate->process];
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
