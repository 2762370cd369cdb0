#include "exporters/report.hpp"

#include <cassert>

namespace tw {

std::vector<CriterionCounts> count_items(const CoverageRules& rules,
                                         const std::vector<Verdict>& verdicts) {
  assert(verdicts.size() == rules.items().size() && "every item has a verdict");
  std::vector<CriterionCounts> out(rules.criteria().size());
  for (std::size_t i = 0; i < rules.items().size(); ++i) {
    CriterionCounts& counts = out[rules.items()[ItemId(i)].criterion.index()];
    ++counts.total;
    switch (verdicts[i].status) {
      case ItemStatus::kCovered:
        ++counts.covered;
        break;
      case ItemStatus::kInfeasible:
        ++counts.infeasible;
        break;
      case ItemStatus::kUndecided:
        ++counts.undecided;
        break;
    }
  }
  for (const Token& token : rules.tokens())
    ++out[rules.token_families()[token.family].criterion.index()].tokens;
  return out;
}

std::vector<std::vector<std::size_t>> tests_by_item(const Report& report) {
  std::vector<std::vector<std::size_t>> out(report.rules.items().size());
  for (std::size_t i = 0; i < report.suite.tests.size(); ++i)
    for (const ItemId item : report.suite.tests[i].covers)
      out[item.index()].push_back(i);
  return out;
}

std::string_view name_of(ItemStatus status) {
  switch (status) {
    case ItemStatus::kCovered:
      return "covered";
    case ItemStatus::kInfeasible:
      return "infeasible";
    case ItemStatus::kUndecided:
      return "undecided";
  }
  return "";
}

}  // namespace tw
