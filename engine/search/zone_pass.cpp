#include "engine/search/zone_pass.hpp"

#include <algorithm>

namespace tw {

ZonePass::ZonePass(const SearchOptions& options,
                   const System& system,
                   StateStore& store,
                   Effects& effects,
                   Ledger& ledger)
    : system_(system),
      store_(store),
      effects_(effects),
      ledger_(ledger),
      subsumption_(options.subsumption),
      layered_(options.order == Order::kBfs),
      waiting_(options.order, options.seed),
      zones_(system.zone_size()),
      arriving_(system.zone_size() - 1),
      bounds_(system.location_bits()),
      locations_(system.processes()),
      words_(system.state_words()) {}

StateId ZonePass::add_symbolic(StateId discrete, ZoneId zone) {
  const StateId id(symbolic_.size());
  StateId& head = latest_[discrete.index()];
  symbolic_.push_back(
      {.discrete = discrete, .zone = zone, .older = head, .explored = BitSets::kEmpty});
  superseded_.push_back(0);
  head = id;
  ++live_;
  return id;
}

void ZonePass::start(const std::uint64_t* state, SetId tokens) {
  const StateId discrete = store_.insert(state).id;
  latest_.push_back(StateId());
  system_.load_zone(state, arriving_.data());
  set_probe(arriving_.view(), state);
  const StateId id = add_symbolic(discrete, zones_.insert());
  symbolic_[id.index()].explored = tokens;
  add_entry(id, tokens, EntryId());
}

void ZonePass::end_start() {
  layer_end_ = entries();
  last_here_.clear();
}

void ZonePass::add_entry(StateId id, SetId tokens, EntryId parent) {
  const EntryId entry(entries_.size());
  entries_.push_back({.symbolic = id, .tokens = tokens, .parent = parent});
  waiting_.push(entry);
  EntryId& last = symbolic_[id.index()].last;
  if (layered_ && last.valid() && last.index() >= popped_ && last.index() < layer_end_)
    last_here_[id] = last;
  last = entry;
}

Node ZonePass::node(EntryId entry) const {
  const Entry& found = entries_[entry.index()];
  return {.state = found.symbolic, .tokens = found.tokens, .parent = found.parent};
}

std::optional<EntryId> ZonePass::pop() {
  for (const ZoneId zone : dropped_)
    zones_.release(zone);
  dropped_.clear();
  const std::optional<EntryId> entry = waiting_.pop();
  if (entry && layered_) {
    if (entry->index() == layer_end_) {
      layer_end_ = entries();
      last_here_.clear();
    }
    popped_ = entry->index() + 1;
  }
  return entry;
}

// Does it wait in the layer being expanded? The arriving zone belongs to the next one.
bool ZonePass::is_nearer(StateId id) const {
  if (!layered_)
    return false;
  EntryId here = symbolic_[id.index()].last;
  if (here.index() >= layer_end_) {
    const auto found = last_here_.find(id);
    if (found == last_here_.end())
      return false;
    here = found->second;
  }
  return here.index() >= popped_;
}

const std::uint64_t* ZonePass::state(EntryId entry) {
  const Symbolic& symbolic = symbolic_[entries_[entry.index()].symbolic.index()];
  std::copy_n(store_[symbolic.discrete], system_.layout().words(), words_.begin());
  zones_.load(symbolic.zone, arriving_.data());
  system_.store_zone(arriving_.data(), words_.data());
  return words_.data();
}

// What a larger zone has taken over does not come back.
bool ZonePass::is_spent(EntryId entry) const {
  const BitSets& sets = effects_.sets();
  const Entry& waiting = entries_[entry.index()];
  const Words tokens = sets[waiting.tokens];
  const Words explored = sets[symbolic_[waiting.symbolic.index()].explored];
  const Words dead = ledger_.dead();
  std::uint64_t left = 0;
  for (std::size_t i = 0; i < tokens.size() && i < explored.size(); ++i)
    left |= tokens[i] & explored[i] & ~(i < dead.size() ? dead[i] : 0);
  return left == 0;
}

bool ZonePass::has_state(EntryId entry) const {
  const StateId id = entries_[entry.index()].symbolic;
  return id.index() == 0 || symbolic_[id.index()].explored != BitSets::kEmpty;
}

bool ZonePass::is_state(EntryId entry, const std::uint64_t* state) {
  const Symbolic& symbolic = symbolic_[entries_[entry.index()].symbolic.index()];
  if (!std::equal(state, state + system_.layout().words(), store_[symbolic.discrete]))
    return false;
  system_.load_zone(state, arriving_.data());
  if (!has_state(entry))
    return ZoneStore::hash(arriving_.view()) ==
           (std::uint64_t{symbolic.last.index()} << 32 | symbolic.older.index());
  zones_.set_probe(arriving_.view());
  return zones_.is_probe(symbolic.zone);
}

// Tokens may have died, or have been taken over by a larger zone, while the entry waited.
SetId ZonePass::rest(EntryId entry) {
  BitSets& sets = effects_.sets();
  const Entry waiting = entries_[entry.index()];
  const Words tokens = sets[waiting.tokens];
  const Words explored = sets[symbolic_[waiting.symbolic.index()].explored];
  const Words dead = ledger_.dead();
  new_.resize(tokens.size());
  bool changed = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    new_[i] =
        tokens[i] & (i < explored.size() ? explored[i] : 0) & ~(i < dead.size() ? dead[i] : 0);
    changed = changed || new_[i] != tokens[i];
  }
  const SetId out = changed ? sets.intern(new_) : waiting.tokens;
  if (superseded_[waiting.symbolic.index()] != 0 && out != BitSets::kEmpty)
    retire(waiting.symbolic, sets[out]);
  return out;
}

// It is being expanded: larger zones take care of these tokens from now on, where they have them.
void ZonePass::retire(StateId id, Words tokens) {
  const BitSets& sets = effects_.sets();
  Symbolic& own = symbolic_[id.index()];
  std::vector<std::uint64_t> others(tokens.size(), 0);
  zones_.load(own.zone, arriving_.data());
  set_probe(arriving_.view(), store_[own.discrete]);
  for (StateId at = latest_[own.discrete.index()]; at.valid(); at = symbolic_[at.index()].older) {
    const Symbolic& other = symbolic_[at.index()];
    if (at == id || !simulates_probe(other.zone))
      continue;
    const Words explored = sets[other.explored];
    for (std::size_t i = 0; i < others.size() && i < explored.size(); ++i)
      others[i] |= explored[i] & tokens[i];
  }
  if (lose(own, others))
    return;
  StateId* link = &latest_[own.discrete.index()];
  while (*link != id)
    link = &symbolic_[link->index()].older;
  remove(*link);
}

// False: nothing is left.
bool ZonePass::lose(Symbolic& symbolic, Words tokens) {
  const Words explored = effects_.sets()[symbolic.explored];
  std::vector<std::uint64_t> left(explored.begin(), explored.end());
  for (std::size_t i = 0; i < left.size() && i < tokens.size(); ++i)
    left[i] &= ~tokens[i];
  symbolic.explored = effects_.sets().intern(left);
  return symbolic.explored != BitSets::kEmpty;
}

// The link leads on to the next one. The first entry keeps its zone: others are found from there.
void ZonePass::remove(StateId& link) {
  const StateId id = link;
  Symbolic& symbolic = symbolic_[id.index()];
  link = symbolic.older;
  --live_;
  if (id.index() == 0)
    return;
  const std::uint64_t hash = zones_.hash(symbolic.zone);
  symbolic.older = StateId(hash & 0xFFFFFFFF);
  symbolic.last = EntryId(hash >> 32);
  dropped_.push_back(symbolic.zone);
}

bool ZonePass::set_new_tokens(Words tokens) {
  const Words dead = ledger_.dead();
  std::uint64_t any = 0;
  new_.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    new_[i] = tokens[i] & ~(i < dead.size() ? dead[i] : 0);
    any |= new_[i];
  }
  return any != 0;
}

void ZonePass::set_probe(const ZoneView& zone, const std::uint64_t* discrete) {
  zones_.set_probe(zone);
  discrete_ = discrete;
  has_bounds_ = false;
}

void ZonePass::prepare_simulation() {
  if (has_bounds_)
    return;
  const LuBounds* bounds = bounds_.find(discrete_);
  if (bounds == nullptr) {
    LuBounds& found = bounds_.add(discrete_);
    system_.layout().unpack_locations(discrete_, locations_);
    system_.collect_simulation_bounds(locations_, found);
    bounds = &found;
  }
  zones_.set_bounds(*bounds);
  has_bounds_ = true;
}

// Zones on different sides of a comparison of two clocks have different futures.
bool ZonePass::is_on_side_of_probe(ZoneId zone) const {
  return std::ranges::all_of(system_.diagonals(), [&](const ClockConstraint& diagonal) {
    return arriving_.view().implies(diagonal) ==
           (zones_.at(zone, diagonal.i, diagonal.j) <= diagonal.bound);
  });
}

bool ZonePass::simulates_probe(ZoneId zone) {
  if (subsumption_ == Subsumption::kEquality)
    return zones_.is_probe(zone);
  prepare_simulation();
  return zones_.simulates_probe(zone) && is_on_side_of_probe(zone);
}

// Keeps the tokens that no simulating zone has explored; false: there are none. Often the last zone
// comes again, and nothing has to be worked out to see that.
bool ZonePass::subtract_explored(StateId discrete) {
  const Symbolic& head = symbolic_[latest_[discrete.index()].index()];
  if (zones_.is_probe(head.zone) && is_subset(new_, effects_.sets()[head.explored]))
    return false;
  if (subsumption_ == Subsumption::kEquality)
    return subtract_explored(discrete, [this](ZoneId zone) { return zones_.is_probe(zone); });
  prepare_simulation();
  return zones_.ask_who_simulates([&](auto ask) {
    if (system_.diagonals().empty())
      return subtract_explored(discrete, ask);
    return subtract_explored(discrete,
                             [&](ZoneId zone) { return ask(zone) && is_on_side_of_probe(zone); });
  });
}

// HOT: lists may be long.
template <class Simulates>
inline bool ZonePass::subtract_explored(StateId discrete, Simulates simulates) {
  const BitSets& sets = effects_.sets();
  SetId looked_at = BitSets::kEmpty;  // most zones have the same tokens
  std::uint64_t common = 0;
  std::uint64_t left = 1;
  StateId* link = &latest_[discrete.index()];
  while (link->valid()) {
    StateId* const here = link;
    Symbolic& symbolic = symbolic_[here->index()];
    link = &symbolic.older;
    if (link->valid())
      __builtin_prefetch(&symbolic_[link->index()]);
    if (symbolic.explored != looked_at) {
      looked_at = symbolic.explored;
      const Words explored = sets[looked_at];
      common = 0;
      left = 0;
      for (std::size_t i = 0; i < new_.size(); ++i) {
        const std::uint64_t known = i < explored.size() ? explored[i] : 0;
        common |= new_[i] & known;
        left |= new_[i] & ~known;
      }
    }
    if (common == 0 || !simulates(symbolic.zone))
      continue;
    if (left == 0) {
      // To the front: what came once comes again soon.
      const StateId found = *here;
      *here = symbolic.older;
      symbolic.older = latest_[discrete.index()];
      latest_[discrete.index()] = found;
      return false;
    }
    const Words explored = sets[looked_at];
    for (std::size_t i = 0; i < new_.size() && i < explored.size(); ++i)
      new_[i] &= ~explored[i];
    common = 0;
  }
  return true;
}

// The new tokens leave all zones that the arriving one simulates. The symbolic state that has just
// this zone, if there is one.
StateId ZonePass::take_over(StateId discrete, ZoneId zone) {
  if (!latest_[discrete.index()].valid())
    return {};
  if (subsumption_ == Subsumption::kEquality)
    return take_over(discrete, zone, [this](ZoneId other) { return zones_.is_probe(other); });
  prepare_simulation();
  return zones_.ask_who_is_simulated([&](auto ask) {
    if (system_.diagonals().empty())
      return take_over(discrete, zone, ask);
    return take_over(discrete, zone,
                     [&](ZoneId other) { return ask(other) && is_on_side_of_probe(other); });
  });
}

// HOT.
template <class IsSimulated>
inline StateId ZonePass::take_over(StateId discrete, ZoneId zone, IsSimulated is_simulated) {
  StateId same;
  StateId* link = &latest_[discrete.index()];
  while (link->valid()) {
    Symbolic& symbolic = symbolic_[link->index()];
    if (symbolic.zone == zone)
      same = *link;
    if (is_simulated(symbolic.zone)) {
      if (subsumption_ != Subsumption::kBothWays && is_nearer(*link)) {
        superseded_[link->index()] = 1;
      } else if (!lose(symbolic, new_)) {
        remove(*link);
        continue;
      }
    }
    link = &symbolic.older;
  }
  return same;
}

bool ZonePass::arrive(const StateKey& key, Words tokens, EntryId parent) {
  if (!set_new_tokens(tokens))
    return false;
  const StateStore::Insertion at = store_.insert(key);
  if (at.is_new)
    latest_.push_back(StateId());
  system_.load_zone(key.state, arriving_.data());
  set_probe(arriving_.view(), key.state);
  if (latest_[at.id.index()].valid() && !subtract_explored(at.id))
    return false;
  const ZoneId zone = zones_.insert();
  StateId id = take_over(at.id, zone);
  if (id.valid())
    zones_.release(zone);
  else
    id = add_symbolic(at.id, zone);
  BitSets& sets = effects_.sets();
  const SetId fresh = sets.intern(new_);
  SetId& explored = symbolic_[id.index()].explored;
  explored = explored == BitSets::kEmpty ? fresh : sets.unite(explored, new_);
  add_entry(id, fresh, parent);
  return true;
}

void ZonePass::add_to_last(Words armed) {
  if (!set_new_tokens(armed))
    return;
  BitSets& sets = effects_.sets();
  Entry& last = entries_[entries_.size() - 1];
  SetId& explored = symbolic_[last.symbolic.index()].explored;
  explored = sets.unite(explored, new_);
  last.tokens = sets.unite(last.tokens, new_);
}

std::size_t ZonePass::bytes() const {
  return waiting_.bytes() + zones_.bytes() + entries_.bytes() + symbolic_.bytes() +
         superseded_.bytes() + latest_.bytes() + dropped_.capacity() * sizeof(ZoneId);
}

}  // namespace tw
