// The second implementation of the semantics of untimed networks, written to be obviously right
// rather than fast. It shares no evaluation code with engine/semantics; every suite is replayed by
// it before it is written, and tests compare the two.
//
// The rules are those of UPPAAL: guards, channels and selects in the source state; internal steps,
// handshakes and broadcasts; the committed rule; priorities; updates in the order before_update,
// sender, receivers in system order, after_update; the invariants of the complete new location
// vector must hold, or the step does not exist. A run-time error is a finding about the model and
// never disables a step silently.
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
  RunState state;             // the new one, if possible
  std::vector<Event> events;  // of this step, if possible
};

/// All steps of a state; with an error those that are not affected by it.
struct StepList {
  std::vector<Step> steps;
  RunStatus error = RunStatus::kOk;  // the first one found: in guards and channels, then in steps
  ExprId error_at;
};

class Interpreter {
 public:
  /// Pre: the network has no clocks.
  explicit Interpreter(const Network& network,
                       InvariantUses invariants = InvariantUses::kNone,
                       OnError on_error = OnError::kStop);

  [[nodiscard]] RunState initial() const;

  /// Initial definitions of all state cells, then the initial state.
  [[nodiscard]] std::vector<Event> initial_events() const;

  /// Why the network has no initial state: an invariant that does not hold, or an error in one.
  [[nodiscard]] std::optional<std::string> initial_problem() const;

  /// Whether exactly this step exists here, and what it does. An error counts if it concerns the
  /// step: one of its own expressions, or one that decides whether others take part or come first.
  /// With OnError::kSkip what fails is absent and only its own expressions concern a step.
  [[nodiscard]] StepResult step(const RunState& from, const Step& step) const;

  /// In canonical order (see moves.hpp). Costs the product of all choices: for tests.
  [[nodiscard]] StepList steps(const RunState& from) const;

 private:
  const Network* network_;  // borrowed: outlives the interpreter
  InvariantUses invariants_;
  OnError on_error_;
};

}  // namespace tw::replay
