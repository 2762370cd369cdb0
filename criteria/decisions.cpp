#include "criteria/decisions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <optional>

#include "criteria/elements.hpp"
#include "engine/coverage/names.hpp"
#include "engine/model/print.hpp"

namespace tw {
namespace {

// The shape of a guard over its occurrences.
class Shape {
 public:
  Shape(const Network& network, CoverageRules& rules) : network_(network), rules_(rules) {}

  // Occurrences count from 0 in every call; `leaf` says what stands for each.
  FormulaId formula(ExprId guard, const std::function<FormulaId(std::size_t)>& leaf) {
    next_ = 0;
    return build(guard, leaf);
  }

 private:
  FormulaId build(ExprId id, const std::function<FormulaId(std::size_t)>& leaf) {
    if (!is_connective(network_, id))
      return leaf(next_++);
    const ExprKind kind = network_.pool[id].kind;
    const FormulaId left = build(network_.pool.operand(id, 0), leaf);
    if (kind == ExprKind::kNot)
      return rules_.negate(left);
    const FormulaId right = build(network_.pool.operand(id, 1), leaf);
    return connect(rules_, kind, left, right);
  }

  const Network& network_;
  CoverageRules& rules_;
  std::size_t next_ = 0;
};

bool mentions(const ExpressionPool& pool, ExprId id, VariableId variable) {
  const Expression& e = pool[id];
  return (e.kind == ExprKind::kVariable && e.variable() == variable) ||
         std::ranges::any_of(pool.operands(id),
                             [&](ExprId part) { return mentions(pool, part, variable); });
}

void add_formulas(const Network& network, ExprId guard, Decision& out, CoverageRules& rules) {
  Shape shape(network, rules);
  const std::size_t clauses = out.clauses.size();
  for (std::size_t i = 0; i < clauses; ++i)
    out.clause.push_back(rules.atom(i));
  const auto plain = [&](std::size_t occurrence) {
    return out.clause[out.occurrences[occurrence]];
  };
  out.guard = shape.formula(guard, plain);
  const std::array constants = {rules.constant(false), rules.constant(true)};
  // The guard with some occurrences fixed, and whether that makes a difference.
  const auto determined = [&](const std::function<bool(std::size_t)>& is_fixed) {
    std::array<FormulaId, 2> sides;
    for (std::size_t value = 0; value < 2; ++value)
      sides[value] = shape.formula(guard, [&](std::size_t occurrence) {
        return is_fixed(occurrence) ? constants[value] : plain(occurrence);
      });
    return rules.differ(sides[1], sides[0]);
  };
  for (std::size_t i = 0; i < clauses; ++i)
    out.determines.push_back(
        determined([&](std::size_t occurrence) { return out.occurrences[occurrence] == i; }));
  for (std::size_t i = 0; i < out.occurrences.size(); ++i)
    out.occurrence_determines.push_back(
        determined([&](std::size_t occurrence) { return occurrence == i; }));
}

// Of the guard as it is written in the template: processes have copies of the same shape.
Decision decision_of(const Network& network,
                     const ElementNames& names,
                     const EdgeElement& edge,
                     CoverageRules& rules) {
  const EdgeDecl& decl = network.edge_decls[edge.decl];
  const ExprId guard = decl.labels.guard;
  Decision out{.key = edge.key,
               .decl = edge.decl,
               .name = fmt::format("{}.{}", edge.owner, names.inner_edge(edge.decl)),
               .label = fmt::format("{} of {}", names.arrow(edge.decl), edge.owner),
               .where = network.pool[guard].where};
  for (const ExprId clause : clauses_of(network, guard)) {
    const std::string text = print_expression(network, clause);
    const auto known = std::ranges::find(out.clauses, text);
    out.occurrences.push_back(static_cast<std::uint32_t>(known - out.clauses.begin()));
    if (known == out.clauses.end())
      out.clauses.push_back(text);
  }
  add_formulas(network, guard, out, rules);
  return out;
}

bool is_decision(const Network& network, const EdgeDecl& decl) {
  return decl.labels.guard.valid() &&
         network.location_decls[decl.source].kind != LocationKind::kBranchpoint;
}

}  // namespace

FormulaId connect(CoverageRules& rules, ExprKind kind, FormulaId left, FormulaId right) {
  switch (kind) {
    case ExprKind::kAnd:
      return rules.both(left, right);
    case ExprKind::kOr:
      return rules.either(left, right);
    case ExprKind::kImply:
      return rules.either(rules.negate(left), right);
    default:
      return rules.differ(left, right);
  }
}

std::string Decision::number(std::size_t clause) { return fmt::format("#{}", clause + 1); }

std::string_view truth_name(bool value) { return value ? "true" : "false"; }

CriterionInfo guard_criterion(std::string_view name, const CriterionOptions& options) {
  return {.name = std::string(name),
          .options = options.observe ? "--observe" : "",
          .observe = options.observe};
}

std::vector<Decision> decisions_of(const Network& network,
                                   const CriterionOptions& options,
                                   std::string_view criterion,
                                   std::size_t most_clauses,
                                   CoverageRules& rules,
                                   Diagnostics& diagnostics) {
  const ElementNames names(network);
  std::vector<Decision> out;
  std::vector<std::optional<std::size_t>> by_key;
  for (const EdgeElement& edge : edge_elements(network, options.level)) {
    const EdgeDecl& decl = network.edge_decls[edge.decl];
    if (!is_decision(network, decl))
      continue;
    Decision decision = decision_of(network, names, edge, rules);
    if (decision.clauses.size() > most_clauses) {
      const SourceRange where = network.pool[decl.labels.guard].where;
      std::string problem = fmt::format("this guard has {} clauses; {} can look at {}",
                                        decision.clauses.size(), criterion, most_clauses);
      if (options.one_of_all)
        diagnostics.warning(where, std::move(problem), "it has no items of this criterion");
      else
        diagnostics.error(where, std::move(problem), "choose a weaker criterion such as gacc");
      continue;
    }
    if (by_key.size() <= edge.key)
      by_key.resize(edge.key + std::size_t{1});
    by_key[edge.key] = out.size();
    out.push_back(std::move(decision));
  }
  const std::vector<std::uint32_t> keys = edge_keys(network, options.level);
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    if (keys[i] < by_key.size() && by_key[keys[i]]) {
      Decision& decision = out[*by_key[keys[i]]];
      decision.edges.emplace_back(i);
      decision.observations.push_back(
          rules.add_observation(observation_of(network, EdgeId(i), decision, rules)));
    }
  return out;
}

Observation observation_of(const Network& network,
                           EdgeId id,
                           const Decision& decision,
                           CoverageRules& rules) {
  const Edge& edge = network.edges[id];
  const std::vector<ExprId> occurrences = clauses_of(network, edge.labels.guard);
  Observation out{.locations = {edge.source}};
  for (const VariableId select : edge.labels.selects)
    if (mentions(network.pool, edge.labels.guard, select))
      out.selects.push_back(select);
  for (std::size_t i = 0; i < occurrences.size(); ++i)
    if (decision.occurrences[i] == out.atoms.size())
      out.atoms.push_back({.expression = rules.adopt(network, occurrences[i])});
  return out;
}

void add_decision_item(const Decision& decision,
                       ItemFamilyId family,
                       const Arguments& arguments,
                       Item item,
                       FormulaId when,
                       CoverageRules& rules) {
  item.where = decision.where;
  const ItemId id = rules.add_item(family, arguments, std::move(item));
  if (!id.valid())
    return;
  std::vector<Term> terms;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    terms.push_back(Term::constant(arguments[i]));
  for (const ObservationId at : decision.observations) {
    rules.lead_to(at, id);
    rules.add_rule({.on = EventKind::kState,
                    .at = at,
                    .when = when,
                    .action = Rule::Action::kCover,
                    .item = family,
                    .arguments = terms});
  }
}

bool value_of(const CoverageRules& rules, FormulaId id, std::uint64_t values) {
  const Formula& formula = rules.formula(id);
  const auto left = [&] { return value_of(rules, formula.left, values); };
  const auto right = [&] { return value_of(rules, formula.right, values); };
  switch (formula.kind) {
    case Formula::Kind::kConstant:
      return formula.number != 0;
    case Formula::Kind::kAtom:
      return ((values >> formula.number) & 1) != 0;
    case Formula::Kind::kNot:
      return !left();
    case Formula::Kind::kAnd:
      return left() && right();
    case Formula::Kind::kOr:
      return left() || right();
    case Formula::Kind::kXor:
      return left() != right();
  }
  return false;
}

}  // namespace tw
