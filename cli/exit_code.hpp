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

}  // namespace tw
