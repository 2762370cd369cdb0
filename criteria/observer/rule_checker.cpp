#include "criteria/observer/rule_checker.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace tw::observer {
namespace {

constexpr ValueType kOwners[] = {ValueType::kProcess, ValueType::kTemplate};

std::string list_of(std::span<const ValueType> types) {
  std::string out;
  for (const ValueType type : types)
    out += (out.empty() ? "" : " or ") + std::string(kind_in_words(type));
  return out;
}

}  // namespace

RuleChecker::RuleChecker(const Observer& observer,
                         const Program& program,
                         const Rule& rule,
                         const ModelValues& values,
                         Diagnostics& diagnostics)
    : observer_(observer),
      program_(program),
      rule_(rule),
      values_(values),
      diagnostics_(diagnostics) {}

CheckedRule RuleChecker::run(const std::vector<std::optional<std::vector<Value>>>& fixed) {
  const std::size_t before = diagnostics_.errors();
  out_.where = rule_.where;
  declare_variables();
  infer_types();
  for (const Condition& condition : rule_.conditions)
    lower(condition);
  const auto target = std::ranges::find(program_.nodes, rule_.target.node.text, &CheckedNode::name);
  out_.target = static_cast<std::size_t>(target - program_.nodes.begin());
  for (std::size_t i = 0; i < target->positions.size(); ++i)
    out_.target_arguments.push_back(
        i < program_.parameters.size()
            ? static_cast<VariableNumber>(i)
            : variable_for(rule_.target.arguments[i - program_.parameters.size()],
                           target->positions[i]));
  // From other nodes than start parameters come with their values.
  for (std::size_t i = 0; !out_.source && i < fixed.size(); ++i)
    if (fixed[i])
      require(variable_operand(static_cast<VariableNumber>(i)), program_.parameters[i].type,
              Relation::kEqual, set_operand(*fixed[i]), observer_.parameters[i].name.where);
  if (diagnostics_.errors() == before) {
    name_parts();
    check_bound();
  }
  return std::move(out_);
}

// --- Variables

VariableNumber RuleChecker::add_variable(std::string name, ValueType type) {
  const auto number = static_cast<VariableNumber>(out_.variables.size());
  if (!name.empty())
    known_.emplace(name, number);
  out_.variables.push_back({.name = std::move(name), .type = type});
  return number;
}

void RuleChecker::declare_variables() {
  for (const CheckedParameter& parameter : program_.parameters)
    (void)add_variable(parameter.name, parameter.type);
  const auto source = std::ranges::find(program_.nodes, rule_.source.node.text, &CheckedNode::name);
  if (source != program_.nodes.end()) {
    out_.source = static_cast<std::size_t>(source - program_.nodes.begin());
    for (std::size_t i = 0; i < program_.parameters.size(); ++i)
      out_.source_arguments.push_back(static_cast<VariableNumber>(i));
  }
  for (std::size_t i = 0; i < rule_.source.arguments.size(); ++i) {
    const Expression& argument = rule_.source.arguments[i];
    const ValueType type = source->positions[program_.parameters.size() + i];
    const bool fresh =
        is_plain(argument) && argument.text != kAnything && !known_.contains(argument.text);
    const VariableNumber own = add_variable(fresh ? argument.text : "", type);
    out_.source_arguments.push_back(own);
    // The same name twice, or something of the model, is a condition.
    if (!fresh && argument.text != kAnything)
      require(variable_operand(own), type, Relation::kEqual, operand(argument, {&type, 1}, nullptr),
              argument.where);
  }
  for (const auto* list : {&rule_.source.arguments, &rule_.target.arguments})
    for (const Expression& argument : *list)
      count(argument);
  for (const Condition& condition : rule_.conditions) {
    count(condition.left);
    if (condition.kind != Condition::Kind::kCall)
      count(condition.right);
  }
}

void RuleChecker::count(const Expression& expression) {
  if (is_plain(expression))
    ++occurrences_[expression.text];
  for (const Expression& argument : expression.arguments)
    count(argument);
}

std::optional<ValueType> RuleChecker::type_of(const Expression& expression) const {
  switch (expression.kind) {
    case Expression::Kind::kNumber:
      return ValueType::kInt;
    case Expression::Kind::kName: {
      if (const auto known = known_.find(expression.text); known != known_.end())
        return out_.variables[known->second].type;
      const auto guess = types_.find(expression.text);
      return guess == types_.end() ? std::nullopt : std::optional(guess->second);
    }
    case Expression::Kind::kCall:
      if (expression.text == "edge")
        return ValueType::kEdge;
      if (expression.text == "loc" || expression.text == "source" || expression.text == "target")
        return ValueType::kLocation;
      if (expression.text == "event")
        return ValueType::kChannel;
      if (expression.text == "eval")
        return ValueType::kInt;
      if (expression.text == "process")
        return ValueType::kProcess;
      if (expression.text == "template")
        return ValueType::kTemplate;
      break;
  }
  return std::nullopt;
}

// True if something was learnt.
bool RuleChecker::infer(const Expression& expression, std::optional<ValueType> type) {
  if (expression.kind == Expression::Kind::kName)
    return type && is_plain(expression) && expression.text != kAnything &&
           !known_.contains(expression.text) && types_.emplace(expression.text, *type).second;
  bool learnt = false;
  for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
    std::optional<ValueType> expected;
    if (expression.text == "def" || expression.text == "use")
      expected = i == 0 ? ValueType::kVariable : i == 1 ? ValueType::kEdge : ValueType::kProcess;
    else if (expression.text == "eval")
      expected = ValueType::kVariable;
    else if (expression.text == "source" || expression.text == "target")
      expected = ValueType::kEdge;
    else if (is_dynamic(expression))
      expected = ValueType::kProcess;
    learnt = infer(expression.arguments[i], expected) || learnt;
  }
  return learnt;
}

void RuleChecker::infer_types() {
  const auto target = std::ranges::find(program_.nodes, rule_.target.node.text, &CheckedNode::name);
  for (std::size_t i = 0; i < rule_.target.arguments.size(); ++i)
    infer(rule_.target.arguments[i], target->positions[program_.parameters.size() + i]);
  for (bool more = true; more;) {
    more = false;
    for (const Condition& condition : rule_.conditions) {
      const bool two = condition.kind != Condition::Kind::kCall;
      more = infer(condition.left, two ? type_of(condition.right) : std::nullopt) || more;
      more = (two && infer(condition.right, type_of(condition.left))) || more;
    }
  }
  // What `:=` gives a value to is a variable, even if the model has something of this name.
  for (const Condition& condition : rule_.conditions) {
    if (condition.kind != Condition::Kind::kBind)
      continue;
    if (!is_plain(condition.left) || condition.left.text == kAnything) {
      diagnostics_.error(condition.left.where, "only a plain name can be given a value",
                         "write '==' to compare");
      continue;
    }
    const auto type = types_.find(condition.left.text);
    if (type != types_.end() && !known_.contains(condition.left.text))
      (void)add_variable(condition.left.text, type->second);
  }
}

VariableNumber RuleChecker::variable_for(const Expression& argument, ValueType type) {
  Operand found = operand(argument, {&type, 1}, nullptr);
  if (found.is_variable())
    return found.variable;
  if (found.kind == Operand::Kind::kAny && argument.text == kAnything)
    diagnostics_.error(argument.where, "an argument of the target needs a value");
  const VariableNumber own = add_variable("", type);
  require(variable_operand(own), type, Relation::kEqual, std::move(found), argument.where);
  return own;
}

// Gives variables to what later stages must tell apart value by value: where a process is, which
// cell is looked at, which one was defined last, the only edge a rule of start speaks of, and what
// happens where something of the same kind must not (is_denied).
void RuleChecker::name_parts() {
  const auto name = [this](Operand& part, ValueType type, SourceRange where) {
    if (part.is_variable())
      return;
    Operand old = std::exchange(part, variable_operand(add_variable("", type)));
    const Operand own = part;  // adding a demand moves the old ones
    if (old.kind == Operand::Kind::kSet)
      require(own, type, Relation::kEqual, std::move(old), where);
  };
  const bool direct = !out_.source && std::ranges::count_if(out_.demands, [](const Demand& demand) {
                                        return demand.kind != Demand::Kind::kCheck;
                                      }) == 1;
  for (std::size_t i = 0; i < out_.demands.size(); ++i) {
    const Demand::Kind kind = out_.demands[i].kind;
    const SourceRange where = out_.demands[i].where;
    if (out_.demands[i].negated)
      continue;
    if (kind == Demand::Kind::kLocation)
      name(out_.demands[i].location, ValueType::kLocation, where);
    if (kind == Demand::Kind::kValue || out_.demands[i].last)
      name(out_.demands[i].role(Role::kCell), ValueType::kVariable, where);
    if (out_.demands[i].other)
      name(*out_.demands[i].other, ValueType::kVariable, where);
    if (kind != Demand::Kind::kEvent)
      continue;
    const EventKind on = out_.demands[i].on;
    const bool contested = std::ranges::any_of(out_.demands, [on](const Demand& other) {
      return other.kind == Demand::Kind::kEvent && other.negated && other.on == on;
    });
    if ((on == EventKind::kFired && direct) || contested)
      name(out_.demands[i].role(Role::kEdge), ValueType::kEdge, where);
    if (on != EventKind::kFired && contested)
      name(out_.demands[i].role(Role::kCell), ValueType::kVariable, where);
  }
}

// Every variable has a source of values.
void RuleChecker::check_bound() {
  std::vector<bool> bound(out_.variables.size());
  for (const VariableNumber number : out_.source_arguments)
    bound[number] = true;
  const std::size_t parameters = program_.parameters.size();
  for (std::size_t i = 0; i < parameters; ++i)
    bound[i] = bound[i] || out_.variables[i].type != ValueType::kInt;
  const auto has_value = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::kSet ||
           (operand.is_variable() && bound[operand.variable]);
  };
  bool more = true;
  const auto bind = [&](const Operand& operand) {
    if (!operand.is_variable() || bound[operand.variable])
      return;
    bound[operand.variable] = true;
    more = true;
  };
  while (std::exchange(more, false)) {
    for (const Demand& demand : out_.demands) {
      if (demand.negated)
        continue;
      for (const Operand& role : demand.roles)
        bind(role);
      bind(demand.location);
      if (demand.other)
        bind(*demand.other);
      if (demand.relation != Relation::kEqual || demand.is_branchpoint)
        continue;
      bind(demand.number);
      if (!demand.left.function && has_value(demand.right.base))
        bind(demand.left.base);
      if (!demand.right.function && has_value(demand.left.base))
        bind(demand.right.base);
    }
  }
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (bound[i])
      continue;
    if (i < parameters)
      diagnostics_.error(observer_.parameters[i].name.where,
                         fmt::format("'{}' has no range of values", out_.variables[i].name),
                         fmt::format("give one: --observer {}=NUMBER", out_.variables[i].name));
    else
      diagnostics_.error(rule_.where,
                         fmt::format("'{}' gets no value in this rule", out_.variables[i].name),
                         "bind it, for example by 'E := edge(P)' or 'def(V, E)' without 'no'; '_' "
                         "stands for anything");
  }
}

// --- Expressions

bool RuleChecker::has_arguments(const Expression& call, std::size_t least, std::size_t most) {
  if (call.arguments.size() >= least && call.arguments.size() <= most)
    return true;
  diagnostics_.error(call.where, fmt::format("'{}' takes {} argument{}, not {}", call.text,
                                             least == most ? fmt::format("{}", least)
                                                           : fmt::format("{} to {}", least, most),
                                             most == 1 ? "" : "s", call.arguments.size()));
  return false;
}

void RuleChecker::set_owner(const Expression& call, Demand& demand) {
  if (!has_arguments(call, 0, 1) || call.arguments.empty())
    return;
  ValueType type = ValueType::kProcess;
  Operand owner = operand(call.arguments.front(), kOwners, &type);
  demand.role(type == ValueType::kProcess ? Role::kProcess : Role::kTemplate) = std::move(owner);
}

void RuleChecker::refuse_name(const Expression& name, Types types, const std::string& hint) {
  diagnostics_.error(name.where, fmt::format("unknown {} '{}'", list_of(types), name.text),
                     !hint.empty() ? hint
                     : is_plain(name)
                         ? "an argument gets its value elsewhere in the rule; '_' is anything"
                         : "names are those of item ids, as in 'generate --format csv'");
}

Operand RuleChecker::operand(const Expression& expression, Types types, ValueType* found) {
  const auto is_wanted = [&](ValueType type) {
    if (found != nullptr)
      *found = type;
    return std::ranges::find(types, type) != types.end();
  };
  const auto check = [&](ValueType type, std::string_view what) {
    if (is_wanted(type))
      return true;
    if (found != nullptr)
      *found = types.front();
    diagnostics_.error(expression.where, fmt::format("'{}' is of type {}; expected: {}", what,
                                                     name_of(type), list_of(types)));
    return false;
  };
  if (expression.kind == Expression::Kind::kNumber)
    return check(ValueType::kInt, fmt::format("{}", expression.number))
               ? set_operand({encode(expression.number)})
               : Operand();
  if (expression.kind == Expression::Kind::kCall)
    return nested(expression, types, found);
  if (expression.text == kAnything)
    return {};
  if (const auto known = known_.find(expression.text); known != known_.end()) {
    check(out_.variables[known->second].type, expression.text);
    return variable_operand(known->second);
  }
  std::string hint;
  for (const ValueType type : types) {
    std::string other;
    std::vector<Value> values = values_.find(type, expression.text, other);
    if (!values.empty()) {
      is_wanted(type);
      return set_operand(std::move(values));
    }
    hint = hint.empty() ? other : hint;
  }
  const auto guess = types_.find(expression.text);
  if (is_plain(expression) && occurrences_[expression.text] > 1 && guess != types_.end()) {
    check(guess->second, expression.text);
    return variable_operand(add_variable(expression.text, guess->second));
  }
  refuse_name(expression, types, hint);
  return {};
}

// A call where a value is asked for: it gets a variable of its own.
Operand RuleChecker::nested(const Expression& call, Types types, ValueType* found) {
  const std::optional<ValueType> type = type_of(call);
  if (!type || std::ranges::find(types, *type) == types.end()) {
    diagnostics_.error(call.where, fmt::format("'{}' is no {}", call.text, list_of(types)));
    return {};
  }
  if (found != nullptr)
    *found = *type;
  const VariableNumber own = add_variable("", *type);
  const std::string name = fmt::format("#{}", own);  // no name that could be written
  known_.emplace(name, own);
  const Condition bind{.kind = Condition::Kind::kCompare,
                       .left = call,
                       .right = {.text = name, .where = call.where},
                       .where = call.where};
  if (is_dynamic(call) && inside_no_) {
    diagnostics_.error(call.where, fmt::format("'{}' cannot stand inside 'no' here", call.text),
                       "give its value to a name in a condition before: 'E := edge(P)'");
    return variable_operand(own);
  }
  lower_comparison(bind);
  return variable_operand(own);
}

std::optional<Side> RuleChecker::side(const Expression& expression,
                                      std::optional<ValueType> wanted) {
  if (wanted && type_of(expression) && *type_of(expression) != *wanted) {
    diagnostics_.error(expression.where,
                       fmt::format("this is a value of type {}; expected: {}",
                                   name_of(*type_of(expression)), kind_in_words(*wanted)));
    return std::nullopt;
  }
  const bool is_function = expression.kind == Expression::Kind::kCall && !is_dynamic(expression);
  if (!is_function) {
    const ValueType type = wanted.value_or(ValueType::kInt);
    const std::size_t before = diagnostics_.errors();
    Operand base = operand(expression, {&type, 1}, nullptr);
    if (base.kind == Operand::Kind::kAny && diagnostics_.errors() == before)
      diagnostics_.error(expression.where, "'_' cannot be compared");
    return diagnostics_.errors() == before
               ? std::optional(Side{.base = std::move(base), .type = type, .function = {}})
               : std::nullopt;
  }
  if (!type_of(expression)) {
    diagnostics_.error(expression.where, fmt::format("'{}' has no value", expression.text));
    return std::nullopt;
  }
  if (!has_arguments(expression, 1, 1))
    return std::nullopt;
  // What it may be applied to; names of the model are looked up in this order.
  constexpr ValueType kEdges[] = {ValueType::kEdge};
  constexpr ValueType kPlaces[] = {ValueType::kEdge, ValueType::kLocation};
  constexpr ValueType kOwned[] = {ValueType::kEdge, ValueType::kLocation, ValueType::kProcess};
  const Function function = expression.text == "source"    ? Function::kSource
                            : expression.text == "target"  ? Function::kTarget
                            : expression.text == "process" ? Function::kProcess
                                                           : Function::kTemplate;
  const Types types = function == Function::kProcess    ? Types(kPlaces)
                      : function == Function::kTemplate ? Types(kOwned)
                                                        : Types(kEdges);
  ValueType type = types.front();
  const std::size_t before = diagnostics_.errors();
  Operand base = operand(expression.arguments.front(), types, &type);
  if (base.kind == Operand::Kind::kAny && diagnostics_.errors() == before)
    diagnostics_.error(expression.where, "'_' cannot be compared");
  if (diagnostics_.errors() != before)
    return std::nullopt;
  return Side{.base = std::move(base), .type = type, .function = function};
}

}  // namespace tw::observer
