#include "engine/replay/interpreter.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "engine/replay/evaluator.hpp"
#include "engine/replay/fire.hpp"
#include "engine/replay/moves.hpp"

namespace tw::replay {
namespace {

std::string place_name(const Network& network, LocationId id) {
  const Process& process = network.processes[network.locations[id].process];
  return fmt::format("{}.{}", process.name, network.decl(id).name);
}

std::string edge_name(const Network& network, EdgeId id) {
  const Edge& edge = network.edges[id];
  return fmt::format("edge {} -> {}", place_name(network, edge.source),
                     network.decl(edge.target).name);
}

StepResult impossible(std::string why) { return {.why_not = std::move(why)}; }

StepResult failed(const Network& network, const Failure& failure) {
  return {.why_not = describe(network, failure.what()),
          .error = failure.error,
          .error_at = failure.at,
          .misfit = failure.misfit};
}

bool selects_fit(const Network& network, const FiredEdge& fired) {
  const std::vector<VariableId>& selects = network.edges[fired.edge].labels.selects;
  if (selects.size() != fired.selects.size())
    return false;
  for (std::size_t i = 0; i < selects.size(); ++i) {
    const Type& range = network.types[network.variables[selects[i]].type];
    if (fired.selects[i] < range.low || fired.selects[i] > range.high)
      return false;
  }
  return true;
}

// What is wrong with a step before anything is evaluated; empty: nothing.
std::string misfit(const Network& network, const RunState& from, const Step& step) {
  if (step.edges.empty())
    return "a step needs an edge";
  LocationId branchpoint;  // where the edge before has led
  for (const FiredEdge& fired : step.edges) {
    if (!fired.edge.valid() || fired.edge.index() >= network.edges.size())
      return "there is no such edge";
    const Edge& edge = network.edges[fired.edge];
    const LocationId here =
        branchpoint.valid() ? branchpoint : from.locations[edge.process.index()];
    if (edge.source != here)
      return fmt::format("{} does not leave {}", edge_name(network, fired.edge),
                         place_name(network, here));
    if (!selects_fit(network, fired))
      return fmt::format("the selected values do not fit {}", edge_name(network, fired.edge));
    const bool goes_on = network.decl(edge.target).kind == LocationKind::kBranchpoint;
    branchpoint = goes_on ? edge.target : LocationId();
  }
  return branchpoint.valid() ? "the step ends in a branchpoint" : "";
}

bool contains(const std::vector<FiredEdge>& whole, const std::vector<FiredEdge>& part) {
  return std::search(whole.begin(), whole.end(), part.begin(), part.end()) != whole.end();
}

// An error elsewhere matters if it hides who else has to take part, or who comes first.
bool concerns(const Network& network, const FailedMove& move, const Step& step) {
  if (contains(step.edges, move.edges))
    return true;
  const bool priorities =
      !network.channel_priorities.empty() ||
      std::ranges::any_of(network.processes, [](const Process& p) { return p.priority != 0; });
  if (priorities)
    return true;
  const bool broadcast = std::ranges::any_of(step.edges, [&](const FiredEdge& fired) {
    const EdgeLabels& labels = network.edges[fired.edge].labels;
    return labels.direction == Direction::kSend &&
           network.types[network.pool[labels.channel].type].broadcast;
  });
  const bool receives = std::ranges::any_of(move.edges, [&](const FiredEdge& fired) {
    return network.edges[fired.edge].labels.direction == Direction::kReceive;
  });
  const bool other_process = network.edges[move.edges.front().edge].process !=
                             network.edges[step.edges.front().edge].process;
  return broadcast && receives && other_process;
}

// Why edges that leave the current locations are no candidate.
std::string explain(const Network& network, const Moves& moves, const Step& step) {
  for (const FiredEdge& fired : step.edges) {
    const bool enabled = std::ranges::any_of(
        moves.enabled, [&](const Move& move) { return contains(move.edges, {fired}); });
    if (!enabled)
      return fmt::format("{} is not enabled", edge_name(network, fired.edge));
  }
  return "these edges do not fire together";
}

// A candidate with an error exists as far as others are concerned: nobody may overtake it unseen,
// unless such steps are to be skipped.
bool exists(const Network& network,
            const RunState& from,
            const Candidate& candidate,
            OnError on_error) {
  const Outcome outcome = fire(network, from, candidate.step());
  if (outcome.failure.happened())
    return on_error == OnError::kStop;
  return !outcome.violated.valid();
}

// Candidates of a state after the committed rule; priorities are applied on demand.
class Contest {
 public:
  Contest(const Network& network,
          const RunState& from,
          const std::vector<Move>& enabled,
          OnError on_error)
      : network_(network),
        from_(from),
        on_error_(on_error),
        candidates_(candidates_of(network, enabled)) {
    std::erase_if(candidates_,
                  [&](const Candidate& c) { return !respects_committed(network, from, c); });
  }

  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }

  [[nodiscard]] const Candidate* winner_over(const Candidate& candidate) const {
    const Priority own = priority_of(network_, candidate);
    const auto higher = std::ranges::find_if(candidates_, [&](const Candidate& other) {
      return priority_of(network_, other) > own && exists(network_, from_, other, on_error_);
    });
    return higher == candidates_.end() ? nullptr : &*higher;
  }

 private:
  const Network& network_;
  const RunState& from_;
  OnError on_error_;
  std::vector<Candidate> candidates_;
};

// Why time stands still where this process is; empty: it does not.
std::string halt_at(const Network& network, LocationId id) {
  const LocationKind kind = network.decl(id).kind;
  if (kind != LocationKind::kUrgent && kind != LocationKind::kCommitted)
    return "";
  return fmt::format("time cannot pass: {} is in the {} location {}",
                     network.processes[network.locations[id].process].name,
                     kind == LocationKind::kUrgent ? "urgent" : "committed", network.decl(id).name);
}

// An urgent channel on which someone could synchronise; invalid: there is none. Whether the step
// would exist does not matter.
ChannelId pressing(const Network& network, const std::vector<Move>& enabled) {
  for (const Move& sender : enabled) {
    if (sender.direction != Direction::kSend || !network.channels[sender.channel].urgent)
      continue;
    const bool heard = std::ranges::any_of(enabled, [&](const Move& move) {
      return move.direction == Direction::kReceive && move.channel == sender.channel &&
             move.process != sender.process;
    });
    if (heard || network.channels[sender.channel].broadcast)
      return sender.channel;
  }
  return {};
}

// A move that could not be evaluated to its end might have been one on an urgent channel.
bool may_press(const Network& network, const FailedMove& move) {
  const auto urgent = [&](const Edge& edge) {
    return edge.labels.channel.valid() &&
           network.types[network.pool[edge.labels.channel].type].urgent;
  };
  const LocationId reached = network.edges[move.edges.back().edge].target;
  const bool goes_on = network.decl(reached).kind == LocationKind::kBranchpoint;
  return std::ranges::any_of(move.edges,
                             [&](const FiredEdge& f) { return urgent(network.edges[f.edge]); }) ||
         (goes_on && std::ranges::any_of(network.edges, [&](const Edge& edge) {
            return edge.source == reached && urgent(edge);
          }));
}

// Lets time pass as far as invariants are concerned.
StepResult pass(const Network& network, const RunState& from, const Rational& duration) {
  Evaluator evaluator(network, from);
  std::set<ClockId> stopped;
  for (const LocationId location : from.locations) {
    const ExprId invariant = network.locations[location].invariant;
    const bool holds = evaluator.holds(invariant);
    if (holds)
      stopped.merge(evaluator.stopped(invariant));
    if (evaluator.failure().happened())
      return failed(network, evaluator.failure());
    // It did when the location was entered, but may read meta variables.
    if (!holds)
      return impossible(fmt::format("the invariant of {} does not hold before this delay",
                                    place_name(network, location)));
  }
  RunState after = from;
  for (std::size_t i = 0; i < after.clocks.size(); ++i)
    if (!stopped.contains(ClockId(i)))
      after.clocks[i] += duration;
  Outcome outcome = check_invariants(network, std::move(after));
  if (outcome.failure.happened())
    return failed(network, outcome.failure);
  if (outcome.violated.valid())
    return impossible(fmt::format("the invariant of {} does not hold after this delay",
                                  place_name(network, outcome.violated)));
  return {.possible = true, .state = std::move(outcome.state)};
}

}  // namespace

Interpreter::Interpreter(const Network& network, InvariantUses invariants, OnError on_error)
    : network_(&network),
      invariants_(invariants),
      on_error_(on_error) {}

RunState Interpreter::initial() const {
  RunState state;
  for (const Process& process : network_->processes)
    state.locations.push_back(process.initial);
  for (std::size_t i = 0; i < network_->memory.meta; ++i)
    state.cells.push_back(network_->cells[CellId(i)].initial);
  for (const Clock& clock : network_->clocks)
    state.clocks.emplace_back(clock.initial);
  return state;
}

std::vector<Event> Interpreter::initial_events() const {
  std::vector<Event> events;
  for (std::size_t i = 0; i < network_->memory.state; ++i)
    events.push_back({.kind = EventKind::kInitialDefinition, .cell = CellId(i)});
  for (std::size_t i = 0; i < network_->clocks.size(); ++i)
    events.push_back(
        {.kind = EventKind::kInitialDefinition, .cell = network_->cell_of(ClockId(i))});
  events.push_back({.kind = EventKind::kState});
  return events;
}

std::optional<std::string> Interpreter::initial_problem() const {
  const Outcome outcome = check_invariants(*network_, initial());
  if (!outcome.violated.valid())
    return std::nullopt;
  const std::string place = place_name(*network_, outcome.violated);
  if (outcome.failure.happened())
    return fmt::format("the invariant of {} cannot be evaluated: {}", place,
                       describe(*network_, outcome.failure.what()));
  return fmt::format("the invariant of {} does not hold", place);
}

StepResult Interpreter::step(const RunState& from, const Step& step) const {
  std::string problem = misfit(*network_, from, step);
  if (!problem.empty())
    return impossible(std::move(problem));
  const Moves moves = moves_from(*network_, from);
  for (const FailedMove& move : moves.failed)
    if (on_error_ == OnError::kSkip ? contains(step.edges, move.edges)
                                    : concerns(*network_, move, step))
      return failed(*network_, move.failure);

  const auto is_step = [&](const Candidate& candidate) {
    return candidate.step().edges == step.edges;
  };
  const std::vector<Candidate> all = candidates_of(*network_, moves.enabled);
  const auto found = std::ranges::find_if(all, is_step);
  if (found == all.end())
    return impossible(explain(*network_, moves, step));
  if (!respects_committed(*network_, from, *found))
    return impossible("a process in a committed location must take part");
  const Contest contest(*network_, from, moves.enabled, on_error_);
  if (const Candidate* winner = contest.winner_over(*found))
    return impossible(fmt::format("{} has a higher priority",
                                  edge_name(*network_, winner->moves.front().edges.front().edge)));

  Outcome outcome = fire(*network_, from, step, invariants_);
  if (outcome.failure.happened())
    return failed(*network_, outcome.failure);
  if (outcome.violated.valid())
    return impossible(fmt::format("the invariant of {} does not hold afterwards",
                                  place_name(*network_, outcome.violated)));
  return {.possible = true, .state = std::move(outcome.state), .events = std::move(outcome.events)};
}

StepResult Interpreter::delay(const RunState& from, const Rational& duration) const {
  if (duration < 0)
    return impossible("a delay cannot be negative");
  if (duration == 0)
    return {.possible = true, .state = from};
  for (const LocationId location : from.locations) {
    std::string halt = halt_at(*network_, location);
    if (!halt.empty())
      return impossible(std::move(halt));
  }
  const Moves moves = moves_from(*network_, from);
  if (on_error_ == OnError::kStop)
    for (const FailedMove& move : moves.failed)
      if (may_press(*network_, move))
        return failed(*network_, move.failure);
  const ChannelId channel = pressing(*network_, moves.enabled);
  if (channel.valid())
    return impossible(fmt::format("time cannot pass: the urgent channel {} can synchronise",
                                  network_->channels[channel].name));
  return pass(*network_, from, duration);
}

StepList Interpreter::steps(const RunState& from) const {
  StepList list;
  const auto note = [&list](const Failure& failure) {
    if (list.error != RunStatus::kOk)
      return;
    list.error = failure.error;
    list.error_at = failure.at;
    list.misfit = failure.misfit;
  };
  const Moves moves = moves_from(*network_, from);
  for (const FailedMove& move : moves.failed)
    note(move.failure);
  const Contest contest(*network_, from, moves.enabled, on_error_);
  for (const Candidate& candidate : contest.candidates()) {
    if (contest.winner_over(candidate) != nullptr)
      continue;
    const Outcome outcome = fire(*network_, from, candidate.step());
    if (outcome.failure.happened())
      note(outcome.failure);
    else if (!outcome.violated.valid())
      list.steps.push_back(candidate.step());
  }
  return list;
}

}  // namespace tw::replay
