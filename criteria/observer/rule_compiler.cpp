#include "criteria/observer/rule_compiler.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace tw::observer {
namespace {

bool has_set(const Demand& demand, bool cell) {
  for (std::size_t i = 0; i < kRoles; ++i)
    if ((static_cast<Role>(i) == Role::kCell) == cell &&
        demand.roles[i].kind == Operand::Kind::kSet)
      return true;
  return false;
}

// The role that tells the value of a variable of this type.
Role role_of(const Demand& demand, VariableNumber variable) {
  for (std::size_t i = 0; i < kRoles; ++i)
    if (demand.roles[i].is_variable() && demand.roles[i].variable == variable)
      return static_cast<Role>(i);
  return Role::kEdge;
}

bool mentions(const Demand& demand, VariableNumber variable) {
  return std::ranges::any_of(demand.roles, [variable](const Operand& role) {
    return role.is_variable() && role.variable == variable;
  });
}

}  // namespace

RuleCompiler::RuleCompiler(const RuleContext& context, std::size_t rule, const Plan& plan)
    : context_(context),
      rule_(context.program.rules[rule]),
      plan_(plan),
      solutions_(context.graph.solutions[rule]),
      rules_(context.rules) {
  for (const Demand& demand : rule_.demands) {
    about_state_ = about_state_ || demand.is_about_state();
    if (demand.kind == Demand::Kind::kEvent)
      (demand.negated ? denied_ : events_).push_back(&demand);
  }
}

void RuleCompiler::run() {
  if (events_.size() > kMostEvents) {
    context_.diagnostics.error(
        rule_.where, fmt::format("the rule asks for {} things to happen in one step: more than {}",
                                 events_.size(), kMostEvents));
    return;
  }
  if (plan_.is_direct && add_direct())
    return;
  // What start wants to know of states alone is seen in the first one, too.
  if (!rule_.source && events_.empty() && denied_.empty() && about_state_) {
    place_.resize(rule_.variables.size());
    add_states();
    return;
  }
  if (!plan_stage())
    return;
  if (begins_)
    add_begin();
  add_moves();
  add_drops();
  if (about_state_)
    add_states();
  else
    add_end();
}

// --- Stages

bool RuleCompiler::plan_stage() {
  place_.resize(rule_.variables.size());
  for (std::size_t i = 0; i < rule_.variables.size(); ++i)
    if (plan_.origins[i] != Origin::kState)
      place_[i] = places_++;
  for (const Demand& demand : rule_.demands) {
    if (demand.kind != Demand::Kind::kEvent)
      continue;
    if (has_set(demand, false) && !edge_slot_)
      edge_slot_ = places_++;
    if (has_set(demand, true) && !cell_slot_)
      cell_slot_ = places_++;
  }
  const bool grounds =
      std::ranges::any_of(plan_.origins, [](Origin origin) { return origin == Origin::kGround; });
  begins_ = rule_.source.has_value() || grounds || !denied_.empty() || events_.empty();
  if (places_ <= Arguments::kMost)
    return true;
  context_.diagnostics.error(rule_.where,
                             fmt::format("the rule has to remember {} values in a step: more than "
                                         "{}",
                                         places_, Arguments::kMost));
  return false;
}

TokenFamilyId RuleCompiler::family(Stage stage) {
  const auto [at, is_new] = families_.try_emplace(stage);
  if (!is_new)
    return at->second;
  const bool is_full = std::popcount(stage) == static_cast<int>(events_.size());
  // What no event can check is checked by membership: of the last stage, which has all values.
  const bool closed = is_full && plan_.has_tests;
  const TokenFamilyId own = rules_.add_token_family(
      {.name = fmt::format("{} in this step", context_.program.nodes[rule_.target].name),
       .lifetime = Lifetime::kThisStep,
       .open = !closed});
  at->second = own;
  if (closed)
    add_members(own);
  return own;
}

void RuleCompiler::add_members(TokenFamilyId family) {
  std::map<std::vector<Value>, std::vector<ItemId>> members;
  for (const Solution& solution : solutions_) {
    std::vector<Value> arguments(places_, 0);
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (place_[i])
        arguments[*place_[i]] = solution.values[i];
    const std::vector<ItemId>& items = context_.nodes.leads_to(solution.target);
    std::vector<ItemId>& all = members[arguments];
    all.insert(all.end(), items.begin(), items.end());
  }
  for (auto& [values, items] : members) {
    Arguments arguments;
    for (const Value value : values)
      arguments.push_back(value);
    rules_.add_token(family, arguments, std::move(items));
  }
}

// One edge decides everything: tables say what it leads to.
bool RuleCompiler::add_direct() {
  if (context_.nodes.is_dropped(rule_.target))
    return false;
  const auto event = std::ranges::find(rule_.demands, Demand::Kind::kEvent, &Demand::kind);
  const VariableNumber edge = event->role(Role::kEdge).variable;
  const std::size_t count = context_.values.bound(ValueType::kEdge);
  std::vector<std::vector<std::uint32_t>> tables(rule_.target_arguments.size(),
                                                 std::vector<std::uint32_t>(count, kNoValue));
  std::vector<std::optional<InstanceNumber>> target(count);
  for (const Solution& solution : solutions_) {
    const Value at = solution.values[edge];
    if (target[at] && *target[at] != solution.target)
      return false;
    target[at] = solution.target;
    const Arguments& arguments = context_.graph.instances[solution.target].arguments;
    for (std::size_t i = 0; i < tables.size(); ++i)
      tables[i][at] = arguments[i];
  }
  // Without arguments the table must still say which edges.
  const auto decided = std::ranges::count_if(
      target, [](const std::optional<InstanceNumber>& known) { return known.has_value(); });
  if (tables.empty() && static_cast<std::size_t>(decided) + 1 != count)
    return false;
  const std::size_t node = rule_.target;
  std::vector<Term> token;
  for (const std::vector<std::uint32_t>& table : tables)
    token.push_back(Term::edge(rules_.add_map(table)));
  if (context_.nodes.tokens(node).valid())
    rules_.add_rule({.on = EventKind::kFired,
                     .action = tw::Rule::Action::kArm,
                     .token = context_.nodes.tokens(node),
                     .arguments = token});
  if (!context_.nodes.items(node).valid())
    return true;
  std::vector<Term> item;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (Value& value : tables[i])
      if (value != kNoValue && !context_.keys[node][i])
        value = context_.values.key(context_.program.nodes[node].positions[i], value);
    item.push_back(context_.keys[node][i] ? token[i] : Term::edge(rules_.add_map(tables[i])));
  }
  rules_.add_rule({.on = EventKind::kFired,
                   .action = tw::Rule::Action::kCover,
                   .item = context_.nodes.items(node),
                   .arguments = std::move(item)});
  return true;
}

void RuleCompiler::add_begin() {
  std::vector<VariableNumber> ground;
  for (VariableNumber i = 0; i < place_.size(); ++i)
    if (plan_.origins[i] == Origin::kGround)
      ground.push_back(i);
  std::set<std::vector<Value>> tuples;
  if (ground.empty())
    tuples.emplace();
  for (const Solution& solution : solutions_) {
    std::vector<Value> tuple;
    for (const VariableNumber variable : ground)
      tuple.push_back(solution.values[variable]);
    tuples.insert(std::move(tuple));
  }
  if (tuples.size() > kMostStates) {
    context_.diagnostics.error(
        rule_.where,
        fmt::format("{} combinations of values have to be tried in every step: more than {}",
                    tuples.size(), kMostStates),
        "let a condition without 'no' give the values, or fix parameters with --observer");
    return;
  }
  tw::Rule rule{.on = EventKind::kBegin, .action = tw::Rule::Action::kArm, .token = family(0)};
  if (rule_.source) {
    if (!context_.nodes.tokens(*rule_.source).valid())
      return;
    rule.needs = TokenPattern{.family = context_.nodes.tokens(*rule_.source), .arguments = {}};
    for (std::size_t i = 0; i < rule_.source_arguments.size(); ++i)
      rule.needs->arguments.push_back(Term::any());
  }
  for (const std::vector<Value>& tuple : tuples) {
    rule.arguments.assign(places_, Term::constant(0));
    for (std::size_t i = 0; i < ground.size(); ++i)
      rule.arguments[*place_[ground[i]]] = Term::constant(tuple[i]);
    for (std::size_t i = 0; i < rule_.source_arguments.size(); ++i)
      rule.arguments[*place_[rule_.source_arguments[i]]] =
          Term::token(static_cast<std::uint32_t>(i));
    for (VariableNumber i = 0; i < place_.size(); ++i) {
      const auto& derived = plan_.derivations[i];
      if (!derived || plan_.origins[i] != Origin::kSource)
        continue;
      const auto from = std::ranges::find(rule_.source_arguments, derived->base);
      rule.arguments[*place_[i]] = Term::token(
          static_cast<std::uint32_t>(from - rule_.source_arguments.begin()),
          context_.maps.function(derived->function, rule_.variables[derived->base].type, false));
    }
    rules_.add_rule(rule);
  }
}

// By variable: has a value once these conditions are met.
std::vector<bool> RuleCompiler::bound_in(Stage stage) const {
  std::vector<bool> out(place_.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = plan_.origins[i] == Origin::kSource || plan_.origins[i] == Origin::kGround;
  for (std::size_t k = 0; k < events_.size(); ++k)
    for (VariableNumber i = 0; ((stage >> k) & 1) != 0 && i < out.size(); ++i)
      out[i] = out[i] || mentions(*events_[k], i) ||
               (plan_.derivations[i] && plan_.origins[i] == Origin::kEvent &&
                mentions(*events_[k], plan_.derivations[i]->base));
  return out;
}

void RuleCompiler::add_moves() {
  const Stage all = everything_met();
  for (Stage from = 0; from < all; ++from)
    for (Stage met = 1; met <= all; ++met) {
      if ((from & met) != 0)
        continue;
      // One event may meet several conditions, if they are of its kind.
      std::optional<EventKind> on;
      bool same = true;
      for (std::size_t k = 0; k < events_.size(); ++k)
        if (((met >> k) & 1) != 0) {
          same = same && (!on || *on == events_[k]->on);
          on = events_[k]->on;
        }
      if (same)
        add_move(from, met, *on);
    }
}

std::vector<Term> RuleCompiler::anything() const { return std::vector<Term>(places_, Term::any()); }

Term RuleCompiler::of_event(Role role) {
  switch (role) {
    case Role::kCell:
      return Term::cell();
    case Role::kEdge:
      return Term::edge();
    case Role::kProcess:
      return Term::process();
    case Role::kTemplate:
    case Role::kChannel:
      break;
  }
  return Term::edge(context_.maps.of_edge(role));
}

// What an event that meets the demand says of a variable; none: nothing.
std::optional<Term> RuleCompiler::of_event(VariableNumber variable, const Demand& demand) {
  if (mentions(demand, variable))
    return of_event(role_of(demand, variable));
  const auto& derived = plan_.derivations[variable];
  if (!derived || plan_.origins[variable] != Origin::kEvent || !mentions(demand, derived->base))
    return std::nullopt;
  Term base = of_event(role_of(demand, derived->base));
  // Processes of events have no table; the edge tells them as well.
  const MapId map =
      base.source == Term::Source::kProcess
          ? context_.maps.function(derived->function ? Function::kTemplate : Function::kProcess,
                                   ValueType::kEdge, false)
          : context_.maps.function(derived->function, rule_.variables[derived->base].type, false);
  if (base.source == Term::Source::kProcess)
    base = Term::edge();
  if (map.valid())
    base.map = map;
  return base;
}

MapId RuleCompiler::edge_filter(const std::vector<const Demand*>& demands) {
  const ModelValues& values = context_.values;
  std::vector<std::uint32_t> table(values.bound(ValueType::kEdge), kNoValue);
  for (Value edge = 0; edge < table.size(); ++edge) {
    const auto admits = [&](const Demand* demand, Role role, Value value) {
      const Operand& operand = demand->role(role);
      return operand.kind != Operand::Kind::kSet || (value != kNoValue && operand.admits(value));
    };
    const bool fits = std::ranges::all_of(demands, [&](const Demand* demand) {
      return admits(demand, Role::kEdge, edge) &&
             admits(demand, Role::kProcess,
                    values.apply(Function::kProcess, ValueType::kEdge, edge)) &&
             admits(demand, Role::kTemplate,
                    values.apply(Function::kTemplate, ValueType::kEdge, edge)) &&
             admits(demand, Role::kChannel, values.channel_of(edge));
    });
    if (fits)
      table[edge] = 0;
  }
  return rules_.add_map(std::move(table));
}

MapId RuleCompiler::cell_filter(const std::vector<const Demand*>& demands) {
  std::vector<std::uint32_t> table(context_.values.bound(ValueType::kVariable), kNoValue);
  for (Value cell = 0; cell < table.size(); ++cell)
    if (std::ranges::all_of(demands, [cell](const Demand* demand) {
          return demand->role(Role::kCell).admits(cell);
        }))
      table[cell] = 0;
  return rules_.add_map(std::move(table));
}

void RuleCompiler::add_move(Stage from, Stage met, EventKind on) {
  std::vector<const Demand*> demands;
  for (std::size_t k = 0; k < events_.size(); ++k)
    if (((met >> k) & 1) != 0)
      demands.push_back(events_[k]);
  const std::vector<bool> bound = bound_in(from);
  const bool has_token = has_tokens(from);
  std::vector<Term> pattern = anything();
  std::vector<Term> arguments(places_, Term::constant(0));
  for (VariableNumber i = 0; i < place_.size(); ++i) {
    if (!place_[i])
      continue;
    const auto at = *place_[i];
    if (bound[i])
      arguments[at] = Term::token(static_cast<std::uint32_t>(at));
    for (const Demand* demand : demands)
      if (const std::optional<Term> told = of_event(i, *demand))
        (bound[i] ? pattern : arguments)[at] = *told;
  }
  const auto needs_filter = [&](bool cell) {
    return std::ranges::any_of(demands, [cell](const Demand* d) { return has_set(*d, cell); });
  };
  if (needs_filter(false))
    arguments[*edge_slot_] = Term::edge(edge_filter(demands));
  if (needs_filter(true))
    arguments[*cell_slot_] = Term::cell(cell_filter(demands));
  tw::Rule rule{.on = on,
                .action = tw::Rule::Action::kArm,
                .token = family(from | met),
                .arguments = std::move(arguments)};
  if (has_token)
    rule.needs = TokenPattern{.family = family(from), .arguments = std::move(pattern)};
  rules_.add_rule(std::move(rule));
}

void RuleCompiler::add_drops() {
  const Stage all = everything_met();
  for (Stage stage = 0; stage <= all; ++stage) {
    if (!has_tokens(stage))
      continue;
    const auto drop = [&](const Demand& demand, bool cell_only) {
      std::vector<Term> pattern = anything();
      for (std::size_t i = 0; i < kRoles; ++i)
        if (demand.roles[i].is_variable() && (!cell_only || static_cast<Role>(i) == Role::kCell))
          pattern[*place_[demand.roles[i].variable]] = of_event(static_cast<Role>(i));
      if (!cell_only && has_set(demand, false))
        pattern[*edge_slot_] = Term::edge(edge_filter({&demand}));
      if (!cell_only && has_set(demand, true))
        pattern[*cell_slot_] = Term::cell(cell_filter({&demand}));
      rules_.add_rule({.on = demand.on,
                       .action = tw::Rule::Action::kDrop,
                       .token = family(stage),
                       .arguments = std::move(pattern)});
    };
    for (const Demand* demand : denied_)
      drop(*demand, false);
    // A later definition takes the place of one that was met.
    for (std::size_t k = 0; k < events_.size(); ++k)
      if (((stage >> k) & 1) != 0 && events_[k]->last)
        drop(*events_[k], true);
  }
}

// --- The target

bool RuleCompiler::is_key(VariableNumber variable) const {
  const auto from = std::ranges::find(rule_.source_arguments, variable);
  return from != rule_.source_arguments.end() &&
         context_
             .keys[*rule_.source][static_cast<std::size_t>(from - rule_.source_arguments.begin())];
}

// With values: those of a state, which stages do not know.
Term RuleCompiler::for_target(std::size_t position, const std::vector<Value>* values) const {
  const VariableNumber variable = rule_.target_arguments[position];
  const ValueType type = rule_.variables[variable].type;
  const bool to_key = context_.keys[rule_.target][position] && !is_key(variable);
  if (!place_[variable]) {
    const Value value = (*values)[variable];
    return Term::constant(to_key ? context_.values.key(type, value) : value);
  }
  return Term::token(static_cast<std::uint32_t>(*place_[variable]),
                     to_key ? context_.maps.keys(type) : MapId());
}

std::vector<Term> RuleCompiler::target_terms(const std::vector<Value>* values) const {
  std::vector<Term> out;
  for (std::size_t i = 0; i < rule_.target_arguments.size(); ++i)
    out.push_back(for_target(i, values));
  return out;
}

void RuleCompiler::add_target(tw::Rule rule, const std::vector<Value>* values) {
  const std::size_t node = rule_.target;
  const std::vector<Term> terms = target_terms(values);
  if (context_.nodes.tokens(node).valid()) {
    rule.action = tw::Rule::Action::kArm;
    rule.token = context_.nodes.tokens(node);
    rule.arguments = terms;
    rules_.add_rule(rule);
  }
  if (!context_.nodes.items(node).valid())
    return;
  rule.action = tw::Rule::Action::kCover;
  rule.token = {};
  rule.item = context_.nodes.items(node);
  rule.arguments = terms;
  // What is kept as a value has to become a key.
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (context_.keys[node][i])
      continue;
    const ValueType type = context_.program.nodes[node].positions[i];
    if (terms[i].source == Term::Source::kConstant)
      rule.arguments[i] = Term::constant(context_.values.key(type, terms[i].value));
    else
      rule.arguments[i].map = context_.maps.keys(type);
  }
  rules_.add_rule(std::move(rule));
}

void RuleCompiler::add_end() {
  const Stage full = everything_met();
  add_target({.on = EventKind::kEnd,
              .needs = TokenPattern{.family = family(full), .arguments = anything()}},
             nullptr);
}

}  // namespace tw::observer
