// Is what a suite file says so? Everything that running its tests decides is found out again by the
// second interpreter of the model and the second reading of the rules, and compared; none of the
// code that makes suites is used, and nothing is believed. What only a search can know is in
// check_search.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/check/check_delays.hpp"
#include "engine/check/check_result.hpp"
#include "engine/check/suite_names.hpp"
#include "engine/check/test_replay.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/suite.hpp"
#include "engine/suite/suite_file.hpp"

namespace tw {

struct SuiteCheckOptions {
  OnError on_error = OnError::kStop;  // what counted as absent when the suite was made
  /// Asked now and then: true ends the check of what takes long, and that is reported.
  std::function<bool()> is_spent = [] { return false; };
};

class SuiteChecker final : public SuiteTests {
 public:
  /// All are borrowed and outlive this. The rules are those that the options of the suite ask for.
  SuiteChecker(const Network& network,
               CoverageRules& rules,
               const SuiteFile& suite,
               SuiteCheckOptions options);

  void begin_test() override;
  void step(SuiteFile::Step step) override;
  void end_test(SuiteFile::Test test) override;

  /// A limit was met: what comes after the tests read so far is not known.
  void stop(Limit limit) { stopped_ = limit; }

  /// Once all tests were read, or after stop().
  [[nodiscard]] CheckResult finish();

  /// After finish(): by item, with what the tests cover, and what the suite says of the others;
  /// depths are what the suite says, 0 where it says nothing.
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  void fail(TestProblem problem);
  void check_head();
  void check_criteria_asked();
  [[nodiscard]] std::optional<TestProblem> compare(const SuiteFile::Step& written) const;
  [[nodiscard]] std::optional<TestProblem> compare_test(const SuiteFile::Test& test);
  void read_items();
  void check_items(const std::vector<Verdict>& expected);
  void check_item(const SuiteFile::Item& written, ItemId item, const Verdict& expected);
  void check_tests_of(const SuiteFile::Item& written, ItemId item);
  void check_covers(std::size_t test);
  void check_counts(const std::vector<Verdict>& expected);
  void check_summary();
  void check_search();
  void differs(std::string text);
  void misfits(std::string text);

  const Network& network_;
  CoverageRules& rules_;
  const SuiteFile& suite_;
  const SuiteCheckOptions options_;
  const SuiteNames names_;
  const replay::Interpreter interpreter_;
  replay::Monitor monitor_;
  TestReplay replay_;
  DelayCheck delay_check_;
  const std::size_t declared_items_;  // others become known on the way
  CheckResult out_;

  // Of the test that is being read.
  std::optional<TestProblem> problem_;
  std::size_t written_steps_ = 0;
  std::size_t length_ = 0;  // without waits
  Rational duration_;
  std::vector<SuiteFile::Delay> delays_;

  // Of all tests.
  struct RanTest {
    std::vector<ItemId> covers;   // ascending
    std::vector<ItemId> claimed;  // ascending
  };
  std::vector<RanTest> ran_;                                   // by test; empty if it does not run
  std::map<std::string, std::size_t, std::less<>> number_of_;  // by id: the first one
  std::uint64_t steps_ = 0;
  Rational total_duration_;
  bool all_run_ = true;
  Limit stopped_ = Limit::kNone;
  std::size_t delays_not_tried_ = 0;                   // tests
  std::vector<const SuiteFile::Item*> written_items_;  // by item
  std::vector<std::vector<std::size_t>> tests_by_item_;
  std::vector<Verdict> verdicts_;
};

}  // namespace tw
