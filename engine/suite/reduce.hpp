// From many traces to few: what can be left out without losing an item (docs/algorithms.md 6.2).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/suite/walker.hpp"

namespace tw {

[[nodiscard]] std::uint64_t total_steps(const std::vector<Walk>& walks);

/// Removes walks all of whose items others cover, short ones first: the long ones that remain cover
/// their items on the way.
void remove_redundant(std::vector<Walk>& walks);
/// Which walks that leaves, ascending.
[[nodiscard]] std::vector<std::size_t> irredundant(const std::vector<Walk>& walks);

/// Which walks to keep, ascending: again and again the one with most new items per step; then
/// without redundant ones, as above.
[[nodiscard]] std::vector<std::size_t> greedy_cover(const std::vector<Walk>& walks);

/// Copies of some, if there is room for them.
[[nodiscard]] std::vector<Walk> copies_of(const std::vector<Walk>& walks,
                                          const std::vector<std::size_t>& chosen);

/// Cuts every walk after the last step that is needed for an item no other walk covers, and removes
/// redundant ones, until nothing changes. Returns which ones are left, ascending.
std::vector<std::size_t> trim(std::vector<Walk>& walks);

}  // namespace tw
