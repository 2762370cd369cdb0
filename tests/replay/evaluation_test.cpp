#include <array>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/replay/interpreter.hpp"
#include "tests/replay/run.hpp"

namespace tw {
namespace {

using replay::StepResult;
using test::Run;
using test::Words;
using enum ExprKind;

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

// One process with one edge, whose updates the test gives.
struct OneEdge : Run {
  Two p = process("P");
  TypeId any = network_of().types.int_type();
  VariableId x = m.global("x", any);

  const Network& network_of() { return m.network(); }

  StepResult run(std::vector<ExprId> updates) {
    edge(p, {.updates = std::move(updates)});
    start();
    return try_step({"0"});
  }

  StepResult compute(ExprKind op, std::int32_t a, std::int32_t b) {
    return run({m.assign(m.v(x), m.binary(op, m.c(a), m.c(b)))});
  }
};

std::int32_t result_of(ExprKind op, std::int32_t a, std::int32_t b) {
  const StepResult result = OneEdge().compute(op, a, b);
  REQUIRE(result.possible);
  return result.state.cells[0];
}

RunStatus error_of(ExprKind op, std::int32_t a, std::int32_t b) {
  const StepResult result = OneEdge().compute(op, a, b);
  CHECK_FALSE(result.possible);
  return result.error;
}

TEST_CASE("replay: arithmetic truncates toward zero and wraps", "[replay][evaluation]") {
  CHECK(result_of(kDivide, -7, 2) == -3);
  CHECK(result_of(kModulo, -7, 2) == -1);
  CHECK(result_of(kModulo, kLeast, -1) == 0);
  CHECK(result_of(kPower, -2, 31) == kLeast);
  CHECK(result_of(kPower, 0, 0) == 1);
  CHECK(result_of(kPower, 2, -1) == 0);
  CHECK(result_of(kShiftLeft, -1, 31) == kLeast);
  CHECK(result_of(kShiftLeft, 0, 99) == 0);
  CHECK(result_of(kShiftRight, -5, 1) == -3);
  CHECK(result_of(kShiftRight, -5, 99) == -1);
  CHECK(result_of(kMin, 3, -4) == -4);
  CHECK(result_of(kMax, 3, -4) == 3);
  CHECK(result_of(kBitXor, 6, 3) == 5);
  CHECK(result_of(kAdd, kMost, 1) == kLeast);
  CHECK(result_of(kSubtract, kLeast, 1) == kMost);
  CHECK(result_of(kMultiply, 65536, 65536) == 0);
  CHECK(result_of(kMultiply, kLeast, kLeast) == 0);
  CHECK(result_of(kDivide, kLeast, -1) == kLeast);
  CHECK(result_of(kPower, 2, 31) == kLeast);
  CHECK(result_of(kPower, 3, kMost) == -1431655765);
  CHECK(result_of(kShiftLeft, 1, 31) == kLeast);
  CHECK(result_of(kShiftLeft, 1, 32) == 0);
  CHECK(error_of(kDivide, 1, 0) == RunStatus::kDivisionByZero);
  CHECK(error_of(kModulo, 1, 0) == RunStatus::kDivisionByZero);
  CHECK(error_of(kShiftRight, 1, -1) == RunStatus::kNegativeShift);
  CHECK(error_of(kShiftLeft, 0, -1) == RunStatus::kNegativeShift);
}

TEST_CASE("replay: the least number is its own opposite", "[replay][evaluation]") {
  OneEdge e;
  const ExprId negated = e.m.unary(kNegate, e.m.c(kLeast));
  const StepResult result = e.run({e.m.assign(e.m.v(e.x), negated)});
  REQUIRE(result.possible);
  CHECK(result.state.cells[0] == kLeast);
}

TEST_CASE("replay: a value outside the range of its variable is an error", "[replay][error]") {
  OneEdge e;
  const VariableId small = e.m.global("small", e.m.int_type(0, 3), e.m.c(3));
  SECTION("assigned") {
    const ExprId at = e.set(small, 4);
    const StepResult result = e.run({at});
    CHECK(result.error == RunStatus::kValueOutOfRange);
    CHECK(result.error_at == at);
    CHECK(result.misfit == Misfit{.value = 4, .low = 0, .high = 3});
    CHECK(result.why_not == "'small' would be set to 4, outside its range [0,3]");
    CHECK(e.interpreter().steps(e.at).error == RunStatus::kValueOutOfRange);
    CHECK(e.interpreter().steps(e.at).steps.empty());
  }
  SECTION("counted") {
    CHECK(e.run({e.m.increment(kPreIncrement, e.m.v(small))}).error == RunStatus::kValueOutOfRange);
  }
  SECTION("compound") {
    CHECK(e.run({e.m.compound_assign(kSubtract, e.m.v(small), e.m.c(4))}).error ==
          RunStatus::kValueOutOfRange);
  }
}

TEST_CASE("replay: an error in a guard is reported with the steps it does not touch",
          "[replay][error]") {
  Run r;
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  const VariableId b = r.channel("b", true);
  const auto p = r.process("P");
  const auto q = r.process("Q");
  const ExprId broken = r.m.binary(kDivide, r.m.c(1), r.m.v(x));
  r.edge(p);
  EdgeLabels listens = r.receive(b);
  listens.guard = broken;
  r.edge(q, listens);
  r.edge(p, r.send(b));
  r.start();
  const replay::StepList list = r.interpreter().steps(r.at);
  CHECK(list.error == RunStatus::kDivisionByZero);
  CHECK(list.error_at == broken);
  CHECK(r.try_step({"0"}).possible);
  // Edges are numbered process by process: 1 sends, 2 would have to say whether it listens.
  CHECK(r.try_step({"1"}).error == RunStatus::kDivisionByZero);
  CHECK(r.try_step({"1", "2"}).error == RunStatus::kDivisionByZero);
}

TEST_CASE("replay: an error in an invariant is a finding, not a blocked step", "[replay][error]") {
  OneEdge e;
  const ExprId broken = e.m.binary(kDivide, e.m.c(1), e.m.v(e.x));
  e.m.set_invariant(e.p.b, broken);
  const StepResult result = e.run({});
  CHECK(result.error == RunStatus::kDivisionByZero);
  CHECK(result.error_at == broken);
  CHECK(e.interpreter().steps(e.at).error == RunStatus::kDivisionByZero);
}

TEST_CASE("replay: a bool stores whether a value is non-zero", "[replay][evaluation]") {
  OneEdge e;
  const VariableId flag = e.m.global("flag", e.m.bool_type());
  e.run({e.m.assign(e.m.v(e.x), e.m.assign(e.m.v(flag), e.m.c(-7)))});
  e.go("0");
  CHECK(e.value("flag") == 1);
  CHECK(e.value("x") == 1);
}

TEST_CASE("replay: array indices start at the lower bound and are checked",
          "[replay][evaluation]") {
  OneEdge e;
  const VariableId a = e.m.global("a", e.m.array_type(e.m.int_type(2, 4), e.any));
  SECTION("inside") {
    e.run({e.m.assign(e.m.index(e.m.v(a), e.m.c(4)), e.m.c(9))});
    e.go("0");
    CHECK((e.value("a[2]") == 0 && e.value("a[4]") == 9));
  }
  SECTION("outside") {
    const ExprId at = e.m.index(e.m.v(a), e.m.c(5));
    const StepResult result = e.run({e.m.assign(at, e.m.c(9))});
    CHECK(result.error == RunStatus::kIndexOutOfRange);
    CHECK(result.error_at == at);
  }
}

TEST_CASE("replay: && || imply and ?: evaluate only what decides", "[replay][evaluation]") {
  OneEdge e;
  const ExprId broken = e.m.binary(kDivide, e.m.c(1), e.m.c(0));
  const ExprId no = e.m.truth(false);
  const ExprId yes = e.m.truth(true);
  const ExprId all = e.m.binary(
      kAdd, e.m.binary(kAdd, e.m.binary(kAnd, no, broken), e.m.binary(kOr, yes, broken)),
      e.m.binary(kAdd, e.m.binary(kImply, no, broken), e.m.conditional(no, broken, e.m.c(10))));
  e.run({e.m.assign(e.m.v(e.x), all)});
  e.go("0");
  CHECK(e.value("x") == 12);
  CHECK(OneEdge().compute(kXor, 3, 4).state.cells[0] == 0);
}

TEST_CASE("replay: forall, exists and sum range over a type", "[replay][evaluation]") {
  OneEdge e;
  const VariableId i = e.frame("i", e.m.int_type(2, 4), Role::kIterator);
  const ExprId sum = e.m.quantifier(kSum, i, e.m.v(i));
  const ExprId all = e.m.quantifier(kForall, i, e.m.binary(kGreater, e.m.v(i), e.m.c(2)));
  const ExprId some = e.m.quantifier(kExists, i, e.m.binary(kGreater, e.m.v(i), e.m.c(3)));
  const ExprId hundreds = e.m.binary(kMultiply, some, e.m.c(100));
  const ExprId tens = e.m.binary(kMultiply, all, e.m.c(10));
  e.run({e.m.assign(e.m.v(e.x), e.m.binary(kAdd, hundreds, e.m.binary(kAdd, tens, sum)))});
  e.go("0");
  CHECK(e.value("x") == 109);
}

TEST_CASE("replay: left operands are read before right ones change them", "[replay][evaluation]") {
  OneEdge e;
  const ExprId count = e.m.increment(kPostIncrement, e.m.v(e.x));
  const VariableId y = e.m.global("y", e.any);
  const VariableId z = e.m.global("z", e.any);
  e.run({e.m.assign(e.m.v(y),
                    e.m.binary(kSubtract, e.m.v(e.x), e.m.increment(kPreIncrement, e.m.v(e.x)))),
         e.m.compound_assign(kAdd, e.m.v(e.x), count), e.m.assign(e.m.v(z), count)});
  e.go("0");
  CHECK(e.value("y") == -1);
  CHECK(e.value("z") == 2);  // 1 + 1
  CHECK(e.value("x") == 3);
}

TEST_CASE("replay: arrays and structs are copied and compared as a whole", "[replay][evaluation]") {
  OneEdge e;
  const TypeId point =
      e.m.struct_type({{"u", e.any}, {"v", e.m.array_type(e.m.int_type(0, 1), e.any)}});
  const TypeId points = e.m.array_type(e.m.int_type(0, 1), point);
  const VariableId a = e.m.global("a", points);
  const VariableId b = e.m.global("b", points);
  const auto at = [&](VariableId array, std::int32_t i) {
    return e.m.index(e.m.v(array), e.m.c(i));
  };
  const ExprId deep = e.m.index(e.m.field(at(a, 1), 1), e.m.c(1));
  e.run({e.m.assign(deep, e.m.c(8)), e.m.assign(at(a, 0), at(a, 1)), e.m.assign(e.m.v(b), e.m.v(a)),
         e.m.assign(e.m.v(e.x), e.m.binary(kEqual, e.m.v(a), e.m.v(b)))});
  e.go("0");
  CHECK(e.value("a[0].v[1]") == 8);
  CHECK(e.value("b[1].v[1]") == 8);
  CHECK(e.value("x") == 1);
}

TEST_CASE("replay: a conditional can be assigned to", "[replay][evaluation]") {
  OneEdge e;
  const VariableId y = e.m.global("y", e.any);
  const ExprId target = e.m.conditional(e.is(e.x, 0), e.m.v(y), e.m.v(e.x));
  e.run({e.m.assign(target, e.m.c(4))});
  e.go("0");
  CHECK((e.value("y") == 4 && e.value("x") == 0));
}

// int f(int[0,9] n) { int s; for (k = 0; k < n; k++) { if (k == 7) return -1; s += k; } return s; }
TEST_CASE("replay: functions loop, branch and return", "[replay][function]") {
  OneEdge e;
  const VariableId n = e.m.function_parameter("n", e.m.int_type(0, 9));
  const VariableId s = e.frame("s", e.any);
  const VariableId k = e.frame("k", e.any);
  const FunctionId f =
      e.m.add_function({.name = "f", .result = e.m.int_type(-1, 15), .parameters = {n}});
  const StmtId body = e.block(
      {e.m.statement(
           {.kind = StmtKind::kIf, .exprs = {e.is(k, 7)}, .children = {e.returns(e.m.c(-1))}}),
       e.expression(e.m.compound_assign(kAdd, e.m.v(s), e.m.v(k)))});
  const StmtId loop = e.m.statement({.kind = StmtKind::kFor,
                                     .exprs = {e.set(k, 0), e.m.binary(kLess, e.m.v(k), e.m.v(n)),
                                               e.m.increment(kPostIncrement, e.m.v(k))},
                                     .children = {body}});
  e.m.set_body(f,
               e.block({e.m.statement({.kind = StmtKind::kDeclare, .variable = s}),
                        e.m.statement({.kind = StmtKind::kDeclare, .variable = k}), loop,
                        e.returns(e.m.v(s))}),
               {s, k});
  const auto call = [&](ExprId argument) {
    const std::array arguments = {argument};
    return e.m.call(f, arguments);
  };
  SECTION("to the end, inside its own argument") {
    e.run({e.m.assign(e.m.v(e.x), call(call(e.m.c(4))))});
    e.go("0");
    CHECK(e.value("x") == 15);  // f(4) == 6
  }
  SECTION("out of the loop") {
    e.run({e.m.assign(e.m.v(e.x), call(e.m.c(9)))});
    e.go("0");
    CHECK(e.value("x") == -1);
  }
  SECTION("an argument outside its range") {
    const ExprId ten = e.m.c(10);
    const StepResult result = e.run({e.m.assign(e.m.v(e.x), call(ten))});
    CHECK(result.error == RunStatus::kValueOutOfRange);
    CHECK(result.error_at == ten);
  }
  SECTION("a result outside its range") {
    CHECK(e.run({e.m.assign(e.m.v(e.x), call(e.m.c(7)))}).error == RunStatus::kValueOutOfRange);
  }
}

TEST_CASE("replay: references stand for the argument, values are copies", "[replay][function]") {
  OneEdge e;
  const TypeId pair = e.m.array_type(e.m.int_type(0, 1), e.any);
  const VariableId a = e.m.global("a", e.m.array_type(e.m.int_type(0, 2), pair));
  const VariableId r = e.m.function_parameter("r", pair, true);
  const VariableId v = e.m.function_parameter("v", pair);
  const FunctionId f =
      e.m.add_function({.name = "f", .result = e.m.void_type(), .parameters = {r, v}});
  const auto at = [&](VariableId array, std::int32_t i) {
    return e.m.index(e.m.v(array), e.m.c(i));
  };
  e.m.set_body(f,
               e.block({e.expression(e.m.assign(at(v, 0), e.m.c(6))),
                        e.expression(e.m.assign(at(r, 1), at(v, 0)))}),
               {});
  const std::array arguments = {at(a, 2), at(a, 2)};
  e.run({e.m.call(f, arguments)});
  e.go("0");
  CHECK((e.value("a[2][0]") == 0 && e.value("a[2][1]") == 6));
}

TEST_CASE("replay: a field of a returned struct can be read", "[replay][function]") {
  OneEdge e;
  const TypeId pair = e.m.struct_type({{"u", e.any}, {"v", e.any}});
  const VariableId local = e.frame("local", pair);
  const FunctionId f = e.m.add_function({.name = "f", .result = pair});
  const std::array values = {e.m.c(3), e.m.c(4)};
  e.m.set_body(f,
               e.block({e.m.statement({.kind = StmtKind::kDeclare,
                                       .variable = local,
                                       .exprs = {e.m.list(pair, values)}}),
                        e.returns(e.m.v(local))}),
               {local});
  e.run({e.m.assign(e.m.v(e.x), e.m.field(e.m.call(f, {}), 1))});
  e.go("0");
  CHECK(e.value("x") == 4);
}

TEST_CASE("replay: iteration ascends, do-while runs at least once", "[replay][function]") {
  OneEdge e;
  const VariableId i = e.frame("i", e.m.int_type(1, 3), Role::kIterator);
  const FunctionId f = e.m.add_function({.name = "f", .result = e.m.void_type()});
  const ExprId append = e.m.assign(
      e.m.v(e.x), e.m.binary(kAdd, e.m.binary(kMultiply, e.m.v(e.x), e.m.c(10)), e.m.v(i)));
  e.m.set_body(
      f,
      e.block(
          {e.m.statement(
               {.kind = StmtKind::kIterate, .variable = i, .children = {e.expression(append)}}),
           e.m.statement({.kind = StmtKind::kDoWhile,
                          .exprs = {e.m.truth(false)},
                          .children = {e.expression(e.m.increment(kPostIncrement, e.m.v(e.x)))}})}),
      {i});
  e.run({e.m.call(f, {})});
  e.go("0");
  CHECK(e.value("x") == 124);
}

TEST_CASE("replay: functions that go wrong say how", "[replay][function][error]") {
  OneEdge e;
  const FunctionId f = e.m.add_function({.name = "f", .result = e.any});
  const ExprId call = e.m.call(f, {});
  SECTION("no return") {
    e.m.set_body(f, e.block({}), {});
    const StepResult result = e.run({e.m.assign(e.m.v(e.x), call)});
    CHECK(result.error == RunStatus::kNoReturn);
    CHECK(result.error_at == call);
  }
  SECTION("assertion") {
    const ExprId claim = e.is(e.x, 1);
    e.m.set_body(f, e.m.statement({.kind = StmtKind::kAssert, .exprs = {claim}}), {});
    const StepResult result = e.run({call});
    CHECK(result.error == RunStatus::kAssertionFailed);
    CHECK(result.error_at == claim);
  }
  SECTION("endless loop") {
    e.m.set_body(
        f,
        e.m.statement(
            {.kind = StmtKind::kWhile, .exprs = {e.m.truth(true)}, .children = {e.block({})}}),
        {});
    CHECK(e.run({call}).error == RunStatus::kTooManySteps);
  }
}

}  // namespace
}  // namespace tw
