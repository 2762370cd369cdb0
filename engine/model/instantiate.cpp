#include "engine/model/instantiate.hpp"

#include <cassert>
#include <fmt/format.h>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/base/small_vector.hpp"
#include "engine/model/builder.hpp"
#include "engine/model/initial_value.hpp"

namespace tw {
namespace {

// Which variables anything writes: decides whether a value parameter is state or constant.
std::vector<bool> written_variables(const Network& network) {
  std::vector<bool> written(network.variables.size(), false);
  const ExpressionPool& pool = network.pool;
  std::vector<ExprId> roots;
  const auto mark = [&](ExprId target) {
    roots.assign(1, target);
    while (!roots.empty()) {
      const ExprId id = roots.back();
      roots.pop_back();
      const Expression& e = pool[id];
      if (e.kind == ExprKind::kVariable)
        written[e.variable().index()] = true;
      else if (e.kind == ExprKind::kConditional)
        roots.insert(roots.end(), {pool.operand(id, 1), pool.operand(id, 2)});
      else if (e.operand_count != 0)
        roots.push_back(pool.operand(id, 0));
    }
  };
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const ExprId id(i);
    const Expression& e = pool[id];
    if (e.kind >= ExprKind::kAssign && e.kind <= ExprKind::kPostDecrement)
      mark(pool.operand(id, 0));
    if (e.kind != ExprKind::kCall)
      continue;
    const Function& function = network.functions[e.function()];
    for (std::size_t p = 0; p < function.parameters.size() && p < e.operand_count; ++p) {
      const Variable& parameter = network.variables[function.parameters[p]];
      if (parameter.is_alias())
        mark(pool.operand(id, p));
    }
  }
  return written;
}

// Makes the copies of one process. Variables and functions are copied when first mentioned, so the
// order of declarations inside the template does not matter here.
class ProcessMaker {
 public:
  ProcessMaker(Network& network,
               KnownValues& values,
               const Limits& limits,
               Diagnostics& diagnostics)
      : network_(network),
        values_(values),
        limits_(limits),
        diagnostics_(diagnostics),
        written_(written_variables(network)) {}

  bool make(const SystemEntry& entry, const std::vector<std::int32_t>& free_values);

 private:
  bool bind_chain(InstanceId id, const std::vector<std::int32_t>& free_values);
  bool bind(VariableId parameter, ExprId argument);
  VariableId add_value_parameter(VariableId id, std::vector<std::int32_t> value);
  void copy_template(TemplateId id);

  ExprId copy(ExprId id);
  ExprId copy_if_valid(ExprId id) { return id.valid() ? copy(id) : id; }
  StmtId copy(StmtId id);
  VariableId copy(VariableId id);
  FunctionId copy(FunctionId id);
  TypeId resolve(TypeId id);
  std::int32_t evaluate_bound(ExprId bound);
  EdgeLabels copy(const EdgeLabels& labels);
  bool check_size(const Variable& variable);
  void check_shapes(const Expression& e, std::span<const ExprId> operands);
  void complete(const Expression& list, SmallVector<ExprId, 3>& operands);

  Network& network_;
  KnownValues& values_;
  const Limits& limits_;
  Diagnostics& diagnostics_;
  const std::vector<bool> written_;  // by prototype: decides whether a value parameter is state

  ProcessId process_;
  std::unordered_map<VariableId, ExprId> aliases_;  // reference parameters
  std::unordered_map<VariableId, VariableId> variables_;
  std::unordered_map<FunctionId, FunctionId> functions_;
  std::unordered_map<TypeId, TypeId> types_;
};

bool ProcessMaker::make(const SystemEntry& entry, const std::vector<std::int32_t>& free_values) {
  const std::size_t errors = diagnostics_.errors();
  aliases_.clear();
  variables_.clear();
  functions_.clear();
  types_.clear();

  const Instance* instance = &network_.instances[entry.instance];
  Process process{.name = instance->name,
                  .instance = entry.instance,
                  .arguments = free_values,
                  .priority = entry.priority};
  if (!instance->parameters.empty())
    process.name += fmt::format("({})", fmt::join(free_values, ","));
  while (instance->of_instance.valid())
    instance = &network_.instances[instance->of_instance];
  process.of_template = instance->of_template;
  process_ = network_.processes.push_back(std::move(process));

  if (bind_chain(entry.instance, free_values))
    copy_template(network_.processes[process_].of_template);
  return diagnostics_.errors() == errors;
}

// Outermost instantiation first: its parameters are free, the arguments it passes on mention them.
bool ProcessMaker::bind_chain(InstanceId id, const std::vector<std::int32_t>& free_values) {
  const std::vector<VariableId> free = network_.instances[id].parameters;
  for (std::size_t i = 0; i < free.size(); ++i)
    add_value_parameter(free[i], {free_values[i]});
  bool ok = true;
  for (InstanceId at = id; at.valid();) {
    const Instance instance =
        network_.instances[at];  // a copy: binding may grow nothing, but be safe
    if (instance.implicit)
      return ok;
    const std::vector<VariableId> parameters =
        instance.of_instance.valid() ? network_.instances[instance.of_instance].parameters
                                     : network_.templates[instance.of_template].parameters;
    assert(parameters.size() == instance.arguments.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
      ok = bind(parameters[i], instance.arguments[i]) && ok;
    at = instance.of_instance;
  }
  return ok;
}

bool ProcessMaker::bind(VariableId parameter, ExprId argument) {
  const Variable& prototype = network_.variables[parameter];
  const ExprId actual = copy(argument);
  if (prototype.is_alias()) {
    aliases_[parameter] = actual;
    return true;
  }
  const TypeId type = resolve(prototype.type);
  auto value = value_for_type(network_, values_.constants, type, actual, diagnostics_);
  if (!value)
    return false;
  add_value_parameter(parameter, std::move(*value));
  return true;
}

VariableId ProcessMaker::add_value_parameter(VariableId id, std::vector<std::int32_t> value) {
  Variable variable = network_.variables[id];
  variable.type = resolve(variable.type);
  variable.prototype = false;
  variable.by_reference = false;
  variable.process = process_;
  variable.made_from = id;
  // A value parameter that nothing writes is as good as a constant and need not be state.
  variable.storage =
      variable.is_const || !written_[id.index()] ? Storage::kConstant : Storage::kState;
  const VariableId made = network_.variables.push_back(std::move(variable));
  variables_[id] = made;
  values_.set(network_.variables[made], made, std::move(value));
  network_.processes[process_].variables.push_back(made);
  return made;
}

void ProcessMaker::copy_template(TemplateId id) {
  const Template& t = network_.templates[id];
  for (const VariableId local : t.locals) {
    const VariableId made = copy(local);
    network_.processes[process_].variables.push_back(made);
  }
  for (const FunctionId function : t.functions) {
    const FunctionId made = copy(function);
    network_.processes[process_].functions.push_back(made);
  }
  Process& process = network_.processes[process_];
  process.first_location = LocationId(network_.locations.size());
  process.location_count = static_cast<std::uint32_t>(t.locations.size());
  process.first_edge = EdgeId(network_.edges.size());
  process.edge_count = static_cast<std::uint32_t>(t.edges.size());
  std::unordered_map<LocationDeclId, LocationId> places;
  for (const LocationDeclId decl : t.locations) {
    const ExprId invariant = copy_if_valid(network_.location_decls[decl].invariant);
    places[decl] =
        network_.locations.push_back({.process = process_, .decl = decl, .invariant = invariant});
  }
  process.initial = places[t.initial];
  for (const EdgeDeclId decl : t.edges) {
    const EdgeDecl& edge = network_.edge_decls[decl];
    EdgeLabels labels = copy(edge.labels);
    network_.edges.push_back({.process = process_,
                              .decl = decl,
                              .source = places[edge.source],
                              .target = places[edge.target],
                              .labels = std::move(labels)});
  }
}

// What only the values of parameters decide: that there is room for a variable, and a value.
bool ProcessMaker::check_size(const Variable& variable) {
  const std::string& process = network_.processes[process_].name;
  if (network_.types.has_empty_range(variable.type)) {
    diagnostics_.error(
        variable.where,
        fmt::format("in process '{}' the range or array '{}' is empty", process, variable.name),
        "look at the arguments of the process");
    return false;
  }
  if (network_.types.shape(variable.type).largest() <= limits_.variable_cells)
    return true;
  diagnostics_.error(
      variable.where,
      fmt::format("in process '{}' '{}' has more than {} elements, the limit for one "
                  "variable",
                  process, variable.name, limits_.variable_cells),
      "look at the arguments of the process");
  return false;
}

// Lengths that depend on parameters can be compared only now.
void ProcessMaker::check_shapes(const Expression& e, std::span<const ExprId> operands) {
  const auto fits = [&](TypeId want, ExprId have) {
    const Shape& a = network_.types.shape(want);
    const Shape& b = network_.types.shape(network_.pool[have].type);
    if (a.cells == b.cells && a.clocks == b.clocks && a.channels == b.channels)
      return;
    diagnostics_.error(e.where,
                       fmt::format("in process '{}' the lengths of the arrays differ",
                                   network_.processes[process_].name),
                       "look at the arguments of the process");
  };
  if (e.kind == ExprKind::kCall) {
    const std::vector<VariableId>& parameters = network_.functions[e.function()].parameters;
    for (std::size_t i = 0; i < parameters.size() && i < operands.size(); ++i)
      if (network_.types[network_.variables[parameters[i]].type].kind >= TypeKind::kArray)
        fits(network_.variables[parameters[i]].type, operands[i]);
    return;
  }
  if (e.kind == ExprKind::kList && network_.types[e.type].kind == TypeKind::kArray &&
      operands.size() > network_.types.array_length(e.type))
    diagnostics_.error(
        e.where,
        fmt::format("in process '{}' {} values for {} elements", network_.processes[process_].name,
                    operands.size(), network_.types.array_length(e.type)),
        "give one value per element");
  const bool pair = e.kind == ExprKind::kAssign || e.kind == ExprKind::kEqual ||
                    e.kind == ExprKind::kNotEqual || e.kind == ExprKind::kConditional;
  if (!pair)
    return;
  const ExprId left = operands[operands.size() - 2];
  if (network_.types[network_.pool[left].type].kind >= TypeKind::kArray)
    fits(network_.pool[left].type, operands.back());
}

EdgeLabels ProcessMaker::copy(const EdgeLabels& labels) {
  EdgeLabels out;
  for (const VariableId select : labels.selects)
    out.selects.push_back(copy(select));
  out.guard = copy_if_valid(labels.guard);
  out.channel = copy_if_valid(labels.channel);
  out.direction = labels.direction;
  for (const ExprId update : labels.updates)
    out.updates.push_back(copy(update));
  return out;
}

ExprId ProcessMaker::copy(ExprId id) {
  Expression e = network_.pool[id];
  if (!e.prototype)
    return id;
  if (e.kind == ExprKind::kVariable) {
    const auto alias = aliases_.find(e.variable());
    if (alias != aliases_.end())
      return alias->second;
  }
  SmallVector<ExprId, 3> operands;
  for (std::size_t i = 0; i < e.operand_count; ++i)
    operands.push_back(copy(network_.pool.operand(id, i)));
  e.prototype = false;
  e.type = resolve(e.type);
  switch (e.kind) {
    case ExprKind::kVariable:
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      e.payload = static_cast<std::uint32_t>(copy(e.variable()).index());
      break;
    case ExprKind::kCall:
      e.payload = static_cast<std::uint32_t>(copy(e.function()).index());
      break;
    default:
      break;
  }
  check_shapes(e, operands.span());
  if (e.kind == ExprKind::kList)
    complete(e, operands);
  return network_.pool.add(e, operands.span());
}

// A list that is shorter than its array goes on with zeros.
void ProcessMaker::complete(const Expression& list, SmallVector<ExprId, 3>& operands) {
  const Type type = network_.types[list.type];
  if (type.kind != TypeKind::kArray)
    return;
  const std::size_t length = network_.types.array_length(list.type);
  if (operands.size() >= length || length > limits_.variable_cells)
    return;
  warn_short_list(network_.types[type.element], operands.size(), length, list.where, diagnostics_);
  const ExprId rest = add_default_value(network_, type.element, list.where);
  while (operands.size() < length)
    operands.push_back(rest);
}

StmtId ProcessMaker::copy(StmtId id) {
  Statement s = network_.pool[id];
  if (s.variable.valid())
    s.variable = copy(s.variable);
  for (ExprId& e : s.exprs)
    e = copy(e);
  for (StmtId& child : s.children)
    child = copy(child);
  return network_.pool.add(std::move(s));
}

VariableId ProcessMaker::copy(VariableId id) {
  if (!network_.variables[id].prototype)
    return id;
  const auto known = variables_.find(id);
  if (known != variables_.end())
    return known->second;
  Variable variable = network_.variables[id];
  variable.prototype = false;
  variable.process = process_;
  variable.made_from = id;
  variable.type = resolve(variable.type);
  variable.initialiser = copy_if_valid(variable.initialiser);
  const bool has_value = variable.storage != Storage::kFrame;
  const bool ranges_over = variable.role == Role::kSelect || variable.role == Role::kIterator;
  const bool fits = ranges_over || check_size(variable);
  const VariableId made = network_.variables.push_back(std::move(variable));
  variables_[id] = made;
  if (has_value && fits) {
    auto value = initial_value(network_, values_.constants, made, diagnostics_);
    if (value)
      values_.set(network_.variables[made], made, std::move(*value));
  }
  return made;
}

FunctionId ProcessMaker::copy(FunctionId id) {
  if (!network_.functions[id].prototype)
    return id;
  const auto known = functions_.find(id);
  if (known != functions_.end())
    return known->second;
  Function function = network_.functions[id];
  function.prototype = false;
  function.process = process_;
  function.made_from = id;
  function.result = resolve(function.result);
  for (VariableId& parameter : function.parameters)
    parameter = copy(parameter);
  for (VariableId& local : function.locals)
    local = copy(local);
  if (function.body.valid())
    function.body = copy(function.body);
  const FunctionId made = network_.functions.push_back(std::move(function));
  functions_[id] = made;
  return made;
}

std::int32_t ProcessMaker::evaluate_bound(ExprId bound) {
  const ExprId actual = copy(bound);
  const EvalResult result = evaluate(network_, values_.constants, actual);
  if (result.ok())
    return result.scalar();
  report_failure(network_, result, actual, diagnostics_);
  return 0;
}

TypeId ProcessMaker::resolve(TypeId id) {
  if (!network_.types.is_symbolic(id))
    return id;
  const auto known = types_.find(id);
  if (known != types_.end())
    return known->second;
  Type type = network_.types[id];
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kScalar: {
      type.low = evaluate_bound(type.low_bound);
      type.high = evaluate_bound(type.high_bound);
      type.low_bound = ExprId();
      type.high_bound = ExprId();
      break;
    }
    case TypeKind::kArray:
      type.index = resolve(type.index);
      type.element = resolve(type.element);
      break;
    case TypeKind::kStruct:
      for (Field& field : type.fields)
        field.type = resolve(field.type);
      break;
    case TypeKind::kVoid:
    case TypeKind::kBool:
    case TypeKind::kClock:
    case TypeKind::kChannel:
    case TypeKind::kReal:
      break;
  }
  const TypeId made = network_.types.intern(std::move(type));
  types_[id] = made;
  return made;
}

// How many processes an entry of the system line stands for; saturates.
std::uint64_t count_processes(const Network& network, const Instance& instance) {
  std::uint64_t count = 1;
  for (const VariableId parameter : instance.parameters) {
    const Type& type = network.types[network.variables[parameter].type];
    if (type.low > type.high)
      return 0;
    const auto values = static_cast<std::uint64_t>(std::int64_t{type.high} - type.low + 1);
    count = count > Shape::kTooMany / values ? Shape::kTooMany : count * values;
  }
  return count;
}

class Expander {
 public:
  Expander(Network& network, KnownValues& values, const Limits& limits, Diagnostics& diagnostics)
      : network_(network),
        limits_(limits),
        diagnostics_(diagnostics),
        maker_(network, values, limits, diagnostics) {}

  bool expand(const SystemEntry& entry) {
    const Instance& instance = network_.instances[entry.instance];
    const std::uint64_t count = count_processes(network_, instance);
    if (!within_limits(instance, count))
      return false;
    std::vector<std::int32_t> values;
    for (const VariableId parameter : instance.parameters)
      values.push_back(network_.types[network_.variables[parameter].type].low);
    for (std::uint64_t i = 0; i < count; ++i) {
      // One process with an error is enough: the others would repeat it.
      if (!maker_.make(entry, values) || !contents_fit())
        return false;
      advance(entry.instance, values);
    }
    return true;
  }

 private:
  bool within_limits(const Instance& instance, std::uint64_t count) {
    if (network_.processes.size() + count > limits_.processes) {
      diagnostics_.error(
          instance.where,
          fmt::format("'{}' stands for {}{} processes; the limit is {}", instance.name,
                      count == Shape::kTooMany ? "more than " : "", count, limits_.processes),
          "narrow the ranges of its free parameters");
      return false;
    }
    const Instance* base = &instance;
    while (base->of_instance.valid())
      base = &network_.instances[base->of_instance];
    const Template& t = network_.templates[base->of_template];
    elements_ += count * (t.locations.size() + t.edges.size());
    if (elements_ > limits_.elements) {
      diagnostics_.error(instance.where,
                         fmt::format("the processes have more than {} locations and edges together",
                                     limits_.elements),
                         "list fewer processes");
      return false;
    }
    return true;
  }

  // Checked after every process, so that a model cannot fill the memory before it is refused.
  bool contents_fit() {
    name_bytes_ += network_.processes[ProcessId(network_.processes.size() - 1)].name.size();
    const auto fits = [&](std::uint64_t count, std::uint64_t limit, std::string_view what) {
      if (count > limit)
        diagnostics_.error({},
                           fmt::format("the processes need more than {} {} together", limit, what),
                           "list fewer processes");
      return count <= limit;
    };
    return fits(network_.pool.size(), limits_.expressions, "expression nodes") &&
           fits(network_.pool.statement_count(), limits_.statements, "statements") &&
           fits(network_.variables.size(), limits_.variables, "variables") &&
           fits(name_bytes_, limits_.name_bytes, "bytes for their names");
  }

  // Last parameter fastest: processes are ordered by the first parameter, then the second …
  void advance(InstanceId id, std::vector<std::int32_t>& values) const {
    const Instance& instance = network_.instances[id];
    for (std::size_t i = values.size(); i-- > 0;) {
      const Type& type = network_.types[network_.variables[instance.parameters[i]].type];
      if (values[i] < type.high) {
        ++values[i];
        return;
      }
      values[i] = type.low;
    }
  }

  Network& network_;
  const Limits& limits_;
  Diagnostics& diagnostics_;
  ProcessMaker maker_;
  std::uint64_t elements_ = 0;
  std::uint64_t name_bytes_ = 0;
};

}  // namespace

bool make_processes(Network& network,
                    KnownValues values,
                    const Limits& limits,
                    Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  for (const VariableId id : network.globals) {
    if (values.constants.values.contains(id) || values.initial.contains(id))
      continue;
    auto value = initial_value(network, values.constants, id, diagnostics);
    if (value)
      values.set(network.variables[id], id, std::move(*value));
  }
  if (diagnostics.errors() != errors)
    return false;
  Expander expander(network, values, limits, diagnostics);
  bool ok = true;
  for (const SystemEntry& entry : network.system)
    ok = expander.expand(entry) && ok;
  return ok && lay_out_memory(network, values, limits, diagnostics);
}

}  // namespace tw
