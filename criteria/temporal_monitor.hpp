// A deterministic monitor of a formula, by progression (docs/algorithms.md 4.4): its states are
// what is still to be shown after the states seen so far, written as a disjunction of conjunctions
// of next-formulas without superfluous ones. Formulas are in normal form, hence monotone in their
// next-formulas, so this form is unique and there are finitely many.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "criteria/temporal.hpp"

namespace tw {

struct TemporalMonitor {
  static constexpr std::uint32_t kAccept = 0xFFFFFFFF;  // the formula is covered: the end
  static constexpr std::uint32_t kReject = 0xFFFFFFFE;  // it cannot be covered any more

  static constexpr std::size_t kMostLetters = 10;
  static constexpr std::size_t kMostStates = 500;
  static constexpr std::size_t kMostAlternatives = 500;  // of what is asked of the next state

  /// State formulas; what the monitor looks at.
  std::vector<TemporalId> letters;
  /// By state, then by the values of the letters as bits. The first one is where runs begin, before
  /// their first state.
  std::vector<std::vector<std::uint32_t>> next;
};

/// None if it would be larger than the limits. Pre: normal form.
[[nodiscard]] std::optional<TemporalMonitor> monitor_of(TemporalId formula, TemporalPool& pool);

}  // namespace tw
