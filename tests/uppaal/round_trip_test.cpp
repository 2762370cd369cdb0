// Printing and loading are inverse: what print_xta writes loads again as an equal network, and
// printing that one gives the same text. Run over every model at hand.
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/model/print.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;

fs::path source_dir() { return fs::path(TW_SOURCE_DIR); }

std::vector<fs::path> models_under(const fs::path& directory) {
  constexpr std::array<const char*, 3> kExtensions = {".xml", ".xta", ".ta"};
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    const fs::path extension = entry.path().extension();
    const bool is_model = std::any_of(kExtensions.begin(), kExtensions.end(),
                                      [&](const char* known) { return extension == known; });
    if (entry.is_regular_file() && is_model)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string errors_of(const LoadedModel& model) {
  std::string out;
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    if (diagnostic.severity == Severity::kError)
      out += render(diagnostic, model.file);
  return out;
}

void check_round_trip(const Network& network) {
  const std::string printed = print_xta(network);
  const LoadedModel again = load_model_text("printed.xta", printed);
  INFO(errors_of(again));
  CHECK_FALSE(again.diagnostics.has_errors());
  if (!again.network) {
    FAIL_CHECK("the printed model does not load");
    return;
  }
  CHECK(first_difference(network, *again.network).value_or("") == "");
  // Compared first, shown only if different: a large model would drown the report.
  const std::string twice = print_xta(*again.network);
  if (twice != printed) {
    const auto at = std::mismatch(printed.begin(), printed.end(), twice.begin(), twice.end()).first;
    const auto offset = static_cast<std::size_t>(at - printed.begin());
    const std::size_t from = printed.rfind('\n', offset == 0 ? 0 : offset - 1) + 1;
    FAIL_CHECK("printing twice differs near: " << printed.substr(from, 200));
  }
}

// How many of the models loaded.
std::size_t check_all(const std::vector<fs::path>& models) {
  std::size_t loaded = 0;
  for (const fs::path& path : models) {
    const LoadedModel model = load_model(path.string());
    if (!model.network)
      continue;
    ++loaded;
    CAPTURE(path.string());
    check_round_trip(*model.network);
  }
  return loaded;
}

TEST_CASE("a one-rule model survives printing and loading", "[uppaal][round-trip]") {
  const std::vector<fs::path> models = models_under(source_dir() / "tests" / "cases");
  REQUIRE_FALSE(models.empty());
  CHECK(check_all(models) > 0);
}

TEST_CASE("a model of ours survives printing and loading", "[uppaal][round-trip]") {
  const fs::path directory = source_dir() / "models";
  if (!fs::is_directory(directory)) {
    WARN("skipped: there is no " << directory);
    return;
  }
  const std::vector<fs::path> models = models_under(directory);
  CHECK(check_all(models) == models.size());
}

TEST_CASE("a public model survives printing and loading", "[uppaal][round-trip]") {
  const fs::path shared = source_dir().parent_path() / "shared";
  for (const fs::path& directory : {shared / "corpus" / "uppaal", shared / "models"}) {
    if (!fs::is_directory(directory)) {
      WARN("skipped: there is no " << directory);
      continue;
    }
    CHECK(check_all(models_under(directory)) > 0);
  }
}

}  // namespace
}  // namespace tw
