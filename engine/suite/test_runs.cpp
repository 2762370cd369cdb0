#include "engine/suite/test_runs.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/replay/monitor.hpp"

namespace tw {
namespace {

// Follows all tests in the order of their transitions, so that those that begin alike are
// neighbours; where the next one leaves, the monitor is kept.
class Follower {
 public:
  Follower(const TestRuns& runs, CoverageRules& rules, OnError on_error)
      : runs_(runs),
        interpreter_(replay::interpreter_for(runs.network(), rules, on_error)),
        taken_(runs.transitions()) {
    kept_.push_back({.monitor = replay::Monitor(runs.network(), rules), .covered = {}});
    kept_.back().monitor.start(runs.initial(), interpreter_.initial_events());
    note(kept_.back());
  }

  TestCoverage run() {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(
        order, {}, [&](std::size_t i) -> const auto& { return runs_.test(i); });
    TestCoverage out{.tests = std::vector<std::vector<CoveredAt>>(runs_.size()),
                     .known = std::vector<bool>(runs_.size())};
    try {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::vector<std::uint32_t>& test = runs_.test(order[i]);
        const std::size_t common =
            i + 1 == order.size() ? 0 : common_length(test, runs_.test(order[i + 1]));
        out.tests[order[i]] = follow(test, common);
        out.known[order[i]] = true;
      }
    } catch (const BudgetSpent&) {
      // What was followed is known.
    }
    return out;
  }

 private:
  struct Taken {
    replay::RunState waited;  // when the step is taken
    std::vector<Event> events;
  };

  [[nodiscard]] static std::size_t common_length(const std::vector<std::uint32_t>& a,
                                                 const std::vector<std::uint32_t>& b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                    a.begin());
  }

  // A test up to some transition.
  struct Point {
    std::size_t at = 0;        // transitions taken
    std::uint32_t length = 0;  // those that are no waits
    replay::Monitor monitor;
    std::vector<CoveredAt> covered;
  };

  // Begins at the last point that was kept, keeps the one after `keep` transitions.
  [[nodiscard]] std::vector<CoveredAt> follow(const std::vector<std::uint32_t>& test,
                                              std::size_t keep) {
    Point point = kept_.back();
    while (kept_.size() > 1 && kept_.back().at > keep)
      kept_.pop_back();
    for (;;) {
      if (point.at == keep && kept_.back().at != keep)
        kept_.push_back(point);
      if (point.at == test.size())
        return std::move(point.covered);
      check_budget();
      take(test[point.at], point);
    }
  }

  void take(std::uint32_t number, Point& point) {
    const TestRuns::Transition& t = runs_.transition(number);
    std::optional<Taken>& taken = taken_[number];
    if (!taken) {
      replay::StepResult result = interpreter_.delay(runs_.state(t.from), t.delay);
      assert(result.possible && "the tests run");
      taken = Taken{.waited = std::move(result.state), .events = {}};
      if (!t.step.is_wait())
        taken->events = interpreter_.step(taken->waited, t.step).events;
    }
    // What shows while time passes does so before the next step.
    point.monitor.look(runs_.state(t.from), taken->waited);
    note(point);
    ++point.at;
    if (t.step.is_wait())
      return;
    ++point.length;
    point.monitor.advance(runs_.state(t.to), taken->events);
    note(point);
  }

  static void note(Point& point) {
    const std::vector<ItemId>& items = point.monitor.in_order();
    for (std::size_t i = point.covered.size(); i < items.size(); ++i)
      point.covered.push_back({.item = items[i], .length = point.length});
  }

  const TestRuns& runs_;
  const replay::Interpreter interpreter_;
  std::vector<std::optional<Taken>> taken_;  // by transition
  std::vector<Point> kept_;                  // by length of the beginning; the first: no step
};

}  // namespace

TestRuns::TestRuns(const Network& network)
    : network_(&network),
      initial_(replay::Interpreter(network).initial()) {
  (void)add_state(initial_);
}

std::uint32_t TestRuns::add_state(replay::RunState state) {
  const auto [place, is_new] =
      state_numbers_.try_emplace(std::move(state), static_cast<std::uint32_t>(states_.size()));
  if (is_new)
    states_.push_back(&place->first);
  return place->second;
}

std::size_t TestRuns::add(const Test& test) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t from = 0;
  for (std::size_t i = 0; i < test.steps.size(); ++i) {
    const Rational delay = test.delays.empty() ? Rational(0) : test.delays[i].chosen;
    Key key{.from = from, .delay = delay, .edges = {}};
    for (const FiredEdge& fired : test.steps[i].edges) {
      key.edges.push_back(-1 - static_cast<std::int64_t>(fired.edge.index()));
      key.edges.push_back(static_cast<std::int64_t>(fired.selects.size()));
      key.edges.insert(key.edges.end(), fired.selects.begin(), fired.selects.end());
    }
    const auto known = transition_numbers_.find(key);
    if (known != transition_numbers_.end()) {
      numbers.push_back(known->second.first);
      from = known->second.second.to;
      continue;
    }
    check_budget();
    const std::uint32_t to =
        add_state(replay::state_after(*network_, *states_[from], delay, test.steps[i]));
    const auto number = static_cast<std::uint32_t>(transitions_.size());
    const auto place = transition_numbers_.emplace(
        std::move(key),
        std::pair(number,
                  Transition{.from = from, .to = to, .delay = delay, .step = test.steps[i]}));
    transitions_.push_back(&place.first->second.second);
    numbers.push_back(number);
    from = to;
  }
  const auto [place, is_new] = test_numbers_.try_emplace(std::move(numbers), tests_.size());
  if (is_new)
    tests_.push_back(&place->first);
  return place->second;
}

TestCoverage coverage_of(const TestRuns& runs, CoverageRules& rules, OnError on_error) {
  return Follower(runs, rules, on_error).run();
}

}  // namespace tw
