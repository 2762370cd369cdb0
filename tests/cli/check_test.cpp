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

TEST_CASE("check counts again where steps with errors were left out", "[cli][check]") {
  const test::Workspace workspace;
  workspace.write("failing.xta",
                  "int[0,2] n;\nprocess P() { state A, B; init A;\n"
                  "trans A -> A { assign n++; }, A -> B { guard n == 9; }; }\nsystem P;\n");
  const Outcome made =
      run(workspace, "generate failing.xta --on-error skip --format json -o suite.json");
  CHECK(made.code == 0);
  CHECK_THAT(made.err, Contains("failing.xta:3:23: warning: run-time error, such steps are left "
                                "out: 'n' would be set to 3, outside its range [0,2]"));
  const json suite = json::parse(workspace.read("suite.json"));
  CHECK(suite["search"]["errors"] ==
        json::parse(R"([{"message": "'n' would be set to 3, outside its range [0,2]",
                         "line": 3, "column": 23}])"));
  CHECK(run(workspace, "check failing.xta suite.json").code == 0);
  const auto changed = [&](const std::function<void(json&)>& change) {
    json other = suite;
    change(other["search"]);
    workspace.write("changed.json", other.dump());
    return run(workspace, "check failing.xta changed.json");
  };
  CHECK(changed([](json& search) { search["errors"][0]["column"] = 24; }).code == 1);
  CHECK(changed([](json& search) { search["errors"][0]["message"] = "other"; }).code == 1);
  const Outcome silent = changed([](json& search) { search.erase("errors"); });
  CHECK(silent.code == 1);
  CHECK_THAT(silent.out, Contains("run-time errors were met at 1 place again"));
  CHECK_THAT(run(workspace, "generate failing.xta --on-error skip -q").out,
             Contains("Left out: steps that make a run-time error, at 1 place of the model\n"
                      "  3:23  'n' would be set to 3") &&
                 Contains("Infeasible: no run without such a step covers them"));
}

TEST_CASE("check finds the first difference", "[cli][check]") {
  const Workspace workspace;
  const auto step = [](json& suite, std::size_t i) -> json& {
    return suite["tests"][0]["steps"][i];
  };
  Outcome outcome =
      workspace.check([&](json& s) { step(s, 1)["changes"]["variables"]["done"] = 7; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 2: done is ") && Contains(", the suite says 7") &&
                              Contains("1 failed"));
  outcome =
      workspace.check([&](json& s) { step(s, 0)["changes"]["locations"]["Boss"] = "Elsewhere"; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 1: Boss is in Office, the suite says Elsewhere"));
  outcome = workspace.check([&](json& s) { s["initial"]["variables"]["done"] = 1; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("\ninitially done is 0, the suite says 1\n"));
  outcome = workspace.check([&](json& s) { step(s, 0)["channel"] = "job[7]"; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("step 1: the channel is job["));
  outcome = workspace.check([&](json& s) { s["tests"][0]["steps"].erase(0); });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 1: not possible: "));
  outcome = workspace.check(
      [&](json& s) { s["tests"][0]["covers"].push_back("edge:Worker.Busy.Broken"); });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("does not cover 'edge:Worker.Busy.Broken', which it claims"));
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

TEST_CASE("check and measure refuse suites of another version of the model", "[cli][check]") {
  const Workspace workspace;
  workspace.write("small.xta", workspace.read("small.xta") + "\n// changed\n");
  for (const char* command : {"check", "measure"}) {
    const std::string words = std::string(command) + " small.xta suite.json";
    const Outcome outcome = run(workspace, words);
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err,
               Contains("error: the suite was made from another version of small.xta") &&
                   Contains("hint: --other-model"));
    CHECK(run(workspace, words + " --other-model").code == 0);
  }
}

TEST_CASE("check believes no statement of a suite", "[cli][check]") {
  const Workspace workspace;
  const auto says = [&](const std::function<void(json&)>& change, const std::string& problem) {
    const Outcome outcome = workspace.check(change);
    CAPTURE(problem);
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.out, Contains(problem));
  };
  says([](json& s) { s["tests"][0]["length"] = 99; }, "its length is ");
  says([](json& s) { s["tests"][0]["covers"].erase(0); }, "which it does not claim");
  says([](json& s) { s["items"].erase(0); }, "is not listed");
  says([](json& s) { s["items"].push_back(s["items"][0]); }, "is listed twice");
  says([](json& s) { s["items"][0]["label"] = "x"; }, "the label of item ");
  says([](json& s) { s["items"][0]["tests"] = json::array(); }, "is covered by T1, the suite says");
  says([](json& s) { s["items"][0]["depth"] = 40; }, "the suite says 40");
  says([](json& s) { s["criteria"][0]["covered"] = 99; }, "items are covered, the suite says 99");
  says([](json& s) { s["suite"]["steps"] = 99; }, "the suite says 99");
  says([](json& s) { s["suite"]["lower_bound"] = 99; }, "no suite has fewer than 99 steps");
  says([](json& s) { s["search"]["states"] = 9999; }, "search.states: ");
  says([](json& s) { s["search"]["exhaustive"] = !s["search"]["exhaustive"].get<bool>(); },
       "exhaustive");
  // A suite that shows less, and says that nobody can show more.
  says(
      [](json& s) {
        for (json& item : s["items"])
          if (item["status"] == "infeasible")
            item["status"] = "undecided";
        s["criteria"][0]["undecided"] = s["criteria"][0]["infeasible"];
        s["criteria"][0]["infeasible"] = 0;
      },
      "is said to be undecided, it is infeasible");
}

TEST_CASE("check says what it did not check", "[cli][check]") {
  const Workspace workspace;
  Outcome outcome = run(workspace, "check small.xta suite.json --no-search");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("not checked: what needs a search (--no-search)\n"));
  // A search that was stopped by time cannot be repeated, but what is infeasible can be shown.
  outcome = workspace.check([](json& s) { s["search"]["limit"] = "time"; });
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("not checked: what the search counted ("));
  const json report = json::parse(run(workspace, "check small.xta changed.json --format json").out);
  CHECK(report.at("ok") == true);
  CHECK(report.at("not_checked").at(0).at("what") == "what the search counted");
  outcome = workspace.check([](json& s) { s["tool"]["version"] = "0.0.1"; });
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("(it was made by version 0.0.1)"));
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

class TimedWorkspace : public test::Workspace {
 public:
  TimedWorkspace() {
    write("timed.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/timed.xta"));
    REQUIRE(run(*this, "generate timed.xta --format json -o suite.json").code == 0);
  }

  /// The outcome for the suite with one thing changed. Its one test: press, press (after more than
  /// 1 and less than 5), settle at once, go off (after 3 to 10), press, press (after at least 5).
  [[nodiscard]] Outcome check(const std::function<void(json&)>& change) const {
    json suite = json::parse(read("suite.json"));
    change(suite);
    write("changed.json", suite.dump());
    return run(*this, "check timed.xta changed.json");
  }

  [[nodiscard]] Outcome check(std::size_t step, const char* key, const json& value) const {
    return check([&](json& s) { s["tests"][0]["steps"][step]["delay"][key] = value; });
  }
};

TEST_CASE("check replays delays and compares clocks", "[cli][check][time]") {
  const TimedWorkspace workspace;
  CHECK(workspace.check([](json&) {}).code == 0);
  Outcome outcome = workspace.check(
      [](json& s) { s["tests"][0]["steps"][0]["changes"]["clocks"]["Lamp.x"] = "1/7"; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 1: clock Lamp.x is 0, the suite says 1/7"));
  outcome = workspace.check([](json& s) { s["initial"]["clocks"]["Lamp.x"] = "1"; });
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("initially clock Lamp.x is 0, the suite says 1"));
  outcome = workspace.check([](json& s) { s["initial"]["clocks"]["y"] = "0"; });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("the model has no clock 'y'"));
  outcome = workspace.check(1, "chosen", "1");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 2: not possible: edge Lamp.Low -> Check is not enabled"));
  outcome = workspace.check(2, "chosen", "1/1000");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 3: not possible: time cannot pass"));
  outcome = workspace.check(3, "chosen", "21/2");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 4: not possible: the invariant of Lamp.Bright does not "
                      "hold after this delay"));
  outcome = workspace.check(3, "chosen", "5");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: its duration is 16, the suite says 35/2"));
  // Before the first press no clock shows how late it is, but durations do.
  outcome = workspace.check(0, "chosen", "99");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: its duration is 231/2, the suite says 35/2"));
}

TEST_CASE("check tries the ends of intervals", "[cli][check][time]") {
  const TimedWorkspace workspace;
  Outcome outcome = workspace.check(3, "max", "11");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 4: a delay of 11 is not possible, the suite says it "
                                   "is: the invariant of Lamp.Bright does not hold"));
  outcome = workspace.check(3, "min", "2");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 4: a delay of 2 is not possible, the suite says it is"));
  outcome = workspace.check(1, "max_strict", false);
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("T1: step 2: a delay of 5 is not possible"));
  outcome = workspace.check(5, "min", "100");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 6: the delay of ") && Contains(" lies outside its own interval"));
  // Narrower than it is is not true, either.
  outcome = workspace.check(3, "max", "9");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, Contains("is possible, the suite says it is not"));
  CHECK(workspace.check(0, "max", "1000").code == 1);
  CHECK(workspace.check(3, "max", nullptr).code == 1);
  CHECK(workspace.check(3, "max_strict", true).code == 1);
  CHECK(workspace.check(1, "min_strict", false).code == 1);
  // What a file does not say cannot be wrong.
  CHECK(workspace
            .check([](json& s) {
              for (json& step : s["tests"][0]["steps"]) {
                const json chosen = step["delay"]["chosen"];
                step["delay"] = {{"chosen", chosen}};
              }
            })
            .code == 0);
}

TEST_CASE("check tries margins", "[cli][check][time]") {
  const TimedWorkspace workspace;
  Outcome outcome = workspace.check(3, "margin", "9");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 4: a delay of 13/2 cannot be shorter by its margin of 9"));
  outcome = workspace.check(3, "margin", "4");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 4: not possible when all delays are longer by their margins: "));
  // 5 or more: there is room on one side only.
  outcome = workspace.check(5, "margin", "5");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out,
             Contains("T1: step 6: not possible when all delays are shorter by their margins: "));
  CHECK(workspace.check(3, "margin", "0").code == 0);
}

TEST_CASE("check refuses times that are none, and clocks that are none", "[cli][check][time]") {
  const TimedWorkspace workspace;
  for (const json& bad : {json("x"), json("1/0"), json(""), json(1), json(nullptr), json(0.5)}) {
    CAPTURE(bad.dump());
    const Outcome outcome = workspace.check(0, "chosen", bad);
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("changed.json: error: tests[0].steps[0].delay.chosen: "
                                     "expected a time such as \"7/2\", found "));
  }
  Outcome outcome = workspace.check(0, "chosen", "-1");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Contains("tests[0].steps[0].delay.chosen: a time cannot be negative"));
  outcome = workspace.check([](json& s) { s["tests"][0]["steps"][2].erase("delay"); });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("T1: step 3: the model has clocks, the suite gives no delay"));
  outcome = workspace.check([](json& s) {
    for (json& step : s["tests"][0]["steps"])
      step.erase("delay");
  });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("T1: step 1: the model has clocks, the suite gives no delay"));
  const Workspace untimed;
  outcome = untimed.check([](json& s) { s["tests"][0]["steps"][1]["delay"] = {{"chosen", "0"}}; });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("T1: step 2: the model has no clocks, the suite gives a delay"));
  outcome = untimed.check([](json& s) { s["initial"]["clocks"]["x"] = "0"; });
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.out, Contains("the model has no clock 'x'"));
}

TEST_CASE("check reads the model in the language that the suite names", "[cli][check]") {
  const Workspace workspace;
  workspace.write("old.ta",
                  "const N 2;\nint i;\nprocess P { state a, b; init a;\n"
                  "trans a -> b { guard i < N, i >= 0; assign i := i + 1; }; }\nsystem P;\n");
  REQUIRE(run(workspace, "generate old.ta --format json -o found.json").code == 0);
  CHECK_FALSE(json::parse(workspace.read("found.json")).at("options").contains("old_syntax"));
  // Found out by itself, with a warning; said, without.
  CHECK_FALSE(run(workspace, "check old.ta found.json").err.empty());
  REQUIRE(run(workspace, "generate old.ta --old-syntax --format json -o said.json").code == 0);
  CHECK(json::parse(workspace.read("said.json")).at("options").at("old_syntax") == true);
  const Outcome outcome = run(workspace, "check old.ta said.json");
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
}

}  // namespace
}  // namespace tw
