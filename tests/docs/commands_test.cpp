// The documents as a test: every command that a fenced block marked `console` shows is run, and
// what it prints must be the text below it. Only commands of the tool itself are run (`./run …` and
// `tracewright …`, both by the binary just built); the others, such as builds, are for reading.
// A line that is only "…" stands for lines of the output that are not shown.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrompt = "$ ";
constexpr std::string_view kRest = "…";

struct Example {
  std::string file;  // relative to the source directory
  std::size_t line = 0;
  std::string command;
  std::vector<std::string> output;
};

/// All examples of a document; a block that is never closed, or that begins with output, is
/// reported.
std::vector<Example> examples_in(const std::string& file, std::istream& in) {
  std::vector<Example> found;
  bool inside = false;
  bool console = false;
  bool has_command = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      console = inside && line == "```console";
      has_command = false;
    } else if (console && line.starts_with(kPrompt)) {
      found.push_back({file, number, line.substr(kPrompt.size()), {}});
      has_command = true;
    } else if (console && has_command) {
      found.back().output.push_back(line);
    } else if (console) {
      FAIL_CHECK(file << ':' << number << ": output without a command: " << line);
    }
  }
  if (inside)
    FAIL_CHECK(file << ": a fenced block is never closed");
  return found;
}

std::vector<fs::path> documents() {
  const fs::path root = TW_SOURCE_DIR;
  std::vector<fs::path> out;
  for (const char* top : {"README.md", "CONTRIBUTING.md"})
    out.push_back(root / top);
  for (const char* folder : {"docs", "models"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".md")
        out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Example> all_examples() {
  std::vector<Example> all;
  for (const fs::path& path : documents()) {
    std::ifstream in(path);
    REQUIRE(in.is_open());
    const std::string name = fs::relative(path, TW_SOURCE_DIR).generic_string();
    for (Example& example : examples_in(name, in))
      all.push_back(std::move(example));
  }
  return all;
}

/// The command with the built binary in the place of its program; none if it is not ours to run.
std::optional<std::string> runnable(const std::string& command) {
  for (const std::string_view program : {"./run", "tracewright"})
    if (command == program || command.starts_with(std::string(program) + ' '))
      return "'" TW_BINARY "'" + command.substr(program.size());
  return std::nullopt;
}

struct Result {
  int exit_code = -1;  // -1: did not end by itself
  std::vector<std::string> lines;
};

/// Standard output and standard error together, as a terminal shows them.
Result run(const std::string& command) {
  // Standard error comes unbuffered, standard output at the end: the order is the same every time.
  FILE* pipe = popen(("cd '" TW_SOURCE_DIR "' && exec 2>&1 && " + command).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) != 0;)
    text.append(buffer, n);
  const int status = pclose(pipe);
  Result out;
  out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out.lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// A line "…" of what is expected, one at most, stands for lines of what is printed, one at least:
/// takes them out of both.
void cut_at_rest(std::vector<std::string>& expected, std::vector<std::string>& actual) {
  const auto rest = std::find(expected.begin(), expected.end(), kRest);
  if (rest == expected.end())
    return;
  const auto before = rest - expected.begin();
  const auto behind = expected.end() - rest - 1;
  CHECK(std::find(rest + 1, expected.end(), kRest) == expected.end());
  expected.erase(rest);
  CHECK(actual.size() > expected.size());
  if (actual.size() > expected.size())
    actual.erase(actual.begin() + before, actual.end() - behind);
}

TEST_CASE("documents: every command shown prints what is shown below it", "[docs]") {
  std::size_t commands = 0;
  bool in_readme = false;
  for (Example& example : all_examples()) {
    const std::optional<std::string> command = runnable(example.command);
    if (!command)
      continue;
    ++commands;
    in_readme = in_readme || example.file == "README.md";
    INFO(example.file << ':' << example.line << ": $ " << example.command);
    Result result = run(*command);
    // Usage errors mean that the document shows an option that does not exist; crashes speak for
    // themselves.
    CHECK((result.exit_code == 0 || result.exit_code == 3));
    cut_at_rest(example.output, result.lines);
    CHECK(result.lines == example.output);
  }
  CHECK(commands > 0);
  CHECK(in_readme);
}

}  // namespace
