#include "engine/suite/test_states.hpp"

#include "engine/base/budget.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/replay/interpreter.hpp"

namespace tw {

TestStates::TestStates(const Network& network) : network_(network) { restart(); }

void TestStates::restart() {
  run_ = replay::Interpreter(network_).initial();
  channel_ = ChannelId();
  show();
}

void TestStates::take(const Test& test, std::size_t i) {
  check_budget();
  channel_ = channel_of(network_, run_.cells, test.steps[i]);
  run_ =
      replay::state_after(network_, std::move(run_),
                          test.delays.empty() ? Rational(0) : test.delays[i].chosen, test.steps[i]);
  show();
}

void TestStates::show() {
  snapshot_.locations = run_.locations;
  snapshot_.cells.assign(run_.cells.begin(), run_.cells.begin() + network_.memory.state);
  snapshot_.clocks = run_.clocks;
}

ChannelId channel_of(const Network& network,
                     std::span<const std::int32_t> cells,
                     const Step& step) {
  if (step.is_wait())
    return {};
  // The edge that names the channel comes first: the sender's, before the way out of a branchpoint.
  const FiredEdge& first = step.edges.front();
  const ExprId channel = network.edges[first.edge].labels.channel;
  if (!channel.valid())
    return {};
  // No channel depends on clocks.
  replay::RunState state{.cells = {cells.begin(), cells.end()}};
  state.clocks.resize(network.clocks.size());
  replay::Evaluator evaluator(network, state);
  evaluator.set_selects(first);
  return evaluator.channel(channel);
}

}  // namespace tw
