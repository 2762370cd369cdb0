// Explores a loaded model completely and says how large it is; for `info --states`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/exit_code.hpp"
#include "engine/model/network.hpp"
#include "exporters/info.hpp"
#include "frontends/load.hpp"

namespace tw {

struct ExploreOptions {
  std::uint64_t max_states = 0;  // 0: no limit
  std::uint64_t max_megabytes = 0;
  double time_limit_seconds = 0;
  bool skip_errors = false;
};

struct Exploration {
  ExitCode code = ExitCode::kOk;
  std::optional<StateCounts> counts;  // none: nothing was explored, the reason was printed
};

/// Progress goes to stderr if that is a terminal; Ctrl-C ends the exploration, not the program.
[[nodiscard]] Exploration explore(const LoadedModel& model, const ExploreOptions& options);

}  // namespace tw
