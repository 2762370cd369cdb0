// Where results go: files, links, devices, pipes, and what can be wrong with them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using test::Outcome;
using test::run;

class Workspace : public test::Workspace {
 public:
  Workspace() {
    write("small.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/small.xta"));
    // Far too large to finish: 10^12 states.
    write("huge.xta",
          "process P(const int[0,11] id) { int[0,9] n; state a, never; init a;\n"
          "trans a -> a { assign n = n < 9 ? n + 1 : 0; },\n"
          "a -> never { guard forall (i : int[0,11]) n + i > 99; }; } system P;");
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(path()))
      out.push_back(entry.path().filename().string());
    return out;
  }
};

// A shell's words with $TW for the program, in the workspace; what it prints is in out.txt,
// err.txt.
int shell(const Workspace& workspace, const std::string& words) {
  const std::string command = "cd '" + workspace.path().string() + "' && TW='" TW_BINARY "' && { " +
                              words + "; } >out.txt 2>err.txt </dev/null";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_CASE("a file that is read is not written to", "[cli][output]") {
  const Workspace workspace;
  workspace.write("my.obs",
                  test::contents_of(std::string(TW_SOURCE_DIR) + "/models/observers/edges.obs"));
  workspace.write("p.ltl", "G Boss.Office;\n");
  REQUIRE(run(workspace, "generate small.xta --format json -o suite.json").code == 0);
  fs::create_symlink("small.xta", workspace.path() / "link.xta");
  fs::create_hard_link(workspace.path() / "small.xta", workspace.path() / "hard.xta");
  const std::string model = workspace.read("small.xta");
  for (const char* arguments :
       {"generate small.xta -o small.xta", "generate small.xta -o ./small.xta",
        "generate small.xta -o link.xta", "generate link.xta -o small.xta",
        "generate small.xta -o hard.xta", "generate small.xta --properties p.ltl -c vc -o p.ltl",
        "generate small.xta -c my.obs -o my.obs", "measure small.xta suite.json -o suite.json",
        "measure small.xta suite.json -o small.xta", "compare small.xta -o small.xta",
        "compare small.xta --svg small.xta"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(workspace, arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("would replace") && Contains("hint: "));
    CHECK(workspace.read("small.xta") == model);
  }
  CHECK(fs::file_size(workspace.path() / "suite.json") > 100);
}

TEST_CASE("what cannot be written is told before the work", "[cli][output]") {
  const Workspace workspace;
  workspace.write("read-only", "mine");
  fs::permissions(workspace.path() / "read-only", fs::perms::owner_read);
  fs::create_directory(workspace.path() / "folder");
  fs::create_symlink("missing/target", workspace.path() / "astray");
  fs::create_symlink("circle", workspace.path() / "circle");
  const std::string too_long(256, 'n');
  for (const std::string& path :
       {std::string("read-only"), std::string("folder"), std::string("folder/"),
        std::string("new/"), std::string("missing/x"), std::string("small.xta/x"),
        std::string("astray"), std::string("circle"), too_long, "folder/" + too_long}) {
    CAPTURE(path);
    // Would not end by itself.
    const Outcome outcome = run(workspace, "generate huge.xta -q --time-limit 20s -o " + path);
    CHECK(outcome.code == 5);
    CHECK_THAT(outcome.err, Contains("error: cannot write '" + path + "': "));
    CHECK_THAT(outcome.err, !Contains("internal"));
  }
  CHECK(workspace.read("read-only") == "mine");
  CHECK(run(workspace, "generate small.xta -o ''").code == 2);
  CHECK_THAT(run(workspace, "generate small.xta -o /proc/new").err, !Contains("no folder"));
}

TEST_CASE("folders in which others' files must stay are noticed before the work", "[cli][output]") {
  const Workspace workspace;
  const bool root = ::geteuid() == 0;
  const std::string other = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
  fs::permissions(workspace.path(), fs::perms::all);
  if (!root || shell(workspace, other + "\"$TW\" --version") != 0) {
    WARN("skipped: needs root, setpriv and a program that everybody may run");
    return;
  }
  fs::create_directory(workspace.path() / "sticky");
  REQUIRE(::chmod((workspace.path() / "sticky").c_str(), 01777) == 0);
  workspace.write("sticky/theirs", "theirs");
  fs::permissions(workspace.path() / "sticky/theirs", fs::perms::all);
  fs::create_directory(workspace.path() / "closed");
  REQUIRE(::chmod((workspace.path() / "closed").c_str(), 0755) == 0);
  for (const char* path : {"sticky/theirs", "closed/new"}) {
    CAPTURE(path);
    CHECK(shell(workspace, other + "\"$TW\" generate huge.xta -q --time-limit 20s -o " + path) ==
          5);
    CHECK_THAT(workspace.read("err.txt"), Contains("error: cannot write"));
  }
  CHECK(workspace.read("sticky/theirs") == "theirs");
  CHECK(shell(workspace, other + "\"$TW\" generate small.xta -q -o sticky/mine") == 0);
  CHECK_THAT(workspace.read("sticky/mine"), Contains("T1: "));
}

TEST_CASE("names of any length the system allows, and links to nothing yet, are written to",
          "[cli][output]") {
  const Workspace workspace;
  const std::string longest(255, 'n');
  CHECK(run(workspace, "generate small.xta -q -o " + longest).code == 0);
  CHECK_THAT(workspace.read(longest), Contains("T1: "));
  fs::create_symlink("target", workspace.path() / "link");
  CHECK(run(workspace, "generate small.xta -q -o link").code == 0);
  CHECK(fs::is_symlink(workspace.path() / "link"));
  CHECK_THAT(workspace.read("target"), Contains("T1: "));
}

TEST_CASE("a file that is replaced keeps its rights", "[cli][output]") {
  const Workspace workspace;
  workspace.write("old", "old");
  const fs::perms rights = fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read;
  fs::permissions(workspace.path() / "old", rights);
  CHECK(run(workspace, "generate small.xta -q -o old").code == 0);
  CHECK(fs::status(workspace.path() / "old").permissions() == rights);
  CHECK(shell(workspace, "umask 027; \"$TW\" generate small.xta -q -o new") == 0);
  CHECK(fs::status(workspace.path() / "new").permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
}

TEST_CASE("memory that is gone costs no result", "[cli][output]") {
  const Workspace workspace;
  const int code = shell(workspace, "ulimit -v 300000; \"$TW\" generate huge.xta -o out.json");
  if (code == 134 || code == 127) {
    WARN("skipped: memory of this build cannot be limited");
    return;
  }
  CHECK(code == 4);
  CHECK(nlohmann::json::parse(workspace.read("out.json")).at("search").at("limit") == "memory");
  CHECK_THAT(workspace.read("err.txt"),
             Contains("the limit of memory was reached") && Contains("hint: more memory"));
}

TEST_CASE("floods of errors are cut", "[cli][output]") {
  const Workspace workspace;
  std::string model;
  std::string rules;
  std::string observer = "observer o {\n";
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i);
    model += "int a" + number + " = zz" + number + ";\n";
    rules += "G zz" + number + ";\n";
    observer += "node n" + number + "; on blah -> zz;\n";
  }
  workspace.write("flood.xta", model + "process P() { state a; init a; } system P;");
  workspace.write("flood.ltl", rules);
  workspace.write("flood.obs", observer);
  for (const char* arguments :
       {"generate flood.xta", "generate small.xta -c vc --properties flood.ltl",
        "generate small.xta -c flood.obs", "criteria flood.obs", "info flood.xta"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(workspace, arguments);
    CHECK(outcome.code == 3);
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') < 300);
    CHECK_THAT(outcome.err, Contains(" more errors\n") && Contains(" errors, 0 warnings\n"));
  }
}

TEST_CASE("a full disk leaves the old file", "[cli][output]") {
  const Workspace workspace;
  workspace.write("out.json", "old");
  // Half a kilobyte per file is as good as a full disk.
  CHECK(shell(workspace, "ulimit -f 1; \"$TW\" generate small.xta --format json -o out.json") == 5);
  CHECK(workspace.read("out.json") == "old");
  CHECK_THAT(workspace.read("err.txt"),
             Contains("error: cannot write 'out.json': ") && Contains("unchanged"));
  CHECK(workspace.files().size() == 5);
}

TEST_CASE("a result that cannot take its name is kept", "[cli][output]") {
  const Workspace workspace;
  CHECK(shell(workspace,
              "{ sleep 0.3; mkdir out.json; } & \"$TW\" generate huge.xta --time-limit 1s "
              "--format json -o out.json") == 5);
  const std::string err = workspace.read("err.txt");
  const std::string before = "hint: the result is in '";
  const std::size_t begin = err.find(before);
  REQUIRE(begin != std::string::npos);
  const std::string name = err.substr(
      begin + before.size(), err.find('\'', begin + before.size()) - begin - before.size());
  CHECK(nlohmann::json::parse(workspace.read(name)).at("format") == "tracewright-suite");
}

TEST_CASE("no signal leaves a file behind", "[cli][output]") {
  const Workspace workspace;
  const std::vector<std::string> before = workspace.files();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGXCPU, SIGKILL}) {
    CAPTURE(signal);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(workspace.path().c_str()) == 0)
        ::execl(TW_BINARY, TW_BINARY, "generate", "huge.xta", "-q", "-o", "out.txt", "--time-limit",
                "20s", "--max-memory", "1G", nullptr);
      ::_exit(127);
    }
    REQUIRE(child > 0);
    // Twice, so that the program ends at once.
    for (int i = 0; i < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
      ::kill(child, signal);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) || WEXITSTATUS(status) == 130));
    fs::remove(workspace.path() / "out.txt");
    CHECK(workspace.files() == before);
  }
}

TEST_CASE("standard streams may be closed, full or a pipe that nobody reads", "[cli][output]") {
  const Workspace workspace;
  const std::string expected = run(workspace, "generate small.xta --format json --stable").out;
  SECTION("a result for nobody is no success, and no mistake of ours") {
    for (const char* words :
         {"\"$TW\" generate small.xta >&-", "\"$TW\" criteria >&-", "\"$TW\" check small.xta x >&-",
          "{ \"$TW\" generate small.xta; echo $? >code; } | true; exit $(cat code)",
          "trap '' PIPE; { \"$TW\" generate small.xta; echo $? >code; } | true; exit $(cat "
          "code)"}) {
      CAPTURE(words);
      CHECK(shell(workspace, words) != 0);
      CHECK_THAT(workspace.read("err.txt"), !Contains("internal"));
    }
  }
  SECTION("messages that nobody can read cost no result") {
    for (const char* end : {"2>/dev/full", "2>&-", "2>&1 >&2 | true"}) {
      CAPTURE(end);
      CHECK(shell(workspace,
                  std::string("\"$TW\" generate small.xta --optimise time --format json --stable "
                              "-o out.json ") +
                      end) == 0);
      CHECK(workspace.read("out.json") == expected);
    }
  }
  SECTION("a closed standard output is not taken for the file") {
    CHECK(shell(workspace,
                "\"$TW\" generate small.xta --format json --stable -o out.json >&- <&-") == 0);
    CHECK(workspace.read("out.json") == expected);
  }
  SECTION("/dev/stdout is standard output, wherever it leads") {
    CHECK(shell(workspace,
                "echo before >both; \"$TW\" generate small.xta --format json --stable "
                "-o /dev/stdout >>both") == 0);
    CHECK(workspace.read("both") == "before\n" + expected);
    CHECK(shell(workspace,
                "\"$TW\" generate small.xta --format json --stable -o /dev/stdout | cat >both") ==
          0);
    CHECK(workspace.read("both") == expected);
  }
}

}  // namespace
}  // namespace tw
