// Sets of tokens or items, each stored once: equal sets have equal numbers, so a state carries 32
// bits instead of a bitset, and what a step does to a set is worked out once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id.hpp"
#include "engine/base/sequence_table.hpp"

namespace tw {

using SetId = Id<struct SetTag>;

/// The members of a set: bit i of word i / 64.
using Words = std::span<const std::uint64_t>;

[[nodiscard]] inline bool contains(Words words, std::size_t bit) {
  return bit / 64 < words.size() && ((words[bit / 64] >> (bit % 64)) & 1) != 0;
}

[[nodiscard]] bool is_subset(Words a, Words b);

[[nodiscard]] std::size_t count_bits(Words words);

inline void set_bit(std::vector<std::uint64_t>& words, std::size_t bit) {
  if (words.size() <= bit / 64)
    words.resize(bit / 64 + 1);
  words[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

/// Adds all members of the other set.
inline void unite(std::vector<std::uint64_t>& words, Words other) {
  if (words.size() < other.size())
    words.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i)
    words[i] |= other[i];
}

/// Calls f(bit) for every member, ascending.
template <class F>
void for_each_bit(Words words, F f) {
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
      f(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
}

/// A set in one word. If its members are small it is the set itself, so that there is nothing to
/// look up; else the number of one. Equal sets have equal codes.
struct SetCode {
  std::uint64_t word = 0;

  [[nodiscard]] bool is_empty() const { return word == 0; }
};

class BitSets {
 public:
  BitSets() { static_cast<void>(sets_.intern({})); }

  /// The empty set.
  static constexpr SetId kEmpty{0};

  SetId intern(Words words) {
    while (!words.empty() && words.back() == 0)
      words = words.first(words.size() - 1);
    return sets_.intern(words);
  }
  /// a ∪ b
  SetId unite(SetId a, Words b);
  SetCode unite(const SetCode& a, Words b) {
    scratch_.assign((*this)[a].begin(), (*this)[a].end());
    tw::unite(scratch_, b);
    return encode(scratch_);
  }
  /// a ∩ b
  SetId intersect(SetId a, Words b);

  SetCode encode(Words words) {
    const bool is_small = words.size() <= 1 || count_bits(words.subspan(1)) == 0;
    const std::uint64_t first = words.empty() ? 0 : words.front();
    if (is_small && (first & kNumbered) == 0)
      return {first};
    return {kNumbered | intern(words).index()};
  }

  /// Valid until the next set is interned.
  [[nodiscard]] Words operator[](SetId id) const { return sets_[id]; }
  /// … and as long as the code.
  [[nodiscard]] Words operator[](const SetCode& code) const {
    return (code.word & kNumbered) == 0 ? Words(&code.word, 1)
                                        : sets_[SetId(code.word & ~kNumbered)];
  }
  Words operator[](SetCode&&) const = delete;

  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  /// At the most until a few more are added.
  [[nodiscard]] std::size_t bytes() const { return sets_.bytes(); }

 private:
  static constexpr std::uint64_t kNumbered = std::uint64_t{1} << 63;

  SequenceTable<SetId, std::uint64_t> sets_;  // without zeros at the end
  std::vector<std::uint64_t> scratch_;
};

}  // namespace tw
