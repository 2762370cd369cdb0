#include "engine/suite/walker.hpp"

#include <algorithm>
#include <cassert>

namespace tw {

// Errors are skipped here: a step of a trace that the search found has none itself, and another
// one of the same state does not matter any more.
Walker::Walker(const System& system, Effects& effects)
    : system_(system),
      effects_(effects),
      generator_(system, OnError::kSkip),
      step_effects_(system, generator_, effects) {
  SuccessorGenerator::Initial initial = generator_.initial();
  start_.end = std::move(initial.state);
  initial_clocks_ = std::move(initial.clocks);
  if (system.is_timed())
    generator_.keep_clock_details();
  const OutcomeId outcome = step_effects_.initial(start_.end.data());
  start_.tokens = effects_.tokens(outcome);
  for (const ItemId item : effects_.items(outcome))
    start_.gains.push_back({.item = item});
}

std::size_t Walker::find(const Step& step) const {
  for (std::size_t i = 0; i < successors_.size(); ++i)
    if (generator_.describe(successors_, i) == step)
      return i;
  assert(false && "the steps of a trace are possible");
  return successors_.size();
}

void Walker::extend(Walk& walk, std::span<const Step> steps) {
  std::vector<std::uint64_t> known;
  for (const Walk::Gain& gain : walk.gains)
    set_bit(known, gain.item.index());
  for (const Step& step : steps) {
    generator_.expand(walk.end.data(), successors_);
    step_effects_.leave(walk.end.data());
    const std::size_t i = find(step);
    const OutcomeId outcome = effects_.apply(step_effects_.of(successors_, i), walk.tokens);
    walk.end.assign(successor(i), successor(i) + system_.state_words());
    walk.tokens = effects_.tokens(outcome);
    walk.steps.push_back(step);
    for (const ItemId item : effects_.items(outcome)) {
      if (contains(known, item.index()))
        continue;
      set_bit(known, item.index());
      walk.gains.push_back({.item = item, .step = static_cast<std::uint32_t>(walk.steps.size())});
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

Timetable Walker::timetable(std::span<const Step> steps) {
  Timetable out(system_.network(), initial_clocks_);
  std::vector<std::uint64_t> state = start_.end;
  for (const Step& step : steps) {
    generator_.expand(state.data(), successors_);
    const std::size_t i = find(step);
    out.add_step(successors_.clock_details[i]);
    state.assign(successor(i), successor(i) + system_.state_words());
  }
  return out;
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

std::vector<Snapshot> Walker::snapshots(std::span<const Step> steps) {
  std::vector<Snapshot> out;
  std::vector<std::uint64_t> state = start_.end;
  for (const Step& step : steps) {
    generator_.expand(state.data(), successors_);
    const std::size_t i = find(step);
    state.assign(successor(i), successor(i) + system_.state_words());
    out.push_back(snapshot(state.data()));
  }
  return out;
}

}  // namespace tw
