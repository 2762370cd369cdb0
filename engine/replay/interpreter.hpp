// The second implementation of the semantics of networks, written to be obviously right rather than
// fast: clocks have concrete, exact values. It shares no evaluation code with engine/semantics;
// every suite is replayed by it before it is written, and tests compare the two.
//
// The rules are those of UPPAAL: guards, channels and selects in the source state; internal steps,
// handshakes and broadcasts; the committed rule; priorities; updates in the order before_update,
// sender, receivers in system order, after_update; the invariants of the complete new location
// vector must hold, or the step does not exist. A run-time error is a finding about the model and
// never disables a step silently.
//
// Steps take no time. Between them time may pass, unless a process is in an urgent or committed
// location or an urgent channel could synchronise, and as far as the invariants allow. Invariants
// are conjunctions of bounds, so where they hold before and after a delay they hold all the while;
// and edges on urgent channels have no clocks in their guards, so where none is enabled before a
// delay none is on the way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

struct StepResult {
  bool possible = false;
  std::string why_not;               // unless possible
  RunStatus error = RunStatus::kOk;  // if that is why it is not possible
  ExprId error_at;
  Misfit misfit;
  RunState state;             // the new one, if possible
  std::vector<Event> events;  // of this step, if possible
};

/// All steps of a state; with an error those that are not affected by it.
struct StepList {
  std::vector<Step> steps;
  RunStatus error = RunStatus::kOk;  // the first one found: in guards and channels, then in steps
  ExprId error_at;
  Misfit misfit;
};

class Interpreter {
 public:
  explicit Interpreter(const Network& network,
                       InvariantUses invariants = InvariantUses::kNone,
                       OnError on_error = OnError::kStop);

  [[nodiscard]] RunState initial() const;

  /// Initial definitions of all state cells, then of all clocks; then the initial state.
  [[nodiscard]] std::vector<Event> initial_events() const;

  /// Why the network has no initial state: an invariant that does not hold, or an error in one.
  [[nodiscard]] std::optional<std::string> initial_problem() const;

  /// Whether exactly this step exists here and now, and what it does. An error counts if it
  /// concerns the step: one of its own expressions, or one that decides whether others take part or
  /// come first. With OnError::kSkip what fails is absent and only its own expressions concern a
  /// step.
  [[nodiscard]] StepResult step(const RunState& from, const Step& step) const;

  /// Whether so much time may pass here; clocks advance, nothing else changes, and there are no
  /// events. An error counts if it hides whether an urgent channel could synchronise (unless errors
  /// are skipped), or how invariants are.
  [[nodiscard]] StepResult delay(const RunState& from, const Rational& duration) const;

  /// Without delay, in canonical order (see moves.hpp). Costs the product of all choices: for
  /// tests.
  [[nodiscard]] StepList steps(const RunState& from) const;

 private:
  const Network* network_;  // borrowed: outlives the interpreter
  InvariantUses invariants_;
  OnError on_error_;
};

}  // namespace tw::replay
