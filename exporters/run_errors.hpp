// Run-time errors of a model, as reports tell them.
#pragma once

#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"
#include "engine/model/run_error.hpp"

namespace tw {

/// Where it stands in the model; the beginning, if nowhere.
[[nodiscard]] SourcePosition place_of(const Network& network,
                                      const SourceFile& source,
                                      const RunError& error);

/// "3:14  'n' would be set to 9, outside its range [0,5]", a line for each error.
[[nodiscard]] std::string describe_errors(const Network& network,
                                          const SourceFile& source,
                                          const std::vector<RunError>& errors);

}  // namespace tw
