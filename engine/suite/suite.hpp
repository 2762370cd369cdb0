// What a run hands to exporters: a verdict per item and the tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/rational.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/model/run_error.hpp"

namespace tw {

/// A state as people see it.
struct Snapshot {
  std::vector<LocationId> locations;  // by process
  std::vector<std::int32_t> cells;    // the state cells
  std::vector<Rational> clocks;       // right after the step that led here, at the chosen delays

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// How long to wait before a step: any time of the interval will do as long as all other delays of
/// the test are the chosen ones.
struct Delay {
  Rational chosen;
  Rational min;
  bool min_strict = false;
  std::optional<Rational> max;  // nullopt: no limit
  bool max_strict = false;
  /// All delays of the test may be off by their margins, each on its own, and it still runs.
  Rational margin;
};

/// The states it passes are made again where they are needed (test_states.hpp).
struct Test {
  std::vector<Step> steps;
  std::vector<Delay> delays;   // before each step; empty if the network has no clocks
  std::vector<ItemId> covers;  // ascending; everything it covers

  /// Steps without waits.
  [[nodiscard]] std::size_t length() const { return length_of(steps); }

  /// Model time from the initial state to the last step.
  [[nodiscard]] Rational duration() const {
    Rational sum = 0;
    for (const Delay& delay : delays)
      sum += delay.chosen;
    return sum;
  }
};

enum class ItemStatus : std::uint8_t {
  kCovered,
  kInfeasible,
  kUndecided,
  kMissed,      // it can be covered, and the suites that are measured do not
  kNotCounted,  // half of a pair, or a fallback that nobody needs: in no list and no total
};

struct Verdict {
  ItemStatus status = ItemStatus::kUndecided;
  std::uint32_t depth = 0;  // kCovered: steps of the trace the search found; shortest with bfs
};

struct Suite {
  Snapshot initial;
  std::vector<Test> tests;
  std::uint64_t lower_bound = 0;  // no suite with this coverage has fewer steps

  [[nodiscard]] std::uint64_t steps() const {
    std::uint64_t sum = 0;
    for (const Test& test : tests)
      sum += test.length();
    return sum;
  }

  [[nodiscard]] Rational duration() const {
    Rational sum = 0;
    for (const Test& test : tests)
      sum += test.duration();
    return sum;
  }
};

/// Which of the possible delays a test takes.
enum class Delays : std::uint8_t {
  kEarliest,  // every step as soon as possible
  kRobust,    // far from all bounds
  kLatest,    // each delay as long as the steps before it allow; as short as possible if unlimited
};

/// How the search went; `limit` is empty or what ended it early: states, memory, time, interrupt,
/// stop, model-error.
struct SearchSummary {
  std::string algorithm;
  std::string order;
  bool exhaustive = false;
  std::uint64_t states = 0;
  std::uint64_t expansions = 0;
  std::uint64_t transitions = 0;
  std::uint64_t tokens = 0;
  std::uint64_t depth = 0;
  std::uint64_t bytes_per_state = 0;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::string limit;
  /// Zones reach the undecided items, but the traces found do not fit the clocks.
  bool unconfirmed = false;
  /// Run-time errors of the model: the one that ended the search, or one for each place where steps
  /// were left out because of them.
  std::vector<RunError> errors;
};

/// The name of test number i, from 0: "T1", "T2", …
[[nodiscard]] std::string test_name(std::size_t i);

}  // namespace tw
