// Runs byte code on an array of cells. HOT: bench semantics/evaluate.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/semantics/code.hpp"

namespace tw {

/// Backward jumps one evaluation may take before the function counts as endless.
inline constexpr std::uint32_t kMaxRunSteps = 20'000'000;

struct RunResult {
  RunStatus status = RunStatus::kOk;
  bool holds = false;    // of a condition
  std::uint32_t at = 0;  // the instruction that failed
};

struct Note {
  CellId cell;
  bool is_definition = false;  // else a use
};

/// What noting code has to say, in order. Buffers are reused.
struct Notes {
  std::vector<Note> list;
  std::vector<std::int32_t> saved;  // memory, during an attempt with effects
};

/// Two machines: the loop is slower if it knows of notes.
template <bool kNoting>
[[nodiscard]] RunResult execute(const Code& code,
                                std::uint32_t entry,
                                std::int32_t* memory,
                                Notes* notes);
extern template RunResult execute<false>(const Code&, std::uint32_t, std::int32_t*, Notes*);
extern template RunResult execute<true>(const Code&, std::uint32_t, std::int32_t*, Notes*);

/// memory has code.memory.size() cells. Pre: plain code.
[[nodiscard]] inline RunResult run(const Code& code, std::uint32_t entry, std::int32_t* memory) {
  return execute<false>(code, entry, memory, nullptr);
}

/// The same for any code; notes are appended.
[[nodiscard]] inline RunResult run_noting(const Code& code,
                                          std::uint32_t entry,
                                          std::int32_t* memory,
                                          Notes& notes) {
  return execute<true>(code, entry, memory, &notes);
}

}  // namespace tw
