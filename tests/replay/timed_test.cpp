// What time does and what it decides: guards, invariants, urgency, rates.

#include <catch2/catch.hpp>

#include "engine/replay/interpreter.hpp"
#include "tests/replay/timed_run.hpp"

namespace tw {
namespace {

using replay::RunState;
using replay::StepResult;
using test::TimedRun;
using test::Words;
using Times = std::map<std::string, Words>;

// One process that leaves its only edge's source when the guard allows.
TimedRun guarded(const std::string& declarations, const std::string& guard) {
  return TimedRun(declarations + "process P() { state a, b; init a; trans a -> b { guard " + guard +
                  "; }; }\nsystem P;");
}

// The waits after which the edge can fire.
Words open_at(const TimedRun& run, const Words& durations) {
  Words out;
  for (const auto& [duration, steps] : run.steps_after(durations))
    if (!steps.empty())
      out.push_back(duration);
  return out;
}

TEST_CASE("timed: clocks start at their initial values and run at the same speed",
          "[replay][timed]") {
  TimedRun r("clock x; clock y = 3; process P() { clock z; state a; init a; } system P;");
  CHECK((r.time("x") == "0" && r.time("y") == "3" && r.time("P.z") == "0"));
  r.wait("1/3");
  r.wait("1/3");
  CHECK((r.time("x") == "2/3" && r.time("y") == "11/3" && r.time("P.z") == "2/3"));
  r.wait("1/3");
  CHECK((r.time("x") == "1" && r.time("y") == "4" && r.time("P.z") == "1"));
  r.wait("0");
  CHECK(r.time("x") == "1");
  CHECK(r.stuck("-1/2") == "a delay cannot be negative");
}

TEST_CASE("timed: states differ if their clocks do", "[replay][timed]") {
  TimedRun r("clock x; process P() { state a; init a; } system P;");
  const RunState first = r.at;
  r.wait("1/2");
  CHECK((first != r.at && first < r.at));
  RunState half = first;
  half.clocks[0] = fraction(2, 4);
  CHECK((half == r.at && (half <=> r.at) == std::strong_ordering::equal));
}

TEST_CASE("timed: a guard compares a clock with a bound", "[replay][timed][guard]") {
  const Words waits = {"0", "199/100", "2", "201/100"};
  const auto open = [&](const std::string& guard) {
    return open_at(guarded("clock x; int i = 2;", guard), waits);
  };
  CHECK(open("x < 2") == Words{"0", "199/100"});
  CHECK(open("x <= 2") == Words{"0", "199/100", "2"});
  CHECK(open("x == i") == Words{"2"});
  CHECK(open("x >= i * 2 - i") == Words{"2", "201/100"});
  CHECK(open("x > 2") == Words{"201/100"});
  CHECK(open("2 > x") == open("x < 2"));
  CHECK(open("i <= x") == open("x >= 2"));
  CHECK(open("x + 1 < 3") == open("x < 2"));
  CHECK(open("i + x == 4") == Words{"2"});
  CHECK(open("x - 1 > i - 1") == open("x > 2"));
  CHECK(open("x > -1") == waits);
  CHECK(open("x < -1").empty());
  CHECK(open("x > 1 && x < 2") == Words{"199/100"});
}

TEST_CASE("timed: a guard compares two clocks", "[replay][timed][guard]") {
  // x - y is 1 all the time.
  const auto holds = [](const std::string& guard) {
    const Words open = open_at(guarded("clock x = 1, y;", guard), {"0", "7/2"});
    CHECK(open.size() != 1);
    return !open.empty();
  };
  CHECK(holds("x - y == 1"));
  CHECK(holds("x - y <= 1"));
  CHECK_FALSE(holds("x - y < 1"));
  CHECK(holds("y - x >= -1"));
  CHECK_FALSE(holds("y - x > -1"));
  CHECK(holds("1 >= x - y"));
  CHECK(holds("x > y"));
  CHECK_FALSE(holds("x <= y"));
  CHECK(holds("x == y + 1"));
  CHECK(holds("x - 1 >= y"));
  CHECK(holds("x - x == 0"));
}

TEST_CASE("timed: sums of clocks and numbers do not overflow", "[replay][timed][guard]") {
  CHECK(open_at(guarded("clock x;", "x + 2147483647 > 2147483647"), {"0", "1"}) == Words{"1"});
  CHECK(open_at(guarded("clock x;", "x - 2147483647 + 2147483647 < 1"), {"0", "1"}) == Words{"0"});
}

TEST_CASE("timed: conditions without clocks decide whether a clock is asked",
          "[replay][timed][guard]") {
  const Words waits = {"0", "4"};
  const auto open = [&](const std::string& guard) {
    return open_at(guarded("clock x; clock z[3] = {1, 2, 3}; bool p = true; int i;", guard), waits);
  };
  CHECK(open("p || x > 3") == waits);
  CHECK(open("!p || x > 3") == Words{"4"});
  CHECK(open("x > 3 || p") == waits);
  CHECK(open("p imply x > 3") == Words{"4"});
  CHECK(open("!p imply x > 3") == waits);
  CHECK(open("p && x > 3") == Words{"4"});
  CHECK(open("!p && 1 / i > 0 && x > 3").empty());
  CHECK(open("p || 1 / i > x") == waits);
  CHECK(open("forall (k : int[0,2]) z[k] > 1") == Words{"4"});
  CHECK(open("forall (k : int[0,2]) k > 0 imply z[k] > 1") == waits);
}

TEST_CASE("timed: elements, fields and conditional places are clocks", "[replay][timed][guard]") {
  const std::string data =
      "clock z[2] = {0, 5}; struct { int n; clock c; clock d[2]; } s = {7, 1, {2, 3}};"
      "int i = 1; bool p = true;";
  const auto holds = [&](const std::string& guard) {
    return !open_at(guarded(data, guard), {"1/2"}).empty();
  };
  CHECK(holds("z[i] > 5 && z[1 - i] < 1"));
  CHECK(holds("s.c > 1 && s.c < 2 && s.n == 7"));
  CHECK(holds("s.d[i] > 3 && s.d[0] < 3"));
  CHECK(holds("(p ? z[0] : z[1]) < 1"));
  CHECK(holds("(p ? s.d : z)[i] < 4"));
  CHECK_FALSE(holds("(!p ? s.d : z)[i] < 4"));
}

TEST_CASE("timed: an index outside a clock array is an error", "[replay][timed][error]") {
  TimedRun r = guarded("clock z[2]; int i = 2;", "z[i] < 1");
  CHECK(r.interpreter().steps(r.at).error == RunStatus::kIndexOutOfRange);
  CHECK(r.try_step({"0"}).error == RunStatus::kIndexOutOfRange);
}

TEST_CASE("timed: selects pick a clock", "[replay][timed][guard]") {
  TimedRun r(
      "clock z[3] = {0, 2, 4};"
      "process P() { state a; init a;"
      "  trans a -> a { select k : int[0,2]; guard z[k] >= 3; assign z[k] = k; }; } system P;");
  CHECK(r.steps() == Words{"0[2]"});
  r.wait("1");
  CHECK(r.steps() == Words{"0[1]", "0[2]"});
  r.go("0[1]");
  CHECK((r.time("z[0]") == "1" && r.time("z[1]") == "1" && r.time("z[2]") == "5"));
}

TEST_CASE("timed: processes have their own clocks, and references to others",
          "[replay][timed][guard]") {
  TimedRun r(
      "clock g = 1;"
      "process P(const int[1,2] id, clock& other) { clock own; state a, b; init a;"
      "  trans a -> b { guard other >= 3 && own >= id; assign own = 0, other = id; }; }"
      "Q(const int[1,2] id) = P(id, g); system Q;");
  r.wait("1");
  CHECK(r.steps().empty());
  r.wait("1");
  CHECK(r.steps() == Words{"0", "1"});
  r.go("0");
  CHECK((r.time("g") == "1" && r.time("Q(1).own") == "0" && r.time("Q(2).own") == "2"));
  CHECK(r.steps().empty());
}

// --- Assignments

TEST_CASE("timed: a clock is set to a number, another clock, or a sum", "[replay][timed][update]") {
  TimedRun r(
      "clock x, y, z; int i = 4;"
      "process P() { state a, b, c, d; init a;"
      "  trans a -> b { assign x = 5, y = i - 1; },"
      "        b -> c { assign y = x, z = y + i; },"
      "        c -> d { assign z = z - 2, x = 1 + y; }; } system P;");
  r.wait("1/2");
  r.go("0");
  CHECK((r.time("x") == "5" && r.time("y") == "3" && r.time("z") == "1/2"));
  r.wait("1/4");
  r.go("1");
  CHECK((r.time("x") == "21/4" && r.time("y") == "21/4" && r.time("z") == "37/4"));
  r.go("2");
  CHECK((r.time("x") == "25/4" && r.time("z") == "29/4"));
}

TEST_CASE("timed: a clock cannot become negative", "[replay][timed][update][error]") {
  const auto result_of = [](const std::string& update) {
    TimedRun r(
        "clock x = 1, y; int i = -1; void f(clock& c) { c = i; }"
        "process P() { state a, b; init a; trans a -> b { assign " +
        update + "; }; } system P;");
    const StepResult result = r.try_step({"0"});
    if (!result.possible) {
      CHECK(r.interpreter().steps(r.at).error == result.error);
      CHECK(r.network->pool[result.error_at].kind == ExprKind::kAssign);
    }
    return result.error;
  };
  CHECK(result_of("y = i") == RunStatus::kValueOutOfRange);
  CHECK(result_of("y = x - 2") == RunStatus::kValueOutOfRange);
  CHECK(result_of("y = x - 1") == RunStatus::kOk);
  CHECK(result_of("f(x)") == RunStatus::kValueOutOfRange);
}

TEST_CASE("timed: the clock an update sets is the one its place names", "[replay][timed][update]") {
  TimedRun r(
      "clock z[2], x; struct { clock c; int n; clock d; } s; int i = 1; bool p = false;"
      "process P() { state a, b; init a; trans a -> b {"
      "  assign z[i] = 4, s.d = 5, (p ? x : z[0]) = 6, (x = 1) = 7, p ? (x = 8) : (s.c = 9); }; }"
      "system P;");
  r.go("0");
  CHECK((r.time("z[0]") == "6" && r.time("z[1]") == "4" && r.time("x") == "7"));
  CHECK((r.time("s.c") == "9" && r.time("s.d") == "5"));
}

TEST_CASE("timed: functions set clocks, also through references", "[replay][timed][update]") {
  TimedRun r(
      "clock x, y = 2, z[2] = {3, 4}; int n;"
      "struct { int k; clock c; } s[2];"
      "void reset() { x = 0; }"
      "int put(clock& c, int v) { c = v; return v + 1; }"
      "void all(clock& w[2], clock& from) { for (i : int[0,1]) w[i] = from + i; }"
      "void outer(clock& c) { n = put(c, 20) * 2; }"
      "process P() { void deep(int &k, clock& c) { k = 3; outer(c); }"
      "  state a, b, c, d, e; init a;"
      "  trans a -> b { assign reset(), n = 1 + put(y, 7); },"
      "        b -> c { assign all(z, y); },"
      "        c -> d { assign deep(s[1].k, s[1].c); },"
      "        d -> e { assign all(z, z[1]); }; } system P;");
  r.wait("1");
  r.go("0");
  CHECK((r.time("x") == "0" && r.time("y") == "7" && r.value("n") == 9));
  r.go("1");
  CHECK((r.time("z[0]") == "7" && r.time("z[1]") == "8"));
  r.go("2");
  CHECK((r.value("s[1].k") == 3 && r.time("s[1].c") == "20" && r.time("s[0].c") == "1"));
  CHECK(r.value("n") == 42);
  r.go("3");  // the reference is to z[1], which changes on the way
  CHECK((r.time("z[0]") == "8" && r.time("z[1]") == "9"));
}

TEST_CASE("timed: a reference to a struct finds its numbers and its clocks",
          "[replay][timed][update]") {
  TimedRun r(
      "typedef struct { int n; clock c; clock d[2]; int m; } S; int pad[3]; clock q[3]; S s, t[2];"
      "void set(S& r, int v) { r.n = v; r.c = v + 1; r.d[1] = v + 2; r.m = v + 3; }"
      "process P() { state a, b; init a; trans a -> b { assign set(t[1], 10), set(s, 20); }; }"
      "system P;");
  r.go("0");
  CHECK((r.value("t[1].n") == 10 && r.time("t[1].c") == "11" && r.time("t[1].d[1]") == "12"));
  CHECK((r.value("t[1].m") == 13 && r.time("t[1].d[0]") == "0" && r.time("t[0].c") == "0"));
  CHECK((r.value("s.n") == 20 && r.time("s.c") == "21" && r.time("s.d[1]") == "22"));
}

TEST_CASE("timed: arrays and structs with clocks are copied whole", "[replay][timed][update]") {
  TimedRun r(
      "typedef struct { int n; clock c; clock d[2]; } S; clock v[2] = {1, 2}, w[2] = {3, 4};"
      "S s = {5, 6, {7, 8}}, t = {9, 10, {11, 12}}; bool p = true;"
      "process P() { state a, b, c; init a;"
      "  trans a -> b { assign v = w, s = t; },"
      "        b -> c { assign s = p ? s : t, t.d = v; }; } system P;");
  r.wait("1/2");
  r.go("0");
  CHECK((r.time("v[0]") == "7/2" && r.time("v[1]") == "9/2"));
  CHECK((r.value("s.n") == 9 && r.time("s.c") == "21/2" && r.time("s.d[1]") == "25/2"));
  r.go("1");
  CHECK((r.time("t.d[0]") == "7/2" && r.time("t.c") == "21/2"));
}

TEST_CASE("timed: a receiver sees the clocks the sender has set; guards do not",
          "[replay][timed][update]") {
  TimedRun r(
      "clock x = 2, y; chan c;"
      "process P() { state a, b; init a; trans a -> b { sync c!; assign x = 9; }; }"
      "process Q() { state a, b; init a; trans a -> b { guard x == 2; sync c?; assign y = x; }; }"
      "system P, Q;");
  r.go("0+1");
  CHECK(r.time("y") == "9");
}

// --- Invariants

TEST_CASE("timed: time passes as far as invariants allow", "[replay][timed][invariant]") {
  SECTION("up to and including the bound") {
    TimedRun r("clock x; process P() { state a { x <= 3 }; init a; } system P;");
    CHECK(r.stuck("3").empty());
    CHECK(r.stuck("301/100") == "the invariant of P.a does not hold after this delay");
    r.wait("2");
    CHECK(r.stuck("2") == "the invariant of P.a does not hold after this delay");
    r.wait("1");
    CHECK(r.stuck("1/1000") == "the invariant of P.a does not hold after this delay");
    CHECK(r.stuck("0").empty());
  }
  SECTION("not up to a strict bound") {
    TimedRun r("clock x; process P() { state a { x < 3 }; init a; } system P;");
    CHECK(r.stuck("299/100").empty());
    CHECK_FALSE(r.stuck("3").empty());
  }
  SECTION("of all processes") {
    TimedRun r(
        "process P(int[1,2] id) { clock x; state a { x <= 3 * id && x >= 0 }; init a; }"
        "system P;");
    CHECK(r.stuck("3").empty());
    CHECK(r.stuck("4") == "the invariant of P(1).a does not hold after this delay");
  }
  SECTION("which may bound differences and stand behind conditions") {
    TimedRun r(
        "clock x, y; bool p; process P() { state a { x - y <= 0 && (p || x <= 2) }; init a; }"
        "system P;");
    CHECK(r.stuck("2").empty());
    CHECK_FALSE(r.stuck("3").empty());
    r.at.cells[0] = 1;
    CHECK(r.stuck("100").empty());
  }
}

TEST_CASE("timed: a lower bound decides when a location can be entered",
          "[replay][timed][invariant]") {
  TimedRun r(
      "clock x; process P() { state a, b { x >= 2 }, c { x > 2 }; init a;"
      "  trans a -> b { }, a -> c { }, b -> c { assign x = 3; }; } system P;");
  CHECK(r.steps().empty());
  CHECK(r.try_step({"0"}).why_not == "the invariant of P.b does not hold afterwards");
  r.wait("2");
  CHECK(r.steps() == Words{"0"});
  r.go("0");
  CHECK(r.stuck("1000").empty());
  r.wait("1");
  CHECK(r.steps() == Words{"2"});
}

TEST_CASE("timed: invariants are asked after the updates", "[replay][timed][invariant]") {
  TimedRun r(
      "clock x; int i = 9;"
      "process P() { state a, b { x <= i }; init a;"
      "  trans a -> b { }, a -> b { assign x = 3, i = 3; }, a -> b { assign x = 4, i = 3; },"
      "        a -> a { assign i = 0; }; }"
      "process Q() { state a { x <= i + 10 }; init a; } system P, Q;");
  r.wait("10");
  CHECK(r.steps() == Words{"1", "3"});
  CHECK(r.try_step({"0"}).why_not == "the invariant of P.b does not hold afterwards");
  CHECK(r.try_step({"2"}).why_not == "the invariant of P.b does not hold afterwards");
  r.wait("1");
  CHECK(r.try_step({"3"}).why_not == "the invariant of Q.a does not hold afterwards");
}

TEST_CASE("timed: the invariant of one receiver blocks the whole broadcast while it is false",
          "[replay][timed][broadcast]") {
  TimedRun r(
      "clock x; broadcast chan c;"
      "process P() { state a; init a; trans a -> a { sync c!; }; }"
      "process Q() { state a, b { x >= 1 }; init a; trans a -> b { sync c?; }; } system P, Q;");
  CHECK(r.steps().empty());
  r.wait("1");
  CHECK(r.steps() == Words{"0+1"});
}

TEST_CASE("timed: an initial invariant about clocks can fail", "[replay][timed][invariant]") {
  TimedRun r("clock x = 5; process P() { state a { x < 5 }; init a; } system P;");
  CHECK(r.interpreter().initial_problem() == "the invariant of P.a does not hold");
}

TEST_CASE("timed: at a time-lock neither time passes nor a step exists", "[replay][timed]") {
  TimedRun r(
      "clock x; process P() { state a { x <= 1 }, b; init a; trans a -> b { guard x > 1; }; }"
      "system P;");
  r.wait("1");
  CHECK(r.steps().empty());
  CHECK_FALSE(r.stuck("1/1000000").empty());
}

TEST_CASE("timed: an invariant that cannot be evaluated is an error", "[replay][timed][error]") {
  TimedRun r(
      "clock x; int i; meta int m = 0; process P() { state a, b { m == 5 || 1 / i > x };"
      "init a; trans a -> b { assign m = 5; }; } system P;");
  r.go("0");
  const StepResult result = r.try_wait("1");
  CHECK_FALSE(result.possible);
  CHECK(result.error == RunStatus::kDivisionByZero);
  CHECK(result.error_at.valid());
  CHECK(r.try_wait("0").possible);
}

TEST_CASE("timed: where only a meta variable made an invariant true no time passes",
          "[replay][timed][invariant]") {
  TimedRun r(
      "clock x; meta int m = 0; process P() { state a, b { m == 5 || x < 0 };"
      "init a; trans a -> b { assign m = 5; }; } system P;");
  r.go("0");
  CHECK(r.stuck("1") == "the invariant of P.b does not hold before this delay");
}

// --- Urgency

TEST_CASE("timed: time stands still in urgent and committed locations", "[replay][timed][urgent]") {
  TimedRun r(
      "clock x; process P(int[0,1] id) { state a, u, k; commit k; urgent u; init a;"
      "  trans a -> u { }, u -> k { }, k -> a { }; } system P;");
  CHECK(r.stuck("1").empty());
  r.go("0");
  CHECK(r.stuck("1") == "time cannot pass: P(0) is in the urgent location u");
  CHECK(r.stuck("0").empty());
  CHECK(r.steps() == Words{"1", "3"});
  r.go("1");
  CHECK(r.stuck("1/9") == "time cannot pass: P(0) is in the committed location k");
  r.go("2");
  r.wait("1");
}

TEST_CASE("timed: time stands still while an urgent channel can synchronise",
          "[replay][timed][urgent]") {
  SECTION("which takes two different processes") {
    TimedRun r(
        "clock x; int i; urgent chan c;"
        "process P() { state a; init a; trans a -> a { sync c!; }, a -> a { sync c?; },"
        "  a -> a { guard i < 2; assign i++; }; }"
        "process Q() { state a; init a; trans a -> a { guard i == 1; sync c?; }; } system P, Q;");
    CHECK(r.stuck("1").empty());
    r.go("2");
    CHECK(r.stuck("1") == "time cannot pass: the urgent channel c can synchronise");
    CHECK(r.steps() == Words{"0+3", "2"});  // urgent is not first
    r.go("2");
    CHECK(r.stuck("1").empty());
  }
  SECTION("on the same element of an array") {
    TimedRun r(
        "clock x; int i; urgent chan c[2];"
        "process P() { state a; init a; trans a -> a { sync c[i]!; }, a -> a { assign i = 1; }; }"
        "process Q() { state a; init a; trans a -> a { sync c[1]?; }; } system P, Q;");
    CHECK(r.stuck("1").empty());
    r.go("1");
    CHECK(r.stuck("1") == "time cannot pass: the urgent channel c[1] can synchronise");
  }
  SECTION("whatever invariants and priorities say") {
    TimedRun r(
        "clock x; urgent chan c; chan priority c < default;"
        "process P() { state a, b { x < 0 }; init a; trans a -> b { sync c!; }; }"
        "process Q() { state a; init a; trans a -> a { sync c?; }, a -> a { }; } system P, Q;");
    CHECK(r.steps() == Words{"2"});
    CHECK(r.stuck("1") == "time cannot pass: the urgent channel c can synchronise");
  }
}

TEST_CASE("timed: an urgent broadcast stops time as soon as someone could send",
          "[replay][timed][urgent][broadcast]") {
  TimedRun r(
      "clock x; bool p; urgent broadcast chan c;"
      "process P() { state a; init a; trans a -> a { guard p; sync c!; },"
      "  a -> a { assign p = !p; }; }"
      "process Q() { state a; init a; trans a -> a { sync c?; }; } system P, Q;");
  CHECK(r.stuck("1").empty());
  r.go("1");
  CHECK(r.stuck("1") == "time cannot pass: the urgent channel c can synchronise");
  r.go("1");
  CHECK(r.stuck("1").empty());
}

TEST_CASE("timed: an urgent way through a branchpoint stops time as well",
          "[replay][timed][urgent]") {
  test::Run r;
  const VariableId x = r.m.global("x", r.m.clock_type());
  const VariableId c = r.m.global("c", r.m.channel_type(true, true));
  const auto p = r.process("P");
  const LocationDeclId branch =
      r.m.add_location(p.of, {.name = "branch", .kind = LocationKind::kBranchpoint});
  r.m.edge(p.of, p.a, branch);
  r.m.edge(p.of, branch, p.b, r.send(c, {r.set(x, 0)}));
  r.start();
  CHECK(r.interpreter().delay(r.at, 1).why_not ==
        "time cannot pass: the urgent channel c can synchronise");
  r.go("0+1");
  CHECK(r.interpreter().delay(r.at, 1).possible);
}

TEST_CASE("timed: an error that hides an urgent synchronisation concerns a delay",
          "[replay][timed][urgent][error]") {
  const std::string model =
      "clock x; int i; urgent broadcast chan c; chan d;"
      "process P() { state a; init a; trans a -> a { guard 1 / i > 0; sync c!; }; } system P;";
  TimedRun strict(model);
  CHECK(strict.try_wait("1").error == RunStatus::kDivisionByZero);
  CHECK(strict.try_wait("0").possible);
  TimedRun skipping(model, OnError::kSkip);
  CHECK(skipping.try_wait("1").possible);
  TimedRun other(
      "clock x; int i; process P() { state a; init a; trans a -> a { guard 1 / i > 0; }; }"
      "system P;");
  CHECK(other.try_wait("1").possible);
}

// --- Synchronisation and priorities

TEST_CASE("timed: a handshake needs both clock guards now", "[replay][timed]") {
  TimedRun r(
      "chan c; process P() { clock x; state a; init a; trans a -> a { guard x >= 1; sync c!;"
      "  assign x = 0; }; }"
      "process Q() { clock y; state a; init a; trans a -> a { guard y <= 2; sync c?; }; }"
      "system P, Q;");
  CHECK(r.steps_after({"1/2", "1", "2", "5/2"}) ==
        Times{{"1/2", {}}, {"1", {"0+1"}}, {"2", {"0+1"}}, {"5/2", {}}});
}

TEST_CASE("timed: of a broadcast's receivers exactly those take part whose clock guards hold now",
          "[replay][timed][broadcast]") {
  TimedRun r(
      "broadcast chan c; clock x;"
      "process P() { state a; init a; trans a -> a { sync c!; }; }"
      "process Q() { state a; init a; trans a -> a { guard x >= 1 && x < 3; sync c?; },"
      "  a -> a { guard x > 2; sync c?; }; }"
      "process R() { state a; init a; trans a -> a { guard x <= 2; sync c?; }; }"
      "system P, Q, R;");
  CHECK(r.steps_after({"0", "1", "2", "5/2", "3"}) == Times{{"0", {"0+3"}},
                                                            {"1", {"0+1+3"}},
                                                            {"2", {"0+1+3"}},
                                                            {"5/2", {"0+1", "0+2"}},
                                                            {"3", {"0+2"}}});
  CHECK_FALSE(r.try_step({"0"}).possible);
}

TEST_CASE("timed: a higher priority blocks only while its guard and invariant hold",
          "[replay][timed][priority]") {
  TimedRun r(
      "clock x; process P() { state a; init a; trans a -> a { }; }"
      "process Q() { state a, b { x <= 2 }; init a; trans a -> b { guard x >= 1; }; }"
      "system P < Q;");
  CHECK(r.steps_after({"0", "1", "2", "5/2"}) ==
        Times{{"0", {"0"}}, {"1", {"1"}}, {"2", {"1"}}, {"5/2", {"0"}}});
  r.wait("3/2");
  CHECK(r.try_step({"0"}).why_not == "edge Q.a -> b has a higher priority");
  CHECK(r.stuck("5").empty());  // nothing has priority over waiting
}

TEST_CASE("timed: guards behind a branchpoint ask clocks before any update", "[replay][timed]") {
  test::Run r;
  const VariableId x = r.m.global("x", r.m.clock_type());
  const auto p = r.process("P");
  const LocationDeclId branch =
      r.m.add_location(p.of, {.name = "branch", .kind = LocationKind::kBranchpoint});
  const auto at_least = [&](std::int32_t bound) {
    return r.m.binary(ExprKind::kGreaterEqual, r.m.v(x), r.m.c(bound));
  };
  r.m.edge(p.of, p.a, branch, {.guard = at_least(1), .updates = {r.set(x, 0)}});
  r.m.edge(p.of, branch, p.b, {.guard = at_least(2)});
  r.m.edge(p.of, branch, p.a);
  r.start();
  CHECK(r.steps().empty());
  r.at = r.interpreter().delay(r.at, 1).state;
  CHECK(r.steps() == Words{"0+2"});
  r.at = r.interpreter().delay(r.at, 1).state;
  CHECK(r.steps() == Words{"0+1", "0+2"});
}

// --- Rates

TEST_CASE("timed: a stopped clock keeps its value", "[replay][timed][rate]") {
  TimedRun r(
      "clock x, y; process P() { state a { x' == 0 && y <= 3 }, b { 1 == x' }; init a;"
      "  trans a -> b { }, b -> a { }; } system P;");
  r.wait("2");
  CHECK((r.time("x") == "0" && r.time("y") == "2"));
  CHECK(r.stuck("2") == "the invariant of P.a does not hold after this delay");
  r.go("0");
  r.wait("3/2");
  CHECK((r.time("x") == "3/2" && r.time("y") == "7/2"));
}

TEST_CASE("timed: a bound on a stopped clock does not limit time", "[replay][timed][rate]") {
  TimedRun r("clock x = 3; process P() { state a { x <= 3 && x' == 0 }; init a; } system P;");
  r.wait("100");
  CHECK(r.time("x") == "3");
}

TEST_CASE("timed: data decide about rates", "[replay][timed][rate]") {
  TimedRun r(
      "clock x, z[2]; bool run; int i = 1;"
      "process P() { state a { x' == run && z[i]' == 0 }; init a;"
      "  trans a -> a { assign run = !run; }, a -> a { assign i = 0; }; } system P;");
  r.wait("1");
  CHECK((r.time("x") == "0" && r.time("z[0]") == "1" && r.time("z[1]") == "0"));
  r.go("0");
  r.wait("1");
  r.go("1");
  r.wait("1");
  CHECK((r.time("x") == "2" && r.time("z[0]") == "2" && r.time("z[1]") == "1"));
}

TEST_CASE("timed: one process is enough to stop a clock", "[replay][timed][rate]") {
  TimedRun r(
      "clock x; process P() { state a { x' == 1 }; init a; }"
      "process Q() { state a { x' == 0 }, b; init a; trans a -> b { }; } system P, Q;");
  r.wait("1");
  CHECK(r.time("x") == "0");
  r.go("0");
  r.wait("1");
  CHECK(r.time("x") == "1");
}

TEST_CASE("timed: a rate counts where nothing else makes its condition true",
          "[replay][timed][rate]") {
  const auto moved = [](const std::string& invariant) {
    TimedRun r("clock x, z[2]; bool p = true, q = false; process P() { state a { " + invariant +
               " }; init a; } system P;");
    r.wait("1");
    return r.time("x") == "1";
  };
  CHECK(moved("p || x' == 0"));
  CHECK(moved("x' == 0 || p"));
  CHECK_FALSE(moved("q || x' == 0"));
  CHECK_FALSE(moved("x' == 0 || q"));
  CHECK_FALSE(moved("p imply x' == 0"));
  CHECK(moved("q imply x' == 0"));
  CHECK_FALSE(moved("p && (q || x <= 5 && x' == 0)"));
  CHECK(moved("forall (k : int[0,1]) z[k]' == 0"));
}

TEST_CASE("timed: forall stops every clock it names", "[replay][timed][rate]") {
  TimedRun r(
      "clock z[3]; process P() { state a { forall (k : int[0,2]) k > 0 imply z[k]' == 0 }; init a; "
      "}"
      "system P;");
  r.wait("1");
  CHECK((r.time("z[0]") == "1" && r.time("z[1]") == "0" && r.time("z[2]") == "0"));
}

TEST_CASE("timed: other rates than 0 and 1 are errors", "[replay][timed][rate][error]") {
  TimedRun r(
      "clock x; int i = 1; process P() { state a { x' == i }; init a;"
      "  trans a -> a { assign i = 2; }; } system P;");
  CHECK(r.stuck("1").empty());
  const StepResult result = r.try_step({"0"});
  CHECK(result.error == RunStatus::kValueOutOfRange);
  r.at.cells[0] = 2;
  CHECK(r.try_wait("1").error == RunStatus::kValueOutOfRange);
}

}  // namespace
}  // namespace tw
