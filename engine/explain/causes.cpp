#include "engine/explain/causes.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/explain/item_goal.hpp"
#include "engine/explain/relief.hpp"
#include "engine/search/search.hpp"

namespace tw {
namespace {

// A bound that would have to move further is not looked for.
constexpr std::int64_t kMostShift = std::int64_t{1} << 22;
// Searches for one bound: up to the greatest shift and back.
constexpr std::uint64_t kSearchesPerBound = 50;

bool is_upper(ExprKind op) { return op == ExprKind::kLess || op == ExprKind::kLessEqual; }

// Of one comparison, while the other obstacles are gone.
class BoundFinder {
 public:
  BoundFinder(const Network& network,
              std::vector<Obstacle> others,
              const Obstacle& obstacle,
              Trials& trials)
      : network_(network),
        others_(std::move(others)),
        obstacle_(obstacle),
        trials_(trials) {}

  std::vector<MetBound> run() {
    const ExprId id = expression_of(network_, obstacle_);
    const Expression& e = network_.pool[id];
    if (!is_comparison(e.kind))
      return {};
    left_ = network_.pool.operand(id, 0);
    right_ = network_.pool.operand(id, 1);
    is_timed_ = e.timed;
    if (e.kind == ExprKind::kNotEqual)
      return {met(ExprKind::kEqual, 0)};
    const TypeKind type = network_.types[network_.pool[left_].type].kind;
    if (!is_timed_ && type != TypeKind::kInt)
      return e.kind == ExprKind::kEqual ? std::vector{met(ExprKind::kNotEqual, 0)}
                                        : std::vector<MetBound>();
    trials_.allow(kSearchesPerBound);
    if (e.kind != ExprKind::kEqual) {
      beyond(is_upper(e.kind), e.kind == ExprKind::kLess || e.kind == ExprKind::kGreater);
      return std::move(out_);
    }
    // Whoever cannot be equal is less or greater.
    if (is_possible(ExprKind::kLessEqual, 0))
      beyond(false, false);
    if (is_possible(ExprKind::kGreaterEqual, 0))
      beyond(true, false);
    return std::move(out_);
  }

 private:
  // The least shift with which the item is covered says what is met.
  void beyond(bool upper, bool strict) {
    const ExprKind weak = upper ? ExprKind::kLessEqual : ExprKind::kGreaterEqual;
    const ExprKind hard = upper ? ExprKind::kLess : ExprKind::kGreater;
    const std::int64_t sign = upper ? 1 : -1;
    std::int64_t bad = strict ? -1 : 0;
    std::int64_t good = bad + 1;
    while (!is_possible(weak, sign * good)) {
      if (trials_.is_spent() || good > kMostShift)
        return;
      bad = good;
      good = 2 * good + 1;
    }
    while (good - bad > 1) {
      const std::int64_t middle = bad + (good - bad) / 2;
      (is_possible(weak, sign * middle) ? good : bad) = middle;
    }
    const bool is_open = is_timed_ && is_possible(hard, sign * good);
    if (trials_.is_spent())
      return;
    if (is_open)
      out_.push_back(met(upper ? ExprKind::kGreater : ExprKind::kLess, sign * (good - 1)));
    else
      out_.push_back(met(upper ? ExprKind::kGreaterEqual : ExprKind::kLessEqual, sign * good));
  }

  bool is_possible(ExprKind op, std::int64_t shift) {
    const std::optional<Network> copy =
        eased(network_, others_, obstacle_, {.op = op, .shift = shift});
    return copy && trials_.attempt(*copy).has_value();
  }

  [[nodiscard]] MetBound met(ExprKind op, std::int64_t shift) const {
    return {.left = left_, .op = op, .right = right_, .shift = shift};
  }

  const Network& network_;
  const std::vector<Obstacle> others_;
  const Obstacle& obstacle_;
  Trials& trials_;
  ExprId left_;
  ExprId right_;
  bool is_timed_ = false;
  std::vector<MetBound> out_;
};

class CauseFinder {
 public:
  CauseFinder(const Network& network,
              const CoverageRules& rules,
              ItemId item,
              const TrialOptions& options)
      : network_(network),
        goal_(goal_of(events_of_item(network, rules, item))),
        trials_(rules, item, options),
        reach_options_(options.search) {
    reach_options_.max_states = options.most_states;
  }

  // What was found before the end.
  Causes run() {
    try {
      look();
    } catch (const BudgetSpent&) {
      out_.cut_short = true;
    } catch (const std::bad_alloc&) {
      out_.cut_short = true;
    }
    out_.cut_short = out_.cut_short || trials_.is_stopped();
    return std::move(out_);
  }

 private:
  void look() {
    const Reach reach = explore_reach(network_, reach_options_);
    std::optional<Relief> relief = find_relief(network_, goal_, reach, trials_);
    if (!relief) {
      out_.without_way_in = dead_ends(reach);
      out_.without_edges = goal_.edges.empty() && goal_.locations.empty();
      return;
    }
    trace_ = std::move(relief->trace);
    out_.steps = relief->steps;
    out_.minimal = relief->minimal;
    // Those nearest to the item come first.
    std::ranges::reverse(relief->obstacles);
    for (const Obstacle& obstacle : relief->obstacles)
      out_.causes.push_back(place(obstacle));
    find_blocked(reach);
    for (Cause& cause : out_.causes)
      look_closer(cause, relief->obstacles);
  }

  Cause place(const Obstacle& obstacle) const {
    Cause out{.obstacle = obstacle};
    std::set<ProcessId> processes;
    for (const Step& step : trace_)
      for (const FiredEdge& fired : step.edges) {
        const Edge& edge = network_.edges[fired.edge];
        if (obstacle.edge.valid() && edge.decl == obstacle.edge) {
          out.edge = fired.edge;
          processes.insert(edge.process);
        }
        for (const LocationId at : {edge.source, edge.target})
          if (obstacle.location.valid() && network_.locations[at].decl == obstacle.location) {
            out.location = at;
            processes.insert(edge.process);
          }
      }
    out.of_template = processes.size() > 1;
    if (!processes.empty())
      return out;
    // The test passes it by, or only stays there.
    for (std::size_t i = 0; i < network_.edges.size() && obstacle.edge.valid(); ++i)
      if (network_.edges[EdgeId(i)].decl == obstacle.edge) {
        out.of_template = out.of_template || out.edge.valid();
        out.edge = EdgeId(i);
      }
    for (std::size_t i = 0; i < network_.locations.size() && obstacle.location.valid(); ++i)
      if (network_.locations[LocationId(i)].decl == obstacle.location) {
        out.of_template = out.of_template || out.location.valid();
        out.location = LocationId(i);
      }
    return out;
  }

  void find_blocked(const Reach& reach) {
    std::set<EdgeId> known;
    for (std::size_t i = trace_.size(); i-- > 0;)
      for (const FiredEdge& fired : trace_[i].edges)
        if (!reach.fired[fired.edge.index()] && known.insert(fired.edge).second)
          out_.behind.push_back(
              {.edge = fired.edge,
               .source_is_reached = reach.reached[network_.edges[fired.edge].source.index()]});
  }

  void look_closer(Cause& cause, const std::vector<Obstacle>& all) {
    std::vector<Obstacle> others = all;
    std::erase(others, cause.obstacle);
    switch (cause.obstacle.kind) {
      case ObstacleKind::kGuard:
      case ObstacleKind::kInvariant:
        if (!trials_.is_stopped())
          cause.met = BoundFinder(network_, std::move(others), cause.obstacle, trials_).run();
        return;
      case ObstacleKind::kSynchronisation:
        if (cause.edge.valid())
          cause.partners = partners_of(network_, cause.edge);
        return;
      case ObstacleKind::kUpdate:
        cause.error = error_of(without(network_, others), cause.obstacle);
        return;
      case ObstacleKind::kCommitted:
      case ObstacleKind::kUrgentLocation:
      case ObstacleKind::kUrgentChannel:
      case ObstacleKind::kChannelPriorities:
      case ObstacleKind::kProcessPriorities:
        return;
    }
  }

  // With the others gone a search that stops at errors comes upon this one; unless it meets another
  // one before, of which nothing is said.
  [[nodiscard]] std::optional<ModelError> error_of(const Network& network,
                                                   const Obstacle& obstacle) const {
    if (trials_.is_stopped())
      return std::nullopt;
    CoverageRules rules = firing_rules(network);
    SearchOptions options = reach_options_;
    options.on_error = OnError::kStop;
    options.full = true;
    const System system(network, instrumentation_for(rules), options.execution);
    Effects effects(network, rules);
    Search search(system, effects, Ledger(rules), std::move(options));
    if (search.run() != StopReason::kModelError)
      return std::nullopt;
    const ModelError& error = search.error();
    if (!error.edge.valid() || network.edges[error.edge].decl != obstacle.edge)
      return std::nullopt;
    return error;
  }

  // Locations on the way to the goal that no edge leads to.
  [[nodiscard]] std::vector<LocationId> dead_ends(const Reach& reach) const {
    std::vector<LocationId> todo = goal_.locations;
    for (const EdgeId edge : goal_.edges)
      todo.push_back(network_.edges[edge].source);
    std::set<LocationId> known(todo.begin(), todo.end());
    std::vector<LocationId> out;
    for (std::size_t i = 0; i < todo.size(); ++i) {
      if (reach.reached[todo[i].index()])
        continue;
      const std::vector<EdgeId> into = edges_into(network_, todo[i]);
      if (into.empty())
        out.push_back(todo[i]);
      for (const EdgeId edge : into)
        if (known.insert(network_.edges[edge].source).second)
          todo.push_back(network_.edges[edge].source);
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  const Network& network_;
  const ItemGoal goal_;
  Trials trials_;
  SearchOptions reach_options_;
  std::vector<Step> trace_;
  Causes out_;
};

}  // namespace

Causes find_causes(const Network& network,
                   const CoverageRules& rules,
                   ItemId item,
                   const TrialOptions& options) {
  return CauseFinder(network, rules, item, options).run();
}

}  // namespace tw
