#include "engine/semantics/machine.hpp"

#include <algorithm>
#include <array>

#include "engine/model/evaluate.hpp"

namespace tw {
namespace {

// Functions call only functions declared before them; deeper chains than this are refused when
// loading.
constexpr std::size_t kMaxCalls = 4096;

// Numbers without a sign wrap; those with one must not leave their range.
std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }
std::int32_t wrapped(std::uint32_t value) { return static_cast<std::int32_t>(value); }

// The operators that are rare or can fail in more than one way.
ExprKind slow_operator(Opcode op) {
  switch (op) {
    case Opcode::kDivide:
      return ExprKind::kDivide;
    case Opcode::kModulo:
      return ExprKind::kModulo;
    case Opcode::kPower:
      return ExprKind::kPower;
    case Opcode::kShiftLeft:
      return ExprKind::kShiftLeft;
    default:
      return ExprKind::kShiftRight;
  }
}

void note(const Code& code,
          const Instruction& i,
          const std::int32_t* memory,
          std::vector<Note>& list) {
  const bool is_static = i.op == Opcode::kNoteUses || i.op == Opcode::kNoteDefinitions;
  const bool is_use = i.op == Opcode::kNoteUses || i.op == Opcode::kNoteUsesAt;
  const std::size_t first = is_static ? i.c : static_cast<std::size_t>(memory[i.a]);
  const std::size_t end = std::min<std::size_t>(first + i.b, code.watched.size());
  for (std::size_t cell = first; cell < end; ++cell)
    if (code.watched[cell])
      list.push_back({.cell = CellId(cell), .is_definition = !is_use});
}

// The number of a clock, from its address.
std::uint32_t clock_number(const Code& code, std::int32_t address) {
  return static_cast<std::uint32_t>(address - code.no_clock);
}

// In as many bits as it takes: times are exact.
std::int64_t sum(const Code& code, const TimeSum& numbers, const std::int32_t* memory) {
  std::int64_t out = 0;
  for (std::uint32_t k = numbers.first; k < numbers.first + numbers.count; ++k) {
    const TimeTerm& term = code.terms[k];
    out += term.negative ? -std::int64_t{memory[term.cell]} : memory[term.cell];
  }
  return out;
}

RunStatus constrain(const Code& code,
                    const ClockComparison& test,
                    const std::int32_t* memory,
                    ClockWork* work) {
  const std::int64_t number = sum(code, test.bound, memory);
  if (number > kMostClockNumber || number < -kMostClockNumber)
    return RunStatus::kBoundTooLarge;
  const auto bound = static_cast<std::int32_t>(number);
  if (work == nullptr)
    return RunStatus::kOk;
  const std::uint32_t plus = clock_number(code, memory[test.plus]);
  const std::uint32_t minus = clock_number(code, memory[test.minus]);
  const auto add = [&](std::uint32_t i, std::uint32_t j, Bound b) {
    work->constraints.push_back({.i = i, .j = j, .bound = b});
  };
  switch (test.relation) {
    case ExprKind::kLess:
      add(plus, minus, Bound::less_than(bound));
      break;
    case ExprKind::kGreater:
      add(minus, plus, Bound::less_than(-bound));
      break;
    case ExprKind::kGreaterEqual:
      add(minus, plus, Bound::at_most(-bound));
      break;
    case ExprKind::kEqual:
      add(minus, plus, Bound::at_most(-bound));
      [[fallthrough]];
    default:
      add(plus, minus, Bound::at_most(bound));
      break;
  }
  return RunStatus::kOk;
}

RunStatus set_clock(const Code& code,
                    const Instruction& instruction,
                    const std::int32_t* memory,
                    ClockWork* work) {
  const ClockChange& change = code.changes[instruction.b];
  const std::int64_t offset = sum(code, change.offset, memory);
  const std::uint32_t source = clock_number(code, memory[change.source]);
  if (offset > kMostClockNumber || offset < -kMostClockNumber || (source == 0 && offset < 0))
    return RunStatus::kValueOutOfRange;
  if (work != nullptr)
    work->assignments.push_back(
        {.target = clock_number(code, memory[change.target]),
         .source = source,
         .offset = static_cast<std::int32_t>(offset),
         .at = static_cast<std::uint32_t>(&instruction - code.instructions.data())});
  return RunStatus::kOk;
}

RunStatus set_rate(const Code& code,
                   const Instruction& instruction,
                   const std::int32_t* memory,
                   ClockWork* work) {
  const std::int32_t rate = memory[instruction.b];
  if (rate != 0 && rate != 1)
    return RunStatus::kValueOutOfRange;
  if (rate == 0 && work != nullptr)
    work->stopped.push_back(clock_number(code, memory[instruction.a]));
  return RunStatus::kOk;
}

RunStatus copy(const Code& code, const Instruction& instruction, std::int32_t* memory) {
  const Block& block = code.blocks[instruction.b];
  const std::int32_t* from = memory + memory[instruction.a];
  std::int32_t* to = memory + memory[instruction.c];
  for (std::uint32_t k = 0; block.first_range != Block::kUnchecked && k < block.count; ++k) {
    const ValueRange& range = code.ranges[block.first_range + k];
    if (from[k] < range.low || from[k] > range.high)
      return RunStatus::kValueOutOfRange;
  }
  std::copy_n(from, block.count, to);
  return RunStatus::kOk;
}

// Two numbers, one result.
RunStatus calculate(const Instruction& i, std::int32_t* memory) {
  std::int64_t out = 0;
  const RunStatus status = apply_operator(slow_operator(i.op), memory[i.a], memory[i.b], out);
  if (status == RunStatus::kOk)
    memory[i.c] = static_cast<std::int32_t>(out);
  return status;
}

}  // namespace

bool works(const Code& code, const Attempt& attempt, std::int32_t* memory, Notes& notes) {
  if (!attempt.has_effects)
    return run(code, attempt.entry, memory).status == RunStatus::kOk;
  notes.saved.assign(memory, memory + code.variables);
  const bool ok = run(code, attempt.entry, memory).status == RunStatus::kOk;
  // An address is computed into a temporary, which is not among the variables, or it stands in the
  // frame of a reference, which nothing changes.
  std::copy(notes.saved.begin(), notes.saved.end(), memory);
  return ok;
}

RunStatus perform(const Code& code,
                  const Instruction& instruction,
                  std::int32_t* memory,
                  ClockWork* clocks,
                  Notes* notes) {
  switch (instruction.op) {
    case Opcode::kCopy:
      return copy(code, instruction, memory);
    case Opcode::kSame: {
      const std::int32_t* left = memory + memory[instruction.c];
      const std::int32_t* right = memory + memory[instruction.a];
      memory[instruction.c] =
          std::equal(left, left + code.blocks[instruction.b].count, right) ? 1 : 0;
      return RunStatus::kOk;
    }
    case Opcode::kNoteUses:
    case Opcode::kNoteUsesAt:
    case Opcode::kNoteDefinitions:
    case Opcode::kNoteDefinitionsAt:
      if (notes != nullptr)
        note(code, instruction, memory, notes->list);
      return RunStatus::kOk;
    case Opcode::kConstrain:
      return constrain(code, code.comparisons[instruction.b], memory, clocks);
    case Opcode::kSetClock:
      return set_clock(code, instruction, memory, clocks);
    case Opcode::kSetRate:
      return set_rate(code, instruction, memory, clocks);
    default:
      return calculate(instruction, memory);
  }
}

Misfit misfit(const Code& code, const RunResult& result, const std::int32_t* memory) {
  const Instruction& i = code.instructions[result.at];
  switch (i.op) {
    case Opcode::kDivide:
    case Opcode::kModulo:
      return {.value = memory[i.a]};
    case Opcode::kPower:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRight:
      return {.value = memory[i.b]};
    case Opcode::kElement:
    case Opcode::kElementOf: {
      const Stride& stride = code.strides[i.b];
      return {.value = memory[i.a],
              .low = stride.low,
              .high = std::int64_t{stride.low} + stride.length - 1};
    }
    case Opcode::kStore:
    case Opcode::kAssign:
    case Opcode::kCheck: {
      const ValueRange& range = code.ranges[i.b];
      return {.value = memory[i.a], .low = range.low, .high = range.high};
    }
    case Opcode::kCopy: {
      const Block& block = code.blocks[i.b];
      for (std::uint32_t k = 0; block.first_range != Block::kUnchecked && k < block.count; ++k) {
        const std::int32_t value = memory[memory[i.a] + static_cast<std::int32_t>(k)];
        const ValueRange& range = code.ranges[block.first_range + k];
        if (value < range.low || value > range.high)
          return {.value = value, .low = range.low, .high = range.high};
      }
      return {};
    }
    case Opcode::kConstrain:
      return {.value = sum(code, code.comparisons[i.b].bound, memory),
              .low = -kMostClockNumber,
              .high = kMostClockNumber};
    case Opcode::kSetClock:
      return {
          .value = sum(code, code.changes[i.b].offset, memory), .low = 0, .high = kMostClockNumber};
    case Opcode::kSetRate:
      return {.value = memory[i.b], .low = 0, .high = 1};
    default:
      return {};
  }
}

// One switch over all instructions is the whole point of this function.
// NOLINTNEXTLINE(readability-function-size,readability-function-cognitive-complexity)
template <bool kNoting>
RunResult execute(const Code& code,
                  std::uint32_t entry,
                  std::int32_t* memory,
                  ClockWork* clocks,
                  [[maybe_unused]] Notes* notes) {
  const Instruction* const first = code.instructions.data();
  const Instruction* at = first + entry;
  std::array<const Instruction*, kMaxCalls>
      returns;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::size_t calls = 0;
  std::uint32_t steps = 0;
  [[maybe_unused]] std::uint32_t skimmed = 0;
  const auto fail = [&](RunStatus status) {
    return RunResult{.status = status, .at = static_cast<std::uint32_t>(at - first)};
  };
  for (;; ++at) {
    const Instruction& i = *at;
    switch (i.op) {
      case Opcode::kMove:
        memory[i.c] = memory[i.a];
        break;
      case Opcode::kNegate:
        memory[i.c] = wrapped(0U - bits(memory[i.a]));
        break;
      case Opcode::kNot:
        memory[i.c] = memory[i.a] == 0 ? 1 : 0;
        break;
      case Opcode::kAbsolute:
        memory[i.c] = memory[i.a] < 0 ? wrapped(0U - bits(memory[i.a])) : memory[i.a];
        break;
      case Opcode::kBool:
        memory[i.c] = memory[i.a] != 0 ? 1 : 0;
        break;
      case Opcode::kAdd:
        memory[i.c] = wrapped(bits(memory[i.a]) + bits(memory[i.b]));
        break;
      case Opcode::kSubtract:
        memory[i.c] = wrapped(bits(memory[i.a]) - bits(memory[i.b]));
        break;
      case Opcode::kMultiply:
        memory[i.c] = wrapped(bits(memory[i.a]) * bits(memory[i.b]));
        break;
      case Opcode::kDivide:
      case Opcode::kModulo:
      case Opcode::kPower:
      case Opcode::kShiftLeft:
      case Opcode::kShiftRight:
        if (const RunStatus status = calculate(i, memory); status != RunStatus::kOk)
          return fail(status);
        break;
      case Opcode::kMin:
        memory[i.c] = std::min(memory[i.a], memory[i.b]);
        break;
      case Opcode::kMax:
        memory[i.c] = std::max(memory[i.a], memory[i.b]);
        break;
      case Opcode::kBitAnd:
        memory[i.c] = memory[i.a] & memory[i.b];
        break;
      case Opcode::kBitXor:
        memory[i.c] = memory[i.a] ^ memory[i.b];
        break;
      case Opcode::kBitOr:
        memory[i.c] = memory[i.a] | memory[i.b];
        break;
      case Opcode::kLess:
        memory[i.c] = memory[i.a] < memory[i.b] ? 1 : 0;
        break;
      case Opcode::kLessEqual:
        memory[i.c] = memory[i.a] <= memory[i.b] ? 1 : 0;
        break;
      case Opcode::kEqual:
        memory[i.c] = memory[i.a] == memory[i.b] ? 1 : 0;
        break;
      case Opcode::kNotEqual:
        memory[i.c] = memory[i.a] != memory[i.b] ? 1 : 0;
        break;
      case Opcode::kElement:
      case Opcode::kElementOf: {
        const Stride& stride = code.strides[i.b];
        const std::int64_t index = std::int64_t{memory[i.a]} - stride.low;
        if (index < 0 || index >= stride.length)
          return fail(RunStatus::kIndexOutOfRange);
        const std::int32_t base =
            i.op == Opcode::kElement ? static_cast<std::int32_t>(stride.base) : memory[i.c];
        memory[i.c] =
            base + static_cast<std::int32_t>(index) * static_cast<std::int32_t>(stride.unit);
        break;
      }
      case Opcode::kOffset:
        memory[i.c] = memory[i.a] + static_cast<std::int32_t>(i.b);
        break;
      case Opcode::kLoad:
        memory[i.c] = memory[memory[i.a]];
        break;
      case Opcode::kStore: {
        const ValueRange& range = code.ranges[i.b];
        const std::int32_t value = memory[i.a];
        if (value < range.low || value > range.high)
          return fail(RunStatus::kValueOutOfRange);
        memory[memory[i.c]] = value;
        break;
      }
      case Opcode::kAssign: {
        const ValueRange& range = code.ranges[i.b];
        const std::int32_t value = memory[i.a];
        if (value < range.low || value > range.high)
          return fail(RunStatus::kValueOutOfRange);
        memory[i.c] = value;
        break;
      }
      case Opcode::kCheck: {
        const ValueRange& range = code.ranges[i.b];
        if (memory[i.a] < range.low || memory[i.a] > range.high)
          return fail(RunStatus::kValueOutOfRange);
        break;
      }
      case Opcode::kLoop:
        if (++steps > kMaxRunSteps)
          return fail(RunStatus::kTooManySteps);
        at = first + i.c - 1;
        break;
      case Opcode::kJump:
        at = first + i.c - 1;
        break;
      case Opcode::kJumpIf:
        if (memory[i.a] != 0)
          at = first + i.c - 1;
        break;
      case Opcode::kJumpIfNot:
        if (memory[i.a] == 0)
          at = first + i.c - 1;
        break;
      case Opcode::kJumpIfLess:
        if (memory[i.a] < memory[i.b])
          at = first + i.c - 1;
        break;
      case Opcode::kJumpIfLessEqual:
        if (memory[i.a] <= memory[i.b])
          at = first + i.c - 1;
        break;
      case Opcode::kJumpIfEqual:
        if (memory[i.a] == memory[i.b])
          at = first + i.c - 1;
        break;
      case Opcode::kJumpIfNotEqual:
        if (memory[i.a] != memory[i.b])
          at = first + i.c - 1;
        break;
      case Opcode::kCall:
        if (calls == kMaxCalls)
          return fail(RunStatus::kTooManySteps);
        returns[calls++] = at;
        at = first + i.c - 1;
        break;
      case Opcode::kReturn:
        at = returns[--calls];
        break;
      case Opcode::kFail:
        return fail(static_cast<RunStatus>(i.a));
      case Opcode::kStop:
        return {.holds = i.a != 0, .at = 0};
      case Opcode::kNoteUses:
      case Opcode::kNoteUsesAt:
      case Opcode::kNoteDefinitions:
      case Opcode::kNoteDefinitionsAt:
        if constexpr (kNoting)
          note(code, i, memory, notes->list);
        break;
      case Opcode::kTry:
        if constexpr (kNoting) {
          const Attempt& attempt = code.attempts[i.b];
          at = first + (works(code, attempt, memory, *notes) ? attempt.next : i.c) - 1;
        }
        break;
      case Opcode::kCopy:
      case Opcode::kSame:
      case Opcode::kConstrain:
      case Opcode::kSetClock:
      case Opcode::kSetRate:
        if (const RunStatus status = perform(code, i, memory, clocks, nullptr);
            status != RunStatus::kOk)
          return fail(status);
        break;
      case Opcode::kSkimLoop:
        // Nobody waits for a part that has no effect: no error, its uses just end here.
        if constexpr (kNoting)
          if (++skimmed <= kMaxRunSteps)
            at = first + i.c - 1;
        break;
    }
  }
}

template RunResult execute<false>(const Code&, std::uint32_t, std::int32_t*, ClockWork*, Notes*);
template RunResult execute<true>(const Code&, std::uint32_t, std::int32_t*, ClockWork*, Notes*);

}  // namespace tw
