// How a run went in a few lines: a table of the criteria, the search, the size of the suite.
#pragma once

#include <string>
#include <string_view>

#include "exporters/report.hpp"

namespace tw {

/// Of the tests that were written.
[[nodiscard]] std::string describe_summary(const Report& report,
                                           const WrittenSuite& suite,
                                           TextStyle style);

/// SearchSummary::limit in words: "the time was up".
[[nodiscard]] std::string_view words_for_limit(std::string_view limit);

}  // namespace tw
