// Exit codes are an interface that scripts rely on; the table is in docs/formats.md.
#pragma once

namespace tw {

enum class ExitCode : int {
  kOk = 0,
  kGoalNotMet = 1,
  kUsage = 2,
  kBadInput = 3,  // the model (or a criterion or suite file) is missing or wrong
  kLimit = 4,
  kInternal = 5,  // we are wrong, or the output could not be written
  kInterrupted = 130,
};

/// The one that counts if both apply: 5 first, then 130, 4, 3, 2, 1.
[[nodiscard]] constexpr ExitCode worse(ExitCode a, ExitCode b) {
  const auto rank = [](ExitCode code) {
    switch (code) {
      case ExitCode::kOk:
        return 0;
      case ExitCode::kGoalNotMet:
        return 1;
      case ExitCode::kUsage:
        return 2;
      case ExitCode::kBadInput:
        return 3;
      case ExitCode::kLimit:
        return 4;
      case ExitCode::kInterrupted:
        return 5;
      case ExitCode::kInternal:
        return 6;
    }
    return 6;
  };
  return rank(a) < rank(b) ? b : a;
}

}  // namespace tw
