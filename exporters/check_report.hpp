// What replaying a suite showed, for people and for scripts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tw {

enum class CheckStatus {
  kOk,
  kDiffers,     // it does not run as written, or does not cover what it claims
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

struct CheckReport {
  std::string_view model;
  std::string_view suite;
  std::vector<CheckedTest> tests;
  std::vector<std::string> problems;  // with the suite as a whole

  [[nodiscard]] std::size_t failed() const;
};

[[nodiscard]] std::string check_text(const CheckReport& report);
[[nodiscard]] std::string check_json(const CheckReport& report);

}  // namespace tw
