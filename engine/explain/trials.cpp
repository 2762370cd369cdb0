#include "engine/explain/trials.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/suite/generate.hpp"

namespace tw {
namespace {

// Of several tests the one that covers it; halves of pairs have tests of their own.
const Test* test_of(const Suite& suite, ItemId item) {
  const auto at = std::ranges::find_if(
      suite.tests, [&](const Test& test) { return std::ranges::binary_search(test.covers, item); });
  if (at != suite.tests.end())
    return &*at;
  return suite.tests.empty() ? nullptr : &suite.tests.front();
}

}  // namespace

Trials::Trials(const CoverageRules& rules, ItemId item, TrialOptions options)
    : rules_(rules),
      item_(item),
      options_(std::move(options)) {}

bool Trials::is_spent() const {
  return stopped_ || searches_ >= options_.most_searches || expansions_ >= options_.most_expansions;
}

std::optional<Trials::Success> Trials::attempt(const Network& network) {
  complete_ = false;
  if (is_spent())
    return std::nullopt;
  ++searches_;
  try {
    check_budget();
    return search(network);
  } catch (const BudgetSpent&) {
    stopped_ = true;
  } catch (const std::bad_alloc&) {
    stopped_ = true;
  }
  complete_ = false;
  return std::nullopt;
}

std::optional<Trials::Success> Trials::search(const Network& network) {
  CoverageRules rules = rules_;
  GenerateOptions options{.search = options_.search, .reduce = Reduction::kNone};
  options.search.algorithm = Algorithm::kGlobal;
  options.search.order = Order::kBfs;
  options.search.on_error = OnError::kSkip;
  options.search.full = false;
  options.search.stop_at = 0;
  options.search.max_states = options_.most_states;
  const Generated result = generate(network, rules, options);
  expansions_ += result.search.expansions + 1;
  stopped_ = stopped_ || result.reason == StopReason::kInterrupted ||
             result.reason == StopReason::kTime || result.reason == StopReason::kMemory;
  complete_ = result.reason == StopReason::kExhausted;
  if (!result.internal_error.empty() || item_.index() >= result.verdicts.size())
    return std::nullopt;
  const Verdict& verdict = result.verdicts[item_.index()];
  if (verdict.status != ItemStatus::kCovered)
    return std::nullopt;
  Success out{.steps = verdict.depth, .trace = {}};
  if (const Test* const test = test_of(result.suite, item_))
    out.trace = test->steps;
  return out;
}

}  // namespace tw
