// tracewright check: suites that are right, wrong, and no suites at all.
#include <functional>
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
    REQUIRE(run(*this, "generate small.xta --format json -o suite.json").code == 0);
  }

  /// The outcome for the suite with one thing changed.
  [[nodiscard]] Outcome check(const std::function<void(json&)>& change) const {
    json suite = json::parse(read("suite.json"));
    change(suite);
    write("changed.json", suite.dump());
    return run(*this, "check small.xta changed.json");
  }
};

TEST_CASE("check accepts what generate writes", "[cli][check]") {
  const Workspace workspace;
  const Outcome text = run(workspace, "check small.xta suite.json");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK_THAT(text.out, Contains("T1: ok, ") && Contains("all ok"));
  const Outcome outcome = run(workspace, "check small.xta suite.json --format json");
  const json report = json::parse(outcome.out);
  CHECK(report.at("format") == "tracewright-check");
  CHECK(report.at("ok") == true);
  CHECK(report.at("tests").at(0).at("status") == "ok");
}

TEST_CASE("check finds the first difference", "[cli][check]") {
  const Workspace workspace;
  const auto step = [](json& suite, std::size_t i) -> json& {
    return suite["tests"][0]["steps"][i];
  };
  Outcome outcome = workspace.check([&](json& s) { step(s, 1)["state"]["variables"]["done"] = 7; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 2: done is ") && Contains(", the suite says 7") &&
                              Contains("1 failed"));
  outcome =
      workspace.check([&](json& s) { step(s, 0)["state"]["locations"]["Boss"] = "Elsewhere"; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 1: Boss is in Office, the suite says Elsewhere"));
  outcome = workspace.check([&](json& s) { s["initial"]["variables"]["done"] = 1; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: initially done is 0, the suite says 1"));
  outcome = workspace.check([&](json& s) { step(s, 0)["channel"] = "job[7]"; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("step 1: the channel is job["));
  outcome = workspace.check([&](json& s) { s["tests"][0]["steps"].erase(0); });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 1: not possible: "));
  outcome = workspace.check(
      [&](json& s) { s["tests"][0]["covers"].push_back("edge:Worker.Busy.Broken"); });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("does not cover 'edge:Worker.Busy.Broken', which it claims") &&
                              Contains("said to be infeasible, but a test covers it"));
  outcome = workspace.check([&](json& s) { s["tests"] = json::array(); });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("is said to be covered, but no test covers it"));
}

TEST_CASE("check refuses suites that do not fit", "[cli][check]") {
  const Workspace workspace;
  const auto edge = [](json& suite) -> json& { return suite["tests"][0]["steps"][0]["edges"][0]; };
  Outcome outcome = workspace.check([&](json& s) { edge(s)["process"] = "Nobody"; });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("the model has no process 'Nobody'"));
  outcome = workspace.check([&](json& s) { edge(s)["edge"] = "No.Where"; });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("process Boss has no edge 'No.Where'"));
  outcome = workspace.check([&](json& s) { edge(s)["target"] = "Home"; });
  CHECK(outcome.code == 3);
  outcome = workspace.check([&](json& s) { edge(s).erase("select"); });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("selects 'w', the suite gives no value"));
  outcome = workspace.check([&](json& s) { edge(s)["select"]["w"] = 77; });
  CHECK(outcome.code == 1);
  outcome = workspace.check([&](json& s) { s["tests"][0]["covers"].push_back("edge:nothing"); });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("claims to cover 'edge:nothing', which is no item"));
  outcome = workspace.check([&](json& s) { s["initial"]["variables"]["nothing"] = 0; });
  CHECK(outcome.code == 3);
  outcome = workspace.check([&](json& s) { s["options"]["per"] = "galaxy"; });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Contains("options.per: unknown value 'galaxy'"));
  outcome = workspace.check([&](json& s) { s["options"]["criteria"][0]["name"] = "luck"; });
  CHECK(outcome.code == 3);
}

TEST_CASE("check warns of another version of the model", "[cli][check]") {
  const Workspace workspace;
  workspace.write("small.xta", workspace.read("small.xta") + "\n// changed\n");
  const Outcome outcome = run(workspace, "check small.xta suite.json");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err,
             Contains("warning: the suite was made from another version of small.xta"));
  CHECK(run(workspace, "check small.xta suite.json -q").err.empty());
}

TEST_CASE("check refuses files that are no suites", "[cli][check]") {
  const Workspace workspace;
  workspace.write("empty.json", "");
  workspace.write("half.json", workspace.read("suite.json").substr(0, 300));
  workspace.write("other.json", "{\"format\": \"something\"}");
  workspace.write("deep.json", std::string(100'000, '['));
  for (const char* file : {"missing.json", "empty.json", "half.json", "other.json", "deep.json",
                           "small.xta", ".", "/dev/null"}) {
    CAPTURE(file);
    const Outcome outcome = run(workspace, std::string("check small.xta ") + file);
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("error: "));
  }
  CHECK(run(workspace, "check missing.xta suite.json").code == 3);
  const Outcome typed =
      workspace.check([](json& s) { s["tests"][0]["steps"][0]["edges"] = "none"; });
  CHECK(typed.code == 3);
  CHECK_THAT(typed.err, Contains("changed.json: error: tests[0].steps[0].edges: expected a list, "
                                 "found a string"));
}

}  // namespace
}  // namespace tw
