// Mutants told apart the slow way: with the replay interpreter on both networks, step by step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/mutants/mutant.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/replay/interpreter.hpp"

namespace tw::test {

class NaivePair {
 public:
  NaivePair(const Network& network, const Mutant& mutant)
      : network_(network),
        changed_(mutate(network, mutant)),
        original_(network, InvariantUses::kNone, OnError::kSkip),
        mutant_(changed_, InvariantUses::kNone, OnError::kSkip) {}
  NaivePair(const NaivePair&) = delete;
  NaivePair& operator=(const NaivePair&) = delete;

  using Pair = std::pair<replay::RunState, replay::RunState>;

  /// None: the mutant has no initial state.
  [[nodiscard]] std::optional<Pair> start() const {
    if (mutant_.initial_problem())
      return std::nullopt;
    return Pair{original_.initial(), mutant_.initial()};
  }

  [[nodiscard]] bool has_start() const { return !original_.initial_problem(); }

  /// What one step of the original, after a delay that it allows, leads to; none: it is noticed.
  [[nodiscard]] std::optional<Pair> follow(const Pair& at,
                                           const Rational& delay,
                                           const Step& step) const {
    replay::StepResult a = original_.delay(at.first, delay);
    REQUIRE(a.possible);
    replay::StepResult b = mutant_.delay(at.second, delay);
    if (!b.possible)
      return std::nullopt;
    if (step.is_wait())
      return Pair{std::move(a.state), std::move(b.state)};
    const ChannelId left = channel(network_, a.state, step);
    const ChannelId right = channel(changed_, b.state, step);
    a = original_.step(a.state, step);
    REQUIRE(a.possible);
    b = mutant_.step(b.state, step);
    const auto cells = static_cast<std::ptrdiff_t>(network_.memory.state);
    if (!b.possible || left != right ||
        !std::equal(a.state.cells.begin(), a.state.cells.begin() + cells, b.state.cells.begin()))
      return std::nullopt;
    return Pair{std::move(a.state), std::move(b.state)};
  }

  [[nodiscard]] bool is_killed_by(std::span<const Step> steps,
                                  std::span<const Rational> delays) const {
    std::optional<Pair> at = start();
    for (std::size_t i = 0; at && i < steps.size(); ++i)
      at = follow(*at, delays.empty() ? Rational(0) : delays[i], steps[i]);
    return !at;
  }

  /// Breadth-first over pairs, without clocks; none if there are more than this.
  [[nodiscard]] std::optional<bool> is_killable(std::size_t most) const {
    if (!has_start())
      return false;
    const std::optional<Pair> first = start();
    if (!first)
      return true;
    std::set<Pair> seen = {*first};
    std::deque<Pair> waiting = {*first};
    for (; !waiting.empty(); waiting.pop_front()) {
      const Pair at = waiting.front();
      for (const Step& step : original_.steps(at.first).steps) {
        std::optional<Pair> next = follow(at, 0, step);
        if (!next)
          return true;
        if (seen.size() >= most)
          return std::nullopt;
        if (seen.insert(*next).second)
          waiting.push_back(std::move(*next));
      }
    }
    return false;
  }

  /// Every run of at most so many steps, one by one; delays are multiples of 1/2, at most `most`.
  [[nodiscard]] bool some_run_notices(std::size_t depth,
                                      int most_delay,
                                      std::size_t& budget) const {
    const std::optional<Pair> first = start();
    return has_start() && (!first || notices(*first, depth, most_delay, budget));
  }

 private:
  [[nodiscard]] bool notices(const Pair& at,
                             std::size_t depth,
                             int most_delay,
                             std::size_t& budget) const {
    for (int halves = 0; halves <= 2 * most_delay; ++halves) {
      const Rational delay(halves, 2);
      const replay::StepResult waited = original_.delay(at.first, delay);
      if (!waited.possible)
        break;
      if (!follow(at, delay, Step{}))
        return true;
      if (depth == 0)
        continue;
      for (const Step& step : original_.steps(waited.state).steps) {
        if (budget == 0)
          return false;
        --budget;
        const std::optional<Pair> next = follow(at, delay, step);
        if (!next || notices(*next, depth - 1, most_delay, budget))
          return true;
      }
    }
    return false;
  }

  static ChannelId channel(const Network& network,
                           const replay::RunState& state,
                           const Step& step) {
    const FiredEdge& first = step.edges.front();
    const ExprId channel = network.edges[first.edge].labels.channel;
    if (!channel.valid())
      return {};
    replay::Evaluator evaluator(network, state);
    evaluator.set_selects(first);
    return evaluator.channel(channel);
  }

  const Network& network_;
  const Network changed_;
  const replay::Interpreter original_;
  const replay::Interpreter mutant_;
};

}  // namespace tw::test
