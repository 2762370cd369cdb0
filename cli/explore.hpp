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

/// Within the budget of this thread.
[[nodiscard]] Exploration explore(const LoadedModel& model, const SearchOptions& options);

/// How a search, or a run, ended, as the exit code it alone would give.
[[nodiscard]] ExitCode code_of(StopReason reason);
[[nodiscard]] ExitCode code_of(Limit limit);

}  // namespace tw
