// What must hold for any bytes that are given to `check` as a suite.
#pragma once

#include <optional>
#include <string>

namespace tw::fuzz {

/// A small timed model with a select, a channel and a variable, as text.
[[nodiscard]] const std::string& suite_model();

/// A good suite of it.
[[nodiscard]] std::string good_suite();

/// Reads the bytes as a suite of that model and checks it. None, or what is wrong with us.
[[nodiscard]] std::optional<std::string> find_suite_fault(std::string bytes);

}  // namespace tw::fuzz
