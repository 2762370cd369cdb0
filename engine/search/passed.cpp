#include "engine/search/passed.hpp"

namespace tw {

void TokenPass::start(const std::uint64_t* state, SetId tokens) {
  explored_.push_back(tokens);
  add(store_.insert(state).id, tokens, EntryId());
}

// Tokens may have died while the entry waited.
SetId TokenPass::rest(EntryId entry) {
  const SetId tokens = node(entry).tokens;
  const Words all = effects_.sets()[tokens];
  const Words dead = ledger_.dead();
  bool changed = false;
  new_.assign(all.begin(), all.end());
  for (std::size_t i = 0; i < new_.size() && i < dead.size(); ++i) {
    changed = changed || (new_[i] & dead[i]) != 0;
    new_[i] &= ~dead[i];
  }
  return changed ? effects_.sets().intern(new_) : tokens;
}

bool TokenPass::is_spent(EntryId entry) const {
  return is_subset(effects_.sets()[node(entry).tokens], ledger_.dead());
}

// Leaves what is neither known nor dead in new_; false: nothing.
bool TokenPass::keep_new(Words tokens, Words known) {
  const Words dead = ledger_.dead();
  std::uint64_t any = 0;
  new_.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    new_[i] = tokens[i] & ~(i < known.size() ? known[i] : 0) & ~(i < dead.size() ? dead[i] : 0);
    any |= new_[i];
  }
  return any != 0;
}

// Most arrivals bring nothing new to a state that came lately: then the store is not asked.
SetId TokenPass::arrive(const StateKey& key, Words tokens, EntryId parent) {
  constexpr unsigned kHalf = 32;
  BitSets& sets = effects_.sets();
  const bool is_recent = recent_.meet(key.state, key.state_hash);
  std::uint64_t& note = recent_.note(key.state_hash);
  if (is_recent && !keep_new(tokens, sets[SetId(note >> kHalf)]))
    return BitSets::kEmpty;
  const StateStore::Insertion at =
      is_recent ? StateStore::Insertion{.id = StateId(note & 0xFFFFFFFF)} : store_.insert(key);
  if (at.is_new)
    explored_.push_back(BitSets::kEmpty);
  SetId& explored = explored_[at.id.index()];
  SetId fresh = BitSets::kEmpty;
  if (keep_new(tokens, sets[explored])) {
    fresh = sets.intern(new_);
    explored = sets.unite(explored, new_);
    add(at.id, fresh, parent);
  }
  note = std::uint64_t{explored.index()} << kHalf | at.id.index();
  return fresh;
}

void TokenPass::add_to_last(Words armed) {
  BitSets& sets = effects_.sets();
  SetId& explored = explored_[last_state().index()];
  if (!keep_new(armed, sets[explored]))
    return;
  explored = sets.unite(explored, new_);
  last_tokens() = sets.unite(last_tokens(), new_);
}

void SubsetPass::start(const std::uint64_t* state, SetId tokens) {
  latest_.push_back(add(store_.insert(state).id, tokens, EntryId()));
  older_.push_back(EntryId());
}

SetId SubsetPass::arrive(const StateKey& key, SetId arriving, EntryId parent) {
  const StateStore::Insertion at = store_.insert(key);
  if (at.is_new)
    latest_.push_back(EntryId());
  const Words tokens = effects_.sets()[arriving];
  for (EntryId e = latest_[at.id.index()]; e.valid(); e = older_[e.index()])
    if (is_subset(tokens, effects_.sets()[node(e).tokens]))
      return BitSets::kEmpty;
  older_.push_back(latest_[at.id.index()]);
  latest_[at.id.index()] = add(at.id, arriving, parent);
  return arriving;
}

}  // namespace tw
