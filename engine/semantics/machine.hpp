// Runs byte code on an array of cells. HOT: bench semantics/evaluate.
#pragma once

#include <cstdint>

#include "engine/semantics/code.hpp"

namespace tw {

/// Backward jumps one evaluation may take before the function counts as endless.
inline constexpr std::uint32_t kMaxRunSteps = 20'000'000;

struct RunResult {
  RunStatus status = RunStatus::kOk;
  bool holds = false;    // of a condition
  std::uint32_t at = 0;  // the instruction that failed
};

/// memory has code.memory.size() cells.
[[nodiscard]] RunResult run(const Code& code, std::uint32_t entry, std::int32_t* memory);

}  // namespace tw
