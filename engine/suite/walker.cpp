#include "engine/suite/walker.hpp"

#include <algorithm>
#include <cassert>

#include "engine/base/budget.hpp"

namespace tw {

// Errors are skipped here: a step of a trace that the search found has none itself, and another
// one of the same state does not matter any more.
Walker::Walker(const System& system, Effects& effects)
    : system_(system),
      effects_(effects),
      generator_(system, OnError::kSkip),
      observer_(system, generator_, effects) {
  SuccessorGenerator::Initial initial = generator_.initial();
  start_.end = std::move(initial.state);
  initial_clocks_ = std::move(initial.clocks);
  if (system.is_timed())
    generator_.keep_clock_details();
  StepLook look = look_at_initial(effects_, observer_, start_.end.data());
  start_.tokens = look.tokens;
  std::sort(look.items.begin(), look.items.end());
  look.items.erase(std::unique(look.items.begin(), look.items.end()), look.items.end());
  for (const ItemId item : look.items)
    start_.gains.push_back({.item = item});
}

void Walker::ignore(const Ledger& others) {
  others_ = &others;
  std::erase_if(start_.gains, [&](const Walk::Gain& gain) { return others.is_covered(gain.item); });
}

std::size_t Walker::find(const Step& step) const {
  for (std::size_t i = 0; i < successors_.size(); ++i)
    if (generator_.describe(successors_, i) == step)
      return i;
  assert(false && "the steps of a trace are possible");
  return successors_.size();
}

// Takes one step from where the walk ends; what it shows.
StepLook Walker::advance(Walk& walk, const Step& step) {
  check_budget();
  if (step.is_wait()) {
    SuccessorGenerator::Waiting waiting = generator_.wait(walk.end.data(), step.until);
    StateObserver::Findings findings;
    observer_.look_at_moment(walk.end.data(), waiting.moment, walk.tokens, findings);
    StepLook out{.tokens = walk.tokens};
    for (const OutcomeId outcome : findings.outcomes) {
      out.tokens = effects_.sets().unite(out.tokens, effects_.sets()[effects_.tokens(outcome)]);
      const auto items = effects_.items(outcome);
      out.items.insert(out.items.end(), items.begin(), items.end());
    }
    walk.end = std::move(waiting.state);
    return out;
  }
  generator_.expand(walk.end.data(), successors_);
  step_effects_.add_all(generator_);
  const std::size_t i = find(step);
  StepLook out =
      look_at_step(effects_, observer_, step_effects_.of(successors_.step(i).kind, effects_),
                   walk.tokens, successors_.state(i).data());
  walk.end.assign(successors_.state(i).begin(), successors_.state(i).end());
  return out;
}

void Walker::extend(Walk& walk, std::span<const Step> steps) {
  std::vector<std::uint64_t> known;
  for (const Walk::Gain& gain : walk.gains)
    set_bit(known, gain.item.index());
  auto length = static_cast<std::uint32_t>(walk.length());
  for (const Step& step : steps) {
    StepLook look = advance(walk, step);
    walk.tokens = look.tokens;
    walk.steps.push_back(step);
    length += step.is_wait() ? 0U : 1U;
    // Most of what a state shows was seen before: sort only the rest.
    std::erase_if(look.items, [&](ItemId item) {
      return contains(known, item.index()) || (others_ != nullptr && others_->is_covered(item));
    });
    std::sort(look.items.begin(), look.items.end());
    for (const ItemId item : look.items) {
      if (contains(known, item.index()))
        continue;
      set_bit(known, item.index());
      walk.gains.push_back(
          {.item = item, .step = static_cast<std::uint32_t>(walk.steps.size()), .length = length});
    }
  }
}

Walk Walker::walk(std::span<const Step> steps) {
  Walk out = start_;
  extend(out, steps);
  return out;
}

void Walker::cut(Walk& walk, std::size_t steps) {
  walk.steps.resize(steps);
  std::erase_if(walk.gains, [&](const Walk::Gain& gain) { return gain.step > steps; });
}

Snapshot Walker::initial() const {
  Snapshot out = snapshot(start_.end.data());
  for (const Clock& clock : system_.network().clocks)
    out.clocks.emplace_back(clock.initial);
  return out;
}

// The state after one more step, and what that demands of clocks.
void Walker::go(const Step& step, std::vector<std::uint64_t>& state, ClockDetails* clocks) {
  check_budget();
  if (step.is_wait()) {
    SuccessorGenerator::Waiting waiting = generator_.wait(state.data(), step.until);
    state = std::move(waiting.state);
    if (clocks != nullptr)
      *clocks = std::move(waiting.clocks);
    return;
  }
  generator_.expand(state.data(), successors_);
  const std::size_t i = find(step);
  if (clocks != nullptr && system_.is_timed())
    *clocks = std::move(successors_.clock_details[i]);
  state.assign(successors_.state(i).begin(), successors_.state(i).end());
}

Timetable Walker::timetable(std::span<const Step> steps) {
  Timetable out(system_.network(), initial_clocks_);
  std::vector<std::uint64_t> state = start_.end;
  ClockDetails clocks;
  for (const Step& step : steps) {
    go(step, state, &clocks);
    out.add_step(clocks);
  }
  return out;
}

// The moments of the pins are further moments of the timetable. A delay is then several, and its
// interval that of the last one, unless the step follows it at once: then that of the one before.
void Walker::narrow(Test& test, std::span<const Pin> pins) {
  if (pins.empty())
    return;
  Timetable timetable(system_.network(), initial_clocks_);
  std::vector<Rational> parts;
  std::vector<std::pair<std::size_t, Rational>> moving;  // by step: which part, what comes before
  std::vector<std::uint64_t> state = start_.end;
  ClockDetails clocks = initial_clocks_;
  std::size_t next = 0;
  for (std::size_t i = 0; i <= test.steps.size(); ++i) {
    Rational spent = 0;
    std::pair<std::size_t, Rational> moves;
    bool is_leaving = false;
    for (; next < pins.size() && pins[next].steps == i; ++next) {
      ClockDetails pinned = clocks;
      pinned.guard.clear();
      pinned.assignments.clear();
      observer_.pin(state.data(), pins[next].observations, pins[next].clocks, pinned.guard);
      timetable.add_step(pinned);
      parts.push_back(pins[next].after - spent);
      if (pins[next].is_leaving && !is_leaving) {
        moves = {parts.size() - 1, spent};
        is_leaving = true;
      }
      spent = pins[next].after;
    }
    if (i == test.steps.size())
      break;
    go(test.steps[i], state, &clocks);
    timetable.add_step(clocks);
    parts.push_back(test.delays[i].chosen - spent);
    if (!is_leaving)
      moves = {parts.size() - 1, spent};
    moving.push_back(std::move(moves));
  }
  timetable.describe_chosen(parts);
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const Delay& part = timetable.delays()[moving[i].first];
    Delay& delay = test.delays[i];
    delay.min = moving[i].second + part.min;
    delay.min_strict = part.min_strict;
    delay.max_strict = part.max_strict;
    delay.max = part.max ? std::optional<Rational>(moving[i].second + *part.max) : std::nullopt;
  }
}

Snapshot Walker::snapshot(const std::uint64_t* state) const {
  const Network& network = system_.network();
  std::vector<std::uint32_t> locations(network.processes.size());
  Snapshot out;
  out.cells.resize(network.memory.state);
  system_.layout().unpack(state, locations, out.cells.data());
  for (std::size_t p = 0; p < locations.size(); ++p)
    out.locations.emplace_back(network.processes[ProcessId(p)].first_location.index() +
                               locations[p]);
  return out;
}

Walker::Run::Run(Walker& walker)
    : walker_(walker),
      state_(walker.start_.end),
      clocks_(walker.initial_clocks_),
      snapshot_(walker.initial()) {}

void Walker::Run::take(const Step& step, const Rational& delay) {
  std::vector<Rational> clocks = std::move(snapshot_.clocks);
  std::vector<bool> stopped(clocks.size() + 1);
  for (const std::uint32_t clock : clocks_.stopped)
    stopped[clock] = true;
  for (std::size_t i = 0; i < clocks.size() && delay != 0; ++i)
    if (!stopped[i + 1])
      clocks[i] += delay;
  walker_.go(step, state_, &clocks_);
  for (const ClockAssignment& assignment : clocks_.assignments) {
    Rational value = assignment.source == 0 ? Rational(0) : clocks[assignment.source - 1];
    clocks[assignment.target - 1] = value + static_cast<long>(assignment.offset);
  }
  snapshot_ = walker_.snapshot(state_.data());
  snapshot_.clocks = std::move(clocks);
}

}  // namespace tw
