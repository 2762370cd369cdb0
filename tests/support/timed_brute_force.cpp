#include "tests/support/timed_brute_force.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>
#include <utility>

#include "engine/base/rational.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/replay/monitor.hpp"

namespace tw::test {
namespace {

using replay::Monitor;
using replay::RunState;

std::int64_t magnitude(Interval i) { return std::max(std::abs(i.low), std::abs(i.high)); }

bool mentions(const Network& network, ExprId id, ExprKind kind) {
  return network.pool[id].kind == kind ||
         std::ranges::any_of(network.pool.operands(id),
                             [&](ExprId part) { return mentions(network, part, kind); });
}

void note_tests(const Network& network, ExprId constraint, ClockUsage& out) {
  if (!constraint.valid())
    return;
  for (const ClockTest& test : clock_tests_of(network, constraint)) {
    out.tested = std::max(out.tested, magnitude({test.low, test.high}));
    out.diagonals = out.diagonals || test.minus.count != 0;
    out.closed = out.closed && test.relation != ExprKind::kLess &&
                 test.relation != ExprKind::kGreater && test.relation != ExprKind::kNotEqual;
  }
  out.rates = out.rates || mentions(network, constraint, ExprKind::kRate);
}

// All numbers in a sum of a clock and numbers.
std::int64_t added(const Network& network, ExprId id) {
  if (!network.pool[id].timed)
    return magnitude(interval_of(network, id));
  std::int64_t sum = 0;
  if (network.pool[id].kind == ExprKind::kAdd || network.pool[id].kind == ExprKind::kSubtract)
    for (const ExprId part : network.pool.operands(id))
      sum += added(network, part);
  return sum;
}

void note_assignment(const Network& network, ExprId id, ClockUsage& out) {
  const Expression& e = network.pool[id];
  if (e.kind != ExprKind::kAssign || !network.types.contains(e.type, TypeKind::kClock))
    return;
  const ExprId value = network.pool.operand(id, 1);
  if (network.types[e.type].kind != TypeKind::kClock) {
    out.copies = true;
  } else if (network.pool[value].timed) {
    out.copies = true;
    out.shift = std::max(out.shift, added(network, value));
  } else {
    out.assigned = std::max(out.assigned, magnitude(interval_of(network, value)));
  }
}

bool has_priorities(const Network& network) {
  return !network.channel_priorities.empty() ||
         std::ranges::any_of(network.processes, [](const Process& p) { return p.priority != 0; });
}

bool is_branchpoint(const Network& network, LocationId id) {
  return network.decl(id).kind == LocationKind::kBranchpoint;
}

// Receivers that stay away do so because of the opposite of their guards. At a branchpoint guard
// and channel may stand at different edges.
bool may_stay_away(const Network& network, const Edge& edge) {
  const auto receives = [&](const Edge& e) {
    return e.labels.direction == Direction::kReceive &&
           network.types[network.pool[e.labels.channel].type].broadcast;
  };
  return receives(edge) || std::ranges::any_of(network.edges, [&](const Edge& other) {
           const bool meets =
               (other.source == edge.target && is_branchpoint(network, edge.target)) ||
               (other.target == edge.source && is_branchpoint(network, edge.source));
           return meets && receives(other);
         });
}

// Takes clock values for equal that no constraint can tell apart.
class Grid {
 public:
  Grid(const ClockUsage& usage, bool looks, std::uint32_t steps_per_unit, std::size_t most_steps)
      : step_(1, steps_per_unit),
        between_clocks_(usage.diagonals || usage.copies),
        far_(usage.tested + (looks ? 1 : 0)) {  // mutants compare with the next number
    if (!between_clocks_)
      return;
    far_ += usage.assigned;
    if (usage.shift != 0)
      far_ += usage.shift * static_cast<std::int64_t>(most_steps);
  }

  [[nodiscard]] const Rational& step() const { return step_; }

  void normalise(std::vector<Rational>& clocks) const {
    const Rational beyond = far_ + step_;
    if (!between_clocks_) {
      for (Rational& clock : clocks)
        if (clock > beyond)
          clock = beyond;
      return;
    }
    // Closes gaps: between two clocks, and below the first one.
    std::vector<Rational*> ascending;
    for (Rational& clock : clocks)
      ascending.push_back(&clock);
    std::ranges::sort(ascending, [](const Rational* a, const Rational* b) { return *a < *b; });
    Rational before = 0;
    Rational closed = 0;
    for (Rational* clock : ascending) {
      const Rational value = *clock;
      const Rational gap = value - before;
      closed += gap > beyond ? beyond : gap;
      *clock = closed;
      before = value;
    }
  }

 private:
  Rational step_;
  bool between_clocks_;
  std::int64_t far_;  // differences above this are all the same
};

struct Node {
  RunState state;
  Monitor monitor;
  std::size_t depth = 0;
};

class Exploration {
 public:
  Exploration(const Network& network, CoverageRules& rules, const TimedBruteForceOptions& options)
      : usage_(clock_usage(network)),
        looks_(rules.has_timed_observations()),
        options_(options),
        most_steps_(usage_.shift == 0 ? options.most_steps
                                      : std::min(options.most_steps, options.kMostShifts)),
        interpreter_(replay::interpreter_for(network, rules, options.on_error)),
        grid_(usage_, looks_, options.steps_per_unit, most_steps_),
        monitor_(network, rules) {}

  TimedBruteForce run() {
    out_.exact_up_to = usage_.closed ? TimedBruteForce::kNoLimit : options_.steps_per_unit - 1;
    if (looks_)
      out_.exact_up_to = options_.steps_per_unit - std::min(options_.steps_per_unit, 3U);
    if (usage_.rates)
      out_.exact_up_to = 0;
    out_.exhaustive = true;
    if (interpreter_.initial_problem())
      return std::move(out_);
    RunState initial = interpreter_.initial();
    monitor_.start(initial, interpreter_.initial_events());
    note(monitor_, 0);
    grid_.normalise(initial.clocks);
    seen_.emplace(initial, monitor_.tokens());
    waiting_.push_back({std::move(initial), monitor_, 0});
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Node& node = waiting_.front();
      if (node.depth < most_steps_ && expand(node))
        continue;
      // Breadth-first: all nodes before this depth were expanded.
      // Of this one some may not have been looked at while time passes.
      out_.exact_up_to =
          std::min(out_.exact_up_to, node.depth - (looks_ && node.depth > 0 ? 1 : 0));
      out_.exhaustive = false;
      break;
    }
    return std::move(out_);
  }

 private:
  // False if there are too many nodes.
  bool expand(const Node& node) {
    RunState at = node.state;
    Monitor now = node.monitor;
    for (;;) {
      for (const Step& step : interpreter_.steps(at).steps)
        if (!take(now, node.depth, at, step))
          return false;
      replay::StepResult waited = interpreter_.delay(at, grid_.step());
      if (!waited.possible)
        return true;
      if (looks_) {
        now.look(at, waited.state);
        note(now, node.depth);
      }
      grid_.normalise(waited.state.clocks);
      if (waited.state == at)
        return true;
      at = std::move(waited.state);
    }
  }

  bool take(const Monitor& monitor, std::size_t depth, const RunState& at, const Step& step) {
    replay::StepResult result = interpreter_.step(at, step);
    if (!result.possible)
      return true;  // an error elsewhere decides whether it is
    Monitor next = monitor;
    next.advance(result.state, result.events);
    note(next, depth + 1);
    grid_.normalise(result.state.clocks);
    const std::pair key(result.state, next.tokens());
    if (seen_.contains(key))
      return true;
    if (seen_.size() >= options_.most_nodes)
      return false;
    seen_.insert(key);
    waiting_.push_back({std::move(result.state), std::move(next), depth + 1});
    return true;
  }

  void note(const Monitor& monitor, std::size_t depth) {
    for (const ItemId item : monitor.covered()) {
      if (out_.shortest.size() <= item.index())
        out_.shortest.resize(item.index() + 1);
      // What is seen while time passes comes after the steps that were taken before.
      std::optional<std::size_t>& shortest = out_.shortest[item.index()];
      shortest = std::min(shortest.value_or(depth), depth);
    }
  }

  ClockUsage usage_;
  bool looks_;  // time shows something to the rules
  TimedBruteForceOptions options_;
  std::size_t most_steps_;
  replay::Interpreter interpreter_;
  Grid grid_;
  Monitor monitor_;
  std::set<std::pair<RunState, std::set<replay::TokenValue>>> seen_;
  std::deque<Node> waiting_;
  TimedBruteForce out_;
};

}  // namespace

ClockUsage clock_usage(const Network& network) {
  ClockUsage out;
  const bool priorities = has_priorities(network);
  for (const Edge& edge : network.edges) {
    note_tests(network, edge.labels.guard, out);
    const bool timed = edge.labels.guard.valid() && network.pool[edge.labels.guard].timed;
    if (timed && (priorities || may_stay_away(network, edge)))
      out.closed = false;
  }
  for (const Location& location : network.locations) {
    note_tests(network, location.invariant, out);
    // A step of higher priority does not exist while it would break an invariant.
    if (priorities && location.invariant.valid() && network.pool[location.invariant].timed)
      out.closed = false;
  }
  for (std::size_t i = 0; i < network.pool.size(); ++i)
    if (!network.pool[ExprId(i)].prototype)
      note_assignment(network, ExprId(i), out);
  return out;
}

TimedBruteForce brute_force_timed(const Network& network,
                                  CoverageRules& rules,
                                  const TimedBruteForceOptions& options) {
  TimedBruteForce out = Exploration(network, rules, options).run();
  out.shortest.resize(rules.items().size());
  return out;
}

}  // namespace tw::test
