// What a single item asks for, in the words of whoever writes the model: edges, locations, values
// and clauses, not tokens and rules.
#pragma once

#include <string>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// Lines; an observer's are its author's.
[[nodiscard]] std::vector<std::string> describe_item_rules(const Network& network,
                                                           const CoverageRules& rules,
                                                           ItemId item);

}  // namespace tw
