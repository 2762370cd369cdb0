#include "engine/suite/reduce.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tw {
namespace {

// How many walks cover each item.
class Counts {
 public:
  explicit Counts(const std::vector<Walk>& walks) {
    for (const Walk& walk : walks)
      for (const Walk::Gain& gain : walk.gains)
        ++count_[gain.item];
  }

  [[nodiscard]] bool is_needed(ItemId item) const { return count_.at(item) == 1; }
  void remove(ItemId item) { --count_[item]; }

  void remove(const Walk& walk) {
    for (const Walk::Gain& gain : walk.gains)
      remove(gain.item);
  }

 private:
  std::unordered_map<ItemId, std::uint32_t> count_;
};

std::vector<std::size_t> shortest_first(const std::vector<Walk>& walks) {
  std::vector<std::size_t> order(walks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return walks[i].steps.size(); });
  return order;
}

void erase_marked(std::vector<Walk>& walks, const std::vector<bool>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    if (gone[i])
      continue;
    if (kept != i)
      walks[kept] = std::move(walks[i]);
    ++kept;
  }
  walks.resize(kept);
}

}  // namespace

std::uint64_t total_steps(const std::vector<Walk>& walks) {
  std::uint64_t sum = 0;
  for (const Walk& walk : walks)
    sum += walk.steps.size();
  return sum;
}

void remove_redundant(std::vector<Walk>& walks) {
  Counts counts(walks);
  std::vector<bool> gone(walks.size());
  for (const std::size_t i : shortest_first(walks)) {
    if (std::ranges::any_of(walks[i].gains,
                            [&](const Walk::Gain& gain) { return counts.is_needed(gain.item); }))
      continue;
    counts.remove(walks[i]);
    gone[i] = true;
  }
  erase_marked(walks, gone);
}

void keep_greedy_cover(std::vector<Walk>& walks) {
  std::vector<std::uint64_t> covered;
  std::vector<bool> unused(walks.size(), true);
  const auto news_of = [&](const Walk& walk) {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        walk.gains, [&](const Walk::Gain& gain) { return !contains(covered, gain.item.index()); }));
  };
  for (;;) {
    std::size_t best = walks.size();
    std::uint64_t best_news = 0;
    for (std::size_t i = 0; i < walks.size(); ++i) {
      const std::uint64_t news = unused[i] ? news_of(walks[i]) : 0;
      // news / steps is greater, without dividing; an empty walk counts as one step.
      const std::uint64_t length = std::max<std::uint64_t>(walks[i].steps.size(), 1);
      if (news != 0 &&
          (best == walks.size() ||
           news * std::max<std::uint64_t>(walks[best].steps.size(), 1) > best_news * length)) {
        best = i;
        best_news = news;
      }
    }
    if (best == walks.size())
      break;
    unused[best] = false;
    for (const Walk::Gain& gain : walks[best].gains)
      set_bit(covered, gain.item.index());
  }
  erase_marked(walks, unused);
  remove_redundant(walks);
}

void trim(std::vector<Walk>& walks) {
  for (bool changed = true; changed;) {
    remove_redundant(walks);
    changed = false;
    Counts counts(walks);
    for (const std::size_t i : shortest_first(walks)) {
      Walk& walk = walks[i];
      std::uint32_t last = 0;
      for (const Walk::Gain& gain : walk.gains)
        if (counts.is_needed(gain.item))
          last = std::max(last, gain.step);
      if (last == walk.steps.size())
        continue;
      for (const Walk::Gain& gain : walk.gains)
        if (gain.step > last)
          counts.remove(gain.item);
      Walker::cut(walk, last);
      changed = true;
    }
  }
}

}  // namespace tw
