#include "engine/coverage/bit_sets.hpp"

#include <algorithm>

namespace tw {
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

SetId BitSets::unite(SetId a, Words b) {
  scratch_.assign((*this)[a].begin(), (*this)[a].end());
  tw::unite(scratch_, b);
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

}  // namespace tw
