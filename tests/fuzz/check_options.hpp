// What must hold for any words on the command line, shared by the fuzz target and the tests.
#pragma once

#include <optional>
#include <string>

namespace tw::fuzz {

/// One word a line. They are parsed, no command runs. What is wrong with us, or nothing.
[[nodiscard]] std::optional<std::string> find_options_fault(const std::string& lines);

}  // namespace tw::fuzz
