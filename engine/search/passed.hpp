// PASS and WAIT of the global algorithms, as policies of the one search loop
// (docs/algorithms.md 2.1). Each answers: is what arrives here new, and what of it?
//
//   StatePass   no tokens: a state is expanded once.
//   TokenPass   tokens one by one: per state the union of those already explored there; only new
//               ones go on, dead ones never. Complete because rules look at one token at a time
//               (docs/algorithms.md 2.4, 2.5).
//   SubsetPass  token sets as a whole: pruned if a superset was met in the same state
//               (docs/algorithms.md 2.3).
//   ZonePass    (zone_pass.hpp) tokens one by one, with clocks.
//
// A policy keeps one parent per entry. That is enough: all tokens of an entry were carried by the
// entry's own path.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/chunked_vector.hpp"
#include "engine/coverage/bit_sets.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/search/parent_list.hpp"
#include "engine/search/state_store.hpp"
#include "engine/search/wait_list.hpp"
#include "engine/semantics/recent_states.hpp"

namespace tw {

/// What an entry stands for.
struct Node {
  StateId state;
  SetId tokens;
  SetId items = BitSets::kEmpty;  // local algorithm: what the path has covered
  EntryId parent;                 // invalid: where the search starts
  bool reset = false;             // local algorithm: a new test begins
};

class StatePass {
 public:
  StatePass(const SearchOptions& options, StateStore& store)
      : store_(store),
        waiting_(options.order, options.seed) {}

  void start(const std::uint64_t* state, SetId tokens) {
    bottom_ = tokens;
    store_.insert(state);
    add(EntryId());
  }

  std::optional<EntryId> pop() { return waiting_.pop(); }

  [[nodiscard]] Node node(EntryId entry) const {
    return {.state = StateId(entry.index()), .tokens = bottom_, .parent = parents_[entry.index()]};
  }

  /// What is left to expand of an entry that was popped.
  [[nodiscard]] SetId rest(EntryId /*entry*/) const { return bottom_; }
  /// Nothing of an entry that waits is left, and nothing will be.
  [[nodiscard]] bool is_spent(EntryId /*entry*/) const { return false; }

  /// The state of an entry; good until the next call.
  [[nodiscard]] const std::uint64_t* state(EntryId entry) const {
    return store_[StateId(entry.index())];
  }

  /// Pre: a key of the store. True: something is new here, and there is one more entry.
  bool arrive(const StateKey& key, SetId /*tokens*/, EntryId parent) {
    if (!store_.insert(key).is_new)
      return false;
    add(parent);
    return true;
  }
  /// The tokens of the last entry, before something is added.
  [[nodiscard]] SetId fresh() const { return bottom_; }

  /// Tokens armed in the state of the last entry.
  void add_to_last(Words /*armed*/) {}

  [[nodiscard]] std::size_t states() const { return store_.size(); }
  [[nodiscard]] std::size_t entries() const { return parents_.size(); }
  [[nodiscard]] std::size_t bytes() const { return parents_.bytes() + waiting_.bytes(); }

 private:
  void add(EntryId parent) {
    waiting_.push(EntryId(parents_.size()));
    parents_.push_back(parent);
  }

  StateStore& store_;  // borrowed
  WaitList waiting_;
  ParentList parents_;  // entries are states
  SetId bottom_;
};

/// Entries with tokens: common to those below.
class EntryList {
 public:
  EntryList(const SearchOptions& options, StateStore& store, Effects& effects)
      : store_(store),
        effects_(effects),
        waiting_(options.order, options.seed) {}

  std::optional<EntryId> pop() { return waiting_.pop(); }

  [[nodiscard]] Node node(EntryId entry) const {
    return {.state = states_[entry.index()],
            .tokens = effects_.sets().intern(effects_.sets()[tokens_[entry.index()]]),
            .parent = parents_[entry.index()]};
  }

  [[nodiscard]] const std::uint64_t* state(EntryId entry) const {
    return store_[states_[entry.index()]];
  }

  [[nodiscard]] std::size_t states() const { return store_.size(); }
  [[nodiscard]] std::size_t entries() const { return states_.size(); }

 protected:
  [[nodiscard]] const SetCode& tokens_of(EntryId entry) const { return tokens_[entry.index()]; }
  /// Of the last entry.
  SetCode& last_tokens() { return tokens_[tokens_.size() - 1]; }
  [[nodiscard]] StateId last_state() const { return states_[states_.size() - 1]; }

  EntryId add(StateId state, SetCode tokens, EntryId parent) {
    const EntryId entry(states_.size());
    states_.push_back(state);
    tokens_.push_back(tokens);
    parents_.push_back(parent);
    waiting_.push(entry);
    return entry;
  }

  [[nodiscard]] std::size_t entry_bytes() const {
    return states_.bytes() + tokens_.bytes() + parents_.bytes() + waiting_.bytes();
  }

  StateStore& store_;  // borrowed
  Effects& effects_;   // borrowed

 private:
  WaitList waiting_;
  ChunkedVector<StateId> states_;
  ChunkedVector<SetCode> tokens_;
  ParentList parents_;
};

class TokenPass : public EntryList {
 public:
  TokenPass(const SearchOptions& options, StateStore& store, Effects& effects, Ledger& ledger)
      : EntryList(options, store, effects),
        ledger_(ledger),
        recent_(store.words(), 2) {}

  void start(const std::uint64_t* state, SetId tokens);
  /// Tokens may have died while the entry waited.
  [[nodiscard]] SetCode rest(EntryId entry) {
    return may_have_dead(entry) ? living(tokens_of(entry)) : tokens_of(entry);
  }
  [[nodiscard]] bool is_spent(EntryId entry) {
    return may_have_dead(entry) && is_subset(effects_.sets()[tokens_of(entry)], ledger_.dead());
  }
  bool arrive(const StateKey& key, Words tokens, EntryId parent);
  [[nodiscard]] SetId fresh() { return effects_.sets().intern(new_); }
  void add_to_last(Words armed);
  [[nodiscard]] std::size_t bytes() const { return entry_bytes() + explored_.bytes(); }

 private:
  [[nodiscard]] bool keep_new(Words tokens, Words known);
  [[nodiscard]] SetCode living(const SetCode& tokens);

  // Tokens die when items are covered, which is seldom.
  [[nodiscard]] bool may_have_dead(EntryId entry) {
    if (ledger_.covered() != covered_) {
      covered_ = ledger_.covered();
      alive_ = entries();
    }
    return entry.index() < alive_;
  }

  Ledger& ledger_;                   // borrowed
  std::size_t covered_ = 0;          // as many as when it was last looked at …
  std::size_t alive_ = 0;            // … and entries from this one on had no dead token then
  ChunkedVector<SetCode> explored_;  // by state
  // Noted: the state's number, and at least some of what is explored there.
  RecentStates recent_;
  std::vector<std::uint64_t> new_;  // scratch
};

class SubsetPass : public EntryList {
 public:
  using EntryList::EntryList;

  void start(const std::uint64_t* state, SetId tokens);
  [[nodiscard]] SetId rest(EntryId entry) const { return node(entry).tokens; }
  [[nodiscard]] bool is_spent(EntryId /*entry*/) const { return false; }
  bool arrive(const StateKey& key, SetId tokens, EntryId parent);
  [[nodiscard]] std::size_t bytes() const {
    return entry_bytes() + latest_.bytes() + older_.bytes();
  }

 private:
  ChunkedVector<EntryId> latest_;  // by state: its last entry …
  ChunkedVector<EntryId> older_;   // by entry: … and the one before
};

}  // namespace tw
