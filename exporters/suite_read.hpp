// A suite file read back. Files of any size: only one step is held at a time, and what is not a
// test.
#pragma once

#include <optional>

#include "engine/base/diagnostics.hpp"
#include "engine/suite/suite_file.hpp"
#include "exporters/suite_source.hpp"

namespace tw {

/// What is wrong with a file: each message names the JSON path that is wrong and what was expected
/// there, `tests[2].steps[0].edges: expected a list`; or, where the text is no JSON at all, a
/// place.
struct SuiteProblems {
  Diagnostics diagnostics;
  std::optional<SuitePlace> place;  // of the last one, if the text is no JSON

  /// For stderr, with the name of the file.
  [[nodiscard]] std::string render_all(const std::string& path) const;
};

/// All of it but the tests. Never fails otherwise than by problems. Unknown members are ignored,
/// since later versions may add some.
[[nodiscard]] std::optional<SuiteFile> read_suite(const SuiteSource& source,
                                                  SuiteProblems& problems);

/// The tests, handed on as they are read. False: there are problems, and what was handed on is
/// worth nothing.
[[nodiscard]] bool read_tests(const SuiteSource& source,
                              const SuiteFile& suite,
                              SuiteTests& tests,
                              SuiteProblems& problems);

}  // namespace tw
