#include "engine/model/evaluate.hpp"

#include <array>
#include <limits>

#include <catch2/catch.hpp>

#include "tests/model/build.hpp"

namespace tw {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int32_t>::min();

EvalResult eval(test::Model& model, ExprId e) {
  return evaluate(model.network(), model.constants(), e);
}

TEST_CASE("arithmetic is 32 bits wide and wraps", "[model][evaluate]") {
  const auto apply = [](ExprKind op, std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    const RunStatus status = apply_operator(op, a, b, out);
    return std::pair(status, out);
  };
  using Pair = std::pair<RunStatus, std::int64_t>;
  CHECK(apply(ExprKind::kAdd, kMax, 0) == Pair(RunStatus::kOk, kMax));
  CHECK(apply(ExprKind::kAdd, kMax, 1) == Pair(RunStatus::kOk, kMin));
  CHECK(apply(ExprKind::kSubtract, kMin, 1) == Pair(RunStatus::kOk, kMax));
  CHECK(apply(ExprKind::kMultiply, 65536, 65536) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kMultiply, kMin, kMin) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kMultiply, kMin, -1) == Pair(RunStatus::kOk, kMin));
  CHECK(apply(ExprKind::kDivide, kMin, -1) == Pair(RunStatus::kOk, kMin));
  CHECK(apply(ExprKind::kModulo, kMin, -1) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kDivide, -7, 2) == Pair(RunStatus::kOk, -3));
  CHECK(apply(ExprKind::kModulo, -7, 2) == Pair(RunStatus::kOk, -1));
  CHECK(apply(ExprKind::kDivide, 1, 0).first == RunStatus::kDivisionByZero);
  CHECK(apply(ExprKind::kModulo, 1, 0).first == RunStatus::kDivisionByZero);
  CHECK(apply(ExprKind::kShiftLeft, 1, -1).first == RunStatus::kNegativeShift);
  CHECK(apply(ExprKind::kShiftLeft, 1, 31) == Pair(RunStatus::kOk, kMin));
  CHECK(apply(ExprKind::kShiftLeft, 3, 31) == Pair(RunStatus::kOk, kMin));
  CHECK(apply(ExprKind::kShiftLeft, 1, 32) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kShiftLeft, kMax, kMax) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kShiftRight, -1, kMax) == Pair(RunStatus::kOk, -1));
  CHECK(apply(ExprKind::kShiftLeft, 0, 1000) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kShiftRight, -8, 1) == Pair(RunStatus::kOk, -4));
  CHECK(apply(ExprKind::kPower, 2, 30) == Pair(RunStatus::kOk, 1 << 30));
  CHECK(apply(ExprKind::kPower, 2, 31) == Pair(RunStatus::kOk, kMin));
  CHECK(apply(ExprKind::kPower, 2, 32) == Pair(RunStatus::kOk, 0));
  CHECK(apply(ExprKind::kPower, 3, 21) == Pair(RunStatus::kOk, 1870418611));
  CHECK(apply(ExprKind::kPower, 3, kMax) == Pair(RunStatus::kOk, -1431655765));
  CHECK(apply(ExprKind::kPower, -1, 1000000001) == Pair(RunStatus::kOk, -1));
  CHECK(apply(ExprKind::kPower, 0, 0) == Pair(RunStatus::kOk, 1));
  CHECK(apply(ExprKind::kPower, 0, -1).first == RunStatus::kDivisionByZero);
  CHECK(apply(ExprKind::kPower, 3, -1) == Pair(RunStatus::kOk, 0));
}

TEST_CASE("logical operators stop as soon as the result is known", "[model][evaluate]") {
  test::Model m;
  const ExprId broken = m.binary(ExprKind::kDivide, m.c(1), m.c(0));
  CHECK(eval(m, m.binary(ExprKind::kAnd, m.truth(false), broken)).scalar() == 0);
  CHECK(eval(m, m.binary(ExprKind::kOr, m.truth(true), broken)).scalar() == 1);
  CHECK(eval(m, m.binary(ExprKind::kImply, m.truth(false), broken)).scalar() == 1);
  CHECK(eval(m, m.conditional(m.truth(true), m.c(4), broken)).scalar() == 4);
  const EvalResult failed = eval(m, m.binary(ExprKind::kXor, m.truth(false), broken));
  CHECK(failed.status == RunStatus::kDivisionByZero);
  CHECK(failed.at == broken);
}

TEST_CASE("a variable has no value before the model runs", "[model][evaluate]") {
  test::Model m;
  const VariableId x = m.global("x", m.int_type(0, 5));
  CHECK(eval(m, m.v(x)).status == RunStatus::kNotConstant);
  const VariableId k = m.constant_variable("K", 7);
  CHECK(eval(m, m.binary(ExprKind::kAdd, m.v(k), m.c(1))).scalar() == 8);
}

TEST_CASE("quantifiers run over the range of their variable", "[model][evaluate]") {
  test::Model m;
  const auto iterator = [&m](std::int32_t low, std::int32_t high) {
    return m.add_variable({.name = "i",
                           .type = m.int_type(low, high),
                           .role = Role::kIterator,
                           .storage = Storage::kFrame});
  };
  const VariableId i = iterator(1, 4);
  CHECK(eval(m, m.quantifier(ExprKind::kSum, i, m.v(i))).scalar() == 10);
  const ExprId small = m.binary(ExprKind::kLess, m.v(i), m.c(4));
  CHECK(eval(m, m.quantifier(ExprKind::kForall, i, small)).scalar() == 0);
  CHECK(eval(m, m.quantifier(ExprKind::kExists, i, small)).scalar() == 1);
  const VariableId none = iterator(1, 0);
  CHECK(eval(m, m.quantifier(ExprKind::kForall, none, m.truth(false))).scalar() == 1);
  CHECK(eval(m, m.quantifier(ExprKind::kExists, none, m.truth(true))).scalar() == 0);
}

// int f(int n, int &out) { out = n; while (n > 0) { sum += n; n--; } return sum; }
struct SumFunction {
  explicit SumFunction(test::Model& m) {
    const TypeId integer = m.int_type(-32768, 32767);
    n = m.function_parameter("n", integer);
    out = m.function_parameter("out", integer, true);
    sum = m.add_variable(
        {.name = "sum", .type = integer, .role = Role::kFunctionLocal, .storage = Storage::kFrame});
    id = m.add_function({.name = "f", .result = integer, .parameters = {n, out}});
    const auto run = [&m](ExprId e) {
      return m.statement({.kind = StmtKind::kExpression, .exprs = {e}});
    };
    const StmtId body =
        m.statement({.kind = StmtKind::kBlock,
                     .children = {run(m.compound_assign(ExprKind::kAdd, m.v(sum), m.v(n))),
                                  run(m.increment(ExprKind::kPostDecrement, m.v(n)))}});
    const StmtId loop = m.statement({.kind = StmtKind::kWhile,
                                     .exprs = {m.binary(ExprKind::kGreater, m.v(n), m.c(0))},
                                     .children = {body}});
    m.set_body(
        id,
        m.statement({.kind = StmtKind::kBlock,
                     .children = {m.statement({.kind = StmtKind::kDeclare, .variable = sum}),
                                  run(m.assign(m.v(out), m.v(n))), loop,
                                  m.statement({.kind = StmtKind::kReturn, .exprs = {m.v(sum)}})}}),
        {sum});
  }

  VariableId n;
  VariableId out;
  VariableId sum;
  FunctionId id;
};

TEST_CASE("a function writes through its references and keeps its parameters apart",
          "[model][evaluate]") {
  test::Model m;
  const SumFunction f(m);
  const TypeId integer = m.int_type(-32768, 32767);
  // g() { int a; int b; a = f(4, b); return 100 * a + b; }
  const auto local = [&](const char* name) {
    return m.add_variable(
        {.name = name, .type = integer, .role = Role::kFunctionLocal, .storage = Storage::kFrame});
  };
  const VariableId a = local("a");
  const VariableId b = local("b");
  const FunctionId g = m.add_function({.name = "g", .result = integer});
  const std::array arguments = {m.c(4), m.v(b)};
  const ExprId call = m.call(f.id, arguments);
  const ExprId value =
      m.binary(ExprKind::kAdd, m.binary(ExprKind::kMultiply, m.c(100), m.v(a)), m.v(b));
  m.set_body(
      g,
      m.statement({.kind = StmtKind::kBlock,
                   .children = {m.statement({.kind = StmtKind::kDeclare, .variable = a}),
                                m.statement({.kind = StmtKind::kDeclare, .variable = b}),
                                m.statement({.kind = StmtKind::kExpression,
                                             .exprs = {m.assign(m.v(a), call)}}),
                                m.statement({.kind = StmtKind::kReturn, .exprs = {value}})}}),
      {a, b});
  const EvalResult result = eval(m, m.call(g, {}));
  REQUIRE(result.ok());
  CHECK(result.scalar() == 1004);
}

TEST_CASE("an argument outside the range of its parameter is an error", "[model][evaluate]") {
  test::Model m;
  const TypeId small = m.int_type(0, 3);
  const VariableId p = m.function_parameter("p", small);
  const FunctionId f = m.add_function({.name = "f", .result = small, .parameters = {p}});
  m.set_body(f, m.statement({.kind = StmtKind::kReturn, .exprs = {m.v(p)}}), {});
  const std::array good = {m.c(3)};
  const std::array bad = {m.c(4)};
  CHECK(eval(m, m.call(f, good)).scalar() == 3);
  CHECK(eval(m, m.call(f, bad)).status == RunStatus::kValueOutOfRange);
}

TEST_CASE("an endless loop is given up", "[model][evaluate]") {
  test::Model m;
  const FunctionId f = m.add_function({.name = "f", .result = m.int_type(0, 1)});
  m.set_body(f,
             m.statement({.kind = StmtKind::kWhile,
                          .exprs = {m.truth(true)},
                          .children = {m.statement({.kind = StmtKind::kBlock})}}),
             {});
  CHECK(eval(m, m.call(f, {})).status == RunStatus::kTooManySteps);
}

TEST_CASE("an uninitialised cell is 0 where its range allows, else the nearest bound",
          "[model][evaluate]") {
  CHECK(default_value({.kind = TypeKind::kInt, .low = -3, .high = 3}) == 0);
  CHECK(default_value({.kind = TypeKind::kInt, .low = 2, .high = 5}) == 2);
  CHECK(default_value({.kind = TypeKind::kInt, .low = -5, .high = -2}) == -2);
}

}  // namespace
}  // namespace tw
