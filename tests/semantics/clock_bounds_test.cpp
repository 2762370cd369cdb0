// Bounds of clocks, rule by rule, in models small enough to see them. A location is written as the
// list of its active clocks with lower and upper bound: "x 3 5", "-" for no bound.

#include "engine/semantics/clock_bounds.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

using Words = std::vector<std::string>;

class Analysed {
 public:
  explicit Analysed(const std::string& text) : network_(load(text)), bounds_(network_) {}

  /// Of the first process, or of "P.a".
  [[nodiscard]] std::string at(const std::string& name) const {
    for (std::size_t i = 0; i < network_.locations.size(); ++i) {
      const LocationId id(i);
      const std::string process = network_.processes[network_.locations[id].process].name;
      const std::string location = network_.decl(id).name;
      if (location == name || process + "." + location == name)
        return words(bounds_.at(id));
    }
    FAIL("no location " << name);
    return {};
  }

  [[nodiscard]] Words diagonals() const {
    Words out;
    for (const ClockConstraint& c : bounds_.diagonals())
      out.push_back(name(c.i) + " - " + name(c.j) + (c.bound.is_strict() ? " < " : " <= ") +
                    std::to_string(c.bound.constant()));
    return out;
  }

  [[nodiscard]] std::string unbounded() const {
    const ClockId clock = bounds_.unbounded();
    return clock.valid() ? network_.clocks[clock].name : "";
  }

 private:
  static Network load(const std::string& text) {
    LoadedModel loaded = load_model_text("model.xta", text);
    for (const Diagnostic& diagnostic : loaded.diagnostics.all())
      UNSCOPED_INFO(diagnostic.message);
    REQUIRE(loaded.network);
    return std::move(*loaded.network);
  }

  [[nodiscard]] std::string name(std::size_t clock) const {
    return network_.clocks[ClockId(clock - 1)].name;
  }

  [[nodiscard]] std::string words(const LuBounds& bounds) const {
    REQUIRE(bounds.lower.size() == network_.clocks.size() + 1);
    REQUIRE(bounds.upper.size() == network_.clocks.size() + 1);
    CHECK((bounds.lower[0] == 0 && bounds.upper[0] == 0));
    std::string out;
    const auto word = [](std::int32_t bound) {
      return bound == LuBounds::kNoBound ? std::string("-") : std::to_string(bound);
    };
    for (std::size_t i = 1; i < bounds.lower.size(); ++i) {
      if (bounds.lower[i] == LuBounds::kNoBound && bounds.upper[i] == LuBounds::kNoBound)
        continue;
      out += (out.empty() ? "" : ", ") + name(i) + " " + word(bounds.lower[i]) + " " +
             word(bounds.upper[i]);
    }
    return out;
  }

  Network network_;
  ClockBounds bounds_;
};

/// One process P with clocks x, y, z and the locations a (initial), b, c.
std::string process(const std::string& transitions,
                    const std::string& declarations = "",
                    const std::string& invariants = "a, b, c") {
  return "clock x, y, z; " + declarations + " process P() { state " + invariants +
         "; init a; trans " + transitions + "; } system P;";
}

Analysed one(const std::string& guard, const std::string& declarations = "") {
  return Analysed(process("a -> a { guard " + guard + "; }", declarations));
}

TEST_CASE("clock bounds: a relation bounds the clock on the side it can cut", "[clock-bounds]") {
  CHECK(one("x > 3").at("a") == "x 3 -");
  CHECK(one("x >= 3").at("a") == "x 3 -");
  CHECK(one("x < 3").at("a") == "x - 3");
  CHECK(one("x <= 3").at("a") == "x - 3");
  CHECK(one("x == 3").at("a") == "x 3 3");
  CHECK(one("3 < x").at("a") == "x 3 -");
  CHECK(one("3 >= x").at("a") == "x - 3");
  CHECK(one("x + 2 <= 9").at("a") == "x - 7");
  CHECK(one("x > 3 && x < 7 && y == 2").at("a") == "x 3 7, y 2 2");
  CHECK(one("x > 3 && x > 5").at("a") == "x 5 -");
}

TEST_CASE("clock bounds: comparisons that every clock value decides alike bound nothing",
          "[clock-bounds]") {
  CHECK(one("x > -3").at("a").empty());
  CHECK(one("x <= -1").at("a").empty());
  CHECK(one("x == -1").at("a").empty());
  CHECK(one("x >= 0").at("a").empty());
  CHECK(one("x < 0").at("a").empty());
  CHECK(one("x > 0").at("a") == "x 0 -");
  CHECK(one("x <= 0").at("a") == "x - 0");
  CHECK(one("x == 0").at("a") == "x 0 0");
}

TEST_CASE("clock bounds: a bound that varies counts with its greatest value", "[clock-bounds]") {
  CHECK(one("x <= i", "int[2,9] i;").at("a") == "x - 9");
  CHECK(one("x >= 2 * i - j", "int[2,9] i; int[-3,4] j;").at("a") == "x 21 -");
  CHECK(one("x + i >= 12", "int[2,9] i;").at("a") == "x 10 -");
  CHECK(one("x > t[i]", "const int t[3] = {4, 8, 6}; int[0,2] i;").at("a") == "x 8 -");
  CHECK(one("x > (i > 3 ? 5 : 7)", "int[2,9] i;").at("a") == "x 7 -");
  CHECK(one("x > f()", "int[0,6] f() { return 2; }").at("a") == "x 6 -");
  CHECK(one("x > 1 << i", "int[2,9] i;").at("a") ==
        "x " + std::to_string(Bound::kMostConstant) + " -");
  CHECK(one("x > 1000000000").at("a") == "x " + std::to_string(Bound::kMostConstant) + " -");
}

TEST_CASE("clock bounds: parts that hold only sometimes count always", "[clock-bounds]") {
  CHECK(one("i > 2 || x > 3", "int[2,9] i;").at("a") == "x 3 -");
  CHECK(one("i > 2 imply x < 3", "int[2,9] i;").at("a") == "x - 3");
}

TEST_CASE("clock bounds: a clock that is chosen at run time may be any of them", "[clock-bounds]") {
  CHECK(one("w[i] > 3", "clock w[4]; int[1,2] i;").at("a") == "w[1] 3 -, w[2] 3 -");
  CHECK(one("w[2] > 3", "clock w[4];").at("a") == "w[2] 3 -");
  CHECK(one("forall (i : int[0,1]) w[i] <= i", "clock w[3];").at("a") == "w[0] - 1, w[1] - 1");
  CHECK(one("s.c[i] > 3", "struct { int n; clock c[2]; } s; int[0,1] i;").at("a") ==
        "s.c[0] 3 -, s.c[1] 3 -");
  CHECK(one("(i > 2 ? x : y) > 3", "int[2,9] i;").at("a") == "x 3 -, y 3 -");
  CHECK(one("(i > 2 ? v : w)[1] > 3", "int[2,9] i; clock v[2], w[2];").at("a") ==
        "v[0] 3 -, v[1] 3 -, w[0] 3 -, w[1] 3 -");
  const Analysed select(
      "clock w[3]; process P() { state a; init a; trans "
      "a -> a { select i : int[0,1]; guard w[i] > 3; }; } system P;");
  CHECK(select.at("a") == "w[0] 3 -, w[1] 3 -");
}

TEST_CASE("clock bounds: invariants count in their location and before it", "[clock-bounds]") {
  const Analysed model(process("a -> b { }, b -> c { assign x = 0; }", "",
                               "a, b { x <= 5 && y > 2 && z' == 0 }, c { x < 7 }"));
  CHECK(model.at("a") == "x - 5, y 2 -");
  CHECK(model.at("b") == "x - 5, y 2 -");
  CHECK(model.at("c") == "x - 7");
}

TEST_CASE("clock bounds: constants flow back until the clock is set", "[clock-bounds]") {
  const Analysed model(
      process("a -> b { guard y < 2; }, b -> c { guard y > 4; assign x = 0; }, "
              "c -> a { guard x > 3 && x < 9; assign y = 0; }"));
  CHECK(model.at("a") == "y 4 2");
  CHECK(model.at("b") == "y 4 -");
  CHECK(model.at("c") == "x 3 9");
}

TEST_CASE("clock bounds: of several ways on, every one counts", "[clock-bounds]") {
  const Analysed model(
      process("a -> b { assign x = 0; }, a -> c { }, b -> a { }, c -> a { }, "
              "c -> c { guard x <= 8; }, b -> b { guard x > 6; }"));
  CHECK(model.at("a") == "x - 8");
  CHECK(model.at("b") == "x 6 8");
  CHECK(model.at("c") == "x - 8");
}

TEST_CASE("clock bounds: a train does not look at its clock everywhere", "[clock-bounds]") {
  const Analysed model(
      "chan appr, stop, go, leave;"
      "process Train() { clock x; state Safe, Appr { x <= 20 }, Stop, Start { x <= 15 }, "
      "Cross { x <= 5 }; init Safe; trans "
      "Safe -> Appr { sync appr!; assign x = 0; }, "
      "Appr -> Cross { guard x >= 10; assign x = 0; }, "
      "Appr -> Stop { guard x <= 10; sync stop?; }, "
      "Stop -> Start { sync go?; assign x = 0; }, "
      "Start -> Cross { guard x >= 7; assign x = 0; }, "
      "Cross -> Safe { guard x >= 3; sync leave!; }; }"
      "process Gate() { state g; init g; trans g -> g { sync appr?; }, g -> g { sync stop!; }, "
      "g -> g { sync go!; }, g -> g { sync leave?; }; }"
      "system Train, Gate;");
  CHECK(model.at("Safe").empty());
  CHECK(model.at("Appr") == "Train.x 10 20");
  CHECK(model.at("Stop").empty());
  CHECK(model.at("Start") == "Train.x 7 15");
  CHECK(model.at("Cross") == "Train.x 3 5");
  CHECK(model.at("g").empty());
}

/// What remains in `a` of `x > 5 && y > 6` behind these updates.
std::string behind(const std::string& updates, const std::string& declarations = "") {
  const Analysed model(process(
      "a -> b { assign " + updates + "; }, b -> b { guard x > 5 && y > 6; }", declarations));
  CHECK(model.unbounded().empty());
  return model.at("a");
}

TEST_CASE("clock bounds: only what is surely set is forgotten", "[clock-bounds]") {
  const std::string more = "int[0,3] i; clock w[3];";
  CHECK(behind("z = 0") == "x 5 -, y 6 -");
  CHECK(behind("x = 0") == "y 6 -");
  CHECK(behind("x = 4, y = i", more).empty());
  CHECK(behind("i = 1, x = 4, i = 2", more) == "y 6 -");
  CHECK(behind("i > 1 ? x = 0 : y = 0", more) == "x 5 -, y 6 -");
  CHECK(behind("(i > 1 ? x : y) = 0", more) == "x 5 -, y 6 -");
  CHECK(behind("w[i] = 0", more) == "x 5 -, y 6 -");
}

TEST_CASE("clock bounds: of an array only the element with a fixed index is surely set",
          "[clock-bounds]") {
  const auto at = [](const std::string& update) {
    return Analysed(process("a -> b { assign " + update +
                                "; }, b -> b { guard forall (i : int[0,2]) w[i] > 5; }",
                            "int[0,3] i; const int k = 1; clock w[3], v[3];"))
        .at("a");
  };
  CHECK(at("w[0] = 0") == "w[1] 5 -, w[2] 5 -");
  CHECK(at("w[k + 1] = 0") == "w[0] 5 -, w[1] 5 -");
  CHECK(at("w[i] = 0") == "w[0] 5 -, w[1] 5 -, w[2] 5 -");
  CHECK(at("w[i] = v[1]") == "w[0] 5 -, w[1] 5 -, w[2] 5 -, v[1] 5 -");
  CHECK(at("w[2] = v[i]") == "w[0] 5 -, w[1] 5 -, v[0] 5 -, v[1] 5 -, v[2] 5 -");
  CHECK(at("w = v") == "v[0] 5 -, v[1] 5 -, v[2] 5 -");
  CHECK(at("w = (i > 1 ? v : w)") == "w[0] 5 -, w[1] 5 -, w[2] 5 -, v[0] 5 -, v[1] 5 -, v[2] 5 -");
}

TEST_CASE("clock bounds: an element of a process's own index is fixed", "[clock-bounds]") {
  const Analysed model(
      "clock w[2]; process P(const int[0,1] id) { state a, b; init a; trans "
      "a -> b { assign w[id] = 0; }, b -> b { guard w[0] > 3 && w[1] > 4; }; } "
      "system P;");
  CHECK(model.at("P(0).a") == "w[1] 4 -");
  CHECK(model.at("P(1).a") == "w[0] 3 -");
}

TEST_CASE("clock bounds: structs with clocks are copied clock by clock", "[clock-bounds]") {
  const Analysed model(process("a -> b { assign s = t; }, b -> b { guard s.c > 3 && s.d < 4; }",
                               "typedef struct { clock c; int n; clock d; } S; S s, t;"));
  CHECK(model.at("a") == "t.c 3 -, t.d - 4");
}

TEST_CASE("clock bounds: functions set what their straight code sets", "[clock-bounds]") {
  const std::string more = "int[0,3] i; ";
  CHECK(behind("f()", more + "void f() { i = 1; x = 0; }") == "y 6 -");
  CHECK(behind("i = f()", more + "int f() { x = 0; return 1; }") == "y 6 -");
  CHECK(behind("g()", more + "void f() { x = 0; } void g() { f(); y = 3; }").empty());
  CHECK(behind("f(x)", more + "void f(clock &c) { c = 0; }") == "y 6 -");
  CHECK(behind("g(x, y)",
               more + "void f(clock &c) { c = 0; } void g(clock &c, clock &d) { f(d); }") ==
        "x 5 -");
  CHECK(behind("f(i > 1 ? x : y)", more + "void f(clock &c) { c = 0; }") == "x 5 -, y 6 -");
  CHECK(behind("f()", more + "void f() { if (i > 1) x = 0; y = 0; }") == "x 5 -");
  CHECK(behind("f()", more + "void f() { x = 0; if (i > 1) return; y = 0; }") == "y 6 -");
  CHECK(behind("f()", more + "void f() { while (i > 1) { x = 0; i--; } y = 0; }") == "x 5 -");
  CHECK(behind("f()", more + "void f() { for (k : int[0,1]) { if (k > i) return; } y = 0; }") ==
        "x 5 -, y 6 -");
  CHECK(behind("i > 1 && f()", more + "bool f() { x = 0; return true; }") == "x 5 -, y 6 -");
}

TEST_CASE("clock bounds: a copy hands its bounds on, shifted", "[clock-bounds]") {
  const std::string more = "int[-2,3] i; ";
  CHECK(behind("x = z") == "y 6 -, z 5 -");
  CHECK(behind("x = z + 2") == "y 6 -, z 3 -");
  CHECK(behind("x = z + 5") == "y 6 -, z 0 -");
  CHECK(behind("x = z + 6") == "y 6 -");
  CHECK(behind("x = y") == "y 6 -");
  CHECK(behind("y = x") == "x 6 -");
  CHECK(behind("x = z, z = 0") == "y 6 -, z 5 -");
  CHECK(behind("z = 0, x = z") == "y 6 -");
  CHECK(behind("z = x, x = y, y = z") == "x 6 -, y 5 -");
  CHECK(behind("x = x + 2") == "x 3 -, y 6 -");
  CHECK(behind("x = (i > 1 ? y : z)", more) == "y 6 -, z 5 -");
  CHECK(behind("x = i > 1 ? 0 : i", more) == "y 6 -");
}

TEST_CASE("clock bounds: a copy that can fail compares the clock it copies", "[clock-bounds]") {
  // x > 5 becomes z > 7, and z < 2 is an error.
  CHECK(behind("x = z - 2") == "y 6 -, z 7 2");
  CHECK(behind("x = z - 20, x = 0") == "y 6 -, z 20 20");
  // From -2 to 3: x > 5 becomes at most z > 7.
  CHECK(behind("x = z + i", "int[-2,3] i;") == "y 6 -, z 7 2");
  CHECK(behind("x = z - i", "int[-2,3] i;") == "y 6 -, z 8 3");
}

TEST_CASE("clock bounds: functions copy", "[clock-bounds]") {
  CHECK(behind("f()", "void f() { x = z + 1; }") == "y 6 -, z 4 -");
  CHECK(behind("f(x, z)", "void f(clock &c, clock &d) { c = d; }") == "y 6 -, z 5 -");
  // y may be set before z is read or after.
  CHECK(behind("x = z + f(y)", "int[2,4] f(clock &c) { c = 0; return 3; }") == "y 6 -, z 3 -");
  CHECK(behind("x = z + f(z)", "int[2,4] f(clock &c) { c = 0; return 3; }") == "y 6 -, z 3 -");
  // Twice round the loop, x comes from z by way of y.
  CHECK(behind("f()", "int[0,3] i; void f() { while (i > 1) { x = y; y = z; i--; } }") ==
        "x 5 -, y 6 -, z 6 -");
}

TEST_CASE("clock bounds: what other processes and hooks copy may happen anywhere",
          "[clock-bounds]") {
  const std::string p =
      "process P() { state a, b; init a; trans "
      "a -> b { assign x = 0; }, b -> b { guard x > 5; }; }";
  const std::string q = "process Q() { state q, r; init q; trans q -> r { assign x = y + 1; }; }";
  const Analysed alone("clock x, y; " + p + q + "system P;");
  CHECK(alone.at("a").empty());
  CHECK(alone.at("b") == "x 5 -");
  const Analysed both("clock x, y; " + p + q + "system P, Q;");
  CHECK(both.at("a") == "y 4 -");
  CHECK(both.at("b") == "x 5 -, y 4 -");
  CHECK(both.at("q").empty());
  const Analysed hook("clock x, y; after_update { x = y + 1 } " + p + "system P;");
  CHECK(hook.at("a") == "y 4 -");
  CHECK(hook.at("b") == "x 5 -, y 4 -");
  const Analysed failing("clock x, y; before_update { x = y - 1 } " + p + "system P;");
  CHECK(failing.at("a") == "y 6 1");
  CHECK(failing.at("b") == "x 5 -, y 6 1");
}

TEST_CASE("clock bounds: a copy in the same step may come before the reset", "[clock-bounds]") {
  // Q sends and copies first; then P sets y, but x has its old value.
  const Analysed model(
      "clock x, y; chan s; process P() { state a, b; init a; trans "
      "a -> b { sync s?; assign y = 0; }, b -> b { guard x > 5; }; }"
      "process Q() { state q; init q; trans q -> q { sync s!; assign x = y; }; }"
      "system P, Q;");
  CHECK(model.at("a") == "x 5 -, y 5 -");
}

TEST_CASE("clock bounds: the guard of a broadcast receiver is negated as well", "[clock-bounds]") {
  const auto model = [](const std::string& kind, const std::string& mark) {
    return Analysed(kind +
                    " c[2]; clock x, y; int[0,1] i; process P() { state a, b; init a; trans "
                    "a -> b { guard x >= 3 && y < 4; sync c[i]" +
                    mark + "; }; } system P;");
  };
  CHECK(model("broadcast chan", "?").at("a") == "x 3 3, y 4 4");
  CHECK(model("broadcast chan", "!").at("a") == "x 3 -, y - 4");
  CHECK(model("chan", "?").at("a") == "x 3 -, y - 4");
}

TEST_CASE("clock bounds: with priorities everything is negated", "[clock-bounds]") {
  const std::string p =
      "clock x; process P() { state a, b { x <= 7 }; init a; trans "
      "a -> b { guard x > 3; }; } process Q() { state q; init q; }";
  const Analysed none(p + "system P, Q;");
  CHECK(none.at("a") == "x 3 7");
  CHECK(none.at("b") == "x - 7");
  const Analysed processes(p + "system P < Q;");
  CHECK(processes.at("a") == "x 7 7");
  CHECK(processes.at("b") == "x 7 7");
  const Analysed channels("chan h; chan priority default < h; " + p + "system P, Q;");
  CHECK(channels.at("a") == "x 7 7");
  CHECK(channels.at("b") == "x 7 7");
}

TEST_CASE("clock bounds: guards behind a branchpoint are tested in front of it", "[clock-bounds]") {
  const Analysed model(
      "clock x, y; process P() { state a, b, c; branchpoint q; init a; trans "
      "a -> q { assign x = 0; }, q -> b { guard x > 3; assign y = 0; }, q -> c { }, "
      "b -> b { guard y > 4; }, c -> c { guard x > 5 && y > 6; }; } system P;");
  CHECK(model.at("a") == "x 3 -, y 6 -");
  CHECK(model.at("b") == "y 4 -");
}

TEST_CASE("clock bounds: comparisons of two clocks are listed once, their negation not",
          "[clock-bounds]") {
  CHECK(one("x - y < 3").diagonals() == Words{"x - y < 3"});
  CHECK(one("x - y >= 3").diagonals() == Words{"x - y < 3"});
  CHECK(one("x - y > 3").diagonals() == Words{"x - y <= 3"});
  CHECK(one("y - x <= -3").diagonals() == Words{"x - y < 3"});
  CHECK(one("y - x < 3").diagonals() == Words{"x - y <= -3"});
  CHECK(one("x - y == 3").diagonals() == Words{"x - y < 3", "x - y <= 3"});
  CHECK(one("x <= z").diagonals() == Words{"x - z <= 0"});
  CHECK(one("x + 1 <= z").diagonals() == Words{"x - z <= -1"});
  CHECK(one("x - y < 3 && y - x <= -3 && z - x > 1").diagonals() ==
        Words{"x - y < 3", "x - z < -1"});
  CHECK(one("x - x < 3").diagonals().empty());
  CHECK(one("x < 3").diagonals().empty());
  CHECK(one("x - y < i", "int[2,4] i;").diagonals() ==
        Words{"x - y < 2", "x - y < 3", "x - y < 4"});
  CHECK(one("w[i] <= w[1]", "clock w[3]; int[0,2] i;").diagonals() ==
        Words{"w[0] - w[1] <= 0", "w[1] - w[2] < 0"});
  CHECK(one("(i > 2 ? x : y) - z < 3", "int[0,5] i;").diagonals() ==
        Words{"x - z < 3", "y - z < 3"});
}

TEST_CASE("clock bounds: clocks that are compared have bounds everywhere", "[clock-bounds]") {
  const Analysed model(process("a -> b { assign x = 0; }, b -> c { guard x - y > -3; }"));
  CHECK(model.at("a") == "x 3 3, y 3 3");
  CHECK(model.at("c") == "x 3 3, y 3 3");
  const Analysed invariant(process("a -> b { }", "", "a, b { x - y <= 4 }, c"));
  CHECK(invariant.diagonals() == Words{"x - y <= 4"});
  CHECK(invariant.at("c") == "x 4 4, y 4 4");
}

TEST_CASE("clock bounds: before an update two clocks are compared otherwise", "[clock-bounds]") {
  const auto model = [](const std::string& update, const std::string& declarations) {
    return Analysed(
        process("a -> b { assign " + update + "; }, b -> c { guard x - y < 3; }", declarations));
  };
  // 10 - y < 3 is y > 7.
  CHECK(model("x = 10", "").at("a") == "x 3 3, y 7 7");
  CHECK(model("y = 10", "").at("c") == "x 13 13, y 3 3");
  CHECK(model("x = i", "int[-9,12] i;").at("a") == "x 3 3, y 9 9");
  CHECK(model("x = z + 1", "").diagonals() == Words{"x - y < 3", "y - z <= -2"});
  CHECK(model("x = z + 1", "").at("a") == "x 3 3, y 3 3, z 2 2");
  CHECK(model("y = z + 1", "").diagonals() == Words{"x - y < 3", "x - z < 4"});
  CHECK(model("y = x + i", "int[0,1] i;").diagonals() == Words{"x - y < 3"});
  CHECK(model("x = z + i", "int[0,1] i;").diagonals() ==
        Words{"x - y < 3", "y - z <= -3", "y - z <= -2"});
  // x comes from z, z from w.
  CHECK(model("x = z, z = w + 2", "clock w;").diagonals() ==
        Words{"x - y < 3", "y - z <= -3", "y - w <= -1"});
  CHECK(model("x = z", "").unbounded().empty());
}

TEST_CASE("clock bounds: a circle of copies that gains is reported", "[clock-bounds]") {
  const auto unbounded = [](const std::string& transitions, const std::string& declarations = "") {
    return Analysed(process(transitions + ", c -> c { guard x > 3; }", declarations)).unbounded();
  };
  CHECK(unbounded("a -> a { assign x = x - 1; }, a -> c { }") == "x");
  CHECK(unbounded("a -> b { assign x = y - 1; }, b -> a { assign y = x; }, a -> c { }") == "y");
  CHECK(unbounded("a -> b { assign x = y - 3; }, b -> a { assign y = x + 2; }, a -> c { }") == "y");
  CHECK(
      unbounded("a -> b { assign x = y - 3; }, b -> a { assign y = x + 3; }, a -> c { }").empty());
  CHECK(unbounded("a -> a { assign x = x + 1; }, a -> c { }").empty());
  CHECK(unbounded("a -> b { assign x = x - 1; }, b -> c { assign x = x - 1; }").empty());
  CHECK(unbounded("a -> a { assign x = 0, x = x - 1; }, a -> c { }").empty());
  CHECK(unbounded("a -> b { assign f(); }, b -> c { }",
                  "int[0,3] i; void f() { while (i > 0) { x = x - 1; i--; } }") == "x");
}

TEST_CASE("clock bounds: a straight line of copies adds up", "[clock-bounds]") {
  const Analysed model(
      process("a -> b { assign x = x - 1; }, b -> c { assign x = x - 2; }, "
              "c -> c { guard x > 3; }"));
  CHECK(model.unbounded().empty());
  CHECK(model.at("a") == "x 6 3");
  CHECK(model.at("b") == "x 5 2");
}

TEST_CASE("clock bounds: comparisons of two clocks that go on for ever are reported",
          "[clock-bounds]") {
  CHECK(Analysed(process("a -> a { guard x - y < 3; assign x = x + 1; }")).unbounded() != "");
  CHECK(one("x - y < i", "int i;").unbounded() == "x");
  CHECK(one("x - y < i", "int[0,63] i;").unbounded().empty());
}

TEST_CASE("clock bounds: deep calls are followed without end of time", "[clock-bounds]") {
  std::string functions = "void f0() { x = y; y = z; }";
  for (int i = 1; i < 40; ++i) {
    const std::string callee = "f" + std::to_string(i - 1) + "(); ";
    functions += " void f" + std::to_string(i) + "() { " + callee + callee + "}";
  }
  CHECK(behind("f39()", functions) == "x 5 -, y 6 -, z 6 -");
}

std::string large(std::size_t processes, std::size_t locations, std::size_t clocks) {
  std::string out = "clock w[" + std::to_string(clocks) + "]; process P(const int[0," +
                    std::to_string(processes - 1) + "] id) { state ";
  for (std::size_t i = 0; i < locations; ++i)
    out += (i == 0 ? "l" : ", l") + std::to_string(i);
  out += "; init l0; trans ";
  for (std::size_t i = 0; i < locations; ++i) {
    const std::string at = "l" + std::to_string(i);
    const std::string clock = "w[" + std::to_string(i % clocks) + "]";
    const std::string other = "w[" + std::to_string((i * 7 + 3) % clocks) + "]";
    out += (i == 0 ? "" : ", ") + at + " -> l" + std::to_string((i + 1) % locations) + " { guard " +
           clock + " > " + std::to_string(i) + "; assign " + other + " = 0; }, " + at + " -> l" +
           std::to_string((i * 31 + 5) % locations) + " { guard " + other + " < " +
           std::to_string(i) + "; assign " + clock + " = 0; }";
  }
  return out + "; } system P;";
}

TEST_CASE("clock bounds: large networks are analysed in no time", "[clock-bounds]") {
  const auto took_ms = [](const std::string& text) {
    const LoadedModel loaded = load_model_text("model.xta", text);
    REQUIRE(loaded.network);
    const auto start = std::chrono::steady_clock::now();
    const ClockBounds bounds(*loaded.network);
    const auto end = std::chrono::steady_clock::now();
    CHECK(!bounds.unbounded().valid());
    return std::chrono::duration<double, std::milli>(end - start).count();
  };
  // Far above what it takes: machines differ and sanitizers are slow.
  const double one_large = took_ms(large(1, 1000, 50));
  const double many = took_ms(large(100, 20, 100));
  CAPTURE(one_large, many);
  CHECK(one_large < 500);
  CHECK(many < 2000);
}

}  // namespace
}  // namespace tw
