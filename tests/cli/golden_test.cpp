// What the program writes, byte by byte. tests/golden/commands.tsv has one line per file: its name
// and the command line; tools/accept_golden.sh renews the files, and the difference is reviewed.
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

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
    CHECK(outcome.out == test::contents_of(folder / file));
  }
  CHECK(count > 0);
}

}  // namespace
}  // namespace tw
