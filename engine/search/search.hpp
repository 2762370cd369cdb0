// Breadth-first exploration of a network: every reachable state is expanded once. Counts, limits
// and the way to a state; what a step covers will be added to this one loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/search/state_store.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

enum class StopReason : std::uint8_t {
  kExhausted,  // every reachable state was expanded
  kStates,
  kMemory,
  kTime,
  kModelError,
  kInterrupted,
};

struct SearchOptions {
  OnError on_error = OnError::kStop;
  std::uint64_t max_states = 0;  // 0: no limit
  std::uint64_t max_bytes = 0;
  std::chrono::milliseconds time_limit{0};
  /// Asked now and then; true ends the search. May be empty.
  std::function<bool()> interrupted;
};

struct SearchStatistics {
  std::uint64_t states = 0;
  std::uint64_t expansions = 0;
  std::uint64_t transitions = 0;
  std::uint64_t deadlocks = 0;  // expanded states without a successor
  std::uint64_t depth = 0;      // length of the longest shortest path seen
  std::uint64_t bytes = 0;      // of the store
};

class Search {
 public:
  /// The system is borrowed and outlives the search.
  Search(const System& system, SearchOptions options);

  StopReason run();

  [[nodiscard]] const SearchStatistics& statistics() const { return statistics_; }

  /// After kModelError: what went wrong, in the state that was being expanded.
  [[nodiscard]] const ModelError& error() const { return error_; }

  [[nodiscard]] StateId failed_state() const { return failed_state_; }

  /// The steps of a shortest path from the initial state to this one.
  [[nodiscard]] std::vector<Step> trace(StateId to);

  [[nodiscard]] const StateStore& store() const { return store_; }

  /// False: an invariant is violated initially, there is no state at all.
  [[nodiscard]] bool has_initial_state() const { return has_initial_state_; }

 private:
  [[nodiscard]] std::optional<StopReason> limit_reached() const;

  const System& system_;
  SearchOptions options_;
  SuccessorGenerator generator_;
  StateStore store_;
  Successors successors_;
  SearchStatistics statistics_;
  ModelError error_;
  StateId failed_state_;
  bool has_initial_state_ = true;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace tw
