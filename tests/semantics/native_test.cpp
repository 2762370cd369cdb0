// Native code and the machine give the same results: for every instruction on numbers at the edge,
// for random code, and for the successors of random networks. Random ones print their seed.

#include "engine/semantics/native.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "engine/semantics/machine.hpp"
#include "engine/semantics/successors.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

// Code by hand: variables first, then literals and temporaries.
class Program {
 public:
  explicit Program(std::vector<std::int32_t> variables) {
    code.memory = std::move(variables);
    code.variables = static_cast<std::uint32_t>(code.memory.size());
    code.fixed.assign(code.memory.size(), false);
  }

  std::uint32_t cell(std::int32_t value, bool fixed) {
    code.memory.push_back(value);
    code.fixed.push_back(fixed);
    return static_cast<std::uint32_t>(code.memory.size() - 1);
  }
  std::uint32_t literal(std::int32_t value) { return cell(value, true); }
  std::uint32_t temporary(std::int32_t value = 0) { return cell(value, false); }

  std::uint32_t emit(Opcode op, std::uint32_t c = 0, std::uint32_t a = 0, std::uint32_t b = 0) {
    code.instructions.push_back({.op = op, .c = c, .a = a, .b = b});
    return here() - 1;
  }
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(code.instructions.size());
  }
  void aim(std::uint32_t jump) { code.instructions[jump].c = here(); }

  std::uint32_t range(std::int32_t low, std::int32_t high) {
    code.ranges.push_back({.low = low, .high = high});
    return static_cast<std::uint32_t>(code.ranges.size() - 1);
  }
  std::uint32_t stride(Stride stride) {
    code.strides.push_back(stride);
    return static_cast<std::uint32_t>(code.strides.size() - 1);
  }
  std::uint32_t block(Block block) {
    code.blocks.push_back(block);
    return static_cast<std::uint32_t>(code.blocks.size() - 1);
  }

  Code code;
};

struct Outcome {
  RunResult result;
  std::vector<std::int32_t> memory;
  Notes notes;
  ClockWork clocks;
};

// Does this build, on this machine, have native code at all?
bool is_available() {
  Program program({});
  program.emit(Opcode::kStop);
  return NativeCode(program.code).functions() != nullptr;
}

Outcome run_one(const Code& code, std::uint32_t entry, bool noting) {
  Outcome out;
  out.memory = code.memory;
  out.result = noting ? run_noting(code, entry, out.memory.data(), out.notes, &out.clocks)
                      : run(code, entry, out.memory.data(), &out.clocks);
  return out;
}

void check_same(const Outcome& machine, const Outcome& native) {
  REQUIRE(native.result.status == machine.result.status);
  REQUIRE(native.result.at == machine.result.at);
  REQUIRE(native.result.holds == machine.result.holds);
  REQUIRE(native.memory == machine.memory);
  REQUIRE(
      std::ranges::equal(native.notes.list, machine.notes.list, [](const Note& x, const Note& y) {
        return x.cell == y.cell && x.is_definition == y.is_definition;
      }));
  REQUIRE(std::ranges::equal(native.clocks.constraints, machine.clocks.constraints,
                             [](const ClockConstraint& x, const ClockConstraint& y) {
                               return x.i == y.i && x.j == y.j && x.bound == y.bound;
                             }));
  REQUIRE(std::ranges::equal(native.clocks.assignments, machine.clocks.assignments,
                             [](const ClockAssignment& x, const ClockAssignment& y) {
                               return x.target == y.target && x.source == y.source &&
                                      x.offset == y.offset && x.at == y.at;
                             }));
  REQUIRE(native.clocks.stopped == machine.clocks.stopped);
}

// Runs both from this entry on, and returns what both say.
Outcome agree(Code code, std::uint32_t entry = 0) {
  const NativeCode native(code);
  Outcome last;
  for (const bool noting : {false, true}) {
    code.native = nullptr;
    last = run_one(code, entry, noting);
    code.native = native.functions();
    if (code.native != nullptr) {
      REQUIRE(code.native[entry] != nullptr);
      check_same(last, run_one(code, entry, noting));
    }
  }
  return last;
}

const std::vector<std::int32_t> kNumbers = {
    kMin, kMin + 1, -70000, -33, -32, -31, -2,    -1,    0,     1,       2,        3,
    7,    30,       31,     32,  33,  64,  46340, 46341, 65536, 1 << 30, kMax - 1, kMax};

// A result is looked at where it is a variable.
void keep(Program& program, std::uint32_t from, std::uint32_t variable) {
  program.emit(Opcode::kAssign, variable, from, program.range(kMin, kMax));
}

TEST_CASE("native code exists where it should", "[semantics][native]") {
#ifdef TW_NATIVE
  CHECK(is_available());
#endif
  if (!is_available())
    WARN("byte code only: nothing to compare");
}

TEST_CASE("native arithmetic is that of the machine", "[semantics][native]") {
  for (auto op = static_cast<int>(Opcode::kMove); op <= static_cast<int>(Opcode::kNotEqual); ++op)
    for (int kinds = 0; kinds < 4; ++kinds) {
      // All of them in one program, an entry each: a failure ends only its own.
      Program program({0});
      std::vector<std::uint32_t> entries;
      for (const std::int32_t x : kNumbers)
        for (const std::int32_t y : kNumbers) {
          const std::uint32_t a = program.cell(x, (kinds & 1) != 0);
          const std::uint32_t b = program.cell(y, (kinds & 2) != 0);
          const std::uint32_t c = program.temporary();
          entries.push_back(program.emit(static_cast<Opcode>(op), c, a, b));
          keep(program, c, 0);
          program.emit(Opcode::kStop);
        }
      const NativeCode native(program.code);
      for (const std::uint32_t entry : entries) {
        INFO("operator " << op << ", " << kinds << ", entry " << entry);
        Code& code = program.code;
        code.native = nullptr;
        const Outcome machine = run_one(code, entry, false);
        code.native = native.functions();
        check_same(machine, run_one(code, entry, false));
      }
    }
}

TEST_CASE("operands may be what was computed just before, on either side", "[semantics][native]") {
  for (auto op = static_cast<int>(Opcode::kAdd); op <= static_cast<int>(Opcode::kNotEqual); ++op)
    for (int kind = 0; kind < 8; ++kind)
      for (const std::int32_t x : {-3, 0, 5, 31})
        for (const std::int32_t y : {-1, 2, 9}) {
          Program program({x, y, 0, 0});
          const std::uint32_t t = program.temporary();
          const std::uint32_t u = program.temporary();
          const std::uint32_t other = (kind & 2) != 0 ? program.literal(y) : 1;
          // t is in a register of values, or of addresses.
          if ((kind & 4) != 0)
            program.emit(Opcode::kOffset, t, 0, 0);
          else
            program.emit(Opcode::kMove, t, 0);
          if ((kind & 1) != 0)
            program.emit(static_cast<Opcode>(op), u, t, other);
          else
            program.emit(static_cast<Opcode>(op), u, other, t);
          keep(program, u, 2);
          program.emit(static_cast<Opcode>(op), t, u, u);
          keep(program, t, 3);
          program.emit(Opcode::kStop);
          INFO("operator " << op << ", " << kind << ": " << x << ", " << y);
          agree(program.code);
        }
}

TEST_CASE("native jumps go where the machine goes", "[semantics][native]") {
  for (auto op = static_cast<int>(Opcode::kJumpIf); op <= static_cast<int>(Opcode::kJumpIfNotEqual);
       ++op)
    for (int kinds = 0; kinds < 4; ++kinds)
      for (const std::int32_t x : {kMin, -1, 0, 1, kMax})
        for (const std::int32_t y : {kMin, -1, 0, 1, kMax}) {
          Program program({0});
          const std::uint32_t a = program.cell(x, (kinds & 1) != 0);
          const std::uint32_t b = program.cell(y, (kinds & 2) != 0);
          const std::uint32_t jump = program.emit(static_cast<Opcode>(op), 0, a, b);
          program.emit(Opcode::kStop, 0, 0);
          program.aim(jump);
          program.emit(Opcode::kStop, 0, 1);
          INFO("jump " << op << ", " << kinds << ": " << x << ", " << y);
          agree(program.code);
        }
}

TEST_CASE("native code checks indices and ranges", "[semantics][native]") {
  const std::vector<Stride> strides = {{.low = 0, .length = 4, .unit = 1, .base = 0},
                                       {.low = -2, .length = 3, .unit = 2, .base = 1},
                                       {.low = kMax - 1, .length = 2, .unit = 1, .base = 2},
                                       {.low = kMin, .length = 2, .unit = 3, .base = 0}};
  const std::vector<ValueRange> ranges = {
      {.low = 0, .high = 1},          {.low = -32768, .high = 32767}, {.low = kMin, .high = -1},
      {.low = 3, .high = kMax},       {.low = kMin, .high = kMax},    {.low = 2, .high = 1},
      {.low = kMin + 1, .high = kMax}};
  std::vector<std::int32_t> numbers = kNumbers;
  for (const std::int32_t more : {-32769, -32768, 32767, 32768, 4, 5})
    numbers.push_back(more);
  for (const std::int32_t number : numbers)
    for (const bool fixed : {false, true}) {
      INFO("number " << number << (fixed ? ", fixed" : ""));
      for (const Stride& stride : strides) {
        Program program({10, 11, 12, 13, 14, 15, 16, 17, 0});
        const std::uint32_t index = program.cell(number, fixed);
        const std::uint32_t at = program.temporary();
        const std::uint32_t value = program.temporary();
        const std::uint32_t which = program.stride(stride);
        program.emit(Opcode::kElement, at, index, which);
        program.emit(Opcode::kLoad, value, at);
        keep(program, value, 8);
        program.emit(Opcode::kMove, at, program.literal(1));
        program.emit(Opcode::kElementOf, at, index, which);
        program.emit(Opcode::kStore, at, program.literal(99), program.range(0, 99));
        program.emit(Opcode::kStop);
        agree(program.code);
      }
      for (const ValueRange& range : ranges) {
        Program program({0, 0, 1});
        const std::uint32_t value = program.cell(number, fixed);
        const std::uint32_t which = program.range(range.low, range.high);
        const std::uint32_t assign = program.here();
        program.emit(Opcode::kAssign, 0, value, which);
        program.emit(Opcode::kStop, 0, 1);
        const std::uint32_t store = program.here();
        program.emit(Opcode::kStore, 2, value, which);
        program.emit(Opcode::kStop, 0, 1);
        const std::uint32_t check = program.here();
        program.emit(Opcode::kCheck, 0, value, which);
        program.emit(Opcode::kStop, 0, 1);
        for (const std::uint32_t entry : {assign, store, check})
          agree(program.code, entry);
      }
    }
}

TEST_CASE("native code copies and compares blocks", "[semantics][native]") {
  for (std::uint32_t count = 0; count <= 20; ++count)
    for (int kind = 0; kind < 8; ++kind) {
      std::vector<std::int32_t> variables(42);
      for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i] = static_cast<std::int32_t>(i);
      Program program(variables);
      const std::uint32_t from = program.cell(0, (kind & 1) != 0);
      const std::uint32_t to = program.cell(20, (kind & 2) != 0);
      const std::uint32_t same = program.temporary(20);
      Block block{.count = count};
      if ((kind & 4) != 0) {
        block.first_range = static_cast<std::uint32_t>(program.code.ranges.size());
        for (std::uint32_t i = 0; i < count; ++i)
          program.range(0, i == 15 ? 3 : 100);
      }
      const std::uint32_t which = program.block(block);
      program.emit(Opcode::kSame, same, from, which);
      keep(program, same, 40);
      program.emit(Opcode::kCopy, to, from, which);
      program.emit(Opcode::kMove, same, to);
      program.emit(Opcode::kSame, same, from, which);
      keep(program, same, 41);
      program.emit(Opcode::kStop);
      INFO(count << " cells, " << kind);
      const Outcome outcome = agree(program.code);
      CHECK((outcome.result.status == RunStatus::kOk) == ((kind & 4) == 0 || count <= 15));
    }
}

TEST_CASE("native code notices that a loop does not end", "[semantics][native]") {
  Program program({0});
  program.emit(Opcode::kMove, 0, 0);
  program.emit(Opcode::kLoop, 0);
  const Outcome outcome = agree(program.code);
  CHECK(outcome.result.status == RunStatus::kTooManySteps);
  CHECK(outcome.result.at == 1);
}

TEST_CASE("native calls nest, and an error ends all of them", "[semantics][native]") {
  for (const std::int32_t number : {5, kMax - 40, kMax - 1}) {
    Program program({0, number});
    const std::uint32_t one = program.literal(1);
    const std::uint32_t sum = program.temporary();
    std::uint32_t callee = program.here();
    program.emit(Opcode::kAdd, sum, 1, one);
    program.emit(Opcode::kAssign, 1, sum, program.range(0, kMax - 1));
    program.emit(Opcode::kReturn);
    for (int level = 0; level < 6; ++level) {
      const std::uint32_t entry = program.here();
      program.emit(Opcode::kCall, callee);
      program.emit(Opcode::kPower, sum, 1, one);
      program.emit(Opcode::kCall, callee);
      program.emit(Opcode::kReturn);
      callee = entry;
    }
    const std::uint32_t entry = program.here();
    program.emit(Opcode::kCall, callee);
    program.emit(Opcode::kMove, 0, 1);
    program.emit(Opcode::kStop, 0, 1);
    const Outcome outcome = agree(program.code, entry);
    CHECK(outcome.result.holds == (number == 5));
  }
}

TEST_CASE("chains of calls that are too long end alike", "[semantics][native]") {
  for (const int levels : {3000, 4096, 4097}) {
    Program program({0});
    program.emit(Opcode::kReturn);
    for (int i = 1; i < levels; ++i) {
      program.emit(Opcode::kCall, static_cast<std::uint32_t>(i == 1 ? 0 : 2 * i - 3));
      program.emit(Opcode::kReturn);
    }
    const std::uint32_t entry = program.here();
    program.emit(Opcode::kCall, entry - 2);
    program.emit(Opcode::kStop, 0, 1);
    Code& code = program.code;
    const Outcome machine = run_one(code, entry, false);
    const NativeCode native(code);
    code.native = native.functions();
    INFO(levels << " levels");
    check_same(machine, run_one(code, entry, false));
    CHECK(machine.result.holds == (levels <= 4096));
  }
}

TEST_CASE("skimming ends after many steps, without an error", "[semantics][native]") {
  Program program({0, 0});
  const std::uint32_t start = program.emit(Opcode::kMove, 0, 0);
  program.emit(Opcode::kSkimLoop, start);
  program.emit(Opcode::kMove, 1, program.literal(1));
  program.emit(Opcode::kSkimLoop, start);  // does not begin again
  program.emit(Opcode::kStop, 0, 1);
  CHECK(agree(program.code).result.holds);
}

// Random code that stays inside its memory: 16 cells that addresses may reach, 8 variables, then
// temporaries of three kinds: numbers, addresses of the first 8 cells, and of all 16.
class RandomProgram {
 public:
  RandomProgram(std::uint32_t seed, bool noting)
      : random_(seed),
        noting_(noting),
        program_(std::vector<std::int32_t>(24)) {
    for (std::int32_t& value : program_.code.memory)
      value = number();
    for (std::size_t i = 0; i < kKind; ++i) {
      numbers_.push_back(program_.temporary(number()));
      near_.push_back(program_.temporary(static_cast<std::int32_t>(below(8))));
      far_.push_back(program_.temporary(static_cast<std::int32_t>(below(16))));
      literals_.push_back(program_.literal(number()));
    }
    Code& code = program_.code;
    code.no_clock = 100;
    for (std::uint32_t i = 0; i < 24; ++i)
      code.watched.push_back(below(2) == 0);
  }

  Code make(std::vector<std::uint32_t>& entries) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t entry = program_.here();
      block(6);
      program_.emit(Opcode::kReturn);
      functions_.push_back(entry);
    }
    for (int i = 0; i < 6; ++i) {
      entries.push_back(program_.here());
      block(12);
      program_.emit(Opcode::kStop, 0, below(2));
    }
    return program_.code;
  }

 private:
  static constexpr std::size_t kKind = 4;

  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  std::uint32_t pick(const std::vector<std::uint32_t>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }
  std::int32_t number() {
    if (below(8) == 0)
      return kNumbers[below(static_cast<std::uint32_t>(kNumbers.size()))];
    return static_cast<std::int32_t>(below(20)) - 6;
  }
  std::uint32_t source() {
    const std::uint32_t kind = below(4);
    if (kind == 0)
      return below(24);
    return pick(kind == 1 ? literals_ : numbers_);
  }
  // Mostly one that is inside.
  std::uint32_t index() {
    if (below(8) == 0)
      return source();
    const std::uint32_t out = pick(numbers_);
    program_.emit(Opcode::kBitAnd, out, source(), program_.literal(1));
    return out;
  }
  std::uint32_t address() { return pick(below(2) == 0 ? near_ : far_); }
  std::uint32_t some_range() {
    if (below(8) != 0)
      return program_.range(kMin, kMax - static_cast<std::int32_t>(below(2)));
    const std::int32_t low = std::min(below(3) == 0 ? 0 : number(), kMax - 2000);
    return program_.range(low, below(4) == 0 ? kMax : low + static_cast<std::int32_t>(below(2000)));
  }
  std::uint32_t some_stride() {
    return program_.stride({.low = -static_cast<std::int32_t>(below(3)),
                            .length = 8 / (1 + below(2)),
                            .unit = 1,
                            .base = 0});
  }

  void block(int length) {
    for (int i = 0; i < length; ++i)
      statement();
  }

  void statement() {
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        program_.emit(static_cast<Opcode>(below(static_cast<std::uint32_t>(Opcode::kNotEqual) + 1)),
                      pick(numbers_), source(), source());
        break;
      case 4:
        program_.emit(Opcode::kElement, pick(near_), index(), some_stride());
        break;
      case 5: {
        const std::uint32_t at = pick(far_);
        program_.emit(Opcode::kMove, at, pick(near_));
        program_.emit(Opcode::kElementOf, at, index(), some_stride());
        break;
      }
      case 6:
        program_.emit(Opcode::kOffset, pick(far_), pick(near_), below(9));
        break;
      case 7:
        program_.emit(Opcode::kLoad, pick(numbers_), address());
        break;
      case 8:
        program_.emit(Opcode::kStore, address(), source(), some_range());
        break;
      case 9:
        program_.emit(below(2) == 0 ? Opcode::kAssign : Opcode::kCheck, 16 + below(8), source(),
                      some_range());
        break;
      case 10:
        blocks();
        break;
      case 11:
        notes();
        break;
      case 12:
        clocks();
        break;
      case 13:
        if (!functions_.empty())
          program_.emit(Opcode::kCall, pick(functions_));
        break;
      default:
        branch();
    }
  }

  void blocks() {
    if (below(2) == 0) {
      program_.emit(Opcode::kCopy, program_.literal(8), pick(near_), program_.block({.count = 1}));
      return;
    }
    const std::uint32_t out = pick(numbers_);
    program_.emit(Opcode::kMove, out, pick(near_));
    program_.emit(Opcode::kSame, out, pick(near_), program_.block({.count = 1 + below(8)}));
  }

  void notes() {
    const auto op = static_cast<Opcode>(static_cast<std::uint32_t>(Opcode::kNoteUses) + below(4));
    if (!noting_ || below(3) != 0) {
      program_.emit(op, below(24), address(), 1 + below(4));
      return;
    }
    const std::uint32_t at = program_.emit(Opcode::kTry, 0, 0, 0);
    const auto which = static_cast<std::uint32_t>(program_.code.attempts.size());
    program_.code.instructions[at].b = which;
    program_.code.attempts.push_back({.entry = at + 1, .has_effects = below(2) == 0});
    program_.emit(Opcode::kElement, pick(near_), index(), some_stride());
    program_.emit(Opcode::kAdd, pick(numbers_), source(), source());
    program_.emit(Opcode::kAssign, 16 + below(8), source(), some_range());
    program_.emit(Opcode::kStop);
    program_.code.attempts[which].next = program_.here();
    program_.emit(Opcode::kNoteUsesAt, 0, address(), 2);
    program_.aim(at);
  }

  void clocks() {
    Code& code = program_.code;
    const auto clock = [this] {
      return program_.literal(100 + static_cast<std::int32_t>(below(4)));
    };
    switch (below(3)) {
      case 0: {
        const ExprKind relations[] = {ExprKind::kLess, ExprKind::kLessEqual, ExprKind::kEqual,
                                      ExprKind::kGreaterEqual, ExprKind::kGreater};
        code.comparisons.push_back({.plus = clock(),
                                    .minus = clock(),
                                    .bound = source(),
                                    .relation = relations[below(5)]});
        program_.emit(Opcode::kConstrain, 0, 0,
                      static_cast<std::uint32_t>(code.comparisons.size() - 1));
        break;
      }
      case 1:
        code.changes.push_back({.target = clock(), .source = clock(), .offset = source()});
        program_.emit(Opcode::kSetClock, 0, 0, static_cast<std::uint32_t>(code.changes.size() - 1));
        break;
      default:
        program_.emit(Opcode::kSetRate, 0, clock(), program_.literal(below(2) == 0 ? 0 : 1));
    }
  }

  // A jump forward over something, or a loop with a counter.
  void branch() {
    if (below(3) != 0) {
      const std::uint32_t first = static_cast<std::uint32_t>(Opcode::kJump);
      const std::uint32_t jump =
          program_.emit(static_cast<Opcode>(first + below(7)), 0, source(), source());
      block(1 + static_cast<int>(below(3)));
      program_.aim(jump);
      return;
    }
    const std::uint32_t counter = program_.temporary();
    program_.emit(Opcode::kMove, counter, program_.literal(0));
    const std::uint32_t start = program_.here();
    statement();
    const std::uint32_t done = program_.emit(Opcode::kJumpIfEqual, 0, counter, program_.literal(3));
    program_.emit(Opcode::kAdd, counter, counter, program_.literal(1));
    program_.emit(below(3) == 0 ? Opcode::kSkimLoop : Opcode::kLoop, start);
    program_.aim(done);
  }

  std::mt19937 random_;
  bool noting_;
  Program program_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> near_;
  std::vector<std::uint32_t> far_;
  std::vector<std::uint32_t> literals_;
  std::vector<std::uint32_t> functions_;
};

TEST_CASE("native code and the machine agree on random code", "[semantics][native][oracle]") {
  std::size_t ok = 0;
  std::size_t failed = 0;
  std::set<RunStatus> statuses;
  for (std::uint32_t seed = 0; seed < 6000; ++seed) {
    const bool noting = seed % 2 == 1;  // plain runs want plain code
    INFO("seed " << seed);
    std::vector<std::uint32_t> entries;
    Code code = RandomProgram(seed, noting).make(entries);
    const NativeCode native(code);
    for (const std::uint32_t entry : entries) {
      INFO("entry " << entry);
      code.native = nullptr;
      const Outcome machine = run_one(code, entry, noting);
      code.native = native.functions();
      check_same(machine, run_one(code, entry, noting));
      ++(machine.result.status == RunStatus::kOk ? ok : failed);
      statuses.insert(machine.result.status);
    }
  }
  CHECK(ok > 5000);
  CHECK(failed > 5000);
  CHECK(statuses.size() >= 5);
}

bool is_same(const ModelError& x, const ModelError& y) {
  return x.status == y.status && x.at == y.at && x.edge == y.edge;
}

// Explores with both and compares all that they say.
std::size_t compare(const Network& network, const Instrumentation& watching) {
  constexpr std::size_t kMostStates = 60;
  const System native(network, watching);
  const System plain(network, watching, Execution::kByteCode);
  REQUIRE(plain.code().native == nullptr);
  SuccessorGenerator fast(native);
  SuccessorGenerator slow(plain);
  const SuccessorGenerator::Initial initial = slow.initial();
  const SuccessorGenerator::Initial other = fast.initial();
  REQUIRE(other.exists == initial.exists);
  REQUIRE(is_same(other.error, initial.error));
  if (!initial.exists || initial.error.status != RunStatus::kOk)
    return 0;
  REQUIRE(other.state == initial.state);
  std::deque<std::vector<std::uint64_t>> waiting = {initial.state};
  std::set<std::vector<std::uint64_t>> seen = {initial.state};
  Successors expected;
  Successors found;
  std::size_t steps = 0;
  while (!waiting.empty() && seen.size() < kMostStates) {
    slow.expand(waiting.front().data(), expected);
    fast.expand(waiting.front().data(), found);
    waiting.pop_front();
    REQUIRE(is_same(found.error, expected.error));
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(std::ranges::equal(found.state(i), expected.state(i)));
      REQUIRE(fast.describe(found, i) == slow.describe(expected, i));
      REQUIRE(
          std::ranges::equal(fast.events(found.step(i).kind), slow.events(expected.step(i).kind)));
    }
    steps += found.size();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<std::uint64_t> state(expected.state(i).begin(), expected.state(i).end());
      if (seen.insert(state).second)
        waiting.push_back(std::move(state));
    }
  }
  return steps;
}

TEST_CASE("native code and byte code find the same successors", "[semantics][native][oracle]") {
  std::size_t steps = 0;
  for (std::uint32_t seed = 0; seed < 1200; ++seed) {
    INFO("seed " << seed);
    test::RandomOptions options{
        .may_fail = seed % 3 == 1, .priorities = seed % 4 == 2, .branchpoints = seed % 4 == 3};
    if (seed % 2 == 1)
      options.clocks = {.count = 2,
                        .strict = true,
                        .values = true,
                        .copies = true,
                        .shifts = true,
                        .invariants = true,
                        .urgent_channels = true,
                        .receivers = true,
                        .array = seed % 8 == 1,
                        .variable_bounds = true,
                        .rates = seed % 8 == 3};
    const Network network = test::random_network(seed, options);
    steps += compare(network, {});
    steps += compare(
        network,
        {.watched = std::vector<bool>(network.memory.total + network.clocks.size(), seed % 5 != 0),
         .invariants = seed % 3 == 0 ? InvariantUses::kEnter : InvariantUses::kLeave});
  }
  CHECK(steps > 25'000);
}

}  // namespace
}  // namespace tw
