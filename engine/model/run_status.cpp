#include "engine/model/run_status.hpp"

namespace tw {

std::string_view describe(RunStatus status) {
  switch (status) {
    case RunStatus::kOk:
      return "no error";
    case RunStatus::kDivisionByZero:
      return "division by zero";
    case RunStatus::kNegativeShift:
      return "shift by a negative count";
    case RunStatus::kValueOutOfRange:
      return "the value lies outside the range of the type";
    case RunStatus::kIndexOutOfRange:
      return "the index lies outside the array";
    case RunStatus::kBoundTooLarge:
      return "a clock is compared with too large a number";
    case RunStatus::kAssertionFailed:
      return "an assertion fails";
    case RunStatus::kNoReturn:
      return "the function ends without returning a value";
    case RunStatus::kTooManySteps:
      return "the computation takes more than 20000000 steps";
    case RunStatus::kTooDeep:
      return "calls and expressions nest deeper than 4000 levels";
    case RunStatus::kNotConstant:
      return "the value is not known before the model runs";
  }
  return "";
}

}  // namespace tw
