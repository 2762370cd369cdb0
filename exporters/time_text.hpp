// Times and delays in words, exact and short.
#pragma once

#include <string>

#include "engine/base/rational.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

/// "12.5", or "7/3" where a short decimal fraction does not say it exactly.
[[nodiscard]] std::string describe_time(const Rational& time);

/// "47 time units", "1 time unit".
[[nodiscard]] std::string describe_duration(const Rational& time);

/// "wait 12.5 ± 2.5 (10 to 20)": the chosen delay, its margin and its interval; "wait 5 exactly"
/// where there is no other. Empty: the step follows at once, and cannot do otherwise.
[[nodiscard]] std::string describe_delay(const Delay& delay);

}  // namespace tw
