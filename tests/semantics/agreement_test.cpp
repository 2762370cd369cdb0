// Two implementations, one semantics: on random networks the byte-code engine and the interpreter
// of engine/replay find the same steps in the same order, the same successors and the same events,
// state by state.

#include <array>
#include <deque>
#include <limits>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "engine/model/evaluate.hpp"
#include "engine/replay/arithmetic.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/semantics/successors.hpp"
#include "tests/support/packed_state.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

using test::pack;

constexpr std::size_t kMostStates = 200;

struct Walk {
  std::size_t states = 0;
  std::size_t steps = 0;
  std::size_t errors = 0;
  std::size_t events = 0;
};

std::vector<bool> random_cells(const Network& network, std::mt19937& random) {
  std::vector<bool> out(network.memory.meta);
  const std::uint_fast32_t one_in = 2 + random() % 6;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = random() % one_in == 0;
  return out;
}

// An engine that watches some cells.
class Watcher {
 public:
  Watcher(const Network& network, std::vector<bool> watched, InvariantUses invariants)
      : watched_(std::move(watched)),
        system_(network, {.watched = watched_, .invariants = invariants}),
        generator_(system_) {}

  /// Events: of all steps, as the interpreter tells them. The number of events seen.
  std::size_t check(const std::vector<std::uint64_t>& state,
                    const Successors& plain,
                    const std::vector<std::vector<Event>>& events) {
    generator_.expand(state.data(), successors_);
    REQUIRE(successors_.error.status == plain.error.status);
    REQUIRE(successors_.size() == plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
      REQUIRE(std::ranges::equal(successors_.state(i), plain.state(i)));
    std::size_t count = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
      std::vector<Event> own;
      for (const std::uint64_t word : generator_.events(successors_.step(i).kind))
        own.push_back(EventWord::decode(word));
      INFO("step " << i);
      REQUIRE(own == seen(events[i]));
      count += own.size();
    }
    return count;
  }

 private:
  // What an engine should say that watches these cells.
  [[nodiscard]] std::vector<Event> seen(const std::vector<Event>& events) const {
    std::vector<Event> out;
    for (const Event& event : events) {
      const bool of_cell = event.kind == EventKind::kUse || event.kind == EventKind::kDefinition;
      if (event.kind != EventKind::kState && (!of_cell || watched_[event.cell.index()]))
        out.push_back(event);
    }
    return out;
  }

  std::vector<bool> watched_;
  System system_;
  SuccessorGenerator generator_;
  Successors successors_;
};

// Two engines, one that watches everything, and the interpreter that says what they should see:
// asked once for both, as it is slow.
class Watchers {
 public:
  Watchers(const Network& network, std::mt19937& random, InvariantUses invariants)
      : interpreter_(network, invariants),
        all_(network, std::vector<bool>(network.memory.meta, true), invariants),
        some_(network, random_cells(network, random), invariants) {}

  std::size_t check(const replay::RunState& state,
                    const std::vector<std::uint64_t>& packed,
                    const std::vector<Step>& steps,
                    const Successors& plain) {
    std::vector<std::vector<Event>> events;
    for (const Step& step : steps)
      events.push_back(interpreter_.step(state, step).events);
    return all_.check(packed, plain, events) + some_.check(packed, plain, events);
  }

 private:
  replay::Interpreter interpreter_;
  Watcher all_;
  Watcher some_;
};

// Explores with the interpreter and asks the engine in every state.
Walk compare(const Network& network, std::uint32_t seed, Walk walk) {
  const System system(network);
  SuccessorGenerator generator(system);
  const replay::Interpreter interpreter(network);
  const SuccessorGenerator::Initial initial = generator.initial();
  const bool exists = initial.exists && initial.error.status == RunStatus::kOk;
  REQUIRE(interpreter.initial_problem().has_value() == !exists);
  if (!exists)
    return walk;
  std::mt19937 random(seed);
  std::array watching = {Watchers(network, random, InvariantUses::kNone),
                         Watchers(network, random, InvariantUses::kLeave),
                         Watchers(network, random, InvariantUses::kEnter)};
  std::deque<replay::RunState> waiting = {interpreter.initial()};
  REQUIRE(pack(system, waiting.front()) == initial.state);
  std::set<std::vector<std::uint64_t>> seen = {initial.state};
  Successors successors;
  while (!waiting.empty() && seen.size() < kMostStates) {
    const replay::RunState state = std::move(waiting.front());
    waiting.pop_front();
    ++walk.states;
    const std::vector<std::uint64_t> packed = pack(system, state);
    generator.expand(packed.data(), successors);
    const replay::StepList expected = interpreter.steps(state);
    const bool failed = expected.error != RunStatus::kOk;
    REQUIRE((successors.error.status != RunStatus::kOk) == failed);
    if (failed) {
      ++walk.errors;
      continue;
    }
    REQUIRE(successors.size() == expected.steps.size());
    for (std::size_t i = 0; i < watching.size(); ++i) {
      INFO("invariant uses " << i);
      walk.events += watching[i].check(state, packed, expected.steps, successors);
    }
    for (std::size_t i = 0; i < successors.size(); ++i) {
      ++walk.steps;
      REQUIRE(generator.describe(successors, i) == expected.steps[i]);
      replay::StepResult result = interpreter.step(state, expected.steps[i]);
      REQUIRE(result.possible);
      const std::vector<std::uint64_t> next = pack(system, result.state);
      REQUIRE(std::ranges::equal(next, successors.state(i)));
      if (seen.insert(next).second)
        waiting.push_back(std::move(result.state));
    }
  }
  return walk;
}

struct Answer {
  RunStatus status = RunStatus::kOk;
  std::int64_t value = 0;

  friend bool operator==(const Answer& a, const Answer& b) {
    return a.status == b.status && (a.status != RunStatus::kOk || a.value == b.value);
  }
};

Answer by_byte_code(Opcode op, std::int32_t a, std::int32_t b) {
  Code code;
  code.instructions = {{.op = op, .c = 2, .a = 0, .b = 1}, {.op = Opcode::kStop}};
  std::vector<std::int32_t> memory = {a, b, 0};
  const RunResult result = run(code, 0, memory.data());
  return {.status = result.status, .value = memory[2]};
}

Answer by_evaluation(ExprKind op, std::int32_t a, std::int32_t b) {
  Answer out;
  out.status = apply_operator(op, a, b, out.value);
  return out;
}

Answer by_replay(ExprKind op, std::int32_t a, std::int32_t b) {
  const replay::Number result = replay::compute(op, a, b);
  return {.status = result.error, .value = result.value};
}

TEST_CASE("constants, byte code and replay compute alike with numbers at the edge",
          "[semantics][replay][oracle]") {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::array kPairs = {std::pair(ExprKind::kAdd, Opcode::kAdd),
                                 std::pair(ExprKind::kSubtract, Opcode::kSubtract),
                                 std::pair(ExprKind::kMultiply, Opcode::kMultiply),
                                 std::pair(ExprKind::kDivide, Opcode::kDivide),
                                 std::pair(ExprKind::kModulo, Opcode::kModulo),
                                 std::pair(ExprKind::kPower, Opcode::kPower),
                                 std::pair(ExprKind::kShiftLeft, Opcode::kShiftLeft),
                                 std::pair(ExprKind::kShiftRight, Opcode::kShiftRight),
                                 std::pair(ExprKind::kMin, Opcode::kMin),
                                 std::pair(ExprKind::kMax, Opcode::kMax),
                                 std::pair(ExprKind::kBitAnd, Opcode::kBitAnd),
                                 std::pair(ExprKind::kBitXor, Opcode::kBitXor),
                                 std::pair(ExprKind::kBitOr, Opcode::kBitOr),
                                 std::pair(ExprKind::kLess, Opcode::kLess),
                                 std::pair(ExprKind::kLessEqual, Opcode::kLessEqual),
                                 std::pair(ExprKind::kEqual, Opcode::kEqual),
                                 std::pair(ExprKind::kNotEqual, Opcode::kNotEqual)};
  std::vector<std::int32_t> numbers = {kLeast, kLeast + 1, -65536, -33,   -3,      -2,    -1,
                                       0,      1,          2,      3,     30,      31,    32,
                                       33,     46341,      65535,  65536, 1 << 30, kMost, 32767};
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i)
    numbers.push_back(static_cast<std::int32_t>(random()));
  for (const auto& [kind, op] : kPairs)
    for (const std::int32_t a : numbers)
      for (const std::int32_t b : numbers) {
        const Answer expected = by_evaluation(kind, a, b);
        if (!(by_byte_code(op, a, b) == expected) || !(by_replay(kind, a, b) == expected)) {
          CAPTURE(static_cast<int>(kind), a, b);
          FAIL("they differ");
        }
      }
}

TEST_CASE("the engine and the interpreter agree on random networks",
          "[semantics][replay][oracle]") {
  Walk walk;
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    INFO("seed " << seed);
    walk = compare(test::random_network(seed, {.may_fail = seed % 4 == 1,
                                               .priorities = seed % 4 == 2,
                                               .branchpoints = seed % 4 == 3}),
                   seed, walk);
  }
  // The comparison is worth something only if there is much to compare.
  CHECK(walk.states > 15'000);
  CHECK(walk.steps > 35'000);
  CHECK(walk.errors > 100);
  CHECK(walk.events > 1'000'000);
}

}  // namespace
}  // namespace tw
