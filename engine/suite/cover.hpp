// Set cover: few of the walks that meet all requirements. A greedy choice first; where there are
// not too many walks, branch and bound then looks for anything better and usually proves that there
// is nothing.
//
// Requirements may have alternatives (goals.hpp), so this is a little more than set cover: one
// alternative of each must be covered, both of its items, by the same walk or by two.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/suite/generate.hpp"
#include "engine/suite/goals.hpp"
#include "engine/suite/walker.hpp"

namespace tw {

/// Numbers of the walks to keep, ascending. Pre: all together meet the requirements.
[[nodiscard]] std::vector<std::size_t> choose_cover(const std::vector<Walk>& walks,
                                                    const std::vector<Requirement>& requirements,
                                                    Optimise optimise);

/// Leaves out gains that are none of the wanted items, and walks that are left with none; one walk
/// stays.
void keep_gains(std::vector<Walk>& walks, Words wanted);

}  // namespace tw
