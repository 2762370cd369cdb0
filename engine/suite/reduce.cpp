#include "engine/suite/reduce.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

#include "engine/base/budget.hpp"

namespace tw {
namespace {

// How many walks cover each item.
class Counts {
 public:
  /// `gone`: not these.
  explicit Counts(const std::vector<Walk>& walks, const std::vector<bool>& gone) {
    for (std::size_t i = 0; i < walks.size(); ++i) {
      check_budget();
      for (const Walk::Gain& gain : walks[i].gains) {
        if (count_.size() <= gain.item.index())
          count_.resize(gain.item.index() + 1);
        count_[gain.item.index()] += gone[i] ? 0U : 1U;
      }
    }
  }

  [[nodiscard]] bool is_needed(ItemId item) const { return count_[item.index()] == 1; }
  void remove(ItemId item) { --count_[item.index()]; }

  void remove(const Walk& walk) {
    for (const Walk::Gain& gain : walk.gains)
      remove(gain.item);
  }

 private:
  std::vector<std::uint32_t> count_;  // by item
};

std::vector<std::size_t> shortest_first(const std::vector<Walk>& walks) {
  std::vector<std::size_t> order(walks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return walks[i].length(); });
  return order;
}

// Of those that are left, too.
void mark_redundant(const std::vector<Walk>& walks, std::vector<bool>& gone) {
  Counts counts(walks, gone);
  for (const std::size_t i : shortest_first(walks)) {
    if (gone[i] || std::ranges::any_of(walks[i].gains, [&](const Walk::Gain& gain) {
          return counts.is_needed(gain.item);
        }))
      continue;
    counts.remove(walks[i]);
    gone[i] = true;
  }
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

std::vector<std::size_t> unmarked(const std::vector<bool>& gone) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < gone.size(); ++i)
    if (!gone[i])
      out.push_back(i);
  return out;
}

}  // namespace

std::uint64_t total_steps(const std::vector<Walk>& walks) {
  std::uint64_t sum = 0;
  for (const Walk& walk : walks)
    sum += walk.length();
  return sum;
}

void remove_redundant(std::vector<Walk>& walks) {
  std::vector<bool> gone(walks.size());
  mark_redundant(walks, gone);
  erase_marked(walks, gone);
}

std::vector<std::size_t> irredundant(const std::vector<Walk>& walks) {
  std::vector<bool> gone(walks.size());
  mark_redundant(walks, gone);
  return unmarked(gone);
}

std::vector<Walk> copies_of(const std::vector<Walk>& walks,
                            const std::vector<std::size_t>& chosen) {
  std::uint64_t bytes = 0;
  for (const std::size_t i : chosen) {
    bytes += walks[i].gains.size() * sizeof(Walk::Gain);
    for (const Step& step : walks[i].steps)
      bytes += sizeof(Step) + step.edges.size() * sizeof(FiredEdge);
  }
  foresee_memory(bytes);
  std::vector<Walk> out;
  out.reserve(chosen.size());
  for (const std::size_t i : chosen)
    out.push_back(walks[i]);
  return out;
}

// Gains only ever shrink, so a walk whose gain was looked up again and still leads is the best:
// most walks are looked at a few times only.
std::vector<std::size_t> greedy_cover(const std::vector<Walk>& walks) {
  struct Offer {
    std::uint64_t news = 0;
    std::uint64_t length = 1;  // an empty walk counts as one step
    std::size_t walk = 0;

    // news / length is less, without dividing; of equal ones the first is taken.
    bool operator<(const Offer& other) const {
      const std::uint64_t mine = news * other.length;
      const std::uint64_t theirs = other.news * length;
      return mine != theirs ? mine < theirs : walk > other.walk;
    }
  };
  std::vector<std::uint64_t> covered;
  const auto offer_of = [&](std::size_t i) {
    const auto news = std::ranges::count_if(walks[i].gains, [&](const Walk::Gain& gain) {
      return !contains(covered, gain.item.index());
    });
    return Offer{.news = static_cast<std::uint64_t>(news),
                 .length = std::max<std::uint64_t>(walks[i].length(), 1),
                 .walk = i};
  };
  std::priority_queue<Offer> offers;
  for (std::size_t i = 0; i < walks.size(); ++i)
    offers.push(offer_of(i));
  std::vector<bool> unused(walks.size(), true);
  while (!offers.empty() && offers.top().news != 0) {
    check_budget();
    const Offer stale = offers.top();
    offers.pop();
    const Offer now = offer_of(stale.walk);
    if (now.news != stale.news) {
      offers.push(now);
      continue;
    }
    unused[now.walk] = false;
    for (const Walk::Gain& gain : walks[now.walk].gains)
      set_bit(covered, gain.item.index());
  }
  mark_redundant(walks, unused);
  return unmarked(unused);
}

std::vector<std::size_t> trim(std::vector<Walk>& walks) {
  std::vector<bool> gone(walks.size());
  for (bool changed = true; changed;) {
    mark_redundant(walks, gone);
    changed = false;
    Counts counts(walks, gone);
    for (const std::size_t i : shortest_first(walks)) {
      if (gone[i])
        continue;
      Walk& walk = walks[i];
      std::uint32_t last = 0;
      for (const Walk::Gain& gain : walk.gains)
        if (counts.is_needed(gain.item))
          last = std::max(last, gain.step);
      check_budget();
      if (last == walk.steps.size())
        continue;
      for (const Walk::Gain& gain : walk.gains)
        if (gain.step > last)
          counts.remove(gain.item);
      Walker::cut(walk, last);
      changed = true;
    }
  }
  erase_marked(walks, gone);
  return unmarked(gone);
}

}  // namespace tw
