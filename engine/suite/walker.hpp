// Walks a trace with the engine's own semantics and rules: where it leads, which tokens it carries
// and what it covers, step by step. (Replay does the same with the other implementation.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/coverage/effects.hpp"
#include "engine/search/search.hpp"
#include "engine/search/step_effects.hpp"
#include "engine/semantics/successors.hpp"
#include "engine/suite/delays.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

/// A trace and what it is good for.
struct Walk {
  struct Gain {
    ItemId item;
    std::uint32_t step = 0;    // steps taken when it was first covered …
    std::uint32_t length = 0;  // … not counting waits
  };

  std::vector<Step> steps;
  std::vector<Gain> gains;         // in order of step, then item
  std::vector<std::uint64_t> end;  // the state it ends in …
  SetId tokens;                    // … and the tokens it carries there

  [[nodiscard]] std::uint64_t length() const { return length_of(steps); }
};

class Walker {
 public:
  /// Both are borrowed. Pre: the system has an initial state.
  Walker(const System& system, Effects& effects);

  /// Gains of items that are covered here already do not count from now on. Borrowed.
  void ignore(const Ledger& others);

  /// The empty trace.
  [[nodiscard]] const Walk& start() const { return start_; }

  /// Goes on along these steps. Pre: they are possible there.
  void extend(Walk& walk, std::span<const Step> steps);

  [[nodiscard]] Walk walk(std::span<const Step> steps);

  /// Leaves out all but the first steps, with what they gained; `end` and `tokens` mean nothing
  /// afterwards.
  static void cut(Walk& walk, std::size_t steps);

  /// With the initial values of clocks.
  [[nodiscard]] Snapshot initial() const;

  /// A test step by step, as the engine sees it: its states, with clocks at the chosen delays. The
  /// walker is borrowed.
  class Run {
   public:
    explicit Run(Walker& walker);
    void take(const Step& step, const Rational& delay);
    [[nodiscard]] const Snapshot& state() const { return snapshot_; }

   private:
    Walker& walker_;
    std::vector<std::uint64_t> state_;
    ClockDetails clocks_;  // of the last step
    Snapshot snapshot_;
  };

  /// What the steps demand of clocks. Pre: the network has some.
  [[nodiscard]] Timetable timetable(std::span<const Step> steps);

  /// What a test shows besides what its waits promise depends on its delays.
  struct Pin {
    std::size_t steps = 0;    // taken before
    Rational after;           // … and so long after the last of them …
    bool is_leaving = false;  // … which is when the next one is taken
    std::vector<ObservationId> observations;
    std::vector<Rational> clocks;  // then
  };
  /// Narrows the intervals of a test's delays until with each of them, the others as chosen, these
  /// observations show the same so long after the last step, or on leaving. Pre: sorted by moment.
  void narrow(Test& test, std::span<const Pin> pins);

 private:
  [[nodiscard]] std::size_t find(const Step& step) const;
  [[nodiscard]] StepLook advance(Walk& walk, const Step& step);
  void go(const Step& step, std::vector<std::uint64_t>& state, ClockDetails* clocks);
  [[nodiscard]] Snapshot snapshot(const std::uint64_t* state) const;

  const System& system_;
  Effects& effects_;
  SuccessorGenerator generator_;
  StepEffects step_effects_;
  StateObserver observer_;
  Successors successors_;
  Walk start_;
  const Ledger* others_ = nullptr;  // borrowed
  ClockDetails initial_clocks_;
};

}  // namespace tw
