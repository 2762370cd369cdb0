#include <catch2/catch.hpp>

#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

using test::Declared;
using test::Lengths;
using test::sorted;
using test::Words;

constexpr CriterionOptions kPerInstance = {.level = Level::kInstance};
constexpr CriterionOptions kAtomic = {.def_use = DefUseReading::kAtomic};

// Two templates that share `el`; x is Train's own.
constexpr const char* kTrains = R"(
  int[0,1] el;
  chan appr;
  process Train(const int[0,1] id) {
    int[0,3] x = 2;
    state Safe, Appr, Cross;
    init Safe;
    trans Safe -> Appr { sync appr!; assign el = id, x = 0; },
          Appr -> Cross { guard x < 3; assign x = x + 1; },
          Cross -> Safe { };
  }
  process Gate() {
    state Free, Occ;
    init Free;
    trans Free -> Occ { guard el == 0; sync appr?; }, Occ -> Free { };
  }
  system Train, Gate;
)";

TEST_CASE("def-use: items of globals name the owners of edges, items of locals do not",
          "[criteria][def-use]") {
  const Declared d(kTrains, "def-use");
  CHECK(d.ids() == Words{"el:init:Gate.Free.Occ", "el:Train.Safe.Appr:Gate.Free.Occ",
                         "Train.x:Safe.Appr:Appr.Cross"});
  CHECK(d.rules.items()[ItemId(2)].id == "def-use:Train.x:Safe.Appr:Appr.Cross");
  CHECK(d.labels() == Words{"el: initial value, used by Gate Free -> Occ",
                            "el: set by Train Safe -> Appr, used by Gate Free -> Occ",
                            "Train.x: set by Train Safe -> Appr, used by Train Appr -> Cross"});
  CHECK(d.watched() == Words{"el", "Train(0).x", "Train(1).x"});
}

TEST_CASE("def-use: at instance level processes have items of their own", "[criteria][def-use]") {
  Declared d(kTrains, "def-use", kPerInstance);
  CHECK(d.ids() == Words{"el:init:Gate.Free.Occ", "el:Train(0).Safe.Appr:Gate.Free.Occ",
                         "el:Train(1).Safe.Appr:Gate.Free.Occ", "Train(0).x:Safe.Appr:Appr.Cross",
                         "Train(1).x:Safe.Appr:Appr.Cross"});
  // el == 1 closes the gate, so what Train(1) sets is never used.
  CHECK(d.coverable() == Lengths{{"el:init:Gate.Free.Occ", 1},
                                 {"el:Train(0).Safe.Appr:Gate.Free.Occ", 3},
                                 {"Train(0).x:Safe.Appr:Appr.Cross", 2},
                                 {"Train(1).x:Safe.Appr:Appr.Cross", 2}});
}

TEST_CASE("def-use: tokens belong to one process at both levels", "[criteria][def-use]") {
  const Declared d(kTrains, "def-use");
  // live(el, init | two trains), live(x, appr) of two trains.
  CHECK(d.rules.tokens().size() == 5);
  const Token& last = d.rules.tokens()[TokenId(4)];
  CHECK(last.leads_to == std::vector{ItemId(2)});
  CHECK(d.network.cell_name(CellId(last.arguments[0])) == "Train(1).x");
}

std::string one_process(const std::string& variables, const std::string& edges) {
  return variables + " process P() { state A, B, C; init A; trans " + edges + "; } system P;";
}

TEST_CASE("def-use: a definition is not live behind one that always follows",
          "[criteria][def-use][liveness]") {
  Declared d(one_process("int x;",
                         "A -> B { assign x = 1; }, B -> C { assign x = 2; }, "
                         "C -> A { guard x == 2; }"),
             "def-use");
  CHECK(d.ids() == Words{"x:P.B.C:P.C.A"});
  CHECK(d.coverable() == Lengths{{"x:P.B.C:P.C.A", 3}});
}

TEST_CASE("def-use: a definition that may not happen ends nothing",
          "[criteria][def-use][liveness]") {
  SECTION("in a conditional") {
    Declared d(one_process("int x; int[0,1] y;",
                           "A -> B { assign x = 1; }, "
                           "B -> C { assign y == 1 ? (x = 2) : (y = 1); }, "
                           "C -> A { guard x > 0; }"),
               "def-use", {.variables = {"x"}});
    CHECK(d.ids() == Words{"x:P.A.B:P.C.A", "x:P.B.C:P.C.A"});
    CHECK(d.coverable() == Lengths{{"x:P.A.B:P.C.A", 3}, {"x:P.B.C:P.C.A", 6}});
  }
  SECTION("in one of two places") {
    Declared d(one_process("int[0,1] a[1], b[1]; bool c;",
                           "A -> B { }, B -> C { assign (c ? a : b)[0] = 1; }, "
                           "C -> A { guard a[0] == 0; assign c = true; }"),
               "def-use", {.variables = {"a"}});
    CHECK(d.ids() == Words{"a[0]:init:P.C.A", "a[0]:P.B.C:P.C.A"});
    CHECK(d.coverable() == Lengths{{"a[0]:init:P.C.A", 3}});
  }
  SECTION("in a function") {
    Declared d(one_process("int x; void set() { if (x > 5) x = 2; }",
                           "A -> B { }, B -> C { assign set(); }, C -> A { guard x >= 0; }"),
               "def-use");
    CHECK(d.ids() == Words{"x:init:P.B.C", "x:init:P.C.A", "x:P.B.C:P.B.C", "x:P.B.C:P.C.A"});
  }
}

TEST_CASE("def-use: an edge uses the old value before it defines the new one",
          "[criteria][def-use]") {
  Declared d(one_process("int[0,3] x;", "A -> A { guard x < 3; assign x++; }"), "def-use");
  CHECK(d.coverable() == Lengths{{"x:init:P.A.A", 1}, {"x:P.A.A:P.A.A", 2}});
}

TEST_CASE("def-use: a use behind an own definition is local", "[criteria][def-use]") {
  Declared d(one_process("int[0,3] x, y;", "A -> A { assign x = 1, y = x; }"), "def-use");
  CHECK(d.ids().empty());
  CHECK(d.watched().empty());
  SECTION("unless the definition is uncertain") {
    Declared maybe(
        one_process("int[0,3] x, y;", "A -> A { assign y > 0 ? (x = 1) : (y = 1), y = x; }"),
        "def-use", {.variables = {"x"}});
    CHECK(maybe.ids() == Words{"x:init:P.A.A", "x:P.A.A:P.A.A"});
    CHECK(maybe.coverable() == Lengths{{"x:init:P.A.A", 1}});
  }
}

TEST_CASE("def-use: globals of several processes are not pruned", "[criteria][def-use][liveness]") {
  const Declared d(R"(
    int x;
    process P() { state A, B; init A; trans A -> B { assign x = 1; }, B -> A { assign x = 2; }; }
    process Q() { state A; init A; trans A -> A { guard x > 0; }; }
    system P, Q;)",
                   "def-use");
  CHECK(d.ids() == Words{"x:init:Q.A.A", "x:P.A.B:Q.A.A", "x:P.B.A:Q.A.A"});
}

TEST_CASE("def-use: what a sender leaves its receiver is a pair of one step, in sequence only",
          "[criteria][def-use]") {
  const std::string model = R"(
    chan c; int v, w;
    process P() { state A, B; init A; trans A -> B { sync c!; assign v = 1; }; }
    process Q() { state A, B; init A; trans A -> B { sync c?; assign w = v; }; }
    system P, Q;)";
  Declared sequential(model, "def-use");
  CHECK(sequential.coverable() == Lengths{{"v:P.A.B:Q.A.B", 1}});
  Declared atomic(model, "def-use", kAtomic);
  CHECK(atomic.ids() == sequential.ids());
  CHECK(atomic.coverable() == Lengths{{"v:init:Q.A.B", 1}});
  CHECK(atomic.rules.criteria()[CriterionId(0)].options == "--def-use atomic");
}

TEST_CASE("def-use: receivers of a broadcast see what earlier ones have set",
          "[criteria][def-use]") {
  const std::string model = R"(
    broadcast chan b; int v;
    process S() { state A, B; init A; trans A -> B { sync b!; }; }
    process R(const int[1,3] id) { state A, B; init A; trans A -> B { sync b?; assign v = v + 1; }; }
    system S, R;)";
  Declared d(model, "def-use", kPerInstance);
  CHECK(d.coverable() ==
        Lengths{{"v:init:R(1).A.B", 1}, {"v:R(1).A.B:R(2).A.B", 1}, {"v:R(2).A.B:R(3).A.B", 1}});
  Declared together(model, "def-use");
  CHECK(together.coverable() == Lengths{{"v:init:R.A.B", 1}, {"v:R.A.B:R.A.B", 1}});
  Declared atomic(model, "def-use", {.level = Level::kInstance, .def_use = DefUseReading::kAtomic});
  CHECK(atomic.coverable() ==
        Lengths{{"v:init:R(1).A.B", 1}, {"v:init:R(2).A.B", 1}, {"v:init:R(3).A.B", 1}});
}

TEST_CASE("def-use atomic: of several definitions in a step the last one stays",
          "[criteria][def-use]") {
  Declared d(R"(
    chan c; int v;
    process P() { state A, B; init A; trans A -> B { sync c!; assign v = 1; },
                                          B -> B { guard v > 0; }; }
    process Q() { state A, B; init A; trans A -> B { sync c?; assign v = 2; }; }
    system P, Q;)",
             "def-use", kAtomic);
  CHECK(d.ids() == Words{"v:init:P.B.B", "v:P.A.B:P.B.B", "v:Q.A.B:P.B.B"});
  CHECK(d.coverable() == Lengths{{"v:Q.A.B:P.B.B", 2}});
}

TEST_CASE("def-use: a redefinition by another process of the template does not kill a local",
          "[criteria][def-use]") {
  Declared d(R"(
    process P(const int[0,1] id) { int x; state A, B; init A;
      trans A -> B { assign x = 1; }, B -> A { guard x == 1; }; }
    system P;)",
             "def-use");
  // Edges 0 and 1 are P(0)'s, 2 and 3 P(1)'s.
  CHECK(d.ids() == Words{"P.x:A.B:B.A"});
  CHECK(d.covered_by({0, 2, 1}) == Words{"P.x:A.B:B.A"});
}

TEST_CASE("def-use: cells of an array are variables of their own", "[criteria][def-use]") {
  Declared d(one_process("int[0,1] a[int[1,2]]; int[1,2] i = 1;",
                         "A -> B { assign a[i] = 1; }, B -> B { assign i = 2; }, "
                         "B -> C { guard a[2] == 1; }"),
             "def-use", {.variables = {"a"}});
  CHECK(d.ids() == Words{"a[2]:init:P.B.C", "a[2]:P.A.B:P.B.C"});
  // The index is 1 on the only way, so a[2] is never set, and the guard never holds.
  CHECK(d.coverable().empty());
  CHECK(d.watched() == Words{"a[2]"});
}

TEST_CASE("def-use: a definition of a whole struct or array is one of every cell",
          "[criteria][def-use][liveness]") {
  const Declared d(one_process("struct { int u; int w; } s, t;",
                               "A -> B { assign s.u = 1; }, B -> C { assign s = t; }, "
                               "C -> A { guard s.u == 0; }"),
                   "def-use", {.variables = {"s"}});
  CHECK(d.ids() == Words{"s.u:P.B.C:P.C.A"});
}

TEST_CASE("def-use: functions and reference parameters count as what they touch",
          "[criteria][def-use]") {
  Declared d(one_process("int x, y; void copy(int &to, int from) { to = from; }",
                         "A -> B { assign copy(x, y); }, B -> C { guard x == 0; }"),
             "def-use");
  CHECK(d.ids() == Words{"x:init:P.B.C", "x:P.A.B:P.B.C", "y:init:P.A.B"});
  CHECK(d.coverable() == Lengths{{"x:P.A.B:P.B.C", 2}, {"y:init:P.A.B", 1}});
}

TEST_CASE("def-use: a reference parameter of a template is the actual", "[criteria][def-use]") {
  const Declared d(R"(
    int g, h;
    process P(int &r) { state A, B; init A; trans A -> B { assign r = 1; }, B -> A { guard r == 1; }; }
    P1 = P(g); P2 = P(h);
    system P1, P2;)",
                   "def-use");
  CHECK(d.ids() == Words{"g:P.A.B:P.B.A", "h:P.A.B:P.B.A"});
}

TEST_CASE("def-use: constants, selects, locals of functions, meta variables and channels are none",
          "[criteria][def-use]") {
  const Declared d(R"(
    const int N = 2; meta int m; chan c[3]; int[0,9] x;
    int f(int k) { int t = k; return t + 1; }
    process P(const int[0,1] id) { state A, B; init A;
      trans A -> B { select s : int[0,2]; guard s < N && m == 0; sync c[s]!;
                     assign m = id, x = f(s) + m; },
            A -> B { select s : int[0,2]; sync c[s]?; }; }
    system P;)",
                   "def-use");
  CHECK(d.ids().empty());
}

TEST_CASE("def-use: update hooks are one more edge", "[criteria][def-use]") {
  Declared d(R"(
    int[0,5] x, y;
    before_update { y = x }
    after_update { x = 1 }
    process P() { state A, B; init A; trans A -> B { guard x == 0; }, B -> B { guard x == 1 && y < 3; }; }
    system P;)",
             "def-use");
  CHECK(d.ids() == Words{"x:init:P.A.B", "x:init:P.B.B", "x:init:hook", "x:hook:P.A.B",
                         "x:hook:P.B.B", "x:hook:hook", "y:init:P.B.B", "y:hook:P.B.B"});
  CHECK(d.coverable() == Lengths{{"x:init:P.A.B", 1},
                                 {"x:init:hook", 1},
                                 {"x:hook:P.B.B", 2},
                                 {"x:hook:hook", 2},
                                 {"y:hook:P.B.B", 2}});
  CHECK(d.labels()[5] == "x: set by an update hook, used by an update hook");
}

constexpr const char* kBranch = R"(
  int[0,3] x;
  process P() {
    state A, B; branchpoint q; init A;
    trans A -> q { assign x = 1; },
          q -> B { guard x == 0; probability 1; },
          q -> A { guard x < 2; probability 1; assign x = x + 1; };
  }
  system P;
)";

TEST_CASE("def-use: guards behind a branchpoint see the state before the edge into it",
          "[criteria][def-use][liveness]") {
  Declared d(kBranch, "def-use");
  // The guards never see what A -> q sets: q -> A overwrites it, and B is the end.
  CHECK(d.ids() ==
        Words{"x:init:P.q.B", "x:init:P.q.A", "x:P.A.q:P.q.A", "x:P.q.A:P.q.B", "x:P.q.A:P.q.A"});
  CHECK(d.coverable() == Lengths{{"x:init:P.q.B", 1}, {"x:init:P.q.A", 1}, {"x:P.A.q:P.q.A", 1}});
}

TEST_CASE("def-use atomic: nothing of a step is seen behind a branchpoint",
          "[criteria][def-use][liveness]") {
  Declared d(kBranch, "def-use", kAtomic);
  CHECK(d.ids() == Words{"x:init:P.q.B", "x:init:P.q.A", "x:P.q.A:P.q.B", "x:P.q.A:P.q.A"});
}

TEST_CASE("def-use: invariants are uses of edges that leave or enter, if you like",
          "[criteria][def-use]") {
  const std::string model = R"(
    int[0,3] x;
    process P() { state A, B { x < 3 }; init A;
      trans A -> B { assign x = 1; }, B -> A { }, A -> B { }; }
    system P;)";
  CHECK(Declared(model, "def-use").ids().empty());
  const Declared leave(model, "def-use", {.invariants = InvariantUses::kLeave});
  CHECK(leave.ids() == Words{"x:init:P.B.A", "x:P.A.B:P.B.A"});
  CHECK(leave.rules.invariant_uses() == InvariantUses::kLeave);
  const Declared enter(model, "def-use", {.invariants = InvariantUses::kEnter});
  CHECK(enter.ids() == Words{"x:init:P.A.B.2", "x:P.A.B:P.A.B.2"});
}

constexpr const char* kNames = R"(
  int el; int list[int[0,2]];
  process Train(const int[0,1] id) { int x; int own[2]; state A; init A;
    trans A -> A { assign x = el + x, el = list[0] + list[2] + own[1]; }; }
  process Gate() { int x; state A; init A; trans A -> A { assign x = x + 1; }; }
  system Train, Gate;
)";

TEST_CASE("def-use: --vars matches names as users see them", "[criteria][def-use][vars]") {
  const auto watched = [](std::vector<std::string> globs) {
    const Declared d(kNames, "def-use", {.variables = std::move(globs)});
    CHECK_FALSE(d.diagnostics.has_errors());
    return sorted(d.watched());
  };
  CHECK(watched({"el"}) == Words{"el"});
  CHECK(watched({"x"}) == Words{"Gate.x", "Train(0).x", "Train(1).x"});
  CHECK(watched({"Train.x"}) == Words{"Train(0).x", "Train(1).x"});
  CHECK(watched({"Train(1).x"}) == Words{"Train(1).x"});
  CHECK(watched({"Train.*"}) ==
        Words{"Train(0).own[1]", "Train(0).x", "Train(1).own[1]", "Train(1).x"});
  CHECK(watched({"list"}) == Words{"list[0]", "list[2]"});
  CHECK(watched({"list[2]", "el"}) == Words{"el", "list[2]"});
  CHECK(watched({"Train.own[1]"}) == Words{"Train(0).own[1]", "Train(1).own[1]"});
  CHECK(watched({"list[1]"}).empty());  // it exists, but nobody uses it
}

TEST_CASE("def-use: a name in --vars that means nothing is an error", "[criteria][def-use][vars]") {
  const auto only = [](const std::string& model, const std::string& glob) {
    const Declared d(model, "def-use", {.variables = {glob}});
    REQUIRE(d.diagnostics.errors() == 1);
    CHECK(d.rules.items().empty());
    return d.diagnostics.all().front();
  };
  const Diagnostic typo = only(kNames, "lsit");
  CHECK(typo.message == "no variable matches 'lsit'");
  CHECK(typo.hint == "did you mean 'list'?");
  CHECK_THAT(only(kNames, "something").hint, Catch::StartsWith("give names such as"));
  CHECK(only("clock time; process P() { state A; init A; trans A -> A { guard time > 1; }; } "
             "system P;",
             "tmie")
            .hint == "did you mean 'time'?");
}

// --- Clocks

TEST_CASE("def-use: a reset defines a clock, and guards use it", "[criteria][def-use][clocks]") {
  Declared d(R"(
    process Train(const int[0,1] id) { clock x; state Safe, Appr, Cross; init Safe;
      trans Safe -> Appr { assign x = 0; }, Appr -> Cross { guard x >= 10; },
            Cross -> Safe { guard x <= 15; }; }
    system Train;)",
             "def-use");
  CHECK(d.ids() == Words{"Train.x:Safe.Appr:Appr.Cross", "Train.x:Safe.Appr:Cross.Safe"});
  CHECK(d.labels()[0] == "Train.x: set by Train Safe -> Appr, used by Train Appr -> Cross");
  CHECK(d.watched() == Words{"Train(0).x", "Train(1).x"});
  CHECK(d.covered_by({0, 1}, {3, 10}) == Words{"Train.x:Safe.Appr:Appr.Cross"});
  // The other train's reset is one of another clock.
  CHECK(d.covered_by({0, 3, 1, 2}, {0, 1, 10, 0}) == d.ids());
}

TEST_CASE("def-use: clocks have an initial definition, and time defines nothing",
          "[criteria][def-use][clocks]") {
  Declared d(
      one_process("clock x = 5;",
                  "A -> A { guard x > 7; }, A -> B { assign x = 0; }, B -> C { guard x < 9; }"),
      "def-use");
  CHECK(d.ids() == Words{"x:init:P.A.A", "x:P.A.B:P.B.C"});
  CHECK(d.labels()[0] == "x: initial value, used by P A -> A");
  CHECK(d.covered_by({0}, {3}) == Words{"x:init:P.A.A"});
  CHECK(d.covered_by({1, 2}, {100, 8}) == Words{"x:P.A.B:P.B.C"});
}

TEST_CASE("def-use: a copy of a clock uses one and defines the other",
          "[criteria][def-use][clocks]") {
  Declared d(one_process("clock x, y;",
                         "A -> B { assign y = 0; }, B -> C { assign x = y + 2; }, "
                         "C -> A { guard x == 3; }"),
             "def-use");
  CHECK(d.ids() == Words{"x:P.B.C:P.C.A", "y:P.A.B:P.B.C"});
  CHECK(d.covered_by({0, 1, 2}, {4, 1, 0}) == d.ids());
}

TEST_CASE("def-use: a use of a clock behind an own reset is local", "[criteria][def-use][clocks]") {
  const Declared d(one_process("clock x, y;", "A -> A { assign x = 0, y = x; }"), "def-use");
  CHECK(d.ids().empty());
}

TEST_CASE("def-use: a difference of clocks uses both", "[criteria][def-use][clocks]") {
  Declared d(one_process("clock x, y;", "A -> B { assign y = 0; }, B -> C { guard x - y > 2; }"),
             "def-use");
  CHECK(d.ids() == Words{"x:init:P.B.C", "y:P.A.B:P.B.C"});
  CHECK(d.covered_by({0, 1}, {3, 0}) == d.ids());
}

TEST_CASE("def-use: invariants use clocks when edges leave or enter, if you like",
          "[criteria][def-use][clocks]") {
  const std::string model = R"(
    clock x;
    process P() { state A, B { x <= 3 }; init A;
      trans A -> B { assign x = 0; }, B -> A { }, A -> B { }; }
    system P;)";
  CHECK(Declared(model, "def-use").ids().empty());
  Declared leave(model, "def-use", {.invariants = InvariantUses::kLeave});
  CHECK(leave.ids() == Words{"x:init:P.B.A", "x:P.A.B:P.B.A"});
  CHECK(leave.covered_by({0, 1}, {9, 3}) == Words{"x:P.A.B:P.B.A"});
  CHECK(leave.covered_by({2, 1}, {1, 2}) == Words{"x:init:P.B.A"});
  // What the edge itself has reset is local to it.
  Declared enter(model, "def-use", {.invariants = InvariantUses::kEnter});
  CHECK(enter.ids() == Words{"x:init:P.A.B.2", "x:P.A.B:P.A.B.2"});
  CHECK(enter.covered_by({2}, {1}) == Words{"x:init:P.A.B.2"});
  CHECK(enter.covered_by({0, 1, 2}, {9, 1, 2}) == Words{"x:P.A.B:P.A.B.2"});
}

TEST_CASE("def-use: what an invariant says about rates is no use of the clock",
          "[criteria][def-use][clocks]") {
  Declared d(R"(
    clock x; int[0,1] n, on; clock a[2];
    process P() { state A { x' == n && (on == 0 || a[n]' == 0) && x <= 3 }, B { x' == 0 }; init A;
      trans A -> B { }, B -> A { }; }
    system P;)",
             "def-use", {.invariants = InvariantUses::kLeave});
  // The rates themselves and the index are used.
  CHECK(d.ids() == Words{"n:init:P.A.B", "on:init:P.A.B", "x:init:P.A.B"});
  CHECK(d.covered_by({0}, {2}) == d.ids());
}

TEST_CASE("def-use: elements of an array of clocks are variables of their own",
          "[criteria][def-use][clocks]") {
  Declared d(one_process("clock a[2]; int[0,1] i;",
                         "A -> B { assign a[i] = 0; }, B -> B { assign i = 1; }, "
                         "B -> C { guard a[1] > 4; }"),
             "def-use", {.variables = {"a"}});
  CHECK(d.ids() == Words{"a[1]:init:P.B.C", "a[1]:P.A.B:P.B.C"});
  CHECK(d.watched() == Words{"a[1]"});
  // The index is 0 when it is evaluated.
  CHECK(d.covered_by({0, 1, 2}, {5, 0, 0}) == Words{"a[1]:init:P.B.C"});
}

TEST_CASE("def-use: a definition of a whole array or struct is one of its clocks",
          "[criteria][def-use][clocks][liveness]") {
  Declared array(one_process("clock a[2], b[2];",
                             "A -> B { assign a[1] = 0; }, B -> C { assign a = b; }, "
                             "C -> A { guard a[1] > 4; }"),
                 "def-use");
  CHECK(array.ids() == Words{"a[1]:P.B.C:P.C.A", "b[0]:init:P.B.C", "b[1]:init:P.B.C"});
  CHECK(array.covered_by({0, 1, 2}, {5, 0, 0}) == array.ids());
  Declared mixed(one_process("struct { int n; clock x; } s, t;",
                             "A -> B { assign s.x = 0; }, B -> C { assign s = t; }, "
                             "C -> A { guard s.x > 4; }"),
                 "def-use");
  CHECK(mixed.ids() == Words{"t.n:init:P.B.C", "s.x:P.B.C:P.C.A", "t.x:init:P.B.C"});
  CHECK(mixed.covered_by({0, 1, 2}, {5, 0, 0}) == mixed.ids());
}

TEST_CASE("def-use: functions and references to clocks count as what they touch",
          "[criteria][def-use][clocks]") {
  Declared d(one_process("clock x, y; int[0,1] n; void zero(clock &c) { if (n == 0) c = 0; }",
                         "A -> B { assign zero(x); }, B -> C { guard x < 2 && y > 3; }"),
             "def-use", {.variables = {"x", "y"}});
  // The body may not get to its reset, as far as the text tells.
  CHECK(d.ids() == Words{"x:init:P.B.C", "x:P.A.B:P.B.C", "y:init:P.B.C"});
  CHECK(d.covered_by({0, 1}, {3, 1}) == Words{"x:P.A.B:P.B.C", "y:init:P.B.C"});
}

TEST_CASE("def-use: a reset by another process ends the definition of a global clock",
          "[criteria][def-use][clocks]") {
  Declared d(R"(
    clock x;
    process P() { state A, B; init A; trans A -> B { assign x = 0; }, B -> A { guard x >= 1; }; }
    process Q() { state A; init A; trans A -> A { assign x = 0; }; }
    system P, Q;)",
             "def-use");
  // Edges 0 and 1 are P's, 2 is Q's.
  CHECK(d.ids() == Words{"x:init:P.B.A", "x:P.A.B:P.B.A", "x:Q.A.A:P.B.A"});
  CHECK(d.covered_by({0, 1}, {0, 1}) == Words{"x:P.A.B:P.B.A"});
  CHECK(d.covered_by({0, 2, 1}, {0, 1, 1}) == Words{"x:Q.A.A:P.B.A"});
}

TEST_CASE("def-use: --vars chooses clocks as it does variables",
          "[criteria][def-use][clocks][vars]") {
  const auto watched = [](std::vector<std::string> globs) {
    const Declared d(R"(
      int n; clock x, a[2];
      process P(const int[0,1] id) { clock x; state A; init A;
        trans A -> A { guard x > n && a[0] > 1 && a[1] > 1; }; }
      process Q() { state A; init A; trans A -> A { guard x > 1; }; }
      system P, Q;)",
                     "def-use", {.variables = std::move(globs)});
    CHECK_FALSE(d.diagnostics.has_errors());
    return sorted(d.watched());
  };
  CHECK(watched({}) == Words{"P(0).x", "P(1).x", "a[0]", "a[1]", "n", "x"});
  CHECK(watched({"x"}) == Words{"P(0).x", "P(1).x", "x"});
  CHECK(watched({"P.x"}) == Words{"P(0).x", "P(1).x"});
  CHECK(watched({"P(1).x", "a[1]"}) == Words{"P(1).x", "a[1]"});
  CHECK(watched({"a", "n"}) == Words{"a[0]", "a[1]", "n"});
}

TEST_CASE("def-use: too many items are refused", "[criteria][def-use]") {
  const Declared d(R"(
    int a[1000000]; int[0,999999] i;
    process P() { state A; init A; trans A -> A { assign a[i] = 1; }, A -> A { assign a[i] = 2; },
                                       A -> A { guard a[i] == 0; }, A -> A { guard a[i] == 1; }; }
    system P;)",
                   "def-use");
  REQUIRE(d.diagnostics.errors() == 1);
  CHECK(d.diagnostics.all().front().message == "def-use has more than 4000000 items here");
  CHECK(d.diagnostics.all().front().hint == "choose variables with --vars");
  CHECK(d.rules.items().empty());
}

TEST_CASE("def-use: --only leaves out tokens and watched cells, too", "[criteria][def-use]") {
  const Declared d(kTrains, "def-use", {}, ItemFilter({"def-use:el:*"}));
  CHECK(d.ids() == Words{"el:init:Gate.Free.Occ", "el:Train.Safe.Appr:Gate.Free.Occ"});
  CHECK(d.rules.tokens().size() == 3);
  CHECK(d.watched() == Words{"el"});
}

}  // namespace
}  // namespace tw
