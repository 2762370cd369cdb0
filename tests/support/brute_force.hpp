// What can be covered, by trying everything: breadth-first search over pairs of state and tokens
// with the replay interpreter and monitor. It shares nothing with the search and prunes nothing; it
// is the oracle of all that does.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/interpreter.hpp"

namespace tw::test {

/// Follows all runs up to a number of nodes. A follower has start() and advance() as a monitor has,
/// and key(): what it carries on. `met(follower, depth)` is told of every transition. True if
/// nothing was left out. Run-time errors of the model end a run and nothing else.
template <class Follower, class Met>
bool follow_all_runs(const replay::Interpreter& interpreter,
                     Follower follower,
                     std::size_t most_nodes,
                     Met met) {
  struct Node {
    replay::RunState state;
    Follower follower;
    std::size_t depth = 0;
  };
  if (interpreter.initial_problem())
    return true;
  const replay::RunState initial = interpreter.initial();
  follower.start(initial, interpreter.initial_events());
  met(follower, std::size_t{0});
  using Key = std::remove_cvref_t<decltype(follower.key())>;
  std::set<std::pair<replay::RunState, Key>> seen;
  seen.emplace(initial, follower.key());
  std::deque<Node> waiting;
  waiting.push_back({initial, std::move(follower), 0});
  for (; !waiting.empty(); waiting.pop_front()) {
    const Node& node = waiting.front();
    for (const Step& step : interpreter.steps(node.state).steps) {
      const replay::StepResult result = interpreter.step(node.state, step);
      Follower next = node.follower;
      next.advance(result.state, result.events);
      met(next, node.depth + 1);
      if (seen.size() >= most_nodes && !seen.contains({result.state, next.key()}))
        return false;
      if (seen.emplace(result.state, next.key()).second)
        waiting.push_back({result.state, std::move(next), node.depth + 1});
    }
  }
  return true;
}

struct BruteForce {
  bool complete = true;  // else the limit on nodes was hit
  /// By item: the length of a shortest run that covers it; none if there is none.
  std::vector<std::optional<std::size_t>> shortest;
};

/// Open item families of the rules get the members that were met. Pre: no clocks.
[[nodiscard]] BruteForce brute_force(const Network& network,
                                     CoverageRules& rules,
                                     std::size_t most_nodes = 100'000,
                                     OnError on_error = OnError::kStop);

}  // namespace tw::test
