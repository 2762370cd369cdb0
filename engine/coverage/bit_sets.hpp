// Sets of tokens or items, each stored once: equal sets have equal numbers, so a state carries 32
// bits instead of a bitset, and what a step does to a set is worked out once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id.hpp"

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

class BitSets {
 public:
  BitSets();

  /// The empty set.
  static constexpr SetId kEmpty{0};

  SetId intern(Words words);
  /// a ∪ b
  SetId unite(SetId a, Words b);
  /// a ∩ b
  SetId intersect(SetId a, Words b);

  /// Valid until the next set is interned.
  [[nodiscard]] Words operator[](SetId id) const {
    const Place& place = places_[id.index()];
    return {words_.data() + place.first, place.count};
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// At the most until a few more are added.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Place {
    std::size_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t hash = 0;
  };

  void grow();

  std::vector<std::uint64_t> words_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> table_;  // open addressing; kFree or the index of a set
  std::vector<std::uint64_t> scratch_;
};

}  // namespace tw
