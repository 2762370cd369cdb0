// Uses and definitions of clocks: as those of cells, in the same places.

#include <catch2/catch.hpp>

#include "tests/replay/timed_run.hpp"

namespace tw {
namespace {

using test::TimedRun;
using test::Words;

constexpr const char* kData =
    "typedef struct { int n; clock c; } S;"
    "int i = 1; bool p = true; clock x = 9, y, z[2]; S s, t;"
    "void reset(clock& c) { c = 0; }"
    "void copy(clock& to, clock& from) { to = from; }";

// The events of one edge with these labels, without "fired 0" and "state".
Words told(const std::string& labels) {
  TimedRun r(std::string(kData) + "process P() { state a, b; init a; trans a -> b { " + labels +
             " }; } system P;");
  Words words = r.events(r.go("0").events);
  REQUIRE(words.size() >= 2);
  CHECK(Words(words.end() - 2, words.end()) == Words{"fired 0", "state"});
  words.resize(words.size() - 2);
  return words;
}

TEST_CASE("events: clocks have initial definitions, after all cells", "[replay][timed][events]") {
  TimedRun r("clock x; int i; process P() { clock y; int k; state a; init a; } system P;");
  CHECK(r.events(r.interpreter().initial_events()) ==
        Words{"init i", "init P.k", "init x", "init P.y", "state"});
}

TEST_CASE("events: comparing clocks uses them, in the order they are written",
          "[replay][timed][events]") {
  CHECK(told("guard x > 3 && i < 5;") == Words{"p x 0", "p i 0"});
  CHECK(told("guard i <= x;") == Words{"p i 0", "p x 0"});
  CHECK(told("guard x - y >= i;") == Words{"p x 0", "p y 0", "p i 0"});
  CHECK(told("guard y + i < x;") == Words{"p y 0", "p i 0", "p x 0"});
  CHECK(told("guard z[i] < 1;") == Words{"p i 0", "p z[1] 0"});
  CHECK(told("guard s.c < 1;") == Words{"p s.c 0"});
}

TEST_CASE("events: clocks that a condition leaves out are used as well",
          "[replay][timed][events]") {
  CHECK(told("guard p || x > 3;") == Words{"p p 0", "p x 0"});
  CHECK(told("guard !p imply z[i] > y;") == Words{"p p 0", "p i 0", "p z[1] 0", "p y 0"});
  CHECK(told("guard p || z[i + 1] > 3;") == Words{"p p 0", "p i 0"});
  CHECK(told("guard (p ? x : y) > 3;") == Words{"p p 0", "p x 0", "p y 0"});
  CHECK(told("guard p || s.c - t.c < 0;") == Words{"p p 0", "p s.c 0", "p t.c 0"});
}

TEST_CASE("events: setting a clock defines it, after the uses of its value",
          "[replay][timed][events]") {
  CHECK(told("assign x = 0;") == Words{"def x 0"});
  CHECK(told("assign x = i;") == Words{"c i 0", "def x 0"});
  CHECK(told("assign x = y + i;") == Words{"c y 0", "c i 0", "def x 0"});
  CHECK(told("assign z[i] = x;") == Words{"c i 0", "c x 0", "def z[1] 0"});
  CHECK(told("assign x = x - 1;") == Words{"c x 0", "def x 0"});
  CHECK(told("assign p ? (x = 0) : (y = z[i]);") == Words{"c p 0", "def x 0", "c i 0", "c z[1] 0"});
}

TEST_CASE("events: a use of a clock the same edge has set is local", "[replay][timed][events]") {
  CHECK(told("guard x > 3; assign x = 0, y = x, x = y;") ==
        Words{"p x 0", "def x 0", "def y 0", "def x 0"});
}

TEST_CASE("events: references to clocks count as what they stand for", "[replay][timed][events]") {
  CHECK(told("assign reset(z[i]);") == Words{"c i 0", "def z[1] 0"});
  CHECK(told("assign copy(s.c, x);") == Words{"c x 0", "def s.c 0"});
  CHECK(told("assign p ? reset(x) : copy(y, z[i]);") == Words{"c p 0", "def x 0", "c i 0"});
}

TEST_CASE("events: whole copies touch cells first, then clocks", "[replay][timed][events]") {
  CHECK(told("assign s = t;") == Words{"c t.n 0", "c t.c 0", "def s.n 0", "def s.c 0"});
  CHECK(told("assign s = p ? t : s;") ==
        Words{"c p 0", "c t.n 0", "c t.c 0", "c s.n 0", "c s.c 0", "def s.n 0", "def s.c 0"});
}

TEST_CASE("events: a receiver uses the clock its sender has set", "[replay][timed][events]") {
  TimedRun r(
      "clock x, y; chan c; process P() { state a; init a; trans a -> a { sync c!; assign x = 2; }; "
      "}"
      "process Q() { state a; init a; trans a -> a { guard y < 1; sync c?; assign y = x; }; }"
      "system P, Q;");
  CHECK(r.events(r.go("0+1").events) ==
        Words{"p y 1", "def x 0", "fired 0", "c x 1", "def y 1", "fired 1", "state"});
}

TEST_CASE("events: invariants about clocks are used where one leaves or enters; a rate reads none",
          "[replay][timed][events]") {
  TimedRun r(
      "clock x, y, z[2]; int i, k = 1;"
      "process P() { state a, b { x <= 9 && y - x <= i && z[i]' == k }; init a;"
      "  trans a -> b { assign x = 0; }, b -> a { guard y >= 0; }; } system P;");
  const auto told_with = [&](InvariantUses uses) {
    const replay::Interpreter interpreter(*r.network, uses);
    const replay::StepResult in = interpreter.step(r.at, {{{.edge = EdgeId(0)}}});
    const replay::RunState later = interpreter.delay(in.state, fraction(1, 2)).state;
    Words words = r.events(in.events);
    for (const std::string& word :
         r.events(interpreter.step(later, {{{.edge = EdgeId(1)}}}).events))
      words.push_back(word);
    return words;
  };
  CHECK(told_with(InvariantUses::kNone) ==
        Words{"def x 0", "fired 0", "state", "p y 1", "fired 1", "state"});
  CHECK(told_with(InvariantUses::kLeave) == Words{"def x 0", "fired 0", "state", "p y 1", "p x 1",
                                                  "p y 1", "p x 1", "p i 1", "p i 1", "p k 1",
                                                  "fired 1", "state"});
  CHECK(told_with(InvariantUses::kEnter) == Words{"def x 0", "fired 0", "p y 0", "p i 0", "p i 0",
                                                  "p k 0", "state", "p y 1", "fired 1", "state"});
}

}  // namespace
}  // namespace tw
