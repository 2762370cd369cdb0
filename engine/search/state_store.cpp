#include "engine/search/state_store.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"

namespace tw {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

template <class Key, class Word>
RecordStore<Key, Word>::RecordStore(std::size_t words_per_record)
    : words_(words_per_record),
      table_(kFirstSlots) {}

template <class Key, class Word>
std::uint32_t RecordStore<Key, Word>::hash(const Word* record) const {
  const std::uint64_t wide = hash_bytes(std::as_bytes(std::span(record, words_)));
  return static_cast<std::uint32_t>(wide ^ (wide >> 32));
}

template <class Key, class Word>
typename RecordStore<Key, Word>::Insertion RecordStore<Key, Word>::insert(const Word* record,
                                                                          std::uint32_t hash) {
  if (is_full(size_))
    grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.index == kEmpty) {
      slot = {.index = static_cast<std::uint32_t>(size_), .hash = hash};
      append(record);
      return {.id = Key(slot.index), .is_new = true};
    }
    if (slot.hash == hash && is_equal(record, (*this)[Key(slot.index)]))
      return {.id = Key(slot.index), .is_new = false};
  }
}

template <class Key, class Word>
void RecordStore<Key, Word>::append(const Word* record) {
  if ((size_ & kBlockMask) == 0)
    blocks_.push_back(std::make_unique_for_overwrite<Word[]>((kBlockMask + 1) * words_));
  std::copy_n(record, words_, blocks_.back().get() + (size_ & kBlockMask) * words_);
  ++size_;
}

template <class Key, class Word>
void RecordStore<Key, Word>::grow() {
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

template <class Key, class Word>
std::size_t RecordStore<Key, Word>::bytes() const {
  return blocks_.size() * (kBlockMask + 1) * words_ * sizeof(Word) + table_.size() * sizeof(Slot);
}

template <class Key, class Word>
std::size_t RecordStore<Key, Word>::bytes_with(std::size_t more) const {
  // While the table grows the old one is still there.
  const std::size_t table = is_full(size_ + more) ? 2 * table_.size() * sizeof(Slot) : 0;
  return bytes() + table + more * words_ * sizeof(Word);
}

template class RecordStore<StateId, std::uint64_t>;

}  // namespace tw
