// PASS and WAIT of the local algorithm (docs/algorithms.md 2.7): a node is a state with the tokens
// *and* the items of the path to it, and the search is for one path that covers most. With resets a
// path may start over in the initial state, so that it stands for a suite; a reset costs no step,
// hence breadth first is by number of steps, then of tests.
//
// Removal in both directions needs nodes to be found by state, by what they carry and by order,
// and to be taken out of all three at once: that is a Boost.MultiIndex container.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/key.hpp>
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index_container.hpp>

#include "engine/base/chunked_vector.hpp"
#include "engine/search/passed.hpp"

namespace tw {

class PathPass {
 public:
  /// The ledger says which items count: those it has covered already do not.
  PathPass(const SearchOptions& options, StateStore& store, Effects& effects, const Ledger& ledger);

  void start(const std::uint64_t* state, SetId tokens, std::span<const ItemId> items);

  std::optional<EntryId> pop();

  [[nodiscard]] Node node(EntryId entry) const { return nodes_[entry.index()]; }

  [[nodiscard]] SetId rest(EntryId entry) const { return nodes_[entry.index()].tokens; }
  [[nodiscard]] bool is_spent(EntryId /*entry*/) const { return false; }

  [[nodiscard]] const std::uint64_t* state(EntryId entry) const {
    return store_[nodes_[entry.index()].state];
  }

  /// After one more step, or without one; false: nothing new.
  bool arrive(const StateKey& key,
              SetId tokens,
              std::span<const ItemId> items,
              EntryId parent,
              std::uint32_t steps);

  /// After an entry is expanded: a new test may begin.
  void add_reset(EntryId parent);

  /// How much the path to this entry covers, and with it these items.
  [[nodiscard]] std::size_t coverage(EntryId entry, std::span<const ItemId> more = {});

  /// Items of a path as bits.
  [[nodiscard]] Words items(SetId id) const { return items_[id]; }

  /// How often paths to the same state were compared: a measure of work.
  [[nodiscard]] std::uint64_t comparisons() const { return comparisons_; }

  [[nodiscard]] std::size_t states() const { return store_.size(); }
  [[nodiscard]] std::size_t entries() const { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  // Smaller comes first.
  struct Rank {
    bool passed = false;
    std::uint64_t major =
        0;  // bfs: steps; dfs: how late it came, reversed; random: a random number
    std::uint64_t minor = 0;  // bfs: tests; with a beam what it has achieved, reversed
    std::uint64_t number = 0;

    friend bool operator<(const Rank& a, const Rank& b) {
      return std::tie(a.passed, a.major, a.minor, a.number) <
             std::tie(b.passed, b.major, b.minor, b.number);
    }
  };
  struct Record {
    EntryId entry;
    std::uint32_t state = 0;
    std::uint32_t tokens = 0;
    std::uint32_t items = 0;
    Rank rank;
  };
  struct ByState {};
  struct ByContent {};
  struct ByRank {};
  using Records = boost::multi_index_container<
      Record,
      boost::multi_index::indexed_by<
          boost::multi_index::hashed_non_unique<boost::multi_index::tag<ByState>,
                                                boost::multi_index::key<&Record::state>>,
          boost::multi_index::hashed_unique<
              boost::multi_index::tag<ByContent>,
              boost::multi_index::key<&Record::state, &Record::tokens, &Record::items>>,
          boost::multi_index::ordered_unique<boost::multi_index::tag<ByRank>,
                                             boost::multi_index::key<&Record::rank>>>>;

  [[nodiscard]] SetId with_items(SetId before, std::span<const ItemId> more);
  [[nodiscard]] SetId useful(SetId tokens, SetId items);
  [[nodiscard]] bool is_dead(TokenId token, Words items) const;
  bool add(Node node, std::uint64_t steps, std::uint64_t tests);
  [[nodiscard]] bool is_subsumed(const Node& node);
  void remove_subsumed(const Node& node);
  [[nodiscard]] std::uint64_t achieved(const Node& node) const;

  SearchOptions options_;
  StateStore& store_;     // borrowed
  Effects& effects_;      // borrowed
  const Ledger& ledger_;  // borrowed
  std::mt19937_64 random_;
  BitSets items_;
  ChunkedVector<Node> nodes_;           // also of removed entries: they are on the way to others
  ChunkedVector<std::uint64_t> costs_;  // by entry: steps, then tests, 32 bits each
  Records records_;
  std::uint64_t comparisons_ = 0;
  std::uint64_t layer_ = 0;   // beam: steps of the paths being expanded …
  std::uint64_t popped_ = 0;  // … and how many were
  StateId first_state_;
  SetId first_tokens_;                               // with all of them
  std::unordered_map<std::uint64_t, SetId> useful_;  // by tokens and items
  std::vector<std::uint64_t> scratch_;
};

}  // namespace tw
