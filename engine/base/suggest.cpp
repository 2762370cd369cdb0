#include "engine/base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace tw {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[b.size()];
}

std::string_view nearest_name(std::string_view name, std::span<const std::string> known) {
  // A help, not a duty: thousands of long names must not take forever.
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kMostNames = 5000;
  std::string_view best;
  if (name.size() > kLongest || known.size() > kMostNames)
    return best;
  std::size_t least = name.size() / 3 + 1;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (longer - shorter > least)
      continue;
    const std::size_t distance = edit_distance(candidate, name);
    if (distance < least || (distance == least && !best.empty() && candidate < best)) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace tw
