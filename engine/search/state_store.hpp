// All states met so far, each once. They are numbered in the order of insertion, so a breadth-first
// queue is just a range of numbers: passed states lie before the one being expanded, waiting ones
// behind it.
//
// Flat, a state is kept as it is packed. As a tree, its words are numbered, pairs of such numbers
// are numbered again, and so on, and only the last pair is kept per state, in 6 to 8 bytes however
// large the state is: parts repeat much more often than wholes (docs/algorithms.md 5.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/hash.hpp"
#include "engine/base/id.hpp"
#include "engine/base/record_arena.hpp"
#include "engine/base/record_index.hpp"
#include "engine/search/number_set.hpp"

namespace tw {

using StateId = Id<struct StateTag>;

/// Records of equally many words, each once.
template <class Key, class Word>
class RecordStore {
 public:
  explicit RecordStore(std::size_t words_per_record, RecordIndex::Growth growth = {})
      : records_(words_per_record),
        index_(growth) {}

  struct Insertion {
    Key id;
    bool is_new = false;
  };

  [[nodiscard]] std::uint64_t hash(const Word* record) const {
    return hash_state(record, records_.words());
  }

  /// Ask the memory ahead: first for the place of the hash, later for the record found there.
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  void prefetch_record(std::uint64_t hash) const {
    if (const auto guess = index_.guess(hash))
      __builtin_prefetch(records_[*guess]);
  }

  /// HOT: bench search/insert. Pre: hash == this->hash(record).
  Insertion insert(const Word* record, std::uint64_t hash) {
    if (index_.is_full(size()))
      grow();
    std::size_t free_slot = 0;
    if (const auto known = look_up(record, hash, free_slot))
      return {.id = Key(*known), .is_new = false};
    const Key id(records_.size());
    records_.push_back(record);
    index_.insert(free_slot, hash, id.index());
    return {.id = id, .is_new = true};
  }
  Insertion insert(const Word* record) { return insert(record, hash(record)); }

  [[nodiscard]] const Word* operator[](Key id) const { return records_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return records_.size(); }

  /// Memory for the records that are there, and with so many more.
  [[nodiscard]] std::size_t bytes(std::size_t more = 0) const {
    return records_.bytes_of(size() + more) + index_.bytes_with(size() + more);
  }

 private:
  [[gnu::noinline]] void grow() {
    index_.grow(size(), [this](std::size_t i) { return hash(records_[i]); });
  }

  [[nodiscard]] std::optional<std::size_t> look_up(const Word* record,
                                                   std::uint64_t hash,
                                                   std::size_t& free_slot) const {
    // States are a few words long: a loop beats a call of memcmp.
    const auto is_equal = [this, record](std::size_t number) {
      const Word* const other = records_[number];
      for (std::size_t i = 0; i < records_.words(); ++i)
        if (!(record[i] == other[i]))
          return false;
      return true;
    };
    return index_.find(hash, is_equal, free_slot);
  }

  RecordArena<Word> records_;
  RecordIndex index_;
};

enum class StoreKind : std::uint8_t {
  kFlat,
  kTree,
};

/// A state on its way into the store.
struct StateKey {
  const std::uint64_t* state = nullptr;
  std::uint64_t record = 0;  // tree: what would be kept
  std::uint64_t hash = 0;    // of the state, or of the record
  std::uint64_t state_hash = 0;
};

class StateStore {
 public:
  /// Of a state's words the first `hashed` are hashed by whoever makes it (hash_state).
  StateStore(std::size_t words, std::size_t hashed, StoreKind kind);
  explicit StateStore(std::size_t words) : StateStore(words, words, StoreKind::kFlat) {}

  /// The state is borrowed. As a tree, its parts are kept from now on.
  [[nodiscard]] StateKey key(const std::uint64_t* state, std::uint64_t hash);
  [[nodiscard]] StateKey key(const std::uint64_t* state) {
    return key(state, hash_state(state, hashed_));
  }

  /// By the hash of a key.
  void prefetch(std::uint64_t hash) const {
    is_tree_ ? roots_.prefetch(hash) : states_.prefetch(hash);
  }
  void prefetch_record(std::uint64_t hash) const {
    is_tree_ ? roots_.prefetch_record(hash) : states_.prefetch_record(hash);
  }
  /// What will be needed to make the key of a state.
  void prefetch_parts(const std::uint64_t* state) const {
    for (std::size_t i = 0; i < nodes_.size() && i < words_; ++i)
      nodes_[i].parts.prefetch(NumberSet::hash(state[i]));
  }

  using Insertion = RecordStore<StateId, std::uint64_t>::Insertion;
  Insertion insert(const StateKey& key) {
    if (!is_tree_)
      return states_.insert(key.state, key.hash);
    const NumberSet::Insertion at = roots_.insert(key.record, key.hash);
    return {.id = StateId(at.id), .is_new = at.is_new};
  }
  Insertion insert(const std::uint64_t* state) { return insert(key(state)); }

  /// Its keys cost nothing: they are the states and their hashes.
  [[nodiscard]] bool has_plain_keys() const { return !is_tree_ && hashed_ == words_; }

  /// Good until the next call.
  [[nodiscard]] const std::uint64_t* operator[](StateId id) const {
    return is_tree_ ? unfold(roots_[id.index()]) : states_[id];
  }
  [[nodiscard]] std::size_t size() const { return is_tree_ ? roots_.size() : states_.size(); }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// For the states that are there, and with so many more. Says the same whoever looked things up.
  [[nodiscard]] std::size_t bytes(std::size_t more = 0) const;

 private:
  // A word of the state, or a pair of the numbers of two nodes before it.
  struct Node {
    NumberSet parts;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    // What came last: neighbours have most parts in common.
    std::uint64_t last = 0;
    std::uint32_t last_id = 0;
    bool has_last = false;
  };
  void build_tree();
  [[nodiscard]] std::uint64_t fold(const std::uint64_t* state);
  [[nodiscard]] const std::uint64_t* unfold(std::uint64_t record) const;

  std::size_t words_;
  std::size_t hashed_;
  bool is_tree_;
  RecordStore<StateId, std::uint64_t> states_;  // flat
  NumberSet roots_;                             // tree
  // Leaves first, by word; a pair of two is the record. None for a single word.
  std::vector<Node> nodes_;
  std::uint32_t top_left_ = 0;
  std::uint32_t top_right_ = 0;
  mutable std::vector<std::uint64_t> values_;  // by node, when unfolding
};

}  // namespace tw
