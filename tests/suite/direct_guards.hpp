// The criteria about guards, read literally: in every state, for every edge whose process is in its
// source, all clauses of the guard are evaluated, and the definitions of Ammann and Offutt (2008)
// are applied to the table of values. Shares neither rules nor formulas with the product; only the
// replay evaluator tells what a clause is in a state.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/coverage/names.hpp"
#include "engine/model/print.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/replay/interpreter.hpp"
#include "tests/suite/oracle.hpp"

namespace tw {

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
  DirectCriterion(const Network& network, std::string criterion, Level level, bool observe = false)
      : criterion_(std::move(criterion)),
        observe_(observe) {
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
  void advance(const replay::RunState& target, std::span<const Event> /*events*/) {
    covered_.merge(pending_);
    pending_.clear();
    look(target);
  }

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
  /// What the next step will cover.
  [[nodiscard]] const std::set<std::string>& pending() const { return pending_; }

 private:
  void cover(const DirectGuard& guard, const std::string& rest) {
    (observe_ ? pending_ : covered_).insert(criterion_ + ":" + guard.name() + rest);
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
  bool observe_;
  std::shared_ptr<const std::vector<DirectGuard>> guards_;
  Seen seen_;
  std::set<std::string> covered_;
  std::set<std::string> pending_;
};

inline constexpr std::array kCriteria = {"pc", "cc", "coc", "gacc", "cacc", "racc", "gicc", "ricc"};

inline Setup guard_setup(std::uint32_t seed) {
  Setup out{.criterion = kCriteria[seed % kCriteria.size()]};
  out.options.level = seed / kCriteria.size() % 2 == 0 ? Level::kTemplate : Level::kInstance;
  return out;
}

}  // namespace tw
