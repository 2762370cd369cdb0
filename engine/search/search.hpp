// The one search loop. It takes what waits, expands it, notes what each step covers and asks a
// policy (passed.hpp, path_pass.hpp) what of the successors is new. Plain exploration, token
// pruning, token sets and paths differ in the policy only (docs/algorithms.md 2).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/search/entry_block.hpp"
#include "engine/search/error_places.hpp"
#include "engine/search/passed.hpp"
#include "engine/search/path_pass.hpp"
#include "engine/search/search_options.hpp"
#include "engine/search/sleep_queue.hpp"
#include "engine/search/state_observer.hpp"
#include "engine/search/state_store.hpp"
#include "engine/search/step_effects.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

class ZonePass;

struct SearchStatistics {
  std::uint64_t states = 0;
  std::uint64_t expansions = 0;
  std::uint64_t transitions = 0;
  std::uint64_t deadlocks = 0;  // expanded entries without a successor
  std::uint64_t depth = 0;      // bfs: length of the longest shortest path seen
  std::uint64_t bytes = 0;      // that grow with the search
};

/// A step of the search: the successor number `step` of an entry, or a wait there.
struct Arrival {
  static constexpr std::uint32_t kWait = 0x80000000;

  EntryId from;  // invalid: the start itself
  std::uint32_t step = 0;
  std::uint32_t depth = 0;  // steps on the way, this one included; waits do not count

  [[nodiscard]] bool is_wait() const { return (step & kWait) != 0; }
  [[nodiscard]] std::size_t wait() const { return step & ~kWait; }
};

/// Where a search begins; by default in the initial state with the initial tokens.
struct SearchStart {
  std::vector<std::uint64_t> state;
  SetId tokens;
};

/// What a search is after.
enum class Goal : std::uint8_t {
  kItems,    // as the options say
  kNearest,  // the step nearest to the start that covers something; of several, most
};

class Search {
 public:
  /// System, rules and effects are borrowed. Items that the ledger has covered are not looked for.
  Search(const System& system, Effects& effects, Ledger ledger, SearchOptions options);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  void start_at(SearchStart start) { start_ = std::move(start); }
  void set_goal(Goal goal) { goal_ = goal; }

  StopReason run();

  [[nodiscard]] const SearchStatistics& statistics() const { return statistics_; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// Every discrete state that was met, each at least once.
  [[nodiscard]] const StateStore& store() const { return store_; }

  /// After kModelError: what went wrong, in the state that was being expanded (invalid: in the
  /// initial one, which does not exist then).
  [[nodiscard]] const ModelError& error() const { return error_; }
  [[nodiscard]] EntryId failed_entry() const { return failed_entry_; }

  /// The error that ended the search, or those whose steps were left out, one for each place.
  [[nodiscard]] std::vector<ModelError> errors() const {
    return error_.status != RunStatus::kOk ? std::vector{error_} : skipped_.all();
  }

  /// False: an invariant is violated initially, there is no state at all.
  [[nodiscard]] bool has_initial_state() const { return has_initial_state_; }

  /// How an item was covered first; nullopt: it was not, by this search.
  [[nodiscard]] std::optional<Arrival> found(ItemId item) const;

  /// Goal::kNearest: the step. Local algorithm: the end of the best path.
  [[nodiscard]] const std::optional<Arrival>& best() const { return best_; }

  /// The steps from the start to an arrival, cut where the path resets.
  [[nodiscard]] std::vector<std::vector<Step>> traces(const Arrival& to);

  [[nodiscard]] std::size_t entries() const;
  /// The same for an entry.
  [[nodiscard]] std::vector<std::vector<Step>> traces(EntryId to);

 private:
  [[nodiscard]] std::optional<StopReason> limit_reached(std::size_t states, std::size_t bytes);
  void hold_back() const;
  [[nodiscard]] StopReason spent(Limit limit) const;
  template <class Work>
  StopReason ended_by_limits(Work work);
  [[nodiscard]] std::optional<StopReason> enter_layer(std::size_t entries);
  StopReason choose_and_explore();
  /// As many entries or expansions as were asked for.
  template <class Pass>
  [[nodiscard]] bool has_done_enough(const Pass& pass) const;
  template <class Pass>
  StopReason explore(Pass& pass);
  template <class Pass>
  StopReason work(Pass& pass);
  // What a step does to tokens, and what it covers.
  struct Outcome {
    SetId tokens;
    SetId passing;
    std::span<const ItemId> items;  // good until effects are asked again
  };
  template <class Pass>
  [[nodiscard]] Outcome outcome_of(OutcomeId id);
  [[nodiscard]] bool all_covered(std::span<const ItemId> items) const;
  template <class Pass>
  [[nodiscard]] bool queue_blocks(Pass& pass);
  void open_block(EntryBlock& block);
  template <class Pass>
  std::optional<StopReason> look_at_limits(Pass& pass, EntryId entry);
  template <class Pass>
  std::optional<StopReason> expand(Pass& pass, EntryBlock& block, std::size_t part);
  template <class Pass>
  bool arrive(Pass& pass,
              const EntryBlock& block,
              std::size_t successor,
              const std::optional<Outcome>& outcome,
              EntryId from);
  [[nodiscard]] std::uint32_t step_number(const EntryBlock& block,
                                          std::size_t successor,
                                          EntryId from);
  [[nodiscard]] StateKey key_of(const EntryBlock& block, std::size_t successor);
  [[nodiscard]] StateKey plain_key(const EntryBlock& block, std::size_t successor) const {
    return {.state = block.successors.state(successor).data(),
            .hash = block.successors.hash(successor),
            .state_hash = block.successors.hash(successor)};
  }
  template <class Pass>
  void look_ahead(Pass& pass, std::size_t first_entry);
  template <class Pass>
  void wait(Pass& pass,
            EntryId entry,
            const std::vector<std::uint64_t>& state,
            const StateObserver::Moment& moment);
  template <class Pass>
  void gather(OutcomeId id);
  template <class Pass>
  void gather_observed(const std::uint64_t* state, SetId tokens);
  template <class Pass>
  void note(Pass& pass, Arrival arrival);
  [[nodiscard]] std::optional<StopReason> goal_reached() const;
  [[nodiscard]] std::optional<Arrival>& place_of(ItemId item);
  bool prepare_start();
  [[nodiscard]] Node node(EntryId entry) const;
  [[nodiscard]] const std::uint64_t* state(EntryId entry);
  [[nodiscard]] bool is_state(EntryId entry, const std::uint64_t* state);
  [[nodiscard]] std::uint32_t depth(EntryId entry) const;
  [[nodiscard]] std::optional<std::size_t> step_between(EntryId from, EntryId to);

  const System& system_;  // borrowed
  Effects& effects_;      // borrowed
  Ledger ledger_;
  SearchOptions options_;
  Budget* const budget_ = BudgetScope::here();  // null: there is no limit
  std::uint64_t max_bytes_ = 0;                 // that may grow with the search; 0: no limit
  Goal goal_ = Goal::kItems;
  std::optional<SearchStart> start_;
  SuccessorGenerator generator_;
  StateObserver observer_;
  StateStore store_;
  // Exactly one is made by run().
  std::unique_ptr<StatePass> states_;
  std::unique_ptr<TokenPass> tokens_;
  std::unique_ptr<SubsetPass> subsets_;
  std::unique_ptr<PathPass> paths_;
  std::unique_ptr<ZonePass> zones_;

  Successors successors_;  // of traces
  std::unique_ptr<BlockQueue> blocks_;
  std::size_t queued_ = 0;          // breadth first: entries before this are in blocks
  const bool is_tokenless_;         // nothing but what single steps cover
  std::vector<StepEffects> kinds_;  // by expander
  // The memory is asked this many successors ahead. If keys are dear, those asked for are kept, by
  // number modulo the size.
  static constexpr std::size_t kAhead = 32;
  std::array<StateKey, 2 * kAhead> keys_;
  std::size_t keys_made_ = 0;
  std::size_t part_first_ = 0;  // the first successor of the entry being expanded
  bool leaves_out_ = false;     // successors that are not new
  const std::uint64_t look_interval_;
  SleepQueue sleeping_;  // … by waiting entry: whose they are
  std::size_t most_successors_ = 1;
  std::vector<bool> seen_;  // by outcome: nothing in it is new any more
  // Of the arrival being looked at.
  std::vector<ItemId> items_;
  std::vector<std::uint64_t> armed_;
  StateObserver::Findings findings_;
  // Waits, and the entries that begin with one.
  std::vector<std::vector<ClockConstraint>> waits_;
  std::unordered_map<EntryId, std::uint32_t> wait_of_;
  std::uint64_t waiting_work_ = 0;  // moments looked at
  std::uint64_t next_waiting_look_ = 0;
  std::optional<StopReason> waiting_stopped_;  // a limit was met while looking at moments
  std::unordered_map<EntryId, Step> step_to_;  // of entries that traces asked for
  EntryId recomputed_;                         // the last one whose zone was dropped …
  std::vector<std::uint64_t> recomputed_state_;
  std::vector<std::optional<Arrival>> found_;
  std::vector<ItemId> initial_items_;  // covered by the initial state
  std::optional<Arrival> best_;
  std::size_t best_count_ = 0;
  std::size_t covered_before_ = 0;
  std::uint64_t way_steps_ = 0;  // of the ways to all that was found
  std::chrono::steady_clock::time_point started_;

  SearchStatistics statistics_;
  std::uint64_t next_look_ = 0;  // at limits, in terms of work
  std::uint64_t next_memory_look_ = 0;
  bool layers_ = false;          // breadth first
  std::uint64_t layer_end_ = 1;  // bfs: entries of the depth being expanded lie before this
  ModelError error_;
  ErrorPlaces skipped_;
  EntryId failed_entry_;
  bool has_initial_state_ = true;
};

}  // namespace tw
