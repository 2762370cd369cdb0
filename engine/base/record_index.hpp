// The hash table behind stores of records: from a hash to the numbers of records that have it. A
// slot has 32 bits; a number needs as many as the table is large, and the bits that are left hold a
// piece of the hash, so that most records that are not the one looked for are not touched. The
// table does not know the records: whoever grows it names their hashes again, in order, which reads
// them in sequence and lets the old table go before the new one is there.
//
// HOT: bench search/insert.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/base/pages.hpp"

namespace tw {

class RecordIndex {
 public:
  /// How full it may get, and by how much it grows, in percent.
  struct Growth {
    std::uint32_t most_load = 75;
    std::uint32_t factor = 200;
  };

  explicit RecordIndex(Growth growth) : growth_(growth) { allocate(kFirstSlots); }

  /// Asks the memory for the place where this hash will be looked up.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(slots() + place(hash)); }

  /// The first number that may be it: its record can be asked for ahead.
  [[nodiscard]] std::optional<std::size_t> guess(std::uint64_t hash) const {
    const std::uint32_t slot = read(place(hash));
    if (slot == 0 || (slot >> number_bits_) != piece(hash))
      return std::nullopt;
    return number(slot);
  }

  /// The number of the record with this hash that is_equal(number) accepts; else none, and
  /// free_slot() is where it belongs.
  template <class IsEqual>
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t hash,
                                                IsEqual is_equal,
                                                std::size_t& free_slot) const {
    const std::uint32_t wanted = piece(hash);
    for (std::size_t at = place(hash);; at = at + 1 == size_ ? 0 : at + 1) {
      const std::uint32_t slot = read(at);
      if (slot == 0) {
        free_slot = at;
        return std::nullopt;
      }
      if ((slot >> number_bits_) == wanted && is_equal(number(slot)))
        return number(slot);
    }
  }

  /// Pre: a free slot that find() named for this hash, no insertion since; the record is there.
  void insert(std::size_t free_slot, std::uint64_t hash, std::size_t number) {
    slots()[free_slot] = piece(hash) << number_bits_ | static_cast<std::uint32_t>(number + 1);
  }

  [[nodiscard]] bool is_full(std::size_t records) const { return records >= most_; }

  /// Makes room for more; hash_of(number) is asked for all numbers below `records`.
  template <class HashOf>
  void grow(std::size_t records, HashOf hash_of) {
    const std::size_t larger = size_ * growth_.factor / 100;
    memory_ = Pages();
    allocate(larger);
    constexpr std::size_t kAhead = 32;
    std::uint64_t hashes[kAhead] = {};
    for (std::size_t i = 0; i < records + kAhead; ++i) {
      if (i >= kAhead)
        put(hashes[i % kAhead], i - kAhead);
      if (i < records) {
        hashes[i % kAhead] = hash_of(i);
        prefetch(hashes[i % kAhead]);
      }
    }
  }

  /// What it takes with this many records if it grew no sooner than it had to.
  [[nodiscard]] std::size_t bytes_with(std::size_t records) const {
    std::size_t size = kFirstSlots;
    while (records >= most_of(size))
      size = size * growth_.factor / 100;
    return size * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;

  [[nodiscard]] std::uint32_t* slots() const { return memory_.as<std::uint32_t>(); }
  [[nodiscard]] std::uint32_t read(std::size_t at) const { return slots()[at]; }
  // Its upper bits; the lower ones are the piece.
  [[nodiscard]] std::size_t place(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((Wide{hash} * size_) >> 64);
  }
  [[nodiscard]] std::uint32_t piece(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash) >> number_bits_;
  }
  [[nodiscard]] std::size_t number(std::uint32_t slot) const { return (slot & number_mask_) - 1; }
  [[nodiscard]] std::size_t most_of(std::size_t size) const {
    return size * growth_.most_load / 100;
  }

  // Where it is known to be missing.
  void put(std::uint64_t hash, std::size_t number) {
    std::size_t at = place(hash);
    while (read(at) != 0)
      at = at + 1 == size_ ? 0 : at + 1;
    insert(at, hash, number);
  }

  void allocate(std::size_t size) {
    memory_ = Pages(size * sizeof(std::uint32_t), Pages::Use::kAll);
    size_ = size;
    most_ = most_of(size);
    // A number has 32 bits at the most; then no piece of the hash is left.
    number_bits_ = std::min<unsigned>(static_cast<unsigned>(std::bit_width(most_)), 31);
    number_mask_ = (std::uint32_t{1} << number_bits_) - 1;
  }

  Growth growth_;
  Pages memory_;
  std::size_t size_ = 0;
  std::size_t most_ = 0;
  unsigned number_bits_ = 0;
  std::uint32_t number_mask_ = 0;
};

}  // namespace tw
