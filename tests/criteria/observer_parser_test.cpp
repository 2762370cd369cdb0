// What is wrong with an observer file is told with its place, all of it in one run.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/observer/observer.hpp"
#include "criteria/observer/parser.hpp"
#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

using Lines = std::vector<std::string>;

// "line:column: message"
Lines told(const SourceFile& file, const Diagnostics& diagnostics) {
  Lines out;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const SourcePosition at = position_of(file, diagnostic.where.begin);
    out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                  (diagnostic.severity == Severity::kWarning ? "warning: " : "") +
                  diagnostic.message);
  }
  return out;
}

Lines problems(const std::string& text) {
  const ObserverFile file = load_observer_text("test.obs", text);
  CHECK(file.observer.has_value() == !file.diagnostics.has_errors());
  return told(file.file, file.diagnostics);
}

constexpr const char* kModel = R"(
int el; int[0,3] list[2]; clock x; chan go; const int MAX = 3;
process Train(const int[0,1] id) {
  int own;
  state Safe, Appr;
  init Safe;
  trans Safe -> Appr { sync go!; assign el = id, own = 1; },
        Appr -> Safe { guard el == id; };
}
process Gate() {
  state Free;
  init Free;
  trans Free -> Free { sync go?; assign list[0] = 1; };
}
system Train, Gate;
)";

// The same for what only shows with a model.
Lines problems_with_model(const std::string& text, const std::vector<std::string>& values = {}) {
  const Network network = test::network_of(kModel);
  const ObserverFile file = load_observer_text("test.obs", text);
  for (const std::string& line : told(file.file, file.diagnostics))
    INFO(line);
  REQUIRE(file.observer);
  std::vector<observer::Binding> bindings;
  for (const std::string& value : values) {
    std::string problem;
    bindings.push_back(*parse_binding(value, problem));
  }
  CoverageRules rules;
  Diagnostics diagnostics;
  make_observer(file, bindings)->declare(network, {}, rules, diagnostics);
  return told(file.file, diagnostics);
}

// A rule in an observer with parameters P, V, I and nodes n(edgeid), m(locid).
Lines in_rule(const std::string& rule) {
  return problems_with_model(
      "observer o(procid P; varid V; templid T;) { node n(edgeid); node m(locid);\n" + rule +
      ";\nrule start to n(E) with E := edge(P), def(V), edge(T);"
      " rule start to m(L) with L := loc(P), def(V), edge(T); accepting n, m; }");
}

TEST_CASE("observer parser: every mistake is told, with its place", "[criteria][observer]") {
  CHECK(problems("") == Lines{"1:1: expected 'observer', found the end of the file",
                              "1:1: the observer is not closed"});
  CHECK(problems("observer o { node n; rule start to n; accepting n; }").empty());
  CHECK(problems("observer o(procd P;) { node n; rule start to n; accepting n; }") ==
        Lines{"1:12: expected a type, found 'procd'"});
  CHECK(problems("observer o {\n  nod n;\n  node m(edgid);\n  rule start n;\n  accepting n\n}") ==
        Lines{"2:3: expected 'node', 'rule' or 'accepting', found 'nod'",
              "3:10: expected a type, found 'edgid'", "4:14: expected 'to', found 'n'",
              "6:1: expected ';', found '}'"});
  CHECK(problems("observer o { node n; rule start to n with E = edge; accepting n; }") ==
        Lines{"1:45: '=' is no comparison"});
  CHECK(problems("observer edge { node n; rule start to n; accepting n; }") ==
        Lines{"1:10: 'edge' is a word of the language"});
  CHECK(problems("observer o { node n; rule start to n; accepting n; } more") ==
        Lines{"1:54: unexpected 'more' behind the observer"});
  CHECK(problems("observer o { node n; rule start to n with frob(P); accepting n; }") ==
        Lines{"1:47: unknown function 'frob'"});
  CHECK(problems("observer o { node n; /* accepting n; }") ==
        Lines{"1:22: comment without end", "1:39: the observer is not closed"});
  CHECK(problems(
            "observer o { node n; rule start to n with eval(V) == 99999999999; accepting n; }") ==
        Lines{"1:54: number '99999999999' is too large"});
  CHECK(problems("observer o { node n; rule start to n with V $ W; accepting n; }") ==
        Lines{"1:45: unexpected '$'", "1:47: expected ';', found 'W'"});
}

TEST_CASE("observer parser: no input makes it fail otherwise", "[criteria][observer]") {
  const std::string text =
      "observer o(procid P; varid V) { node n(edgeid, int); // c\n rule start to n(E, 3) with "
      "E := edge(P), no last def(V, _, P), eval(V) <= -4, loc(Train(1)) != Train.Safe.2;\n"
      "rule n(E, I) to n(E, I); accepting n; }";
  for (std::size_t i = 0; i < text.size(); ++i) {
    (void)load_observer_text("t.obs", text.substr(0, i));
    (void)load_observer_text("t.obs", text.substr(i));
    std::string changed = text;
    changed.erase(i, 1);
    (void)load_observer_text("t.obs", changed);
    for (const char c : {'(', ')', ';', '.', '[', '\0', '\xC3', '9', '{'}) {
      changed = text;
      changed[i] = c;
      (void)load_observer_text("t.obs", changed);
    }
  }
  std::string deep = "observer o { node n; rule start to n with ";
  for (int i = 0; i < 100'000; ++i)
    deep += "source(";
  CHECK_FALSE(load_observer_text("t.obs", deep).observer);
}

TEST_CASE("observer checker: nodes", "[criteria][observer]") {
  CHECK(problems("observer o(procid P; int P;) { node n; node n; node start;\n"
                 "rule start to n(E); rule m to n; rule start(E) to n; rule n to start;\n"
                 "accepting n, k, start, n; }") ==
        Lines{"1:19: warning: parameter 'P' is not used", "1:26: parameter 'P' is declared twice",
              "1:26: warning: parameter 'P' is not used", "1:45: node 'n' is declared twice",
              "1:53: 'start' is always there", "2:15: 'n' has 0 arguments, not 1",
              "2:26: unknown node 'm'", "2:39: 'start' has no arguments",
              "2:64: no rule leads to 'start': it is always active", "3:14: unknown node 'k'",
              "3:17: 'start' cannot be accepting", "3:24: warning: 'n' is accepting twice"});
  CHECK(problems("observer o { node a; node b; node c; node d; rule start to a; rule b to c;\n"
                 "accepting a, c; }") ==
        Lines{"1:27: warning: no rules lead to node 'b'",
              "1:35: no rules lead from 'start' to accepting node 'c'",
              "1:43: warning: no rules lead to node 'd'"});
  CHECK(problems("observer o { node a; rule start to a; }") ==
        Lines{"1:10: no node is accepting, so nothing can be covered"});
}

TEST_CASE("observer checker: rules", "[criteria][observer]") {
  CHECK(in_rule("rule start to n(E) with E := edge(P)").empty());
  CHECK(in_rule("rule start to n(E) with edge(P) == Train.Safe.Appr") ==
        Lines{"2:17: unknown edge 'E'"});
  CHECK(in_rule("rule start to n(E) with def(V), no def(V, E)") ==
        Lines{"2:6: 'E' gets no value in this rule"});
  CHECK(in_rule("rule start to n(E) with E := loc(P)") ==
        Lines{"2:25: 'E' is of type edgeid; expected: location"});
  CHECK(in_rule("rule start to n(E) with E := edge(V)") ==
        Lines{"2:35: 'V' is of type varid; expected: process or template"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), loc(P) == Train.Saef") ==
        Lines{"2:49: unknown location 'Train.Saef'"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), use(ell)") ==
        Lines{"2:43: unknown variable 'ell'"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), eval(x) == 1") ==
        Lines{"2:39: a clock has no value that stays"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), loc(P)") ==
        Lines{"2:39: this is no condition"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), def(V, E, P, P)") ==
        Lines{"2:39: 'def' takes 1 to 3 arguments, not 4"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), last use(V)") ==
        Lines{"2:39: 'last' belongs before 'def'"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), no last def(V, E)") ==
        Lines{"2:39: 'no last def' cannot ask for an edge"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), E < 3") ==
        Lines{"2:39: '<' compares numbers, not values of type edgeid"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), E == P") ==
        Lines{"2:44: this is a value of type procid; expected: edge"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), no edge(P) != E") ==
        Lines{"2:39: 'no' with '!=' is not possible for what happens in a step"});
  CHECK(in_rule("rule start to n(_) with edge(P)") ==
        Lines{"2:17: an argument of the target needs a value"});
  CHECK(in_rule("rule start to n(E) with E := edge(P), edge, edge, edge, edge") ==
        Lines{"2:6: the rule asks for 5 things to happen in one step: more than 4"});
  CHECK(
      in_rule("rule start to n(E) with E := edge(P), eval(V) > MAX, loc(Train(1)) == Train(1).Safe")
          .empty());
}

TEST_CASE("observer checker: values of parameters", "[criteria][observer]") {
  const std::string text =
      "observer o(procid P; int I;) { node n(edgeid); rule start to n(E) with E := edge(P),"
      " eval(list[0]) == I; accepting n; }";
  CHECK(problems_with_model(text) == Lines{});
  const std::string less =
      "observer o(procid P; int I;) { node n(edgeid); rule start to n(E) with E := edge(P),"
      " eval(el) < I; accepting n; }";
  CHECK(problems_with_model(less) == Lines{"1:26: 'I' has no range of values"});
  CHECK(problems_with_model(less, {"I=1", "P=Train(1)"}).empty());
  CHECK(problems_with_model(less, {"o.I=-1", "other.P=Nothing"}).empty());
  CHECK(problems_with_model(less, {"I=MAX", "P=Trian(1)"}) ==
        Lines{"1:19: --observer P=Trian(1): the model has no process 'Trian(1)'"});
  CHECK(problems_with_model(less, {"I=Gate"}) ==
        Lines{"1:26: --observer I=Gate: the model has no integer constant 'Gate'"});
  std::string problem;
  CHECK_FALSE(parse_binding("nothing", problem));
  CHECK(problem == "'nothing' is not NAME=VALUE");
  CHECK_FALSE(parse_binding("P=a b", problem));
  CHECK(problem == "'a b' is no name or number");
}

TEST_CASE("observer checker: names of observers", "[criteria][observer]") {
  CHECK(problems_with_model("observer location { node n; rule start to n; accepting n; }") ==
        Lines{"1:10: 'location' is the name of a built-in criterion"});
}

TEST_CASE("observer checker: what is too large is refused", "[criteria][observer]") {
  // The range of an int is 65536 values, each a state to look for.
  CHECK(problems_with_model("observer o { node n(int); rule start to n(I) with I := eval(el);"
                            " accepting n; }") ==
        Lines{"1:32: the rule asks for 65536 different states: more than 4096"});
}

}  // namespace
}  // namespace tw
