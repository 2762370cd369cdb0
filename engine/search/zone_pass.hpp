// PASS and WAIT of the global algorithm with clocks: per discrete state a list of zones, and per
// zone the tokens explored there. A token that arrives with a zone is new unless it was explored
// with a zone that simulates the arriving one; for different tokens these may be different zones
// (docs/algorithms.md 3.4). Every larger zone simulates it; others may.
//
// A new zone takes its tokens away from those it simulates: these are forgotten, and not expanded
// if they still wait. Their entries stay, since others were reached through them, but not their
// zones: where a trace leads through one, it is computed again (Search::state), and a hash tells
// which of several successors it was. Breadth first, those that wait in the layer being expanded
// are nearer to the start than the new zone and keep their tokens until they are expanded, so that
// lengths stay shortest, unless both ways are asked for.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/search/passed.hpp"
#include "engine/semantics/bits_cache.hpp"
#include "engine/semantics/system.hpp"
#include "engine/zone/zone_store.hpp"

namespace tw {

class ZonePass {
 public:
  /// The store keeps the discrete parts. All are borrowed.
  ZonePass(const SearchOptions& options,
           const System& system,
           StateStore& store,
           Effects& effects,
           Ledger& ledger);

  void start(const std::uint64_t* state, SetId tokens);
  std::optional<EntryId> pop();
  [[nodiscard]] SetId rest(EntryId entry);
  [[nodiscard]] bool is_spent(EntryId entry) const;
  /// A symbolic state takes the place of the state.
  [[nodiscard]] Node node(EntryId entry) const;

  /// The whole state of an entry that waits, is new or was just popped, or has one; good until the
  /// next call.
  [[nodiscard]] const std::uint64_t* state(EntryId entry);
  /// False: its zone was dropped. The first entry has one.
  [[nodiscard]] bool has_state(EntryId entry) const;
  /// Is this the state of the entry? Where the zone was dropped, its hash decides.
  [[nodiscard]] bool is_state(EntryId entry, const std::uint64_t* state);

  /// Pre: a key of the store, of a whole state. True: something is new here, and there is one more
  /// entry.
  bool arrive(const StateKey& key, Words tokens, EntryId parent);
  /// The tokens of the last entry, before something is added.
  [[nodiscard]] SetId fresh() const { return entries_[entries_.size() - 1].tokens; }
  /// Tokens armed in the state of the last entry.
  void add_to_last(Words armed);
  /// All entries so far are in the first layer.
  void end_start();

  /// Symbolic states with something explored in them.
  [[nodiscard]] std::size_t states() const { return live_; }
  [[nodiscard]] std::size_t entries() const { return entries_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Entry {
    StateId symbolic;
    SetId tokens;
    EntryId parent;
  };

  // A discrete state with a zone. Once nothing is explored in it, it is in no list, and `older` and
  // `last` together are the hash of its zone.
  struct Symbolic {
    StateId discrete;
    ZoneId zone;
    StateId older;   // with the same discrete state
    SetId explored;  // tokens
    EntryId last;    // its last entry
  };

  [[nodiscard]] bool set_new_tokens(Words tokens);
  [[nodiscard]] bool subtract_explored(StateId discrete);
  template <class Simulates>
  [[nodiscard]] bool subtract_explored(StateId discrete, Simulates simulates);
  StateId take_over(StateId discrete, ZoneId zone);
  template <class IsSimulated>
  StateId take_over(StateId discrete, ZoneId zone, IsSimulated is_simulated);
  void retire(StateId id, Words tokens);
  bool lose(Symbolic& symbolic, Words tokens);
  void remove(StateId& link);
  void set_probe(const ZoneView& zone, const std::uint64_t* discrete);
  void prepare_simulation();
  [[nodiscard]] bool simulates_probe(ZoneId zone);
  [[nodiscard]] bool is_on_side_of_probe(ZoneId zone) const;
  [[nodiscard]] bool is_nearer(StateId id) const;
  StateId add_symbolic(StateId discrete, ZoneId zone);
  void add_entry(StateId id, SetId tokens, EntryId parent);

  const System& system_;
  StateStore& store_;
  Effects& effects_;
  Ledger& ledger_;
  const Subsumption subsumption_;
  const bool layered_;  // breadth first
  WaitList waiting_;
  ZoneStore zones_;
  ChunkedVector<Entry> entries_;
  ChunkedVector<Symbolic> symbolic_;
  ChunkedVector<std::uint8_t> superseded_;  // by symbolic state: kept only until it is expanded
  ChunkedVector<StateId> latest_;           // by discrete state: the head of its list
  std::size_t live_ = 0;
  std::size_t popped_ = 0;     // breadth first: entries before this were expanded …
  std::size_t layer_end_ = 1;  // … and those before this belong to the layer being expanded
  /// Of symbolic states whose last entry is in the next layer: the one that waits in this layer.
  std::unordered_map<StateId, EntryId> last_here_;
  /// Zones that nobody needs once the entry being expanded is done with.
  std::vector<ZoneId> dropped_;

  // Of the arrival being looked at.
  Zone arriving_;
  const std::uint64_t* discrete_ = nullptr;  // borrowed while it is looked at
  bool has_bounds_ = false;                  // of the arriving zone: the store knows them
  BitsCache<LuBounds> bounds_;               // by locations
  std::vector<std::uint32_t> locations_;
  std::vector<std::uint64_t> new_;    // its tokens, as far as they are new
  std::vector<std::uint64_t> words_;  // a whole state, put together
};

}  // namespace tw
