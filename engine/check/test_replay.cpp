#include "engine/check/test_replay.hpp"

#include <fmt/format.h>
#include <utility>

namespace tw {

TestReplay::TestReplay(const Network& network,
                       const SuiteNames& names,
                       const replay::Interpreter& interpreter,
                       replay::Monitor& monitor)
    : network_(network),
      names_(names),
      interpreter_(interpreter),
      monitor_(monitor),
      initial_problem_(interpreter.initial_problem()) {}

std::optional<TestProblem> TestReplay::begin() {
  steps_.clear();
  delays_.clear();
  if (initial_problem_)
    return TestProblem{.step = std::nullopt,
                       .text = fmt::format("not possible: {}", *initial_problem_)};
  state_ = interpreter_.initial();
  before_ = state_;
  monitor_.start(state_, interpreter_.initial_events());
  return std::nullopt;
}

std::optional<TestProblem> TestReplay::take(const SuiteFile::Step& written) {
  const std::size_t number = steps_.size() + 1;
  SuiteNames::Found<Step> found = names_.step(written);
  if (!found.value)
    return TestProblem{
        .status = CheckStatus::kDoesNotFit, .step = number, .text = std::move(found.problem)};
  const Rational delay = written.delay ? written.delay->chosen : Rational(0);
  replay::StepResult result = interpreter_.delay(state_, delay);
  if (result.possible) {
    monitor_.look(state_, result.state);
    if (!found.value->is_wait())
      result = interpreter_.step(result.state, *found.value);
  }
  if (!result.possible)
    return TestProblem{.step = number, .text = fmt::format("not possible: {}", result.why_not)};
  if (!found.value->is_wait())
    monitor_.advance(result.state, result.events);
  before_ = std::exchange(state_, std::move(result.state));
  steps_.push_back(std::move(*found.value));
  if (network_.is_timed())
    delays_.push_back(delay);
  return std::nullopt;
}

}  // namespace tw
