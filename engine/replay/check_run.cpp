#include "engine/replay/check_run.hpp"

#include <cassert>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/replay/fire.hpp"

namespace tw::replay {

Interpreter interpreter_for(const Network& network, const CoverageRules& rules, OnError on_error) {
  return Interpreter(network, rules.invariant_uses(), on_error);
}

RunCheck check_run(const Network& network,
                   CoverageRules& rules,
                   std::span<const Step> steps,
                   std::span<const Rational> delays,
                   OnError on_error) {
  Monitor monitor(network, rules);
  return check_run(interpreter_for(network, rules, on_error), monitor, steps, delays);
}

RunCheck check_run(const Interpreter& interpreter,
                   Monitor& monitor,
                   std::span<const Step> steps,
                   std::span<const Rational> delays) {
  assert((delays.empty() || delays.size() == steps.size()) && "one delay before each step");
  RunCheck out;
  if (auto problem = interpreter.initial_problem()) {
    out.why_not = std::move(*problem);
    return out;
  }
  Run run(interpreter, monitor);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::optional<StepResult> failed = run.take(steps[i], delays.empty() ? Rational(0) : delays[i]);
    if (!failed)
      continue;
    out.failed_step = i;
    out.why_not = std::move(failed->why_not);
    out.error = failed->error;
    out.error_at = failed->error_at;
    out.covered = run.covered();
    return out;
  }
  out.possible = true;
  out.covered = run.covered();
  return out;
}

Run::Run(const Interpreter& interpreter, Monitor& monitor)
    : interpreter_(interpreter),
      monitor_(monitor),
      state_(interpreter.initial()) {
  monitor_.start(state_, interpreter.initial_events());
}

std::optional<StepResult> Run::take(const Step& step, const Rational& delay) {
  check_budget();
  StepResult result = interpreter_.delay(state_, delay);
  if (result.possible) {
    monitor_.look(state_, result.state);
    on_the_way_ = monitor_.news();
    waited_ = result.state;
    if (!step.is_wait())
      result = interpreter_.step(result.state, step);
  }
  if (!result.possible)
    return result;
  if (!step.is_wait())
    monitor_.advance(result.state, result.events);
  state_ = std::move(result.state);
  return std::nullopt;
}

RunState state_after(const Network& network,
                     RunState from,
                     const Rational& delay,
                     const Step& step) {
  if (delay != 0) {
    Evaluator evaluator(network, from);
    std::vector<bool> stopped(from.clocks.size());
    for (const LocationId location : from.locations)
      for (const ClockId clock : evaluator.stopped(network.locations[location].invariant))
        stopped[clock.index()] = true;
    for (std::size_t i = 0; i < from.clocks.size(); ++i)
      if (!stopped[i])
        from.clocks[i] += delay;
  }
  if (step.is_wait())
    return from;
  return fire(network, from, step).state;
}

std::string why_not_with(const Interpreter& interpreter,
                         const RunState& state,
                         std::span<const Step> steps,
                         std::span<const Rational> delays,
                         const Rational& delay) {
  const auto take = [&](const RunState& from, std::size_t i, const Rational& wait) {
    StepResult result = interpreter.delay(from, wait);
    if (result.possible && !steps[i].is_wait())
      result = interpreter.step(result.state, steps[i]);
    return result;
  };
  RunState chosen = state;
  RunState changed = state;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    check_budget();
    StepResult result = take(changed, i, i == 0 ? delay : delays[i]);
    if (!result.possible)
      return result.why_not;
    changed = std::move(result.state);
    result = take(chosen, i, delays[i]);
    if (!result.possible || changed == result.state)  // from here on it is the same run
      return {};
    chosen = std::move(result.state);
  }
  return {};
}

}  // namespace tw::replay
