// Does a sequence of steps run, and what does it cover? Suites are checked this way before they are
// written.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/replay/monitor.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

struct RunCheck {
  bool possible = false;
  std::size_t failed_step = 0;       // unless possible: steps before it ran
  std::string why_not;               // unless possible
  RunStatus error = RunStatus::kOk;  // if that is why it is not possible
  ExprId error_at;
  std::vector<ItemId> covered;  // by the steps that ran, ascending
};

/// A run, step by step.
class Run {
 public:
  /// Both are borrowed; a monitor that has been used before will do. Pre: the interpreter has an
  /// initial state.
  Run(const Interpreter& interpreter, Monitor& monitor);

  /// One more step, after a delay. If it is not possible, says why not; the run stays where it is.
  [[nodiscard]] std::optional<StepResult> take(const Step& step, const Rational& delay);

  [[nodiscard]] const RunState& state() const { return state_; }
  /// By the steps taken, ascending.
  [[nodiscard]] std::vector<ItemId> covered() const { return monitor_.covered(); }
  /// What clocks had to show during the last delay.
  [[nodiscard]] const std::vector<Monitor::Sight>& on_the_way() const { return on_the_way_; }
  /// The state at its end.
  [[nodiscard]] const RunState& waited() const { return waited_; }

 private:
  const Interpreter& interpreter_;
  Monitor& monitor_;
  RunState state_;
  RunState waited_;
  std::vector<Monitor::Sight> on_the_way_;
};

/// An interpreter whose events are those that the rules speak of.
[[nodiscard]] Interpreter interpreter_for(const Network& network,
                                          const CoverageRules& rules,
                                          OnError on_error = OnError::kStop);

/// Runs the steps from the initial state, each after its delay; no delays at all means that no time
/// passes. A delay that is not possible makes its step fail. Open item families of the rules may
/// get new members. Pre: there are as many delays as steps, or none.
[[nodiscard]] RunCheck check_run(const Network& network,
                                 CoverageRules& rules,
                                 std::span<const Step> steps,
                                 std::span<const Rational> delays,
                                 OnError on_error = OnError::kStop);

/// The same for many runs: a monitor that has been used before will do.
[[nodiscard]] RunCheck check_run(const Interpreter& interpreter,
                                 Monitor& monitor,
                                 std::span<const Step> steps,
                                 std::span<const Rational> delays);

/// Where one more step leads, after a delay, without asking whether it is possible. Pre: it is.
[[nodiscard]] RunState state_after(const Network& network,
                                   RunState from,
                                   const Rational& delay,
                                   const Step& step);

/// Would a run still be possible if one of its delays were another one and all others as they are?
/// Empty, or why not. Pre: these are the steps that are left and their delays, the first of which
/// is changed; from this state they run.
[[nodiscard]] std::string why_not_with(const Interpreter& interpreter,
                                       const RunState& state,
                                       std::span<const Step> steps,
                                       std::span<const Rational> delays,
                                       const Rational& delay);

}  // namespace tw::replay
