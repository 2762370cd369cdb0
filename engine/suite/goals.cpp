#include "engine/suite/goals.hpp"

#include <algorithm>
#include <optional>

namespace tw {
namespace {

Verdict verdict_of_whole(const std::vector<ItemPair>& pairs, const std::vector<Verdict>& verdicts) {
  Verdict out{.status = ItemStatus::kInfeasible};
  for (const ItemPair& pair : pairs) {
    const Verdict& a = verdicts[pair.first.index()];
    const Verdict& b = verdicts[pair.second.index()];
    if (a.status == ItemStatus::kInfeasible || b.status == ItemStatus::kInfeasible)
      continue;
    if (a.status != ItemStatus::kCovered || b.status != ItemStatus::kCovered) {
      if (out.status == ItemStatus::kInfeasible)
        out.status = ItemStatus::kUndecided;
      continue;
    }
    const std::uint32_t depth = std::max(a.depth, b.depth);
    if (out.status != ItemStatus::kCovered || depth < out.depth)
      out = {.status = ItemStatus::kCovered, .depth = depth};
  }
  return out;
}

// Whether anyone needs an item: it was asked for, or stands in for one that is needed and not
// covered. The relation has no cycles.
class Need {
 public:
  Need(const CoverageRules& rules, const std::vector<Verdict>& verdicts)
      : rules_(rules),
        verdicts_(verdicts),
        known_(verdicts.size()) {}

  bool of(ItemId id) {
    std::optional<bool>& known = known_[id.index()];
    if (!known) {
      const bool asked = !rules_.criteria()[rules_.items()[id].criterion].is_fallback;
      known = asked || std::ranges::any_of(rules_.stronger_than(id), [this](ItemId stronger) {
                return verdicts_[stronger.index()].status != ItemStatus::kCovered && of(stronger);
              });
    }
    return *known;
  }

 private:
  const CoverageRules& rules_;
  const std::vector<Verdict>& verdicts_;
  std::vector<std::optional<bool>> known_;
};

}  // namespace

void settle_goals(const CoverageRules& rules, std::vector<Verdict>& verdicts) {
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (rules.is_whole(ItemId(i)))
      verdicts[i] = verdict_of_whole(rules.pairs_of(ItemId(i)), verdicts);
  Need need(rules, verdicts);
  std::vector<bool> needed;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    needed.push_back(rules.is_half(ItemId(i)) || need.of(ItemId(i)));
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (!needed[i])
      verdicts[i].status = ItemStatus::kNotCounted;
}

std::vector<Requirement> requirements_of(const CoverageRules& rules,
                                         const std::vector<Verdict>& verdicts) {
  const auto is_covered = [&](ItemId id) {
    return verdicts[id.index()].status == ItemStatus::kCovered;
  };
  std::vector<Requirement> out;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const ItemId id(i);
    if (!is_covered(id) || rules.is_half(id))
      continue;
    Requirement requirement;
    if (!rules.is_whole(id)) {
      requirement.alternatives.push_back({id});
    } else {
      for (const ItemPair& pair : rules.pairs_of(id))
        if (is_covered(pair.first) && is_covered(pair.second))
          requirement.alternatives.push_back({pair.first, pair.second});
    }
    out.push_back(std::move(requirement));
  }
  return out;
}

std::vector<std::uint64_t> wanted_items(const std::vector<Requirement>& requirements,
                                        Words covered) {
  std::vector<std::uint64_t> out;
  for (const Requirement& requirement : requirements) {
    const auto met =
        std::ranges::find_if(requirement.alternatives, [&](const std::vector<ItemId>& alternative) {
          return std::ranges::all_of(alternative,
                                     [&](ItemId id) { return contains(covered, id.index()); });
        });
    if (met == requirement.alternatives.end())
      continue;
    for (const ItemId id : *met)
      set_bit(out, id.index());
  }
  return out;
}

void discount_halves(const CoverageRules& rules, std::vector<Verdict>& verdicts) {
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (rules.is_half(ItemId(i)))
      verdicts[i].status = ItemStatus::kNotCounted;
}

std::vector<Verdict> verdicts_of(const CoverageRules& rules,
                                 Words covered,
                                 const std::vector<Verdict>& explored) {
  std::vector<Verdict> out(rules.items().size());
  const auto was = [&](std::size_t i, ItemStatus status) {
    return i < explored.size() && explored[i].status == status;
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (contains(covered, i))
      out[i] = {.status = ItemStatus::kCovered,
                .depth = was(i, ItemStatus::kCovered) ? explored[i].depth : 0};
    else if (was(i, ItemStatus::kInfeasible))
      out[i].status = ItemStatus::kInfeasible;
  }
  settle_goals(rules, out);
  // Which halves cannot be had is known of the wholes only.
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!rules.is_whole(ItemId(i)))
      continue;
    if (out[i].status == ItemStatus::kUndecided && was(i, ItemStatus::kInfeasible))
      out[i].status = ItemStatus::kInfeasible;
    else if (out[i].status == ItemStatus::kCovered && was(i, ItemStatus::kCovered))
      out[i].depth = explored[i].depth;
  }
  discount_halves(rules, out);
  return out;
}

void add_wholes(const CoverageRules& rules, std::vector<std::uint64_t>& covered) {
  for (std::size_t i = 0; i < rules.items().size(); ++i)
    if (rules.is_whole(ItemId(i)) &&
        std::ranges::any_of(rules.pairs_of(ItemId(i)), [&](const ItemPair& pair) {
          return contains(covered, pair.first.index()) && contains(covered, pair.second.index());
        }))
      set_bit(covered, i);
}

std::vector<std::vector<std::size_t>> tests_by_item(
    const CoverageRules& rules, const std::vector<std::vector<ItemId>>& covers) {
  std::vector<std::vector<std::size_t>> out(rules.items().size());
  for (std::size_t i = 0; i < covers.size(); ++i)
    for (const ItemId item : covers[i])
      out[item.index()].push_back(i);
  // A whole is covered by two tests, or by one with both halves: those of the first pair there is.
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!rules.is_whole(ItemId(i)))
      continue;
    for (const ItemPair& pair : rules.pairs_of(ItemId(i))) {
      const std::vector<std::size_t>& a = out[pair.first.index()];
      const std::vector<std::size_t>& b = out[pair.second.index()];
      if (a.empty() || b.empty())
        continue;
      out[i] = {std::min(a.front(), b.front()), std::max(a.front(), b.front())};
      out[i].erase(std::unique(out[i].begin(), out[i].end()), out[i].end());
      break;
    }
  }
  return out;
}

}  // namespace tw
