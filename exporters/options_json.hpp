// The options of a run as JSON, the same in suites and comparisons. For this room only: it shows
// nlohmann/json.
#pragma once

#include "exporters/report.hpp"
#include "exporters/step_json.hpp"

namespace tw {

struct OptionsJson {
  const ReportOptions& options;
  Json criteria;
  bool timed = true;  // delays mean something
};

[[nodiscard]] Json options_json(const OptionsJson& source);

/// Of numbers for which 0 means that there is none.
[[nodiscard]] Json or_null(std::uint64_t value);
[[nodiscard]] Json or_null(const std::string& text);

}  // namespace tw
