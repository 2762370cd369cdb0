// The operators of the language on numbers: 32 bits, and an error where the result does not fit.
#pragma once

#include <cstdint>

#include "engine/model/expression.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

struct Number {
  std::int64_t value = 0;
  RunStatus error = RunStatus::kOk;
};

/// The value itself, or an overflow.
[[nodiscard]] Number in_32_bits(std::int64_t value);

/// Pre: `op` is an arithmetic, bitwise or comparing operator; both numbers fit into 32 bits.
[[nodiscard]] Number compute(ExprKind op, std::int64_t a, std::int64_t b);

}  // namespace tw::replay
