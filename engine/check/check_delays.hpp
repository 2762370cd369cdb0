// What a suite promises about the delays of a test, tried out with the second interpreter.
//
// With the other delays as chosen, everything that a clock is compared with lies at a multiple of
// one fraction: of 1 over the common denominator of the delays. So between two such multiples
// nothing changes, and half a fraction beside an end stands for all delays on that side.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/check/test_replay.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/suite_file.hpp"

namespace tw {

/// A test that ran.
struct TimedTest {
  std::span<const Step> steps;
  std::span<const Rational> delays;
  std::span<const SuiteFile::Delay> written;  // with the same delays chosen
  std::span<const ItemId> promised;           // what it is said to cover, ascending
};

class DelayCheck {
 public:
  /// All are borrowed and outlive this.
  DelayCheck(const Network& network, CoverageRules& rules, const replay::Interpreter& interpreter);

  /// The first promise that does not hold. `is_spent` is asked now and then; if there is no time
  /// left, none is found and `is_whole` becomes false.
  [[nodiscard]] std::optional<TestProblem> find(const TimedTest& test,
                                                const std::function<bool()>& is_spent,
                                                bool& is_whole);

 private:
  // Where the test stands before a step.
  struct Moment {
    replay::RunState state;
    replay::Monitor monitor;
  };

  [[nodiscard]] std::optional<TestProblem> find_order(const TimedTest& test) const;
  [[nodiscard]] std::optional<TestProblem> find_interval(const TimedTest& test,
                                                         std::size_t i,
                                                         const Moment& before) const;
  [[nodiscard]] std::optional<TestProblem> find_margin(const TimedTest& test);
  [[nodiscard]] std::string why_not(const TimedTest& test,
                                    std::size_t i,
                                    const Rational& delay,
                                    Moment now) const;
  [[nodiscard]] std::string take(Moment& now, const Step& step, const Rational& delay) const;

  const Network& network_;
  const replay::Interpreter& interpreter_;
  const replay::Monitor monitor_;
  const bool looks_at_clocks_;  // rules do, so that delays decide what is covered
  const bool has_rates_;        // clocks may stand still
};

}  // namespace tw
