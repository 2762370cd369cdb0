// The criteria about guards, read literally: in every state, for every edge whose process is in its
// source, all clauses of the guard are evaluated, and the definitions of Ammann and Offutt (2008)
// are applied to the table of values. Shares neither rules nor formulas with the product; only the
// replay evaluator tells what a clause is in a state. All runs of random networks are followed,
// with clocks on a grid of times; items and shortest lengths must be those of the search. A failure
// prints the seed and a network made small.

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/coverage/names.hpp"
#include "engine/model/print.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/replay/interpreter.hpp"
#include "tests/suite/oracle.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/timed_brute_force.hpp"

namespace tw {
namespace {

using Truth = std::optional<bool>;  // none: undefined
using Row = std::vector<Truth>;     // by clause

/// A guard of one process: which clauses it has, and what it is for given values of them.
class DirectGuard {
 public:
  DirectGuard(const Network& network, EdgeId edge, std::string name)
      : network_(&network),
        edge_(edge),
        name_(std::move(name)) {
    const Edge& own = network.edges[edge];
    read(network.edge_decls[own.decl].labels.guard, own.labels.guard);
    for (const VariableId select : own.labels.selects)
      if (mentions(own.labels.guard, select))
        selects_.push_back(select);
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] LocationId source() const { return network_->edges[edge_].source; }
  [[nodiscard]] std::size_t clauses() const { return first_.size(); }
  [[nodiscard]] Truth value(const Row& row) const {
    return value(network_->edges[edge_].labels.guard, row);
  }

  [[nodiscard]] Truth decides(Row row, std::size_t clause) const {
    row[clause] = true;
    const Truth high = value(row);
    row[clause] = false;
    const Truth low = value(row);
    return high && low ? Truth(*high != *low) : std::nullopt;
  }

  /// By values of the selects.
  [[nodiscard]] std::map<std::vector<std::int32_t>, Row> look(const replay::RunState& state) const {
    std::map<std::vector<std::int32_t>, Row> out;
    std::vector<std::int32_t> chosen;
    choose(state, chosen, out);
    return out;
  }

 private:
  [[nodiscard]] bool is_connective(ExprId id) const {
    const auto is_truth_value = [&](ExprId part) {
      return network_->pool[part].type == network_->types.bool_type();
    };
    switch (network_->pool[id].kind) {
      case ExprKind::kNot:
      case ExprKind::kAnd:
      case ExprKind::kOr:
      case ExprKind::kXor:
      case ExprKind::kImply:
        return true;
      case ExprKind::kBitXor:
        return is_truth_value(network_->pool.operand(id, 0)) &&
               is_truth_value(network_->pool.operand(id, 1));
      default:
        return false;
    }
  }

  void read(ExprId written, ExprId own) {
    if (is_connective(written)) {
      for (std::size_t i = 0; i < network_->pool.operands(written).size(); ++i)
        read(network_->pool.operand(written, i), network_->pool.operand(own, i));
      return;
    }
    const auto [at, is_new] = texts_.emplace(print_expression(*network_, written), texts_.size());
    if (is_new)
      first_.push_back(own);
    number_[own] = at->second;
  }

  [[nodiscard]] bool mentions(ExprId id, VariableId variable) const {
    const Expression& e = network_->pool[id];
    if (e.kind == ExprKind::kVariable && e.variable() == variable)
      return true;
    for (const ExprId part : network_->pool.operands(id))
      if (mentions(part, variable))
        return true;
    return false;
  }

  [[nodiscard]] Truth value(ExprId id, const Row& row) const {
    if (const auto clause = number_.find(id); clause != number_.end())
      return row[clause->second];
    const Truth left = value(network_->pool.operand(id, 0), row);
    const ExprKind kind = network_->pool[id].kind;
    if (!left)
      return std::nullopt;
    if (kind == ExprKind::kNot)
      return !*left;
    if (kind == ExprKind::kAnd && !*left)
      return false;
    if ((kind == ExprKind::kOr && *left) || (kind == ExprKind::kImply && !*left))
      return true;
    const Truth right = value(network_->pool.operand(id, 1), row);
    if (kind == ExprKind::kXor || kind == ExprKind::kBitXor)
      return right ? Truth(*left != *right) : std::nullopt;
    return right;
  }

  void choose(const replay::RunState& state,
              std::vector<std::int32_t>& chosen,
              std::map<std::vector<std::int32_t>, Row>& out) const {
    if (chosen.size() < selects_.size()) {
      const Type& type = network_->types[network_->variables[selects_[chosen.size()]].type];
      for (std::int32_t v = type.low; v <= type.high; ++v) {
        chosen.push_back(v);
        choose(state, chosen, out);
        chosen.pop_back();
      }
      return;
    }
    Row row;
    for (const ExprId clause : first_) {
      replay::Evaluator evaluator(*network_, state);
      evaluator.set_selects(selects_, chosen);
      const bool holds = evaluator.holds(clause);
      row.push_back(evaluator.failure().happened() ? std::nullopt : Truth(holds));
    }
    out[chosen] = row;
  }

  const Network* network_;
  EdgeId edge_;
  std::string name_;
  std::map<std::string, std::size_t> texts_;
  std::map<ExprId, std::size_t> number_;
  std::vector<ExprId> first_;  // by number
  std::vector<VariableId> selects_;
};

/// Follows a run: what a criterion has covered of it, by id.
class DirectCriterion {
 public:
  DirectCriterion(const Network& network, std::string criterion, Level level)
      : criterion_(std::move(criterion)) {
    const ElementNames names(network);
    auto guards = std::make_shared<std::vector<DirectGuard>>();
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
      const Edge& edge = network.edges[EdgeId(i)];
      if (edge.labels.guard.valid() && network.decl(edge.source).kind != LocationKind::kBranchpoint)
        guards->emplace_back(
            network, EdgeId(i),
            level == Level::kTemplate ? names.edge(edge.decl) : names.edge(EdgeId(i)));
    }
    guards_ = std::move(guards);
  }

  void start(const replay::RunState& initial, std::span<const Event> /*events*/) { look(initial); }
  void advance(const replay::RunState& target, std::span<const Event> /*events*/) { look(target); }

  void look(const replay::RunState& now) {
    for (std::size_t g = 0; g < guards_->size(); ++g) {
      const DirectGuard& guard = (*guards_)[g];
      if (std::ranges::find(now.locations, guard.source()) == now.locations.end())
        continue;
      for (const auto& [selected, row] : guard.look(now)) {
        see(guard, row);
        if (criterion_ != "cacc" && criterion_ != "racc" && criterion_ != "ricc")
          continue;
        for (const Row& before : seen_[{g, selected}])
          see_both(guard, before, row);
        seen_[{g, selected}].insert(row);
      }
    }
  }

  using Seen = std::map<std::pair<std::size_t, std::vector<std::int32_t>>, std::set<Row>>;
  [[nodiscard]] const Seen& key() const { return seen_; }
  [[nodiscard]] const std::set<std::string>& covered() const { return covered_; }

 private:
  void cover(const DirectGuard& guard, const std::string& rest) {
    covered_.insert(criterion_ + ":" + guard.name() + rest);
  }
  static std::string number(std::size_t clause) { return "#" + std::to_string(clause + 1); }
  static std::string word(bool value) { return value ? "=true" : "=false"; }

  void see(const DirectGuard& guard, const Row& row) {
    const Truth whole = guard.value(row);
    if (criterion_ == "pc" && whole)
      cover(guard, word(*whole));
    if (criterion_ == "coc") {
      std::string letters = "=";
      for (const Truth value : row)
        letters += !value ? "?" : *value ? "T" : "F";
      cover(guard, letters);
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[i])
        continue;
      const Truth decides = guard.decides(row, i);
      if (criterion_ == "cc" || (criterion_ == "gacc" && decides == Truth(true)))
        cover(guard, number(i) + word(*row[i]));
      if (criterion_ == "gicc" && decides == Truth(false) && whole)
        cover(guard, number(i) + word(*row[i]) + ",guard" + word(*whole));
    }
  }

  void see_both(const DirectGuard& guard, const Row& a, const Row& b) {
    const Truth first = guard.value(a);
    const Truth second = guard.value(b);
    if (!first || !second)
      return;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!a[i] || !b[i] || *a[i] == *b[i])
        continue;
      if (criterion_ == "cacc") {
        if (guard.decides(a, i) == Truth(true) && guard.decides(b, i) == Truth(true) &&
            *first != *second)
          cover(guard, number(i));
        continue;
      }
      bool restricted = true;
      for (std::size_t k = 0; k < a.size(); ++k)
        restricted = restricted && a[k] && b[k] && (k == i || *a[k] == *b[k]);
      if (!restricted)
        continue;
      if (criterion_ == "racc" && *first != *second)
        cover(guard, number(i));
      if (criterion_ == "ricc" && *first == *second)
        cover(guard, number(i) + ",guard" + word(*first));
    }
  }

  std::string criterion_;
  std::shared_ptr<const std::vector<DirectGuard>> guards_;
  Seen seen_;
  std::set<std::string> covered_;
};

constexpr std::array kCriteria = {"pc", "cc", "coc", "gacc", "cacc", "racc", "gicc", "ricc"};

Setup guard_setup(std::uint32_t seed) {
  Setup out{.criterion = kCriteria[seed % kCriteria.size()]};
  out.options.level = seed / kCriteria.size() % 2 == 0 ? Level::kTemplate : Level::kInstance;
  return out;
}

using Shortest = std::map<std::string, std::size_t>;

void note(const std::set<std::string>& covered, std::size_t depth, Shortest& out) {
  for (const std::string& id : covered) {
    std::size_t& least = out.emplace(id, depth).first->second;
    least = std::min(least, depth);
  }
}

// Ids and lengths that the search found.
Shortest found_by_search(const Network& network, const Setup& setup, std::string& problem) {
  CoverageRules rules = declare(network, setup);
  const Generated found = generate_twice(
      network, rules,
      {.search = {.full = true, .max_states = 20'000}, .reduce = Reduction::kRedundant});
  if (!found.internal_error.empty())
    problem = "replay: " + found.internal_error;
  if (!found.search.limit.empty())
    problem = "limit";
  Shortest out;
  for (std::size_t i = 0; i < found.verdicts.size(); ++i)
    if (found.verdicts[i].status == ItemStatus::kCovered)
      out[rules.items()[ItemId(i)].id] = found.verdicts[i].depth;
  return out;
}

std::string describe(const Shortest& expected, const Shortest& found) {
  std::string out;
  for (const auto& [id, length] : expected)
    if (const auto other = found.find(id); other == found.end() || other->second != length)
      out += fmt::format("{}: {} instead of {}\n", id,
                         other == found.end() ? "none" : fmt::to_string(other->second), length);
  for (const auto& [id, length] : found)
    if (!expected.contains(id))
      out += fmt::format("{}: {} instead of none\n", id, length);
  return out;
}

TEST_CASE("criteria about guards cover what their definitions say", "[suite][oracle][guards]") {
  std::size_t compared = 0;
  std::size_t items = 0;
  for (std::uint32_t seed = 40'001; seed <= 41'200; ++seed) {
    const Setup setup = guard_setup(seed);
    const test::RandomOptions options{.branchpoints = seed % 7 == 0, .locals = seed % 2 == 0};
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      constexpr std::size_t kMostNodes = 1'500;
      Shortest expected;
      const bool complete = test::follow_all_runs(
          replay::Interpreter(network, InvariantUses::kNone),
          DirectCriterion(network, setup.criterion, setup.options.level), kMostNodes,
          [&](const DirectCriterion& follower, std::size_t depth) {
            note(follower.covered(), depth, expected);
          });
      if (!complete)
        return "";
      std::string wrong;
      const Shortest found = found_by_search(network, setup, wrong);
      if (wrong == "limit")
        return "";
      ++compared;
      items += expected.size();
      return wrong.empty() ? describe(expected, found) : wrong;
    });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  CHECK(compared >= 800);
  CHECK(items >= 1'500);
}

// With clocks, runs are followed on a grid: what it finds is real, and up to a length it finds all.
// A run of n steps that looks at two moments besides has at most n + 3 points in time whose
// fractions matter.
TEST_CASE("criteria about guards with clocks cover what their definitions say",
          "[suite][oracle][guards][timed]") {
  constexpr std::uint32_t kGrid = 5;
  constexpr std::size_t kExact = 2;
  constexpr std::size_t kMostNodes = 4'000;
  std::size_t compared = 0;
  std::size_t items = 0;
  for (std::uint32_t seed = 60'001; seed <= 60'500; ++seed) {
    const Setup setup = guard_setup(seed);
    const test::RandomOptions options{.locals = seed % 2 == 0,
                                      .clocks = {.count = static_cast<int>(1 + seed % 2),
                                                 .strict = seed % 3 == 0,
                                                 .invariants = seed % 4 != 0,
                                                 .urgent_locations = seed % 3 == 1}};
    const std::string problem = shrink(seed, options, [&](const Network& network) -> std::string {
      const test::ClockUsage usage = test::clock_usage(network);
      const replay::Interpreter interpreter(network, InvariantUses::kNone);
      if (usage.diagonals || usage.copies || usage.rates || interpreter.initial_problem())
        return "";
      const Rational tick(1, kGrid);
      const Rational beyond = usage.tested + usage.assigned + tick;
      const auto normalise = [&](replay::RunState& state) {
        for (Rational& clock : state.clocks)
          if (clock > beyond)
            clock = beyond;
      };
      struct Node {
        replay::RunState state;
        DirectCriterion follower;
        std::size_t depth = 0;
      };
      Shortest expected;
      std::set<std::pair<replay::RunState, DirectCriterion::Seen>> seen;
      std::deque<Node> waiting;
      const auto arrive = [&](replay::RunState state, DirectCriterion follower, std::size_t depth) {
        normalise(state);
        note(follower.covered(), depth, expected);
        if (depth <= kExact && seen.emplace(state, follower.key()).second)
          waiting.push_back({std::move(state), std::move(follower), depth});
      };
      DirectCriterion first(network, setup.criterion, setup.options.level);
      first.start(interpreter.initial(), interpreter.initial_events());
      arrive(interpreter.initial(), std::move(first), 0);
      for (; !waiting.empty(); waiting.pop_front()) {
        const Node node = waiting.front();
        if (seen.size() > kMostNodes)
          return "";
        replay::RunState at = node.state;
        DirectCriterion now = node.follower;
        for (;;) {
          if (node.depth < kExact)
            for (const Step& step : interpreter.steps(at).steps) {
              const replay::StepResult result = interpreter.step(at, step);
              if (!result.possible)
                continue;
              DirectCriterion next = now;
              next.advance(result.state, result.events);
              arrive(result.state, std::move(next), node.depth + 1);
            }
          replay::StepResult waited = interpreter.delay(at, tick);
          if (!waited.possible)
            break;
          normalise(waited.state);
          if (waited.state == at)
            break;
          at = std::move(waited.state);
          now.look(at);
          note(now.covered(), node.depth, expected);
        }
      }
      std::string wrong;
      Shortest found = found_by_search(network, setup, wrong);
      if (wrong == "limit")
        return "";
      std::erase_if(found, [&](const auto& item) { return item.second > kExact; });
      ++compared;
      items += expected.size();
      return wrong.empty() ? describe(expected, found) : wrong;
    });
    INFO(setup.criterion << " " << problem);
    REQUIRE(problem.empty());
  }
  CHECK(compared >= 200);
  CHECK(items >= 500);
}

}  // namespace
}  // namespace tw
