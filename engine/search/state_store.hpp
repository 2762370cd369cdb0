// All states met so far, each once: an arena of packed states and an open-addressing table of
// indices into it. States are numbered in the order of insertion, so a breadth-first queue is just
// a range of numbers: passed states lie before the one being expanded, waiting ones behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/id.hpp"

namespace tw {

using StateId = Id<struct StateTag>;

/// Records of equally many words.
template <class Key, class Word>
class RecordStore {
 public:
  explicit RecordStore(std::size_t words_per_record);

  struct Insertion {
    Key id;
    bool is_new = false;
  };

  [[nodiscard]] std::uint32_t hash(const Word* record) const;

  /// Asks the memory for the place where this hash will be looked up.
  void prefetch(std::uint32_t hash) const {
    __builtin_prefetch(&table_[hash & (table_.size() - 1)]);
  }

  /// HOT: bench search/insert. Pre: hash == this->hash(record).
  Insertion insert(const Word* record, std::uint32_t hash);

  Insertion insert(const Word* record) { return insert(record, hash(record)); }

  [[nodiscard]] const Word* operator[](Key id) const {
    return blocks_[id.index() >> kBlockShift].get() + (id.index() & kBlockMask) * words_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Memory that grows with the records, as allocated.
  [[nodiscard]] std::size_t bytes() const;

  /// The most it will need at once until this many more records are in it.
  [[nodiscard]] std::size_t bytes_with(std::size_t more) const;

 private:
  // Index and hash. The low bits of the hash are the place in the table, so growing does not look
  // at the records; the others make most probes that fail do so without touching the arena.
  struct Slot {
    std::uint32_t index = kEmpty;
    std::uint32_t hash = 0;
  };
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  static constexpr std::size_t kBlockShift = 12;
  static constexpr std::size_t kBlockMask = (std::size_t{1} << kBlockShift) - 1;

  [[nodiscard]] bool is_full(std::size_t records) const { return records * 4 >= table_.size() * 3; }
  // States are a few words long: a loop beats a call of memcmp.
  [[nodiscard]] bool is_equal(const Word* a, const Word* b) const {
    for (std::size_t i = 0; i < words_; ++i)
      if (!(a[i] == b[i]))
        return false;
    return true;
  }
  void grow();
  void append(const Word* record);

  std::size_t words_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<Word[]>> blocks_;  // never move, so pointers stay good
  std::vector<Slot> table_;
};

using StateStore = RecordStore<StateId, std::uint64_t>;

extern template class RecordStore<StateId, std::uint64_t>;

}  // namespace tw
