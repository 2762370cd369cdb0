// tracewright measure: suites one by one and together, that run and that do not.
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
    for (const std::string name : {"small.xta", "timed.xta"})
      write(name, test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/" + name));
    REQUIRE(run(*this, "generate small.xta -c location --format json -o location.json").code == 0);
    REQUIRE(run(*this, "generate small.xta -c edge --format json -o edge.json").code == 0);
  }

  [[nodiscard]] json measure(const std::string& arguments, int code = 0) const {
    const Outcome outcome = run(*this, "measure small.xta " + arguments + " --format json");
    INFO(outcome.err);
    REQUIRE(outcome.code == code);
    return json::parse(outcome.out);
  }
};

TEST_CASE("measure counts what replay covers, not what a suite claims", "[cli][measure]") {
  const Workspace workspace;
  json report = workspace.measure("edge.json -c edge,location");
  CHECK(report.at("format") == "tracewright-measurement");
  const json generated = json::parse(workspace.read("edge.json"));
  CHECK(report.at("merged").at("criteria").at(0).at("covered") ==
        generated.at("criteria").at(0).at("covered"));
  CHECK(report.at("merged").at("criteria").at(0).at("infeasible") == 0);  // nothing was explored
  // A claim more or less changes nothing.
  json changed = generated;
  changed["tests"][0]["covers"] = json::array({"edge:nothing"});
  workspace.write("claims.json", changed.dump());
  json other = workspace.measure("claims.json -c edge,location");
  CHECK(other.at("merged") == report.at("merged"));
  // Exploring finds what is infeasible.
  report = workspace.measure("edge.json -c edge --explore");
  const json& counts = report.at("merged").at("criteria").at(0);
  CHECK(counts.at("infeasible") == generated.at("criteria").at(0).at("infeasible"));
  CHECK(counts.at("undecided") == 0);
  // What a run covers and no test does is missed, not undecided: everything was explored.
  report = workspace.measure("location.json -c edge --explore");
  const json& missing = report.at("merged").at("criteria").at(0);
  CHECK(missing.at("missed") > 0);
  CHECK(missing.at("undecided") == 0);
  CHECK(missing.at("infeasible") == generated.at("criteria").at(0).at("infeasible"));
}

TEST_CASE("measure merges suites in any order, and twice is once", "[cli][measure]") {
  const Workspace workspace;
  const std::string criteria = " -c edge,location,edge-init,def-use";
  const json one = workspace.measure("location.json edge.json" + criteria).at("merged");
  CHECK(workspace.measure("edge.json location.json" + criteria).at("merged") == one);
  CHECK(workspace.measure("edge.json location.json edge.json location.json" + criteria)
            .at("merged") == one);
  const json alone = workspace.measure("edge.json" + criteria);
  CHECK(workspace.measure("edge.json edge.json" + criteria).at("merged") == alone.at("merged"));
  CHECK(alone.at("suites").at(0).at("criteria") == alone.at("merged").at("criteria"));
}

TEST_CASE("measure reports tests that do not run", "[cli][measure]") {
  const Workspace workspace;
  json suite = json::parse(workspace.read("edge.json"));
  suite["tests"][0]["steps"].erase(1);
  workspace.write("broken.json", suite.dump());
  json report = workspace.measure("broken.json -c edge", 1);
  const json& failed = report.at("suites").at(0).at("failed").at(0);
  CHECK(failed.at("id") == "T1");
  CHECK(failed.at("step") == 2);
  CHECK_THAT(failed.at("problem").get<std::string>(), Contains("not possible"));
  const auto covered = [](const json& r) {
    return r.at("merged").at("criteria").at(0).at("covered").get<int>();
  };
  const json partial = workspace.measure("broken.json -c edge --partial", 1);
  CHECK(covered(partial) > covered(report));
  const Outcome text = run(workspace, "measure small.xta broken.json edge.json -c edge");
  CHECK(text.code == 1);
  CHECK_THAT(text.out, Contains("broken.json: ") && Contains("T1: step 2: not possible: ") &&
                           Contains("All together: "));
  suite["tests"][0]["steps"][0]["edges"][0]["process"] = "Nobody";
  workspace.write("foreign.json", suite.dump());
  report = workspace.measure("foreign.json -c edge", 1);
  CHECK_THAT(report.at("suites").at(0).at("failed").at(0).at("problem").get<std::string>(),
             Contains("no process 'Nobody'"));
  // A suite without delays does not run on a model with clocks; one of another model neither.
  CHECK(run(workspace, "measure timed.xta edge.json -c edge").code == 3);
  CHECK(run(workspace, "measure timed.xta edge.json -c edge --other-model").code == 1);
}

TEST_CASE("measure has the options of generate", "[cli][measure]") {
  const Workspace workspace;
  CHECK(run(workspace, "measure small.xta location.json -c edge --fail-under 99").code == 1);
  CHECK(run(workspace, "measure small.xta edge.json -c edge --explore --fail-under 100").code == 0);
  CHECK(run(workspace, "measure small.xta edge.json --only 'nothing*'").code == 2);
  CHECK(run(workspace, "measure small.xta missing.json").code == 3);
  CHECK(run(workspace, "measure missing.xta edge.json").code == 3);
  CHECK(run(workspace, "measure small.xta").code == 2);
  const Outcome csv = run(workspace, "measure small.xta edge.json location.json --format csv");
  CHECK_THAT(csv.out, Contains("id,criterion,status,suites,label\n") &&
                          Contains(",covered,edge.json location.json,"));
  CHECK(run(workspace, "measure small.xta edge.json -o out.json --format json").out.empty());
  CHECK(json::parse(workspace.read("out.json")).at("version") == 2);
}

}  // namespace
}  // namespace tw
