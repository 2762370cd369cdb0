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
  replay::Run run(interpreter_, monitor_);
  Walker::Run own(walker_);
  for (std::size_t i = 0; i < test.steps.size(); ++i, ++confirmed) {
    if (!delays.empty())
      if (std::string why = try_ends(test, delays, i, run.state()); !why.empty())
        return why;
    const Rational delay = delays.empty() ? Rational(0) : delays[i];
    if (const std::optional<replay::StepResult> failed = run.take(test.steps[i], delay))
      return fmt::format("step {}: {}", i + 1, failed->why_not);
    own.take(test.steps[i], delay);
    if (!is_same(run.state(), own.state()))
      return fmt::format("step {}: replay ends in another state", i + 1);
  }
  return {};
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
           return verdicts[item.index()].status == ItemStatus::kInfeasible;
         });
}

}  // namespace tw
