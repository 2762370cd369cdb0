// Runs code on an array of cells. HOT: bench semantics/evaluate.
//
// Whether native code runs (native.hpp) or this machine, is decided here and nowhere else. Both
// give the same results, errors and notes, and leave the same in all cells.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/run_error.hpp"
#include "engine/semantics/code.hpp"
#include "engine/zone/dbm.hpp"

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

/// Clocks by number, from 1; the constant zero is 0.
struct ClockAssignment {
  std::uint32_t target = 0;
  std::uint32_t source = 0;
  std::int32_t offset = 0;
  std::uint32_t at = 0;  // the instruction: whom to blame if the value is negative
};

/// What code leaves to be done with clocks, in order; it appends.
struct ClockWork {
  std::vector<ClockConstraint> constraints;
  std::vector<ClockAssignment> assignments;
  std::vector<std::uint32_t> stopped;

  void clear() {
    constraints.clear();
    assignments.clear();
    stopped.clear();
  }
};

/// What a run of native code has besides the cells.
struct RunContext {
  const Code* code = nullptr;
  ClockWork* clocks = nullptr;
  Notes* notes = nullptr;
  std::uint32_t steps_left = kMaxRunSteps;
  std::uint32_t skimmed = 0;
};

/// The number that made a run fail, whose memory is still as the run left it.
[[nodiscard]] Misfit misfit(const Code& code, const RunResult& result, const std::int32_t* memory);

/// A single instruction that takes long anyway: kPower, whole arrays and structs, notes, clocks.
[[nodiscard]] RunStatus perform(const Code& code,
                                const Instruction& instruction,
                                std::int32_t* memory,
                                ClockWork* clocks,
                                Notes* notes);

/// Runs an attempt, whose errors and effects do not count.
[[nodiscard]] bool works(const Code& code,
                         const Attempt& attempt,
                         std::int32_t* memory,
                         Notes& notes);

/// Two machines: the loop is slower if it knows of notes.
template <bool kNoting>
[[nodiscard]] RunResult execute(
    const Code& code, std::uint32_t entry, std::int32_t* memory, ClockWork* clocks, Notes* notes);
extern template RunResult execute<false>(
    const Code&, std::uint32_t, std::int32_t*, ClockWork*, Notes*);
extern template RunResult execute<true>(
    const Code&, std::uint32_t, std::int32_t*, ClockWork*, Notes*);

/// memory has code.memory.size() cells. Without ClockWork nothing is handed over. Pre: plain code.
[[nodiscard]] inline RunResult run(const Code& code,
                                   std::uint32_t entry,
                                   std::int32_t* memory,
                                   ClockWork* clocks = nullptr) {
  if (code.native != nullptr && code.native[entry] != nullptr) {
    RunContext context{.code = &code, .clocks = clocks};
    return code.native[entry](memory, &context);
  }
  return execute<false>(code, entry, memory, clocks, nullptr);
}

/// The same for any code; notes are appended.
[[nodiscard]] inline RunResult run_noting(const Code& code,
                                          std::uint32_t entry,
                                          std::int32_t* memory,
                                          Notes& notes,
                                          ClockWork* clocks = nullptr) {
  if (code.native != nullptr && code.native[entry] != nullptr) {
    RunContext context{.code = &code, .clocks = clocks, .notes = &notes};
    return code.native[entry](memory, &context);
  }
  return execute<true>(code, entry, memory, clocks, &notes);
}

}  // namespace tw
