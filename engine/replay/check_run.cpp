#include "engine/replay/check_run.hpp"

#include <cassert>
#include <utility>

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
  out.states.push_back(interpreter.initial());
  monitor.start(out.states.back(), interpreter.initial_events());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    StepResult result =
        interpreter.delay(out.states.back(), delays.empty() ? Rational(0) : delays[i]);
    if (result.possible) {
      monitor.look(result.state);
      if (!steps[i].is_wait())
        result = interpreter.step(result.state, steps[i]);
    }
    if (!result.possible) {
      out.failed_step = i;
      out.why_not = std::move(result.why_not);
      out.error = result.error;
      out.error_at = result.error_at;
      out.covered = monitor.covered();
      return out;
    }
    if (!steps[i].is_wait())
      monitor.advance(result.state, result.events);
    out.states.push_back(std::move(result.state));
  }
  out.possible = true;
  out.covered = monitor.covered();
  return out;
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
                         const RunCheck& run,
                         std::span<const Step> steps,
                         std::span<const Rational> delays,
                         std::size_t changed,
                         const Rational& delay) {
  RunState state = run.states[changed];
  for (std::size_t i = changed; i < steps.size(); ++i) {
    StepResult result = interpreter.delay(state, i == changed ? delay : delays[i]);
    if (result.possible && !steps[i].is_wait())
      result = interpreter.step(result.state, steps[i]);
    if (!result.possible)
      return result.why_not;
    state = std::move(result.state);
    if (state == run.states[i + 1])  // from here on it is the same run
      return {};
  }
  return {};
}

}  // namespace tw::replay
