// --properties and --edge-init EXPR: what the user writes beside the model.
#include <nlohmann/json.hpp>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using test::Outcome;
using test::run;

constexpr const char* kModel =
    "int[0,3] n;\nprocess P() { state A, B; init A;\n"
    "  trans A -> B { assign n = 1; }, B -> A { assign n = 0; }; }\nsystem P;\n";

TEST_CASE("generate takes requirements from a file, and check from the suite",
          "[cli][properties]") {
  const test::Workspace workspace;
  workspace.write("model.xta", kModel);
  workspace.write("rules.ltl", "Turn: G (P.B -> X P.A);\nF n == 1;\n");
  const Outcome made = run(workspace,
                           "generate model.xta -c vc,ufc --properties rules.ltl --format json "
                           "-o suite.json");
  CHECK(made.code == 0);
  CHECK_THAT(made.err, !Contains("warning"));
  const json suite = json::parse(workspace.read("suite.json"));
  CHECK(suite.at("options").at("properties").at("file") == "rules.ltl");
  CHECK(suite.at("items").at(0).at("id") == "vc:Turn#1");
  CHECK(suite.at("items").at(2).at("id") == "vc:P2#1");
  test::fs::remove(workspace.path() / "rules.ltl");
  const Outcome checked = run(workspace, "check model.xta suite.json");
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, Contains("all ok"));
}

TEST_CASE("generate says what is wrong with requirements", "[cli][properties][bad]") {
  const test::Workspace workspace;
  workspace.write("model.xta", kModel);
  workspace.write("rules.ltl", "R: G (P.C -> n > 0);\n");
  Outcome outcome = run(workspace, "generate model.xta -c vc --properties rules.ltl");
  CHECK(outcome.code == 3);
  CHECK(outcome.err ==
        "rules.ltl:1:9: error: process 'P' has no location or variable 'C'\n"
        "  1 | R: G (P.C -> n > 0);\n"
        "    |         ^\n"
        "1 error, 0 warnings\n");
  outcome = run(workspace, "generate model.xta -c vc --properties nothing.ltl");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Contains("nothing.ltl"));
  outcome = run(workspace, "generate model.xta -c vc");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err,
             Contains("'vc' has no items: there are no requirements") && Contains("--properties"));
}

TEST_CASE("edge-init: the option takes a condition", "[cli][properties]") {
  const test::Workspace workspace;
  workspace.write("model.xta", kModel);
  const Outcome made = run(workspace,
                           "generate model.xta -c edge-init --edge-init 'P.B and n == 1' --format "
                           "json -o suite.json");
  CHECK(made.code == 0);
  CHECK(json::parse(workspace.read("suite.json")).at("options").at("edge_init") ==
        "P.B and n == 1");
  CHECK(run(workspace, "check model.xta suite.json").code == 0);
  const Outcome wrong = run(workspace, "generate model.xta -c edge-init --edge-init variable");
  CHECK(wrong.code == 3);
  CHECK_THAT(wrong.err, Contains("--edge-init:1:1: error: unknown name 'variable'"));
}

}  // namespace
}  // namespace tw
