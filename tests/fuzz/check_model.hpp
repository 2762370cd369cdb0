// What must hold for every input whatsoever, shared by the fuzz targets and by the replay of their
// finds.
#pragma once

#include <optional>
#include <string>

namespace tw::fuzz {

/// Loads the text, renders everything that a user could ask for, and loads the printed network
/// again. Says what is wrong with us, or nothing; crashes and hangs are left to the caller's tools.
[[nodiscard]] std::optional<std::string> find_fault(const std::string& path, std::string bytes);

}  // namespace tw::fuzz
