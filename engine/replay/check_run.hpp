// Does a sequence of steps run, and what does it cover? Suites are checked this way before they are
// written.
#pragma once

#include <cstddef>
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
  std::vector<RunState> states;  // the initial one, then right after each step that ran
  std::vector<ItemId> covered;   // by the steps that ran, ascending
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

/// Would the run still be possible if one of its delays were another one and all others as they
/// are? Empty, or why not. Pre: `run` is the result of check_run for these steps and delays.
[[nodiscard]] std::string why_not_with(const Interpreter& interpreter,
                                       const RunCheck& run,
                                       std::span<const Step> steps,
                                       std::span<const Rational> delays,
                                       std::size_t changed,
                                       const Rational& delay);

}  // namespace tw::replay
