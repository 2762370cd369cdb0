// The criteria there are, for people and for scripts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tw {

struct CriterionLine {
  std::string_view name;
  std::string_view summary;
};

[[nodiscard]] std::string criteria_text(std::span<const CriterionLine> lines);
[[nodiscard]] std::string criteria_json(std::span<const CriterionLine> lines);

}  // namespace tw
