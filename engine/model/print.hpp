// The network as text again. Expressions are printed as a user would write them, with the
// parentheses that are needed and no others; the whole network as an XTA model whose loading gives
// an equal network.
#pragma once

#include <string>

#include "engine/model/network.hpp"

namespace tw {

[[nodiscard]] std::string print_expression(const Network& network, ExprId expression);

/// The same for an expression of another pool about the network's variables.
[[nodiscard]] std::string print_expression(const Network& network,
                                           const ExpressionPool& pool,
                                           ExprId expression);

/// The whole model in UPPAAL's text format.
[[nodiscard]] std::string print_xta(const Network& network);

}  // namespace tw
