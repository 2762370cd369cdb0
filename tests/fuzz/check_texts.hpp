// What must hold for every text beside a model whatsoever: observers, properties, words of the
// command line.
#pragma once

#include <optional>
#include <string>

namespace tw::fuzz {

/// Reads the text as an observer and compiles it for two models. Says what is wrong with us, or
/// nothing.
[[nodiscard]] std::optional<std::string> find_observer_fault(const std::string& text);

/// The same for a file of requirements in temporal logic, and for a condition on states.
[[nodiscard]] std::optional<std::string> find_properties_fault(const std::string& text);

}  // namespace tw::fuzz
