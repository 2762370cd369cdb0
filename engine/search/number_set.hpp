// Numbers, each once, in as few bytes as the largest of them needs: the nodes of tree-compressed
// states. Reading one loads eight bytes and masks what belongs to the next. HOT: bench
// search/insert.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/base/hash.hpp"
#include "engine/base/record_arena.hpp"
#include "engine/base/record_index.hpp"

namespace tw {

class NumberSet {
 public:
  NumberSet() : numbers_(1), index_(kTight) {}

  struct Insertion {
    std::uint32_t id = 0;
    bool is_new = false;
  };

  [[nodiscard]] static std::uint64_t hash(std::uint64_t number) { return hash_at(0, number); }
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  void prefetch_record(std::uint64_t hash) const {
    if (const auto guess = index_.guess(hash))
      __builtin_prefetch(numbers_[*guess]);
  }

  Insertion insert(std::uint64_t number, std::uint64_t hash) {
    if (index_.is_full(size()))
      grow();
    std::size_t free_slot = 0;
    const auto is_equal = [this, number](std::size_t id) { return (*this)[id] == number; };
    if (const auto known = index_.find(hash, is_equal, free_slot))
      return {.id = static_cast<std::uint32_t>(*known)};
    if ((number & ~mask_) != 0)
      widen(number);
    const std::size_t id = size();
    append(number, numbers_);
    index_.insert(free_slot, hash, id);
    return {.id = static_cast<std::uint32_t>(id), .is_new = true};
  }

  [[nodiscard]] std::uint64_t operator[](std::size_t id) const {
    std::uint64_t out = 0;
    std::memcpy(&out, numbers_[id], sizeof out);
    return out & mask_;
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  /// For those that are there, and so many more.
  [[nodiscard]] std::size_t bytes(std::size_t more = 0) const {
    return numbers_.bytes_of(size() + more) + index_.bytes_with(size() + more);
  }

 private:
  using Bytes = RecordArena<unsigned char>;
  static constexpr unsigned kByteBits = 8;
  // The table is most of what is left to save on: it is fuller, and grows in smaller steps.
  static constexpr RecordIndex::Growth kTight{.most_load = 85, .factor = 150};

  static void append(std::uint64_t number, Bytes& to) {
    unsigned char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    to.push_back(bytes);
  }
  [[gnu::noinline]] void grow() {
    index_.grow(size(), [this](std::size_t i) { return hash((*this)[i]); });
  }
  // Begins anew with more bytes for each; what they are called stays.
  [[gnu::noinline]] void widen(std::uint64_t number) {
    const auto bits = static_cast<unsigned>(std::bit_width(number));
    Bytes wider((bits + kByteBits - 1) / kByteBits);
    for (std::size_t i = 0; i < size(); ++i)
      append((*this)[i], wider);
    numbers_ = std::move(wider);
    mask_ = ~std::uint64_t{0} >> (kByteBits * (sizeof mask_ - numbers_.words()));
  }

  Bytes numbers_;
  RecordIndex index_;
  std::uint64_t mask_ = 0xFF;
};

}  // namespace tw
