// Best effort: where an item of a strong criterion is infeasible, the next weaker criterion is
// asked for the same clause, values or definition (docs/criteria.md#best-effort):
//
//   racc -> cacc -> gacc -> cc -> pc      ricc -> gicc      3wc -> pwc -> sc      def-use ->
//   all-defs
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/coverage/rules.hpp"

namespace tw {

/// The criteria below this one, the next first; none if it stands on no ladder.
[[nodiscard]] std::vector<std::string_view> rungs_below(std::string_view criterion);

/// Says of every item on a ladder which weaker ones stand in for it. Pre: all criteria are
/// declared.
void link_rungs(CoverageRules& rules);

}  // namespace tw
