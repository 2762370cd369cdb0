#include "engine/suite/confirm.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

namespace tw {
namespace {

bool is_same(const replay::RunState& state, const Snapshot& other) {
  return state.locations == other.locations &&
         std::equal(other.cells.begin(), other.cells.end(), state.cells.begin()) &&
         state.clocks == other.clocks;
}

}  // namespace

Confirmation::Confirmation(const Network& network,
                           CoverageRules& rules,
                           Walker& walker,
                           OnError on_error)
    : rules_(rules),
      walker_(walker),
      interpreter_(replay::interpreter_for(network, rules, on_error)),
      monitor_(network, rules) {}

std::string Confirmation::find_fault(const Test& test,
                                     const std::vector<Verdict>& verdicts,
                                     std::size_t& confirmed) {
  confirmed = 0;
  if (auto problem = interpreter_.initial_problem())
    return std::move(*problem);
  if (std::string why = follow(test, confirmed); !why.empty())
    return why;
  if (!covers_what_was_promised(monitor_.covered(), test.covers, verdicts))
    return "replay covers other items";
  return {};
}

// Both implementations side by side.
std::string Confirmation::follow(const Test& test, std::size_t& confirmed) {
  std::vector<Rational> delays;
  for (const Delay& delay : test.delays)
    delays.push_back(delay.chosen);
  gains_.clear();
  pins_.clear();
  replay::Run run(interpreter_, monitor_);
  pin_arrival(0, run.state());
  note_gains(0, 0);
  std::size_t length = 0;
  Walker::Run own(walker_);
  for (std::size_t i = 0; i < test.steps.size(); ++i, ++confirmed) {
    if (!delays.empty())
      if (std::string why = try_ends(test, delays, i, run.state()); !why.empty())
        return why;
    const Rational delay = delays.empty() ? Rational(0) : delays[i];
    const replay::RunState before = run.state();
    if (const std::optional<replay::StepResult> failed = run.take(test.steps[i], delay))
      return fmt::format("step {}: {}", i + 1, failed->why_not);
    pin_stay(i, delay, run, before);
    if (!test.steps[i].is_wait()) {
      pin_arrival(i + 1, run.state());
      ++length;
    }
    note_gains(i + 1, length);
    own.take(test.steps[i], delay);
    if (!is_same(run.state(), own.state()))
      return fmt::format("step {}: replay ends in another state", i + 1);
  }
  return {};
}

void Confirmation::note_gains(std::size_t step, std::size_t length) {
  const std::vector<ItemId>& items = monitor_.in_order();
  while (gains_.size() < items.size())
    gains_.push_back({.item = items[gains_.size()],
                      .step = static_cast<std::uint32_t>(step),
                      .length = static_cast<std::uint32_t>(length)});
}

// What is shown until the stay ends is pinned there, the rest in the middle.
void Confirmation::pin_stay(std::size_t step,
                            const Rational& delay,
                            const replay::Run& run,
                            const replay::RunState& before) {
  const std::size_t first = pins_.size();
  for (const replay::Monitor::Sight& sight : run.on_the_way()) {
    const bool is_leaving = sight.last == 1;
    const Rational part = is_leaving ? Rational(1) : Rational((sight.first + sight.last) / 2);
    Walker::Pin pin{.steps = step,
                    .after = part * delay,
                    .is_leaving = is_leaving,
                    .observations = {sight.observation},
                    .clocks = replay::on_the_way(before, run.waited(), part).clocks};
    pins_.push_back(std::move(pin));
  }
  std::stable_sort(pins_.begin() + static_cast<std::ptrdiff_t>(first), pins_.end(),
                   [](const Walker::Pin& a, const Walker::Pin& b) { return a.after < b.after; });
}

void Confirmation::pin_arrival(std::size_t steps, const replay::RunState& state) {
  Walker::Pin pin{.steps = steps, .after = 0, .observations = {}, .clocks = state.clocks};
  for (const replay::Monitor::Sight& sight : monitor_.news())
    pin.observations.push_back(sight.observation);
  if (!pin.observations.empty())
    pins_.push_back(std::move(pin));
}

std::string Confirmation::try_ends(const Test& test,
                                   std::span<const Rational> delays,
                                   std::size_t i,
                                   const replay::RunState& before) const {
  const Delay& delay = test.delays[i];
  std::vector<Rational> ends;
  if (!delay.min_strict)
    ends.push_back(delay.min);
  if (delay.max && !delay.max_strict)
    ends.push_back(*delay.max);
  for (const Rational& end : ends) {
    if (end == delay.chosen)
      continue;
    const std::string why = replay::why_not_with(
        interpreter_, before, std::span(test.steps).subspan(i), delays.subspan(i), end);
    if (!why.empty())
      return fmt::format("step {}: a delay of {} is not possible: {}", i + 1, to_string(end), why);
  }
  return {};
}

// Where clocks are looked at, a test may show more than what is sure for all its delays; nothing of
// that may have been called infeasible.
bool Confirmation::covers_what_was_promised(const std::vector<ItemId>& covered,
                                            const std::vector<ItemId>& promised,
                                            const std::vector<Verdict>& verdicts) const {
  if (!rules_.has_timed_observations())
    return covered == promised;
  return std::ranges::includes(covered, promised) &&
         std::ranges::none_of(covered, [&](ItemId item) {
           return item.index() < verdicts.size() &&
                  verdicts[item.index()].status == ItemStatus::kInfeasible;
         });
}

}  // namespace tw
