// tracewright generate, criteria and explain as scripts see them.
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

class Workspace : public test::Workspace {
 public:
  Workspace() {
    write("small.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/small.xta"));
    write("broken.xta", "process P() { state a; init b; } system P;");
    write("timed.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/timed.xta"));
    write("unbounded.xta",
          "process P() { clock x; state a; init a;\n"
          "trans a -> a { guard x > 3; assign x = x - 1; }; }\nsystem P;");
    // Ten edges, one after the other; the last step of the loop makes an error.
    write("error.xta",
          "int[0,9] n; process P() { state a, b; init a;\n"
          "trans a -> a { assign n = n + 4; }, a -> b { guard n == 7; }; } system P;");
    write("initial.xta", "int[0,9] n; process P() { state a { n > 5 }; init a; } system P;");
    write("initial_error.xta",
          "int[0,9] n; process P() { state a { 5 / n > 2 }; init a; } system P;");
    // Far too large to finish: 10^12 states.
    std::string huge =
        "process P(const int[0,11] id) { int[0,9] n; state a, never; init a;\n"
        "trans a -> a { assign n = n < 9 ? n + 1 : 0; },\n"
        "a -> never { guard forall (i : int[0,11]) ";
    huge += "n + i > 99; }; } system P;";
    write("huge.xta", huge);
  }
};

TEST_CASE("generate covers what can be covered", "[cli][generate]") {
  const Workspace workspace;
  const Outcome text = run(workspace, "generate small.xta");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK_THAT(text.out, Contains("100.0 %") && Contains("edge:Worker.Busy.Broken") &&
                           Contains("Infeasible") && Contains("T1: "));
  const Outcome outcome = run(workspace, "generate small.xta --format json");
  CHECK(outcome.code == 0);
  const json suite = json::parse(outcome.out);
  CHECK(suite.at("format") == "tracewright-suite");
  CHECK(suite.at("run").at("seconds").is_number());
  CHECK(suite.at("run").at("peak_memory_bytes") > 0);
  CHECK(suite.at("criteria").at(0).at("infeasible") == 1);
  CHECK(suite.at("criteria").at(0).at("undecided") == 0);
}

TEST_CASE("generate is deterministic for every option", "[cli][generate]") {
  const Workspace workspace;
  for (const char* options : {"",
                              "-c all",
                              "-c def-use,edge --per instance",
                              "--algorithm fig3",
                              "--algorithm local",
                              "--algorithm local --reset --subsumption both",
                              "--subsumption equality --algorithm local",
                              "--order dfs",
                              "--order random --seed 7",
                              "--reduce none",
                              "--reduce redundant",
                              "--reduce cover",
                              "--optimise tests",
                              "--full",
                              "--stop 2",
                              "--on-error skip",
                              "-c def-use --def-use atomic",
                              "-c def-use --vars done",
                              "-c def-use --invariants enter",
                              "-c edge-init --edge-init variables",
                              "--only edge:Boss.*",
                              "--max-states 100000 --max-memory 4G --time-limit 5m"}) {
    CAPTURE(options);
    const std::string arguments =
        std::string("generate small.xta -q --format json --stable ") + options;
    const Outcome first = run(workspace, arguments);
    CHECK((first.code == 0 || first.code == 1));
    CHECK(first.err.empty());
    CHECK(first.out == run(workspace, arguments).out);
    const json suite = json::parse(first.out);
    CHECK_FALSE(suite.contains("run"));
    // What was written replays.
    workspace.write("suite.json", first.out);
    const Outcome check = run(workspace, "check small.xta suite.json");
    CHECK(check.code == 0);
    CHECK_THAT(check.out, Contains("all ok"));
  }
}

TEST_CASE("generate: timed suites are deterministic and replay, whatever the options",
          "[cli][generate][time]") {
  const Workspace workspace;
  for (const char* options :
       {"", "-c all --per instance", "--delays earliest", "--delays latest", "--optimise time",
        "--optimise time --delays earliest", "--subsumption both", "--keep-dead",
        "--algorithm fig3", "--algorithm local", "--order dfs", "--reduce none", "--reduce cover",
        "--full"}) {
    CAPTURE(options);
    const std::string arguments =
        std::string("generate timed.xta --format json --stable -q ") + options;
    const Outcome first = run(workspace, arguments);
    CHECK((first.code == 0 || first.code == 1));
    CHECK(first.err.empty());
    CHECK(first.out == run(workspace, arguments).out);
    const json suite = json::parse(first.out);
    for (const json& test : suite.at("tests"))
      for (const json& step : test.at("steps")) {
        CHECK(step.contains("delay"));
        CHECK(step.contains("changes"));
      }
    workspace.write("suite.json", first.out);
    const Outcome check = run(workspace, "check timed.xta suite.json");
    CHECK(check.code == 0);
    CHECK_THAT(check.out, Contains("all ok"));
  }
}

TEST_CASE("generate: policies choose other delays for the same steps", "[cli][generate][time]") {
  const Workspace workspace;
  const auto suite = [&](const std::string& policy) {
    const json out =
        json::parse(run(workspace, "generate timed.xta --format json --delays " + policy).out);
    CHECK(out.at("options").at("delays") == policy);
    return out;
  };
  const json earliest = suite("earliest");
  const json robust = suite("robust");
  const json latest = suite("latest");
  const auto delay = [](const json& s, std::size_t step) {
    return s.at("tests").at(0).at("steps").at(step).at("delay");
  };
  // Bright -> Off, from 3 up to 10.
  CHECK(delay(earliest, 3).at("chosen") == "3");
  CHECK(delay(latest, 3).at("chosen") == "10");
  CHECK(delay(robust, 3).at("margin") != "0");
  for (const json& s : {earliest, robust, latest}) {
    CHECK(delay(s, 3).at("min") == "3");
    CHECK(delay(s, 3).at("max") == "10");
    CHECK(delay(s, 1).at("min_strict") == true);
    CHECK(delay(s, 1).at("max_strict") == true);
    CHECK(delay(s, 2).at("max") == "0");
    CHECK(delay(s, 0).at("max").is_null());
  }
}

TEST_CASE("generate: without clocks there is no time to save", "[cli][generate][time]") {
  const Workspace workspace;
  const Outcome time = run(workspace, "generate small.xta --optimise time --format json --stable");
  CHECK(time.code == 0);
  CHECK(time.err ==
        "small.xta: warning: without clocks there is no time to save: --optimise steps instead\n");
  CHECK(time.out == run(workspace, "generate small.xta --format json --stable").out);
  CHECK(run(workspace, "generate small.xta --optimise time -q").err.empty());
  CHECK(run(workspace, "generate timed.xta --optimise time").err.empty());
}

TEST_CASE("generate repeats its options in the suite", "[cli][generate]") {
  const Workspace workspace;
  const json options =
      json::parse(run(workspace,
                      "generate small.xta --format json -c edge-init,edge --per instance "
                      "--only 'edge*' --edge-init variables --reduce cover --optimise tests "
                      "--seed 5 --max-memory 1G --time-limit 2m --stop 3")
                      .out)
          .at("options");
  CHECK(options.at("criteria").at(0).at("name") == "edge-init");
  CHECK(options.at("criteria").at(1).at("name") == "edge");
  CHECK(options.at("per") == "instance");
  CHECK(options.at("only") == json::array({"edge*"}));
  CHECK(options.at("edge_init") == "variables");
  CHECK(options.at("reduce") == "cover");
  CHECK(options.at("optimise") == "tests");
  CHECK(options.at("seed") == 5);
  CHECK(options.at("stop") == 3);
  CHECK(options.at("max_memory_bytes") == 1073741824);
  CHECK(options.at("time_limit_seconds") == 120.0);
  CHECK(options.at("max_states").is_null());
}

TEST_CASE("generate refuses wrong usage", "[cli][generate]") {
  const Workspace workspace;
  for (const char* arguments : {"generate",
                                "generate small.xta -c",
                                "generate small.xta -c egde",
                                "generate small.xta --per process",
                                "generate small.xta --algorithm best",
                                "generate small.xta --order up",
                                "generate small.xta --reduce much",
                                "generate small.xta --optimise money",
                                "generate small.xta --delays never",
                                "generate small.xta --subsumption none",
                                "generate small.xta --stop 0",
                                "generate small.xta --stop -1",
                                "generate small.xta --seed x",
                                "generate small.xta --seed -1",
                                "generate small.xta --seed 99999999999999999999",
                                "generate small.xta --format yaml",
                                "generate small.xta --fail-under 101",
                                "generate small.xta --fail-under x",
                                "generate small.xta --max-memory 4T",
                                "generate small.xta --time-limit soon",
                                "generate small.xta --def-use some",
                                "generate small.xta --invariants all",
                                "generate small.xta --only nothing:*",
                                "generate small.xta --threads 0",
                                "generate small.xta other.xta",
                                "criteria extra",
                                "criteria --format csv",
                                "explain small.xta",
                                "check small.xta"}) {
    const Outcome outcome = run(workspace, arguments);
    CAPTURE(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_FALSE(outcome.err.empty());
  }
  CHECK_THAT(run(workspace, "generate small.xta -c egde").err,
             Contains("unknown criterion 'egde'; did you mean 'edge'?"));
  CHECK_THAT(run(workspace, "generate small.xta -c edge,xyzzy").err,
             Contains("unknown criterion 'xyzzy'; `tracewright criteria` lists them"));
}

TEST_CASE("generate refuses models that are wrong", "[cli][generate]") {
  const Workspace workspace;
  for (const char* model :
       {"missing.xta", "broken.xta", "unbounded.xta", "initial.xta", "initial_error.xta"}) {
    const Outcome outcome = run(workspace, std::string("generate --format json ") + model);
    CAPTURE(model);
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("error: "));
  }
  CHECK_THAT(run(workspace, "generate unbounded.xta").err,
             StartsWith("unbounded.xta:1:21: error: 'P.x' is set from clocks again and again: "));
  CHECK(run(workspace, "generate small.xta -c def-use --vars nosuch").code == 3);
}

TEST_CASE("a run-time error of the model is shown, and what was found is written",
          "[cli][generate]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "generate error.xta --format json");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Contains("error.xta:2:23: error: run-time error: 'n' would be set to 12, "
                                   "outside its range [0,9]") &&
                              Contains("after 2 steps:\n     1  P: a -> a\n"));
  const json suite = json::parse(outcome.out);
  CHECK(suite.at("search").at("limit") == "model-error");
  CHECK(suite.at("criteria").at(0).at("covered") == 1);
  CHECK(suite.at("criteria").at(0).at("undecided") == 1);
  CHECK(suite.at("tests").size() == 1);
  CHECK(run(workspace, "generate error.xta --on-error skip").code == 0);
}

TEST_CASE("limits end the search, and what was found is written", "[cli][generate]") {
  const Workspace workspace;
  for (const auto& [option, limit] :
       {std::pair("--max-states 1000", "states"), std::pair("--time-limit 100ms", "time")}) {
    CAPTURE(option);
    const Outcome outcome =
        run(workspace, std::string("generate huge.xta --format json ") + option);
    CHECK(outcome.code == 4);
    const json suite = json::parse(outcome.out);
    CHECK(suite.at("search").at("limit") == limit);
    CHECK(suite.at("search").at("exhaustive") == false);
    CHECK(suite.at("criteria").at(0).at("covered") == 1);
    CHECK(suite.at("criteria").at(0).at("undecided") == 1);
  }
  // The higher code wins: a limit says more than a goal that was therefore not met.
  CHECK(run(workspace, "generate huge.xta --max-states 1000 --fail-under 90").code == 4);
}

TEST_CASE("a signal ends the search, and what was found is written", "[cli][generate]") {
  const Workspace workspace;
  for (const char* signal : {"INT", "TERM"}) {
    CAPTURE(signal);
    const std::string command = "cd '" + workspace.path().string() + "' && timeout -s " + signal +
                                " --preserve-status 1 '" TW_BINARY
                                "' generate huge.xta --format json >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    const json suite = json::parse(workspace.read("out.txt"));
    CHECK(suite.at("search").at("limit") == "interrupt");
    CHECK(suite.at("criteria").at(0).at("covered") == 1);
  }
}

TEST_CASE("goals decide between 0 and 1", "[cli][generate]") {
  const Workspace workspace;
  CHECK(run(workspace, "generate small.xta --fail-under 100").code == 0);
  CHECK(run(workspace, "generate small.xta --stop 1").code == 0);
  CHECK(run(workspace, "generate small.xta --stop 1 --fail-under 90").code == 1);
  CHECK(run(workspace, "generate small.xta --stop 1 --fail-under 10").code == 0);
  CHECK(run(workspace, "generate small.xta --stop 1000").code == 0);
}

TEST_CASE("a suite is written to a file at once or not at all", "[cli][generate]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "generate small.xta --stable --format json -o suite.json");
  CHECK(outcome.code == 0);
  CHECK(outcome.out.empty());
  const std::string expected = run(workspace, "generate small.xta --stable --format json").out;
  CHECK(workspace.read("suite.json") == expected);
  CHECK(run(workspace, "generate small.xta --stable --format json -o -").out == expected);
  SECTION("an old file is replaced, a link is followed") {
    workspace.write("old.json", "old");
    test::fs::create_symlink("old.json", workspace.path() / "link.json");
    CHECK(run(workspace, "generate small.xta --stable --format json -o link.json").code == 0);
    CHECK(workspace.read("old.json") == expected);
    CHECK(test::fs::is_symlink(workspace.path() / "link.json"));
  }
  SECTION("what cannot be written is an error, told before the work") {
    for (const char* path : {"missing/suite.json", ".", "/dev/full"}) {
      CAPTURE(path);
      const Outcome failed = run(workspace, std::string("generate small.xta -o ") + path);
      CHECK(failed.code == 5);
      CHECK_THAT(failed.err, Contains("cannot write"));
    }
  }
  SECTION("a device is written to, not replaced") {
    CHECK(run(workspace, "generate small.xta -o /dev/null").code == 0);
    CHECK(test::fs::is_character_file("/dev/null"));
  }
  std::size_t files = 0;
  for (const auto& entry : test::fs::directory_iterator(workspace.path()))
    if (entry.path().filename().string().starts_with("suite.json"))
      ++files;
  CHECK(files == 1);  // nothing is left beside it
}

TEST_CASE("results that cannot be written are no success", "[cli][generate]") {
  const Workspace workspace;
  REQUIRE(run(workspace, "generate small.xta --format json -o suite.json").code == 0);
  for (const char* arguments :
       {"generate small.xta", "generate small.xta --format json", "generate small.xta --format csv",
        "check small.xta suite.json", "criteria", "explain small.xta edge:Boss.Office.Office",
        "generate --help", "explain --help"})
    test::check_full_disk(workspace, arguments);
}

TEST_CASE("every command has help with examples", "[cli][help]") {
  const Workspace workspace;
  for (const char* command : {"generate", "check", "criteria", "explain", "info"}) {
    CAPTURE(command);
    const Outcome outcome = run(workspace, std::string(command) + " --help");
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out,
               Contains("Examples:") && Contains(std::string("tracewright ") + command));
  }
}

TEST_CASE("criteria lists what -c takes", "[cli][criteria]") {
  const Workspace workspace;
  const json list = json::parse(run(workspace, "criteria --format json").out);
  CHECK(list.at("format") == "tracewright-criteria");
  CHECK(list.at("criteria").size() >= 4);
  const std::string text = run(workspace, "criteria").out;
  for (const json& criterion : list.at("criteria")) {
    const std::string name = criterion.at("name");
    CAPTURE(name);
    CHECK_THAT(text, Contains(name));
    CHECK(run(workspace, "generate small.xta -q --allow-empty -c " + name).code == 0);
  }
}

TEST_CASE("explain says what, where and why", "[cli][explain]") {
  const Workspace workspace;
  const Outcome covered = run(workspace, "explain small.xta edge:Worker.Busy.Idle.2");
  CHECK(covered.code == 0);
  CHECK_THAT(covered.out, Contains("criterion edge") && Contains("small.xta:16:5: note") &&
                              Contains("covered when Worker(0): Busy -> Idle") &&
                              Contains("covered: a shortest test has 4 steps") &&
                              Contains("   4  "));
  const Outcome infeasible = run(workspace, "explain small.xta edge:Worker.Busy.Broken");
  CHECK(infeasible.code == 0);
  CHECK_THAT(infeasible.out,
             Contains("infeasible: ") &&
                 Contains("in the way: guard 'load > 2' of Worker(0): Busy -> Broken "
                          "(small.xta:17:28); met instead: load <= 2\n"
                          "  without that a test of 2 steps covers it"));
  const Outcome pair = run(workspace, "explain small.xta 'def-use:*init:Busy.Broken'");
  CHECK((pair.code == 0 || pair.code == 2));
  SECTION("an item can be named shortly") {
    CHECK(run(workspace, "explain small.xta Busy.Broken -c edge").out == infeasible.out);
    CHECK(run(workspace, "explain small.xta 'edge:*Broken'").out == infeasible.out);
    CHECK(run(workspace, "explain small.xta 'edge:Worker(1).Busy.Broken'").code == 0);
  }
  SECTION("but must be one") {
    const Outcome unknown = run(workspace, "explain small.xta edge:Worker.Bsy.Broken");
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err, Contains("did you mean 'edge:Worker.Busy.Broken'?"));
    const Outcome several = run(workspace, "explain small.xta 'edge:*'");
    CHECK(several.code == 2);
    CHECK_THAT(several.err, Contains("may be any of 5 items") && Contains("edge:Boss"));
  }
  SECTION("for scripts, too") {
    const json explanation =
        json::parse(run(workspace, "explain small.xta edge:Worker.Busy.Idle --format json").out);
    CHECK(explanation.at("item").at("status") == "covered");
    CHECK(explanation.at("steps").size() == 2);
    CHECK(explanation.at("causes").is_null());
    const json causes =
        json::parse(run(workspace, "explain small.xta edge:Worker.Busy.Broken --format json").out)
            .at("causes");
    CHECK(causes.at("obstacles").size() == 1);
    CHECK(causes.at("obstacles").front().at("kind") == "guard");
    CHECK(causes.at("obstacles").front().at("met") == "load <= 2");
    CHECK(causes.at("behind").front().at("edge") == "Busy.Broken");
    CHECK(causes.at("limit").is_null());
  }
}

TEST_CASE("explain names what stands in the way, back from the item", "[cli][explain]") {
  const Workspace workspace;
  workspace.write("chain.xta",
                  "clock x, y; int[0,3] n; chan c, lonely;\n"
                  "process P() { state A, B { x <= 5 }, C { y <= 2 }, D, E, F; init A;\n"
                  "  trans A -> B { guard y >= 3; assign x = 0; }, B -> C { sync c!; },\n"
                  "    B -> D { guard x > 7; }, D -> E { }, E -> F { sync lonely!; },\n"
                  "    A -> F { assign n = n + 4; }, F -> F { guard n == 4; }; }\n"
                  "process Q() { state A; init A; trans A -> A { sync c?; }; }\n"
                  "system P, Q;\n");
  const auto explain = [&](const std::string& item) {
    const Outcome outcome = run(workspace, "explain chain.xta --on-error skip edge:" + item);
    CHECK(outcome.code == 0);
    return outcome.out;
  };
  SECTION("the invariant, and what is met instead") {
    CHECK_THAT(explain("P.B.C"),
               Contains("invariant 'y <= 2' of C of P") && Contains("met instead: y >= 3"));
  }
  SECTION("the first obstacle on the way to a location that is not reached") {
    CHECK_THAT(explain("P.D.E"), Contains("  P: D -> E never fires: P is never in D\n"
                                          "  P: B -> D never fires\n"
                                          "  in the way: guard 'x > 7' of P: B -> D ") &&
                                     Contains("; met instead: x <= 5\n"));
  }
  SECTION("partners and errors") {
    const std::string out = explain("P.E.F");
    CHECK_THAT(out, Contains("synchronisation 'lonely!' of P: E -> F ") &&
                        Contains("; nobody receives there\n") &&
                        Contains("without them a test of 4 steps covers it"));
    CHECK_THAT(explain("P.A.F"),
               Contains("update 'n = n + 4' of P: A -> F ") && Contains("; run-time error: "));
  }
}

TEST_CASE("explain: the limits are those of all its searches", "[cli][explain]") {
  const Workspace workspace;
  workspace.write("wide.xta",
                  "int[0,29] a, b, c; bool never;\n"
                  "process P() { state A, B; init A; trans A -> A { assign a = (a + 1) % 30; },\n"
                  "  A -> A { assign b = (b + 1) % 30; }, A -> A { assign c = (c + 1) % 30; },\n"
                  "  A -> B { guard a + b + c == 87 && never; }; }\nsystem P;\n");
  const Outcome outcome = run(workspace, "explain wide.xta edge:P.A.B --time-limit 1ms");
  CHECK(outcome.code == 4);
  CHECK_THAT(outcome.out, Contains("the search for causes was cut short (time)"));
}

TEST_CASE("explain: time can be what makes an item infeasible", "[cli][explain][time]") {
  const Workspace workspace;
  const auto explain = [&](const std::string& item) {
    const Outcome outcome = run(workspace, "explain timed.xta " + item);
    CHECK(outcome.code == 0);
    return outcome.out;
  };
  CHECK_THAT(explain("edge:Lamp.Bright.Off"),
             Contains("covered: a shortest test has 4 steps") && Contains("      wait "));
  CHECK_THAT(explain("edge:Lamp.Bright.Low"), Contains("guard 'x > 10' of Lamp: Bright -> Low ") &&
                                                  Contains("; met instead: x <= 10"));
  CHECK_THAT(explain("edge:Lamp.Bright.Low.2"),
             Contains("guard 'level == 2' of Lamp: Bright -> Low #2 ") &&
                 Contains("; met instead: level <= 1"));
  const json explanation =
      json::parse(run(workspace, "explain timed.xta edge:Lamp.Bright.Off --format json").out);
  CHECK(explanation.at("steps").at(3).at("delay").at("max") == "10");
  CHECK(explanation.at("initial").at("clocks").at("Lamp.x") == "0");
}

}  // namespace
}  // namespace tw
