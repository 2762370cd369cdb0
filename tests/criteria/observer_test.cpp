// What observers mean, on models made by hand.

#include "criteria/observer/observer.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/replay/check_run.hpp"
#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

using test::Lengths;
using test::Words;

struct Observed {
  Network network;
  CoverageRules rules;

  Observed(const std::string& model,
           const std::string& text,
           const CriterionOptions& options = {},
           const std::vector<std::string>& values = {})
      : network(test::network_of(model)) {
    const ObserverFile file = load_observer_text("test.obs", text);
    Diagnostics diagnostics = file.diagnostics;
    std::vector<observer::Binding> bindings;
    for (const std::string& value : values) {
      std::string problem;
      bindings.push_back(*parse_binding(value, problem));
    }
    if (file.observer)
      make_observer(file, bindings)->declare(network, options, rules, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::kError)
        FAIL(render(diagnostic, file.file));
  }

  [[nodiscard]] Words ids() const {
    Words out;
    for (const Item& item : rules.items())
      out.push_back(item.id);
    return out;
  }

  Lengths coverable() {
    Lengths out;
    const test::BruteForce found = test::brute_force(network, rules);
    REQUIRE(found.complete);
    for (std::size_t i = 0; i < found.shortest.size(); ++i)
      if (found.shortest[i])
        out.emplace(rules.items()[ItemId(i)].id, *found.shortest[i]);
    return out;
  }
};

constexpr const char* kLine = R"(
int[0,3] v; int[0,3] w;
process P() {
  state a, b, c;
  init a;
  trans a -> b { assign v = 1; },
        b -> c { guard v > 0; assign w = v; },
        c -> a { assign v = 2; };
}
system P;
)";

TEST_CASE("observer: an instance that no rule keeps is gone after a step", "[criteria][observer]") {
  const std::string rules =
      "rule start to one(E) with E := edge(P); rule one(E) to two(E, F) with F := edge(P);";
  const std::string head =
      "observer o(procid P;) { node one(edgeid); node two(edgeid, edgeid);" + rules;
  Observed gone(kLine, head + " accepting two; }");
  CHECK(gone.coverable() ==
        Lengths{{"o:P.a.b:P.b.c", 2}, {"o:P.b.c:P.c.a", 3}, {"o:P.c.a:P.a.b", 4}});
  Observed kept(kLine, head + " rule one(E) to one(E); accepting two; }");
  CHECK(kept.coverable().size() == 9);
}

TEST_CASE("observer: uses see the definitions of earlier steps", "[criteria][observer]") {
  Observed o(kLine,
             "observer o(varid V;) { node d(edgeid); node u(edgeid, edgeid);"
             " rule start to d(E) with def(V, E); rule d(E) to d(E) with no def(V);"
             " rule d(E) to u(E, F) with use(V, F); accepting u; }");
  CHECK(o.ids() == Words{"o:v:P.a.b:P.b.c", "o:v:P.c.a:P.b.c"});
  CHECK(o.coverable() == Lengths{{"o:v:P.a.b:P.b.c", 2}});
}

TEST_CASE("observer: values are those of the new state", "[criteria][observer]") {
  Observed o(kLine,
             "observer o(varid V;) { node n(int); rule start to n(I) with def(V), I := eval(V);"
             " accepting n; }");
  CHECK(o.coverable() == Lengths{{"o:v:1", 1}, {"o:v:2", 3}, {"o:w:1", 2}});
}

TEST_CASE("observer: conditions on states alone hold before the first step, too",
          "[criteria][observer]") {
  Observed states(kLine,
                  "observer o(procid P;) { node n(locid); rule start to n(L) with L := loc(P);"
                  " accepting n; }");
  CHECK(states.coverable() == Lengths{{"o:P.a", 0}, {"o:P.b", 1}, {"o:P.c", 2}});
  Observed steps(kLine,
                 "observer o(procid P;) { node n(locid); rule start to n(L) with L := loc(P),"
                 " edge(P); accepting n; }");
  CHECK(steps.coverable() == Lengths{{"o:P.a", 3}, {"o:P.b", 1}, {"o:P.c", 2}});
}

TEST_CASE("observer: names of the model", "[criteria][observer]") {
  Observed o(kLine,
             "observer o { node n; node m(locid);"
             " rule start to n with edge == P.b.c, eval(w) == 1, use(v);"
             " rule start to m(P.c) with loc(P) == P.c, no edge(P) == P.a.b;"
             " accepting n, m; }");
  CHECK(o.coverable() == Lengths{{"o:n", 2}, {"o:m:P.c", 2}});
}

constexpr const char* kTwo = R"(
chan go; int[0,1] x;
process T(const int[0,1] id) {
  state a, b;
  init a;
  trans a -> b { sync go!; assign x = id; },
        b -> a { guard x == id; };
}
process R() { state r; init r; trans r -> r { sync go?; assign x = 1; }; }
system T, R;
)";

TEST_CASE("observer: items are of templates or of processes", "[criteria][observer]") {
  const std::string text =
      "observer o(procid P;) { node n(edgeid); rule start to n(E) with E := edge(P);"
      " accepting n; }";
  Observed templates(kTwo, text);
  CHECK(templates.ids() == Words{"o:T.a.b", "o:T.b.a", "o:R.r.r"});
  Observed processes(kTwo, text, {.level = Level::kInstance});
  CHECK(processes.ids() ==
        Words{"o:T(0).a.b", "o:T(0).b.a", "o:T(1).a.b", "o:T(1).b.a", "o:R.r.r"});
  CHECK(processes.coverable() ==
        Lengths{{"o:T(0).a.b", 1}, {"o:T(1).a.b", 1}, {"o:T(1).b.a", 2}, {"o:R.r.r", 1}});
  Observed fixed(kTwo, text, {.level = Level::kInstance}, {"P=T(1)"});
  CHECK(fixed.ids() == Words{"o:T(1).a.b", "o:T(1).b.a"});
}

TEST_CASE("observer: of several definitions in a step only one is last", "[criteria][observer]") {
  const std::string rest = " accepting d; }";
  Observed plain(kTwo, "observer o { node d(edgeid); rule start to d(E) with def(x, E);" + rest);
  CHECK(plain.coverable() == Lengths{{"o:T.a.b", 1}, {"o:R.r.r", 1}});
  Observed last(kTwo,
                "observer o { node d(edgeid); rule start to d(E) with last def(x, E);" + rest);
  CHECK(last.coverable() == Lengths{{"o:R.r.r", 1}});
}

TEST_CASE("observer: one event may meet two conditions, two events one each",
          "[criteria][observer]") {
  Observed o(kTwo,
             "observer o(procid P; procid Q;) { node n(edgeid, syncid, edgeid);"
             " rule start to n(E, S, F) with E := edge(P), S := event(P), F := edge(Q), P != Q;"
             " accepting n; }");
  CHECK(o.coverable() == Lengths{{"o:T.a.b:go:R.r.r", 1}, {"o:R.r.r:go:T.a.b", 1}});
}

TEST_CASE("observer: an item tells its edges", "[criteria][observer]") {
  const Observed o(kLine,
                   "observer o(procid P;) { node n(edgeid); rule start to n(E) with E := edge(P);"
                   " accepting n; }");
  const Item& item = o.rules.items()[ItemId(1)];
  CHECK(item.label == "n (P b -> c)");
  CHECK(o.rules.item_families()[item.family].edges(item.arguments) == std::vector{EdgeId(1)});
  CHECK(o.rules.criteria()[item.criterion].rules == Words{"rule start to n(E) with E := edge(P)"});
}

}  // namespace
}  // namespace tw
