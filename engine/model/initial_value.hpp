// The value a variable starts with: its initialiser evaluated and checked against its type, or the
// default. Length of lists, ranges and sizes are checked here, once for globals and per process for
// locals.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/evaluate.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// One number per cell, then per clock. Nothing, and diagnostics, if there is no such value.
/// Pre: neither type nor initialiser mention prototypes.
[[nodiscard]] std::optional<std::vector<std::int32_t>> initial_value(const Network& network,
                                                                     ConstantValues& constants,
                                                                     VariableId id,
                                                                     Diagnostics& diagnostics);

/// The value of an expression for a variable of this type (an argument for a parameter).
[[nodiscard]] std::optional<std::vector<std::int32_t>> value_for_type(const Network& network,
                                                                      ConstantValues& constants,
                                                                      TypeId type,
                                                                      ExprId expression,
                                                                      Diagnostics& diagnostics);

/// An expression for what a variable of this type starts with: 0, or what is nearest to it.
/// Pre: the type holds no channel and mentions no prototypes.
[[nodiscard]] ExprId add_default_value(Network& network, TypeId type, SourceRange where);

/// "2 values for 3 elements; the others start at 0"
void warn_short_list(const Type& element,
                     std::size_t given,
                     std::size_t wanted,
                     SourceRange where,
                     Diagnostics& diagnostics);

/// "cannot evaluate 'a[7]': the index lies outside the array"
void report_failure(const Network& network,
                    const EvalResult& result,
                    ExprId expression,
                    Diagnostics& diagnostics);

}  // namespace tw
