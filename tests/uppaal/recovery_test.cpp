// One mistake must not hide another: each label, declaration and the system line is checked on its
// own, and what follows from a mistake stays quiet. What used to pass without a word is said.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

using Words = std::vector<std::string>;

Words words_of(const LoadedModel& model) {
  CHECK(model.network.has_value() == !model.diagnostics.has_errors());
  Words out;
  for (const Diagnostic& d : model.diagnostics.all()) {
    const SourcePosition at = position_of(model.file, d.where.begin);
    out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
                  (d.severity == Severity::kWarning ? "warning: " : "") + d.message);
  }
  return out;
}

// Messages with line and column.
Words xta(std::string_view text) { return words_of(load_model_text("m.xta", std::string(text))); }

Words xml(std::string_view text) { return words_of(load_model_text("m.xml", std::string(text))); }

std::string hint_of(std::string_view text) {
  const LoadedModel model = load_model_text("m.xta", std::string(text));
  REQUIRE_FALSE(model.diagnostics.all().empty());
  return model.diagnostics.all().front().hint;
}

TEST_CASE("a forgotten semicolon hides nothing", "[uppaal][recovery]") {
  CHECK(xta("int a\nint b = c;\nprocess P() { state A; init A;\n"
            "trans A -> A { guard a == 0 && d == 0; }; }\nsystem P, Q;\n") ==
        Words{"2:1 expected ';' after the declaration, found 'int'", "2:9 unknown name 'c'",
              "4:32 unknown name 'd'", "5:11 there is no process 'Q'"});
  CHECK(xta("typedef int[0,3] id_t\nid_t x;\nvoid f() {\n  x = 1\n  x = y;\n}\n"
            "process P() { state A; init A; }\nsystem P;\n") ==
        Words{"2:1 expected ';' after the type declaration, found 'id_t'",
              "5:3 expected ';' after the statement, found 'x'", "5:7 unknown name 'y'"});
  CHECK(xta("int x;\nprocess P() { state A; init A\ntrans A -> A { guard x == 0\n"
            "sync c!; assign y = 1; }; }\nsystem P\n") ==
        Words{"3:1 expected ';' after the initial location, found 'trans'",
              "4:1 expected ';' after the guard, found 'sync'", "4:6 unknown name 'c'",
              "4:17 unknown name 'y'",
              "5:9 expected ';' after the system line, found the end of the text"});
}

TEST_CASE("each label is checked on its own", "[uppaal][recovery]") {
  CHECK(xml("<nta><declaration>int x;</declaration>\n<template><name>P</name>\n"
            "<location id='a'><label kind='invariant'>x == </label></location>\n<init ref='a'/>\n"
            "<transition><source ref='a'/><target ref='a'/>\n"
            "<label kind='select'>i : int[0,3</label>\n"
            "<label kind='guard'>i == 0 &amp;&amp; y == 0</label>\n"
            "<label kind='assignment'>x = 1; x = 2</label>\n"
            "<label kind='synchronisation'>c!</label></transition></template>\n"
            "<system>system P, Q;</system></nta>") ==
        Words{"3:46 expected an expression, found the end of the text",
              "6:33 expected ']' after the bounds of the type, found the end of the text",
              "7:39 unknown name 'y'", "8:31 expected nothing more after the update, found ';'",
              "9:31 unknown name 'c'", "10:19 there is no process 'Q'"});
}

TEST_CASE("what a lost declaration would have declared is not missed", "[uppaal][recovery]") {
  CHECK(xta("int[0,3 lost = 1, gone;\nint a = other;\nprocess P(int[0,lost] p) { state A; init A;\n"
            "trans A -> A { guard lost == gone; assign gone = 1; }; }\nsystem P;\n") ==
        Words{"1:9 expected ']' after the bounds of the type, found 'lost'",
              "2:9 unknown name 'other'"});
  CHECK(xta("process P() { state A, B C; init A; trans B -> C { }, A -> D { }; }\nsystem P;\n") ==
        Words{"1:26 expected ';' after the states, found 'C'", "1:60 unknown location 'D'"});
  CHECK(xta("void f() { int x y; x = 1; z = 2; }\nprocess P() { state A; init A; }\nsystem P;\n") ==
        Words{"1:18 expected ';' after the declaration, found 'y'", "1:28 unknown name 'z'"});
}

TEST_CASE("a template in error is not missed either", "[uppaal][recovery]") {
  CHECK(xml("<nta><template>\n<location id='a'/><init ref='b'/>\n<transition><source ref='c'/>"
            "<target ref='a'/><label kind='guard'>z</label></transition></template>\n"
            "<system>system P;</system></nta>") ==
        Words{"1:6 template without name", "2:30 no location has id 'b'",
              "3:26 no location or branchpoint has id 'c'", "3:67 unknown name 'z'"});
}

// All hints, in order of place.
Words hints_of(std::string_view text) {
  const LoadedModel model = load_model_text("m.xta", std::string(text));
  Words out;
  for (const Diagnostic& d : model.diagnostics.all())
    out.push_back(d.hint);
  return out;
}

TEST_CASE("a suggestion is of the kind that is wanted", "[uppaal][recovery]") {
  CHECK(hints_of("chan press; int pres;\nprocess P() { state prss_, prsss; init prsss;\n"
                 "trans prsss -> prsss { guard prss == 0; sync prss!; }; }\nsystem P;\n") ==
        Words{"did you mean 'pres'? (declared at m.xta:1:17)",
              "did you mean 'press'? (declared at m.xta:1:6)"});
  CHECK(hints_of("int[0,3] size;\ntypedef int[0,3] sizes;\nint sizer() { return 1; }\n"
                 "szes x = 1;\nint y = szer();\nint z = sze;\nprocess P() { state A; init A; }\n"
                 "process Pump(const int[0,1] pmp) { state A; init A; }\nQ = Pmp(1);\n"
                 "system P, Q, Pum;\n") == Words{"did you mean 'sizes'? (declared at m.xta:2:18)",
                                                 "did you mean 'sizer'? (declared at m.xta:3:5)",
                                                 "did you mean 'size'? (declared at m.xta:1:10)",
                                                 "did you mean 'Pump'? (declared at m.xta:8:9)",
                                                 "did you mean 'Pump'? (declared at m.xta:8:9)"});
}

TEST_CASE("a misspelt keyword is recognised", "[uppaal][recovery]") {
  CHECK(hints_of("bool b = ture;\nimt x;\nprocess P() { state A; init A; }\nsystem P;\n") ==
        Words{"did you mean 'true'?", "did you mean 'int'?"});
  CHECK(hint_of("int x;\nprocess P() { state A; init A; trans A -> A { gaurd x == 0; }; }\n"
                "system P;\n") == "did you mean 'guard'?");
  CHECK(hint_of("boardcast chan c;\nprocess P() { state A; init A; }\nsystem P;\n") ==
        "did you mean 'broadcast'?");
  CHECK(hint_of("process P() { state A; init A; tarns A -> A { }; }\nsystem P;\n") ==
        "did you mean 'trans'?");
}

TEST_CASE("a reversed range is a warning where it makes something pointless",
          "[uppaal][recovery]") {
  CHECK(
      xta("process P() { state A; init A; trans A -> A { select i : int[3,0]; guard i == 0; }; }\n"
          "system P;\n") ==
      Words{"1:58 warning: the range [3,0] is empty: the edge can never be taken"});
  CHECK(hint_of("process P() { state A; init A; trans A -> A { select i : int[3,0]; guard i == 0; "
                "}; }\nsystem P;\n") == "the lower bound comes first");
  CHECK(xta("int x;\nvoid f() { for (i : int[1,0]) x = i; }\n"
            "process P() { state A; init A; trans A -> A {\n"
            "guard forall (i : int[2,1]) x == i; assign f(); }; }\nsystem P;\n") ==
        Words{"2:21 warning: the range [1,0] is empty: the loop does nothing",
              "4:19 warning: the range [2,1] is empty: the quantifier looks at nothing"});
  CHECK(xta("typedef int[1,0] none_t;\nprocess P() { state A; init A; }\nsystem P;\n") ==
        Words{"1:9 warning: the range [1,0] is empty: no value fits"});
}

TEST_CASE("a query that is none is a warning", "[uppaal][recovery]") {
  const auto query = [](const std::string& formula) {
    return xml(
        "<nta><template><name>P</name><location id='a'><name>A</name></location>"
        "<init ref='a'/></template><system>system P;</system><queries><query>\n<formula>" +
        formula + "</formula><comment/></query></queries></nta>");
  };
  CHECK(query("E&lt;&gt; P.A &amp;&amp;") ==
        Words{"2:34 warning: this query is not read: expected an expression, found the end of the "
              "text"});
  CHECK(query("P.A") == Words{"2:10 warning: this query is not read: it begins like none"});
  CHECK(query("// E&lt;&gt; P.\nE&lt;&gt; P.A").empty());
  for (const char* fine :
       {"", "// nothing", "A&lt;&gt; P.A", "E[] P.A", "P.A --&gt; P.A", "A[] not deadlock",
        "sup{P.A}: 1", "Pr[&lt;=10](&lt;&gt; P.A)", "simulate 1 [&lt;=3] {P.A}",
        "strategy S = control: A&lt;&gt; P.A", "E&lt;&gt; P.A under S",
        "A[] (P.A &amp;&amp; A&lt;&gt; P.A)", "control: A[] P.A", "refinement: P &lt;= P",
        "E[&lt;=100; 50] (max: 1)", "{ } control: A[] P.A"}) {
    CAPTURE(fine);
    CHECK(query(fine).empty());
  }
}

TEST_CASE("of an attribute that is given twice the second is ignored, not silently",
          "[uppaal][recovery]") {
  CHECK(xml("<nta><template><name>P</name><location id='a' id='b'><name>A</name></location>"
            "<init ref='a'/></template><system>system P;</system></nta>") ==
        Words{"1:47 warning: attribute 'id' of 'location' is given twice: the second one is "
              "ignored"});
}

TEST_CASE("prices load with one warning", "[uppaal][recovery]") {
  CHECK(xta("clock x;\nprocess P() { state A { x <= 5 && cost' == 3 }, B { cost' == 2 }; init A;\n"
            "trans A -> B { guard x >= 1; assign cost += 2, reward = reward + x, x = 0; },\n"
            "B -> A { assign cost++; }; }\nsystem P;\n") ==
        Words{"2:35 warning: prices are ignored: 'cost' is not declared"});
  CHECK(xta("process P() { state A; init A; trans A -> A { guard cost < 5; }; }\nsystem P;\n") ==
        Words{"1:53 warning: prices are ignored: 'cost' is not declared",
              "1:53 a guard depends on a real value"});
  // A model's own variable of this name is one like any other.
  CHECK(xta("int cost;\nprocess P() { int reward; state A; init A;\n"
            "trans A -> A { guard cost < 5; assign cost++, reward = cost; }; }\nsystem P;\n")
            .empty());
}

TEST_CASE("a short list is filled up with a warning", "[uppaal][recovery]") {
  const LoadedModel model = load_model_text(
      "m.xta",
      "int a[4] = {7, 8};\nstruct { int[2,5] k; bool b; } s[3] = {{3, true}};\nint m[2][2] = "
      "{{1}};\n"
      "int f() { int l[3] = {1}; return l[0] + l[1] + l[2] + a[3] + m[1][1] + s[2].k; }\n"
      "process P(const int N) { int b[N] = {9}; state A; init A;\n"
      "trans A -> A { guard f() == b[1] + 3; }; }\nQ = P(3);\nsystem Q;\n");
  CHECK(words_of(model) == Words{"1:12 warning: 2 values for 4 elements; the others start at 0",
                                 "2:39 warning: 1 value for 3 elements; the others start at 0",
                                 "3:15 warning: 1 value for 2 elements; the others start at 0",
                                 "3:16 warning: 1 value for 2 elements; the others start at 0",
                                 "4:22 warning: 1 value for 3 elements; the others start at 0",
                                 "5:37 warning: 1 value for 3 elements; the others start at 0"});
  CHECK(xta("int[3,5] a[2] = {4};\nprocess P() { state A; init A; trans A -> A { guard a[0] == 3; "
            "}; }\nsystem P;\n") ==
        Words{"1:17 warning: 1 value for 2 elements; the others start at 3"});
  REQUIRE(model.network);
  std::vector<std::int32_t> cells;
  for (const Cell& cell : model.network->cells)
    cells.push_back(cell.initial);
  CHECK(cells == std::vector<std::int32_t>{7, 8, 0, 0, 3, 1, 2, 0, 2, 0, 1, 0, 0, 0, 9, 0, 0, 3});
  CHECK(xta("int a[2] = {1, 2, 3};\nprocess P() { state A; init A; }\nsystem P;\n") ==
        Words{"1:12 3 values for 2 elements"});
}

}  // namespace
}  // namespace tw
