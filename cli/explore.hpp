// Explores a loaded model completely and says how large it is; for `info --states`.
#pragma once

#include <optional>
#include <string_view>

#include "cli/exit_code.hpp"
#include "engine/search/search_options.hpp"
#include "exporters/info.hpp"
#include "frontends/load.hpp"

namespace tw {

struct Exploration {
  ExitCode code = ExitCode::kOk;
  std::optional<StateCounts> counts;  // none: nothing was explored, the reason was printed
};

struct ExploreOptions {
  SearchOptions search;
  bool quiet = false;  // no progress
};

/// Progress goes to stderr if that is a terminal; Ctrl-C ends the exploration, not the program.
[[nodiscard]] Exploration explore(const LoadedModel& model, ExploreOptions options);

/// How a search ended, as the exit code it alone would give.
[[nodiscard]] ExitCode code_of(StopReason reason);

}  // namespace tw
