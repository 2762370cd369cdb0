// Combinations of values: every value, pair or triple of values that variables and locations can
// have at once, by their declarations (docs/criteria.md#sc).
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// Declares a whole criterion. Factors are the processes, whose values are their locations, and the
/// cells of the state with few values. They belong to the network as a whole, so items are of
/// processes at both levels.
void declare_value_tuples(std::string_view criterion,
                          std::uint32_t strength,
                          const Network& network,
                          const CriterionOptions& options,
                          CoverageRules& rules,
                          Diagnostics& diagnostics);

}  // namespace tw
