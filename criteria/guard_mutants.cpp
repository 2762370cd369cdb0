#include "criteria/guard_mutants.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/model/print.hpp"

namespace tw {
namespace {

using Change = GuardMutant::Change;

// Truth tables of more clauses are not compared.
constexpr std::size_t kMostCompared = 12;
// A variable is replaced by so many others at most: those that follow it in the declarations.
constexpr std::size_t kMostReplacements = 4;

constexpr std::array kRelations = {ExprKind::kLess,         ExprKind::kLessEqual,
                                   ExprKind::kGreaterEqual, ExprKind::kGreater,
                                   ExprKind::kEqual,        ExprKind::kNotEqual};

bool is_and_or(ExprKind kind) { return kind == ExprKind::kAnd || kind == ExprKind::kOr; }

// Builds the formula of a guard with one node changed.
class Builder {
 public:
  Builder(const Network& network,
          CoverageRules& rules,
          const Decision& decision,
          const GuardMutant& mutant,
          std::size_t own)
      : network_(network),
        rules_(rules),
        decision_(decision),
        mutant_(mutant),
        own_(own) {}

  FormulaId build(ExprId id) {
    const std::size_t node = node_++;
    const bool here = node == mutant_.node;
    if (!is_connective(network_, id))
      return clause(here);
    const ExprKind kind = network_.pool[id].kind;
    if (here && mutant_.change == Change::kShiftRight)
      return shift_right(id);
    if (here && mutant_.change == Change::kShiftLeft)
      return shift_left(id);
    const FormulaId left = build(network_.pool.operand(id, 0));
    if (kind == ExprKind::kNot)
      return here ? left : rules_.negate(left);
    const FormulaId right = build(network_.pool.operand(id, 1));
    if (!here)
      return connect(kind, left, right);
    switch (mutant_.change) {
      case Change::kLeft:
        return left;
      case Change::kRight:
        return right;
      case Change::kSwap:
        return connect(kind == ExprKind::kAnd ? ExprKind::kOr : ExprKind::kAnd, left, right);
      default:
        return rules_.negate(connect(kind, left, right));
    }
  }

 private:
  FormulaId clause(bool here) {
    const FormulaId plain = decision_.clause[decision_.occurrences[occurrence_++]];
    if (!here)
      return plain;
    switch (mutant_.change) {
      case Change::kNegate:
        return rules_.negate(plain);
      case Change::kFalse:
        return rules_.constant(false);
      case Change::kTrue:
        return rules_.constant(true);
      default:
        return rules_.atom(own_);
    }
  }

  FormulaId connect(ExprKind kind, FormulaId left, FormulaId right) {
    return tw::connect(rules_, kind, left, right);
  }

  FormulaId shift_right(ExprId id) {
    const ExprId inner = network_.pool.operand(id, 1);
    const FormulaId x = build(network_.pool.operand(id, 0));
    ++node_;  // the inner connective
    const FormulaId y = build(network_.pool.operand(inner, 0));
    const FormulaId z = build(network_.pool.operand(inner, 1));
    return connect(network_.pool[inner].kind, connect(network_.pool[id].kind, x, y), z);
  }

  FormulaId shift_left(ExprId id) {
    const ExprId inner = network_.pool.operand(id, 0);
    ++node_;
    const FormulaId x = build(network_.pool.operand(inner, 0));
    const FormulaId y = build(network_.pool.operand(inner, 1));
    const FormulaId z = build(network_.pool.operand(id, 1));
    return connect(network_.pool[inner].kind, x, connect(network_.pool[id].kind, y, z));
  }

  const Network& network_;
  CoverageRules& rules_;
  const Decision& decision_;
  const GuardMutant& mutant_;
  std::size_t own_;
  std::size_t node_ = 0;
  std::size_t occurrence_ = 0;
};

}  // namespace

std::vector<GuardMutant> GuardMutants::all(const Decision& decision) {
  static_cast<void>(variables());
  std::vector<GuardMutant> out;
  std::size_t node = 0;
  std::size_t occurrence = 0;
  visit(guard_, node, occurrence, out);
  std::erase_if(out, [&](const GuardMutant& mutant) { return is_equal(decision, mutant); });
  return out;
}

void GuardMutants::visit(ExprId id,
                         std::size_t& node,
                         std::size_t& occurrence,
                         std::vector<GuardMutant>& out) const {
  const std::size_t own = node++;
  if (!is_connective(network_, id)) {
    add_clause(id, own, occurrence++, out);
    return;
  }
  add_connective(id, own, out);
  for (const ExprId part : network_.pool.operands(id))
    visit(part, node, occurrence, out);
}

void GuardMutants::add_connective(ExprId id,
                                  std::size_t node,
                                  std::vector<GuardMutant>& out) const {
  const auto add = [&](std::string_view op, Change change, std::string label) {
    out.push_back({.op = op, .label = std::move(label), .change = change, .node = node});
  };
  const std::string text = print_expression(network_, id);
  const ExprKind kind = network_.pool[id].kind;
  add("enf", Change::kNegate, fmt::format("{} is negated", text));
  if (!is_and_or(kind))
    return;
  const ExprId left = network_.pool.operand(id, 0);
  const ExprId right = network_.pool.operand(id, 1);
  add("orf", Change::kSwap,
      fmt::format("{} becomes {} in {}", spelling(kind), kind == ExprKind::kAnd ? "||" : "&&",
                  text));
  add("mlf", Change::kLeft,
      fmt::format("{} is left out of {}", print_expression(network_, right), text));
  add("mlf", Change::kRight,
      fmt::format("{} is left out of {}", print_expression(network_, left), text));
  const auto differs = [&](ExprId inner) {
    return is_and_or(network_.pool[inner].kind) && network_.pool[inner].kind != kind;
  };
  if (differs(right))
    add("asf", Change::kShiftRight, fmt::format("no parentheses on the right in {}", text));
  if (differs(left))
    add("asf", Change::kShiftLeft, fmt::format("no parentheses on the left in {}", text));
}

void GuardMutants::add_clause(ExprId id,
                              std::size_t node,
                              std::size_t occurrence,
                              std::vector<GuardMutant>& out) const {
  const std::string text = print_expression(network_, id);
  const auto add = [&](std::string_view op, Change change, std::string_view what) {
    out.push_back({.op = op,
                   .label = fmt::format("{} {}", text, what),
                   .change = change,
                   .node = node,
                   .occurrence = occurrence});
  };
  add("lnf", Change::kNegate, "is negated");
  add("st0", Change::kFalse, "is always false");
  add("st1", Change::kTrue, "is always true");
  std::vector<std::size_t> path;
  const std::size_t first = out.size();
  add_parts(id, id, path, occurrence, out);
  for (std::size_t i = first; i < out.size(); ++i) {
    out[i].node = node;
    out[i].label = text;
  }
}

// Calls are left alone: their arguments may have to be variables.
void GuardMutants::add_parts(ExprId clause,
                             ExprId part,
                             std::vector<std::size_t>& path,
                             std::size_t occurrence,
                             std::vector<GuardMutant>& out) const {
  const Expression& e = network_.pool[part];
  const auto kind_of = [&](ExprId id) { return network_.types[network_.pool[id].type].kind; };
  const auto add = [&](GuardMutant mutant) {
    mutant.occurrence = occurrence;
    mutant.path = path;
    out.push_back(std::move(mutant));
  };
  if (is_comparison(e.kind)) {
    const auto is_number = [&](ExprId id) {
      return kind_of(id) == TypeKind::kInt || kind_of(id) == TypeKind::kClock;
    };
    const bool ordered = std::ranges::all_of(network_.pool.operands(part), is_number);
    for (const ExprKind relation : kRelations) {
      const bool equality = relation == ExprKind::kEqual || relation == ExprKind::kNotEqual;
      // A clock that is not equal to something is in one of two zones.
      if (relation != e.kind && (ordered || equality) &&
          !(e.timed && relation == ExprKind::kNotEqual))
        add({.op = "rof", .change = Change::kOperator, .relation = relation});
    }
  }
  const bool named_constant = e.kind == ExprKind::kVariable && kind_of(part) == TypeKind::kInt &&
                              network_.variables[e.variable()].storage == Storage::kConstant;
  if ((e.kind == ExprKind::kConstant && kind_of(part) == TypeKind::kInt) || named_constant)
    for (const std::int32_t offset : {1, -1})
      add({.op = "crf", .change = Change::kConstant, .offset = offset});
  if (e.kind == ExprKind::kVariable) {
    const auto at = std::ranges::find(variables_, e.variable());
    std::size_t replaced = 0;
    for (std::size_t i = 1; at != variables_.end() && i < variables_.size(); ++i) {
      const std::size_t next =
          (static_cast<std::size_t>(at - variables_.begin()) + i) % variables_.size();
      if (network_.types[network_.variables[variables_[next]].type].kind != kind_of(part))
        continue;
      add({.op = "vrf", .change = Change::kVariable, .variable = variables_[next]});
      if (++replaced == kMostReplacements)
        break;
    }
  }
  if (e.kind == ExprKind::kCall || e.kind == ExprKind::kForall || e.kind == ExprKind::kExists ||
      e.kind == ExprKind::kSum || e.kind == ExprKind::kRate)
    return;
  const std::size_t parts = network_.pool.operands(part).size();
  for (std::size_t i = 0; i < parts; ++i) {
    // Other elements of an array or struct are other variables; only the index may change.
    if ((e.kind == ExprKind::kIndex && i == 0) || e.kind == ExprKind::kField)
      continue;
    path.push_back(i);
    add_parts(clause, network_.pool.operand(part, i), path, occurrence, out);
    path.pop_back();
  }
}

// Globals and locals of the template that are single numbers, truth values or clocks.
const std::vector<VariableId>& GuardMutants::variables() {
  if (!variables_.empty())
    return variables_;
  TemplateId owner;
  for (const EdgeDecl& decl : network_.edge_decls)
    if (decl.labels.guard == guard_)
      owner = decl.owner;
  for (std::size_t i = 0; i < network_.variables.size(); ++i) {
    const Variable& variable = network_.variables[VariableId(i)];
    const TypeKind kind = network_.types[variable.type].kind;
    const bool single =
        kind == TypeKind::kInt || kind == TypeKind::kBool || kind == TypeKind::kClock;
    const bool global = variable.role == Role::kGlobal;
    const bool local =
        variable.role == Role::kLocal && variable.prototype && variable.owner_template == owner;
    if (single && variable.storage == Storage::kState && (global || local))
      variables_.emplace_back(i);
  }
  return variables_;
}

bool GuardMutants::is_equal(const Decision& decision, const GuardMutant& mutant) {
  const std::size_t clauses = decision.clauses.size();
  if (clauses > kMostCompared)
    return false;
  // A clause of its own may be anything, so it is one more variable.
  const FormulaId changed = formula(decision, mutant, clauses);
  const std::size_t variables = clauses + (mutant.has_clause() ? 1U : 0U);
  for (std::uint64_t values = 0; values < (std::uint64_t{1} << variables); ++values)
    if (value_of(rules_, changed, values) != value_of(rules_, decision.guard, values))
      return false;
  return true;
}

FormulaId GuardMutants::formula(const Decision& decision,
                                const GuardMutant& mutant,
                                std::size_t own) {
  return Builder(network_, rules_, decision, mutant, own).build(guard_);
}

ExprId GuardMutants::clause(const GuardMutant& mutant, ProcessId process, ExprId occurrence) {
  return rebuild(mutant, process, occurrence, 0);
}

ExprId GuardMutants::rebuild(const GuardMutant& mutant,
                             ProcessId process,
                             ExprId part,
                             std::size_t depth) {
  Expression copy = network_.pool[part];
  copy.first_operand = 0;
  copy.operand_count = 0;
  std::vector<ExprId> operands;
  const bool here = depth == mutant.path.size();
  for (std::size_t i = 0; i < network_.pool.operands(part).size(); ++i) {
    const ExprId operand = network_.pool.operand(part, i);
    operands.push_back(!here && mutant.path[depth] == i
                           ? rebuild(mutant, process, operand, depth + 1)
                           : rules_.adopt(network_, operand));
  }
  if (!here)
    return rules_.pool().add(copy, operands);
  if (mutant.change == Change::kOperator) {
    copy.kind = mutant.relation;
    return rules_.pool().add(copy, operands);
  }
  const TypeId whole = network_.types.int_type();
  if (mutant.change == Change::kConstant) {
    if (copy.kind == ExprKind::kConstant)
      return rules_.pool().add(
          {.kind = ExprKind::kConstant,
           .type = whole,
           .where = copy.where,
           .payload = static_cast<std::uint32_t>(copy.value() + mutant.offset)});
    const std::array sides = {
        rules_.adopt(network_, part),
        rules_.pool().add({.kind = ExprKind::kConstant, .type = whole, .payload = 1})};
    return rules_.pool().add(
        {.kind = mutant.offset > 0 ? ExprKind::kAdd : ExprKind::kSubtract, .type = whole}, sides);
  }
  // The process has a copy of what the template declares.
  VariableId variable = mutant.variable;
  if (process.valid())
    for (const VariableId own : network_.processes[process].variables)
      if (network_.variables[own].made_from == mutant.variable)
        variable = own;
  return rules_.pool().add({.kind = ExprKind::kVariable,
                            .timed = copy.timed,
                            .type = network_.variables[variable].type,
                            .where = copy.where,
                            .payload = static_cast<std::uint32_t>(variable.index())});
}

}  // namespace tw
