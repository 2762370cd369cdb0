#include "engine/suite/route.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/base/budget.hpp"

namespace tw {
namespace {

// Of looking at an arc of the graph, in units of BudgetMeter.
constexpr std::uint64_t kArcWork = 10;

// Items of a gain are looked at faster than arcs.
constexpr std::size_t kItemsPerLook = 16;

}  // namespace

Planner::Planner(RunGraph& graph, std::vector<Route> routes, std::uint64_t max_work)
    : graph_(graph),
      routes_(std::move(routes)),
      max_work_(max_work),
      ways_(graph.wanted()) {
  for (std::size_t r = 0; r < routes_.size(); ++r) {
    std::uint32_t length = 0;
    for (std::uint32_t m = 0; m < routes_[r].size(); ++m) {
      const RunGraph::Arc& arc = graph_.arc(routes_[r][m]);
      length += arc.length();
      for (const std::uint32_t item : graph_.items(arc.gain))
        if (!ways_[item] || length < ways_[item]->length)
          ways_[item] = Way{.route = r, .moves = m + 1, .length = length};
    }
  }
  for (const std::uint32_t item : graph_.items(graph_.initial_gain()))
    ways_[item].reset();
  needed_ = graph_.wanted() - graph_.items(graph_.initial_gain()).size();
  for (std::uint32_t item = 0; item < ways_.size(); ++item)
    if (ways_[item])
      by_length_.push_back(item);
  std::ranges::stable_sort(by_length_, {}, [&](std::uint32_t i) { return ways_[i]->length; });
}

PlanCost Planner::cost(const Plan& plan, PlanGoal goal) const {
  std::uint64_t steps = 0;
  for (const Route& route : plan)
    for (const RunGraph::Move move : route)
      steps += graph_.arc(move).length();
  return goal == PlanGoal::kSteps ? PlanCost{.first = steps, .second = plan.size()}
                                  : PlanCost{.first = plan.size(), .second = steps};
}

void Planner::cover(RunGraph::Gain gain, Beginning& at) {
  work_ += graph_.items(gain).size() / kItemsPerLook;
  for (const std::uint32_t item : graph_.items(gain))
    if (contains(at.left, item)) {
      at.left[item / 64] &= ~(std::uint64_t{1} << (item % 64));
      ++at.covered;
      at.rest -= price(item);
    }
}

std::size_t Planner::news(RunGraph::Gain gain, const Items& left) {
  work_ += graph_.items(gain).size() / kItemsPerLook;
  return static_cast<std::size_t>(std::ranges::count_if(
      graph_.items(gain), [&](std::uint32_t item) { return contains(left, item); }));
}

Planner::Items Planner::everything() const {
  Items out((graph_.wanted() + 63) / 64);
  for (const std::uint32_t item : by_length_)
    set_bit(out, item);
  return out;
}

// A node is new to a search if it brings a token that no node of the same place, with clocks that
// allow as much, had: what a token can still cover does not depend on the others.
bool Planner::visit(RunGraph::Node node, RunGraph::Move by) {
  if (mark_.size() <= node) {
    mark_.resize(graph_.nodes());
    came_by_.resize(graph_.nodes());
  }
  if (mark_[node] == search_)
    return false;
  mark_[node] = search_;
  came_by_[node] = by;
  if (!graph_.has_tokens() && !graph_.is_timed())
    return true;
  const Words tokens = graph_.token_set(node);
  fresh_.assign(tokens.begin(), tokens.end());
  for (std::size_t w = 0; w < fresh_.size(); ++w)
    fresh_[w] &= w < live_.size() ? live_[w] : 0;
  std::vector<RunGraph::Node>& before = were_there_[graph_.place_number(node)];
  for (const RunGraph::Node other : before) {
    const Words had = graph_.token_set(other);
    bool any = false;
    for (std::size_t w = 0; w < std::min(had.size(), fresh_.size()); ++w)
      any = any || (fresh_[w] & had[w]) != 0;
    ++work_;
    if (!any || (graph_.is_timed() && !graph_.includes(other, node)))
      continue;
    for (std::size_t w = 0; w < std::min(had.size(), fresh_.size()); ++w)
      fresh_[w] &= ~had[w];
  }
  if (count_bits(fresh_) == 0)
    return false;
  before.push_back(node);
  return true;
}

bool Planner::brings_tokens(RunGraph::Node from, RunGraph::Node to) const {
  const Words had = graph_.token_set(from);
  const Words has = graph_.token_set(to);
  for (std::size_t w = 0; w < std::min(has.size(), live_.size()); ++w)
    if ((has[w] & live_[w] & ~(w < had.size() ? had[w] : 0)) != 0)
      return true;
  return false;
}

Route Planner::way_to(RunGraph::Node from, RunGraph::Move last) const {
  Route out{last};
  while (out.back().from != from)
    out.push_back(came_by_[out.back().from]);
  std::ranges::reverse(out);
  return out;
}

// Breadth first, up to a length: moves that cover something new, each kind of gain once. Of those
// equally near the ones that cover most come first.
void Planner::find_near(RunGraph::Node from,
                        const Items& left,
                        std::uint32_t most,
                        std::size_t choices,
                        std::vector<Found>& out) {
  struct Hit {
    RunGraph::Move move;
    RunGraph::Gain gain;
    std::uint32_t length = 0;
    std::size_t news = 0;
  };
  ++search_;
  if (graph_.has_tokens() || graph_.is_timed()) {
    live_ = graph_.tokens_for(left);
    were_there_.clear();
  }
  std::vector<Hit> hits;
  std::vector<RunGraph::Node> layer;
  std::vector<RunGraph::Node> next;
  if (visit(from, {}))
    layer.push_back(from);
  for (std::uint32_t depth = 0; depth <= most && !layer.empty(); ++depth) {
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const RunGraph::Node node = layer[i];
      const auto count = static_cast<std::uint32_t>(graph_.arcs(node).size());
      spend_budget(kArcWork * (count + std::uint64_t{1}));
      work_ += count + 1;
      for (std::uint32_t a = 0; a < count; ++a) {
        const RunGraph::Arc arc = graph_.known_arcs(node)[a];
        const std::uint32_t length = depth + arc.length();
        if (length > most)
          continue;
        if (arc.gain.index() != 0) {
          const std::size_t count_new = news(arc.gain, left);
          if (count_new != 0 && std::ranges::none_of(hits, [&](const Hit& hit) {
                return hit.gain == arc.gain && hit.length <= length;
              }))
            hits.push_back(
                {.move = {node, a}, .gain = arc.gain, .length = length, .news = count_new});
        }
        // Who waits and gets nothing for it can only do less afterwards.
        if (arc.length() == 0 && !brings_tokens(node, arc.to))
          continue;
        if (visit(arc.to, {node, a}))
          (arc.length() == 0 ? layer : next).push_back(arc.to);
      }
    }
    const bool enough = std::ranges::count_if(hits, [&](const Hit& hit) {
                          return hit.length <= depth + 1;
                        }) >= static_cast<std::ptrdiff_t>(choices);
    if (enough || is_spent())
      break;
    layer.swap(next);
    next.clear();
  }
  std::ranges::stable_sort(hits, [](const Hit& a, const Hit& b) {
    return std::tuple(a.length, b.news) < std::tuple(b.length, a.news);
  });
  for (std::size_t i = 0; i < std::min(choices, hits.size()); ++i)
    out.push_back({.moves = way_to(from, hits[i].move), .length = hits[i].length});
}

std::vector<Planner::Found> Planner::find_restarts(const Items& left,
                                                   std::size_t nearest,
                                                   bool farthest) const {
  std::vector<Found> out;
  const auto add = [&](std::uint32_t item) {
    const Way& way = *ways_[item];
    const Route& route = routes_[way.route];
    out.push_back({.moves = Route(route.begin(), route.begin() + way.moves),
                   .length = way.length,
                   .restarts = true});
  };
  for (std::size_t i = 0; i < by_length_.size() && out.size() < nearest; ++i)
    if (contains(left, by_length_[i]))
      add(by_length_[i]);
  spend_budget(by_length_.size());
  for (std::size_t i = by_length_.size(); i-- > 0 && farthest;)
    if (contains(left, by_length_[i])) {
      add(by_length_[i]);
      break;
    }
  return out;
}

// Where to go on from here.
std::vector<Planner::Found> Planner::choices_at(const Beginning& at, const LookAhead& how) {
  const bool is_root = at.tests == 1 && at.moves.empty();
  if (is_spent())
    return find_restarts(at.left, 0, true);
  if (how.goal == PlanGoal::kTests && !is_root) {
    std::vector<Found> out;
    find_near(at.at, at.left, std::numeric_limits<std::uint32_t>::max() - 1, how.choices, out);
    return out.empty() ? find_restarts(at.left, 1, how.hardest_first) : out;
  }
  if (how.width == 1) {
    const std::vector<Found> nearest = find_restarts(at.left, 1, false);
    std::vector<Found> farthest = find_restarts(at.left, 0, true);
    std::vector<Found> out;
    if (!is_root)
      find_near(at.at, at.left, (how.eager_restart ? nearest : farthest).front().length, 1, out);
    if (out.empty())
      out = how.hardest_first ? std::move(farthest) : nearest;
    return out;
  }
  std::vector<Found> out = find_restarts(at.left, is_root ? how.choices : 1, true);
  if (!is_root)
    find_near(at.at, at.left, out.back().length, how.choices, out);
  return out;
}

Planner::Beginning Planner::follow(const Beginning& from, std::uint32_t parent, Found found) {
  check_budget();
  Beginning out = from;
  out.parent = parent;
  out.restarts = found.restarts && from.steps + from.moves.size() != 0;
  out.tests += out.restarts ? 1 : 0;
  out.steps += found.length;
  for (const RunGraph::Move move : found.moves)
    if (graph_.arc(move).gain.index() != 0)
      cover(graph_.arc(move).gain, out);
  out.moves = std::move(found.moves);
  if (!out.moves.empty())
    out.at = graph_.arc(out.moves.back()).to;
  return out;
}

Plan Planner::plan_of(const std::vector<Beginning>& all, std::size_t last) const {
  std::vector<std::size_t> chain;
  for (std::size_t at = last; at != 0; at = all[at].parent)
    chain.push_back(at);
  Plan out(1);
  for (std::size_t i = chain.size(); i-- > 0;) {
    const Beginning& part = all[chain[i]];
    if (part.restarts)
      out.emplace_back();
    out.back().insert(out.back().end(), part.moves.begin(), part.moves.end());
  }
  return out;
}

Plan Planner::look_ahead(const LookAhead& how) {
  std::vector<Beginning> all(1);
  all[0].left = everything();
  for (const std::uint32_t item : by_length_)
    all[0].rest += price(item);
  std::map<std::size_t, std::vector<std::uint32_t>> waiting;  // by how much is covered
  waiting[all[0].covered].push_back(0);
  const auto rank = [&](std::uint32_t i) {
    const Beginning& b = all[i];
    const auto far = static_cast<std::int64_t>(b.steps) * parts() + b.rest;
    return how.goal == PlanGoal::kTests ? std::tuple(static_cast<std::int64_t>(b.tests), far, i)
                                        : std::tuple(far, static_cast<std::int64_t>(b.tests), i);
  };
  while (waiting.begin()->first < by_length_.size()) {
    std::vector<std::uint32_t> now = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    std::ranges::sort(now, {}, rank);
    std::vector<std::uint32_t> taken;
    for (const std::uint32_t i : now) {
      if (taken.size() == (is_spent() ? 1 : how.width))
        break;
      if (std::ranges::none_of(taken, [&](std::uint32_t other) {
            return all[other].at == all[i].at && all[other].left == all[i].left;
          }))
        taken.push_back(i);
    }
    for (const std::uint32_t i : taken)
      for (Found& found : choices_at(all[i], how)) {
        all.push_back(follow(all[i], i, std::move(found)));
        waiting[all.back().covered].push_back(static_cast<std::uint32_t>(all.size() - 1));
      }
    for (const std::uint32_t i : now)
      all[i].left = {};
  }
  return plan_of(all, *std::ranges::min_element(waiting.begin()->second, {}, rank));
}

}  // namespace tw
