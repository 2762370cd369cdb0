#include "engine/model/network.hpp"

#include <array>

#include <catch2/catch.hpp>

#include "engine/model/print.hpp"
#include "tests/model/build.hpp"

namespace tw {
namespace {

// process T(const int[0,2] id) { int[0,id] n; state a, b; trans a -> b { assign n = n + 1; } }
struct Counter {
  explicit Counter(test::Model& m) {
    of = m.add_template("T");
    id = m.parameter(of, "id", m.int_type(0, 2));
    const ExprId zero = m.c(0);
    n = m.local(of, "n", m.symbolic_int_type(zero, m.v(id)));
    a = m.location(of, "a");
    b = m.location(of, "b");
    const ExprId more = m.binary(ExprKind::kAdd, m.v(n), m.c(1));
    edge = m.edge(of, a, b, {.updates = {m.assign(m.v(n), more)}});
  }

  TemplateId of;
  VariableId id;
  VariableId n;
  LocationDeclId a;
  LocationDeclId b;
  EdgeDeclId edge;
};

Network freeze(test::Model& m) {
  Diagnostics diagnostics;
  auto network = m.freeze(diagnostics);
  INFO((diagnostics.all().empty() ? std::string() : diagnostics.all().front().message));
  REQUIRE(network);
  return std::move(*network);
}

TEST_CASE("a free parameter gives one process per value", "[model][instantiate]") {
  test::Model m;
  const Counter t(m);
  m.list(t.of);
  const Network network = freeze(m);

  REQUIRE(network.processes.size() == 3);
  CHECK(network.processes[ProcessId(2)].name == "T(2)");
  CHECK(network.locations.size() == 6);
  REQUIRE(network.edges.size() == 3);
  CHECK(network.edges[EdgeId(1)].decl == t.edge);
  // The range of n depends on the process; id is a constant and needs no state.
  REQUIRE(network.memory.state == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(network.cells[CellId(i)].low == 0);
    CHECK(network.cells[CellId(i)].high == static_cast<std::int32_t>(i));
  }
  CHECK(network.cell_name(CellId(1)) == "T(1).n");
  CHECK(network.memory.constants == 6);
  CHECK(network.packed_state_bits() == 3 * 1 + 0 + 1 + 2);
}

TEST_CASE("a copy has the shape of the original and its own variables", "[model][instantiate]") {
  test::Model m;
  const Counter t(m);
  m.list(t.of);
  const Network network = freeze(m);
  const ExprId original = network.edge_decls[t.edge].labels.updates.front();
  const ExprId copy = network.edges[EdgeId(2)].labels.updates.front();
  CHECK(network.pool[original].prototype);
  CHECK_FALSE(network.pool[copy].prototype);
  CHECK(print_expression(network, original) == "n = n + 1");
  CHECK(print_expression(network, copy) == "n = n + 1");
  const VariableId written = network.pool[network.pool.operand(copy, 0)].variable();
  CHECK(network.qualified_name(written) == "T(2).n");
  CHECK(network.variables[written].made_from == t.n);
}

TEST_CASE("a reference parameter is replaced by what it stands for", "[model][instantiate]") {
  test::Model m;
  const TypeId small = m.int_type(0, 9);
  const VariableId g = m.global("g", m.array_type(m.int_type(1, 3), small));
  const TemplateId of = m.add_template("T");
  const VariableId p = m.parameter(of, "p", small, true);
  const LocationDeclId a = m.location(of, "a");
  m.edge(of, a, a, {.updates = {m.assign(m.v(p), m.c(5))}});
  const InstanceId instance =
      m.add_instance({.name = "P", .of_template = of, .arguments = {m.index(m.v(g), m.c(2))}});
  m.add_system_entry({.instance = instance});
  const Network network = freeze(m);
  REQUIRE(network.edges.size() == 1);
  const Edge& edge = network.edges[EdgeId(0)];
  CHECK(print_expression(network, edge.labels.updates.front()) == "g[2] = 5");
  REQUIRE(edge.facts.definitions.size() == 1);
  CHECK(edge.facts.definitions[0].place == PlaceRange{g, false, 1, 1});
  CHECK(network.cell_name(CellId(1)) == "g[2]");
}

TEST_CASE("a value parameter is state only if something writes it", "[model][instantiate]") {
  const bool written = GENERATE(false, true);
  test::Model m;
  const TemplateId of = m.add_template("T");
  const VariableId p = m.add_variable({.name = "p",
                                       .type = m.int_type(0, 5),
                                       .role = Role::kParameter,
                                       .prototype = true,
                                       .owner_template = of});
  const LocationDeclId a = m.location(of, "a");
  if (written)
    m.edge(of, a, a, {.updates = {m.increment(ExprKind::kPostIncrement, m.v(p))}});
  m.add_system_entry(
      {.instance = m.add_instance({.name = "P", .of_template = of, .arguments = {m.c(3)}})});
  const Network network = freeze(m);
  CHECK(network.memory.state == (written ? 1 : 0));
  REQUIRE(network.cells.size() == 1);
  CHECK(network.cells[CellId(0)].initial == 3);
}

TEST_CASE("structs with clocks are laid out in two spaces", "[model][layout]") {
  test::Model m;
  const TypeId record = m.struct_type({{"x", m.clock_type()},
                                       {"n", m.int_type(0, 3)},
                                       {"real", m.network().types.real_type()},
                                       {"b", m.bool_type()}});
  m.global("i", m.int_type(1, 4));
  m.global("s", m.array_type(m.int_type(0, 1), record));
  const TemplateId of = m.add_template("T");
  m.location(of, "a");
  m.list(of);
  const Network network = freeze(m);
  REQUIRE(network.memory.state == 5);
  REQUIRE(network.clocks.size() == 2);
  CHECK(network.cell_name(CellId(0)) == "i");
  CHECK(network.cells[CellId(0)].initial == 1);
  CHECK(network.cell_name(CellId(3)) == "s[1].n");
  CHECK(network.cell_name(CellId(4)) == "s[1].b");
  CHECK(network.clocks[ClockId(1)].name == "s[1].x");
}

TEST_CASE("limits are reported, not exceeded", "[model][limits]") {
  Diagnostics diagnostics;
  SECTION("processes") {
    test::Model m({.processes = 2});
    const Counter t(m);
    m.list(t.of);
    CHECK_FALSE(m.freeze(diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].message == "'T' stands for 3 processes; the limit is 2");
  }
  SECTION("locations and edges") {
    test::Model m({.elements = 8});
    const Counter t(m);
    m.list(t.of);
    CHECK_FALSE(m.freeze(diagnostics));
    CHECK(diagnostics.all()[0].message ==
          "the processes have more than 8 locations and edges together");
  }
  SECTION("cells") {
    test::Model m({.cells = 5});
    const Counter t(m);
    m.list(t.of);
    CHECK_FALSE(m.freeze(diagnostics));
    CHECK(diagnostics.all()[0].message ==
          "all variables together have more than 5 elements, the limit");
  }
  SECTION("expressions") {
    test::Model m({.expressions = 10});
    const Counter t(m);
    m.list(t.of);
    CHECK_FALSE(m.freeze(diagnostics));
    CHECK(diagnostics.all()[0].message ==
          "the processes need more than 10 expression nodes together");
  }
}

TEST_CASE("lengths that depend on parameters are compared per process", "[model][instantiate]") {
  test::Model m;
  const TypeId small = m.int_type(0, 3);
  const VariableId g = m.global("g", m.array_type(m.int_type(0, 2), small));
  const TemplateId of = m.add_template("T");
  const VariableId n = m.parameter(of, "n", m.int_type(0, 9));
  const VariableId a = m.local(of, "a", m.array_type(m.symbolic_int_type(m.c(0), m.v(n)), small));
  const LocationDeclId l = m.location(of, "l");
  m.edge(of, l, l, {.updates = {m.assign(m.v(a), m.v(g))}});
  const std::int32_t argument = GENERATE(2, 3);
  m.add_system_entry(
      {.instance = m.add_instance({.name = "P", .of_template = of, .arguments = {m.c(argument)}})});
  Diagnostics diagnostics;
  const auto network = m.freeze(diagnostics);
  CHECK(network.has_value() == (argument == 2));
  if (!network)
    CHECK(diagnostics.all()[0].message == "in process 'P' the lengths of the arrays differ");
}

TEST_CASE("expressions are printed with the parentheses they need", "[model][print]") {
  test::Model m;
  const ExprId a = m.v(m.global("a", m.int_type(0, 9)));
  const ExprId b = m.v(m.global("b", m.int_type(0, 9)));
  const auto print = [&m](ExprId e) { return print_expression(m.network(), e); };
  using enum ExprKind;
  CHECK(print(m.binary(kMultiply, m.binary(kAdd, a, b), a)) == "(a + b) * a");
  CHECK(print(m.binary(kAdd, m.binary(kMultiply, a, b), a)) == "a * b + a");
  CHECK(print(m.binary(kSubtract, a, m.binary(kSubtract, b, a))) == "a - (b - a)");
  CHECK(print(m.binary(kImply, a, m.binary(kOr, b, a))) == "a imply (b || a)");
  CHECK(print(m.unary(kNegate, m.unary(kNegate, a))) == "-(-a)");
  CHECK(print(m.unary(kNot, m.binary(kEqual, a, b))) == "!(a == b)");
  CHECK(print(m.binary(kAnd, a, m.conditional(a, b, a))) == "a && (a ? b : a)");
  CHECK(print(m.compound_assign(kShiftLeft, a, m.c(2))) == "a <<= 2");
  const VariableId i = m.add_variable(
      {.name = "i", .type = m.int_type(0, 3), .role = Role::kIterator, .storage = Storage::kFrame});
  CHECK(print(m.binary(kAnd, m.quantifier(kForall, i, m.v(i)), a)) ==
        "(forall (i : int[0, 3]) i) && a");
}

TEST_CASE("two networks are equal if they are the same system", "[model][compare]") {
  const auto build = [](std::int32_t bound, const char* name) {
    test::Model m;
    const TemplateId of = m.add_template("T");
    const LocationDeclId a = m.location(of, name);
    const VariableId x = m.global("x", m.int_type(0, bound));
    m.edge(of, a, a, {.guard = m.binary(ExprKind::kLess, m.v(x), m.c(3))});
    m.list(of);
    return freeze(m);
  };
  CHECK(first_difference(build(5, "a"), build(5, "a")) == std::nullopt);
  CHECK(first_difference(build(5, "a"), build(6, "a")) == "type of x");
  CHECK(first_difference(build(5, "a"), build(5, "b")) == "location: a / b");
}

}  // namespace
}  // namespace tw
