// Every input that ever broke the front end, replayed. The files are named after what they broke;
// the fuzz targets that found them run only on demand.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/base/file.hpp"
#include "tests/fuzz/check_model.hpp"
#include "tests/fuzz/check_options.hpp"
#include "tests/fuzz/check_suite_file.hpp"
#include "tests/fuzz/check_texts.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> finds_in(const char* kind) {
  std::vector<fs::path> finds;
  const fs::path directory = fs::path(TW_SOURCE_DIR) / "tests" / "fuzz" / "regressions" / kind;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    finds.push_back(entry.path());
  std::sort(finds.begin(), finds.end());
  return finds;
}

// Path and text to what is wrong with us.
using FindFault = std::optional<std::string> (*)(const std::string&, std::string);

void replay(const char* kind, FindFault find_fault) {
  const std::vector<fs::path> finds = finds_in(kind);
  REQUIRE_FALSE(finds.empty());
  for (const fs::path& find : finds) {
    INFO(find.string());
    const FileContents contents = read_file(find.string());
    REQUIRE(contents.bytes.has_value());
    CHECK(find_fault(find.filename().string(), *contents.bytes).value_or("") == "");
  }
}

TEST_CASE("XML that once broke the front end gives diagnostics or a network", "[fuzz][xml]") {
  replay("xml", fuzz::find_fault);
}

TEST_CASE("text that once broke the front end gives diagnostics or a network", "[fuzz][text]") {
  replay("text", fuzz::find_fault);
}

TEST_CASE("observers that once broke the reader give diagnostics or rules", "[fuzz][observer]") {
  replay("observer",
         [](const std::string&, std::string text) { return fuzz::find_observer_fault(text); });
}

TEST_CASE("properties that once broke the reader give diagnostics or formulas",
          "[fuzz][properties]") {
  replay("properties",
         [](const std::string&, std::string text) { return fuzz::find_properties_fault(text); });
}

TEST_CASE("words of a command line give a command, help or a message", "[fuzz][options]") {
  replay("options",
         [](const std::string&, std::string text) { return fuzz::find_options_fault(text); });
}

TEST_CASE("random words of a command line give a command, help or a message", "[fuzz][options]") {
  std::ifstream dictionary(std::string(TW_SOURCE_DIR) + "/tests/fuzz/options.dict");
  std::vector<std::string> words = {"", "-", "--", "=", "\x01", "--=", "-c", "--json"};
  for (std::string line; std::getline(dictionary, line);)
    if (line.starts_with('"') && line.find('\\') == std::string::npos)
      words.push_back(line.substr(1, line.size() - 2));
  REQUIRE(words.size() > 50);
  std::mt19937 random(17);
  const std::vector<std::string> commands = {"generate", "check",   "info", "criteria",
                                             "explain",  "measure", "help", ""};
  for (int round = 0; round < 3000; ++round) {
    std::string lines = commands[random() % commands.size()] + '\n';
    for (std::size_t count = random() % 8; count != 0; --count)
      lines += words[random() % words.size()] + (random() % 6 == 0 ? "=" : "\n");
    INFO(lines);
    CHECK(fuzz::find_options_fault(lines).value_or("") == "");
  }
}

TEST_CASE("suites that are hard to read give errors or a result", "[fuzz][suite]") {
  replay("suite",
         [](const std::string&, std::string text) { return fuzz::find_suite_fault(text); });
}

TEST_CASE("suites cut and changed anywhere give errors or a result", "[fuzz][suite]") {
  const std::string good = fuzz::good_suite();
  CHECK(fuzz::find_suite_fault(good).value_or("") == "");
  for (std::size_t i = 0; i < good.size(); i += 23) {
    CHECK(fuzz::find_suite_fault(good.substr(0, i)).value_or("") == "");
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x11);
    CHECK(fuzz::find_suite_fault(changed).value_or("") == "");
  }
}

}  // namespace
}  // namespace tw
