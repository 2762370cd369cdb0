#include "exporters/report.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "engine/coverage/bit_sets.hpp"
#include "engine/suite/goals.hpp"

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
      case ItemStatus::kMissed:
        ++counts.missed;
        break;
      case ItemStatus::kNotCounted:
        break;
    }
  }
  for (const Token& token : rules.tokens())
    ++out[rules.token_families()[token.family].criterion.index()].tokens;
  return out;
}

WrittenSuite::WrittenSuite(const Report& report, std::size_t tests)
    : report_(report),
      tests_(tests),
      verdicts_(report.verdicts) {
  std::vector<std::vector<ItemId>> covers;
  std::vector<std::uint64_t> covered;
  for (std::size_t i = 0; i < tests_; ++i) {
    covers.push_back(report.suite.tests[i].covers);
    for (const ItemId item : covers.back())
      set_bit(covered, item.index());
  }
  tests_by_item_ = tests_by_item(report.rules, covers);
  if (tests_ < report.suite.tests.size())
    verdicts_ = verdicts_of(report.rules, covered, report.verdicts);
}

std::uint64_t WrittenSuite::steps() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < tests_; ++i)
    sum += report_.suite.tests[i].length();
  return sum;
}

Rational WrittenSuite::duration() const {
  Rational sum = 0;
  for (std::size_t i = 0; i < tests_; ++i)
    sum += report_.suite.tests[i].duration();
  return sum;
}

std::uint64_t WrittenSuite::lower_bound() const {
  return tests_ == report_.suite.tests.size() ? report_.suite.lower_bound : 0;
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
    case ItemStatus::kMissed:
      return "missed";
    case ItemStatus::kNotCounted:
      return "not counted";
  }
  return "";
}

}  // namespace tw
