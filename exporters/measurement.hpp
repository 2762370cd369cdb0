// What replaying suites showed of their coverage, by criteria that need not be those they were made
// for: each suite by itself, and all together.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

/// A test that does not run on this model.
struct FailedTest {
  std::string id;
  std::size_t step = 0;  // from 1; 0: no single one
  std::string problem;
};

struct MeasuredSuite {
  std::string file;  // empty: all suites together
  std::size_t tests = 0;
  std::size_t steps = 0;  // of the tests that count
  std::vector<FailedTest> failed;
  std::vector<Verdict> verdicts;  // by item
};

struct Measurement {
  std::string_view model;
  const CoverageRules& rules;
  std::vector<MeasuredSuite> suites;
  MeasuredSuite merged;  // equal tests count once
  bool partial = false;  // what a test covers before the step that fails counts
  std::string limit;     // of --explore: what ended the search early
  bool explored = false;
  std::size_t left_out = 0;  // places with run-time errors, whose steps were left out
};

/// All suites together, in a few lines.
[[nodiscard]] std::string measurement_summary(const Measurement& measurement);
[[nodiscard]] std::string measurement_text(const Measurement& measurement);
[[nodiscard]] std::string measurement_json(const Measurement& measurement);
/// One line per item; by suite whether it covers it.
[[nodiscard]] std::string measurement_csv(const Measurement& measurement);

}  // namespace tw
