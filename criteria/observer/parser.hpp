// Text to tree. A mistake ends its declaration, not the file: one run shows them all.
#pragma once

#include <optional>

#include "criteria/observer/ast.hpp"
#include "engine/base/diagnostics.hpp"

namespace tw::observer {

/// None if there was an error.
[[nodiscard]] std::optional<Observer> parse(const SourceFile& file, Diagnostics& diagnostics);

/// The part of a parameter that the command line gives: "Train(1)", "list[2]", "-3". None, and why,
/// if it is nothing of the kind.
[[nodiscard]] std::optional<Expression> parse_value(const SourceFile& text,
                                                    Diagnostics& diagnostics);

}  // namespace tw::observer
