// Many tests as runs of one network. Tests of many suites are the same few transitions again and
// again, and many tests are equal or begin alike: states and transitions are numbered, so that
// whoever looks at all tests does the work once per transition.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/interpreter.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

class TestRuns {
 public:
  struct Transition {
    std::uint32_t from = 0;  // states
    std::uint32_t to = 0;
    Rational delay;
    Step step;
  };

  /// The network is borrowed and outlives this.
  explicit TestRuns(const Network& network);

  /// The number of the test; the same steps at the same times are the same test. Where the budget
  /// is spent there is no such test.
  std::size_t add(const Test& test);

  [[nodiscard]] const replay::RunState& initial() const { return initial_; }
  [[nodiscard]] std::size_t size() const { return tests_.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& test(std::size_t number) const {
    return *tests_[number];
  }
  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] const Transition& transition(std::uint32_t i) const { return *transitions_[i]; }
  [[nodiscard]] std::size_t transitions() const { return transitions_.size(); }
  [[nodiscard]] const replay::RunState& state(std::uint32_t i) const { return *states_[i]; }

 private:
  // Keys of the maps; what the vectors point at stays where it is.
  struct Key {
    std::uint32_t from = 0;
    Rational delay;
    std::vector<std::int64_t> edges;  // with their selects

    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.from, a.delay, a.edges) < std::tie(b.from, b.delay, b.edges);
    }
  };

  [[nodiscard]] std::uint32_t add_state(replay::RunState state);

  const Network* network_;  // borrowed
  replay::RunState initial_;
  std::map<replay::RunState, std::uint32_t> state_numbers_;
  std::vector<const replay::RunState*> states_;
  std::map<Key, std::pair<std::uint32_t, Transition>> transition_numbers_;
  std::vector<const Transition*> transitions_;
  std::map<std::vector<std::uint32_t>, std::size_t> test_numbers_;
  std::vector<const std::vector<std::uint32_t>*> tests_;
};

/// What a test covers, and after how many steps it does so first.
struct CoveredAt {
  ItemId item;
  std::uint32_t length = 0;  // not counting waits
};

struct TestCoverage {
  std::vector<std::vector<CoveredAt>> tests;  // by test: in the order of the run
  std::vector<bool> known;                    // by test: false where the budget was spent
};

/// Open item families of the rules may get new members. Replay decides, each common beginning of
/// tests being followed once. Pre: the tests run.
[[nodiscard]] TestCoverage coverage_of(const TestRuns& runs,
                                       CoverageRules& rules,
                                       OnError on_error);

}  // namespace tw
