// What a run says of itself beside its result: the summary, what a limit left open, and where text
// for people may be wrapped and coloured.
#include <nlohmann/json.hpp>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using test::Outcome;
using test::run;

class Workspace : public test::Workspace {
 public:
  Workspace() {
    write("small.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/small.xta"));
    write("huge.xta",
          "process P(const int[0,11] id) { int[0,9] n; state a, never; init a;\n"
          "trans a -> a { assign n = n < 9 ? n + 1 : 0; },\n"
          "a -> never { guard forall (i : int[0,11]) n + i > 99; }; } system P;");
  }

  // In a terminal of so many columns; what is written to it, standard error included.
  [[nodiscard]] std::string on_terminal(const std::string& arguments,
                                        int columns,
                                        const std::string& variables = "TERM=xterm") const {
    const std::string inner = "stty cols " + std::to_string(columns) + "; env -u NO_COLOR " +
                              variables + " '" TW_BINARY "' " + arguments;
    const std::string command = "cd '" + path().string() + "' && script -qec \"" + inner +
                                "\" /dev/null >typescript 2>&1 </dev/null";
    (void)std::system(command.c_str());
    std::string out = read("typescript");
    std::erase(out, '\r');
    return out;
  }
};

bool has_script() { return std::system("command -v script stty >/dev/null 2>&1") == 0; }

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

constexpr const char* kSummary =
    "criterion   covered  infeasible  undecided  total\n"
    "edge              4           1          0      5   100.0 % of what is feasible\n"
    "\n"
    "small.xta: 24 states, all there are\n"
    "1 test, 4 steps; no suite with this coverage has fewer steps\n";

TEST_CASE("the summary is the end of the text", "[cli][summary]") {
  const Workspace workspace;
  const Outcome outcome = run(workspace, "generate small.xta");
  CHECK_THAT(outcome.out, StartsWith("Initial state\n") && EndsWith(kSummary));
  CHECK(outcome.err.empty());
}

TEST_CASE("with -o there is a summary on standard error", "[cli][summary]") {
  const Workspace workspace;
  for (const char* name : {"suite.txt", "suite.json", "suite.csv"}) {
    const Outcome outcome = run(workspace, std::string("generate small.xta -o ") + name);
    CHECK(outcome.code == 0);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == std::string(kSummary) + "written to " + name + "\n");
  }
  CHECK(run(workspace, "generate small.xta -q -o suite.txt").err.empty());
  const Outcome measured = run(workspace, "measure small.xta suite.json -o measured.json");
  CHECK_THAT(measured.err, Contains("edge ") && EndsWith("1 test, 4 steps\n"
                                                         "written to measured.json\n"));
  CHECK(json::parse(workspace.read("measured.json")).at("version") == 2);
}

TEST_CASE("the ending of a file's name chooses the format", "[cli][output]") {
  const Workspace workspace;
  const auto written = [&](const std::string& arguments) {
    CHECK(run(workspace, "generate small.xta -q " + arguments).code == 0);
    return workspace.read("x" + arguments.substr(arguments.find("-o x") + 4));
  };
  CHECK_THAT(written("-o x.json"), StartsWith("{"));
  CHECK_THAT(written("-o x.csv"), StartsWith("id,criterion"));
  CHECK_THAT(written("-o x.txt"), StartsWith("Initial state"));
  CHECK_THAT(written("-o x"), StartsWith("Initial state"));
  CHECK_THAT(written("--format csv -o x.json"), StartsWith("id,criterion"));
  CHECK_THAT(written("--json -o x.csv"), StartsWith("{"));
  CHECK(run(workspace, "generate small.xta -q -o x.csv --json").code == 0);
  CHECK_THAT(workspace.read("x.csv"), StartsWith("{"));
}

TEST_CASE("option --json is --format json wherever there is text and JSON", "[cli][output]") {
  const Workspace workspace;
  REQUIRE(run(workspace, "generate small.xta -q -o suite.json").code == 0);
  for (const char* command :
       {"generate small.xta --stable", "check small.xta suite.json", "info small.xta", "criteria",
        "explain small.xta edge:Boss.Office.Office", "measure small.xta suite.json",
        "compare small.xta --stable --mutants none"}) {
    CAPTURE(command);
    const Outcome outcome = run(workspace, std::string(command) + " --json");
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, StartsWith("{"));
    CHECK(outcome.out == run(workspace, std::string(command) + " --format json").out);
    CHECK(run(workspace, std::string(command) + " --format text --json").code == 2);
  }
}

TEST_CASE("what ends early says what it left open", "[cli][summary]") {
  const Workspace workspace;
  const Outcome states = run(workspace, "generate huge.xta --max-states 1k -o suite.json");
  CHECK(states.code == 4);
  CHECK_THAT(states.err,
             EndsWith("huge.xta: warning: the limit of states was reached in the phase 'search': "
                      "an item is undecided\n"
                      "  edge:P.a.never\n"
                      "  hint: a higher --max-states may decide them; --only asks for some of "
                      "them alone\n"));
  CHECK_THAT(run(workspace, "generate huge.xta --time-limit 100ms -o suite.json").err,
             Contains("the time was up in the phase 'search'") && Contains("longer --time-limit"));
  CHECK(run(workspace, "generate huge.xta --max-states 1k -q -o suite.json").err.empty());
  const std::string command = "cd '" + workspace.path().string() +
                              "' && timeout -s INT --preserve-status 1 '" TW_BINARY
                              "' generate huge.xta -o suite.json 2>err.txt";
  (void)std::system(command.c_str());
  CHECK_THAT(workspace.read("err.txt"), Contains("it was interrupted in the phase 'search'") &&
                                            Contains("  edge:P.a.never\n"));
}

TEST_CASE("text is wrapped to the terminal and coloured there", "[cli][summary]") {
  if (!has_script()) {
    WARN("skipped: needs script and stty");
    return;
  }
  const Workspace workspace;
  const std::string plain = run(workspace, "generate small.xta").out;
  CHECK(workspace.on_terminal("generate small.xta", 200, "NO_COLOR=1 TERM=xterm") == plain);
  CHECK(workspace.on_terminal("generate small.xta", 200, "TERM=dumb") == plain);
  CHECK_THAT(workspace.on_terminal("generate small.xta", 200),
             Contains("\x1b[1mT1: 4 steps") && Contains("\x1b[32m100.0 %") && EndsWith("steps\n"));
  const std::string narrow = workspace.on_terminal("generate small.xta", 80, "TERM=dumb");
  CHECK(longest_line(narrow) <= 80);
  CHECK(longest_line(plain) <= 80);
  CHECK(longest_line(workspace.on_terminal("generate small.xta --only nothing", 80)) <= 80);
  CHECK_THAT(workspace.on_terminal("generate small.xta", 48, "TERM=dumb"),
             Contains("  done = 0, late = 0, Worker(0).load = 0,\n"
                      "    Worker(1).load = 0\n") &&
                 Contains("   1  job[0]  Boss: Office -> Office [w = 0],\n"
                          "                  Worker(0): Idle -> Busy\n"
                          "                Worker(0).load = 1 (was 0)\n"));
}

}  // namespace
}  // namespace tw
