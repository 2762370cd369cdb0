// Events of the byte-code engine, case by case: what is watched, and nothing else, in the order of
// engine/model/events.hpp. Every expectation is put to the interpreter as well.

#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "engine/semantics/successors.hpp"
#include "tests/replay/run.hpp"
#include "tests/support/packed_state.hpp"

namespace tw {
namespace {

using test::Words;
using enum ExprKind;

struct Watched : test::Run {
  Two p = process("P");
  TypeId small = m.int_type(0, 9);
  VariableId x = m.global("x", small);
  VariableId y = m.global("y", small);
  VariableId z = m.global("z", small);
  VariableId a = m.global("a", m.array_type(m.int_type(0, 2), small));
  InvariantUses invariants = InvariantUses::kNone;

  /// The events of this step if these cells are watched; goes there. Without a final "fired".
  Words see(const std::string& name, const Words& cells) {
    std::vector<bool> watched;
    for (std::size_t i = 0; i < network->memory.meta; ++i)
      watched.push_back(std::ranges::find(cells, network->cell_name(CellId(i))) != cells.end());
    return run(name, watched);
  }

  Words see(const std::string& name) {
    return run(name, std::vector<bool>(network->memory.meta, true));
  }

  /// One edge with these labels, everything watched.
  Words only(EdgeLabels labels) {
    edge(p, std::move(labels));
    start();
    return see("0");
  }

  Words update(std::vector<ExprId> updates) { return only({.updates = std::move(updates)}); }

 private:
  Words run(const std::string& name, const std::vector<bool>& watched) {
    const System system(*network, {.watched = watched, .invariants = invariants});
    SuccessorGenerator generator(system);
    Successors successors;
    generator.expand(test::pack(system, at).data(), successors);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const Step step = generator.describe(successors, i);
      if (test::step_words(step) != name)
        continue;
      const replay::StepResult expected = replay::Interpreter(*network, invariants).step(at, step);
      REQUIRE(expected.possible);
      at = expected.state;
      const std::span<const std::uint64_t> state =
          successors.state(i).first(system.layout().words());
      CHECK(test::pack(system, at) == std::vector<std::uint64_t>(state.begin(), state.end()));
      std::vector<Event> seen;
      for (const std::uint64_t word : generator.events(successors.step(i).kind))
        seen.push_back(EventWord::decode(word));
      Words out = events(seen);
      if (std::ranges::find(watched, false) == watched.end()) {
        Words all = events(expected.events);
        CHECK(all.back() == "state");
        all.pop_back();
        CHECK(out == all);
      }
      return out;
    }
    FAIL("no step " << name);
    return {};
  }
};

// int tick(int& r) { r++; return r; }
FunctionId make_tick(Watched& w) {
  const VariableId r = w.m.function_parameter("r", w.small, true);
  const FunctionId tick = w.m.add_function({.name = "tick", .result = w.small, .parameters = {r}});
  w.m.set_body(
      tick, w.block({w.expression(w.m.increment(kPostIncrement, w.m.v(r))), w.returns(w.m.v(r))}),
      {});
  return tick;
}

ExprId call(Watched& w, FunctionId function, ExprId argument) {
  const std::array arguments = {argument};
  return w.m.call(function, arguments);
}

TEST_CASE("events of the engine: of cells only if they are watched", "[semantics][events]") {
  Watched w;
  w.edge(w.p, {.guard = w.is(w.x, 0), .updates = {w.set(w.y, 1)}});
  w.start();
  SECTION("nothing") { CHECK(w.see("0", {}) == Words{"fired 0"}); }
  SECTION("what this edge does not touch") { CHECK(w.see("0", {"z"}) == Words{"fired 0"}); }
  SECTION("a part") { CHECK(w.see("0", {"y"}) == Words{"def y 0", "fired 0"}); }
  SECTION("all") { CHECK(w.see("0") == Words{"p x 0", "def y 0", "fired 0"}); }
}

TEST_CASE("events of the engine: of an array only watched elements count", "[semantics][events]") {
  Watched w;
  const VariableId b = w.m.global("b", w.m.array_type(w.m.int_type(0, 2), w.small));
  w.edge(w.p, {.updates = {w.m.assign(w.m.index(w.m.v(w.a), w.m.v(w.x)), w.m.c(1)),
                           w.m.assign(w.m.v(b), w.m.v(w.a))}});
  w.start();
  SECTION("a dynamic index") { CHECK(w.see("0", {"a[0]"}) == Words{"def a[0] 0", "fired 0"}); }
  SECTION("another one, and a copy") {
    CHECK(w.see("0", {"a[1]", "b[2]"}) == Words{"c a[1] 0", "def b[2] 0", "fired 0"});
  }
}

TEST_CASE("events of the engine: a skimmed index outside its array names no cell",
          "[semantics][events]") {
  Watched w;
  const ExprId last = w.m.index(w.m.v(w.a), w.m.binary(kSubtract, w.m.v(w.x), w.m.c(1)));
  const ExprId guard = w.m.binary(kOr, w.is(w.x, 0), w.m.binary(kEqual, last, w.m.v(w.y)));
  CHECK(w.only({.guard = guard}) == Words{"p x 0", "p x 0", "p y 0", "fired 0"});
}

TEST_CASE("events of the engine: a decided imply is skimmed on either side of a jump",
          "[semantics][events]") {
  Watched w;
  const auto imply = [&](std::int32_t value) {
    return w.m.binary(kImply, w.is(w.x, value), w.is(w.y, 0));
  };
  const ExprId both = w.m.binary(kAnd, imply(1), w.m.unary(kNot, imply(1)));
  const ExprId guard = w.m.binary(kOr, both, w.is(w.z, 0));
  CHECK(w.only({.guard = guard}) == Words{"p x 0", "p y 0", "p x 0", "p y 0", "p z 0", "fired 0"});
}

TEST_CASE("events of the engine: a call in a skimmed part has no effect", "[semantics][events]") {
  Watched w;
  const FunctionId tick = make_tick(w);
  SECTION("but decides which element it names") {
    const ExprId other = w.m.index(w.m.v(w.a), call(w, tick, w.m.v(w.z)));
    CHECK(w.update({w.m.assign(w.m.v(w.y), w.m.conditional(w.is(w.x, 0), w.m.c(1), other))}) ==
          Words{"c x 0", "c a[1] 0", "def y 0", "fired 0"});
    CHECK(w.value("z") == 0);
  }
  SECTION("where it is executed it has") {
    const ExprId taken = w.m.index(w.m.v(w.a), call(w, tick, w.m.v(w.z)));
    CHECK(w.update({w.m.assign(w.m.v(w.y), w.m.conditional(w.is(w.x, 0), taken, w.m.c(1)))}) ==
          Words{"c x 0", "c z 0", "def z 0", "c a[1] 0", "def y 0", "fired 0"});
    CHECK(w.value("z") == 1);
  }
  SECTION("also where it fails half way") {
    const ExprId three = w.plus(call(w, tick, w.m.v(w.z)), 2);
    const ExprId other = w.m.index(w.m.v(w.a), three);
    CHECK(w.update({w.m.assign(w.m.v(w.y), w.m.conditional(w.is(w.x, 0), w.m.v(w.z), other))}) ==
          Words{"c x 0", "c z 0", "def y 0", "fired 0"});
    CHECK(w.value("z") == 0);
  }
}

TEST_CASE("events of the engine: all values of a decided quantifier are skimmed",
          "[semantics][events]") {
  Watched w;
  const VariableId i = w.frame("i", w.m.int_type(0, 2), Role::kIterator);
  const VariableId k = w.frame("k", w.m.int_type(0, 1), Role::kIterator);
  const ExprId inner =
      w.m.quantifier(kForall, k, w.m.binary(kLess, w.m.index(w.m.v(w.a), w.m.v(k)), w.m.v(w.y)));
  const ExprId zero = w.m.binary(kEqual, w.m.index(w.m.v(w.a), w.m.v(i)), w.m.c(0));
  CHECK(w.only({.guard = w.m.quantifier(kExists, i, w.m.binary(kOr, zero, inner))}) ==
        Words{"p a[0] 0", "p a[0] 0", "p y 0", "p a[1] 0", "p y 0",  //
              "p a[1] 0", "p a[0] 0", "p y 0", "p a[1] 0", "p y 0",  //
              "p a[2] 0", "p a[0] 0", "p y 0", "p a[1] 0", "p y 0", "fired 0"});
}

TEST_CASE("events of the engine: a use after an own definition is local", "[semantics][events]") {
  Watched w;
  CHECK(w.update({w.m.assign(w.m.v(w.x), w.m.v(w.x)), w.m.assign(w.m.v(w.y), w.m.v(w.x)),
                  w.m.increment(kPreIncrement, w.m.v(w.x))}) ==
        Words{"c x 0", "def x 0", "def y 0", "def x 0", "fired 0"});
}

TEST_CASE("events of the engine: an assignment used as a place happens once",
          "[semantics][events]") {
  Watched w;
  const ExprId next = w.m.index(w.m.v(w.a), w.m.increment(kPostIncrement, w.m.v(w.x)));
  const ExprId set = w.m.assign(next, w.m.c(4));
  CHECK(w.update({w.m.increment(kPreIncrement, set)}) ==
        Words{"c x 0", "def x 0", "def a[0] 0", "def a[0] 0", "fired 0"});
  CHECK(w.value("x") == 1);
  CHECK(w.value("a[0]") == 5);
}

TEST_CASE("events of the engine: a list may mention what it is assigned to",
          "[semantics][events]") {
  Watched w;
  const auto element = [&](std::int32_t i) { return w.m.index(w.m.v(w.a), w.m.c(i)); };
  const std::array turned = {element(1), element(2), element(0)};
  const TypeId type = w.m.network().variables[w.a].type;
  CHECK(w.update({w.m.assign(element(0), w.m.c(1)), w.m.assign(element(1), w.m.c(2)),
                  w.m.assign(w.m.v(w.a), w.m.list(type, turned))}) ==
        Words{"def a[0] 0", "def a[1] 0", "c a[2] 0", "def a[0] 0", "def a[1] 0", "def a[2] 0",
              "fired 0"});
  CHECK(w.value("a[0]") == 2);
  CHECK(w.value("a[2]") == 1);
}

TEST_CASE("events of the engine: hooks are two edges of their own", "[semantics][events]") {
  Watched w;
  w.m.set_update_hooks({w.set(w.x, 1), w.m.assign(w.m.v(w.y), w.m.v(w.x))},
                       {w.m.assign(w.m.v(w.z), w.m.v(w.x))});
  CHECK(w.update({w.m.assign(w.m.v(w.y), w.m.v(w.x))}) ==
        Words{"def x -", "def y -", "c x 0", "def y 0", "fired 0", "c x -", "def z -"});
}

TEST_CASE("events of the engine: a broadcast goes sender first, receivers in system order",
          "[semantics][events]") {
  Watched w;
  const VariableId c = w.channel("c", true);
  const auto q = w.process("Q");
  const auto r = w.process("R");
  const auto labels = [&](Direction direction) {
    return EdgeLabels{.guard = w.m.binary(kLess, w.m.v(w.x), w.m.c(9)),
                      .channel = w.m.v(c),
                      .direction = direction,
                      .updates = {w.m.increment(kPostIncrement, w.m.v(w.x))}};
  };
  w.edge(w.p, labels(Direction::kReceive));
  w.edge(q, labels(Direction::kReceive));
  w.edge(r, labels(Direction::kSend));
  w.start();
  CHECK(w.see("2+0+1") == Words{"p x 2", "p x 0", "p x 1", "c x 2", "def x 2", "fired 2", "c x 0",
                                "def x 0", "fired 0", "c x 1", "def x 1", "fired 1"});
}

TEST_CASE("events of the engine: selected values are those of the step", "[semantics][events]") {
  Watched w;
  const VariableId i = w.select(w.p.of, "i", w.m.int_type(0, 2));
  const ExprId cell = w.m.index(w.m.v(w.a), w.m.v(i));
  w.edge(w.p, {.selects = {i},
               .guard = w.m.binary(kEqual, cell, w.m.c(0)),
               .updates = {w.m.assign(cell, w.m.v(i))}});
  w.start();
  CHECK(w.see("0[1]") == Words{"p a[1] 0", "def a[1] 0", "fired 0"});
}

// a -> branchpoint -> b, with invariants at a and b.
TEST_CASE("events of the engine: a branchpoint has no invariant", "[semantics][events]") {
  Watched w;
  const LocationDeclId branch =
      w.m.add_location(w.p.of, {.name = "branch", .kind = LocationKind::kBranchpoint});
  w.m.set_invariant(w.p.a, w.is(w.y, 0));
  w.m.set_invariant(w.p.b, w.m.binary(kLess, w.m.v(w.x), w.m.v(w.z)));
  w.m.edge(w.p.of, w.p.a, branch, {.guard = w.is(w.x, 0), .updates = {w.set(w.x, 1)}});
  w.m.edge(w.p.of, branch, w.p.b, {.guard = w.is(w.x, 0), .updates = {w.set(w.z, 2)}});
  w.start();
  SECTION("none") {
    CHECK(w.see("0+1") == Words{"p x 0", "p x 1", "def x 0", "fired 0", "def z 1", "fired 1"});
  }
  SECTION("leave") {
    w.invariants = InvariantUses::kLeave;
    CHECK(w.see("0+1") ==
          Words{"p x 0", "p y 0", "p x 1", "def x 0", "fired 0", "def z 1", "fired 1"});
  }
  SECTION("enter") {
    w.invariants = InvariantUses::kEnter;
    CHECK(w.see("0+1") ==
          Words{"p x 0", "p x 1", "def x 0", "fired 0", "def z 1", "fired 1", "p x 1"});
  }
}

TEST_CASE("events of the engine: what an edge defined stays local when another defines it again",
          "[semantics][events]") {
  Watched w;
  const VariableId c = w.channel("c");
  const auto q = w.process("Q");
  w.m.set_invariant(w.p.b, w.m.binary(kLess, w.m.v(w.x), w.m.v(w.y)));
  w.m.set_invariant(q.b, w.m.binary(kLess, w.m.v(w.x), w.m.v(w.y)));
  w.edge(w.p, w.send(c, {w.set(w.x, 1), w.set(w.y, 4)}));
  w.edge(q, w.receive(c, {w.set(w.x, 2)}));
  w.start();
  w.invariants = InvariantUses::kEnter;
  CHECK(w.see("0+1") == Words{"def x 0", "def y 0", "fired 0", "def x 1", "fired 1", "p y 1"});
}

// The invariant of b is x + 6 / scratch > y; scratch is 1 when b is entered and 0 afterwards.
TEST_CASE("events of the engine: an invariant that no longer has a value is used up to the error",
          "[semantics][events]") {
  Watched w;
  const VariableId scratch =
      w.m.add_variable({.name = "scratch", .type = w.small, .storage = Storage::kMeta});
  const ExprId left = w.m.binary(kAdd, w.m.v(w.x), w.m.binary(kDivide, w.m.c(6), w.m.v(scratch)));
  w.m.set_invariant(w.p.b, w.m.binary(kGreater, left, w.m.v(w.y)));
  w.edge(w.p, {.updates = {w.set(scratch, 1)}});
  w.m.edge(w.p.of, w.p.b, w.p.a, {});
  w.start();
  w.invariants = InvariantUses::kLeave;
  CHECK(w.see("0") == Words{"def scratch 0", "fired 0"});
  CHECK(w.see("1") == Words{"p x 1", "p scratch 1", "fired 1"});
}

TEST_CASE("events of the engine: a step that does not exist leaves none", "[semantics][events]") {
  Watched w;
  w.m.set_invariant(w.p.b, w.is(w.x, 0));
  w.edge(w.p, {.updates = {w.set(w.x, 1)}});
  w.edge(w.p, {.updates = {w.set(w.y, 1)}});
  w.start();
  CHECK(w.see("1") == Words{"def y 1", "fired 1"});
}

TEST_CASE("further conditions hold, or do not, or cannot be evaluated", "[semantics][events]") {
  Watched w;
  w.edge(w.p, {.updates = {w.set(w.x, 2)}});
  w.start();
  ExpressionPool pool;
  const Network& network = *w.network;
  const TypeId integer = network.types.int_type();
  const auto constant = [&](std::uint32_t value) {
    return pool.add({.kind = kConstant, .type = integer, .payload = value});
  };
  const auto variable = [&](VariableId id) {
    return pool.add({.kind = kVariable,
                     .type = network.variables[id].type,
                     .payload = static_cast<std::uint32_t>(id.index())});
  };
  const auto binary = [&](ExprKind kind, ExprId left, ExprId right) {
    const std::array operands = {left, right};
    return pool.add({.kind = kind, .type = integer}, operands);
  };
  const ExprId is_two = binary(kEqual, variable(w.x), constant(2));
  const ExprId quotient = binary(kDivide, constant(4), variable(w.x));
  const System system(network,
                      {.pool = &pool,
                       .predicates = {{.expression = is_two},
                                      {.expression = binary(kEqual, quotient, constant(2))}}});
  SuccessorGenerator generator(system);
  using Seen = SuccessorGenerator::Seen;
  const auto see = [&](std::size_t number, const std::uint64_t* state) {
    std::vector<ClockConstraint> constraints;
    generator.look_at(state);
    return generator.see(number, constraints);
  };
  const std::vector<std::uint64_t> first = generator.initial().state;
  CHECK(see(0, first.data()) == Seen::kFalse);
  CHECK(see(1, first.data()) == Seen::kUndefined);
  Successors successors;
  generator.expand(first.data(), successors);
  REQUIRE(successors.size() == 1);
  CHECK(see(0, successors.state(0).data()) == Seen::kTrue);
  CHECK(see(1, successors.state(0).data()) == Seen::kTrue);
}

}  // namespace
}  // namespace tw
