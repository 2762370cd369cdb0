// Causes as JSON, for this room only: it shows nlohmann/json.
#pragma once

#include "exporters/causes.hpp"
#include "exporters/step_json.hpp"

namespace tw {

[[nodiscard]] Json causes_json(const CausesReport& report);

}  // namespace tw
