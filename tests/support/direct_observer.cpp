#include "tests/support/direct_observer.hpp"

#include <algorithm>

#include "engine/coverage/names.hpp"

namespace tw::test {

using observer::Condition;
using observer::Expression;
using observer::Relation;
using observer::ValueType;

namespace {

template <class IdT>
std::int64_t number(IdT id) {
  return static_cast<std::int64_t>(id.index());
}

template <class IdT>
IdT id(std::int64_t value) {
  return IdT(static_cast<std::size_t>(value));
}

bool holds(Relation relation, std::int64_t a, std::int64_t b) {
  switch (relation) {
    case Relation::kEqual:
      return a == b;
    case Relation::kNotEqual:
      return a != b;
    case Relation::kLess:
      return a < b;
    case Relation::kLessEqual:
      return a <= b;
    case Relation::kGreater:
      return a > b;
    case Relation::kGreaterEqual:
      return a >= b;
  }
  return false;
}

bool is_open(const Expression& e, const std::map<std::string, std::int64_t>& environment) {
  return e.kind == Expression::Kind::kName && !environment.contains(e.text);
}

bool speaks_of_events(const Expression& e) {
  const bool own = e.kind == Expression::Kind::kCall &&
                   (e.text == "edge" || e.text == "event" || e.text == "def" || e.text == "use");
  return own || std::ranges::any_of(e.arguments, speaks_of_events);
}

bool speaks_of_states(const Expression& e) {
  const bool own = e.kind == Expression::Kind::kCall &&
                   (e.text == "loc" || e.text == "eval" || e.text == "initial");
  return own || std::ranges::any_of(e.arguments, speaks_of_states);
}

}  // namespace

void DirectObserver::start(const replay::RunState& initial, std::span<const Event> /*events*/) {
  take_rules(initial, true);
}

void DirectObserver::advance(const replay::RunState& target, std::span<const Event> events) {
  events_.assign(events.begin(), events.end());
  fired_.clear();
  for (const Event& event : events_)
    if (event.kind == EventKind::kFired)
      fired_.push_back(event.edge);
  take_rules(target, false);
}

void DirectObserver::take_rules(const replay::RunState& state, bool first) {
  state_ = &state;
  std::set<Instance> next;
  for (const Instance& instance : active_)
    for (const observer::Word& word : observer_->accepting)
      if (word.text == instance.node)
        next.insert(instance);
  for (const observer::Rule& rule : observer_->rules) {
    const auto any = [&](bool (*speaks)(const Expression&)) {
      return std::ranges::any_of(rule.conditions, [speaks](const Condition& c) {
        return speaks(c.left) || speaks(c.right);
      });
    };
    if (rule.source.node.text == observer::kStart) {
      if (first && (any(speaks_of_events) || !any(speaks_of_states)))
        continue;
      std::vector<Environment> all = {{}};
      for (const observer::Parameter& parameter : observer_->parameters) {
        std::vector<Environment> longer;
        for (const Environment& one : all)
          for (const std::int64_t value : domain(parameter.type)) {
            longer.push_back(one);
            longer.back()[parameter.name.text] = value;
          }
        all = std::move(longer);
      }
      for (const Environment& one : all)
        take(rule, one, next);
      continue;
    }
    for (const Instance& instance : active_) {
      if (instance.node != rule.source.node.text)
        continue;
      Environment environment;
      const std::size_t parameters = observer_->parameters.size();
      for (std::size_t i = 0; i < parameters; ++i)
        environment[observer_->parameters[i].name.text] = instance.arguments[i];
      bool fits = true;
      for (std::size_t i = 0; i < rule.source.arguments.size(); ++i) {
        const std::int64_t value = instance.arguments[parameters + i];
        fits = environment.emplace(rule.source.arguments[i].text, value).first->second == value &&
               fits;
      }
      if (fits)
        take(rule, environment, next);
    }
  }
  active_ = std::move(next);
}

void DirectObserver::take(const observer::Rule& rule,
                          Environment environment,
                          std::set<Instance>& out) {
  meet(rule, 0, environment, out);
}

void DirectObserver::meet(const observer::Rule& rule,
                          std::size_t condition,
                          const Environment& environment,
                          std::set<Instance>& out) {
  if (condition == rule.conditions.size()) {
    Instance target{.node = rule.target.node.text};
    for (const observer::Parameter& parameter : observer_->parameters)
      target.arguments.push_back(environment.at(parameter.name.text));
    for (const Expression& argument : rule.target.arguments)
      target.arguments.push_back(argument.kind == Expression::Kind::kNumber
                                     ? argument.number
                                     : environment.at(argument.text));
    out.insert(std::move(target));
    return;
  }
  const Condition& now = rule.conditions[condition];
  const std::vector<Environment> found = ways(now, environment);
  if (now.negated) {
    if (found.empty())
      meet(rule, condition + 1, environment, out);
    return;
  }
  for (const Environment& one : found)
    meet(rule, condition + 1, one, out);
}

std::vector<DirectObserver::Environment> DirectObserver::ways(
    const Condition& condition, const Environment& environment) const {
  const Expression& left = condition.left;
  std::vector<Environment> out;
  if (condition.kind == Condition::Kind::kCall) {
    if (left.text == "def" || left.text == "use")
      return accesses(condition, environment);
    bool met = false;
    if (left.text == "initial") {
      met = true;
      for (std::size_t i = 0; i < network_->processes.size(); ++i)
        met = met && state_->locations[i] == network_->processes[ProcessId(i)].initial;
    } else if (left.text == "branchpoint") {
      met = std::ranges::any_of(values(left.arguments[0], environment), [this](std::int64_t l) {
        return network_->decl(id<LocationId>(l)).kind == LocationKind::kBranchpoint;
      });
    } else {
      met = !values(left, environment).empty();
    }
    if (met)
      out.push_back(environment);
    return out;
  }
  const Expression& right = condition.right;
  const bool equal =
      condition.kind == Condition::Kind::kBind || condition.relation == Relation::kEqual;
  if (equal && is_open(left, environment)) {
    for (const std::int64_t value : values(right, environment)) {
      out.push_back(environment);
      out.back()[left.text] = value;
    }
    return out;
  }
  for (const std::int64_t a : values(left, environment)) {
    if (equal && is_open(right, environment)) {
      out.push_back(environment);
      out.back()[right.text] = a;
      continue;
    }
    for (const std::int64_t b : values(right, environment))
      if (holds(equal ? Relation::kEqual : condition.relation, a, b) && out.empty())
        out.push_back(environment);
  }
  return out;
}

std::vector<DirectObserver::Environment> DirectObserver::accesses(
    const Condition& condition, const Environment& environment) const {
  const Expression& call = condition.left;
  const EventKind kind = call.text == "def" ? EventKind::kDefinition : EventKind::kUse;
  std::vector<Environment> out;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.kind != kind || event.cell.index() >= network_->cells.size() ||
        event.cell.index() >= network_->memory.state)
      continue;
    const auto later = [&](const Event& other) {
      return other.kind == kind && other.cell == event.cell;
    };
    if (condition.last &&
        std::any_of(events_.begin() + static_cast<std::ptrdiff_t>(i) + 1, events_.end(), later))
      continue;
    Environment one = environment;
    const auto fits = [&one](const Expression& e, std::int64_t value) {
      return e.text == "_" || one.emplace(e.text, value).first->second == value;
    };
    const std::int64_t edge =
        event.edge.valid() ? number(event.edge) : static_cast<std::int64_t>(network_->edges.size());
    if (!fits(call.arguments[0], number(event.cell)) ||
        (call.arguments.size() > 1 && !fits(call.arguments[1], edge)))
      continue;
    if (call.arguments.size() > 2 &&
        (!event.edge.valid() || !is_of(event.edge, call, 2, environment)))
      continue;
    out.push_back(std::move(one));
  }
  return out;
}

bool DirectObserver::is_template(const Expression& name) const {
  return std::ranges::any_of(observer_->parameters, [&](const observer::Parameter& parameter) {
    return parameter.name.text == name.text && parameter.type == ValueType::kTemplate;
  });
}

bool DirectObserver::is_of(EdgeId edge,
                           const Expression& call,
                           std::size_t argument,
                           const Environment& environment) const {
  if (call.arguments.size() <= argument)
    return true;
  const Expression& owner = call.arguments[argument];
  const ProcessId process = network_->edges[edge].process;
  for (const std::int64_t value : values(owner, environment))
    if (value ==
        (is_template(owner) ? number(network_->processes[process].of_template) : number(process)))
      return true;
  return false;
}

std::vector<std::int64_t> DirectObserver::values(const Expression& e,
                                                 const Environment& environment) const {
  if (e.kind == Expression::Kind::kNumber)
    return {e.number};
  if (e.kind == Expression::Kind::kName)
    return {environment.at(e.text)};
  std::vector<std::int64_t> out;
  if (e.text == "edge" || e.text == "event") {
    for (const EdgeId edge : fired_) {
      if (!is_of(edge, e, 0, environment))
        continue;
      if (e.text == "edge") {
        out.push_back(number(edge));
        continue;
      }
      ExprId channel = network_->edges[edge].labels.channel;
      while (channel.valid() && network_->pool[channel].kind != ExprKind::kVariable)
        channel = network_->pool.operand(channel, 0);
      if (channel.valid())
        out.push_back(number(network_->pool[channel].variable()));
    }
    return out;
  }
  if (e.text == "loc") {
    for (std::size_t i = 0; i < network_->processes.size(); ++i) {
      const Process& process = network_->processes[ProcessId(i)];
      const bool wanted =
          e.arguments.empty() || values(e.arguments[0], environment).front() ==
                                     (is_template(e.arguments[0]) ? number(process.of_template)
                                                                  : static_cast<std::int64_t>(i));
      if (wanted)
        out.push_back(number(state_->locations[i]));
    }
    return out;
  }
  const auto argument = values(e.arguments[0], environment);
  if (e.text == "eval")
    return argument.front() < static_cast<std::int64_t>(network_->memory.state)
               ? std::vector<std::int64_t>{state_
                                               ->cells[static_cast<std::size_t>(argument.front())]}
               : std::vector<std::int64_t>();
  for (const std::int64_t value : argument) {
    if (value >= static_cast<std::int64_t>(network_->edges.size()))
      continue;  // a hook
    const Edge& edge = network_->edges[id<EdgeId>(value)];
    out.push_back(e.text == "source"    ? number(edge.source)
                  : e.text == "target"  ? number(edge.target)
                  : e.text == "process" ? number(edge.process)
                                        : number(network_->processes[edge.process].of_template));
  }
  return out;
}

std::vector<std::int64_t> DirectObserver::domain(ValueType type) const {
  const std::size_t count = type == ValueType::kProcess    ? network_->processes.size()
                            : type == ValueType::kTemplate ? network_->templates.size()
                                                           : network_->memory.state;
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(static_cast<std::int64_t>(i));
  return out;
}

std::string DirectObserver::name(ValueType type, std::int64_t value, Level level) const {
  const ElementNames names(*network_);
  const bool instance = level == Level::kInstance;
  const auto template_of = [&](ProcessId process) {
    return network_->templates[network_->processes[process].of_template].name;
  };
  switch (type) {
    case ValueType::kProcess:
      return instance ? network_->processes[id<ProcessId>(value)].name
                      : template_of(id<ProcessId>(value));
    case ValueType::kTemplate:
      return network_->templates[id<TemplateId>(value)].name;
    case ValueType::kChannel:
      return network_->qualified_name(id<VariableId>(value));
    case ValueType::kLocation:
      return instance ? names.location(id<LocationId>(value))
                      : names.location(network_->locations[id<LocationId>(value)].decl);
    case ValueType::kEdge:
      if (value == static_cast<std::int64_t>(network_->edges.size()))
        return "hook";
      return instance ? names.edge(id<EdgeId>(value))
                      : names.edge(network_->edges[id<EdgeId>(value)].decl);
    case ValueType::kVariable: {
      std::string out = network_->cell_name(id<CellId>(value));
      const ProcessId owner = network_->variables[network_->variable_at(id<CellId>(value))].process;
      if (owner.valid() && !instance)
        out.replace(0, network_->processes[owner].name.size(), template_of(owner));
      return out;
    }
    case ValueType::kInt:
      break;
  }
  return std::to_string(value);
}

std::set<std::string> DirectObserver::covered(Level level,
                                              const std::set<std::string>& hidden) const {
  std::set<std::string> out;
  for (const Instance& instance : active_) {
    const auto is_it = [&](const observer::Word& word) { return word.text == instance.node; };
    if (std::ranges::none_of(observer_->accepting, is_it))
      continue;
    std::string text = observer_->name.text;
    if (observer_->accepting.size() > 1)
      text += ":" + instance.node;
    const std::size_t parameters = observer_->parameters.size();
    for (std::size_t i = 0; i < parameters; ++i)
      if (!hidden.contains(observer_->parameters[i].name.text))
        text += ":" + name(observer_->parameters[i].type, instance.arguments[i], level);
    for (const observer::Node& node : observer_->nodes)
      for (std::size_t i = 0; node.name.text == instance.node && i < node.arguments.size(); ++i)
        text += ":" + name(node.arguments[i], instance.arguments[parameters + i], level);
    out.insert(std::move(text));
  }
  return out;
}

}  // namespace tw::test
