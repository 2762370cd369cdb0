#include "engine/suite/test_runs.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/coverage/bit_sets.hpp"
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
        start_(runs.network(), rules),
        taken_(runs.transitions()) {
    start_.start(runs.initial(), interpreter_.initial_events());
  }

  std::vector<std::vector<ItemId>> run() {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(
        order, {}, [&](std::size_t i) -> const auto& { return runs_.test(i); });
    std::vector<std::vector<ItemId>> out(runs_.size());
    kept_.emplace_back(0, start_);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::vector<std::uint32_t>& test = runs_.test(order[i]);
      const std::size_t common =
          i + 1 == order.size() ? 0 : common_length(test, runs_.test(order[i + 1]));
      out[order[i]] = follow(test, common);
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

  // Begins at the last monitor that was kept, keeps one after `keep` transitions.
  [[nodiscard]] std::vector<ItemId> follow(const std::vector<std::uint32_t>& test,
                                           std::size_t keep) {
    std::size_t at = kept_.back().first;
    replay::Monitor monitor = kept_.back().second;
    while (kept_.size() > 1 && kept_.back().first > keep)
      kept_.pop_back();
    for (; at < test.size(); ++at) {
      if (at == keep && kept_.back().first != keep)
        kept_.emplace_back(keep, monitor);
      take(test[at], monitor);
    }
    if (at == keep && kept_.back().first != keep)
      kept_.emplace_back(keep, monitor);
    return monitor.covered();
  }

  void take(std::uint32_t number, replay::Monitor& monitor) {
    const TestRuns::Transition& t = runs_.transition(number);
    std::optional<Taken>& taken = taken_[number];
    if (!taken) {
      replay::StepResult result = interpreter_.delay(runs_.state(t.from), t.delay);
      assert(result.possible && "the tests run");
      taken = Taken{.waited = std::move(result.state), .events = {}};
      if (!t.step.is_wait())
        taken->events = interpreter_.step(taken->waited, t.step).events;
    }
    monitor.look(taken->waited);
    if (!t.step.is_wait())
      monitor.advance(runs_.state(t.to), taken->events);
  }

  const TestRuns& runs_;
  const replay::Interpreter interpreter_;
  replay::Monitor start_;
  std::vector<std::optional<Taken>> taken_;                    // by transition
  std::vector<std::pair<std::size_t, replay::Monitor>> kept_;  // by length of the beginning
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

std::vector<std::vector<ItemId>> coverage_of(const TestRuns& runs,
                                             CoverageRules& rules,
                                             OnError on_error) {
  return Follower(runs, rules, on_error).run();
}

}  // namespace tw
