#include <algorithm>
#include <queue>
#include <span>
#include <tuple>

#include "engine/base/budget.hpp"
#include "engine/suite/route.hpp"

namespace tw {
namespace {

// Costs are steps, then tests, in one number.
constexpr unsigned kStepShift = 24;
constexpr std::uint64_t kTest = 1;

// What comparing sets may take, in labels.
constexpr std::uint64_t kComparisonsPerLabel = 256;

}  // namespace

// Where a beginning of a suite ends, and what it has covered.
struct Planner::Label {
  RunGraph::Node at = RunGraph::kStart;
  std::uint32_t parent = 0;
  std::uint32_t arc = 0;
  bool restarts = false;
  bool is_dominated = false;
  std::uint64_t cost = 0;
  std::int64_t rest = 0;  // prices of what is left
};

// A* with one label for each node and set of items, where no other label at the node has covered as
// much at no more cost.
Planner::Exact Planner::find_shortest(PlanCost than, std::uint64_t max_labels) {
  const std::size_t words = (graph_.wanted() + 63) / 64;
  const std::uint64_t limit = (than.first << kStepShift) + than.second;
  std::vector<Label> labels;
  std::vector<std::uint64_t> left;  // by label
  std::vector<std::vector<std::uint32_t>> at_node(graph_.nodes());
  struct Waiting {
    std::uint64_t least = 0;  // cost of the whole suite
    std::int64_t rest = 0;
    std::uint32_t label = 0;

    bool operator>(const Waiting& other) const {
      return std::tie(least, rest, other.label) > std::tie(other.least, other.rest, label);
    }
  };
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
  std::uint64_t compared = 0;
  const auto set_of = [&](std::uint32_t label) { return left.data() + std::size_t{label} * words; };

  const auto least_rest = [&](const Label& label) -> std::uint64_t {
    const std::int64_t far = label.rest - bound_->potentials[label.at];
    return far <= 0 ? 0 : static_cast<std::uint64_t>((far + bound_->parts - 1) / bound_->parts);
  };
  const std::uint64_t least_step = graph_.has_waits() ? 0 : 1;
  const auto add = [&](Label label, const std::vector<std::uint64_t>& set) {
    const bool done = std::ranges::all_of(set, [](std::uint64_t w) { return w == 0; });
    const std::uint64_t least =
        label.cost + ((done ? 0 : std::max(least_rest(label), least_step)) << kStepShift);
    if (least >= limit)
      return;
    for (const std::uint32_t other : at_node[label.at]) {
      ++compared;
      const std::uint64_t* const known = set_of(other);
      bool less = labels[other].cost <= label.cost;
      for (std::size_t w = 0; w < words && less; ++w)
        less = (known[w] & ~set[w]) == 0;
      if (less)
        return;
    }
    std::erase_if(at_node[label.at], [&](std::uint32_t other) {
      const std::uint64_t* const known = set_of(other);
      bool less = label.cost <= labels[other].cost;
      for (std::size_t w = 0; w < words && less; ++w)
        less = (set[w] & ~known[w]) == 0;
      labels[other].is_dominated = labels[other].is_dominated || less;
      return less;
    });
    const auto number = static_cast<std::uint32_t>(labels.size());
    at_node[label.at].push_back(number);
    labels.push_back(label);
    left.insert(left.end(), set.begin(), set.end());
    queue.push({.least = least, .rest = label.rest, .label = number});
  };

  std::vector<std::uint64_t> set = everything();
  set.resize(words);
  Label first{.cost = kTest};
  const auto take = [&](RunGraph::Gain gain, Label& label) {
    for (const std::uint32_t item : graph_.items(gain))
      if (contains(set, item)) {
        set[item / 64] &= ~(std::uint64_t{1} << (item % 64));
        label.rest -= bound_->prices[item];
      }
  };
  for (const std::uint32_t item : by_length_)
    first.rest += bound_->prices[item];
  add(first, set);

  Exact out;
  while (!queue.empty()) {
    check_budget();
    const Waiting next = queue.top();
    queue.pop();
    const Label from = labels[next.label];
    if (from.is_dominated)
      continue;
    const std::vector<std::uint64_t> before(set_of(next.label), set_of(next.label) + words);
    if (std::ranges::all_of(before, [](std::uint64_t w) { return w == 0; })) {
      out.decided = true;
      out.least = from.cost >> kStepShift;
      std::vector<std::uint32_t> chain;
      for (std::uint32_t at = next.label; at != 0; at = labels[at].parent)
        chain.push_back(at);
      out.plan.emplace(1);
      for (std::size_t i = chain.size(); i-- > 0;) {
        const Label& label = labels[chain[i]];
        if (label.restarts)
          out.plan->emplace_back();
        else
          out.plan->back().push_back({labels[label.parent].at, label.arc});
      }
      return out;
    }
    if (labels.size() + compared / kComparisonsPerLabel > max_labels) {
      out.least = next.least >> kStepShift;
      return out;
    }
    const std::span<const RunGraph::Arc> arcs = graph_.known_arcs(from.at);
    for (std::uint32_t a = 0; a < arcs.size(); ++a) {
      Label label{.at = arcs[a].to,
                  .parent = next.label,
                  .arc = a,
                  .cost = from.cost + (std::uint64_t{arcs[a].length()} << kStepShift),
                  .rest = from.rest};
      set = before;
      take(arcs[a].gain, label);
      add(label, set);
    }
    // Only after something new is a test worth ending.
    const bool any_news = next.label != 0 && !from.restarts &&
                          !std::ranges::equal(before, std::span(set_of(from.parent), words));
    if (any_news) {
      set = before;
      add({.parent = next.label, .restarts = true, .cost = from.cost + kTest, .rest = from.rest},
          set);
    }
  }
  out.decided = true;
  out.least = than.first;
  return out;
}

}  // namespace tw
