// A test of a suite file, run step by step by the second interpreter as it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/check/check_result.hpp"
#include "engine/check/suite_names.hpp"
#include "engine/model/events.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/replay/monitor.hpp"
#include "engine/suite/suite_file.hpp"

namespace tw {

/// Why a test is not what the suite says.
struct TestProblem {
  CheckStatus status = CheckStatus::kDiffers;
  std::optional<std::size_t> step;  // from 1; none: no single step
  std::string text;
};

class TestReplay {
 public:
  /// All are borrowed and outlive this.
  TestReplay(const Network& network,
             const SuiteNames& names,
             const replay::Interpreter& interpreter,
             replay::Monitor& monitor);

  /// In the initial state.
  [[nodiscard]] std::optional<TestProblem> begin();

  /// Waits and takes a step. Pre: nothing was wrong with those before.
  [[nodiscard]] std::optional<TestProblem> take(const SuiteFile::Step& written);

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<Rational>& delays() const { return delays_; }
  /// Right after the last step, and right after the one before.
  [[nodiscard]] const replay::RunState& state() const { return state_; }
  [[nodiscard]] const replay::RunState& before() const { return before_; }
  /// By the steps that ran, ascending.
  [[nodiscard]] std::vector<ItemId> covered() const { return monitor_.covered(); }

 private:
  const Network& network_;
  const SuiteNames& names_;
  const replay::Interpreter& interpreter_;
  replay::Monitor& monitor_;
  const std::optional<std::string> initial_problem_;
  std::vector<Step> steps_;
  std::vector<Rational> delays_;  // none without clocks
  replay::RunState state_;
  replay::RunState before_;
};

}  // namespace tw
