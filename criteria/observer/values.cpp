#include "criteria/observer/values.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/base/suggest.hpp"

namespace tw::observer {
namespace {

Value number(std::size_t index) { return static_cast<Value>(index); }

// The variable that a channel expression names, whatever the index.
Value channel_variable(const Network& network, ExprId expression) {
  while (expression.valid() && (network.pool[expression].kind == ExprKind::kIndex ||
                                network.pool[expression].kind == ExprKind::kField))
    expression = network.pool.operand(expression, 0);
  if (!expression.valid() || network.pool[expression].kind != ExprKind::kVariable)
    return kNoValue;
  const VariableId variable = network.pool[expression].variable();
  const ChannelId first = network.variables[variable].first_channel;
  return number(first.valid() ? network.channels[first].variable.index() : variable.index());
}

}  // namespace

ModelValues::ModelValues(const Network& network, Level level, std::vector<bool> chosen)
    : network_(&network),
      level_(level),
      names_(network),
      cells_(network, level),
      chosen_(std::move(chosen)) {
  for (const Edge& edge : network.edges)
    channels_.push_back(channel_variable(network, edge.labels.channel));
  channels_.push_back(kNoValue);
}

std::size_t ModelValues::bound(ValueType type) const {
  switch (type) {
    case ValueType::kProcess:
      return network_->processes.size();
    case ValueType::kVariable:
      return cell_count(*network_);
    case ValueType::kTemplate:
      return network_->templates.size();
    case ValueType::kChannel:
      return network_->variables.size();
    case ValueType::kLocation:
      return network_->locations.size();
    case ValueType::kEdge:
      return network_->edges.size() + 1;
    case ValueType::kInt:
      break;
  }
  return 0;
}

std::vector<Value> ModelValues::domain(ValueType type) const {
  std::vector<Value> out;
  const auto add_if = [&](auto belongs) {
    for (std::size_t i = 0; i < bound(type); ++i)
      if (belongs(i))
        out.push_back(number(i));
  };
  switch (type) {
    case ValueType::kProcess:
      add_if([](std::size_t) { return true; });
      break;
    case ValueType::kVariable:
      add_if([this](std::size_t i) { return chosen_[i]; });
      break;
    case ValueType::kTemplate:
      add_if([this](std::size_t i) {
        return std::ranges::any_of(network_->processes, [i](const Process& process) {
          return process.of_template.index() == i;
        });
      });
      break;
    case ValueType::kChannel:
      for (const Channel& channel : network_->channels)
        out.push_back(number(channel.variable.index()));
      std::ranges::sort(out);
      out.erase(std::unique(out.begin(), out.end()), out.end());
      break;
    case ValueType::kLocation:
      add_if([this](std::size_t i) { return !is_branchpoint(number(i)); });
      break;
    case ValueType::kEdge:
      add_if([this](std::size_t i) { return i < network_->edges.size(); });
      break;
    case ValueType::kInt:
      break;
  }
  return out;
}

Value ModelValues::key(ValueType type, Value value) const {
  if (level_ == Level::kInstance)
    return value;
  switch (type) {
    case ValueType::kProcess:
      return number(network_->processes[ProcessId(value)].of_template.index());
    case ValueType::kVariable:
      return cells_.keys()[value];
    case ValueType::kLocation:
      return number(network_->locations[LocationId(value)].decl.index());
    case ValueType::kEdge:
      return number(is_hook(value) ? network_->edge_decls.size()
                                   : network_->edges[EdgeId(value)].decl.index());
    case ValueType::kTemplate:
    case ValueType::kChannel:
    case ValueType::kInt:
      break;
  }
  return value;
}

std::vector<Value> ModelValues::keys(ValueType type) const {
  const bool own = type == ValueType::kTemplate || type == ValueType::kChannel ||
                   type == ValueType::kInt || level_ == Level::kInstance;
  std::vector<Value> out;
  for (std::size_t i = 0; !own && i < bound(type); ++i)
    out.push_back(key(type, number(i)));
  return out;
}

// Invalid: the hook.
EdgeDeclId ModelValues::decl_of_key(Value edge) const {
  if (level_ == Level::kInstance)
    return is_hook(edge) ? EdgeDeclId() : network_->edges[EdgeId(edge)].decl;
  return edge == network_->edge_decls.size() ? EdgeDeclId() : EdgeDeclId(edge);
}

LocationDeclId ModelValues::place_of_key(Value location) const {
  return level_ == Level::kInstance ? network_->locations[LocationId(location)].decl
                                    : LocationDeclId(location);
}

std::string ModelValues::name(ValueType type, Value key) const {
  const bool instance = level_ == Level::kInstance;
  switch (type) {
    case ValueType::kProcess:
      return instance ? network_->processes[ProcessId(key)].name
                      : network_->templates[TemplateId(key)].name;
    case ValueType::kVariable:
      return cells_.name(CellId(key));
    case ValueType::kTemplate:
      return network_->templates[TemplateId(key)].name;
    case ValueType::kChannel:
      return network_->qualified_name(VariableId(key));
    case ValueType::kLocation:
      return instance ? names_.location(LocationId(key)) : names_.location(LocationDeclId(key));
    case ValueType::kEdge:
      if (!decl_of_key(key).valid())
        return "hook";
      return instance ? names_.edge(EdgeId(key)) : names_.edge(EdgeDeclId(key));
    case ValueType::kInt:
      return fmt::format("{}", decode(key));
  }
  return "";
}

std::string ModelValues::words(ValueType type, Value key) const {
  if (type != ValueType::kEdge)
    return name(type, key);
  const EdgeDeclId decl = decl_of_key(key);
  if (!decl.valid())
    return "an update hook";
  const std::string& owner = level_ == Level::kInstance
                                 ? network_->processes[network_->edges[EdgeId(key)].process].name
                                 : network_->templates[network_->edge_decls[decl].owner].name;
  return fmt::format("{} {}", owner, names_.arrow(decl));
}

SourceRange ModelValues::where(ValueType type, Value key) const {
  switch (type) {
    case ValueType::kLocation:
      return network_->location_decls[place_of_key(key)].where;
    case ValueType::kEdge:
      return decl_of_key(key).valid() ? network_->edge_decls[decl_of_key(key)].where
                                      : SourceRange{};
    case ValueType::kVariable:
      return network_->variables[network_->variable_at(CellId(key))].where;
    case ValueType::kChannel:
      return network_->variables[VariableId(key)].where;
    case ValueType::kProcess:
    case ValueType::kTemplate:
    case ValueType::kInt:
      break;
  }
  return {};
}

Value ModelValues::apply(Function function, ValueType type, Value value) const {
  if (value == kNoValue || (type == ValueType::kEdge && is_hook(value)))
    return kNoValue;
  if (type == ValueType::kEdge) {
    const Edge& edge = network_->edges[EdgeId(value)];
    switch (function) {
      case Function::kSource:
        return number(edge.source.index());
      case Function::kTarget:
        return number(edge.target.index());
      case Function::kProcess:
        return number(edge.process.index());
      case Function::kTemplate:
        return number(network_->processes[edge.process].of_template.index());
    }
  }
  if (type == ValueType::kLocation) {
    const ProcessId process = network_->locations[LocationId(value)].process;
    return number(function == Function::kProcess
                      ? process.index()
                      : network_->processes[process].of_template.index());
  }
  return number(network_->processes[ProcessId(value)].of_template.index());
}

bool ModelValues::is_branchpoint(Value location) const {
  return network_->decl(LocationId(location)).kind == LocationKind::kBranchpoint;
}

// --- Names

// All ways to call a value of the kinds that have names of their own.
std::vector<std::string> ModelValues::names_of(ValueType type, Value value) const {
  switch (type) {
    case ValueType::kProcess:
      return {network_->processes[ProcessId(value)].name};
    case ValueType::kTemplate:
      return {network_->templates[TemplateId(value)].name};
    case ValueType::kChannel: {
      const Variable& variable = network_->variables[VariableId(value)];
      if (!variable.process.valid())
        return {variable.name};
      const Process& owner = network_->processes[variable.process];
      return {fmt::format("{}.{}", owner.name, variable.name),
              fmt::format("{}.{}", network_->templates[owner.of_template].name, variable.name)};
    }
    case ValueType::kLocation:
      return {names_.location(LocationId(value)),
              names_.location(network_->locations[LocationId(value)].decl)};
    case ValueType::kEdge:
      if (is_hook(value))
        return {"hook"};
      return {names_.edge(EdgeId(value)), names_.edge(network_->edges[EdgeId(value)].decl)};
    case ValueType::kVariable:
    case ValueType::kInt:
      break;
  }
  return {};
}

std::vector<Value> ModelValues::find_variable(const std::string& name, std::string& hint) const {
  Diagnostics problems;
  const std::vector<std::string> names = {name};
  const std::vector<bool> found = chosen_cells(*network_, names, problems);
  if (problems.has_errors()) {
    hint = problems.all().front().hint;
    return {};
  }
  std::vector<Value> out;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i])
      out.push_back(number(i));
  return out;
}

// A constant of the model.
std::vector<Value> ModelValues::find_number(const std::string& name, std::string& hint) const {
  std::vector<std::string> known;
  for (const VariableId id : network_->globals) {
    const Variable& variable = network_->variables[id];
    if (variable.storage != Storage::kConstant || !network_->types.is_discrete(variable.type) ||
        !variable.first_cell.valid())
      continue;
    if (variable.name == name)
      return {encode(network_->cells[variable.first_cell].initial)};
    known.push_back(variable.name);
  }
  std::ranges::sort(known);
  const std::string_view near = nearest_name(name, known);
  hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
  return {};
}

std::vector<Value> ModelValues::find(ValueType type,
                                     const std::string& name,
                                     std::string& hint) const {
  if (type == ValueType::kVariable)
    return find_variable(name, hint);
  if (type == ValueType::kInt)
    return find_number(name, hint);
  std::vector<Value> all = domain(type);
  if (type == ValueType::kEdge)
    all.push_back(number(network_->edges.size()));
  std::vector<Value> out;
  std::vector<std::string> known;
  for (const Value value : all)
    for (std::string& candidate : names_of(type, value)) {
      if (candidate == name && (out.empty() || out.back() != value))
        out.push_back(value);
      known.push_back(std::move(candidate));
    }
  if (!out.empty())
    return out;
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::string_view near = nearest_name(name, known);
  hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
  return {};
}

}  // namespace tw::observer
