#include "engine/replay/interpreter.hpp"

#include <catch2/catch.hpp>

#include "tests/replay/run.hpp"

namespace tw {
namespace {

using replay::StepResult;
using test::Run;
using test::Words;

TEST_CASE("replay: an internal edge fires where its guard holds", "[replay][step]") {
  Run r;
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  const auto p = r.process("P");
  r.edge(p, {.guard = r.is(x, 0), .updates = {r.set(x, 5)}});
  r.edge(p, {.guard = r.is(x, 1)});
  r.start();
  const replay::RunState first = r.at;
  CHECK(r.steps() == Words{"0"});
  const StepResult refused = r.try_step({"1"});
  CHECK_FALSE(refused.possible);
  CHECK(refused.why_not == "edge P.a -> b is not enabled");
  r.go("0");
  CHECK(r.place(0) == "b");
  CHECK(r.value("x") == 5);
  CHECK((first != r.at && first < r.at));
  CHECK(r.steps().empty());
  CHECK(r.try_step({"0"}).why_not == "edge P.a -> b does not leave P.b");
}

TEST_CASE("replay: a handshake needs a sender and a receiver in different processes",
          "[replay][step]") {
  Run r;
  const VariableId c = r.channel("c");
  const auto p = r.process("P");
  const auto q = r.process("Q");
  const auto s = r.process("S");
  r.edge(p, r.send(c));
  r.edge(p, r.receive(c));
  r.edge(q, r.receive(c));
  r.edge(s, r.receive(c));
  r.edge(s, r.receive(c));
  r.start();
  CHECK(r.steps() == Words{"0+2", "0+3", "0+4"});
  CHECK_FALSE(r.try_step({"0"}).possible);
  CHECK_FALSE(r.try_step({"0", "1"}).possible);
  CHECK_FALSE(r.try_step({"2", "0"}).possible);
  CHECK_FALSE(r.try_step({"0", "2", "3"}).possible);
  r.go("0+3");
  CHECK((r.place(0) == "b" && r.place(1) == "a" && r.place(2) == "b"));
  CHECK(r.steps().empty());
}

TEST_CASE("replay: elements of a channel array are different channels", "[replay][step]") {
  Run r;
  const VariableId c =
      r.m.global("c", r.m.array_type(r.m.int_type(1, 3), r.m.channel_type(false, false)));
  const VariableId x = r.m.global("x", r.m.int_type(0, 9), r.m.c(2));
  const auto p = r.process("P");
  const auto q = r.process("Q");
  const VariableId i = r.select(q.of, "i", r.m.int_type(1, 3));
  r.edge(p, {.channel = r.m.index(r.m.v(c), r.m.v(x)), .direction = Direction::kSend});
  r.edge(
      q,
      {.selects = {i}, .channel = r.m.index(r.m.v(c), r.m.v(i)), .direction = Direction::kReceive});
  r.start();
  CHECK(r.steps() == Words{"0+1[2]"});
}

TEST_CASE("replay: a broadcast takes everyone who can receive, and never waits",
          "[replay][step][broadcast]") {
  Run r;
  const VariableId c = r.channel("c", true);
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  const auto p = r.process("P");
  const auto q = r.process("Q");
  const auto s = r.process("S");
  r.edge(p, r.send(c));
  r.edge(p, r.receive(c));
  EdgeLabels guarded = r.receive(c);
  guarded.guard = r.is(x, 1);
  r.edge(q, guarded);
  guarded.guard = r.m.binary(ExprKind::kGreaterEqual, r.m.v(x), r.m.c(1));
  r.edge(q, guarded);
  r.edge(s, guarded);
  r.edge(s, guarded);
  r.start();

  SECTION("nobody listens") { CHECK(r.steps() == Words{"0"}); }
  SECTION("one listens") {
    r.at.cells[0] = 2;
    r.at.locations[2] = LocationId(5);
    CHECK(r.steps() == Words{"0+3"});
    CHECK_FALSE(r.try_step({"0"}).possible);
  }
  SECTION("two listen, with a choice each: first receiver slowest") {
    r.at.cells[0] = 1;
    CHECK(r.steps() == Words{"0+2+4", "0+2+5", "0+3+4", "0+3+5"});
    CHECK(r.try_step({"0", "2"}).why_not == "these edges do not fire together");
    CHECK_FALSE(r.try_step({"0", "4", "2"}).possible);
    r.go("0+3+5");
    CHECK((r.place(0) == "b" && r.place(1) == "b" && r.place(2) == "b"));
  }
}

TEST_CASE("replay: who is in a committed location goes first", "[replay][step]") {
  Run r;
  const VariableId c = r.channel("c");
  const auto p = r.process("P");
  const TemplateId q = r.m.add_template("Q");
  const LocationDeclId committed =
      r.m.add_location(q, {.name = "k", .kind = LocationKind::kCommitted});
  const LocationDeclId end = r.m.location(q, "e");
  r.m.set_initial(q, committed);
  r.m.list(q);
  r.edge(p);
  r.edge(p, r.send(c));
  r.m.edge(q, committed, end, r.receive(c));
  r.m.edge(q, committed, end);
  r.start();
  CHECK(r.steps() == Words{"1+2", "3"});
  CHECK(r.try_step({"0"}).why_not == "a process in a committed location must take part");
  r.go("3");
  CHECK(r.steps() == Words{"0"});
}

TEST_CASE("replay: an urgent location changes nothing without time", "[replay][step]") {
  Run r;
  const auto p = r.process("P");
  r.edge(p);
  const TemplateId q = r.m.add_template("Q");
  const LocationDeclId urgent = r.m.add_location(q, {.name = "u", .kind = LocationKind::kUrgent});
  r.m.set_initial(q, urgent);
  r.m.edge(q, urgent, urgent);
  r.m.list(q);
  r.start();
  CHECK(r.steps() == Words{"0", "1"});
}

TEST_CASE("replay: channel priorities count before process priorities",
          "[replay][step][priority]") {
  Run r;
  const VariableId low = r.channel("low", true);
  const VariableId high = r.channel("high", true);
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  const TemplateId p = r.m.add_template("P");
  const LocationDeclId a = r.m.location(p, "a");
  const TemplateId q = r.m.add_template("Q");
  const LocationDeclId b = r.m.location(q, "b");
  r.m.add_system_entry({.instance = r.m.add_implicit_instance(p), .priority = 0});
  r.m.add_system_entry({.instance = r.m.add_implicit_instance(q), .priority = 1});
  r.m.set_channel_priorities(
      {{.channels = {r.m.v(low)}}, {.has_default = true}, {.channels = {r.m.v(high)}}});
  EdgeLabels on_high = r.send(high);
  on_high.guard = r.is(x, 0);
  r.m.edge(p, a, a, on_high);
  EdgeLabels internal{.guard = r.m.binary(ExprKind::kLess, r.m.v(x), r.m.c(2))};
  r.m.edge(p, a, a, internal);
  r.m.edge(p, a, a, r.send(low));
  EdgeLabels mine{.guard = r.m.binary(ExprKind::kLess, r.m.v(x), r.m.c(1))};
  r.m.edge(q, b, b, mine);
  r.m.edge(q, b, b, r.send(low));
  r.start();
  CHECK(r.steps() == Words{"0"});  // the high channel beats the high process
  CHECK(r.try_step({"3"}).why_not == "edge P.a -> a has a higher priority");
  r.at.cells[0] = 1;
  CHECK(r.steps() == Words{"1"});  // default beats the low channel, also of the high process
  r.at.cells[0] = 2;
  CHECK(r.steps() == Words{"4"});  // equal channels: the higher process wins
}

TEST_CASE("replay: a synchronisation has the highest priority of its processes",
          "[replay][step][priority]") {
  Run r;
  const VariableId c = r.channel("c");
  std::vector<TemplateId> of;
  std::vector<LocationDeclId> at;
  const std::vector<std::uint32_t> priorities = {0, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    of.push_back(r.m.add_template(std::string(1, static_cast<char>('P' + i))));
    at.push_back(r.m.location(of[i], "a"));
    r.m.add_system_entry({.instance = r.m.add_implicit_instance(of[i]), .priority = priorities[i]});
  }
  r.m.edge(of[0], at[0], at[0], r.send(c));
  r.m.edge(of[1], at[1], at[1], r.receive(c));
  r.m.edge(of[2], at[2], at[2]);
  r.start();
  CHECK(r.steps() == Words{"0+1"});
}

TEST_CASE("replay: a step that its invariant forbids blocks nobody", "[replay][step][priority]") {
  Run r;
  const auto p = r.process("P");
  r.edge(p);
  const TemplateId q = r.m.add_template("Q");
  const LocationDeclId a = r.m.location(q, "a");
  const LocationDeclId never = r.m.location(q, "never");
  r.m.set_invariant(never, r.m.truth(false));
  r.m.edge(q, a, never);
  r.m.add_system_entry({.instance = r.m.add_implicit_instance(q), .priority = 1});
  r.start();
  CHECK(r.steps() == Words{"0"});
}

TEST_CASE("replay: select values ascend, the first select slowest", "[replay][step]") {
  Run r;
  const VariableId x = r.m.global("x", r.m.int_type(0, 99));
  const auto p = r.process("P");
  const VariableId i = r.select(p.of, "i", r.m.int_type(3, 4));
  const VariableId k = r.select(p.of, "k", r.m.int_type(-1, 1));
  r.edge(
      p,
      {.selects = {i, k},
       .guard = r.m.binary(ExprKind::kNotEqual, r.m.v(k), r.m.c(0)),
       .updates = {r.m.assign(
           r.m.v(x), r.m.binary(ExprKind::kAdd,
                                r.m.binary(ExprKind::kMultiply, r.m.v(i), r.m.c(10)), r.m.v(k)))}});
  r.start();
  CHECK(r.steps() == Words{"0[3,-1]", "0[3,1]", "0[4,-1]", "0[4,1]"});
  r.go("0[4,-1]");
  CHECK(r.value("x") == 39);
  const Step wrong{.edges = {{.edge = EdgeId(0), .selects = {5, 1}}}};
  r.at = r.interpreter().initial();
  CHECK(r.interpreter().step(r.at, wrong).why_not ==
        "the selected values do not fit edge P.a -> b");
}

TEST_CASE("replay: copies of a template select independently", "[replay][step][broadcast]") {
  Run r;
  const VariableId c = r.channel("c", true);
  const VariableId sum = r.m.global("sum", r.m.int_type(0, 99));
  const auto p = r.process("P");
  r.edge(p, r.send(c));
  const TemplateId q = r.m.add_template("Q");
  const VariableId id = r.m.parameter(q, "id", r.m.int_type(1, 2));
  const LocationDeclId a = r.m.location(q, "a");
  const VariableId i = r.select(q, "i", r.m.int_type(1, 2));
  EdgeLabels labels =
      r.receive(c, {r.m.compound_assign(ExprKind::kAdd, r.m.v(sum),
                                        r.m.binary(ExprKind::kMultiply, r.m.v(i), r.m.v(id)))});
  labels.selects = {i};
  r.m.edge(q, a, a, labels);
  r.m.list(q);
  r.start();
  CHECK(r.steps() == Words{"0+1[1]+2[1]", "0+1[1]+2[2]", "0+1[2]+2[1]", "0+1[2]+2[2]"});
  r.go("0+1[2]+2[1]");
  CHECK(r.value("sum") == 4);
}

TEST_CASE("replay: updates run hook, sender, receivers, hook; guards see none of them",
          "[replay][step]") {
  Run r;
  const VariableId c = r.channel("c", true);
  const VariableId x = r.m.global("x", r.m.int_type(0, 99999));
  const auto append = [&](std::int32_t digit) {
    return r.m.assign(r.m.v(x),
                      r.plus(r.m.binary(ExprKind::kMultiply, r.m.v(x), r.m.c(10)), digit));
  };
  r.m.set_update_hooks({append(1)}, {append(5)});
  const auto p = r.process("P");
  const auto q = r.process("Q");
  const auto s = r.process("S");
  EdgeLabels first = r.receive(c, {append(3)});
  first.guard = r.is(x, 0);
  r.edge(p, first);
  r.edge(q, r.send(c, {append(2)}));
  r.edge(s, r.receive(c, {append(4)}));
  r.start();
  r.go("1+0+2");
  CHECK(r.value("x") == 12345);
}

TEST_CASE("replay: a receiver reads what the sender wrote", "[replay][step]") {
  Run r;
  const VariableId c = r.channel("c");
  const VariableId passed = r.m.global("passed", r.m.int_type(0, 9));
  const VariableId kept = r.m.global("kept", r.m.int_type(0, 9));
  const auto p = r.process("P");
  const auto q = r.process("Q");
  r.edge(p, r.receive(c, {r.m.assign(r.m.v(kept), r.m.v(passed))}));
  r.edge(q, r.send(c, {r.set(passed, 7)}));
  r.start();
  r.go("1+0");
  CHECK(r.value("kept") == 7);
}

TEST_CASE("replay: meta variables start every step with their initial value", "[replay][step]") {
  Run r;
  const VariableId scratch = r.m.add_variable({.name = "scratch",
                                               .type = r.m.int_type(0, 9),
                                               .storage = Storage::kMeta,
                                               .initialiser = r.m.c(3)});
  const VariableId x = r.m.global("x", r.m.int_type(0, 99));
  const auto p = r.process("P");
  const ExprId count = r.m.increment(ExprKind::kPostIncrement, r.m.v(scratch));
  const ExprId copy = r.m.assign(r.m.v(x), r.m.v(scratch));
  r.m.edge(p.of, p.a, p.a, {.guard = r.is(scratch, 3), .updates = {count, copy}});
  r.start();
  r.go("0");
  CHECK(r.value("x") == 4);
  CHECK(r.value("scratch") == 3);
  const replay::RunState once = r.at;
  r.go("0");
  CHECK(r.at == once);
}

TEST_CASE("replay: a step into a violated invariant does not exist", "[replay][step]") {
  Run r;
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  const auto p = r.process("P");
  const auto q = r.process("Q");
  r.m.set_invariant(p.b, r.is(x, 1));
  r.m.set_invariant(q.a, r.m.binary(ExprKind::kLess, r.m.v(x), r.m.c(5)));
  r.edge(p);
  r.edge(p, {.updates = {r.set(x, 1)}});
  r.edge(p, {.updates = {r.set(x, 6)}});
  r.m.edge(p.of, p.a, p.a, {.updates = {r.set(x, 7)}});
  r.start();
  CHECK_FALSE(r.interpreter().initial_problem());
  CHECK(r.steps() == Words{"1"});  // edge 3 stays, but Q minds
  CHECK(r.try_step({"0"}).why_not == "the invariant of P.b does not hold afterwards");
  CHECK(r.try_step({"3"}).why_not == "the invariant of Q.a does not hold afterwards");
}

TEST_CASE("replay: the invariant of one receiver blocks the whole broadcast",
          "[replay][step][broadcast]") {
  Run r;
  const VariableId c = r.channel("c", true);
  const auto p = r.process("P");
  const auto q = r.process("Q");
  r.m.set_invariant(q.b, r.m.truth(false));
  r.edge(p, r.send(c));
  r.edge(q, r.receive(c));
  r.start();
  CHECK(r.steps().empty());
}

TEST_CASE("replay: an initial invariant that fails is reported", "[replay][step]") {
  Run r;
  const VariableId x = r.m.global("x", r.m.int_type(0, 9));
  const auto p = r.process("P");
  SECTION("it is false") {
    r.m.set_invariant(p.a, r.is(x, 1));
    r.start();
    CHECK(r.interpreter().initial_problem() == "the invariant of P.a does not hold");
  }
  SECTION("it cannot be evaluated") {
    r.m.set_invariant(p.a, r.m.binary(ExprKind::kDivide, r.m.c(1), r.m.v(x)));
    r.start();
    CHECK(r.interpreter().initial_problem() ==
          "the invariant of P.a cannot be evaluated: division by zero: 1 / 0 in '1 / x'");
  }
}

TEST_CASE("replay: a way through a branchpoint is one step", "[replay][step]") {
  Run r;
  const VariableId c = r.channel("c");
  const VariableId x = r.m.global("x", r.m.int_type(0, 99));
  const auto p = r.process("P");
  const LocationDeclId branch =
      r.m.add_location(p.of, {.name = "branch", .kind = LocationKind::kBranchpoint});
  const auto q = r.process("Q");
  const VariableId i = r.select(p.of, "i", r.m.int_type(1, 2));
  EdgeLabels into = r.send(c, {r.m.assign(r.m.v(x), r.m.v(i))});
  into.selects = {i};
  r.m.edge(p.of, p.a, branch, into);                   // 0
  r.m.edge(p.of, branch, p.a, {.guard = r.is(x, 1)});  // 1: never
  r.m.edge(p.of, branch, p.b, {.updates = {r.m.assign(r.m.v(x), r.plus(r.m.v(x), 10))}});  // 2
  r.m.edge(p.of, branch, p.a, {.guard = r.is(x, 0)});                                      // 3
  r.edge(q, r.receive(c, {r.m.assign(r.m.v(x), r.plus(r.m.v(x), 50))}));                   // 4
  r.start();
  CHECK(r.steps() == Words{"0[1]+2+4", "0[1]+3+4", "0[2]+2+4", "0[2]+3+4"});
  const Step half{.edges = {{.edge = EdgeId(0), .selects = {1}}}};
  CHECK(r.interpreter().step(r.at, half).why_not == "the step ends in a branchpoint");
  r.go("0[2]+2+4");
  CHECK(r.place(0) == "b");
  CHECK(r.value("x") == 62);
}

TEST_CASE("replay: behind a branchpoint one may synchronise as well", "[replay][step]") {
  Run r;
  const VariableId c = r.channel("c");
  const auto p = r.process("P");
  const LocationDeclId branch =
      r.m.add_location(p.of, {.name = "branch", .kind = LocationKind::kBranchpoint});
  const auto q = r.process("Q");
  r.m.edge(p.of, p.a, branch);
  r.m.edge(p.of, branch, p.b, r.send(c));
  r.edge(q, r.receive(c));
  r.start();
  CHECK(r.steps() == Words{"0+1+2"});
}

}  // namespace
}  // namespace tw
