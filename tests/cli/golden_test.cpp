// What the program writes, byte by byte. tests/golden/commands.tsv has one line per file: its name
// and the command line; tools/accept_golden.sh renews the files, and the difference is reviewed.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

std::string line_at(const std::string& text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return at > text.size() ? "(the end)" : text.substr(begin, text.find('\n', at) - begin);
}

// Whole texts of thousands of characters show nobody what differs.
std::string first_difference(const std::string& found, const std::string& expected) {
  const std::size_t most = std::min(found.size(), expected.size());
  std::size_t at = 0;
  while (at < most && found[at] == expected[at])
    ++at;
  if (at == found.size() && at == expected.size())
    return "";
  const auto line =
      std::count(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return fmt::format("line {}\n  expected: {}\n  found:    {}", line + 1, line_at(expected, at),
                     line_at(found, at));
}

TEST_CASE("golden: the first difference is what is shown", "[cli][golden]") {
  CHECK(first_difference("a\nb\n", "a\nb\n").empty());
  CHECK(first_difference("a\nxb\nc", "a\nxd\nc") == "line 2\n  expected: xd\n  found:    xb");
  CHECK(first_difference("a\n", "a\nb") == "line 2\n  expected: b\n  found:    ");
}

TEST_CASE("golden: commands write what they wrote before", "[cli][golden]") {
  const test::fs::path folder = test::fs::path(TW_SOURCE_DIR) / "tests/golden";
  const test::Workspace workspace;
  for (const auto& entry : test::fs::directory_iterator(folder))
    if (entry.path().extension() == ".xta")
      test::fs::copy(entry.path(), workspace.path());
  std::ifstream commands(folder / "commands.tsv");
  REQUIRE(commands.is_open());
  std::size_t count = 0;
  for (std::string line; std::getline(commands, line); ++count) {
    const std::string file = line.substr(0, line.find('\t'));
    const std::string arguments = line.substr(line.find('\t') + 1);
    CAPTURE(file, arguments);
    const test::Outcome outcome = test::run(workspace, arguments);
    CHECK(outcome.code == 0);
    CHECK(first_difference(outcome.out, test::contents_of(folder / file)) == "");
  }
  CHECK(count > 0);
}

}  // namespace
}  // namespace tw
