// How an evaluation can end: one vocabulary for load-time constants, byte code and replay.
// Everything but kOk is a finding about the model, never an exception.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/zone/bound.hpp"

namespace tw {

enum class RunStatus : std::uint8_t {
  kOk,
  kDivisionByZero,
  kNegativeShift,
  kValueOutOfRange,
  kIndexOutOfRange,
  kBoundTooLarge,  // of a clock
  kAssertionFailed,
  kNoReturn,
  kTooManySteps,
  kTooDeep,      // while loading only
  kNotConstant,  // while loading only: the value is not known yet
};

/// What is added to a clock, and what a clock or a difference of clocks is compared with, may be so
/// large.
inline constexpr std::int32_t kMostClockNumber = Bound::kMostConstant;

/// What to do with a step whose evaluation fails.
enum class OnError : std::uint8_t {
  kStop,
  kSkip,  // as if the step did not exist
};

/// "division by zero" …: what went wrong, to follow a colon.
[[nodiscard]] std::string_view describe(RunStatus status);

}  // namespace tw
