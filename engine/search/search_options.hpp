// How to search, and how a search ended.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/search/state_store.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

enum class Algorithm : std::uint8_t {
  kGlobal,  // every state once per new token
  kFig3,    // token sets, pruned by inclusion (docs/algorithms.md 2.3)
  kLocal,   // states with what the path has covered (docs/algorithms.md 2.7)
};

enum class Order : std::uint8_t {
  kBfs,
  kDfs,
  kRandom,
};

/// What makes a path of the local algorithm superfluous, or a zone.
enum class Subsumption : std::uint8_t {
  kEquality,  // the same was met before
  kForward,   // one that has covered at least as much, or is larger, was met before
  kBothWays,  // … and those that are less than a new one are removed; traces may get longer
};

enum class StopReason : std::uint8_t {
  kExhausted,  // nothing is left to expand
  kDecided,    // every item is covered
  kStop,       // as many items are covered as were asked for
  kStates,     // or expansions
  kMemory,
  kTime,
  kModelError,
  kInterrupted,
};

/// What ended a search early, in one word; empty: nothing did.
[[nodiscard]] std::string_view limit_name(StopReason reason);

struct SearchProgress {
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  std::uint64_t items = 0;
  std::uint64_t covered = 0;
};

struct SearchOptions {
  Algorithm algorithm = Algorithm::kGlobal;
  Order order = Order::kBfs;
  Subsumption subsumption = Subsumption::kForward;
  bool reset = false;         // local: a test may end and the next one begin
  std::uint64_t seed = 1;     // of the random order
  std::uint64_t stop_at = 0;  // end once this many items are covered; 0: no such goal
  bool full = false;          // go on when every item is covered
  OnError on_error = OnError::kStop;
  Execution execution = Execution::kNative;  // for whoever makes the system to be searched
  /// Values that nobody can read any more, and no rule sees, tell states apart. For whoever makes
  /// the system.
  bool keep_dead = false;
  StoreKind store = StoreKind::kFlat;
  /// Breadth first: steps that are known to lead nowhere new are counted, but not taken. Results do
  /// not depend on it; tests compare.
  bool leave_out = true;
  std::size_t threads = 1;       // results do not depend on it; only breadth first uses more
  std::uint64_t max_states = 0;  // 0: no limit; states with tokens count each time
  // For searches that are only an attempt:
  std::uint64_t max_expansions = 0;  // with some allowance for comparing paths
  std::uint64_t max_depth = 0;       // bfs; steps of all tests together for local
  /// Local, bfs: of all paths with equally many steps, only so many that have covered most go on.
  std::uint64_t beam = 0;
  bool drop_dead = false;  // local: tokens that can only cover what the path has covered
  /// Told now and then. May be empty. Time, memory and interrupts are the business of the budget of
  /// this thread (engine/base/budget.hpp).
  std::function<void(const SearchProgress&)> progress;
};

}  // namespace tw
