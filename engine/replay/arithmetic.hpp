// The operators of the language on numbers of 32 bits.
#pragma once

#include <cstdint>

#include "engine/model/expression.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

/// With an error the value is the number to blame: what is divided by zero, or the count of a
/// shift.
struct Number {
  std::int64_t value = 0;
  RunStatus error = RunStatus::kOk;
};

/// Of the numbers of 32 bits the one that differs by a multiple of 2^32.
[[nodiscard]] std::int64_t wrap(std::int64_t value);

/// Pre: `op` is an arithmetic, bitwise or comparing operator; both numbers fit into 32 bits.
[[nodiscard]] Number compute(ExprKind op, std::int64_t a, std::int64_t b);

}  // namespace tw::replay
