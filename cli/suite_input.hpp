// Suite files that a command reads, with messages on stderr.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "engine/suite/generate.hpp"
#include "engine/suite/suite_file.hpp"
#include "exporters/suite_read.hpp"
#include "exporters/suite_source.hpp"

namespace tw {

struct LoadedSuite {
  SuiteSource source;
  SuiteFile file;
};

/// All but the tests. None if there is something wrong with it, which is told.
[[nodiscard]] std::optional<LoadedSuite> load_suite(const std::string& path);

/// Hands on the tests. False if there is something wrong with them, which is told.
[[nodiscard]] bool load_tests(const LoadedSuite& suite, SuiteTests& tests);

/// The options that a suite was made with; none, and the reason is told, if this program has no
/// such. Observers are read from the files given, by their names, or else from those the suite
/// names.
[[nodiscard]] std::optional<CoverageOptions> coverage_of(const LoadedSuite& suite,
                                                         const std::vector<std::string>& observers);

/// How the suite was made, as far as results depend on it; the same if there are no such words.
[[nodiscard]] std::optional<GenerateOptions> generate_options_of(const LoadedSuite& suite);

/// False, and that is told, if the suite was made from another model or version of it.
[[nodiscard]] bool is_of_model(const LoadedSuite& suite,
                               const std::string& model,
                               const std::string& sha256);

}  // namespace tw
