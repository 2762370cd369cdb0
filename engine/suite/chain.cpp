#include "engine/suite/chain.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <tuple>

#include "engine/base/budget.hpp"
#include "engine/suite/reduce.hpp"
#include "engine/suite/route.hpp"
#include "engine/suite/run_graph.hpp"
#include "engine/suite/step_bound.hpp"

namespace tw {
namespace {

// What planning may look at, in arcs per expansion that chaining may spend.
constexpr std::uint64_t kLooksPerExpansion = 100;

// Plans with many beginnings take at most this part of it before the next one begins.
constexpr std::uint64_t kWideShare = 8;
constexpr std::size_t kMostImproved = 2;
constexpr std::size_t kWidthForTests = 16;

class Chainer {
 public:
  Chainer(const System& planning,
          const System& system,
          Effects& effects,
          const Ledger& others,
          const std::vector<Walk>& traces,
          const ChainOptions& options)
      : traces_(traces),
        options_(options),
        walker_(system, effects),
        graph_(planning,
               effects,
               others,
               wanted_of(others, traces),
               {.on_error = options.on_error,
                .max_expansions = options.budget,
                .max_bytes = options.max_bytes}) {
    walker_.ignore(others);
    lower_bound_ = options.lower_bound;
    candidates_.push_back({.goal = options.optimise});
    for (const Optimise goal : {Optimise::kSteps, Optimise::kTests, Optimise::kTime})
      if (options.all_goals && goal != options.optimise)
        candidates_.push_back({.goal = goal});
    offer_trimmed(copies_of(traces, irredundant(traces)));
    offer_trimmed(copies_of(traces, greedy_cover(traces)));
  }

  void run();
  [[nodiscard]] Chained take_best();

 private:
  using Cost = std::tuple<Rational, std::uint64_t, std::uint64_t>;

  // The best suite so far by a goal.
  struct Candidate {
    Optimise goal = Optimise::kSteps;
    std::optional<Cost> cost;  // none: there is none yet
    std::vector<Walk> walks;
  };

  static std::vector<ItemId> wanted_of(const Ledger& others, const std::vector<Walk>& traces) {
    std::vector<ItemId> out;
    std::vector<std::uint64_t> known;
    for (const Walk& trace : traces)
      for (const Walk::Gain& gain : trace.gains)
        if (!others.is_covered(gain.item) && !contains(known, gain.item.index())) {
          set_bit(known, gain.item.index());
          out.push_back(gain.item);
        }
    return out;
  }

  void add_route(const Walk& trace);
  [[nodiscard]] bool covers_all(const Plan& plan) const;
  [[nodiscard]] Cost cost(const std::vector<Walk>& walks, Optimise goal);
  [[nodiscard]] Rational duration(const std::vector<Walk>& walks);
  void offer(std::vector<Walk> walks);
  void offer_trimmed(std::vector<Walk> walks) {
    trim(walks);
    offer(std::move(walks));
  }
  void offer(const Plan& plan);
  void plan_all(Planner& planner);

  const std::vector<Walk>& traces_;
  const ChainOptions& options_;
  Walker walker_;
  RunGraph graph_;
  std::vector<Route> routes_;
  std::uint64_t lower_bound_ = 0;
  std::vector<Candidate> candidates_;  // that for the goal of the run first
  std::optional<PlanCost> fewest_;     // steps of all that was offered, then tests
};

// The trace on the graph, as far as there is room for it.
void Chainer::add_route(const Walk& trace) {
  Route route;
  RunGraph::Node at = RunGraph::kStart;
  for (const Step& step : trace.steps) {
    const std::optional<RunGraph::Move> move = graph_.find(at, step);
    if (!move)
      return;
    route.push_back(*move);
    at = graph_.arc(*move).to;
  }
  routes_.push_back(std::move(route));
}

Rational Chainer::duration(const std::vector<Walk>& walks) {
  Rational sum = 0;
  for (const Walk& walk : walks) {
    Timetable timetable = walker_.timetable(walk.steps);
    if (!timetable.choose(options_.delays))
      continue;
    for (const Delay& delay : timetable.delays())
      sum += delay.chosen;
  }
  return sum;
}

Chainer::Cost Chainer::cost(const std::vector<Walk>& walks, Optimise goal) {
  const std::uint64_t steps = total_steps(walks);
  switch (goal) {
    case Optimise::kTests:
      return {0, walks.size(), steps};
    case Optimise::kTime:
      return {duration(walks), steps, walks.size()};
    case Optimise::kSteps:
      break;
  }
  return {0, steps, walks.size()};
}

void Chainer::offer(std::vector<Walk> walks) {
  const PlanCost steps{.first = total_steps(walks), .second = walks.size()};
  fewest_ = fewest_ ? std::min(*fewest_, steps) : steps;
  for (Candidate& candidate : candidates_) {
    Cost found = cost(walks, candidate.goal);
    if (candidate.cost && found >= *candidate.cost)
      continue;
    candidate.cost = std::move(found);
    candidate.walks = walks;
  }
}

Chained Chainer::take_best() {
  Chained out{.walks = std::move(candidates_.front().walks), .lower_bound = lower_bound_};
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    out.others.push_back(std::move(candidates_[i].walks));
  return out;
}

void Chainer::offer(const Plan& plan) {
  std::vector<Walk> walks;
  for (const Route& route : plan) {
    std::vector<Step> steps;
    for (const RunGraph::Move move : route)
      steps.push_back(graph_.step(move));
    walks.push_back(walker_.walk(steps));
  }
  offer_trimmed(std::move(walks));
}

// Quick plans first, then ever more beginnings side by side as long as that is not too much work;
// what is left is for improving the best of them. Whatever is to be kept low, the plans are the
// same: so the one that is taken is never worse by its own measure than another goal's. Returns
// what the shortest one costs.
void Chainer::plan_all(Planner& planner) {
  std::vector<Plan> plans;
  const auto consider = [&](const Planner::LookAhead& how) {
    plans.push_back(planner.look_ahead(how));
    offer(plans.back());
  };
  for (const bool hardest_first : {true, false})
    for (const bool eager_restart : {true, false})
      consider({.hardest_first = hardest_first, .eager_restart = eager_restart});
  for (const bool hardest_first : {true, false})
    consider({.hardest_first = hardest_first, .goal = PlanGoal::kTests});
  for (const std::size_t width : {4U, 16U, 64U, 256U})
    for (const PlanGoal goal : {PlanGoal::kSteps, PlanGoal::kTests}) {
      const bool is_quick = goal == PlanGoal::kSteps || width == kWidthForTests;
      if (is_quick && graph_.has_room() &&
          planner.work() < options_.budget * kLooksPerExpansion / kWideShare)
        consider({.width = width, .choices = width < 64 ? 4U : 8U, .goal = goal});
    }
  const auto in_steps = [&](const Plan& plan) { return planner.cost(plan, PlanGoal::kSteps); };
  const auto in_tests = [&](const Plan& plan) { return planner.cost(plan, PlanGoal::kTests); };
  const Plan fewest_tests = *std::ranges::min_element(plans, {}, in_tests);
  std::ranges::stable_sort(plans, {}, in_steps);
  plans.resize(std::min(plans.size(), kMostImproved));
  if (std::ranges::find(plans, fewest_tests) == plans.end())
    plans.push_back(fewest_tests);
  for (Plan& plan : plans) {
    plan = planner.improve(std::move(plan));
    offer(plan);
  }
}

void Chainer::run() {
  for (const Walk& trace : traces_)
    add_route(trace);
  const bool complete = graph_.complete();
  Planner planner(graph_, routes_, options_.budget * kLooksPerExpansion);
  if (complete) {
    const StepBound bound = step_bound(graph_, options_.budget * kLooksPerExpansion);
    planner.set_bound(bound);
    lower_bound_ = std::max(lower_bound_, bound.steps);
  }
  if (!planner.reaches_all())
    return;
  plan_all(planner);
  if (!complete || options_.exact_budget == 0 || fewest_->first <= lower_bound_)
    return;
  const Planner::Exact exact = planner.find_shortest(*fewest_, options_.exact_budget);
  lower_bound_ = std::max(lower_bound_, exact.least);
  if (exact.plan)
    offer(*exact.plan);
}

}  // namespace

Chained chain(const System& system,
              Effects& effects,
              const Ledger& others,
              const std::vector<Walk>& traces,
              const ChainOptions& options) {
  Chainer chainer(options.planning == nullptr ? system : *options.planning, system, effects, others,
                  traces, options);
  // Whatever ends this early, the best so far is as good as it is.
  try {
    chainer.run();
  } catch (const BudgetSpent&) {
  } catch (const std::bad_alloc&) {
    if (Budget* const budget = BudgetScope::here())
      budget->note_memory();
  }
  return chainer.take_best();
}

}  // namespace tw
