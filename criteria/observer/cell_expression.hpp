// An expression that reads one cell.
#pragma once

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"

namespace tw::observer {

/// `x`, `list[2].len`. Pre: a cell of the state, no clock.
[[nodiscard]] ExprId cell_expression(const Network& network, CellId cell, CoverageRules& rules);

[[nodiscard]] ExprId number_expression(const Network& network,
                                       std::int32_t value,
                                       CoverageRules& rules);

}  // namespace tw::observer
