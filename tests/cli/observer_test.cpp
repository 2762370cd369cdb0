// Observer files on the command line: generate, check, explain, criteria.
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

class Workspace : public test::Workspace {
 public:
  Workspace() {
    write("small.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/small.xta"));
    write("mine.obs",
          "observer mine(procid P;) {\n  node n(edgeid);\n"
          "  rule start to n(E) with E := edge(P);\n  accepting n;\n}\n");
  }
};

TEST_CASE("an observer file is a criterion", "[cli][observer]") {
  const Workspace workspace;
  const Outcome own = run(workspace, "generate small.xta -c mine.obs --format csv");
  CHECK(own.code == 0);
  CHECK(own.err.empty());
  CHECK_THAT(own.out, Contains("\nmine:Worker.Busy.Idle.2,mine,covered,"));
  const Outcome both = run(workspace, "generate small.xta -c edge,mine.obs");
  CHECK(both.code == 0);
  CHECK_THAT(both.out, Contains("\nedge ") && Contains("\nmine "));
  const Outcome fixed =
      run(workspace, "generate small.xta -c mine.obs --observer P=Nobody --format csv");
  CHECK(fixed.code == 3);
  CHECK_THAT(fixed.err, Contains("mine.obs:1:22: error: --observer P=Nobody: the model has no "
                                 "process 'Nobody'"));
}

TEST_CASE("check finds the observer of a suite again", "[cli][observer]") {
  const Workspace workspace;
  REQUIRE(run(workspace, "generate small.xta -c edge,mine.obs --format json -o suite.json").code ==
          0);
  const json suite = json::parse(workspace.read("suite.json"));
  CHECK(suite.at("options").at("criteria").at(1) ==
        json{{"name", "mine"}, {"options", ""}, {"file", "mine.obs"}});
  CHECK(run(workspace, "check small.xta suite.json").code == 0);
  workspace.write("moved.obs", workspace.read("mine.obs"));
  test::fs::remove(workspace.path() / "mine.obs");
  const Outcome gone = run(workspace, "check small.xta suite.json");
  CHECK(gone.code == 3);
  CHECK_THAT(gone.err, Contains("cannot read 'mine.obs'") && Contains("-c FILE.obs"));
  CHECK(run(workspace, "check small.xta suite.json -c moved.obs").code == 0);
  CHECK(run(workspace, "check small.xta suite.json -c edge").code == 2);
}

TEST_CASE("explain shows the rules of an observer as they are written", "[cli][observer]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "explain small.xta mine:Worker.Busy.Broken -c mine.obs");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("criterion mine: observer in mine.obs") &&
                              Contains("\nrule start to n(E) with E := edge(P)\n") &&
                              Contains("infeasible: ") &&
                              Contains("of Worker(0): Busy -> Broken ("));
}

TEST_CASE("criteria checks observer files", "[cli][observer]") {
  const Workspace workspace;
  const Outcome fine = run(workspace, "criteria mine.obs");
  CHECK(fine.code == 0);
  CHECK_THAT(fine.out, Contains("mine") && Contains("observer in mine.obs for procid P; items: n"));
  workspace.write("bad.obs", "observer bad {\n  node n;\n  rule start to m;\n  accepting n;\n}\n");
  const Outcome bad = run(workspace, "criteria mine.obs bad.obs");
  CHECK(bad.code == 3);
  CHECK(bad.out.empty());
  CHECK_THAT(bad.err, Contains("bad.obs:3:17: error: unknown node 'm'") &&
                          Contains("hint: declare it: 'node NAME(types);'"));
  CHECK(run(workspace, "criteria none.obs").code == 3);
  CHECK(run(workspace, "criteria edge").code == 2);
}

TEST_CASE("what is wrong around observers is told", "[cli][observer]") {
  const Workspace workspace;
  CHECK_THAT(run(workspace, "generate small.xta -c none.obs").err,
             Contains("cannot read 'none.obs'"));
  CHECK_THAT(run(workspace, "generate small.xta --observer P=x").err,
             Contains("no observer has a parameter 'P'"));
  const Outcome form = run(workspace, "generate small.xta -c mine.obs --observer P");
  CHECK(form.code == 2);
  CHECK_THAT(form.err, Contains("'P' is not NAME=VALUE"));
  workspace.write("again.obs", workspace.read("mine.obs"));
  CHECK_THAT(run(workspace, "generate small.xta -c mine.obs,again.obs").err,
             Contains("again.obs:1:10: error: there is another observer 'mine'"));
}

}  // namespace
}  // namespace tw
