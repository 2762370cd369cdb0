// Do two rule sets ask for the same? Criteria that differ in general often agree on a given model:
// then one search serves both.
#pragma once

#include "engine/coverage/rules.hpp"

namespace tw {

/// The same items, tokens and rules in the same order, names and labels aside: a search finds the
/// same with both. (What open tokens lead to is code and not compared; it decides only how early
/// they die.) False if in doubt, as with open items.
[[nodiscard]] bool ask_for_the_same(const CoverageRules& a, const CoverageRules& b);

}  // namespace tw
