// What checking a suite showed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"

namespace tw {

enum class CheckStatus {
  kOk,
  kDiffers,     // something that is said is not so
  kDoesNotFit,  // it speaks of something that the model or its criteria do not have
};

struct CheckedTest {
  std::string id;
  CheckStatus status = CheckStatus::kOk;
  std::size_t steps = 0;
  std::size_t covers = 0;           // items it claims
  std::optional<std::size_t> step;  // where the first difference is, from 1; none: no single step
  std::string problem;              // unless it is ok
};

/// With the suite as a whole.
struct CheckProblem {
  CheckStatus status = CheckStatus::kDiffers;
  std::string text;
};

/// Statements that were neither confirmed nor refuted, and why.
struct NotChecked {
  std::string what;
  std::string why;

  friend bool operator==(const NotChecked&, const NotChecked&) = default;
};

/// Why something was not checked.
[[nodiscard]] inline std::string_view words_for(Limit limit) {
  switch (limit) {
    case Limit::kTime:
      return "the time was up";
    case Limit::kInterrupt:
      return "it was interrupted";
    case Limit::kMemory:
    case Limit::kNone:
      break;
  }
  return "the limit of memory was reached";
}

struct CheckResult {
  std::vector<CheckedTest> tests;
  std::vector<CheckProblem> problems;
  std::vector<NotChecked> not_checked;

  [[nodiscard]] std::size_t failed() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        tests, [](const CheckedTest& test) { return test.status != CheckStatus::kOk; }));
  }
  [[nodiscard]] bool has(CheckStatus status) const {
    return std::ranges::any_of(tests,
                               [&](const CheckedTest& test) { return test.status == status; }) ||
           std::ranges::any_of(
               problems, [&](const CheckProblem& problem) { return problem.status == status; });
  }
  [[nodiscard]] bool is_ok() const { return failed() == 0 && problems.empty(); }
};

}  // namespace tw
