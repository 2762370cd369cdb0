#include "engine/model/facts.hpp"

#include <array>

#include <catch2/catch.hpp>

#include "tests/model/build.hpp"

namespace tw {
namespace {

// One process with one edge; the test fills in the labels.
struct OneEdge {
  OneEdge() { of = m.add_template("T"), at = m.location(of, "a"); }

  const Network& freeze(EdgeLabels labels) {
    m.edge(of, at, at, std::move(labels));
    m.list(of);
    Diagnostics diagnostics;
    network = m.freeze(diagnostics);
    REQUIRE(network);
    return *network;
  }

  [[nodiscard]] const EdgeFacts& facts() const { return network->edges[EdgeId(0)].facts; }

  std::vector<std::string> used(UseKind kind) const {
    std::vector<std::string> out;
    for (const Use& use : facts().uses)
      if (use.kind == kind)
        out.push_back(network->qualified_name(use.place.variable));
    return out;
  }

  std::vector<std::string> defined() const {
    std::vector<std::string> out;
    for (const Definition& definition : facts().definitions)
      out.push_back(network->qualified_name(definition.place.variable));
    return out;
  }

  test::Model m;
  TemplateId of;
  LocationDeclId at;
  std::optional<Network> network;
};

using Names = std::vector<std::string>;

TEST_CASE("facts: guards use as predicates, right sides as computations", "[model][facts]") {
  OneEdge e;
  const VariableId x = e.m.global("x", e.m.int_type(0, 9));
  const VariableId y = e.m.global("y", e.m.int_type(0, 9));
  const VariableId z = e.m.global("z", e.m.int_type(0, 9));
  e.freeze({.guard = e.m.binary(ExprKind::kLess, e.m.v(x), e.m.c(3)),
            .updates = {e.m.assign(e.m.v(y), e.m.v(x)),
                        e.m.compound_assign(ExprKind::kAdd, e.m.v(z), e.m.c(1))}});
  CHECK(e.used(UseKind::kPredicate) == Names{"x"});
  CHECK(e.used(UseKind::kComputation) == Names{"x", "z"});
  CHECK(e.defined() == Names{"y", "z"});
}

TEST_CASE("facts: an index narrows the cells as far as its range tells", "[model][facts]") {
  OneEdge e;
  const VariableId a = e.m.global("a", e.m.array_type(e.m.int_type(0, 9), e.m.int_type(0, 3)));
  const VariableId i = e.m.global("i", e.m.int_type(2, 4));
  e.freeze({.updates = {e.m.assign(e.m.index(e.m.v(a), e.m.c(7)), e.m.c(0)),
                        e.m.assign(e.m.index(e.m.v(a), e.m.v(i)), e.m.c(0))}});
  REQUIRE(e.facts().definitions.size() == 2);
  CHECK(e.facts().definitions[0].place == PlaceRange{a, false, 7, 1});
  CHECK(e.facts().definitions[1].place == PlaceRange{a, false, 2, 3});
  CHECK(e.used(UseKind::kComputation) == Names{"i"});
}

TEST_CASE("facts: a part of a conditional may be in either branch", "[model][facts]") {
  OneEdge e;
  const TypeId array = e.m.array_type(e.m.int_type(0, 1), e.m.int_type(0, 3));
  const VariableId a = e.m.global("a", array);
  const VariableId b = e.m.global("b", array);
  const VariableId c = e.m.global("c", e.m.bool_type());
  const VariableId x = e.m.global("x", e.m.int_type(0, 3));
  const auto part = [&] {
    return e.m.index(e.m.conditional(e.m.v(c), e.m.v(a), e.m.v(b)), e.m.c(1));
  };
  e.freeze({.updates = {e.m.assign(e.m.v(x), part()), e.m.assign(part(), e.m.c(2))}});
  CHECK(e.used(UseKind::kComputation) == Names{"c", "a", "b", "c"});
  CHECK(e.defined() == Names{"x", "a", "b"});
}

TEST_CASE("facts: a call touches what its body touches, also through references",
          "[model][facts]") {
  OneEdge e;
  const TypeId integer = e.m.int_type(0, 9);
  const VariableId g = e.m.global("g", integer);
  const VariableId h = e.m.global("h", integer);
  const VariableId p = e.m.function_parameter("p", integer, true);
  const FunctionId f =
      e.m.add_function({.name = "f", .result = e.m.void_type(), .parameters = {p}});
  e.m.set_body(
      f, e.m.statement({.kind = StmtKind::kExpression, .exprs = {e.m.assign(e.m.v(p), e.m.v(g))}}),
      {});
  const std::array arguments = {e.m.v(h)};
  e.freeze({.updates = {e.m.call(f, arguments)}});
  CHECK(e.used(UseKind::kComputation) == Names{"g"});
  CHECK(e.defined() == Names{"h"});
  CHECK(e.facts().calls == std::vector<FunctionId>{f});
}

TEST_CASE("facts: clauses are what stands between the connectives", "[model][facts]") {
  OneEdge e;
  const VariableId x = e.m.global("x", e.m.int_type(0, 9));
  const ExprId a = e.m.binary(ExprKind::kLess, e.m.v(x), e.m.c(3));
  const ExprId b = e.m.binary(ExprKind::kEqual, e.m.v(x), e.m.c(5));
  const ExprId c = e.m.conditional(a, b, a);
  e.freeze({.guard = e.m.binary(ExprKind::kOr,
                                e.m.binary(ExprKind::kAnd, a, e.m.unary(ExprKind::kNot, b)), c)});
  CHECK(e.facts().clauses == std::vector<ExprId>{a, b, c});
}

TEST_CASE("facts: clock tests know their clocks, relation and bounds", "[model][facts]") {
  OneEdge e;
  const VariableId x = e.m.global("x", e.m.clock_type());
  const VariableId y = e.m.global("y", e.m.clock_type());
  const VariableId n = e.m.global("n", e.m.int_type(2, 6));
  using enum ExprKind;
  const ExprId upper = e.m.binary(kLessEqual, e.m.v(x), e.m.v(n));  // x <= n
  const ExprId turned = e.m.binary(kLess, e.m.c(3), e.m.v(y));      // 3 < y
  const ExprId difference =
      e.m.binary(kGreaterEqual, e.m.binary(kSubtract, e.m.v(x), e.m.v(y)), e.m.c(1));
  const ExprId shifted =
      e.m.binary(kLess, e.m.binary(kAdd, e.m.v(x), e.m.c(2)), e.m.c(9));  // x + 2 < 9
  const auto both = [&e](ExprId a, ExprId b) { return e.m.binary(kAnd, a, b); };
  e.freeze({.guard = both(both(upper, turned), both(difference, shifted)),
            .updates = {e.m.assign(e.m.v(x), e.m.c(0))}});
  const std::vector<ClockTest>& tests = e.facts().clock_tests;
  REQUIRE(tests.size() == 4);
  CHECK((tests[0].clock.variable == x && tests[0].relation == kLessEqual));
  CHECK((tests[0].low == 2 && tests[0].high == 6));
  CHECK((tests[1].clock.variable == y && tests[1].relation == kGreater));
  CHECK((tests[1].low == 3 && tests[1].high == 3));
  CHECK((tests[2].clock.variable == x && tests[2].minus.variable == y));
  CHECK((tests[2].minus.count == 1 && tests[2].low == 1));
  CHECK((tests[3].relation == kLess && tests[3].low == 7 && tests[3].high == 7));
  REQUIRE(e.facts().definitions.size() == 1);
  CHECK(e.facts().definitions[0].place.is_clock);
}

TEST_CASE("facts: intervals follow the arithmetic", "[model][facts]") {
  test::Model m;
  const ExprId a = m.v(m.global("a", m.int_type(-2, 3)));
  const ExprId b = m.v(m.global("b", m.int_type(4, 5)));
  const auto interval = [&m](ExprId e) {
    const Interval i = interval_of(m.network(), e);
    return std::pair(i.low, i.high);
  };
  using Range = std::pair<std::int64_t, std::int64_t>;
  using enum ExprKind;
  CHECK(interval(m.binary(kAdd, a, b)) == Range(2, 8));
  CHECK(interval(m.binary(kSubtract, a, b)) == Range(-7, -1));
  CHECK(interval(m.binary(kMultiply, a, b)) == Range(-10, 15));
  CHECK(interval(m.binary(kDivide, a, b)) == Range(0, 0));
  CHECK(interval(m.binary(kModulo, b, m.c(3))) == Range(1, 2));
  CHECK(interval(m.binary(kModulo, b, m.c(5))) == Range(0, 4));
  CHECK(interval(m.binary(kModulo, a, m.c(3))) == Range(-2, 2));
  CHECK(interval(m.binary(kMin, a, b)) == Range(-2, 3));
  CHECK(interval(m.unary(kAbsolute, a)) == Range(0, 3));
  CHECK(interval(m.conditional(m.truth(true), a, b)) == Range(-2, 5));
}

}  // namespace
}  // namespace tw
