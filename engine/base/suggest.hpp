// What a mistyped name was probably meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tw {

/// How many single-character edits (insert, delete, replace, swap neighbours) turn a into b.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of the known names, one slip per three characters at most; among equals the first in
/// the alphabet. Empty if none is near, or if looking would take long.
[[nodiscard]] std::string_view nearest_name(std::string_view name,
                                            std::span<const std::string> known);

}  // namespace tw
