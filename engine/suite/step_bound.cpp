#include "engine/suite/step_bound.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "engine/base/budget.hpp"

namespace tw {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

// Arcs by number, from both of their ends.
struct Net {
  explicit Net(const RunGraph& graph) : out_(graph.nodes() + 1), in_(graph.nodes() + 1) {
    targets.resize(graph.wanted());
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
      out_[node] = static_cast<std::uint32_t>(to.size());
      for (const RunGraph::Arc& arc : graph.known_arcs(node)) {
        for (const std::uint32_t item : graph.items(arc.gain))
          targets[item].push_back(static_cast<std::uint32_t>(to.size()));
        from.push_back(node);
        to.push_back(arc.to);
        length.push_back(arc.length());
      }
    }
    out_.back() = static_cast<std::uint32_t>(to.size());
    for (const std::uint32_t node : to)
      ++in_[node + 1];
    std::partial_sum(in_.begin(), in_.end(), in_.begin());
    entering_.resize(to.size());
    std::vector<std::uint32_t> next(in_.begin(), in_.end() - 1);
    for (std::uint32_t a = 0; a < to.size(); ++a)
      entering_[next[to[a]]++] = a;
    for (const std::uint32_t item : graph.items(graph.initial_gain()))
      targets[item].clear();
  }

  [[nodiscard]] std::size_t nodes() const { return out_.size() - 1; }

  template <class F>
  void each_leaving(std::uint32_t node, F f) const {
    for (std::uint32_t a = out_[node]; a < out_[node + 1]; ++a)
      f(a);
  }
  template <class F>
  void each_entering(std::uint32_t node, F f) const {
    for (std::uint32_t i = in_[node]; i < in_[node + 1]; ++i)
      f(entering_[i]);
  }

  std::vector<std::uint32_t> from;  // by arc
  std::vector<std::uint32_t> to;
  std::vector<std::uint32_t> length;
  std::vector<std::vector<std::uint32_t>> targets;  // by item: the arcs that cover it

 private:
  std::vector<std::uint32_t> out_;  // by node: its first arc
  std::vector<std::uint32_t> in_;   // by node: its first place among …
  std::vector<std::uint32_t> entering_;
};

// One solution of the dual. What an arc still costs is its length, less the prices of its items,
// changed by potentials such that it is never negative.
class Ascent {
 public:
  Ascent(const Net& net, std::int64_t parts, std::uint64_t& work)
      : net_(net),
        work_(work),
        label_(net.nodes(), kFar),
        is_target_(net.to.size()) {
    for (const std::uint32_t length : net.length)
      left_.push_back(length * parts);
    bound_.parts = parts;
    bound_.prices.assign(net.targets.size(), 0);
    bound_.shares.assign(net.targets.size(), 0);
    bound_.potentials.assign(net.nodes(), 0);
    find_potentials();
  }

  void raise(std::uint32_t item, std::int64_t most);
  void cut(std::uint32_t item);
  /// After cuts, so that prices can be raised with what they left.
  void find_potentials();

  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] const StepBound& result() {
    bound_.steps = static_cast<std::uint64_t>((total_ + bound_.parts - 1) / bound_.parts);
    return bound_;
  }

 private:
  struct Waiting {
    std::int64_t label = 0;
    std::uint32_t node = 0;

    friend bool operator>(const Waiting& a, const Waiting& b) { return a.label > b.label; }
  };
  using Queue = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

  bool offer(std::uint32_t node, std::int64_t label, Queue& queue) {
    if (label >= label_[node])
      return false;
    if (label_[node] == kFar)
      touched_.push_back(node);
    label_[node] = label;
    queue.push({label, node});
    return true;
  }
  void forget() {
    for (const std::uint32_t node : touched_)
      label_[node] = kFar;
    touched_.clear();
  }
  [[nodiscard]] std::int64_t room_of(std::uint32_t item, std::int64_t most);
  void lower_potentials(std::uint32_t item);

  const Net& net_;
  std::uint64_t& work_;
  std::vector<std::int64_t> left_;  // by arc
  StepBound bound_;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> label_;
  std::vector<std::uint32_t> touched_;
  std::vector<char> is_target_;  // by arc, of the item being looked at
};

void Ascent::find_potentials() {
  Queue queue;
  offer(RunGraph::kStart, 0, queue);
  while (!queue.empty()) {
    const auto [label, node] = queue.top();
    queue.pop();
    if (label != label_[node])
      continue;
    net_.each_leaving(node, [&](std::uint32_t a) {
      ++work_;
      offer(net_.to[a], label + left_[a], queue);
    });
  }
  for (std::uint32_t a = 0; a < left_.size(); ++a)
    left_[a] += label_[net_.from[a]] - label_[net_.to[a]];
  for (std::size_t node = 0; node < label_.size(); ++node)
    bound_.potentials[node] += label_[node];
  forget();
}

// By how much the price can rise: walks that collect it once, and rounds between two of its arcs,
// must stay worth their length.
std::int64_t Ascent::room_of(std::uint32_t item, std::int64_t most) {
  std::int64_t first = kFar;
  Queue queue;
  for (const std::uint32_t a : net_.targets[item]) {
    is_target_[a] = 1;
    first = std::min(first, left_[a]);
    offer(net_.to[a], 0, queue);
  }
  std::int64_t room = most;
  while (!queue.empty() && queue.top().label < room) {
    const auto [label, node] = queue.top();
    queue.pop();
    if (label != label_[node])
      continue;
    room = std::min(room, first + label + bound_.potentials[node]);
    net_.each_leaving(node, [&](std::uint32_t a) {
      ++work_;
      if (is_target_[a] != 0)
        room = std::min(room, label + left_[a]);
      offer(net_.to[a], label + left_[a], queue);
    });
  }
  forget();
  for (const std::uint32_t a : net_.targets[item])
    is_target_[a] = 0;
  return room;
}

void Ascent::raise(std::uint32_t item, std::int64_t most) {
  if (net_.targets[item].empty())
    return;
  const std::int64_t room = room_of(item, most);
  if (room <= 0)
    return;
  for (const std::uint32_t a : net_.targets[item])
    left_[a] -= room;
  bound_.prices[item] += room;
  bound_.shares[item] += room;
  total_ += room;
  lower_potentials(item);
}

// Arcs of the item may be negative now; no round is.
void Ascent::lower_potentials(std::uint32_t item) {
  std::vector<std::uint32_t> changed;
  std::queue<std::uint32_t> queue;
  const auto lower = [&](std::uint32_t node, std::int64_t by) {
    if (by >= (label_[node] == kFar ? 0 : label_[node]))
      return;
    if (label_[node] == kFar)
      touched_.push_back(node);
    label_[node] = by;
    queue.push(node);
  };
  for (const std::uint32_t a : net_.targets[item]) {
    const std::int64_t before = label_[net_.from[a]];
    lower(net_.to[a], (before == kFar ? 0 : before) + left_[a]);
  }
  for (; !queue.empty(); queue.pop()) {
    const std::uint32_t node = queue.front();
    net_.each_leaving(node, [&](std::uint32_t a) {
      ++work_;
      lower(net_.to[a], label_[node] + left_[a]);
    });
  }
  for (const std::uint32_t node : touched_) {
    const std::int64_t by = label_[node];
    bound_.potentials[node] += by;
    net_.each_leaving(node, [&](std::uint32_t a) { left_[a] += by; });
    net_.each_entering(node, [&](std::uint32_t a) { left_[a] -= by; });
  }
  forget();
}

// The start has to be left, and the way to the item to be gone: what arcs still cost on it counts
// once, and is used up.
void Ascent::cut(std::uint32_t item) {
  if (net_.targets[item].empty())
    return;
  Queue queue;
  for (const std::uint32_t a : net_.targets[item]) {
    is_target_[a] = 1;
    offer(net_.from[a], left_[a], queue);
  }
  std::vector<std::uint32_t> inside;
  while (!queue.empty() && queue.top().node != RunGraph::kStart) {
    const auto [label, node] = queue.top();
    queue.pop();
    if (label != label_[node])
      continue;
    inside.push_back(node);
    net_.each_entering(node, [&](std::uint32_t a) {
      ++work_;
      offer(net_.from[a], label + left_[a], queue);
    });
  }
  const std::int64_t far = queue.empty() ? 0 : queue.top().label;
  if (far > 0) {
    for (const std::uint32_t node : inside)
      net_.each_entering(node, [&](std::uint32_t a) {
        if (is_target_[a] == 0)
          left_[a] -= std::max<std::int64_t>(
              0, std::min(label_[net_.from[a]], far) - std::min(label_[node], far));
      });
    for (const std::uint32_t a : net_.targets[item])
      left_[a] -= std::min(label_[net_.from[a]], far);
    bound_.shares[item] += far;
    total_ += far;
  }
  for (const std::uint32_t a : net_.targets[item])
    is_target_[a] = 0;
  forget();
}

std::vector<std::int64_t> depths(const Net& net) {
  std::vector<std::int64_t> depth(net.nodes(), kFar);
  std::vector<std::uint32_t> layer{RunGraph::kStart};
  depth[RunGraph::kStart] = 0;
  for (std::int64_t d = 0; !layer.empty(); ++d) {
    std::vector<std::uint32_t> next;
    for (std::size_t i = 0; i < layer.size(); ++i)
      net.each_leaving(layer[i], [&](std::uint32_t a) {
        const std::int64_t there = d + net.length[a];
        if (there >= depth[net.to[a]])
          return;
        depth[net.to[a]] = there;
        (net.length[a] == 0 ? layer : next).push_back(net.to[a]);
      });
    layer = std::move(next);
  }
  std::vector<std::int64_t> out;
  for (const std::vector<std::uint32_t>& arcs : net.targets) {
    std::int64_t least = kFar;
    for (const std::uint32_t a : arcs)
      least = std::min(least, depth[net.from[a]] + net.length[a]);
    out.push_back(least);
  }
  return out;
}

}  // namespace

StepBound step_bound(const RunGraph& graph, std::uint64_t max_work) {
  const Net net(graph);
  const std::vector<std::int64_t> depth = depths(net);
  std::vector<std::uint32_t> order(net.targets.size());
  std::iota(order.begin(), order.end(), 0U);
  StepBound best;
  std::uint64_t work = 0;
  bool any = false;
  double highest = 0;  // prices
  const auto offer = [&](Ascent& ascent) {
    const StepBound& found = ascent.result();
    if (!any || found.steps > best.steps) {
      best.steps = found.steps;
      best.shares = found.shares;
      best.share_parts = found.parts;
    }
    const double prices = static_cast<double>(std::accumulate(
                              found.prices.begin(), found.prices.end(), std::int64_t{0})) /
                          static_cast<double>(found.parts);
    if (!any || prices > highest) {
      best.prices = found.prices;
      best.potentials = found.potentials;
      best.parts = found.parts;
      highest = prices;
    }
    any = true;
  };
  const auto each = [&](auto&& f) {
    for (const std::uint32_t item : order)
      if (work < max_work) {
        check_budget();
        f(item);
      }
  };
  // Whoever comes first takes most: several orders, and prices that grow together.
  for (const bool deep_first : {true, false}) {
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return deep_first ? depth[a] > depth[b] : depth[a] < depth[b];
    });
    for (const std::int64_t parts : {1, 6}) {
      if (work >= max_work && any)
        break;
      Ascent ascent(net, parts, work);
      if (parts == 1) {
        each([&](std::uint32_t item) { ascent.raise(item, kFar); });
      } else {
        for (std::int64_t before = -1; before != ascent.total() && work < max_work;) {
          before = ascent.total();
          each([&](std::uint32_t item) { ascent.raise(item, 1); });
        }
      }
      each([&](std::uint32_t item) { ascent.cut(item); });
      offer(ascent);
    }
    if (work >= max_work)
      break;
    Ascent ascent(net, 1, work);
    each([&](std::uint32_t item) { ascent.cut(item); });
    offer(ascent);
  }
  return best;
}

}  // namespace tw
