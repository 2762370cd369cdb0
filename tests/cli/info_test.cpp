// The program as scripts see it: exit codes, what goes to which stream, and the names in the JSON
// output.
#include <nlohmann/json.hpp>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using test::Outcome;
using test::run;

constexpr const char* kModel =
    "<nta>\n<declaration>int[0,5] n; clock x; chan go; int unused;\n"
    "int next(int i) { return i == 5 ? 0 : i + 1; }</declaration>\n"
    "<template><name>P</name><location id='a'><name>A</name></location>"
    "<location id='b'><name>B</name><label kind='invariant'>x &lt;= 3</label></location>"
    "<init ref='a'/><transition><source ref='a'/><target ref='b'/>"
    "<label kind='guard'>n &lt; 5</label><label kind='synchronisation'>go!</label>"
    "<label kind='assignment'>n = next(n), x = 0</label></transition></template>\n"
    "<template><name>Q</name><location id='a'/><init ref='a'/><transition><source ref='a'/>"
    "<target ref='a'/><label kind='synchronisation'>go?</label></transition></template>\n"
    "<system>system P, Q;</system>\n"
    "<queries><query><formula>E&lt;&gt; P.B</formula><comment>reach</comment></query></queries>\n"
    "</nta>\n";
constexpr const char* kBroken =
    "<nta>\n<declaration>int len;</declaration>\n"
    "<template><name>P</name><location id='a'/><init ref='a'/><transition><source ref='a'/>"
    "<target ref='a'/>\n<label kind='guard'>1 &lt; lenn</label></transition></template>\n"
    "<system>system P;</system>\n</nta>\n";

class Workspace : public test::Workspace {
 public:
  Workspace() {
    write("model.xml", kModel);
    write("broken.xml", kBroken);
  }
};

void check_full_disk(const std::string& arguments) {
  test::check_full_disk(Workspace(), arguments);
}

TEST_CASE("info puts the result on stdout and talk on stderr", "[cli][info]") {
  const Workspace workspace;
  const Outcome text = run(workspace, "info model.xml");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("2 templates") && Contains("2 processes: P, Q"));
  CHECK_THAT(text.out, !Contains("warning: "));
  CHECK_THAT(text.err, StartsWith("model.xml:2:48: warning: 'unused' is never used\n"));
}

TEST_CASE("a flood of errors is cut", "[cli][info]") {
  const Workspace workspace;
  std::string text;
  for (int i = 0; i < 70; ++i)
    text += "int a" + std::to_string(i) + " = b;\n";
  workspace.write("flood.xta", text + "process P() { state A; init A; }\nsystem P;\n");
  const Outcome outcome = run(workspace, "info flood.xta");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Contains("flood.xta:50:") && !Contains("flood.xta:51:") &&
                              Contains("… and 20 more errors\n70 errors, 0 warnings\n"));
}

TEST_CASE("info reads the language of UPPAAL 3", "[cli][info]") {
  const Workspace workspace;
  workspace.write("old.ta", "const N 5;\nprocess P { state A; init A; }\nsystem P;\n");
  const Outcome tried = run(workspace, "info old.ta --format xta");
  CHECK(tried.code == 0);
  CHECK_THAT(tried.out, Contains(" N = 5;"));
  CHECK_THAT(tried.err,
             Contains("old.ta:1:7: warning: the model is read in the language of UPPAAL 3"));
  const Outcome told = run(workspace, "info old.ta --format xta --old-syntax");
  CHECK(told.out == tried.out);
  CHECK_THAT(told.err, !Contains("UPPAAL 3"));
  CHECK(run(workspace, "info model.xml --old-syntax").code == 3);
}

TEST_CASE("quiet leaves out warnings, not errors", "[cli][info]") {
  const Workspace workspace;
  for (const char* option : {"-q", "--quiet"}) {
    const Outcome good = run(workspace, std::string("info model.xml ") + option);
    CHECK(good.code == 0);
    CHECK_FALSE(good.out.empty());
    CHECK(good.err.empty());
    const Outcome bad = run(workspace, std::string("info broken.xml ") + option);
    CHECK(bad.code == 3);
    CHECK_THAT(bad.err, Contains("error: unknown name 'lenn'"));
  }
}

TEST_CASE("JSON has the names that scripts rely on", "[cli][info]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "info model.xml --json");
  REQUIRE(outcome.code == 0);
  const json info = json::parse(outcome.out);
  CHECK(info.at("format") == "tracewright-info");
  CHECK(info.at("version") == 1);
  CHECK(info.at("model").at("file") == "model.xml");
  for (const char* name : {"templates", "processes", "locations", "edges", "channels", "clocks",
                           "variables", "functions", "queries", "warnings"}) {
    CAPTURE(name);
    REQUIRE(info.contains(name));
    CHECK(info.at(name).is_array());
    CHECK_FALSE(info.at(name).empty());
  }
  const json& totals = info.at("totals");
  REQUIRE(totals.is_object());
  CHECK(totals.at("templates") == 2);
  CHECK(totals.at("processes") == 2);
  CHECK(totals.at("clocks") == 1);
  CHECK(totals.at("channels") == 1);
  CHECK(totals.at("queries") == 1);
  CHECK(totals.at("warnings") == 1);
}

TEST_CASE("JSON shows expressions as the user wrote them", "[cli][info]") {
  const Workspace workspace;
  const json info = json::parse(run(workspace, "info model.xml --json").out);
  CHECK(info.at("processes").at(0).at("name") == "P");
  CHECK(info.at("locations").at(1).at("name") == "B");
  CHECK(info.at("locations").at(1).at("invariant") == "x <= 3");
  const json& edge = info.at("edges").at(0);
  CHECK(edge.at("source") == "A");
  CHECK(edge.at("target") == "B");
  CHECK(edge.at("guard") == "n < 5");
  CHECK(edge.at("sync") == "go!");
  CHECK(edge.at("update") == json::array({"n = next(n)", "x = 0"}));
  CHECK(info.at("queries").at(0).at("formula") == "E<> P.B");
  CHECK(info.at("queries").at(0).at("comment") == "reach");
  const json& warning = info.at("warnings").at(0);
  CHECK(warning.at("message") == "'unused' is never used");
  CHECK(warning.at("line") == 2);
  CHECK(warning.at("column") == 48);
}

TEST_CASE("formats have two spellings and no other", "[cli][info]") {
  const Workspace workspace;
  CHECK(run(workspace, "info model.xml --json").out ==
        run(workspace, "info --format json model.xml").out);
  CHECK(run(workspace, "info model.xml").out == run(workspace, "info model.xml --format text").out);
  const Outcome unknown = run(workspace, "info model.xml --format yaml");
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK_THAT(unknown.err, Contains("yaml"));
}

TEST_CASE("the XTA output is a model again", "[cli][info]") {
  const Workspace workspace;
  REQUIRE(run(workspace, "info model.xml --format xta", "copy.xta").code == 0);
  const Outcome again = run(workspace, "info copy.xta --format xta");
  CHECK(again.code == 0);
  CHECK(again.out == workspace.read("copy.xta"));
}

TEST_CASE("a broken model gives JSON errors with positions", "[cli][info]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "info broken.xml --json");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, StartsWith("broken.xml:4:28: error: unknown name 'lenn'\n"));
  const json info = json::parse(outcome.out);
  CHECK(info.at("warnings").is_array());
  REQUIRE(info.at("errors").size() == 1);
  const json& error = info.at("errors").at(0);
  CHECK(error.at("severity") == "error");
  CHECK(error.at("message") == "unknown name 'lenn'");
  CHECK(error.at("hint") == "did you mean 'len'? (declared at broken.xml:2:18)");
  CHECK(error.at("file") == "broken.xml");
  CHECK(error.at("line") == 4);
  CHECK(error.at("column") == 28);
  CHECK(error.at("end").at("line") == 4);
  CHECK(error.at("end").at("column") == 32);
  CHECK(error.at("part").at("xpath") == "/nta/template[1]/transition[1]/label[1]");
  CHECK(error.at("part").at("line") == 1);
  CHECK(error.at("part").at("column") == 5);
}

TEST_CASE("a broken model leaves stdout empty otherwise", "[cli][info]") {
  const Workspace workspace;
  for (const char* format : {"text", "xta"}) {
    const Outcome outcome = run(workspace, std::string("info broken.xml --format ") + format);
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("1 error, 0 warnings"));
  }
}

TEST_CASE("a missing model is a wrong model", "[cli][info]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "info missing.xml");
  CHECK(outcome.code == 3);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("missing.xml") && Contains("no such file or directory"));
  const Outcome as_json = run(workspace, "info missing.xml --json");
  CHECK(as_json.code == 3);
  CHECK(json::parse(as_json.out).at("errors").size() == 1);
  CHECK(run(workspace, "info .").code == 3);
  CHECK(run(workspace, "info /dev/null").code == 3);
}

TEST_CASE("help shows examples and succeeds", "[cli][help]") {
  const Workspace workspace;
  for (const char* arguments : {"--help", "-h", "info --help", "info -h"}) {
    const Outcome outcome = run(workspace, arguments);
    CAPTURE(arguments);
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Contains("Examples:") && Contains("tracewright info model.xml"));
  }
  const Outcome version = run(workspace, "--version");
  CHECK(version.code == 0);
  CHECK_THAT(version.out, StartsWith("tracewright "));
}

TEST_CASE("wrong usage is told on stderr", "[cli][help]") {
  const Workspace workspace;
  for (const char* arguments :
       {"", "info", "nonsense", "--nonsense", "info --nonsense", "info model.xml --nonsense",
        "info model.xml other.xml", "info --format", "info model.xml --format"}) {
    const Outcome outcome = run(workspace, arguments);
    CAPTURE(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_FALSE(outcome.err.empty());
  }
}

TEST_CASE("the same model gives the same bytes", "[cli][info]") {
  const Workspace workspace;
  for (const char* format : {"text", "json", "xta"}) {
    const std::string arguments = std::string("info model.xml --format ") + format;
    const Outcome first = run(workspace, arguments);
    const Outcome second = run(workspace, arguments);
    CAPTURE(format);
    CHECK(first.code == 0);
    CHECK_FALSE(first.out.empty());
    CHECK(first.out == second.out);
    CHECK(first.err == second.err);
  }
}

TEST_CASE("a result that cannot be written is not a success", "[cli][info]") {
  check_full_disk("info model.xml");
  check_full_disk("info model.xml --json");
  check_full_disk("info model.xml --format xta");
  check_full_disk("info broken.xml --json");
}

TEST_CASE("help that cannot be written is not a success", "[cli][help]") {
  check_full_disk("--help");
  check_full_disk("info --help");
  check_full_disk("--version");
}

TEST_CASE("info --states explores and counts", "[cli][info][states]") {
  const Workspace workspace;
  workspace.write(
      "count.xta",
      "int[0,9] n; process P() { state a; init a; trans a -> a { guard n < 9; assign n++; }; } "
      "system P;");
  workspace.write("error.xta",
                  "int[0,9] n; process P() { state a; init a;\n"
                  "trans a -> a { assign n = n + 4; }; } system P;");
  SECTION("all of it") {
    const Outcome all = run(workspace, "info count.xta --states --json");
    CHECK(all.code == 0);
    const json states = json::parse(all.out).at("states");
    CHECK(states.at("states") == 10);
    CHECK(states.at("transitions") == 9);
    CHECK(states.at("deadlocks") == 1);
    CHECK(states.at("depth") == 9);
    CHECK(states.at("exhaustive") == true);
    CHECK(states.at("limit").is_null());
  }
  SECTION("up to a limit") {
    const Outcome some = run(workspace, "info count.xta --states --max-states 5 --json");
    CHECK(some.code == 4);
    const json states = json::parse(some.out).at("states");
    CHECK(states.at("exhaustive") == false);
    CHECK(states.at("limit") == "states");
  }
  SECTION("a run-time error comes with the way to it") {
    const Outcome failed = run(workspace, "info error.xta --states");
    CHECK(failed.code == 3);
    CHECK_THAT(failed.err,
               Contains("error.xta:2:23: error: run-time error: 'n' would be set to 12, "
                        "outside its range [0,9]"));
    CHECK_THAT(failed.err, Contains("after 2 steps:\n     1  P: a -> a\n     2  P: a -> a\n"
                                    "  then on P: a -> a\n"));
    CHECK(run(workspace, "info error.xta --states --on-error skip").code == 0);
  }
  SECTION("limits have units, and no nonsense") {
    for (const char* good : {"--max-memory 500", "--max-memory 500M", "--max-memory 0.5G",
                             "--max-memory 64000K", "--time-limit 60", "--time-limit 60s",
                             "--time-limit 1.5m", "--time-limit 1h", "--time-limit 900ms"}) {
      CAPTURE(good);
      CHECK(run(workspace, std::string("info count.xta --states ") + good).code == 0);
    }
    for (const char* bad :
         {"--max-memory x", "--max-memory -1", "--max-memory 0", "--max-memory 4T",
          "--max-memory nan", "--max-memory 1e99G", "--time-limit 5x", "--time-limit -5",
          "--time-limit inf", "--time-limit ''", "--max-states 0", "--max-states -1",
          "--max-states 1.5", "--max-states 99999999999999999999", "--on-error ignore"}) {
      CAPTURE(bad);
      const Outcome outcome = run(workspace, std::string("info count.xta --states ") + bad);
      CHECK(outcome.code == 2);
      CHECK(outcome.out.empty());
      CHECK_FALSE(outcome.err.empty());
    }
  }
  SECTION("with clocks symbolic and discrete states") {
    // After the first step there is another only as long as n says so; one zone would do for each.
    const Outcome timed = run(workspace, "info model.xml --states -q");
    CHECK(timed.code == 0);
    CHECK_THAT(timed.out, Contains("2 symbolic states (2 discrete), 1 transition, 1 deadlock"));
    const json states = json::parse(run(workspace, "info model.xml --states --json -q").out);
    CHECK(states.at("states").at("states") == 2);
    CHECK(states.at("states").at("discrete_states") == 2);
    const json untimed = json::parse(run(workspace, "info count.xta --states --json").out);
    CHECK_FALSE(untimed.at("states").contains("discrete_states"));
  }
}

}  // namespace
}  // namespace tw
