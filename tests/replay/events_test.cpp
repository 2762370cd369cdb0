#include <array>

#include <catch2/catch.hpp>

#include "engine/replay/interpreter.hpp"
#include "tests/replay/run.hpp"

namespace tw {
namespace {

using test::Run;
using test::Words;
using enum ExprKind;

struct OneEdge : Run {
  Two p = process("P");
  TypeId small = m.int_type(0, 9);
  VariableId x = m.global("x", small);
  VariableId y = m.global("y", small);
  VariableId z = m.global("z", small);

  /// The events of the only edge, without "fired 0" and "state".
  Words run(EdgeLabels labels) {
    edge(p, std::move(labels));
    start();
    Words words = events(go("0").events);
    REQUIRE(words.size() >= 2);
    CHECK(Words(words.end() - 2, words.end()) == Words{"fired 0", "state"});
    words.resize(words.size() - 2);
    return words;
  }

  Words update(std::vector<ExprId> updates) { return run({.updates = std::move(updates)}); }
};

TEST_CASE("events: a run starts with the initial definitions of all state cells",
          "[replay][events]") {
  OneEdge e;
  e.m.add_variable({.name = "scratch", .type = e.small, .storage = Storage::kMeta});
  e.m.constant_variable("N", 3);
  e.start();
  CHECK(e.events(e.interpreter().initial_events()) == Words{"init x", "init y", "init z", "state"});
}

TEST_CASE("events: guards use as predicates, updates as computations", "[replay][events]") {
  OneEdge e;
  CHECK(e.run({.guard = e.is(e.x, 0), .updates = {e.m.assign(e.m.v(e.y), e.m.v(e.x))}}) ==
        Words{"p x 0", "c x 0", "def y 0"});
}

TEST_CASE("events: op= and ++ use their target", "[replay][events]") {
  OneEdge e;
  CHECK(e.update({e.m.compound_assign(kAdd, e.m.v(e.x), e.m.v(e.y)),
                  e.m.increment(kPostIncrement, e.m.v(e.z))}) ==
        Words{"c x 0", "c y 0", "def x 0", "c z 0", "def z 0"});
}

TEST_CASE("events: a use after an own definition is local", "[replay][events]") {
  OneEdge e;
  CHECK(e.update({e.m.assign(e.m.v(e.x), e.m.v(e.x)), e.m.assign(e.m.v(e.y), e.m.v(e.x)),
                  e.m.increment(kPreIncrement, e.m.v(e.x))}) ==
        Words{"c x 0", "def x 0", "def y 0", "def x 0"});
}

TEST_CASE("events: indices on the left come before the right side", "[replay][events]") {
  OneEdge e;
  const VariableId a = e.m.global("a", e.m.array_type(e.m.int_type(0, 9), e.small));
  CHECK(e.update({e.set(e.x, 4), e.m.assign(e.m.index(e.m.v(a), e.m.v(e.z)), e.m.v(e.y)),
                  e.m.assign(e.m.v(e.y), e.m.index(e.m.v(a), e.m.v(e.x)))}) ==
        Words{"def x 0", "c z 0", "c y 0", "def a[0] 0", "c a[4] 0", "def y 0"});
}

TEST_CASE("events: copies touch every cell", "[replay][events]") {
  OneEdge e;
  const TypeId pair = e.m.struct_type({{"u", e.small}, {"v", e.m.bool_type()}});
  const VariableId s = e.m.global("s", pair);
  const VariableId t = e.m.global("t", pair);
  CHECK(e.run({.guard = e.m.binary(kEqual, e.m.v(s), e.m.v(t)),
               .updates = {e.m.assign(e.m.v(s), e.m.v(t))}}) ==
        Words{"p s.u 0", "p s.v 0", "p t.u 0", "p t.v 0", "c t.u 0", "c t.v 0", "def s.u 0",
              "def s.v 0"});
}

TEST_CASE("events: what a decided operator leaves out is used as well", "[replay][events]") {
  OneEdge e;
  const VariableId a = e.m.global("a", e.m.array_type(e.m.int_type(0, 2), e.small));
  const ExprId last = e.m.index(e.m.v(a), e.m.binary(kSubtract, e.m.v(e.x), e.m.c(1)));
  SECTION("without the cell that an index outside its array would name") {
    const ExprId guard = e.m.binary(kOr, e.is(e.x, 0), e.m.binary(kEqual, last, e.m.v(e.y)));
    CHECK(e.run({.guard = guard}) == Words{"p x 0", "p x 0", "p y 0"});
  }
  SECTION("in both branches of a conditional, as they are written") {
    const ExprId choice = e.m.conditional(e.is(e.x, 1), e.m.v(e.y), e.m.v(e.z));
    CHECK(e.update({e.m.assign(e.m.v(e.x), choice)}) ==
          Words{"c x 0", "c y 0", "c z 0", "def x 0"});
  }
  SECTION("but nothing in it happens") {
    const ExprId other = e.m.index(e.m.v(a), e.m.increment(kPostIncrement, e.m.v(e.z)));
    CHECK(e.update({e.m.assign(e.m.v(e.y), e.m.conditional(e.is(e.x, 0), e.m.c(1), other))}) ==
          Words{"c x 0", "c z 0", "c a[0] 0", "def y 0"});
    CHECK(e.value("z") == 0);
  }
  SECTION("also the rest of a quantifier") {
    const VariableId i = e.frame("i", e.m.int_type(0, 2), Role::kIterator);
    const ExprId zero = e.m.binary(kEqual, e.m.index(e.m.v(a), e.m.v(i)), e.m.c(0));
    CHECK(e.run({.guard = e.m.quantifier(kExists, i, zero)}) ==
          Words{"p a[0] 0", "p a[1] 0", "p a[2] 0"});
  }
}

// void f(int& r, int v) { if (v == 0) r = x; else r = y; }
TEST_CASE("events: of a function only executed statements count, references as what they stand for",
          "[replay][events]") {
  OneEdge e;
  const VariableId r = e.m.function_parameter("r", e.small, true);
  const VariableId v = e.m.function_parameter("v", e.small);
  const FunctionId f =
      e.m.add_function({.name = "f", .result = e.m.void_type(), .parameters = {r, v}});
  e.m.set_body(f,
               e.m.statement({.kind = StmtKind::kIf,
                              .exprs = {e.is(v, 0)},
                              .children = {e.expression(e.m.assign(e.m.v(r), e.m.v(e.x))),
                                           e.expression(e.m.assign(e.m.v(r), e.m.v(e.y)))}}),
               {});
  const VariableId a = e.m.global("a", e.m.array_type(e.m.int_type(0, 2), e.small));
  SECTION("called") {
    const std::array arguments = {e.m.index(e.m.v(a), e.m.v(e.y)), e.m.v(e.z)};
    CHECK(e.update({e.m.call(f, arguments)}) == Words{"c y 0", "c z 0", "c x 0", "def a[0] 0"});
  }
  SECTION("not called") {
    const std::array arguments = {e.m.index(e.m.v(a), e.m.v(e.y)), e.m.v(e.z)};
    const ExprId maybe = e.m.conditional(e.is(e.x, 0), e.set(e.x, 1), e.m.call(f, arguments));
    CHECK(e.update({maybe}) == Words{"c x 0", "def x 0", "c y 0", "c z 0"});
  }
}

TEST_CASE("events: constants, selects and locals are no variables", "[replay][events]") {
  OneEdge e;
  const VariableId n = e.m.constant_variable("N", 3);
  const VariableId i = e.select(e.p.of, "i", e.m.int_type(1, 1));
  e.edge(e.p, {.selects = {i},
               .guard = e.m.binary(kLess, e.m.v(i), e.m.v(n)),
               .updates = {e.m.assign(e.m.v(e.x), e.m.v(i))}});
  e.start();
  CHECK(e.events(e.go("0[1]").events) == Words{"def x 0", "fired 0", "state"});
}

TEST_CASE("events: a passed value is defined by the sender and used by the receiver",
          "[replay][events]") {
  Run r;
  const TypeId small = r.m.int_type(0, 9);
  const VariableId c = r.m.global("c", r.m.array_type(small, r.m.channel_type(false, false)));
  const VariableId x = r.m.global("x", small);
  const VariableId y = r.m.global("y", small);
  const auto p = r.process("P");
  const auto q = r.process("Q");
  const ExprId channel = r.m.index(r.m.v(c), r.m.v(y));
  r.edge(p, {.guard = r.is(x, 0),
             .channel = channel,
             .direction = Direction::kReceive,
             .updates = {r.m.assign(r.m.v(y), r.m.v(x))}});
  r.edge(q, {.channel = channel, .direction = Direction::kSend, .updates = {r.set(x, 7)}});
  r.start();
  CHECK(r.events(r.go("1+0").events) == Words{"p y 1", "p x 0", "p y 0", "def x 1", "fired 1",
                                              "c x 0", "def y 0", "fired 0", "state"});
}

TEST_CASE("events: hooks belong to no edge and do not fire", "[replay][events]") {
  OneEdge e;
  e.m.set_update_hooks({e.set(e.x, 1)}, {e.m.assign(e.m.v(e.z), e.m.v(e.x))});
  e.edge(e.p, {.updates = {e.m.assign(e.m.v(e.y), e.m.v(e.x))}});
  e.start();
  CHECK(e.events(e.go("0").events) ==
        Words{"def x -", "c x 0", "def y 0", "fired 0", "c x -", "def z -", "state"});
}

TEST_CASE("events: both edges at a branchpoint fire, one after the other", "[replay][events]") {
  OneEdge e;
  const LocationDeclId branch =
      e.m.add_location(e.p.of, {.name = "branch", .kind = LocationKind::kBranchpoint});
  e.m.edge(e.p.of, e.p.a, branch, {.guard = e.is(e.x, 0), .updates = {e.set(e.x, 1)}});
  e.m.edge(e.p.of, branch, e.p.b,
           {.guard = e.is(e.x, 0), .updates = {e.m.assign(e.m.v(e.y), e.m.v(e.x))}});
  e.start();
  CHECK(e.events(e.go("0+1").events) ==
        Words{"p x 0", "p x 1", "def x 0", "fired 0", "c x 1", "def y 1", "fired 1", "state"});
}

// b's invariant is x + y <= 9; the edge into b defines x, the one out of it has a guard.
TEST_CASE("events: an invariant is used where one leaves or where one enters", "[replay][events]") {
  OneEdge e;
  e.m.set_invariant(e.p.b,
                    e.m.binary(kLessEqual, e.m.binary(kAdd, e.m.v(e.x), e.m.v(e.y)), e.m.c(9)));
  e.edge(e.p, {.guard = e.is(e.z, 0), .updates = {e.set(e.x, 1)}});
  const VariableId c = e.m.global("c", e.m.array_type(e.small, e.m.channel_type(false, true)));
  e.m.edge(e.p.of, e.p.b, e.p.a,
           {.guard = e.is(e.z, 0),
            .channel = e.m.index(e.m.v(c), e.m.v(e.z)),
            .direction = Direction::kSend});
  e.start();
  const auto told = [&](InvariantUses uses) {
    const replay::Interpreter interpreter(*e.network, uses);
    const replay::StepResult in = interpreter.step(e.at, {{{.edge = EdgeId(0)}}});
    Words words = e.events(in.events);
    for (const std::string& word :
         e.events(interpreter.step(in.state, {{{.edge = EdgeId(1)}}}).events))
      words.push_back(word);
    return words;
  };
  CHECK(told(InvariantUses::kNone) ==
        Words{"p z 0", "def x 0", "fired 0", "state", "p z 1", "p z 1", "fired 1", "state"});
  CHECK(told(InvariantUses::kLeave) == Words{"p z 0", "def x 0", "fired 0", "state", "p z 1",
                                             "p x 1", "p y 1", "p z 1", "fired 1", "state"});
  CHECK(told(InvariantUses::kEnter) == Words{"p z 0", "def x 0", "fired 0", "p y 0", "state",
                                             "p z 1", "p z 1", "fired 1", "state"});
}

}  // namespace
}  // namespace tw
