// The second judge: every test must run in the other implementation of the semantics, pass the same
// states and cover the same items; with clocks also if one delay is at an end of its interval.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/replay/check_run.hpp"
#include "engine/suite/suite.hpp"
#include "engine/suite/walker.hpp"

namespace tw {

class Confirmation {
 public:
  /// All are borrowed. Open item families of the rules may get new members.
  Confirmation(const Network& network, CoverageRules& rules, Walker& walker, OnError on_error);

  /// What is wrong with the test: then we are wrong, since we made it. Empty: nothing. Where a
  /// limit is met on the way, all that was confirmed is the first `confirmed` steps. Verdicts are
  /// by item.
  [[nodiscard]] std::string find_fault(const Test& test,
                                       const std::vector<Verdict>& verdicts,
                                       std::size_t& confirmed);
  /// By what was confirmed of the last test, ascending.
  [[nodiscard]] std::vector<ItemId> covered() const { return monitor_.covered(); }
  /// The same, with the steps it took.
  [[nodiscard]] const std::vector<Walk::Gain>& gains() const { return gains_; }
  /// Moments at which clocks had something to show.
  [[nodiscard]] const std::vector<Walker::Pin>& pins() const { return pins_; }

 private:
  [[nodiscard]] std::string follow(const Test& test, std::size_t& confirmed);
  void note_gains(std::size_t step, std::size_t length);
  void pin_stay(std::size_t step,
                const Rational& delay,
                const replay::Run& run,
                const replay::RunState& before);
  void pin_arrival(std::size_t steps, const replay::RunState& state);
  [[nodiscard]] std::string try_ends(const Test& test,
                                     std::span<const Rational> delays,
                                     std::size_t i,
                                     const replay::RunState& before) const;
  [[nodiscard]] bool covers_what_was_promised(const std::vector<ItemId>& covered,
                                              const std::vector<ItemId>& promised,
                                              const std::vector<Verdict>& verdicts) const;

  const CoverageRules& rules_;
  Walker& walker_;
  const replay::Interpreter interpreter_;
  replay::Monitor monitor_;
  std::vector<Walk::Gain> gains_;
  std::vector<Walker::Pin> pins_;
};

}  // namespace tw
