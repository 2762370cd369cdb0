// Queries and requirements as items: what is declared, what a run covers, what is said about those
// that cannot be used.

#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/suite/generate.hpp"
#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

using test::Declared;
using test::Lengths;
using test::Words;

// (!a, !b), (a, !b), (!a, b), as in Fraser and Gargantini (2009).
constexpr const char* kExample =
    "bool a, b;\n"
    "process P() { state S0, S1, S2; init S0;\n"
    "  trans S0 -> S1 { assign a = true; }, S1 -> S2 { assign a = false, b = true; }; }\n"
    "system P;\n";

Network with_properties(const std::string& model, const std::string& text) {
  LoadedModel loaded =
      load_model_text("model.xta", model, {{.file = {.path = "rules.ltl", .text = text}}});
  REQUIRE(loaded.network);
  for (const Diagnostic& d : loaded.properties.front().diagnostics.all())
    FAIL(render(d, loaded.properties.front().file));
  return std::move(*loaded.network);
}

Words messages(const Diagnostics& diagnostics) {
  Words out;
  for (const Diagnostic& d : diagnostics.all())
    out.push_back(std::string(name_of(d.severity)) + ": " + d.message);
  return out;
}

TEST_CASE("ufc: a, not b, is the unique first cause of F (a || b)", "[criteria][ufc]") {
  Declared example(with_properties(kExample, "R: F (a || b);"), "ufc");
  CHECK(example.ids() == Words{"R#1", "R#2"});
  CHECK(example.labels() ==
        Words{"a is the first cause of F (a || b)", "b is the first cause of F (a || b)"});
  CHECK(example.covered_by({}).empty());
  CHECK(example.covered_by({0}) == Words{"R#1"});
  CHECK(example.covered_by({0, 1}) == Words{"R#1"});
  CHECK(example.coverable() == Lengths{{"R#1", 1}});
}

TEST_CASE("ufc: after a violation nothing is a first cause of G p", "[criteria][ufc]") {
  // !a || b: true, false, true because of both.
  Declared broken(with_properties(kExample, "R: G (a -> b);"), "ufc");
  CHECK(broken.coverable() == Lengths{{"R#1", 0}});
  Declared holds(with_properties(kExample, "R: G (!b || !a);"), "ufc");
  CHECK(holds.coverable() == Lengths{{"R#1", 1}, {"R#2", 2}});
}

TEST_CASE("vc: a clause matters where the requirement without it fails", "[criteria][vc]") {
  Declared vacuous(with_properties(kExample, "R: G (a && b -> P.S0);"), "vc");
  CHECK(vacuous.ids() == Words{"R#1", "R#2", "R#3"});
  // a := true asks for b outside of S0, b := true for a; P.S0 := false for both at once.
  CHECK(vacuous.coverable() == Lengths{{"R#1", 2}, {"R#2", 1}});
  Declared mixed(with_properties(kExample, "R: G (a xor b);"), "vc");
  CHECK(mixed.ids() == Words{"R#1=false", "R#1=true", "R#2=false", "R#2=true"});
}

TEST_CASE("vc: what a run must do before counts", "[criteria][vc]") {
  // !(false U b) is !b at the beginning; !(a U false) is true.
  Declared until(with_properties(kExample, "R: a U b;"), "vc");
  CHECK(until.coverable() == Lengths{{"R#1", 0}, {"R#2", 0}});
  // !(true && X X false): two more states.
  Declared next(with_properties(kExample, "R: P.S0 && X X P.S1;"), "vc");
  CHECK(next.coverable() == Lengths{{"R#1", 0}, {"R#2", 2}});
}

TEST_CASE("query: each E<> p is an item, called by its comment or its number",
          "[criteria][query]") {
  Declared queries(std::string(kExample) +
                       "query { E<> a }\nquery { E<> a && b }\nquery { A[] !a }\n"
                       "query { A<> a }\nquery {  E<>   P.S2 and not a  }\n",
                   "query");
  CHECK(queries.ids() == Words{"Q1", "Q2", "Q5"});
  CHECK(queries.labels() == Words{"E<> a", "E<> a && b", "E<> P.S2 and not a"});
  CHECK(queries.coverable() == Lengths{{"Q1", 1}, {"Q5", 2}});
  CHECK(queries.diagnostics.all().empty());
}

TEST_CASE("query, vc, ufc: a wrong query is a warning of those who need it",
          "[criteria][query][vc]") {
  const std::string text = std::string(kExample) + "query { E<> P.S9 }\nquery { A[] nothing }\n";
  const LoadedModel model = load_model_text("model.xta", text);
  CHECK(model.diagnostics.all().empty());
  Declared query(text, "query");
  CHECK(messages(query.diagnostics) ==
        Words{"warning: this query is left out: process 'P' has no location or variable 'S9'",
              "warning: 'query' has no items: the model has no query of the form E<> p"});
  CHECK(messages(Declared(text, "vc").diagnostics) ==
        Words{"warning: this query is left out: unknown name 'nothing'",
              "warning: 'vc' has no items: there are no requirements"});
  CHECK(Declared(text, "edge").diagnostics.all().empty());
}

TEST_CASE("requirements: limits and clocks", "[criteria][vc][ufc]") {
  const std::string timed =
      "clock x;\nprocess P() { state A; init A; trans A -> A { assign x = 0; }; }\nsystem P;\n";
  Declared until(with_properties(timed, "R: P.A U x > 3;"), "ufc");
  REQUIRE(until.diagnostics.errors() == 1);
  CHECK(messages(until.diagnostics).front() ==
        "error: requirement 'R' (rules.ltl:1:4) cannot be used for ufc: clocks can be looked at in "
        "'A[] p' and 'G p' only, where p speaks of one state");
  CHECK(Declared(with_properties(timed, "R: G (x > 3 -> P.A);"), "ufc").diagnostics.all().empty());
  const std::string many =
      "int[0,9] a[70];\nprocess P() { state A; init A; }\nsystem P;\n"
      "query { A[] forall (i : int[0,69]) a[i] == 0 }\n";
  CHECK(messages(Declared(many, "vc").diagnostics) ==
        Words{"warning: this query is left out of vc: it looks at more than 62 different things"});
}

TEST_CASE("edge-init: a condition says what is similar to the initial state",
          "[criteria][edge-init]") {
  LoadedModel loaded = load_model_text(
      "model.xta", kExample,
      {{.file = {.path = "--edge-init", .text = "b && P.S2"}, .is_condition = true}});
  REQUIRE(loaded.network);
  Declared back(std::move(*loaded.network), "edge-init",
                {.initial = InitialSimilarity::kCondition});
  CHECK(back.coverable() == Lengths{{"P.S0.S1", 2}, {"P.S1.S2", 2}});
  CHECK(back.labels().front().ends_with("then back to b && P.S2"));
}

// Whatever the models ask is read, except for deadlocks; and what they can reach is reached.
TEST_CASE("query: the queries of all shipped models are items", "[criteria][query][models]") {
  std::size_t items = 0;
  std::size_t infeasible = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(TW_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".xml")
      continue;
    INFO(entry.path());
    LoadedModel model = load_model(entry.path().string());
    REQUIRE(model.network);
    for (const Query& query : model.network->queries) {
      INFO(query.formula);
      CHECK(query.problems.empty());
      const bool is_state = query.formula.starts_with("E<>") || query.formula.starts_with("A[]");
      const bool asks_deadlock = query.formula.find("deadlock") != std::string::npos;
      CHECK(query.property.has_value() == (is_state && !asks_deadlock));
    }
    CoverageRules rules;
    Diagnostics diagnostics;
    make_criterion("query")->declare(*model.network, {}, rules, diagnostics);
    const Generated found = generate(*model.network, rules, {.search = {.max_states = 300'000}});
    CHECK(found.internal_error.empty());
    for (std::size_t i = 0; i < found.verdicts.size(); ++i) {
      const bool covered = found.verdicts[i].status == ItemStatus::kCovered;
      ++items;
      infeasible += covered ? 0U : 1U;
      INFO(rules.items()[ItemId(i)].label);
      CHECK((covered || entry.path().stem() == "infeasible"));
    }
  }
  CHECK(items >= 35);
  CHECK(infeasible == 7);
}

}  // namespace
}  // namespace tw
