// What a run hands to exporters: a verdict per item and the tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// A state as people see it.
struct Snapshot {
  std::vector<LocationId> locations;  // by process
  std::vector<std::int32_t> cells;    // the state cells

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

struct Test {
  std::vector<Step> steps;
  std::vector<Snapshot> states;  // after each step
  std::vector<ItemId> covers;    // ascending; everything it covers
};

enum class ItemStatus : std::uint8_t {
  kCovered,
  kInfeasible,
  kUndecided,
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
      sum += test.steps.size();
    return sum;
  }
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
};

/// The name of test number i, from 0: "T1", "T2", …
[[nodiscard]] std::string test_name(std::size_t i);

}  // namespace tw
