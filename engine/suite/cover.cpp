#include "engine/suite/cover.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "engine/suite/reduce.hpp"

namespace tw {
namespace {

// Branch and bound is for problems of this size, and gives up after looking at so many walks.
constexpr std::size_t kMostWalks = 600;
constexpr std::uint64_t kMostWork = 2'000'000;

// Walks of no step count as well: a test is a test.
std::uint64_t cost_of(const Walk& walk, Optimise optimise) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 24;
  return optimise == Optimise::kTests ? kFirst + walk.length() : walk.length() * kFirst + 1;
}

// The problem in numbers: items are those that requirements mention.
struct Problem {
  std::vector<std::vector<std::vector<std::uint32_t>>> requirements;  // alternatives of items
  std::vector<std::vector<std::uint32_t>> walks_of;                   // by item
  std::vector<std::vector<std::uint32_t>> items_of;                   // by walk, ascending
  std::vector<std::uint64_t> cost;                                    // by walk
};

Problem problem_of(const std::vector<Walk>& walks,
                   const std::vector<Requirement>& requirements,
                   Optimise optimise) {
  Problem out;
  std::unordered_map<ItemId, std::uint32_t> number;
  for (const Requirement& requirement : requirements) {
    out.requirements.emplace_back();
    for (const std::vector<ItemId>& alternative : requirement.alternatives) {
      out.requirements.back().emplace_back();
      for (const ItemId id : alternative)
        out.requirements.back().back().push_back(
            number.emplace(id, static_cast<std::uint32_t>(number.size())).first->second);
    }
  }
  out.walks_of.resize(number.size());
  for (std::size_t w = 0; w < walks.size(); ++w) {
    out.cost.push_back(cost_of(walks[w], optimise));
    out.items_of.emplace_back();
    for (const Walk::Gain& gain : walks[w].gains)
      if (const auto known = number.find(gain.item); known != number.end()) {
        out.items_of.back().push_back(known->second);
        out.walks_of[known->second].push_back(static_cast<std::uint32_t>(w));
      }
    std::ranges::sort(out.items_of.back());
  }
  return out;
}

class Covering {
 public:
  explicit Covering(const Problem& problem)
      : problem_(problem),
        covered_(problem.walks_of.size()),
        chosen_(problem.cost.size()) {}

  void add(std::size_t walk) {
    cost_ += chosen_[walk]++ == 0 ? problem_.cost[walk] : 0;
    for (const std::uint32_t item : problem_.items_of[walk])
      ++covered_[item];
  }

  void remove(std::size_t walk) {
    cost_ -= --chosen_[walk] == 0 ? problem_.cost[walk] : 0;
    for (const std::uint32_t item : problem_.items_of[walk])
      --covered_[item];
  }

  [[nodiscard]] bool covers(std::uint32_t item) const { return covered_[item] != 0; }

  [[nodiscard]] bool meets(std::size_t requirement) const {
    return std::ranges::any_of(problem_.requirements[requirement], [this](const auto& alternative) {
      return std::ranges::all_of(alternative, [this](std::uint32_t item) { return covers(item); });
    });
  }

  [[nodiscard]] std::uint64_t cost() const { return cost_; }

  [[nodiscard]] std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> out;
    for (std::size_t w = 0; w < chosen_.size(); ++w)
      if (chosen_[w] != 0)
        out.push_back(w);
    return out;
  }

 private:
  const Problem& problem_;
  std::vector<std::uint32_t> covered_;  // by item: how often
  std::vector<std::uint32_t> chosen_;   // by walk: how often
  std::uint64_t cost_ = 0;
};

// One alternative of each requirement: the one whose items cost least, those that others want
// anyway being free.
std::vector<std::uint64_t> cheapest_items(const std::vector<Walk>& walks,
                                          const std::vector<Requirement>& requirements,
                                          Optimise optimise) {
  std::unordered_map<ItemId, std::uint64_t> least;
  for (const Walk& walk : walks)
    for (const Walk::Gain& gain : walk.gains) {
      const std::uint64_t cost = cost_of(walk, optimise);
      std::uint64_t& known = least.emplace(gain.item, cost).first->second;
      known = std::min(known, cost);
    }
  std::vector<std::uint64_t> wanted;
  const auto cost = [&](const std::vector<ItemId>& alternative) {
    std::uint64_t sum = 0;
    for (const ItemId id : alternative)
      sum += contains(wanted, id.index()) ? 0 : least.at(id);
    return sum;
  };
  for (const Requirement& requirement : requirements)
    for (const ItemId id : *std::ranges::min_element(requirement.alternatives, {}, cost))
      set_bit(wanted, id.index());
  return wanted;
}

void drop_other_gains(std::vector<Walk>& walks, Words wanted) {
  for (Walk& walk : walks)
    std::erase_if(walk.gains,
                  [&](const Walk::Gain& gain) { return !contains(wanted, gain.item.index()); });
}

class BranchAndBound {
 public:
  /// Looks for something cheaper than this.
  BranchAndBound(const Problem& problem, std::uint64_t cost)
      : problem_(problem),
        covering_(problem),
        best_cost_(cost) {
    find_dominated();
  }

  /// Numbers of walks; none if nothing is cheaper, or nothing was found in time.
  std::optional<std::vector<std::size_t>> run() {
    search();
    return best_;
  }

 private:
  // A walk that covers no more than another and costs no less is never needed.
  void find_dominated() {
    const std::size_t walks = problem_.cost.size();
    std::vector<std::vector<std::uint64_t>> items(walks);
    for (std::size_t w = 0; w < walks; ++w)
      for (const std::uint32_t item : problem_.items_of[w])
        set_bit(items[w], item);
    useless_.resize(walks);
    for (std::size_t a = 0; a < walks; ++a)
      for (std::size_t b = 0; b < walks && !useless_[a]; ++b)
        if (a != b && !useless_[b] && problem_.cost[b] <= problem_.cost[a] &&
            is_subset(items[a], items[b]))
          useless_[a] = problem_.cost[b] < problem_.cost[a] || b < a ||
                        items[a].size() != items[b].size() || items[a] != items[b];
  }

  // Alternatives as sets of walks: one walk per item that is left.
  void each_way(std::size_t requirement, const auto& visit) const {
    const auto is_left = [this](std::uint32_t item) { return !covering_.covers(item); };
    for (const std::vector<std::uint32_t>& alternative : problem_.requirements[requirement]) {
      const auto first_left = std::ranges::find_if(alternative, is_left);
      const auto second_left = std::find_if(first_left + 1, alternative.end(), is_left);
      for (const std::uint32_t first : problem_.walks_of[*first_left]) {
        if (useless_[first])
          continue;
        if (second_left == alternative.end() || has(first, *second_left)) {
          visit(first, std::optional<std::uint32_t>());
          continue;
        }
        for (const std::uint32_t second : problem_.walks_of[*second_left])
          if (!useless_[second])
            visit(first, std::optional(second));
      }
    }
  }

  [[nodiscard]] bool has(std::uint32_t walk, std::uint32_t item) const {
    return std::ranges::binary_search(problem_.items_of[walk], item);
  }

  // Requirements that share no walk cost at least their cheapest ways together.
  [[nodiscard]] std::uint64_t bound(std::optional<std::size_t>& hardest) {
    std::vector<bool> used(problem_.cost.size());
    std::uint64_t sum = covering_.cost();
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t r = 0; r < problem_.requirements.size(); ++r) {
      if (covering_.meets(r))
        continue;
      std::size_t ways = 0;
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
      bool apart = true;
      std::vector<std::uint32_t> walks;
      each_way(r, [&](std::uint32_t first, std::optional<std::uint32_t> second) {
        ++ways;
        least = std::min(least, problem_.cost[first] + (second ? problem_.cost[*second] : 0));
        apart = apart && !used[first] && !(second && used[*second]);
        walks.push_back(first);
        if (second)
          walks.push_back(*second);
      });
      work_ += ways + 1;
      if (ways < fewest) {
        fewest = ways;
        hardest = r;
      }
      if (!apart || ways == 0)
        continue;
      sum += least;
      for (const std::uint32_t walk : walks)
        used[walk] = true;
    }
    return sum;
  }

  void search() {
    if (work_ > kMostWork)
      return;
    std::optional<std::size_t> hardest;
    const std::uint64_t least = bound(hardest);
    if (least >= best_cost_)
      return;
    if (!hardest) {
      best_ = covering_.chosen();
      best_cost_ = covering_.cost();
      return;
    }
    std::vector<std::pair<std::uint32_t, std::optional<std::uint32_t>>> ways;
    each_way(*hardest, [&](std::uint32_t first, std::optional<std::uint32_t> second) {
      ways.emplace_back(first, second);
    });
    for (const auto& [first, second] : ways) {
      covering_.add(first);
      if (second)
        covering_.add(*second);
      search();
      if (second)
        covering_.remove(*second);
      covering_.remove(first);
    }
  }

  const Problem& problem_;
  Covering covering_;
  std::vector<bool> useless_;
  std::optional<std::vector<std::size_t>> best_;
  std::uint64_t best_cost_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

std::vector<std::size_t> choose_cover(const std::vector<Walk>& walks,
                                      const std::vector<Requirement>& requirements,
                                      Optimise optimise) {
  std::vector<Walk> wanted = walks;
  drop_other_gains(wanted, cheapest_items(walks, requirements, optimise));
  std::vector<std::size_t> greedy = greedy_cover(wanted);
  if (walks.size() > kMostWalks)
    return greedy;
  std::uint64_t cost = 0;
  for (const std::size_t walk : greedy)
    cost += cost_of(walks[walk], optimise);
  const Problem problem = problem_of(walks, requirements, optimise);
  return BranchAndBound(problem, cost).run().value_or(std::move(greedy));
}

void keep_gains(std::vector<Walk>& walks, Words wanted) {
  drop_other_gains(walks, wanted);
  const auto first_idle =
      std::ranges::find_if(walks, [](const Walk& w) { return w.gains.empty(); });
  if (first_idle == walks.end())
    return;
  const Walk spare = *first_idle;
  std::erase_if(walks, [](const Walk& walk) { return walk.gains.empty(); });
  if (walks.empty())
    walks.push_back(spare);
}

}  // namespace tw
