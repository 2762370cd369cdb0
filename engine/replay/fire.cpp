#include "engine/replay/fire.hpp"

#include <cassert>
#include <utility>

#include "engine/replay/evaluator.hpp"
#include "engine/replay/recorder.hpp"

namespace tw::replay {
namespace {

// A branchpoint is no place to stay, so it has nothing to say.
ExprId invariant_of(const Network& network, LocationId location) {
  const bool branchpoint = network.decl(location).kind == LocationKind::kBranchpoint;
  return branchpoint ? ExprId() : network.locations[location].invariant;
}

void record_predicates(const Network& network,
                       const Step& step,
                       InvariantUses invariants,
                       Evaluator& evaluator,
                       Recorder& recorder) {
  for (const FiredEdge& fired : step.edges) {
    const EdgeLabels& labels = network.edges[fired.edge].labels;
    recorder.begin(fired.edge, UseKind::kPredicate);
    evaluator.set_selects(fired);
    evaluator.holds(labels.guard);
    assert(!evaluator.failure().happened() && "guards were evaluated before");
    if (invariants == InvariantUses::kLeave) {
      evaluator.holds(invariant_of(network, network.edges[fired.edge].source));
      // It held when its location was entered, but may have read meta variables, which are back at
      // their initial values: an error now is no finding, it only ends the list of uses.
      evaluator.forget_failure();
    }
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
}

void record_entered_invariants(const Network& network,
                               const Step& step,
                               Evaluator& evaluator,
                               Recorder& recorder) {
  for (const FiredEdge& fired : step.edges) {
    recorder.resume(fired.edge, UseKind::kPredicate);
    evaluator.holds(invariant_of(network, network.edges[fired.edge].target));
  }
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

Outcome fire(const Network& network,
             const RunState& from,
             const Step& step,
             InvariantUses invariants) {
  Outcome outcome{.state = from};
  Evaluator evaluator(network, from);
  Recorder recorder;
  evaluator.record_into(recorder);
  record_predicates(network, step, invariants, evaluator, recorder);
  assert(!evaluator.failure().happened() && "channels were evaluated before");
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
  // Only now: in a step that does not exist, an invariant that comes later may not be defined.
  if (invariants == InvariantUses::kEnter && !outcome.violated.valid()) {
    evaluator.record_into(recorder);
    record_entered_invariants(network, step, evaluator, recorder);
  }
  recorder.state();
  outcome.state.cells = evaluator.kept_cells();
  outcome.state.clocks = evaluator.clocks();
  outcome.events = recorder.take();
  return outcome;
}

Outcome check_invariants(const Network& network, RunState state) {
  Evaluator evaluator(network, state);
  Outcome outcome{.state = std::move(state)};
  outcome.violated = violated_invariant(network, outcome.state.locations, evaluator);
  outcome.failure = evaluator.failure();
  return outcome;
}

}  // namespace tw::replay
