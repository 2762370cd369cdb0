#include "engine/replay/moves.hpp"

#include <algorithm>
#include <cassert>

#include "engine/base/budget.hpp"
#include "engine/replay/evaluator.hpp"

namespace tw::replay {
namespace {

using Values = std::vector<std::int32_t>;

// Of one of many combinations, in units of BudgetMeter.
constexpr std::uint64_t kCombinationWork = 32;

std::vector<FiredEdge> with_all_selects(const Network& network, EdgeId edge) {
  std::vector<Values> combinations = {{}};
  for (const VariableId select : network.edges[edge].labels.selects) {
    const Type& range = network.types[network.variables[select].type];
    std::vector<Values> longer;
    for (const Values& values : combinations) {
      for (std::int64_t i = range.low; i <= range.high; ++i) {
        spend_budget(kCombinationWork);
        longer.push_back(values);
        longer.back().push_back(static_cast<std::int32_t>(i));
      }
    }
    combinations = std::move(longer);
  }
  std::vector<FiredEdge> out;
  out.reserve(combinations.size());
  for (Values& values : combinations)
    out.push_back({.edge = edge, .selects = std::move(values)});
  return out;
}

class MoveFinder {
 public:
  MoveFinder(const Network& network, const RunState& from)
      : network_(network),
        evaluator_(network, from) {}

  void leave(LocationId location, const std::vector<FiredEdge>& so_far) {
    const Process& process = network_.processes[network_.locations[location].process];
    for (std::size_t i = 0; i < process.edge_count; ++i) {
      const EdgeId edge(process.first_edge.index() + i);
      if (network_.edges[edge].source == location)
        take(edge, so_far);
    }
  }

  [[nodiscard]] Moves found() && { return std::move(moves_); }

 private:
  void take(EdgeId id, const std::vector<FiredEdge>& so_far) {
    const Edge& edge = network_.edges[id];
    for (const FiredEdge& fired : with_all_selects(network_, id)) {
      std::vector<FiredEdge> edges = so_far;
      edges.push_back(fired);
      evaluator_.set_selects(fired);
      if (!evaluator_.holds(edge.labels.guard))
        note_failure(edges);
      else if (network_.decl(edge.target).kind == LocationKind::kBranchpoint)
        leave(edge.target, edges);
      else
        add(std::move(edges));
    }
  }

  void add(std::vector<FiredEdge> edges) {
    Move move{.process = network_.edges[edges.front().edge].process};
    for (const FiredEdge& fired : edges) {
      const EdgeLabels& labels = network_.edges[fired.edge].labels;
      if (labels.direction == Direction::kInternal)
        continue;
      assert(move.direction == Direction::kInternal && "a move synchronises once");
      move.direction = labels.direction;
      move.channel = evaluator_.channel(labels.channel);
    }
    if (note_failure(edges))
      return;
    move.edges = std::move(edges);
    moves_.enabled.push_back(std::move(move));
  }

  bool note_failure(const std::vector<FiredEdge>& edges) {
    const bool failed = evaluator_.failure().happened();
    if (failed)
      moves_.failed.push_back({.edges = edges, .failure = evaluator_.failure()});
    evaluator_.forget_failure();
    return failed;
  }

  const Network& network_;
  Evaluator evaluator_;
  Moves moves_;
};

// Those that can receive what this one sends, process by process.
std::vector<std::vector<Move>> receivers_of(const Move& sender, const std::vector<Move>& enabled) {
  std::vector<std::vector<Move>> by_process;
  for (const Move& move : enabled) {
    if (move.direction != Direction::kReceive || move.channel != sender.channel ||
        move.process == sender.process)
      continue;
    if (by_process.empty() || by_process.back().front().process != move.process)
      by_process.emplace_back();
    by_process.back().push_back(move);
  }
  return by_process;
}

void add_handshakes(const Move& sender,
                    const std::vector<Move>& enabled,
                    std::vector<Candidate>& out) {
  for (const std::vector<Move>& choices : receivers_of(sender, enabled))
    for (const Move& receiver : choices)
      out.push_back({.moves = {sender, receiver}});
}

// Every process that can receive does, with one of its moves.
void add_broadcasts(const Move& sender,
                    const std::vector<Move>& enabled,
                    std::vector<Candidate>& out) {
  std::vector<Candidate> product = {{.moves = {sender}}};
  for (const std::vector<Move>& choices : receivers_of(sender, enabled)) {
    std::vector<Candidate> longer;
    for (const Candidate& candidate : product) {
      for (const Move& receiver : choices) {
        spend_budget(kCombinationWork);
        longer.push_back(candidate);
        longer.back().moves.push_back(receiver);
      }
    }
    product = std::move(longer);
  }
  out.insert(out.end(), product.begin(), product.end());
}

}  // namespace

Moves moves_from(const Network& network, const RunState& from) {
  MoveFinder finder(network, from);
  for (const LocationId location : from.locations)
    finder.leave(location, {});
  return std::move(finder).found();
}

Step Candidate::step() const {
  Step step;
  for (const Move& move : moves)
    step.edges.insert(step.edges.end(), move.edges.begin(), move.edges.end());
  return step;
}

std::vector<Candidate> candidates_of(const Network& network, const std::vector<Move>& enabled) {
  std::vector<Candidate> out;
  for (const Move& move : enabled) {
    if (move.direction == Direction::kInternal)
      out.push_back({.moves = {move}});
    if (move.direction != Direction::kSend)
      continue;
    if (network.channels[move.channel].broadcast)
      add_broadcasts(move, enabled, out);
    else
      add_handshakes(move, enabled, out);
  }
  return out;
}

bool respects_committed(const Network& network, const RunState& from, const Candidate& candidate) {
  const auto committed = [&](LocationId location) {
    return network.decl(location).kind == LocationKind::kCommitted;
  };
  return std::ranges::none_of(from.locations, committed) ||
         std::ranges::any_of(candidate.moves, [&](const Move& move) {
           return committed(from.locations[move.process.index()]);
         });
}

Priority priority_of(const Network& network, const Candidate& candidate) {
  const ChannelId channel = candidate.moves.front().channel;
  Priority priority = {channel.valid() ? network.channels[channel].priority : 0, 0};
  for (const Move& move : candidate.moves)
    priority.second = std::max(priority.second, network.processes[move.process].priority);
  return priority;
}

}  // namespace tw::replay
