#include "engine/explain/relief.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tw {
namespace {

using Obstacles = std::vector<Obstacle>;

// Obstacles in the order in which they are thought of, each once.
class Pool {
 public:
  void add(Obstacles obstacles) {
    for (Obstacle& obstacle : obstacles)
      if (known_.insert(obstacle).second)
        list_.push_back(std::move(obstacle));
  }

  [[nodiscard]] const Obstacles& list() const { return list_; }

 private:
  Obstacles list_;
  std::set<Obstacle> known_;
};

// Edges that have to fire, or whose guards have to let somebody by, for a goal: backwards from it,
// to where runs do get.
class Approach {
 public:
  Approach(const Network& network, const Reach& reach) : network_(network), reach_(reach) {
    seen_.resize(network.edges.size());
  }

  void lead_to(const ItemGoal& goal) {
    for (const EdgeId edge : goal.edges)
      add(edge);
    for (const LocationId location : goal.locations)
      add_ways_into(location);
    for (std::size_t i = 0; i < edges_.size(); ++i)
      look_behind(edges_[i]);
  }

  [[nodiscard]] const std::vector<EdgeId>& edges() const { return edges_; }

 private:
  void add(EdgeId edge) {
    if (!seen_[edge.index()])
      edges_.push_back(edge);
    seen_[edge.index()] = true;
  }

  void add_ways_into(LocationId location) {
    for (const EdgeId edge : edges_into(network_, location))
      add(edge);
  }

  void look_behind(EdgeId id) {
    const Edge& edge = network_.edges[id];
    const auto is_branchpoint = [&](LocationId place) {
      return network_.decl(place).kind == LocationKind::kBranchpoint;
    };
    if (!reach_.reached[edge.source.index()] || is_branchpoint(edge.source))
      add_ways_into(edge.source);
    if (is_branchpoint(edge.target))
      for (const EdgeId branch : edges_out_of(network_, edge.target))
        add(branch);
    if (!reach_.fired[id.index()])
      for (const EdgeId partner : partners_of(network_, id))
        add(partner);
  }

  const Network& network_;
  const Reach& reach_;
  std::vector<EdgeId> edges_;  // from the goal away
  std::vector<bool> seen_;
};

class ReliefSearch {
 public:
  ReliefSearch(const Network& network, Trials& trials) : network_(network), trials_(trials) {}

  std::optional<Relief> run(const ItemGoal& goal, const Reach& reach) {
    think_of(goal, reach);
    for (const std::size_t end : ends_) {
      const Obstacles& all = pool_.list();
      const Obstacles level(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end));
      if (const std::optional<Trial> trial = attempt(level))
        return reduce(level, *trial);
    }
    return std::nullopt;
  }

 private:
  // A search without some obstacles that covered the item.
  struct Trial {
    Trials::Success success;
    std::set<EdgeDeclId> fired;
    std::set<LocationDeclId> visited;
  };

  // From what stands next to the goal to all there is.
  void think_of(const ItemGoal& goal, const Reach& reach) {
    Approach approach(network_, reach);
    approach.lead_to(goal);
    // Where runs do get to, something stops them; what is behind may never matter.
    std::vector<EdgeId> edges = approach.edges();
    std::ranges::stable_partition(
        edges, [&](EdgeId id) { return reach.reached[network_.edges[id].source.index()]; });
    add_constraints(edges);
    end_level();
    for (const EdgeId edge : edges)
      pool_.add(synchronisations_at(network_, edge));
    end_level();
    pool_.add(orders_of(network_));
    for (const EdgeId edge : edges)
      pool_.add(updates_that_fail(edge));
    end_level();
    std::vector<EdgeId> all;
    for (std::size_t i = 0; i < network_.edges.size(); ++i)
      all.emplace_back(i);
    std::ranges::stable_partition(all, [&](EdgeId id) { return !reach.fired[id.index()]; });
    add_constraints(all);
    end_level();
    for (const EdgeId edge : all)
      pool_.add(synchronisations_at(network_, edge));
    end_level();
  }

  void end_level() {
    if (pool_.list().size() != (ends_.empty() ? 0 : ends_.back()))
      ends_.push_back(pool_.list().size());
  }

  void add_constraints(const std::vector<EdgeId>& edges) {
    for (const EdgeId edge : edges)
      pool_.add(guards_at(network_, edge));
    for (const EdgeId edge : edges) {
      pool_.add(invariants_at(network_, network_.edges[edge].target));
      pool_.add(invariants_at(network_, network_.edges[edge].source));
    }
  }

  // An update can stand in the way only by a run-time error.
  Obstacles updates_that_fail(EdgeId edge) const { return updates_at(network_, edge); }

  [[nodiscard]] std::optional<Trial> attempt(const Obstacles& obstacles) {
    std::optional<Trials::Success> success = trials_.attempt(without(network_, obstacles));
    if (!success)
      return std::nullopt;
    Trial out{.success = std::move(*success), .fired = {}, .visited = {}};
    for (const Process& process : network_.processes)
      out.visited.insert(network_.locations[process.initial].decl);
    for (const Step& step : out.success.trace)
      for (const FiredEdge& fired : step.edges) {
        const Edge& edge = network_.edges[fired.edge];
        out.fired.insert(edge.decl);
        out.visited.insert(network_.locations[edge.target].decl);
      }
    return out;
  }

  [[nodiscard]] static bool is_passed(const Obstacle& obstacle, const Trial& trial) {
    if (obstacle.edge.valid())
      return trial.fired.contains(obstacle.edge);
    return !obstacle.location.valid() || trial.visited.contains(obstacle.location);
  }

  // What the trace passes by; all of it, if less does not do.
  [[nodiscard]] std::pair<Obstacles, Trial> passed(const Obstacles& obstacles, const Trial& trial) {
    Obstacles out;
    std::ranges::copy_if(obstacles, std::back_inserter(out),
                         [&](const Obstacle& o) { return is_passed(o, trial); });
    if (out.size() == obstacles.size())
      return {obstacles, trial};
    std::optional<Trial> again = attempt(out);
    if (again)
      return {std::move(out), std::move(*again)};
    return {obstacles, trial};
  }

  [[nodiscard]] Relief reduce(const Obstacles& level, const Trial& trial) {
    auto [obstacles, best] = passed(level, trial);
    minimal_ = true;
    best_ = std::move(best);
    Obstacles set = explain({}, false, obstacles);
    if (set.size() > 1)
      for (const Obstacle& obstacle : obstacles)
        if (std::optional<Trial> alone = attempt({obstacle})) {
          set = {obstacle};
          best_ = std::move(*alone);
          break;
        }
    if (std::optional<Trial> last = attempt(set))
      best_ = std::move(*last);
    else if (trials_.is_spent())
      minimal_ = false;
    return {.obstacles = std::move(set),
            .steps = best_.success.steps,
            .trace = std::move(best_.success.trace),
            .minimal = minimal_};
  }

  // QuickXplain: the part of the candidates that has to go beside the given ones.
  // Pre: without the given ones and the candidates the item is covered.
  [[nodiscard]] Obstacles explain(const Obstacles& given,
                                  bool given_grew,
                                  const Obstacles& candidates) {
    if (given_grew && attempt(given))
      return {};
    if (given_grew && !trials_.was_complete())
      minimal_ = false;
    if (candidates.size() <= 1)
      return candidates;
    const auto middle =
        candidates.begin() + static_cast<std::ptrdiff_t>((candidates.size() + 1) / 2);
    const Obstacles first(candidates.begin(), middle);
    const Obstacles second(middle, candidates.end());
    const Obstacles of_second = explain(joined(given, first), !first.empty(), second);
    Obstacles of_first = explain(joined(given, of_second), !of_second.empty(), first);
    return joined(std::move(of_first), of_second);
  }

  [[nodiscard]] static Obstacles joined(Obstacles a, const Obstacles& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  const Network& network_;
  Trials& trials_;
  Pool pool_;
  std::vector<std::size_t> ends_;  // of levels in the pool
  bool minimal_ = false;
  Trial best_;
};

}  // namespace

std::optional<Relief> find_relief(const Network& network,
                                  const ItemGoal& goal,
                                  const Reach& reach,
                                  Trials& trials) {
  return ReliefSearch(network, trials).run(goal, reach);
}

}  // namespace tw
