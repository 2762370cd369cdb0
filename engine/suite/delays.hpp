// When to take the steps of a test. The test fixes who acts; guards, invariants and urgency leave
// intervals for the times. With the moments of the steps as unknowns, every demand on a clock is a
// bound on the difference of two moments (when it is looked at, when it was set), so the demands of
// a whole test form a graph whose longest paths are the earliest moments (docs/algorithms.md 7).
// All numbers are whole multiples of a fraction of the time unit: exact.
//
// A stopwatch shows a sum of some of the delays, which is no difference of moments. Where one was
// looked at after it stood still, the demands are a linear program over the delays instead, and
// whether there are any times at all is only known now: zones are larger than what can happen then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/model/network.hpp"
#include "engine/semantics/successors.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

class Timetable {
 public:
  /// Before the first step.
  Timetable(const Network& network, const ClockDetails& initial);

  void add_step(const ClockDetails& step);

  /// False: no times fit. Cannot happen to steps of zones without stopwatches.
  [[nodiscard]] bool choose(Delays policy);

  /// The delays are these: how far each may move. Pre: they fit. Margins are not looked for.
  void describe_chosen(std::span<const Rational> chosen);

  /// Pre: choose() succeeded, or describe_chosen(). By step.
  [[nodiscard]] const std::vector<Delay>& delays() const { return delays_; }
  /// The clocks right after step number i; of the initial state for 0.
  [[nodiscard]] std::vector<Rational> clocks_after(std::size_t i) const;

 private:
  // A clock shows the time since a moment, without the delays in which it stood still, plus
  // something.
  struct Reading {
    std::uint32_t since = 0;
    std::int64_t plus = 0;
    std::vector<std::uint32_t> still;
  };

  // Moment `later` comes at most `most` after moment `earlier`; `most` may be negative.
  struct Demand {
    std::uint32_t later = 0;
    std::uint32_t earlier = 0;
    std::int64_t most = 0;
    bool strict = false;
  };

  // A sum of delays, each with its sign, is at most `most`.
  struct Row {
    struct Term {
      std::uint32_t delay = 0;
      int sign = 1;
    };

    std::vector<Term> terms;
    std::int64_t most = 0;
    bool strict = false;
  };

  using Times = std::vector<std::int64_t>;  // of moments, in fractions

  void demand(const ClockConstraint& constraint, std::uint32_t now);
  void demand(const std::vector<ClockConstraint>& constraints, std::uint32_t now);
  void demand_sum(const ClockConstraint& constraint, std::uint32_t now);
  [[nodiscard]] std::int64_t weight(const Demand& demand) const;
  [[nodiscard]] std::optional<Times> earliest(std::vector<std::uint32_t>* cycle = nullptr) const;
  [[nodiscard]] Times latest(Times times) const;
  void widen();
  [[nodiscard]] std::int64_t largest_constant() const;
  [[nodiscard]] bool choose_times(Delays policy);
  [[nodiscard]] bool choose_sums(Delays policy);
  [[nodiscard]] std::vector<Row> rows() const;
  void describe(bool margins_known);

  std::vector<Reading> readings_;            // by clock number, from 1
  std::vector<std::vector<Reading>> after_;  // by moment: readings after it
  std::vector<ClockConstraint> invariant_;   // since the last step
  std::vector<ClockConstraint> leaving_;     // at the next step
  std::vector<std::uint32_t> stopped_;       // since the last step
  bool waiting_allowed_ = true;              // since the last step
  std::vector<bool> may_wait_;               // by step, from 0: before it
  std::vector<Demand> demands_;
  std::vector<Row> sums_;              // demands on stopwatches
  std::int64_t unit_ = 1;              // fractions per time unit
  std::vector<std::int64_t> margins_;  // by step, from 0, in fractions
  std::vector<Delay> delays_;
};

}  // namespace tw
