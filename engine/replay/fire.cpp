#include "engine/replay/fire.hpp"

#include <cassert>
#include <utility>

#include "engine/replay/evaluator.hpp"
#include "engine/replay/recorder.hpp"

namespace tw::replay {
namespace {

void record_predicates(const Network& network,
                       const Step& step,
                       Evaluator& evaluator,
                       Recorder& recorder) {
  for (const FiredEdge& fired : step.edges) {
    const EdgeLabels& labels = network.edges[fired.edge].labels;
    recorder.begin(fired.edge, UseKind::kPredicate);
    evaluator.set_selects(fired);
    evaluator.holds(labels.guard);
    if (labels.channel.valid())
      evaluator.channel(labels.channel);
  }
}

void update(const Network& network, const Step& step, Evaluator& evaluator, Recorder& recorder) {
  recorder.begin(EdgeId(), UseKind::kComputation);
  evaluator.execute(network.before_update);
  for (const FiredEdge& fired : step.edges) {
    recorder.begin(fired.edge, UseKind::kComputation);
    evaluator.set_selects(fired);
    evaluator.execute(network.edges[fired.edge].labels.updates);
    recorder.fired();
  }
  recorder.begin(EdgeId(), UseKind::kComputation);
  evaluator.execute(network.after_update);
  recorder.state();
}

// In system order; the first that is false or fails decides.
LocationId violated_invariant(const Network& network,
                              const std::vector<LocationId>& locations,
                              Evaluator& evaluator) {
  for (const LocationId location : locations)
    if (!evaluator.holds(network.locations[location].invariant))
      return location;
  return {};
}

}  // namespace

Outcome fire(const Network& network, const RunState& from, const Step& step) {
  Outcome outcome{.state = from};
  Evaluator evaluator(network, from.cells);
  Recorder recorder;
  evaluator.record_into(recorder);
  record_predicates(network, step, evaluator, recorder);
  assert(!evaluator.failure().happened() && "guards were evaluated before");
  update(network, step, evaluator, recorder);
  evaluator.stop_recording();
  // Of two edges through a branchpoint the second one has the last word.
  for (const FiredEdge& fired : step.edges) {
    const Edge& edge = network.edges[fired.edge];
    outcome.state.locations[edge.process.index()] = edge.target;
  }
  // Meta variables still hold what the step wrote: an invariant may read them.
  outcome.violated = violated_invariant(network, outcome.state.locations, evaluator);
  outcome.failure = evaluator.failure();
  outcome.state.cells = evaluator.kept_cells();
  outcome.events = recorder.take();
  return outcome;
}

Outcome check_invariants(const Network& network, RunState state) {
  Evaluator evaluator(network, state.cells);
  Outcome outcome{.state = std::move(state)};
  outcome.violated = violated_invariant(network, outcome.state.locations, evaluator);
  outcome.failure = evaluator.failure();
  return outcome;
}

}  // namespace tw::replay
