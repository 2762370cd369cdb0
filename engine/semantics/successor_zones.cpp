// Steps of timed networks, on zones (docs/algorithms.md 3).
//
// A team fires where its guards hold, the target invariants hold after its updates, the receivers
// that stay behind cannot receive, and nothing of a higher priority exists. The first two are
// conjunctions; the others are complements, so the set may consist of several convex *pieces*, each
// of which is a successor of its own. Then clocks are set, time passes as far as it may, and what
// can never be found out any more is forgotten. HOT: bench semantics/expand.

#include <algorithm>

#include "engine/semantics/successors.hpp"

namespace tw {
namespace {

void assign(std::span<const ClockAssignment> assignments, ZoneView zone) {
  for (const ClockAssignment& assignment : assignments) {
    if (assignment.source == 0)
      zone.set(assignment.target, assignment.offset);
    else
      zone.set_to(assignment.target, assignment.source, assignment.offset);
  }
}

}  // namespace

void SuccessorGenerator::prepare_clocks() {
  remembers_steps_ = system_.knows_clock_bits() && !system_.has_priorities();
  if (!remembers_steps_)
    return;
  stays_.emplace(system_.clock_bits());
  zone_bits_.push_back({.word = 0, .mask = ~std::uint64_t{0}});
  for (const StateBits& bits : system_.clock_bits())
    zone_bits_.push_back({.word = bits.word + 1, .mask = bits.mask});
  zone_key_.resize(1 + words_);
  remembers_zones_ = zone_bits_.size() <= StepMemo::kMostWords;
}

// A state is going to be expanded.
void SuccessorGenerator::begin_timed(const std::uint64_t* state) {
  system_.load_zone(state, source_.data());
  source_number_ = ZoneNumber();
  count_looks();
}

SuccessorGenerator::Piece& SuccessorGenerator::new_piece(
    const Zone& zone, std::span<const ClockConstraint> constraints) {
  if (piece_count_ == pieces_.size())
    pieces_.push_back({.zone = zone, .constraints = {}});
  Piece& piece = pieces_[piece_count_++];
  piece.zone = zone;
  piece.constraints.assign(constraints.begin(), constraints.end());
  return piece;
}

// False: nothing is left.
bool SuccessorGenerator::narrow(Piece& piece, const ClockConstraint& constraint) const {
  if (system_.has_priorities() || keeps_details_)
    piece.constraints.push_back(constraint);
  return piece.zone.view().constrain(constraint);
}

// Where may this team fire, as far as its source state tells? False: nowhere.
bool SuccessorGenerator::find_pieces(Team team) {
  piece_count_ = 0;
  Piece& all = new_piece(source_, {});
  for (const Candidate* candidate : team)
    for (const ClockConstraint& constraint : candidate->guard)
      if (!narrow(all, constraint))
        return false;
  const Candidate& sender = *team.front();
  if (sender.direction == Direction::kSend &&
      system_.network().channels[ChannelId(sender.channel)].broadcast) {
    for_each_receiver(sender.channel, [&](const Candidate& other) {
      if (stays_behind(other, team))
        subtract(other.guard);
      return true;
    });
  }
  for (const std::vector<ClockConstraint>& higher : blocked_)
    subtract(higher);
  return piece_count_ != 0;
}

bool SuccessorGenerator::stays_behind(const Candidate& receiver, Team team) const {
  return std::ranges::none_of(
      team, [&](const Candidate* member) { return member->process == receiver.process; });
}

// Does where they may fire depend on what others can do?
bool SuccessorGenerator::depends_on_others(Team team) const {
  bool out = false;
  if (is_broadcast(team))
    for_each_receiver(team.front()->channel, [&](const Candidate& receiver) {
      out = stays_behind(receiver, team);
      return !out;
    });
  return out;
}

// Where zones hardly come again, they are not remembered any more.
void SuccessorGenerator::count_looks() {
  if (!remembers_zones_)
    return;
  const std::size_t zone_bytes =
      (system_.state_words() - system_.layout().words()) * sizeof(std::uint64_t);
  const bool is_full = zone_numbers_.size() * zone_bytes >= kMostZoneBytes;
  if (looks_ < kEnoughLooks && !is_full)
    return;
  remembers_zones_ = hits_ >= looks_ / 2;
  looks_ = 0;
  hits_ = 0;
  if (remembers_zones_ && !is_full)
    return;
  zone_numbers_ = {};
  zone_memo_.clear();
}

// What the team that is being fired does, seen by clocks. Invalid: it is not remembered.
SuccessorGenerator::ClockActionId SuccessorGenerator::action_of(Team team) {
  if (!remembers_steps_ || keeps_details_ || !lowered_.empty())
    return {};
  action_words_.assign(1, 0);
  const auto add = [this](std::uint32_t a, std::uint32_t b, std::int32_t c) {
    action_words_.insert(action_words_.end(),
                         {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), c});
  };
  for (const Candidate* candidate : team)
    for (const ClockConstraint& constraint : candidate->guard)
      add(constraint.i, constraint.j, constraint.bound.raw());
  action_words_[0] = static_cast<std::int32_t>(action_words_.size());
  for (const ClockAssignment& assignment : work_.assignments)
    add(assignment.target, assignment.source, assignment.offset);
  return actions_.intern(action_words_);
}

void SuccessorGenerator::set_zone_key() {
  if (!source_number_.valid())
    source_number_ = zone_numbers_.intern({packed_ + words_, system_.state_words() - words_});
  zone_key_[0] = source_number_.index();
  std::ranges::copy(target_, zone_key_.begin() + 1);
}

// Is in the target anything else than in the state being expanded demanded of clocks, or can they
// be compared with?
bool SuccessorGenerator::differs_for_clocks() const {
  return std::ranges::any_of(system_.clock_bits(), [&](const StateBits& part) {
    return ((packed_[part.word] ^ target_[part.word]) & part.mask) != 0;
  });
}

// What the step does to the discrete part, as it was in another state that agrees in all that
// matters. Then no code has to run, and what remains is done with zones; a step that clocks do not
// see leaves the zone as it is, since time has passed in it already. False: not remembered.
bool SuccessorGenerator::recall_timed(TeamId id, Team team, Successors& out) {
  if (!remembers_steps_ || keeps_details_ || !teams_.is_memorable(id))
    return false;
  const StepMemo::Memory known =
      step_memo_.look(static_cast<std::uint32_t>(id.index()), teams_.reads(id), packed_);
  if (!known.known())
    return false;
  recall_changes(id, known);
  std::copy_n(packed_, words_, target_.begin());
  std::uint64_t hash = hash_;
  for (const BitAssignment& change : changes_) {
    std::uint64_t& word = target_[change.word];
    word = (word & ~change.mask) | change.value;
    hash ^= word_hashes_[change.word] ^ hash_at(change.word, word);
  }
  const Successors::StepRef step{.team = id, .kind = StepKindId(known.answer)};
  action_ = ClockActionId(known.values[2 * changes_.size()]);
  const std::span<const std::int32_t> words = actions_[action_];
  const bool is_certain = !depends_on_others(team);
  const bool is_seen =
      words.size() > 1 || !is_certain || system_.splits_again() || differs_for_clocks();
  if (!is_seen) {
    append_zone({packed_ + words_, system_.state_words() - words_}, step, hash, out);
    return true;
  }
  if (!remembers_zones_ || !is_certain)
    action_ = ClockActionId();
  if ((action_.valid() && recall_zone(step, hash, out)) || !find_pieces(team))
    return true;
  had_error_ = false;
  const Stay* stay = stays_->find(target_.data());
  if (stay == nullptr) {
    system_.layout().unpack(target_.data(), next_locations_, next_.data());
    next_is_copy_ = false;
    stay = find_stay();
  }
  if (stay == nullptr)
    return true;
  work_.assignments.clear();
  for (std::size_t i = static_cast<std::size_t>(words[0]); i < words.size(); i += 3)
    work_.assignments.push_back({.target = static_cast<std::uint32_t>(words[i]),
                                 .source = static_cast<std::uint32_t>(words[i + 1]),
                                 .offset = words[i + 2]});
  if (stay->is_implied_later)
    lowered_.clear();  // a step with such images is not remembered
  else
    collect_images();
  append_pieces(*stay, step, hash, out);
  return true;
}

// The target with a zone. Nobody sleeps there: time passes in every state.
void SuccessorGenerator::append_zone(std::span<const std::uint64_t> zone,
                                     const Successors::StepRef& step,
                                     std::uint64_t hash,
                                     Successors& out) {
  std::uint64_t* const state = out.room(system_.state_words());
  std::ranges::copy(target_, state);
  std::ranges::copy(zone, state + words_);
  out.add(step, hash, 0);
}

// The target with the zone that is remembered for it. False: none is.
bool SuccessorGenerator::recall_zone(const Successors::StepRef& step,
                                     std::uint64_t hash,
                                     Successors& out) {
  set_zone_key();
  ++looks_;
  const StepMemo::Memory zone =
      zone_memo_.look(static_cast<std::uint32_t>(action_.index()),
                      std::span<const StateBits>(zone_bits_), zone_key_.data());
  if (!zone.known())
    return false;
  ++hits_;
  append_zone(zone_numbers_[ZoneNumber(zone.answer)], step, hash, out);
  return true;
}

// That of the last successor.
void SuccessorGenerator::remember_zone(const Successors& out) {
  const ZoneNumber zone = zone_numbers_.intern(out.state(out.size() - 1).subspan(words_));
  zone_memo_.remember(static_cast<std::uint32_t>(action_.index()), zone_bits_, zone_key_.data(),
                      static_cast<std::uint32_t>(zone.index()));
}

// What holds for clocks in the successor being built, which next_ has. Null: an invariant does not
// hold, whatever they say.
const SuccessorGenerator::Stay* SuccessorGenerator::find_stay() {
  if (stays_)
    if (const Stay* const known = stays_->find(target_.data()))
      return known;
  work_.constraints.clear();
  work_.stopped.clear();
  if (!invariants_hold())
    return nullptr;
  Stay& stay = stays_ ? stays_->add(target_.data()) : stay_;
  fill(stay);
  return &stay;
}

// From what invariants handed over.
void SuccessorGenerator::fill(Stay& stay) {
  stay.invariant = work_.constraints;
  stay.stopped = work_.stopped;
  stay.time_passes = time_may_pass();
  stay.is_implied_later =
      work_.stopped.empty() &&
      std::ranges::none_of(work_.constraints,
                           [](const ClockConstraint& constraint) { return constraint.i == 0; });
  system_.collect_bounds(next_locations_, stay.bounds);
}

// Do they have a point in common?
bool SuccessorGenerator::meets(const Zone& zone, std::span<const ClockConstraint> constraints) {
  const ZoneView view = zone.view();
  if (!std::ranges::all_of(constraints, [&](const ClockConstraint& c) { return view.can_hold(c); }))
    return false;
  rest_ = zone;
  return std::ranges::all_of(constraints,
                             [&](const ClockConstraint& c) { return rest_.view().constrain(c); });
}

// Takes a convex set out of all pieces: what remains of one is cut at one constraint after the
// other, so that the new pieces do not overlap.
void SuccessorGenerator::subtract(std::span<const ClockConstraint> constraints) {
  const std::size_t count = piece_count_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    meter_.spend(zone_work());
    if (!meets(pieces_[i].zone, constraints)) {
      std::swap(pieces_[kept++], pieces_[i]);
      continue;
    }
    Piece rest = pieces_[i];
    for (const ClockConstraint& constraint : constraints) {
      Piece& outside = new_piece(rest.zone, rest.constraints);
      if (!narrow(outside, constraint.negated()))
        --piece_count_;
      if (!narrow(rest, constraint))
        break;
    }
  }
  // The untouched ones lie in front, the new ones behind all that was there.
  for (std::size_t i = count; i < piece_count_; ++i)
    std::swap(pieces_[kept++], pieces_[i]);
  piece_count_ = kept;
}

// What all assignments together do to each clock, and which of them subtract, on the way.
void SuccessorGenerator::collect_images() {
  lowered_.clear();
  for (std::uint32_t i = 0; i < images_.size(); ++i)
    images_[i] = {.target = i, .source = i};
  for (const ClockAssignment& assignment : work_.assignments) {
    const ClockAssignment& from = images_[assignment.source];
    images_[assignment.target] = {.target = assignment.target,
                                  .source = from.source,
                                  .offset = from.offset + assignment.offset,
                                  .at = assignment.at};
    if (images_[assignment.target].offset < 0)
      lowered_.push_back(images_[assignment.target]);
  }
}

// A clock that is set to another one minus something must not become negative. Where such errors
// are skipped, the step exists in the rest of the piece. False: nothing is left, or the error stops
// us.
bool SuccessorGenerator::narrow_to_positive(Piece& piece) {
  for (const ClockAssignment& image : lowered_) {
    const ClockConstraint fits{.i = 0, .j = image.source, .bound = Bound::at_most(image.offset)};
    if (piece.zone.view().implies(fits))
      continue;
    note_error({.status = RunStatus::kValueOutOfRange,
                .at = system_.code().origins[image.at],
                .misfit = {.value = image.offset, .low = 0, .high = kMostClockNumber}});
    if (failed_ || !narrow(piece, fits))
      return false;
  }
  return true;
}

// The invariants of the new locations, as conditions on the clocks before the assignments.
bool SuccessorGenerator::narrow_to_invariants(Piece& piece, const Stay& stay) const {
  return std::ranges::all_of(stay.invariant, [&](const ClockConstraint& constraint) {
    const ClockAssignment& i = images_[constraint.i];
    const ClockAssignment& j = images_[constraint.j];
    const Bound bound = constraint.bound + Bound::at_most(j.offset - i.offset);
    if (i.source == j.source)
      return bound >= Bound::at_most(0);
    return narrow(piece, {.i = i.source, .j = j.source, .bound = bound});
  });
}

// Lets time pass, as far as it may and invariants allow. False: they do not hold at all.
bool SuccessorGenerator::settle(Zone& zone, const Stay& stay) const {
  ZoneView view = zone.view();
  if (stay.time_passes && stay.stopped.empty()) {
    view.up();
  } else if (stay.time_passes) {
    std::vector<bool> stopped(system_.zone_size());
    for (const std::uint32_t clock : stay.stopped)
      stopped[clock] = true;
    view.up(stopped);
  }
  return view.constrain(stay.invariant);
}

// Calls take with parts of the zone, each on one side of every diagonal, and with the sides where
// that was a choice.
template <class F>
void SuccessorGenerator::split_on_diagonals(const Zone& zone,
                                            std::size_t first,
                                            std::vector<ClockConstraint>& sides,
                                            F take) const {
  const std::vector<ClockConstraint>& diagonals = system_.diagonals();
  for (std::size_t i = first; i < diagonals.size(); ++i) {
    const ClockConstraint& here = diagonals[i];
    if (zone.view().implies(here) || !zone.view().can_hold(here))
      continue;
    for (const ClockConstraint& side : {here, here.negated()}) {
      Zone part = zone;
      sides.push_back(side);
      if (part.view().constrain(side))
        split_on_diagonals(part, i + 1, sides, take);
      sides.pop_back();
    }
    return;
  }
  take(zone);
}

// A zone on one side of a diagonal stays there (docs/algorithms.md 3.5). With stopwatches one may
// lie on both sides, at the start and after a wait; then it becomes larger than need be.
void SuccessorGenerator::extrapolate(Zone& zone, const Stay& stay) const {
  if (system_.diagonals().empty()) {
    zone.view().extrapolate(stay.bounds);
  } else {
    const Zone exact = zone;
    zone.view().extrapolate(stay.bounds);
    for (const ClockConstraint& diagonal : system_.diagonals()) {
      if (exact.view().implies(diagonal))
        zone.view().constrain(diagonal);
      else if (!exact.view().can_hold(diagonal))
        zone.view().constrain(diagonal.negated());
    }
  }
  if (system_.has_great_numbers() && zone.view().forget_great_differences())
    system_.note_forgotten();
}

// The target with all zones that it can be entered with.
void SuccessorGenerator::append_zones(Team team, std::uint64_t hash, Successors& out) {
  collect_images();
  const ClockActionId action = action_of(team);
  action_ = remembers_zones_ && !depends_on_others(team) ? action : ClockActionId();
  if (!action_.valid() || !recall_zone({}, hash, out))
    if (const Stay* const stay = find_stay())
      append_pieces(*stay, {}, hash, out);
  action_ = action;
}

// The target with a zone for each piece that is left. With an action, it is remembered what came
// of it.
void SuccessorGenerator::append_pieces(const Stay& stay,
                                       const Successors::StepRef& step,
                                       std::uint64_t hash,
                                       Successors& out) {
  // Whoever wants to know when the step can be taken gets all conditions.
  const bool is_narrow = stay.is_implied_later && !system_.has_priorities() && !keeps_details_;
  std::uint32_t count = 0;
  const auto append = [&](Zone& zone) {
    meter_.spend(zone_work());
    extrapolate(zone, stay);
    std::uint64_t* const state = out.room(system_.state_words());
    std::ranges::copy(target_, state);
    system_.store_zone(zone.data(), state);
    out.add({.team = step.team, .kind = step.kind, .piece = count++}, hash, 0);
  };
  for (std::size_t i = 0; i < piece_count_ && !failed_; ++i) {
    Piece& piece = pieces_[i];
    if (!narrow_to_positive(piece))
      continue;
    const std::size_t guard_size = piece.constraints.size();
    if (!is_narrow && !narrow_to_invariants(piece, stay))
      continue;
    if (system_.has_priorities())
      level_.push_back(piece.constraints);
    assign(work_.assignments, piece.zone.view());
    if (!settle(piece.zone, stay))
      continue;
    if (system_.diagonals().empty() && !keeps_details_) {
      append(piece.zone);
      continue;
    }
    std::vector<ClockConstraint> sides;
    split_on_diagonals(piece.zone, 0, sides, [&](const Zone& part) {
      Zone zone = part;
      append(zone);
      if (!keeps_details_)
        return;
      const auto guard = std::span(piece.constraints).first(guard_size);
      out.clock_details.push_back({.guard = {guard.begin(), guard.end()},
                                   .assignments = work_.assignments,
                                   .invariant = stay.invariant,
                                   .stopped = stay.stopped,
                                   .time_passes = stay.time_passes,
                                   .leaving = sides});
    });
  }
  if (count == 1 && action_.valid() && !had_error_)
    remember_zone(out);
}

// Pre: the target is the initial state, and next_ has it.
bool SuccessorGenerator::set_initial_zone(Initial& out) {
  Zone zone(system_.zone_size() - 1);
  zone.view().set_zero();
  const Network& network = system_.network();
  for (std::size_t i = 0; i < network.clocks.size(); ++i)
    zone.view().set(i + 1, network.clocks[ClockId(i)].initial);
  const Stay* const stay = find_stay();
  if (stay == nullptr || !zone.view().constrain(stay->invariant) || !settle(zone, *stay))
    return false;
  out.clocks = {
      .invariant = stay->invariant, .stopped = stay->stopped, .time_passes = stay->time_passes};
  extrapolate(zone, *stay);
  system_.store_zone(zone.data(), out.state.data());
  return true;
}

SuccessorGenerator::Waiting SuccessorGenerator::wait(const std::uint64_t* state,
                                                     std::span<const ClockConstraint> until) {
  const MemoryMap& map = system_.network().memory;
  failed_ = false;
  std::copy_n(state, words_, target_.begin());
  system_.layout().unpack(state, next_locations_, next_.data());
  next_is_copy_ = false;
  std::copy(system_.code().memory.begin() + map.state, system_.code().memory.begin() + map.meta,
            next_.begin() + map.state);
  // Invariants did hold when the state was entered, but may have read meta variables.
  const Stay* stay = find_stay();
  if (stay == nullptr) {
    fill(stay_);
    stay = &stay_;
  }
  Waiting out{.state = std::vector<std::uint64_t>(state, state + system_.state_words()),
              .moment = Zone(system_.zone_size() - 1),
              .clocks = {.guard = std::vector<ClockConstraint>(until.begin(), until.end()),
                         .invariant = stay->invariant,
                         .stopped = stay->stopped,
                         .time_passes = stay->time_passes}};
  system_.load_zone(state, out.moment.data());
  for (const ClockConstraint& constraint : until)
    out.moment.view().constrain(constraint);
  Zone after = out.moment;
  [[maybe_unused]] const bool possible = settle(after, *stay);
  extrapolate(after, *stay);
  system_.store_zone(after.data(), out.state.data());
  return out;
}

// In the successor being built.
bool SuccessorGenerator::time_may_pass() {
  for (std::size_t p = 0; p < next_locations_.size(); ++p)
    if (system_.location(p, next_locations_[p]).stops_time)
      return false;
  return !system_.has_urgent_channels() || !has_urgent_step();
}

// Can anybody synchronise on an urgent channel? Invariants of the targets do not matter.
bool SuccessorGenerator::has_urgent_step() {
  const MemoryMap& map = system_.network().memory;
  settled_ = system_.code().memory;
  std::copy_n(next_.begin(), map.state, settled_.begin());
  urgent_offers_.clear();
  for (std::size_t p = 0; p < next_locations_.size(); ++p)
    for (const std::uint32_t edge : system_.location(p, next_locations_[p]).urgent_edges)
      collect_urgent(edge);
  return std::ranges::any_of(urgent_offers_, [&](const UrgentOffer& sender) {
    if (sender.direction != Direction::kSend)
      return false;
    return system_.network().channels[ChannelId(sender.channel)].broadcast ||
           std::ranges::any_of(urgent_offers_, [&](const UrgentOffer& receiver) {
             return receiver.direction == Direction::kReceive &&
                    receiver.channel == sender.channel && receiver.process != sender.process;
           });
  });
}

// Errors are not reported here: they are found when the state is expanded.
void SuccessorGenerator::collect_urgent(std::uint32_t index) {
  const Code& code = system_.code();
  const auto holds = [&](const CompiledEdge& e) {
    if (e.guard == CodeBlock::kNone)
      return true;
    const RunResult result = run(code, e.guard, settled_.data());
    return result.status == RunStatus::kOk && result.holds;
  };
  for_each_way(index, settled_, [&](const CompiledEdge& edge, std::uint32_t branch) {
    if (!holds(edge) || (branch != kNoBranch && !holds(system_.edge(branch))))
      return true;
    const CompiledEdge& syncing =
        branch != kNoBranch && !edge.channel.present() ? system_.edge(branch) : edge;
    if (!syncing.channel.present() ||
        (syncing.channel.entry != CodeBlock::kNone &&
         run(code, syncing.channel.entry, settled_.data()).status != RunStatus::kOk))
      return true;
    const auto channel = static_cast<std::uint32_t>(settled_[syncing.channel.result]);
    if (system_.network().channels[ChannelId(channel)].urgent)
      urgent_offers_.push_back(
          {.process = edge.process, .channel = channel, .direction = syncing.direction});
    return true;
  });
}

}  // namespace tw
