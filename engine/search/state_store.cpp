#include "engine/search/state_store.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/hash.hpp"

namespace tw {
namespace {

constexpr std::size_t kFirstSlots = 1024;

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

StateStore::StateStore(std::size_t words_per_state)
    : words_(words_per_state),
      table_(kFirstSlots) {}

StateStore::Insertion StateStore::insert(const std::uint64_t* state, StateId parent) {
  if (parents_.size() * 4 >= table_.size() * 3)
    grow();
  const std::uint64_t hash = hash_words({state, words_});
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.index == kEmpty) {
      slot = {.index = static_cast<std::uint32_t>(parents_.size()), .tag = tag_of(hash)};
      append(state);
      parents_.push_back(parent);
      return {.id = StateId(slot.index), .is_new = true};
    }
    if (slot.tag == tag_of(hash) &&
        std::equal(state, state + words_, this->state(StateId(slot.index))))
      return {.id = StateId(slot.index), .is_new = false};
  }
}

void StateStore::append(const std::uint64_t* state) {
  const std::size_t index = parents_.size();
  if ((index & kBlockMask) == 0)
    blocks_.push_back(std::make_unique<std::uint64_t[]>((kBlockMask + 1) * words_));
  std::copy_n(state, words_, blocks_.back().get() + (index & kBlockMask) * words_);
}

void StateStore::grow() {
  std::vector<Slot> old(table_.size() * 2);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.index == kEmpty)
      continue;
    std::size_t at = hash_words({state(StateId(slot.index)), words_}) & mask;
    while (table_[at].index != kEmpty)
      at = (at + 1) & mask;
    table_[at] = slot;
  }
}

std::size_t StateStore::bytes() const {
  return blocks_.size() * (kBlockMask + 1) * words_ * sizeof(std::uint64_t) +
         parents_.capacity() * sizeof(StateId) + table_.size() * sizeof(Slot);
}

}  // namespace tw
