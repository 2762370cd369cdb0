#include "engine/coverage/bit_sets.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"
#include "engine/base/memory_use.hpp"

namespace tw {
namespace {

constexpr std::uint32_t kFree = 0xFFFFFFFF;
constexpr std::size_t kFirstSlots = 64;

Words trimmed(Words words) {
  while (!words.empty() && words.back() == 0)
    words = words.first(words.size() - 1);
  return words;
}

}  // namespace

bool is_subset(Words a, Words b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] & ~(i < b.size() ? b[i] : 0)) != 0)
      return false;
  return true;
}

std::size_t count_bits(Words words) {
  std::size_t count = 0;
  for (const std::uint64_t word : words)
    count += static_cast<std::size_t>(__builtin_popcountll(word));
  return count;
}

BitSets::BitSets() : table_(kFirstSlots, kFree) { intern({}); }

SetId BitSets::intern(Words words) {
  words = trimmed(words);
  if (places_.size() * 2 >= table_.size())
    grow();
  const auto hash = static_cast<std::uint32_t>(hash_words(words));
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at] != kFree; at = (at + 1) & mask) {
    const Place& place = places_[table_[at]];
    if (place.hash == hash && std::ranges::equal(words, (*this)[SetId(table_[at])]))
      return SetId(table_[at]);
  }
  table_[at] = static_cast<std::uint32_t>(places_.size());
  const auto count = static_cast<std::uint32_t>(words.size());
  places_.push_back({.first = words_.size(), .count = count, .hash = hash});
  words_.insert(words_.end(), words.begin(), words.end());
  return SetId(places_.size() - 1);
}

SetId BitSets::unite(SetId a, Words b) {
  const Words left = (*this)[a];
  scratch_.assign(left.begin(), left.end());
  if (scratch_.size() < b.size())
    scratch_.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    scratch_[i] |= b[i];
  return intern(scratch_);
}

SetId BitSets::intersect(SetId a, Words b) {
  const Words left = (*this)[a];
  scratch_.assign(left.begin(),
                  left.begin() + static_cast<std::ptrdiff_t>(std::min(left.size(), b.size())));
  for (std::size_t i = 0; i < scratch_.size(); ++i)
    scratch_[i] &= b[i];
  return intern(scratch_);
}

void BitSets::grow() {
  table_.assign(table_.size() * 2, kFree);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    std::size_t at = places_[i].hash & mask;
    while (table_[at] != kFree)
      at = (at + 1) & mask;
    table_[at] = static_cast<std::uint32_t>(i);
  }
}

std::size_t BitSets::bytes() const {
  const std::size_t table = table_.size() * sizeof(std::uint32_t);
  const bool grows_soon = places_.size() * 9 / 4 >= table_.size();
  return bytes_when_growing(words_) + bytes_when_growing(places_) + (grows_soon ? 3 : 1) * table;
}

}  // namespace tw
