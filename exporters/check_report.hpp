// What checking a suite showed, for people and for scripts.
#pragma once

#include <string>
#include <string_view>

#include "engine/check/check_result.hpp"

namespace tw {

struct CheckReport {
  std::string_view model;
  std::string_view suite;
  CheckResult result;
};

[[nodiscard]] std::string check_text(const CheckReport& report);
[[nodiscard]] std::string check_json(const CheckReport& report);

}  // namespace tw
