#include "engine/search/passed.hpp"

namespace tw {

void TokenPass::start(const std::uint64_t* state, SetId tokens) {
  const SetCode code = effects_.sets().encode(effects_.sets()[tokens]);
  explored_.push_back(code);
  add(store_.insert(state).id, code, EntryId());
}

// Leaves what is neither known nor dead in new_; false: nothing.
inline bool TokenPass::keep_new(Words tokens, Words known) {
  const Words dead = ledger_.dead();
  std::uint64_t any = 0;
  new_.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    new_[i] = tokens[i] & ~(i < known.size() ? known[i] : 0) & ~(i < dead.size() ? dead[i] : 0);
    any |= new_[i];
  }
  return any != 0;
}

SetCode TokenPass::living(const SetCode& tokens) {
  return keep_new(effects_.sets()[tokens], {}) ? effects_.sets().encode(new_) : SetCode();
}

// Most arrivals bring nothing new to a state that came lately: then the store is not asked.
bool TokenPass::arrive(const StateKey& key, Words tokens, EntryId parent) {
  BitSets& sets = effects_.sets();
  const bool is_recent = recent_.meet(key.state, key.state_hash);
  std::uint64_t* const notes = recent_.notes(key.state_hash);
  SetCode known{notes[1]};
  if (is_recent && !keep_new(tokens, sets[known]))
    return false;
  const StateStore::Insertion at =
      is_recent ? StateStore::Insertion{.id = StateId(notes[0])} : store_.insert(key);
  if (at.is_new)
    explored_.push_back({});
  SetCode& explored = explored_[at.id.index()];
  const bool is_new = keep_new(tokens, sets[explored]);
  if (is_new) {
    add(at.id, sets.encode(new_), parent);
    explored = explored.is_empty() ? last_tokens() : sets.unite(explored, new_);
  }
  notes[0] = at.id.index();
  notes[1] = explored.word;
  return is_new;
}

void TokenPass::add_to_last(Words armed) {
  BitSets& sets = effects_.sets();
  SetCode& explored = explored_[last_state().index()];
  if (!keep_new(armed, sets[explored]))
    return;
  explored = sets.unite(explored, new_);
  last_tokens() = sets.unite(last_tokens(), new_);
}

void SubsetPass::start(const std::uint64_t* state, SetId tokens) {
  const SetCode code = effects_.sets().encode(effects_.sets()[tokens]);
  latest_.push_back(add(store_.insert(state).id, code, EntryId()));
  older_.push_back(EntryId());
}

bool SubsetPass::arrive(const StateKey& key, SetId arriving, EntryId parent) {
  BitSets& sets = effects_.sets();
  const StateStore::Insertion at = store_.insert(key);
  if (at.is_new)
    latest_.push_back(EntryId());
  for (EntryId e = latest_[at.id.index()]; e.valid(); e = older_[e.index()])
    if (is_subset(sets[arriving], sets[tokens_of(e)]))
      return false;
  older_.push_back(latest_[at.id.index()]);
  latest_[at.id.index()] = add(at.id, sets.encode(sets[arriving]), parent);
  return true;
}

}  // namespace tw
