#include "engine/search/state_store.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"

namespace tw {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

StateStore::StateStore(std::size_t words_per_state)
    : words_(words_per_state),
      table_(kFirstSlots) {}

std::uint32_t StateStore::hash(const std::uint64_t* state) const {
  const std::uint64_t wide = hash_words({state, words_});
  return static_cast<std::uint32_t>(wide ^ (wide >> 32));
}

StateStore::Insertion StateStore::insert(const std::uint64_t* state, std::uint32_t hash) {
  if (is_full(size_))
    grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.index == kEmpty) {
      slot = {.index = static_cast<std::uint32_t>(size_), .hash = hash};
      append(state);
      return {.id = StateId(slot.index), .is_new = true};
    }
    if (slot.hash == hash && is_equal(state, this->state(StateId(slot.index))))
      return {.id = StateId(slot.index), .is_new = false};
  }
}

void StateStore::append(const std::uint64_t* state) {
  if ((size_ & kBlockMask) == 0)
    blocks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>((kBlockMask + 1) * words_));
  std::copy_n(state, words_, blocks_.back().get() + (size_ & kBlockMask) * words_);
  ++size_;
}

void StateStore::grow() {
  std::vector<Slot> old(table_.size() * 2);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.index == kEmpty)
      continue;
    std::size_t at = slot.hash & mask;
    while (table_[at].index != kEmpty)
      at = (at + 1) & mask;
    table_[at] = slot;
  }
}

std::size_t StateStore::bytes() const {
  return blocks_.size() * (kBlockMask + 1) * words_ * sizeof(std::uint64_t) +
         table_.size() * sizeof(Slot);
}

std::size_t StateStore::bytes_with(std::size_t more) const {
  // While the table grows the old one is still there.
  const std::size_t table = is_full(size_ + more) ? 2 * table_.size() * sizeof(Slot) : 0;
  return bytes() + table + more * words_ * sizeof(std::uint64_t);
}

}  // namespace tw
