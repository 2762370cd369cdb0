// Help pages, and what is said to words that nobody knows.
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::Outcome;
using test::run;

constexpr const char* kCommands[] = {"generate", "check",   "info",    "criteria",
                                     "explain",  "measure", "compare", "help"};

class Workspace : public test::Workspace {
 public:
  Workspace() {
    write("small.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/small.xta"));
  }
};

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

TEST_CASE("help fits the terminal, and 80 columns elsewhere", "[cli][help]") {
  const Workspace workspace;
  CHECK(longest_line(run(workspace, "--help").out) <= 80);
  for (const char* command : kCommands) {
    CAPTURE(command);
    const std::string out = run(workspace, std::string(command) + " --help").out;
    CHECK(longest_line(out) <= 80);
    CHECK_THAT(out, !Contains("\n\n\n"));
  }
  if (std::system("command -v script stty >/dev/null 2>&1") != 0) {
    WARN("skipped: needs script and stty");
    return;
  }
  for (const std::size_t columns : {50U, 100U}) {
    const std::string words = "cd '" + workspace.path().string() + "' && script -qec \"stty cols " +
                              std::to_string(columns) +
                              "; '" TW_BINARY "' generate --help\" /dev/null >out.txt </dev/null";
    REQUIRE(std::system(words.c_str()) == 0);
    std::string out = workspace.read("out.txt");
    std::erase(out, '\r');
    CHECK(longest_line(out) <= columns);
    CHECK(longest_line(out) > columns - 10);
  }
}

TEST_CASE("help COMMAND is COMMAND --help", "[cli][help]") {
  const Workspace workspace;
  CHECK(run(workspace, "help").out == run(workspace, "--help").out);
  for (const char* command : kCommands) {
    const Outcome outcome = run(workspace, std::string("help ") + command);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Contains(std::string("Usage: tracewright ") + command));
    CHECK(outcome.out == run(workspace, std::string(command) + " --help").out);
    CHECK_THAT(run(workspace, "help").out, Contains(std::string("  ") + command));
  }
  CHECK(run(workspace, "help nothing").code == 2);
}

TEST_CASE("unknown words get a suggestion", "[cli][help]") {
  const Workspace workspace;
  const auto refuse = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    const Outcome outcome = run(workspace, arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == message);
  };
  refuse("generat small.xta",
         "error: unknown command 'generat'\n  hint: did you mean 'generate'?\n");
  refuse("help chekc", "error: unknown command 'chekc'\n  hint: did you mean 'check'?\n");
  refuse("xyzzy", "error: unknown command 'xyzzy'\n  hint: tracewright --help lists them\n");
  refuse("small.xta",
         "error: unknown command 'small.xta'\n  hint: tracewright generate small.xta\n");
  refuse("", "error: no command is given\n  hint: tracewright --help lists them\n");
  refuse("generate small.xta --formt json",
         "error: unknown option '--formt'\n  hint: did you mean '--format'?\n");
  refuse("generate small.xta --max-state=5",
         "error: unknown option '--max-state=5'\n  hint: did you mean '--max-states'?\n");
  refuse("check --no-serch",
         "error: unknown option '--no-serch'\n  hint: did you mean '--no-search'?\n");
  refuse("generate small.xta --xyzzy",
         "error: unknown option '--xyzzy'\n  hint: tracewright generate --help\n");
  refuse("generate small.xta other.xta",
         "error: superfluous argument 'other.xta'\n  hint: tracewright generate --help\n");
  refuse("generate", "error: MODEL is required\n  hint: tracewright generate --help\n");
  refuse("generate small.xta --only",
         "error: --only needs a value\n  hint: tracewright generate --help\n");
}

TEST_CASE("sizes and counts take units", "[cli][help]") {
  const Workspace workspace;
  for (const char* options :
       {"--max-memory 2GB", "--max-memory 2GiB", "--max-memory 2g", "--max-memory 500mb",
        "--max-memory 600000KB", "--max-memory 2000000000B", "--max-memory 1.5G", "--max-states 1M",
        "--max-states 64k", "--max-states 64K", "--max-states 1.5M", "--stop 1k"}) {
    CAPTURE(options);
    CHECK(run(workspace, std::string("generate small.xta ") + options).code == 0);
  }
  for (const char* options : {"--max-memory GB", "--max-memory 2GBs", "--max-memory 0GB",
                              "--max-states 1.5", "--max-states 0M", "--max-states M",
                              "--max-states 1MB", "--max-states 0.0001k", "--max-states 1e30M"}) {
    CAPTURE(options);
    CHECK(run(workspace, std::string("generate small.xta ") + options).code == 2);
  }
  const std::string suite =
      run(workspace, "generate small.xta --json --max-states 1M --max-memory 2GiB").out;
  CHECK_THAT(suite,
             Contains("\"max_states\":1000000") && Contains("\"max_memory_bytes\":2147483648"));
}

}  // namespace
}  // namespace tw
