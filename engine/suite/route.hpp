// Planning a suite on the graph of runs: walks from the start that cover all that is wanted, in few
// steps. Three ways to do so:
//
// - `look_ahead` goes from item to item, the nearest first; of several beginnings of a suite the
//   most promising go on side by side. It always ends with a suite.
// - `improve` takes a suite and looks for shorter ways through a part of it at a time.
// - `find_shortest` is exact: A* over nodes and what is covered, led by the prices of the bound.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/suite/run_graph.hpp"
#include "engine/suite/step_bound.hpp"

namespace tw {

/// Moves of the tests of a suite, each from the start.
using Route = std::vector<RunGraph::Move>;
using Plan = std::vector<Route>;

enum class PlanGoal : std::uint8_t {
  kSteps,  // fewest steps, then fewest tests
  kTests,  // the other way round
};

/// What a plan costs, by its goal.
struct PlanCost {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend auto operator<=>(const PlanCost&, const PlanCost&) = default;
};

class Planner {
 public:
  /// The graph is borrowed. Each of the routes is a shortest way to some item; all together cover
  /// all that is wanted.
  Planner(RunGraph& graph, std::vector<Route> routes, std::uint64_t max_work);

  /// Whether they do.
  [[nodiscard]] bool reaches_all() const { return by_length_.size() >= needed_; }

  /// From now on items have prices.
  void set_bound(const StepBound& bound) { bound_ = bound; }

  struct LookAhead {
    std::size_t width = 1;       // so many beginnings of suites go on …
    std::size_t choices = 1;     // … each to so many of the nearest items
    bool hardest_first = false;  // a test begins with the item that is farthest away
    bool eager_restart = true;   // … as soon as an item is nearer to the start than to here
    PlanGoal goal = PlanGoal::kSteps;
  };
  [[nodiscard]] Plan look_ahead(const LookAhead& how);

  /// No longer than it was.
  [[nodiscard]] Plan improve(Plan plan);

  struct Exact {
    bool decided = false;      // the plan is the best there is; none: nothing is cheaper
    std::optional<Plan> plan;  // fewest steps, then fewest tests
    std::uint64_t least = 0;   // no plan has fewer steps
  };
  /// Cheaper than this. Pre: the graph is complete, and there is a bound.
  [[nodiscard]] Exact find_shortest(PlanCost than, std::uint64_t max_labels);

  [[nodiscard]] PlanCost cost(const Plan& plan, PlanGoal goal) const;
  [[nodiscard]] bool is_spent() const { return work_ >= max_work_; }
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  using Items = std::vector<std::uint64_t>;  // a set
  struct Way {
    std::size_t route = 0;
    std::uint32_t moves = 0;
    std::uint32_t length = 0;
  };
  // A move that covers something that is left, and the way to it.
  struct Found {
    Route moves;
    std::uint32_t length = 0;
    bool restarts = false;
  };
  // The beginning of a suite.
  struct Beginning {
    RunGraph::Node at = RunGraph::kStart;
    std::uint64_t steps = 0;
    std::uint64_t tests = 1;
    std::int64_t rest = 0;  // prices of what is left
    std::size_t covered = 0;
    Items left;
    std::uint32_t parent = 0;
    Route moves;  // since the parent
    bool restarts = false;
  };
  struct Label;
  class Improvement;

  [[nodiscard]] std::int64_t price(std::uint32_t item) const {
    return bound_ ? bound_->shares[item] : 0;
  }
  [[nodiscard]] std::int64_t parts() const { return bound_ ? bound_->share_parts : 1; }
  void cover(RunGraph::Gain gain, Beginning& at);
  [[nodiscard]] std::size_t news(RunGraph::Gain gain, const Items& left);
  [[nodiscard]] Items everything() const;
  void find_near(RunGraph::Node from,
                 const Items& left,
                 std::uint32_t most,
                 std::size_t choices,
                 std::vector<Found>& out);
  bool visit(RunGraph::Node node, RunGraph::Move by);
  [[nodiscard]] bool brings_tokens(RunGraph::Node from, RunGraph::Node to) const;
  [[nodiscard]] Route way_to(RunGraph::Node from, RunGraph::Move last) const;
  [[nodiscard]] std::vector<Found> find_restarts(const Items& left,
                                                 std::size_t nearest,
                                                 bool farthest) const;
  [[nodiscard]] std::vector<Found> choices_at(const Beginning& at, const LookAhead& how);
  [[nodiscard]] Beginning follow(const Beginning& from, std::uint32_t parent, Found found);
  [[nodiscard]] Plan plan_of(const std::vector<Beginning>& all, std::size_t last) const;

  RunGraph& graph_;
  std::vector<Route> routes_;
  std::uint64_t max_work_;
  std::uint64_t work_ = 0;
  std::vector<std::optional<Way>> ways_;  // by item
  std::vector<std::uint32_t> by_length_;  // items, those with the shortest ways first
  std::size_t needed_ = 0;                // items that the initial state does not cover
  std::optional<StepBound> bound_;
  // Of find_near: by node, good if the mark is that of the last search.
  std::vector<std::uint32_t> mark_;
  std::vector<RunGraph::Move> came_by_;
  std::uint32_t search_ = 0;
  // Tokens that can still cover something, and the nodes by place that were met.
  std::vector<std::uint64_t> live_;
  std::unordered_map<std::uint32_t, std::vector<RunGraph::Node>> were_there_;
  std::vector<std::uint64_t> fresh_;  // scratch
};

}  // namespace tw
