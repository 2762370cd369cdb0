#include "exporters/criteria_list.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tw {

std::string criteria_text(std::span<const CriterionLine> lines) {
  std::size_t width = 0;
  for (const CriterionLine& line : lines)
    width = std::max(width, line.name.size());
  std::string out;
  for (const CriterionLine& line : lines)
    out += fmt::format("{:<{}}  {}\n", line.name, width, line.summary);
  return out;
}

std::string criteria_json(std::span<const CriterionLine> lines) {
  nlohmann::ordered_json out = {{"format", "tracewright-criteria"}, {"version", 1}};
  out["criteria"] = nlohmann::ordered_json::array();
  for (const CriterionLine& line : lines)
    out["criteria"].push_back({{"name", line.name}, {"summary", line.summary}});
  return out.dump(2) + '\n';
}

}  // namespace tw
