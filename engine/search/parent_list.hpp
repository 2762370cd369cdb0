// The parent of every entry. Breadth first, entries come in the order of their parents, so it is
// enough to count the children of each: one bit per child and one per parent. In other orders
// parents are kept as they are.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/base/chunked_vector.hpp"
#include "engine/search/wait_list.hpp"

namespace tw {

class ParentList {
 public:
  void push_back(EntryId parent) {
    if (is_plain_ || !follows(parent)) {
      to_plain();
      plain_.push_back(parent);
    } else {
      append(parent);
    }
    ++size_;
  }

  [[nodiscard]] EntryId operator[](std::size_t entry) const {
    return is_plain_ ? plain_[entry] : find(entry);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const {
    return plain_.bytes() + bits_.bytes() + samples_.bytes();
  }

 private:
  // Parents are counted from 1; 0 is "none", for where the search starts.
  static std::uint64_t number(EntryId parent) { return parent.valid() ? parent.index() + 1 : 0; }
  static EntryId parent(std::uint64_t number) {
    return number == 0 ? EntryId() : EntryId(number - 1);
  }
  static constexpr std::size_t kPerSample = 512;
  static constexpr std::size_t kWordBits = 64;

  [[nodiscard]] bool follows(EntryId parent) const { return number(parent) >= last_; }

  // A zero for every parent that is passed by, a one for the entry.
  void append(EntryId parent) {
    for (; last_ < number(parent); ++last_)
      push_bit(false);
    if (size_ % kPerSample == 0)
      samples_.push_back(bit_count_);
    push_bit(true);
  }

  void push_bit(bool bit) {
    if (bit_count_ % kWordBits == 0)
      bits_.push_back(0);
    bits_[bit_count_ / kWordBits] |= std::uint64_t{bit ? 1U : 0U} << (bit_count_ % kWordBits);
    ++bit_count_;
  }

  // The zeros before the one of this entry.
  [[nodiscard]] EntryId find(std::size_t entry) const {
    std::size_t ones = entry % kPerSample;  // between the sample and the entry
    const std::uint64_t first = samples_[entry / kPerSample];
    std::size_t word = first / kWordBits;
    std::uint64_t left = bits_[word] & (~std::uint64_t{0} << (first % kWordBits));
    for (; static_cast<std::size_t>(std::popcount(left)) <= ones; left = bits_[++word])
      ones -= static_cast<std::size_t>(std::popcount(left));
    for (; ones != 0; --ones)
      left &= left - 1;
    const std::size_t at = word * kWordBits + static_cast<std::size_t>(std::countr_zero(left));
    return parent(at - entry);
  }

  void to_plain() {
    if (is_plain_)
      return;
    for (std::size_t i = 0; i < size_; ++i)
      plain_.push_back(find(i));
    is_plain_ = true;
    bits_ = {};
    samples_ = {};
  }

  std::size_t size_ = 0;
  bool is_plain_ = false;
  ChunkedVector<EntryId> plain_;
  ChunkedVector<std::uint64_t> bits_;
  ChunkedVector<std::uint64_t> samples_;  // by every 512th entry: where its one is
  std::uint64_t bit_count_ = 0;
  std::uint64_t last_ = 0;  // the number of the last parent
};

}  // namespace tw
