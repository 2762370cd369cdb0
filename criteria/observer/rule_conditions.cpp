// RuleChecker: each condition in its plain form.

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "criteria/observer/rule_checker.hpp"

namespace tw::observer {
namespace {

constexpr ValueType kOwners[] = {ValueType::kProcess, ValueType::kTemplate};

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return Relation::kGreater;
    case Relation::kLessEqual:
      return Relation::kGreaterEqual;
    case Relation::kGreater:
      return Relation::kLess;
    case Relation::kGreaterEqual:
      return Relation::kLessEqual;
    case Relation::kEqual:
    case Relation::kNotEqual:
      break;
  }
  return relation;
}

}  // namespace

void RuleChecker::lower(const Condition& condition) {
  inside_no_ = condition.negated;
  if (condition.last && !is_call(condition.left, "def")) {
    diagnostics_.error(condition.where, "'last' belongs before 'def'");
    return;
  }
  if (condition.kind == Condition::Kind::kCall)
    lower_call(condition);
  else
    lower_comparison(condition);
}

void RuleChecker::lower_call(const Condition& condition) {
  const Expression& call = condition.left;
  const std::string& name = call.text;
  if (call.kind != Expression::Kind::kCall || is_call(call, "loc") || is_call(call, "eval") ||
      is_call(call, "source") || is_call(call, "target") || is_call(call, "process") ||
      is_call(call, "template")) {
    diagnostics_.error(call.where, "this is no condition", "compare it: 'loc(P) == L'");
    return;
  }
  if (name == "def" || name == "use") {
    lower_access(condition);
  } else if (name == "initial") {
    if (has_arguments(call, 0, 0))
      out_.demands.push_back(
          {.kind = Demand::Kind::kInitial, .negated = condition.negated, .where = condition.where});
  } else if (name == "branchpoint") {
    if (!has_arguments(call, 1, 1))
      return;
    const std::optional<Side> left = side(call.arguments.front(), ValueType::kLocation);
    if (left)
      out_.demands.push_back(
          {.kind = Demand::Kind::kCheck,
           .where = condition.where,
           .relation = condition.negated ? Relation::kNotEqual : Relation::kEqual,
           .left = *left,
           .is_branchpoint = true});
  } else {
    out_.demands.push_back(fired(condition, call));
  }
}

void RuleChecker::lower_access(const Condition& condition) {
  const Expression& call = condition.left;
  if (!has_arguments(call, 1, 3))
    return;
  Demand out{.kind = Demand::Kind::kEvent,
             .negated = condition.negated,
             .where = condition.where,
             .on = call.text == "def" ? EventKind::kDefinition : EventKind::kUse,
             .last = condition.last};
  constexpr ValueType kCell = ValueType::kVariable;
  constexpr ValueType kEdge = ValueType::kEdge;
  out.role(Role::kCell) = operand(call.arguments[0], {&kCell, 1}, nullptr);
  if (call.arguments.size() > 1)
    out.role(Role::kEdge) = operand(call.arguments[1], {&kEdge, 1}, nullptr);
  if (call.arguments.size() > 2) {
    ValueType type = ValueType::kProcess;
    Operand owner = operand(call.arguments[2], kOwners, &type);
    out.role(type == ValueType::kProcess ? Role::kProcess : Role::kTemplate) = std::move(owner);
  }
  const bool plain = out.role(Role::kEdge).kind == Operand::Kind::kAny &&
                     out.role(Role::kProcess).kind == Operand::Kind::kAny &&
                     out.role(Role::kTemplate).kind == Operand::Kind::kAny;
  if (out.last && out.negated && !plain)
    diagnostics_.error(condition.where, "'no last def' cannot ask for an edge",
                       "'no def(V)' says that nobody defines V");
  out.last = out.last && !out.negated;
  out_.demands.push_back(std::move(out));
}

// An edge fires: edge(P) or event(P), of which nothing more is known yet.
Demand RuleChecker::fired(const Condition& condition, const Expression& call) {
  Demand out{.kind = Demand::Kind::kEvent,
             .negated = condition.negated,
             .where = condition.where,
             .on = EventKind::kFired};
  set_owner(call, out);
  if (call.text == "event")
    out.role(Role::kChannel) = set_operand(values_.domain(ValueType::kChannel));
  return out;
}

void RuleChecker::lower_comparison(const Condition& condition) {
  const Expression* left = &condition.left;
  const Expression* right = &condition.right;
  Relation relation = condition.relation;
  if (!is_dynamic(*left) && is_dynamic(*right)) {
    std::swap(left, right);
    relation = mirrored(relation);
  }
  const std::optional<ValueType> type = type_of(*left) ? type_of(*left) : type_of(*right);
  if (relation != Relation::kEqual && relation != Relation::kNotEqual && type &&
      *type != ValueType::kInt) {
    diagnostics_.error(condition.where, fmt::format("'{}' compares numbers, not values of type {}",
                                                    name_of(relation), name_of(*type)));
    return;
  }
  if (is_call(*left, "edge") || is_call(*left, "event"))
    lower_edge(condition, *left, *right, relation);
  else if (is_call(*left, "loc"))
    lower_location(condition, *left, *right, relation);
  else if (is_call(*left, "eval"))
    lower_value(condition, *left, *right, relation);
  else
    lower_check(condition, *left, *right, relation);
}

void RuleChecker::lower_edge(const Condition& c,
                             const Expression& left,
                             const Expression& right,
                             Relation relation) {
  const ValueType type = left.text == "edge" ? ValueType::kEdge : ValueType::kChannel;
  Demand out = fired(c, left);
  Operand value = operand(right, {&type, 1}, nullptr);
  Operand& role = out.role(left.text == "edge" ? Role::kEdge : Role::kChannel);
  if (relation == Relation::kEqual) {
    if (value.kind != Operand::Kind::kAny)
      role = std::move(value);
    out_.demands.push_back(std::move(out));
    return;
  }
  if (c.negated) {
    diagnostics_.error(c.where, "'no' with '!=' is not possible for what happens in a step",
                       "'no edge(P)' says that P takes none; list what must not happen");
    return;
  }
  const VariableNumber own = add_variable("", type);
  role = variable_operand(own);
  out_.demands.push_back(std::move(out));
  require(variable_operand(own), type, Relation::kNotEqual, std::move(value), c.where);
}

void RuleChecker::lower_location(const Condition& c,
                                 const Expression& left,
                                 const Expression& right,
                                 Relation relation) {
  constexpr ValueType kPlace = ValueType::kLocation;
  Demand out{.kind = Demand::Kind::kLocation, .where = c.where};
  set_owner(left, out);
  out.location = operand(right, {&kPlace, 1}, nullptr);
  const Operand& process = out.role(Role::kProcess);
  const bool one = process.is_variable() || process.set.size() == 1;
  bool negated = c.negated;
  if (one && relation == Relation::kNotEqual)
    negated = !negated;  // a process is always in exactly one location
  if (!one && relation == Relation::kNotEqual && negated) {
    diagnostics_.error(c.where, "'no' with '!=' needs one process", "name it: 'loc(P)'");
    return;
  }
  if (one ? !negated : (relation == Relation::kEqual && !negated)) {
    out_.demands.push_back(std::move(out));
    return;
  }
  if (!one && negated) {
    out.negated = true;
    out_.demands.push_back(std::move(out));
    return;
  }
  if (out.location.kind == Operand::Kind::kAny) {
    diagnostics_.error(c.where, "a process is always somewhere: this never holds");
    return;
  }
  Operand elsewhere = std::exchange(out.location, variable_operand(add_variable("", kPlace)));
  const Operand here = out.location;
  out_.demands.push_back(std::move(out));
  require(here, kPlace, Relation::kNotEqual, std::move(elsewhere), c.where);
}

void RuleChecker::lower_value(const Condition& c,
                              const Expression& left,
                              const Expression& right,
                              Relation relation) {
  constexpr ValueType kCell = ValueType::kVariable;
  constexpr ValueType kNumber = ValueType::kInt;
  const auto cell = [&](const Expression& call) -> Operand {
    if (!has_arguments(call, 1, 1))
      return {};
    Operand out = operand(call.arguments.front(), {&kCell, 1}, nullptr);
    const auto is_clock = [&](Value value) { return values_.network().is_clock(CellId(value)); };
    if (std::ranges::any_of(out.set, is_clock))
      diagnostics_.error(call.where, "a clock has no value that stays",
                         "'eval' is for integers and truth values");
    return out;
  };
  Demand out{.kind = Demand::Kind::kValue,
             .where = c.where,
             .relation = c.negated ? opposite(relation) : relation};
  out.role(Role::kCell) = cell(left);
  if (is_call(right, "eval"))
    out.other = cell(right);
  else
    out.number = operand(right, {&kNumber, 1}, nullptr);
  out_.demands.push_back(std::move(out));
}

void RuleChecker::lower_check(const Condition& c,
                              const Expression& left,
                              const Expression& right,
                              Relation relation) {
  const std::optional<ValueType> type = type_of(left) ? type_of(left) : type_of(right);
  if (!type) {
    diagnostics_.error(c.where, "cannot tell what is compared here",
                       "one side must be an argument, a number or a function such as edge(P)");
    return;
  }
  std::optional<Side> a = side(left, type);
  std::optional<Side> b = side(right, type);
  if (a && b)
    out_.demands.push_back({.kind = Demand::Kind::kCheck,
                            .where = c.where,
                            .relation = c.negated ? opposite(relation) : relation,
                            .left = std::move(*a),
                            .right = std::move(*b)});
}

void RuleChecker::require(
    Operand left, ValueType type, Relation relation, Operand right, SourceRange where) {
  out_.demands.push_back({.kind = Demand::Kind::kCheck,
                          .where = where,
                          .relation = relation,
                          .left = {.base = std::move(left), .type = type, .function = {}},
                          .right = {.base = std::move(right), .type = type, .function = {}}});
}

}  // namespace tw::observer
