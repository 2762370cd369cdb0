#include "engine/search/zone_pass.hpp"

#include <algorithm>

namespace tw {

ZonePass::ZonePass(const SearchOptions& options,
                   const System& system,
                   StateStore& store,
                   Effects& effects,
                   Ledger& ledger)
    : EntryList(options, store, effects),
      system_(system),
      ledger_(ledger),
      subsumption_(options.subsumption),
      layered_(options.order == Order::kBfs),
      zones_(system.zone_size() * system.zone_size()),
      arriving_(system.zone_size() - 1),
      locations_(system.processes()),
      words_(system.state_words()) {}

StateId ZonePass::add_symbolic(StateId discrete, ZoneId zone) {
  const StateId id(symbolic_.size());
  StateId& head = latest_[discrete.index()];
  symbolic_.push_back(
      {.discrete = discrete, .zone = zone, .older = head, .explored = BitSets::kEmpty});
  head = id;
  ++live_;
  return id;
}

void ZonePass::start(const std::uint64_t* state, SetId tokens) {
  const StateId discrete = store_.insert(state).id;
  latest_.push_back(StateId());
  system_.load_zone(state, arriving_.data());
  const StateId id = add_symbolic(discrete, zones_.insert(arriving_.data()).id);
  symbolic_[id.index()].explored = tokens;
  add_entry(id, tokens, EntryId());
}

void ZonePass::add_entry(StateId id, SetId tokens, EntryId parent) {
  Symbolic& symbolic = symbolic_[id.index()];
  if (symbolic.last.valid() && symbolic.last.index() < layer_end_)
    symbolic.last_here = symbolic.last;
  symbolic.last = add(id, tokens, parent);
}

std::optional<EntryId> ZonePass::pop() {
  const std::optional<EntryId> entry = EntryList::pop();
  if (entry && layered_) {
    if (entry->index() == layer_end_)
      layer_end_ = entries();
    popped_ = entry->index() + 1;
  }
  return entry;
}

// Does it wait in the layer being expanded? The arriving zone belongs to the next one.
bool ZonePass::is_nearer(const Symbolic& symbolic) const {
  const EntryId here = symbolic.last.index() < layer_end_ ? symbolic.last : symbolic.last_here;
  return layered_ && here.valid() && here.index() >= popped_;
}

const std::uint64_t* ZonePass::state(EntryId entry) {
  const Symbolic& symbolic = symbolic_[node(entry).state.index()];
  const std::uint64_t* const discrete = store_[symbolic.discrete];
  std::copy_n(discrete, system_.layout().words(), words_.begin());
  system_.store_zone(zones_[symbolic.zone], words_.data());
  return words_.data();
}

// What a larger zone has taken over does not come back.
bool ZonePass::is_spent(EntryId entry) const {
  const BitSets& sets = effects_.sets();
  const Node waiting = node(entry);
  const Words tokens = sets[waiting.tokens];
  const Words explored = sets[symbolic_[waiting.state.index()].explored];
  const Words dead = ledger_.dead();
  std::uint64_t left = 0;
  for (std::size_t i = 0; i < tokens.size() && i < explored.size(); ++i)
    left |= tokens[i] & explored[i] & ~(i < dead.size() ? dead[i] : 0);
  return left == 0;
}

// Tokens may have died, or have been taken over by a larger zone, while the entry waited.
SetId ZonePass::rest(EntryId entry) {
  BitSets& sets = effects_.sets();
  const Node waiting = node(entry);
  const Words tokens = sets[waiting.tokens];
  const Words explored = sets[symbolic_[waiting.state.index()].explored];
  const Words dead = ledger_.dead();
  new_.resize(tokens.size());
  bool changed = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    new_[i] =
        tokens[i] & (i < explored.size() ? explored[i] : 0) & ~(i < dead.size() ? dead[i] : 0);
    changed = changed || new_[i] != tokens[i];
  }
  const SetId out = changed ? sets.intern(new_) : waiting.tokens;
  if (symbolic_[waiting.state.index()].superseded)
    retire(waiting.state, sets[out]);
  return out;
}

// It is being expanded: larger zones take care of these tokens from now on, where they have them.
void ZonePass::retire(StateId id, Words tokens) {
  const BitSets& sets = effects_.sets();
  Symbolic& own = symbolic_[id.index()];
  std::vector<std::uint64_t> others(tokens.size(), 0);
  system_.layout().unpack_locations(store_[own.discrete], locations_);
  system_.collect_bounds(locations_, bounds_);
  for (StateId at = latest_[own.discrete.index()]; at.valid(); at = symbolic_[at.index()].older) {
    const Symbolic& other = symbolic_[at.index()];
    if (at == id || !is_simulated(zone(own), zone(other)))
      continue;
    const Words explored = sets[other.explored];
    for (std::size_t i = 0; i < others.size() && i < explored.size(); ++i)
      others[i] |= explored[i] & tokens[i];
  }
  const bool was_live = own.explored != BitSets::kEmpty;
  if (!lose(own, others) && was_live)
    unlink(id);
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

void ZonePass::unlink(StateId id) {
  StateId* link = &latest_[symbolic_[id.index()].discrete.index()];
  while (*link != id)
    link = &symbolic_[link->index()].older;
  *link = symbolic_[id.index()].older;
  --live_;
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

// Zones on different sides of a comparison of two clocks have different futures.
bool ZonePass::is_simulated(const ZoneView& smaller, const ZoneView& larger) const {
  if (subsumption_ == Subsumption::kEquality)
    return smaller.includes(larger) && larger.includes(smaller);
  for (const ClockConstraint& diagonal : system_.diagonals())
    if (smaller.implies(diagonal) != larger.implies(diagonal))
      return false;
  return smaller.is_simulated_by(larger, bounds_);
}

// Keeps the tokens that no simulating zone has explored; false: there are none.
bool ZonePass::subtract_explored(StateId discrete) {
  const BitSets& sets = effects_.sets();
  for (StateId id = latest_[discrete.index()]; id.valid(); id = symbolic_[id.index()].older) {
    const Symbolic& symbolic = symbolic_[id.index()];
    const Words explored = sets[symbolic.explored];
    std::uint64_t common = 0;
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < new_.size(); ++i) {
      const std::uint64_t known = i < explored.size() ? explored[i] : 0;
      common |= new_[i] & known;
      left |= new_[i] & ~known;
    }
    if (common == 0 || !is_simulated(arriving_.view(), zone(symbolic)))
      continue;
    if (left == 0)
      return false;
    for (std::size_t i = 0; i < new_.size() && i < explored.size(); ++i)
      new_[i] &= ~explored[i];
  }
  return true;
}

// The new tokens leave all zones that the arriving one simulates.
void ZonePass::take_over(StateId discrete) {
  StateId* link = &latest_[discrete.index()];
  while (link->valid()) {
    Symbolic& symbolic = symbolic_[link->index()];
    const bool keeps = subsumption_ != Subsumption::kBothWays && is_nearer(symbolic);
    const bool simulated = is_simulated(zone(symbolic), arriving_.view());
    symbolic.superseded = symbolic.superseded || (keeps && simulated);
    if (!keeps && simulated && !lose(symbolic, new_)) {
      *link = symbolic.older;
      --live_;
      continue;
    }
    link = &symbolic.older;
  }
}

SetId ZonePass::arrive(const StateKey& key, Words tokens, EntryId parent) {
  if (!set_new_tokens(tokens))
    return BitSets::kEmpty;
  const StateStore::Insertion at = store_.insert(key);
  if (at.is_new)
    latest_.push_back(StateId());
  system_.load_zone(key.state, arriving_.data());
  if (latest_[at.id.index()].valid()) {
    system_.layout().unpack_locations(key.state, locations_);
    system_.collect_bounds(locations_, bounds_);
    if (!subtract_explored(at.id))
      return BitSets::kEmpty;
    take_over(at.id);
  }
  const ZoneId zone = zones_.insert(arriving_.data()).id;
  StateId id = latest_[at.id.index()];
  while (id.valid() && symbolic_[id.index()].zone != zone)
    id = symbolic_[id.index()].older;
  if (!id.valid())
    id = add_symbolic(at.id, zone);
  BitSets& sets = effects_.sets();
  const SetId fresh = sets.intern(new_);
  symbolic_[id.index()].explored = sets.unite(symbolic_[id.index()].explored, new_);
  add_entry(id, fresh, parent);
  return fresh;
}

void ZonePass::add_to_last(Words armed) {
  if (!set_new_tokens(armed))
    return;
  BitSets& sets = effects_.sets();
  SetId& explored = symbolic_[last_state().index()].explored;
  explored = sets.unite(explored, new_);
  last_tokens() = sets.unite(last_tokens(), new_);
}

std::size_t ZonePass::bytes() const {
  return entry_bytes() + zones_.bytes() + symbolic_.bytes() + latest_.bytes();
}

}  // namespace tw
