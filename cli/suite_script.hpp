// Suite files as something to run: read, with messages, and looked up in a network.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/suite_names.hpp"
#include "engine/base/rational.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "exporters/suite_read.hpp"

namespace tw {

/// None if there is something wrong with the file, which is told on stderr.
[[nodiscard]] std::optional<SuiteFile> load_suite(const std::string& path);

/// Steps of a test; waits are none.
[[nodiscard]] std::size_t length_of(const SuiteFile::Test& test);

/// A test with all names looked up.
struct Script {
  const SuiteFile::Test* test;  // borrowed
  std::vector<Step> steps;
  std::vector<Rational> delays;  // none without clocks
};

struct ScriptOrProblem {
  std::optional<Script> script;
  std::size_t step = 0;  // without a script: which one does not fit, from 1
  std::string problem;
};

/// The test is borrowed by the script.
[[nodiscard]] ScriptOrProblem script_of(const Network& network,
                                        const SuiteNames& names,
                                        const SuiteFile::Test& test);

}  // namespace tw
