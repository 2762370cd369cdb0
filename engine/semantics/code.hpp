// Byte code for guards, updates and functions.
//
// The machine has no stack and no registers of its own: it works on one array of 32-bit cells, and
// every instruction names the cells it reads and writes. Behind the network's memory (state, meta,
// constants, frames) lie literals and temporaries. So `n < MAX` is one instruction that reads two
// cells, and most guards are a single fused compare-and-jump. There is no recursion in the
// language, hence every temporary has a fixed cell and evaluation allocates nothing.
//
// Code that is asked to also *notes* which watched cells it uses and defines. Such code is compiled
// beside the plain one, which knows nothing of it.
//
// Clocks have no values here, since a state stands for many. Code of a guard or invariant decides
// what is discrete in it and hands over the clock constraints that remain; code of an update hands
// over what is to be done with clocks, in order. An address of a clock is a number behind those of
// the network's memory (Network::cell_of).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/expression.hpp"
#include "engine/model/ids.hpp"
#include "engine/model/run_status.hpp"

namespace tw {

enum class Opcode : std::uint8_t {
  // cell[c] = …
  kMove,      // cell[a]
  kNegate,    // -cell[a]
  kNot,       // !cell[a]
  kAbsolute,  // |cell[a]|
  kBool,      // cell[a] != 0
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kShiftLeft,
  kShiftRight,
  kMin,
  kMax,
  kBitAnd,
  kBitXor,
  kBitOr,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  // Addresses: `b` is an index into the table of strides; checks the index in cell[a].
  kElement,    // cell[c] = stride.base + (cell[a] - stride.low) * stride.unit
  kElementOf,  // cell[c] = cell[c] + (cell[a] - stride.low) * stride.unit
  kOffset,     // cell[c] = cell[a] + b
  kLoad,       // cell[c] = cell[cell[a]]
  kStore,      // cell[cell[c]] = cell[a], inside range b
  kAssign,     // cell[c] = cell[a], inside range b
  kCheck,      // cell[a] must be inside range b
  kCopy,       // block b: cells [cell[a], …) to [cell[c], …)
  kSame,       // cell[c] = block b: cells from cell[c] on equal those from cell[a] on
  // Control; `c` is the instruction to go on with.
  kJump,
  kJumpIf,           // cell[a] != 0
  kJumpIfNot,        // cell[a] == 0
  kJumpIfLess,       // cell[a] < cell[b]
  kJumpIfLessEqual,  // cell[a] <= cell[b]
  kJumpIfEqual,      // cell[a] == cell[b]
  kJumpIfNotEqual,   // cell[a] != cell[b]
  kLoop,             // a jump backwards: counts a step
  kCall,             // remembers where to go on
  kReturn,
  kFail,  // status a
  kStop,
  // Notes, of the watched ones among b cells.
  kNoteUses,           // from c on
  kNoteUsesAt,         // from cell[a] on
  kNoteDefinitions,    // from c on
  kNoteDefinitionsAt,  // from cell[a] on
  kTry,                // attempt b; if it fails, go on with instruction c
  kSkimLoop,           // a jump backwards to c, unless there were too many of them
  // Clocks.
  kConstrain,  // hand over clock comparison b
  kSetClock,   // hand over clock change b
  kSetRate,    // the clock at address cell[a] stands still if cell[b] is 0; 1 means nothing
};

struct Instruction {
  Opcode op = Opcode::kStop;
  std::uint32_t c = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// How an index becomes an address.
struct Stride {
  std::int32_t low = 0;
  std::uint32_t length = 0;
  std::uint32_t unit = 1;
  std::uint32_t base = 0;
};

struct ValueRange {
  std::int32_t low = 0;
  std::int32_t high = 0;
};

/// Whole arrays and structs: how many cells, and from which range on their values must be checked
/// (kUnchecked: the types agree).
struct Block {
  static constexpr std::uint32_t kUnchecked = 0xFFFFFFFF;

  std::uint32_t count = 0;
  std::uint32_t first_range = kUnchecked;
};

/// A number that is added to a clock or compared with one, or its opposite.
struct TimeTerm {
  std::uint32_t cell = 0;
  bool negative = false;
};

/// Of some terms of the code.
struct TimeSum {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// `plus - minus ~ bound`; in cells the addresses of clocks, or of none (Code::no_clock).
struct ClockComparison {
  std::uint32_t plus = 0;
  std::uint32_t minus = 0;
  TimeSum bound;
  ExprKind relation = ExprKind::kLess;
};

/// `target = source + offset`; the source may be no clock.
struct ClockChange {
  std::uint32_t target = 0;
  std::uint32_t source = 0;
  TimeSum offset;
};

/// Code for a place in a part of an expression that is not evaluated: it runs on the side, and
/// neither an error nor an effect of it counts.
struct Attempt {
  std::uint32_t entry = 0;
  std::uint32_t next = 0;    // where to go on if it works
  bool has_effects = false;  // to be undone
};

/// Where a piece of code begins, and the cell its value is in when it stops.
struct CodeBlock {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::uint32_t entry = kNone;
  std::uint32_t result = kNone;

  [[nodiscard]] bool present() const { return result != kNone; }
};

struct RunContext;
struct RunResult;

/// A piece of code as the processor takes it.
using NativeFunction = RunResult (*)(std::int32_t* memory, RunContext* context);

/// All code of a network.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<ExprId> origins;  // by instruction: the expression to blame
  std::vector<Stride> strides;
  std::vector<ValueRange> ranges;
  std::vector<Block> blocks;
  std::vector<Attempt> attempts;
  std::vector<TimeTerm> terms;
  std::vector<ClockComparison> comparisons;
  std::vector<ClockChange> changes;
  std::int32_t no_clock = 0;         // the address of no clock; that of the first clock follows
  std::vector<bool> watched;         // by address of a cell or clock; empty: none
  std::uint32_t variables = 0;       // cells in front of literals and temporaries
  std::vector<std::int32_t> memory;  // initial contents of all cells, temporaries included
  std::vector<bool> fixed;           // by cell: nothing writes to it (literals, constants)
  // By entry; null, or no table: byte code only. Borrowed from the NativeCode beside this.
  const NativeFunction* native = nullptr;
};

}  // namespace tw
