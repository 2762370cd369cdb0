// PASS and WAIT of the global algorithm with clocks: per discrete state a list of zones, and per
// zone the tokens explored there. A token that arrives with a zone is new unless it was explored
// with a zone that simulates the arriving one; for different tokens these may be different zones
// (algorithm notes 3.5). "Simulates" is aLU of Herbreteau, Srivathsan and Walukiewicz (2012), which
// holds in particular for every larger zone.
//
// A new zone takes its tokens away from those it simulates: these are forgotten, and not expanded
// if they still wait. Their entries stay, since others were reached through them. Breadth first,
// those that wait in the layer being expanded are nearer to the start than the new zone and keep
// their tokens until they are expanded, so that lengths stay shortest, unless both ways are asked
// for.
#pragma once

#include <optional>
#include <vector>

#include "engine/search/passed.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

class ZonePass : public EntryList {
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
  [[nodiscard]] const std::uint64_t* state(EntryId entry);
  /// Pre: a key of the store, of a whole state. The tokens that are new here: an entry has them.
  SetId arrive(const StateKey& key, Words tokens, EntryId parent);
  /// Tokens armed in the state of the last entry.
  void add_to_last(Words armed);
  /// All entries so far are in the first layer.
  void end_start() { layer_end_ = entries(); }

  /// Symbolic states with something explored in them.
  [[nodiscard]] std::size_t states() const { return live_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  // A discrete state with a zone; called state in entries.
  struct Symbolic {
    StateId discrete;
    ZoneId zone;
    StateId older;            // with the same discrete state
    SetId explored;           // tokens
    EntryId last;             // its last entry …
    EntryId last_here;        // … and its last one in the layers up to the one being expanded
    bool superseded = false;  // kept only until it is expanded
  };

  [[nodiscard]] bool set_new_tokens(Words tokens);
  [[nodiscard]] bool subtract_explored(StateId discrete);
  void take_over(StateId discrete);
  void retire(StateId id, Words tokens);
  bool lose(Symbolic& symbolic, Words tokens);
  void unlink(StateId id);
  [[nodiscard]] ZoneView zone(const Symbolic& symbolic) const {
    return ZoneView::reading(zones_[symbolic.zone], system_.zone_size());
  }
  [[nodiscard]] bool is_simulated(const ZoneView& smaller, const ZoneView& larger) const;
  [[nodiscard]] bool is_nearer(const Symbolic& symbolic) const;
  StateId add_symbolic(StateId discrete, ZoneId zone);
  void add_entry(StateId id, SetId tokens, EntryId parent);

  const System& system_;
  Ledger& ledger_;
  const Subsumption subsumption_;
  const bool layered_;  // breadth first
  ZoneStore zones_;
  ChunkedVector<Symbolic> symbolic_;
  ChunkedVector<StateId> latest_;  // by discrete state: the head of its list
  std::size_t live_ = 0;
  std::size_t popped_ = 0;     // breadth first: entries before this were expanded …
  std::size_t layer_end_ = 1;  // … and those before this belong to the layer being expanded

  // Of the arrival being looked at.
  Zone arriving_;
  LuBounds bounds_;
  std::vector<std::uint32_t> locations_;
  std::vector<std::uint64_t> new_;    // its tokens, as far as they are new
  std::vector<std::uint64_t> words_;  // a whole state, put together
};

}  // namespace tw
