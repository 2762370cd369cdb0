#include "engine/semantics/native.hpp"

#include <algorithm>
#include <array>
#include <asmjit/x86.h>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

#include "engine/semantics/machine.hpp"

namespace tw {
namespace {

namespace x86 = asmjit::x86;
using asmjit::Label;
using asmjit::Operand;
using x86::CondCode;

// A result is returned in rax as the calling convention has it for eight plain bytes.
static_assert(sizeof(RunResult) == 8 && std::is_trivially_copyable_v<RunResult>);
static_assert(offsetof(RunResult, status) == 0 && offsetof(RunResult, holds) == 1 &&
              offsetof(RunResult, at) == 4);
constexpr int kHolds = 1 << 8;
constexpr int kAtShift = 32;

// Cells are addressed with 32 bits.
constexpr std::size_t kMostCells = std::size_t{1} << 28;
// The machine would run out of places to return to: it says how, so it runs such code.
constexpr std::uint32_t kMostDepth = 4000;
// Larger arrays and structs are copied by a call.
constexpr std::uint32_t kMostInlineCells = 16;

constexpr std::int32_t kMin32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax32 = std::numeric_limits<std::int32_t>::max();

// Called by native code, which nothing can be thrown through.
std::uint32_t perform_at(std::int32_t* memory, RunContext* context, std::uint32_t at) noexcept {
  const Code& code = *context->code;
  return static_cast<std::uint32_t>(
      perform(code, code.instructions[at], memory, context->clocks, context->notes));
}

// Where an attempt leads: 0, it is not for this run; 1, it works; 2, it does not.
std::uint32_t try_at(std::int32_t* memory, RunContext* context, std::uint32_t at) noexcept {
  if (context->notes == nullptr)
    return 0;
  const Code& code = *context->code;
  const Attempt& attempt = code.attempts[code.instructions[at].b];
  return works(code, attempt, memory, *context->notes) ? 1 : 2;
}

bool compare(CondCode condition, std::int32_t a, std::int32_t b) {
  switch (condition) {
    case CondCode::kL:
      return a < b;
    case CondCode::kLE:
      return a <= b;
    case CondCode::kG:
      return a > b;
    case CondCode::kGE:
      return a >= b;
    case CondCode::kE:
      return a == b;
    default:
      return a != b;
  }
}

// The same with the sides exchanged.
CondCode mirrored(CondCode condition) {
  switch (condition) {
    case CondCode::kL:
      return CondCode::kG;
    case CondCode::kLE:
      return CondCode::kGE;
    case CondCode::kG:
      return CondCode::kL;
    case CondCode::kGE:
      return CondCode::kLE;
    default:
      return condition;
  }
}

CondCode condition_of(Opcode op) {
  switch (op) {
    case Opcode::kLess:
    case Opcode::kJumpIfLess:
      return CondCode::kL;
    case Opcode::kLessEqual:
    case Opcode::kJumpIfLessEqual:
      return CondCode::kLE;
    case Opcode::kEqual:
    case Opcode::kJumpIfEqual:
    case Opcode::kNot:
    case Opcode::kJumpIfNot:
      return CondCode::kE;
    default:
      return CondCode::kNE;
  }
}

bool has_target(Opcode op) {
  return (op >= Opcode::kJump && op <= Opcode::kCall) || op == Opcode::kTry ||
         op == Opcode::kSkimLoop;
}

bool ends_code(Opcode op) {
  return op == Opcode::kStop || op == Opcode::kReturn || op == Opcode::kFail;
}

// How deep calls are nested at the most. Functions lie behind those they call, and in front of all
// code that is no function; that counts for the last of them, which only makes it deeper.
std::uint32_t call_depth(const Code& code) {
  std::vector<std::uint32_t> depth(code.instructions.size(), 0);
  std::vector<bool> is_function(code.instructions.size(), false);
  for (const Instruction& i : code.instructions)
    if (i.op == Opcode::kCall)
      is_function[i.c] = true;
  std::size_t current = 0;
  std::uint32_t deepest = 0;
  for (std::size_t k = 0; k < code.instructions.size(); ++k) {
    if (is_function[k])
      current = k;
    const Instruction& i = code.instructions[k];
    if (i.op != Opcode::kCall)
      continue;
    deepest = std::max(deepest, depth[i.c] + 1);
    if (i.c != current)
      depth[current] = std::max(depth[current], depth[i.c] + 1);
  }
  return deepest;
}

// Registers: rdi is the memory, rsi the context. eax holds the value computed last and edx the
// address, each for as long as it is known whose cell's it is. ecx is free at any time.
class Translator {
 public:
  Translator(const Code& code, asmjit::CodeHolder& holder) : code_(code), out_(&holder) {}

  void run();

  /// By instruction: where its machine code begins, if a run can begin there.
  static constexpr std::uint32_t kNoEntry = 0xFFFFFFFF;
  [[nodiscard]] const std::vector<std::uint32_t>& entries() const { return entries_; }

 private:
  using Cell = std::uint32_t;
  static constexpr Cell kNobody = 0xFFFFFFFF;

  // Out of the way of what usually runs: the end with an error.
  struct Failure {
    Label label;
    std::uint32_t at;
    RunStatus status;  // kOk: in eax
  };

  void find_targets();
  void translate(const Instruction& i);
  void translate_value(const Instruction& i);
  void translate_control(const Instruction& i);
  void end();

  // Operands
  [[nodiscard]] bool fixed(Cell cell) const {
    return cell < code_.fixed.size() && code_.fixed[cell];
  }
  [[nodiscard]] std::int32_t constant(Cell cell) const { return code_.memory[cell]; }
  [[nodiscard]] static x86::Mem in_memory(Cell cell) {
    return x86::dword_ptr(x86::rdi, static_cast<std::int32_t>(4 * cell));
  }
  [[nodiscard]] Operand operand(Cell cell) const;
  void load(Cell cell, const x86::Gp& into);
  [[nodiscard]] x86::Gp fetch(Cell cell);
  [[nodiscard]] x86::Mem through(Cell cell);
  [[nodiscard]] x86::Mem block_at(Cell cell, const x86::Gp& spare);
  [[nodiscard]] Operand pair(Cell a, Cell b, bool commutes = false);
  [[nodiscard]] std::optional<bool> test(CondCode& condition, Cell a, Cell b);
  [[nodiscard]] std::optional<bool> test_zero(CondCode condition, Cell a);
  void save_value(Cell cell);
  void save_address(Cell cell);
  void save_constant(Cell cell, std::int32_t value);
  void save_truth(Cell cell, CondCode condition, std::optional<bool> known);
  void forget(Cell cell);
  void forget_all() { value_ = address_ = kNobody; }

  // Instructions
  void binary(const Instruction& i);
  void divide(const Instruction& i);
  void shift(const Instruction& i);
  void choose(const Instruction& i);
  void absolute(const Instruction& i);
  void element(const Instruction& i);
  void element_of(const Instruction& i);
  void index(const Stride& stride, const x86::Gp& into);
  void store(const Instruction& i);
  void assign(const Instruction& i);
  void copy(const Instruction& i);
  void attempt(const Instruction& i);
  void slow(const Instruction& i);
  void check_range(const x86::Gp& value, const ValueRange& range);
  void jump_if(CondCode condition, std::optional<bool> known, std::uint32_t target);

  // Failures
  [[nodiscard]] Label failure(RunStatus status);
  void fail_if(CondCode condition, RunStatus status) { out_.j(condition, failure(status)); }
  void fail(RunStatus status) { out_.jmp(failure(status)); }

  const Code& code_;
  x86::Assembler out_;
  std::uint32_t at_ = 0;  // the instruction being translated
  std::vector<Label> labels_;
  std::vector<std::uint32_t> entries_;
  std::vector<Failure> failures_;
  Cell value_ = kNobody;    // whose value is in eax
  Cell address_ = kNobody;  // whose value is in edx
  Label perform_;
  Label try_;
  Label leave_;
};

// A run begins where code before has ended, or at an attempt.
void Translator::find_targets() {
  const std::size_t count = code_.instructions.size();
  labels_.resize(count);
  entries_.assign(count, kNoEntry);
  const auto add = [this](std::uint32_t target) {
    if (!labels_[target].isValid())
      labels_[target] = out_.newLabel();
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (k == 0 || ends_code(code_.instructions[k - 1].op))
      entries_[k] = 0;
    if (has_target(code_.instructions[k].op))
      add(code_.instructions[k].c);
  }
  for (const Attempt& attempt : code_.attempts) {
    entries_[attempt.entry] = 0;
    add(attempt.next);
  }
}

void Translator::run() {
  perform_ = out_.newLabel();
  try_ = out_.newLabel();
  leave_ = out_.newLabel();
  find_targets();
  for (const Instruction& i : code_.instructions) {
    if (entries_[at_] != kNoEntry) {
      entries_[at_] = static_cast<std::uint32_t>(out_.offset());
      forget_all();
    }
    if (labels_[at_].isValid()) {
      out_.bind(labels_[at_]);
      forget_all();
    }
    translate(i);
    ++at_;
  }
  end();
}

// What all code shares.
void Translator::end() {
  std::array<Label, static_cast<std::size_t>(RunStatus::kNotConstant) + 1> ends;
  for (Label& label : ends)
    label = out_.newLabel();
  for (const Failure& failure : failures_) {
    out_.bind(failure.label);
    out_.mov(failure.status == RunStatus::kOk ? x86::ecx : x86::eax, failure.at);
    out_.jmp(ends[static_cast<std::size_t>(failure.status)]);
  }
  out_.bind(ends[0]);
  out_.shl(x86::rcx, kAtShift);
  out_.or_(x86::rax, x86::rcx);
  out_.bind(leave_);
  out_.ret();
  for (std::size_t status = 1; status < ends.size(); ++status) {
    out_.bind(ends[status]);
    out_.shl(x86::rax, kAtShift);
    out_.or_(x86::al, static_cast<std::uint32_t>(status));
    out_.ret();
  }
  // The number of the instruction is in edx: the arguments are all in place. Code runs with the
  // stack eight bytes off, as at the start of any function, so it is even again here.
  const auto call = [this](Label label, std::uint64_t function) {
    out_.bind(label);
    out_.push(x86::rdi);
    out_.push(x86::rsi);
    out_.mov(x86::rax, function);
    out_.call(x86::rax);
    out_.pop(x86::rsi);
    out_.pop(x86::rdi);
    out_.ret();
  };
  call(perform_, std::bit_cast<std::uint64_t>(&perform_at));
  call(try_, std::bit_cast<std::uint64_t>(&try_at));
}

void Translator::translate(const Instruction& i) {
  if (i.op <= Opcode::kNotEqual) {
    translate_value(i);
    return;
  }
  switch (i.op) {
    case Opcode::kElement:
      element(i);
      break;
    case Opcode::kElementOf:
      element_of(i);
      break;
    case Opcode::kOffset:
      load(i.a, x86::edx);
      out_.add(x86::edx, static_cast<std::int32_t>(i.b));
      save_address(i.c);
      break;
    case Opcode::kLoad:
      out_.mov(x86::eax, through(i.a));
      save_value(i.c);
      break;
    case Opcode::kStore:
      store(i);
      break;
    case Opcode::kAssign:
      assign(i);
      break;
    case Opcode::kCheck:
      check_range(fetch(i.a), code_.ranges[i.b]);
      break;
    case Opcode::kCopy:
      copy(i);
      break;
    case Opcode::kTry:
      attempt(i);
      break;
    default:
      translate_control(i);
  }
}

void Translator::translate_value(const Instruction& i) {
  switch (i.op) {
    case Opcode::kMove:
      if (fixed(i.a)) {
        save_constant(i.c, constant(i.a));
        break;
      }
      load(i.a, x86::eax);
      save_value(i.c);
      break;
    case Opcode::kNegate:
      load(i.a, x86::eax);
      out_.neg(x86::eax);
      save_value(i.c);
      break;
    case Opcode::kAbsolute:
      absolute(i);
      break;
    case Opcode::kNot:
    case Opcode::kBool:
      save_truth(i.c, condition_of(i.op), test_zero(condition_of(i.op), i.a));
      break;
    case Opcode::kDivide:
    case Opcode::kModulo:
      divide(i);
      break;
    case Opcode::kPower:
      slow(i);
      break;
    case Opcode::kShiftLeft:
    case Opcode::kShiftRight:
      shift(i);
      break;
    case Opcode::kMin:
    case Opcode::kMax:
      choose(i);
      break;
    case Opcode::kLess:
    case Opcode::kLessEqual:
    case Opcode::kEqual:
    case Opcode::kNotEqual: {
      CondCode condition = condition_of(i.op);
      const std::optional<bool> known = test(condition, i.a, i.b);
      save_truth(i.c, condition, known);
      break;
    }
    default:
      binary(i);
  }
}

void Translator::translate_control(const Instruction& i) {
  CondCode condition = condition_of(i.op);
  switch (i.op) {
    case Opcode::kJump:
      out_.jmp(labels_[i.c]);
      break;
    case Opcode::kJumpIf:
    case Opcode::kJumpIfNot:
      jump_if(condition, test_zero(condition, i.a), i.c);
      break;
    case Opcode::kJumpIfLess:
    case Opcode::kJumpIfLessEqual:
    case Opcode::kJumpIfEqual:
    case Opcode::kJumpIfNotEqual: {
      const std::optional<bool> known = test(condition, i.a, i.b);
      jump_if(condition, known, i.c);
      break;
    }
    case Opcode::kLoop:
      out_.sub(x86::dword_ptr(x86::rsi, offsetof(RunContext, steps_left)), 1);
      fail_if(CondCode::kC, RunStatus::kTooManySteps);
      out_.jmp(labels_[i.c]);
      break;
    case Opcode::kSkimLoop: {
      const Label on = out_.newLabel();
      const x86::Mem skimmed = x86::dword_ptr(x86::rsi, offsetof(RunContext, skimmed));
      out_.cmp(x86::qword_ptr(x86::rsi, offsetof(RunContext, notes)), 0);
      out_.je(on);
      out_.add(skimmed, 1);
      out_.cmp(skimmed, kMaxRunSteps);
      out_.jbe(labels_[i.c]);
      out_.bind(on);
      break;
    }
    case Opcode::kCall:
      out_.sub(x86::rsp, 8);
      out_.call(labels_[i.c]);
      out_.add(x86::rsp, 8);
      forget_all();
      out_.test(x86::eax, x86::eax);
      out_.jne(leave_);
      break;
    case Opcode::kReturn:
      out_.xor_(x86::eax, x86::eax);
      out_.ret();
      break;
    case Opcode::kFail:
      fail(static_cast<RunStatus>(i.a));
      break;
    case Opcode::kStop:
      out_.mov(x86::eax, i.a != 0 ? kHolds : 0);
      out_.ret();
      break;
    default:
      slow(i);
  }
}

Operand Translator::operand(Cell cell) const {
  if (fixed(cell))
    return asmjit::Imm(constant(cell));
  if (cell == value_)
    return x86::eax;
  if (cell == address_)
    return x86::edx;
  return in_memory(cell);
}

// Into a register that is going to be changed.
void Translator::load(Cell cell, const x86::Gp& into) {
  const Operand from = operand(cell);
  if (from != into)
    out_.emit(x86::Inst::kIdMov, into, from);
  if (into == x86::eax)
    value_ = kNobody;
  if (into == x86::edx)
    address_ = kNobody;
}

// Into some register, only to be read.
x86::Gp Translator::fetch(Cell cell) {
  const Operand from = operand(cell);
  if (from.isReg())
    return from.as<x86::Gp>();
  out_.emit(x86::Inst::kIdMov, x86::ecx, from);
  return x86::ecx;
}

// The cell whose address another one holds.
x86::Mem Translator::through(Cell cell) {
  if (fixed(cell))
    return in_memory(static_cast<Cell>(constant(cell)));
  if (cell == value_)
    return x86::dword_ptr(x86::rdi, x86::rax, 2);
  if (cell != address_) {
    out_.mov(x86::edx, in_memory(cell));
    address_ = cell;
  }
  return x86::dword_ptr(x86::rdi, x86::rdx, 2);
}

// a goes to eax; what is returned stands for b.
Operand Translator::pair(Cell a, Cell b, bool commutes) {
  if (value_ == b && value_ != a) {
    if (!commutes) {
      out_.mov(x86::ecx, x86::eax);
      load(a, x86::eax);
      return x86::ecx;
    }
    std::swap(a, b);
  }
  const Operand right = operand(b);
  load(a, x86::eax);
  return right;
}

// Compares; the condition is adapted to how. Or the answer is known.
std::optional<bool> Translator::test(CondCode& condition, Cell a, Cell b) {
  if (fixed(a) && fixed(b))
    return compare(condition, constant(a), constant(b));
  if (fixed(a)) {
    std::swap(a, b);
    condition = mirrored(condition);
  }
  Operand left = operand(a);
  const Operand right = operand(b);
  if (left.isMem() && right.isMem()) {
    out_.emit(x86::Inst::kIdMov, x86::ecx, left);
    left = x86::ecx;
  }
  out_.emit(x86::Inst::kIdCmp, left, right);
  return std::nullopt;
}

std::optional<bool> Translator::test_zero(CondCode condition, Cell a) {
  if (fixed(a))
    return compare(condition, constant(a), 0);
  const Operand value = operand(a);
  if (value.isReg())
    out_.emit(x86::Inst::kIdTest, value, value);
  else
    out_.emit(x86::Inst::kIdCmp, value, asmjit::Imm(0));
  return std::nullopt;
}

void Translator::forget(Cell cell) {
  if (value_ == cell)
    value_ = kNobody;
  if (address_ == cell)
    address_ = kNobody;
}

void Translator::save_value(Cell cell) {
  out_.mov(in_memory(cell), x86::eax);
  forget(cell);
  value_ = cell;
}

void Translator::save_address(Cell cell) {
  out_.mov(in_memory(cell), x86::edx);
  forget(cell);
  address_ = cell;
}

void Translator::save_constant(Cell cell, std::int32_t value) {
  out_.mov(in_memory(cell), value);
  forget(cell);
}

void Translator::save_truth(Cell cell, CondCode condition, std::optional<bool> known) {
  if (known) {
    save_constant(cell, *known ? 1 : 0);
    return;
  }
  out_.set(condition, x86::al);
  out_.movzx(x86::eax, x86::al);
  save_value(cell);
}

void Translator::jump_if(CondCode condition, std::optional<bool> known, std::uint32_t target) {
  if (!known)
    out_.j(condition, labels_[target]);
  else if (*known)
    out_.jmp(labels_[target]);
}

void Translator::binary(const Instruction& i) {
  const bool subtracts = i.op == Opcode::kSubtract;
  const Operand right = pair(i.a, i.b, !subtracts);
  const x86::Gp& left = x86::eax;
  switch (i.op) {
    case Opcode::kAdd:
      out_.emit(x86::Inst::kIdAdd, left, right);
      break;
    case Opcode::kSubtract:
      out_.emit(x86::Inst::kIdSub, left, right);
      break;
    case Opcode::kMultiply:
      if (right.isImm())
        out_.emit(x86::Inst::kIdImul, left, left, right);
      else
        out_.emit(x86::Inst::kIdImul, left, right);
      break;
    case Opcode::kBitAnd:
      out_.emit(x86::Inst::kIdAnd, left, right);
      break;
    case Opcode::kBitXor:
      out_.emit(x86::Inst::kIdXor, left, right);
      break;
    default:
      assert(i.op == Opcode::kBitOr && "every other operator has a function of its own");
      out_.emit(x86::Inst::kIdOr, left, right);
  }
  save_value(i.c);
}

// The processor cannot divide the least number by -1, whose quotient wraps.
void Translator::divide(const Instruction& i) {
  const bool modulo = i.op == Opcode::kModulo;
  const bool known = fixed(i.b);
  if (known && constant(i.b) == 0) {
    fail(RunStatus::kDivisionByZero);
    return;
  }
  load(i.b, x86::ecx);
  load(i.a, x86::eax);
  const Label done = out_.newLabel();
  if (!known) {
    out_.test(x86::ecx, x86::ecx);
    fail_if(CondCode::kE, RunStatus::kDivisionByZero);
  }
  if (!known || constant(i.b) == -1) {
    const Label usual = out_.newLabel();
    out_.cmp(x86::ecx, -1);
    out_.jne(usual);
    if (modulo)
      out_.xor_(x86::eax, x86::eax);
    else
      out_.neg(x86::eax);
    out_.jmp(done);
    out_.bind(usual);
  }
  out_.cdq();
  address_ = kNobody;
  out_.idiv(x86::ecx);
  if (modulo)
    out_.mov(x86::eax, x86::edx);
  out_.bind(done);
  save_value(i.c);
}

// The processor looks at five bits of the count only.
void Translator::shift(const Instruction& i) {
  const bool left = i.op == Opcode::kShiftLeft;
  const asmjit::InstId move = left ? x86::Inst::kIdShl : x86::Inst::kIdSar;
  constexpr std::int32_t kMost = 31;
  if (fixed(i.b)) {
    const std::int32_t count = constant(i.b);
    if (count < 0) {
      fail(RunStatus::kNegativeShift);
    } else if (left && count > kMost) {
      save_constant(i.c, 0);
    } else {
      load(i.a, x86::eax);
      out_.emit(move, x86::eax, asmjit::Imm(std::min(count, kMost)));
      save_value(i.c);
    }
    return;
  }
  const Label small = out_.newLabel();
  load(i.b, x86::ecx);
  load(i.a, x86::eax);
  out_.cmp(x86::ecx, kMost);
  out_.jbe(small);
  out_.test(x86::ecx, x86::ecx);
  fail_if(CondCode::kS, RunStatus::kNegativeShift);
  out_.mov(x86::ecx, kMost);
  if (left)
    out_.xor_(x86::eax, x86::eax);
  out_.bind(small);
  out_.emit(move, x86::eax, x86::cl);
  save_value(i.c);
}

void Translator::choose(const Instruction& i) {
  Operand right = pair(i.a, i.b, true);
  if (right.isImm()) {
    out_.emit(x86::Inst::kIdMov, x86::ecx, right);
    right = x86::ecx;
  }
  out_.emit(x86::Inst::kIdCmp, x86::eax, right);
  const bool least = i.op == Opcode::kMin;
  out_.emit(least ? x86::Inst::kIdCmovg : x86::Inst::kIdCmovl, x86::eax, right);
  save_value(i.c);
}

void Translator::absolute(const Instruction& i) {
  load(i.a, x86::eax);
  out_.mov(x86::ecx, x86::eax);
  out_.neg(x86::ecx);
  out_.cmovns(x86::eax, x86::ecx);
  save_value(i.c);
}

// From an index to how far the element lies behind the first one.
void Translator::index(const Stride& stride, const x86::Gp& into) {
  if (stride.low != 0)
    out_.sub(into, stride.low);
  out_.cmp(into, static_cast<std::int32_t>(stride.length));
  fail_if(CondCode::kAE, RunStatus::kIndexOutOfRange);
  if (stride.unit != 1)
    out_.imul(into, into, static_cast<std::int32_t>(stride.unit));
}

void Translator::element(const Instruction& i) {
  const Stride& stride = code_.strides[i.b];
  load(i.a, x86::edx);
  index(stride, x86::edx);
  if (stride.base != 0)
    out_.add(x86::edx, static_cast<std::int32_t>(stride.base));
  save_address(i.c);
}

void Translator::element_of(const Instruction& i) {
  load(i.a, x86::ecx);
  index(code_.strides[i.b], x86::ecx);
  load(i.c, x86::edx);
  out_.add(x86::edx, x86::ecx);
  save_address(i.c);
}

// Changes ecx only.
void Translator::check_range(const x86::Gp& value, const ValueRange& range) {
  if (range.low > range.high) {
    fail(RunStatus::kValueOutOfRange);
    return;
  }
  if (range.low == kMin32 && range.high == kMax32)
    return;
  // Below the range is far above it, without a sign.
  if (range.low == 0) {
    out_.cmp(value, range.high);
  } else if (range.low == kMin32) {
    out_.cmp(value, range.high);
    fail_if(CondCode::kG, RunStatus::kValueOutOfRange);
    return;
  } else {
    out_.lea(x86::ecx, x86::ptr(value.r64(), -range.low));
    out_.cmp(x86::ecx, static_cast<std::int32_t>(static_cast<std::uint32_t>(range.high) -
                                                 static_cast<std::uint32_t>(range.low)));
  }
  fail_if(CondCode::kA, RunStatus::kValueOutOfRange);
}

void Translator::store(const Instruction& i) {
  const ValueRange& range = code_.ranges[i.b];
  if (value_ == i.c) {  // the value needs eax
    out_.mov(x86::edx, x86::eax);
    address_ = i.c;
  }
  if (fixed(i.a)) {
    const std::int32_t value = constant(i.a);
    if (value < range.low || value > range.high) {
      fail(RunStatus::kValueOutOfRange);
      return;
    }
    out_.mov(through(i.c), value);
    value_ = kNobody;
  } else {
    load(i.a, x86::eax);
    value_ = i.a;
    check_range(x86::eax, range);
    out_.mov(through(i.c), x86::eax);
  }
  // It may have been any variable, but no temporary.
  if (address_ < code_.variables)
    address_ = kNobody;
}

void Translator::assign(const Instruction& i) {
  const ValueRange& range = code_.ranges[i.b];
  if (fixed(i.a)) {
    const std::int32_t value = constant(i.a);
    if (value < range.low || value > range.high)
      fail(RunStatus::kValueOutOfRange);
    else
      save_constant(i.c, value);
    return;
  }
  load(i.a, x86::eax);
  check_range(x86::eax, range);
  save_value(i.c);
}

// Where the block begins whose address a cell holds.
x86::Mem Translator::block_at(Cell cell, const x86::Gp& spare) {
  if (fixed(cell))
    return in_memory(static_cast<Cell>(constant(cell)));
  load(cell, spare);
  return x86::ptr(x86::rdi, spare.r64(), 2);
}

// A block is never copied onto a part of itself, so what was copied is not read again.
void Translator::copy(const Instruction& i) {
  const Block& block = code_.blocks[i.b];
  if (block.count > kMostInlineCells || block.first_range != Block::kUnchecked) {
    slow(i);
    return;
  }
  x86::Mem from = block_at(i.a, x86::ecx);
  x86::Mem to = block_at(i.c, x86::edx);
  std::uint32_t left = block.count;
  const auto move = [&](asmjit::InstId instruction, std::uint32_t cells) {
    const std::uint32_t bytes = 4 * cells;
    from.setSize(bytes);
    to.setSize(bytes);
    out_.emit(instruction, x86::xmm0, from);
    out_.emit(instruction, to, x86::xmm0);
    from.addOffset(bytes);
    to.addOffset(bytes);
    left -= cells;
  };
  while (left >= 4)
    move(x86::Inst::kIdMovups, 4);
  if (left >= 2)
    move(x86::Inst::kIdMovq, 2);
  if (left == 1)
    move(x86::Inst::kIdMovd, 1);
  forget_all();
}

void Translator::attempt(const Instruction& i) {
  const Label here = out_.newLabel();
  out_.mov(x86::edx, at_);
  out_.call(try_);
  forget_all();
  out_.test(x86::eax, x86::eax);
  out_.je(here);
  out_.cmp(x86::eax, 1);
  out_.je(labels_[code_.attempts[i.b].next]);
  out_.jmp(labels_[i.c]);
  out_.bind(here);
}

void Translator::slow(const Instruction& i) {
  out_.mov(x86::edx, at_);
  out_.call(perform_);
  forget_all();
  if (i.op >= Opcode::kNoteUses && i.op <= Opcode::kNoteDefinitionsAt)
    return;
  out_.test(x86::eax, x86::eax);
  fail_if(CondCode::kNE, RunStatus::kOk);
}

Label Translator::failure(RunStatus status) {
  const Label label = out_.newLabel();
  failures_.push_back({.label = label, .at = at_, .status = status});
  return label;
}

// Anything that goes wrong means: no native code.
class Watcher final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error /*error*/,
                   const char* /*message*/,
                   asmjit::BaseEmitter* /*origin*/) override {
    failed = true;
  }

  bool failed = false;
};

// Executable and not writable any more; null if that is refused.
void* make_executable(asmjit::CodeHolder& holder) {
  namespace pages = asmjit::VirtMem;
  const std::size_t bytes = holder.codeSize();
  void* out = nullptr;
  if (pages::alloc(&out, bytes, pages::MemoryFlags::kAccessRW) != asmjit::kErrorOk)
    return nullptr;
  if (holder.relocateToBase(std::bit_cast<std::uint64_t>(out)) != asmjit::kErrorOk ||
      holder.copyFlattenedData(out, bytes) != asmjit::kErrorOk ||
      pages::protect(out, bytes, pages::MemoryFlags::kAccessRX) != asmjit::kErrorOk) {
    pages::release(out, bytes);
    return nullptr;
  }
  return out;
}

}  // namespace

NativeCode::~NativeCode() {
  if (pages_ != nullptr)
    asmjit::VirtMem::release(pages_, bytes_);
}

NativeCode::NativeCode(const Code& code) {
  if (code.instructions.empty() || code.memory.size() > kMostCells || call_depth(code) > kMostDepth)
    return;
  asmjit::CodeHolder holder;
  Watcher watcher;
  if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk)
    return;
  holder.setErrorHandler(&watcher);
  Translator translator(code, holder);
  translator.run();
  if (holder.flatten() != asmjit::kErrorOk || holder.resolveUnresolvedLinks() != asmjit::kErrorOk ||
      watcher.failed)
    return;
  pages_ = make_executable(holder);
  if (pages_ == nullptr)
    return;
  bytes_ = holder.codeSize();
  functions_.resize(code.instructions.size(), nullptr);
  const auto base = std::bit_cast<std::uint64_t>(pages_);
  for (std::size_t k = 0; k < functions_.size(); ++k)
    if (translator.entries()[k] != Translator::kNoEntry)
      functions_[k] = std::bit_cast<NativeFunction>(base + translator.entries()[k]);
}

}  // namespace tw
