// One-rule models, one file each, with the verdict we want. EXPECTED.tsv names every file; the
// reason column says why we differ from UTAP where we do.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name;
  std::string verdict;  // ok, warning or error
};

fs::path directory_of(std::string_view format) {
  return fs::path(TW_SOURCE_DIR) / "tests" / "cases" / "uppaal" / format;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> columns(1);
  for (const char c : line) {
    if (c == '\t')
      columns.emplace_back();
    else
      columns.back() += c;
  }
  return columns;
}

std::vector<Case> read_cases(const fs::path& directory) {
  std::ifstream in(directory / "EXPECTED.tsv");
  std::string line;
  std::getline(in, line);
  REQUIRE(line == "case\tutap\trecommended\treason");
  std::vector<Case> cases;
  while (std::getline(in, line)) {
    const std::vector<std::string> columns = split(line);
    REQUIRE(columns.size() == 4);
    cases.push_back({.name = columns[0], .verdict = columns[2]});
  }
  return cases;
}

std::set<std::string> stems_of(const fs::path& directory, std::string_view extension) {
  std::set<std::string> stems;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == extension)
      stems.insert(entry.path().stem().string());
  return stems;
}

std::string describe_all(const LoadedModel& model) {
  std::string out;
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    out += render(diagnostic, model.file);
  return out;
}

// Warnings mark a word; an error may also mark the place where something is missing.
bool has_placed(const LoadedModel& model, Severity severity) {
  for (const Diagnostic& diagnostic : model.diagnostics.all()) {
    const SourceRange where = diagnostic.where;
    const bool inside = where.begin <= where.end && where.end <= model.file.text.size();
    const bool marks = severity == Severity::kError ? where.end != 0 : where.begin < where.end;
    if (diagnostic.severity == severity && inside && marks)
      return true;
  }
  return false;
}

void check_verdict(const LoadedModel& model, std::string_view verdict) {
  if (verdict == "error") {
    CHECK_FALSE(model.network.has_value());
    CHECK(model.diagnostics.has_errors());
    CHECK(has_placed(model, Severity::kError));
    return;
  }
  CHECK(model.network.has_value());
  CHECK_FALSE(model.diagnostics.has_errors());
  if (verdict == "warning")
    CHECK(has_placed(model, Severity::kWarning));
  else
    CHECK(verdict == "ok");
}

struct Collection {
  std::string format;  // the directory and the extension of its files
  std::size_t size = 0;
};

void check_collection(const Collection& collection) {
  const fs::path directory = directory_of(collection.format);
  const std::vector<Case> cases = read_cases(directory);
  const std::set<std::string> files = stems_of(directory, "." + collection.format);
  REQUIRE(cases.size() == collection.size);
  REQUIRE(files.size() == collection.size);
  for (const Case& one : cases) {
    DYNAMIC_SECTION(collection.format << "/" << one.name << " is " << one.verdict) {
      REQUIRE(files.count(one.name) == 1);
      const LoadedModel model =
          load_model((directory / (one.name + "." + collection.format)).string());
      INFO(describe_all(model));
      check_verdict(model, one.verdict);
    }
  }
}

TEST_CASE("every one-rule XTA model gets its verdict", "[uppaal][cases]") {
  check_collection({.format = "xta", .size = 302});
}

TEST_CASE("every one-rule XML model gets its verdict", "[uppaal][cases]") {
  check_collection({.format = "xml", .size = 80});
}

TEST_CASE("every one-rule model of UPPAAL 3 gets its verdict", "[uppaal][cases][old]") {
  check_collection({.format = "ta", .size = 27});
}

}  // namespace
}  // namespace tw
