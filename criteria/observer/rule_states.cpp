// What a rule asks of the new state: one observation for every combination of values that its
// conditions on the state speak of.

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "criteria/observer/cell_expression.hpp"
#include "criteria/observer/rule_compiler.hpp"

namespace tw::observer {
namespace {

ExprKind kind_of(Relation relation) {
  switch (relation) {
    case Relation::kEqual:
      return ExprKind::kEqual;
    case Relation::kNotEqual:
      return ExprKind::kNotEqual;
    case Relation::kLess:
      return ExprKind::kLess;
    case Relation::kLessEqual:
      return ExprKind::kLessEqual;
    case Relation::kGreater:
      return ExprKind::kGreater;
    case Relation::kGreaterEqual:
      return ExprKind::kGreaterEqual;
  }
  return ExprKind::kEqual;
}

// False if its process would be in two places.
bool add_location(const Network& network, LocationId location, Observation& observation) {
  const ProcessId process = network.locations[location].process;
  for (const LocationId other : observation.locations)
    if (network.locations[other].process == process)
      return other == location;
  observation.locations.push_back(location);
  return true;
}

}  // namespace

std::vector<VariableNumber> RuleCompiler::state_variables() const {
  std::set<VariableNumber> out;
  const auto is_state = [this](VariableNumber number) {
    return plan_.origins[number] == Origin::kState;
  };
  for (const Demand& demand : rule_.demands) {
    const std::vector<VariableNumber> own = variables_of(demand);
    if (demand.is_about_state() ||
        (demand.kind == Demand::Kind::kCheck && std::ranges::any_of(own, is_state)))
      out.insert(own.begin(), own.end());
  }
  for (VariableNumber i = 0; i < rule_.variables.size(); ++i)
    if (is_state(i) || places_ == 0)
      out.insert(i);
  return {out.begin(), out.end()};
}

void RuleCompiler::add_states() {
  const std::vector<VariableNumber> variables = state_variables();
  std::map<std::vector<Value>, std::vector<const Solution*>> groups;
  for (const Solution& solution : solutions_) {
    std::vector<Value> key;
    for (const VariableNumber variable : variables)
      key.push_back(solution.values[variable]);
    groups[std::move(key)].push_back(&solution);
  }
  if (groups.size() > kMostStates) {
    context_.diagnostics.error(rule_.where,
                               fmt::format("the rule asks for {} different states: more than {}",
                                           groups.size(), kMostStates),
                               "fix parameters with --observer, or ask for less at once");
    return;
  }
  const bool staged = begins_ || !events_.empty();
  const Stage full = everything_met();
  for (const auto& [key, members] : groups) {
    const std::vector<Value>& values = members.front()->values;
    Observation observation;
    FormulaId formula;
    if (!describe_state(values, observation, formula))
      continue;
    if (observation.atoms.size() > Observation::kMostAtoms) {
      context_.diagnostics.error(
          rule_.where, fmt::format("the rule asks {} questions about one state: more than {}",
                                   observation.atoms.size(), Observation::kMostAtoms));
      return;
    }
    tw::Rule rule{.on = EventKind::kState, .at = rules_.add_observation(observation)};
    rule.when = formula;
    if (staged) {
      rule.needs = TokenPattern{.family = family(full), .arguments = anything()};
      for (std::size_t i = 0; i < variables.size(); ++i)
        if (place_[variables[i]])
          rule.needs->arguments[*place_[variables[i]]] = Term::constant(key[i]);
    }
    const ObservationId at = rule.at;
    add_target(std::move(rule), &values);
    for (const Solution* member : members)
      for (const ItemId item : context_.nodes.leads_to(member->target))
        rules_.lead_to(at, item);
  }
}

// False if no state is like this.
bool RuleCompiler::describe_state(const std::vector<Value>& values,
                                  Observation& observation,
                                  FormulaId& formula) {
  return std::ranges::all_of(rule_.demands, [&](const Demand& demand) {
    return !demand.is_about_state() || describe(demand, values, observation, formula);
  });
}

void RuleCompiler::require(FormulaId& formula, FormulaId more) {
  formula = formula.valid() ? rules_.both(formula, more) : more;
}

FormulaId RuleCompiler::is_at(Observation& observation, LocationId location) {
  const Atom atom{.expression = {}, .location = location};
  const auto known = std::ranges::find(observation.atoms, atom);
  const auto number = static_cast<std::size_t>(known - observation.atoms.begin());
  if (known == observation.atoms.end())
    observation.atoms.push_back(atom);
  return rules_.atom(number);
}

bool RuleCompiler::describe(const Demand& demand,
                            const std::vector<Value>& values,
                            Observation& observation,
                            FormulaId& formula) {
  const Network& network = context_.values.network();
  if (demand.kind == Demand::Kind::kInitial) {
    if (!demand.negated)
      return std::ranges::all_of(network.processes, [&](const Process& process) {
        return add_location(network, process.initial, observation);
      });
    FormulaId all;
    for (const Process& process : network.processes)
      require(all, is_at(observation, process.initial));
    require(formula, rules_.negate(all));
    return true;
  }
  if (demand.kind == Demand::Kind::kLocation) {
    if (!demand.negated)
      return add_location(network, LocationId(values[demand.location.variable]), observation);
    const auto is_value = [&](const Operand& operand, Value value) {
      return operand.is_variable() ? values[operand.variable] == value : operand.admits(value);
    };
    for (std::size_t i = 0; i < network.locations.size(); ++i) {
      const ProcessId process = network.locations[LocationId(i)].process;
      if (is_value(demand.location, static_cast<Value>(i)) &&
          is_value(demand.role(Role::kProcess), static_cast<Value>(process.index())) &&
          is_value(demand.role(Role::kTemplate),
                   static_cast<Value>(network.processes[process].of_template.index())))
        require(formula, rules_.negate(is_at(observation, LocationId(i))));
    }
    return true;
  }
  const CellId cell(values[demand.role(Role::kCell).variable]);
  ExprId right;
  if (demand.other) {
    right = cell_expression(network, CellId(values[demand.other->variable]), rules_);
  } else {
    const Operand& wanted = demand.number;
    if (wanted.kind == Operand::Kind::kAny)
      return true;
    const std::int32_t number =
        decode(wanted.is_variable() ? values[wanted.variable] : wanted.set.front());
    if (demand.relation == Relation::kEqual) {
      if (number < network.cells[cell].low || number > network.cells[cell].high)
        return false;
      observation.cells.push_back({.cell = cell, .value = number});
      return true;
    }
    right = number_expression(network, number, rules_);
  }
  const std::array sides = {cell_expression(network, cell, rules_), right};
  observation.atoms.push_back(
      {.expression = rules_.pool().add(
           {.kind = kind_of(demand.relation), .type = network.types.bool_type()}, sides),
       .location = {}});
  require(formula, rules_.atom(observation.atoms.size() - 1));
  return true;
}

}  // namespace tw::observer
