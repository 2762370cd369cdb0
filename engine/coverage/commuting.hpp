// Do two steps that have no variable in common do the same to tokens in either order? Then, where
// both orders lead to one state, it is enough to follow one of them
// (engine/semantics/successors.hpp on sleeping processes).
#pragma once

#include "engine/coverage/rules.hpp"

namespace tw {

/// True if every token stays with one cell: it is armed and dropped by definitions of that cell
/// alone, and looked at by uses and definitions of it alone. What a step does to the tokens of a
/// cell that it does not access is nothing then, and uses do not disturb each other. False where
/// rules observe states or tokens expire.
[[nodiscard]] bool tokens_keep_to_cells(const CoverageRules& rules);

}  // namespace tw
