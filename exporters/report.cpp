#include "exporters/report.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace tw {

std::vector<CriterionCounts> count_items(const CoverageRules& rules,
                                         const std::vector<Verdict>& verdicts) {
  assert(verdicts.size() == rules.items().size() && "every item has a verdict");
  std::vector<CriterionCounts> out(rules.criteria().size());
  for (std::size_t i = 0; i < rules.items().size(); ++i) {
    CriterionCounts& counts = out[rules.items()[ItemId(i)].criterion.index()];
    counts.total += verdicts[i].status == ItemStatus::kNotCounted ? 0U : 1U;
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
      case ItemStatus::kNotCounted:
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
  // A whole is covered by two tests, or by one with both halves: those of the first pair there is.
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!report.rules.is_whole(ItemId(i)))
      continue;
    for (const ItemPair& pair : report.rules.pairs_of(ItemId(i))) {
      const std::vector<std::size_t>& a = out[pair.first.index()];
      const std::vector<std::size_t>& b = out[pair.second.index()];
      if (a.empty() || b.empty())
        continue;
      out[i] = {std::min(a.front(), b.front()), std::max(a.front(), b.front())};
      out[i].erase(std::unique(out[i].begin(), out[i].end()), out[i].end());
      break;
    }
  }
  return out;
}

std::vector<ItemId> covered_by(const Report& report, const Test& test) {
  std::vector<ItemId> out;
  std::ranges::copy_if(test.covers, std::back_inserter(out), [&](ItemId item) {
    return report.verdicts[item.index()].status != ItemStatus::kNotCounted ||
           report.rules.is_half(item);
  });
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
    case ItemStatus::kNotCounted:
      return "not counted";
  }
  return "";
}

}  // namespace tw
