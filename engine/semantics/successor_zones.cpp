// Steps of timed networks, on zones (Bengtsson and Yi 2004).
//
// A team fires where its guards hold, the target invariants hold after its updates, the receivers
// that stay behind cannot receive, and nothing of a higher priority exists. The first two are
// conjunctions; the others are complements, so the set may consist of several convex *pieces*, each
// of which is a successor of its own. Then clocks are set, time passes as far as it may, and what
// can never be found out any more is forgotten. HOT: bench semantics/expand.

#include <algorithm>

#include "engine/semantics/successors.hpp"

namespace tw {

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
    for (const ClockConstraint& constraint : guard_of(*candidate))
      if (!narrow(all, constraint))
        return false;
  const Candidate& sender = *team.front();
  if (sender.direction == Direction::kSend &&
      system_.network().channels[ChannelId(sender.channel)].broadcast) {
    for_each_receiver(sender.channel, [&](const Candidate& other) {
      if (std::ranges::none_of(
              team, [&](const Candidate* member) { return member->process == other.process; }))
        subtract(guard_of(other));
      return true;
    });
  }
  for (const std::vector<ClockConstraint>& higher : blocked_)
    subtract(higher);
  return piece_count_ != 0;
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
    check({.status = RunStatus::kValueOutOfRange, .at = image.at}, EdgeId());
    if (failed_ || !narrow(piece, fits))
      return false;
  }
  return true;
}

// The invariants of the new locations, as conditions on the clocks before the assignments.
bool SuccessorGenerator::narrow_to_invariants(Piece& piece) const {
  return std::ranges::all_of(work_.constraints, [&](const ClockConstraint& constraint) {
    const ClockAssignment& i = images_[constraint.i];
    const ClockAssignment& j = images_[constraint.j];
    const Bound bound = constraint.bound + Bound::at_most(j.offset - i.offset);
    if (i.source == j.source)
      return bound >= Bound::at_most(0);
    return narrow(piece, {.i = i.source, .j = j.source, .bound = bound});
  });
}

// Lets time pass, as far as invariants allow. False: they do not hold at all.
bool SuccessorGenerator::settle(Zone& zone, bool time_passes) const {
  ZoneView view = zone.view();
  if (time_passes && work_.stopped.empty()) {
    view.up();
  } else if (time_passes) {
    std::vector<bool> stopped(system_.zone_size());
    for (const std::uint32_t clock : work_.stopped)
      stopped[clock] = true;
    view.up(stopped);
  }
  return std::ranges::all_of(work_.constraints, [&](const ClockConstraint& constraint) {
    return view.constrain(constraint);
  });
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

// A zone on one side of every diagonal stays there (Bengtsson and Yi 2004).
void SuccessorGenerator::extrapolate(Zone& zone) const {
  if (system_.diagonals().empty()) {
    zone.view().extrapolate(bounds_);
    return;
  }
  const Zone exact = zone;
  zone.view().extrapolate(bounds_);
  for (const ClockConstraint& diagonal : system_.diagonals())
    zone.view().constrain(exact.view().implies(diagonal) ? diagonal : diagonal.negated());
}

// Turns the last successor, whose discrete part is complete, into one per piece that is left; none
// if nothing is.
void SuccessorGenerator::append_zones(Successors& out) {
  const std::size_t words = system_.state_words();
  const Successors::StepRef step = out.steps.back();
  const std::size_t first = out.states.size() - words;
  const std::uint64_t hash = out.hashes.back();
  out.steps.pop_back();
  out.hashes.pop_back();

  collect_images();
  const bool time_passes = time_may_pass();
  system_.collect_bounds(next_locations_, bounds_);
  std::uint32_t count = 0;
  const auto append = [&](Zone& zone) {
    extrapolate(zone);
    if (count != 0) {
      out.states.resize(out.states.size() + words);
      std::copy_n(out.states.data() + first, system_.layout().words(),
                  out.states.data() + out.states.size() - words);
    }
    system_.store_zone(zone.data(), out.states.data() + out.states.size() - words);
    out.steps.push_back(step);
    out.hashes.push_back(hash);
    out.steps.back().piece = count++;
  };
  for (std::size_t i = 0; i < piece_count_ && !failed_; ++i) {
    Piece& piece = pieces_[i];
    if (!narrow_to_positive(piece))
      continue;
    const std::size_t guard_size = piece.constraints.size();
    if (!narrow_to_invariants(piece))
      continue;
    if (system_.has_priorities())
      level_.push_back(piece.constraints);
    for (const ClockAssignment& assignment : work_.assignments) {
      if (assignment.source == 0)
        piece.zone.view().set(assignment.target, assignment.offset);
      else
        piece.zone.view().set_to(assignment.target, assignment.source, assignment.offset);
    }
    if (!settle(piece.zone, time_passes))
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
                                   .invariant = work_.constraints,
                                   .stopped = work_.stopped,
                                   .time_passes = time_passes});
      // Differences do not change while time passes.
      std::vector<ClockConstraint>& invariant = out.clock_details.back().invariant;
      invariant.insert(invariant.end(), sides.begin(), sides.end());
    });
  }
  if (count == 0)
    out.states.resize(first);
}

bool SuccessorGenerator::set_initial_zone(Initial& out) {
  Zone zone(system_.zone_size() - 1);
  zone.view().set_zero();
  const Network& network = system_.network();
  for (std::size_t i = 0; i < network.clocks.size(); ++i)
    zone.view().set(i + 1, network.clocks[ClockId(i)].initial);
  const bool time_passes = time_may_pass();
  if (!settle(zone, false) || !settle(zone, time_passes))
    return false;
  out.clocks = {
      .invariant = work_.constraints, .stopped = work_.stopped, .time_passes = time_passes};
  system_.collect_bounds(next_locations_, bounds_);
  extrapolate(zone);  // all differences are known, so no diagonal divides it
  system_.store_zone(zone.data(), out.state.data());
  return true;
}

SuccessorGenerator::Waiting SuccessorGenerator::wait(const std::uint64_t* state,
                                                     std::span<const ClockConstraint> until) {
  const MemoryMap& map = system_.network().memory;
  failed_ = false;
  system_.layout().unpack(state, next_locations_, next_.data());
  std::copy(system_.code().memory.begin() + map.state, system_.code().memory.begin() + map.meta,
            next_.begin() + map.state);
  work_.clear();
  // They did hold when the state was entered; now they hand over their constraints again.
  [[maybe_unused]] const bool holds = invariants_hold();
  const bool time_passes = time_may_pass();
  Waiting out{.state = std::vector<std::uint64_t>(state, state + system_.state_words()),
              .moment = Zone(system_.zone_size() - 1),
              .clocks = {.guard = std::vector<ClockConstraint>(until.begin(), until.end()),
                         .invariant = work_.constraints,
                         .stopped = work_.stopped,
                         .time_passes = time_passes}};
  system_.load_zone(state, out.moment.data());
  for (const ClockConstraint& constraint : until)
    out.moment.view().constrain(constraint);
  Zone after = out.moment;
  [[maybe_unused]] const bool possible = settle(after, time_passes);
  system_.collect_bounds(next_locations_, bounds_);
  extrapolate(after);
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
