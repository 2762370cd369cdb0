#include "engine/model/builder.hpp"

#include <array>
#include <cassert>
#include <fmt/format.h>
#include <utility>

#include "engine/model/initial_value.hpp"
#include "engine/model/instantiate.hpp"

namespace tw {

TypeId NetworkBuilder::int_type(std::int32_t low, std::int32_t high) {
  return network_.types.intern({.kind = TypeKind::kInt, .low = low, .high = high});
}

TypeId NetworkBuilder::symbolic_int_type(ExprId low, ExprId high) {
  return network_.types.intern({.kind = TypeKind::kInt, .low_bound = low, .high_bound = high});
}

TypeId NetworkBuilder::scalar_type(std::string name, std::int32_t size) {
  network_.scalar_sets.push_back(std::move(name));
  return network_.types.intern(
      {.kind = TypeKind::kScalar,
       .low = 0,
       .high = size - 1,
       .scalar_set = static_cast<std::uint32_t>(network_.scalar_sets.size() - 1)});
}

TypeId NetworkBuilder::channel_type(bool urgent, bool broadcast) {
  return network_.types.intern(
      {.kind = TypeKind::kChannel, .urgent = urgent, .broadcast = broadcast});
}

TypeId NetworkBuilder::array_type(TypeId index, TypeId element) {
  return network_.types.intern({.kind = TypeKind::kArray, .index = index, .element = element});
}

TypeId NetworkBuilder::struct_type(std::vector<Field> fields) {
  return network_.types.intern({.kind = TypeKind::kStruct, .fields = std::move(fields)});
}

ExprId NetworkBuilder::add(Expression expression, std::span<const ExprId> operands) {
  if (network_.types.is_symbolic(expression.type))
    expression.prototype = true;
  return network_.pool.add(expression, operands);
}

ExprId NetworkBuilder::constant(std::int32_t value, SourceRange where) {
  return add({.kind = ExprKind::kConstant,
              .type = network_.types.int_type(),
              .where = where,
              .payload = static_cast<std::uint32_t>(value)});
}

ExprId NetworkBuilder::truth(bool value, SourceRange where) {
  return add({.kind = ExprKind::kConstant,
              .type = bool_type(),
              .where = where,
              .payload = value ? 1U : 0U});
}

ExprId NetworkBuilder::variable(VariableId id, SourceRange where) {
  const Variable& variable = network_.variables[id];
  return add({.kind = ExprKind::kVariable,
              .timed = network_.types[variable.type].kind == TypeKind::kClock,
              .prototype = variable.prototype,
              .type = variable.type,
              .where = where,
              .payload = static_cast<std::uint32_t>(id.index())});
}

ExprId NetworkBuilder::index(ExprId array, ExprId position, SourceRange where) {
  const TypeId element = network_.types[network_.pool[array].type].element;
  const std::array operands = {array, position};
  return add({.kind = ExprKind::kIndex,
              .timed = network_.types[element].kind == TypeKind::kClock,
              .type = element,
              .where = where},
             operands);
}

ExprId NetworkBuilder::field(ExprId structure, std::size_t field, SourceRange where) {
  const TypeId type = network_.types[network_.pool[structure].type].fields[field].type;
  const std::array operands = {structure};
  return add({.kind = ExprKind::kField,
              .timed = network_.types[type].kind == TypeKind::kClock,
              .type = type,
              .where = where,
              .payload = static_cast<std::uint32_t>(field)},
             operands);
}

ExprId NetworkBuilder::call(FunctionId function,
                            std::span<const ExprId> arguments,
                            SourceRange where) {
  return add({.kind = ExprKind::kCall,
              .prototype = network_.functions[function].prototype,
              .type = network_.functions[function].result,
              .where = where,
              .payload = static_cast<std::uint32_t>(function.index())},
             arguments);
}

ExprId NetworkBuilder::list(TypeId type, std::span<const ExprId> elements, SourceRange where) {
  return add({.kind = ExprKind::kList, .type = type, .where = where}, elements);
}

ExprId NetworkBuilder::default_value(TypeId type, SourceRange where) {
  return add_default_value(network_, type, where);
}

ExprId NetworkBuilder::unary(ExprKind kind, ExprId operand, SourceRange where) {
  const TypeId type = kind == ExprKind::kNot ? bool_type() : network_.types.int_type();
  const std::array operands = {operand};
  return add({.kind = kind, .type = type, .where = where}, operands);
}

ExprId NetworkBuilder::binary(ExprKind kind, ExprId left, ExprId right, SourceRange where) {
  const bool logical = is_comparison(kind) || (kind >= ExprKind::kAnd && kind <= ExprKind::kImply);
  TypeId type = logical ? bool_type() : network_.types.int_type();
  if (kind == ExprKind::kComma)
    type = network_.pool[right].type;
  else if (!logical && (network_.pool[left].timed || network_.pool[right].timed))
    type = clock_type();
  const std::array operands = {left, right};
  return add({.kind = kind, .type = type, .where = where}, operands);
}

ExprId NetworkBuilder::conditional(ExprId condition, ExprId yes, ExprId no, SourceRange where) {
  const TypeId a = network_.pool[yes].type;
  const TypeId b = network_.pool[no].type;
  const bool numbers = network_.types.is_discrete(a) && network_.types.is_discrete(b);
  const std::array operands = {condition, yes, no};
  return add({.kind = ExprKind::kConditional,
              .type = a == b || !numbers ? a : network_.types.int_type(),
              .where = where},
             operands);
}

ExprId NetworkBuilder::quantifier(ExprKind kind, VariableId over, ExprId body, SourceRange where) {
  const std::array operands = {body};
  return add({.kind = kind,
              .prototype = network_.variables[over].prototype,
              .type = kind == ExprKind::kSum ? network_.types.int_type() : bool_type(),
              .where = where,
              .payload = static_cast<std::uint32_t>(over.index())},
             operands);
}

ExprId NetworkBuilder::assign(ExprId target, ExprId value, SourceRange where) {
  const std::array operands = {target, value};
  return add({.kind = ExprKind::kAssign, .type = network_.pool[target].type, .where = where},
             operands);
}

ExprId NetworkBuilder::compound_assign(ExprKind op,
                                       ExprId target,
                                       ExprId value,
                                       SourceRange where) {
  const std::array operands = {target, value};
  return add({.kind = ExprKind::kCompoundAssign,
              .op = op,
              .type = network_.pool[target].type,
              .where = where},
             operands);
}

ExprId NetworkBuilder::increment(ExprKind kind, ExprId target, SourceRange where) {
  const std::array operands = {target};
  return add({.kind = kind, .type = network_.pool[target].type, .where = where}, operands);
}

VariableId NetworkBuilder::add_variable(Variable variable) {
  const bool global = variable.role == Role::kGlobal;
  const bool local = variable.role == Role::kLocal && variable.prototype;
  const TemplateId owner = variable.owner_template;
  const bool parameter = variable.role == Role::kParameter && owner.valid();
  const VariableId id = network_.variables.push_back(std::move(variable));
  if (global) {
    network_.globals.push_back(id);
    network_.declarations.push_back({.variable = id});
  }
  if (local) {
    network_.templates[owner].locals.push_back(id);
    network_.templates[owner].declarations.push_back({.variable = id});
  }
  if (parameter)
    network_.templates[owner].parameters.push_back(id);
  return id;
}

bool NetworkBuilder::define(VariableId global, Diagnostics& diagnostics) {
  auto value = initial_value(network_, constants_, global, diagnostics);
  if (!value)
    return false;
  const bool constant = network_.variables[global].storage == Storage::kConstant;
  (constant ? constants_.values : initial_)[global] = std::move(*value);
  return true;
}

std::optional<std::int32_t> NetworkBuilder::evaluate(ExprId expression, Diagnostics& diagnostics) {
  const EvalResult result = tw::evaluate(network_, constants_, expression);
  if (result.ok())
    return result.scalar();
  report_failure(network_, result, expression, diagnostics);
  return std::nullopt;
}

FunctionId NetworkBuilder::add_function(Function function) {
  const bool prototype = function.prototype;
  const TemplateId owner = function.owner_template;
  const FunctionId id = network_.functions.push_back(std::move(function));
  if (prototype) {
    network_.templates[owner].functions.push_back(id);
    network_.templates[owner].declarations.push_back({.function = id});
  } else {
    network_.global_functions.push_back(id);
    network_.declarations.push_back({.function = id});
  }
  return id;
}

void NetworkBuilder::set_body(FunctionId function, StmtId body, std::vector<VariableId> locals) {
  network_.functions[function].body = body;
  network_.functions[function].locals = std::move(locals);
}

TemplateId NetworkBuilder::add_template(std::string name, SourceRange where) {
  return network_.templates.push_back({.name = std::move(name), .where = where});
}

LocationDeclId NetworkBuilder::add_location(TemplateId owner, LocationDecl location) {
  location.owner = owner;
  const LocationDeclId id = network_.location_decls.push_back(std::move(location));
  network_.templates[owner].locations.push_back(id);
  return id;
}

EdgeDeclId NetworkBuilder::add_edge(TemplateId owner, EdgeDecl edge) {
  edge.owner = owner;
  const EdgeDeclId id = network_.edge_decls.push_back(std::move(edge));
  network_.templates[owner].edges.push_back(id);
  return id;
}

void NetworkBuilder::set_initial(TemplateId owner, LocationDeclId location) {
  network_.templates[owner].initial = location;
}

void NetworkBuilder::set_invariant(LocationDeclId location, ExprId invariant) {
  network_.location_decls[location].invariant = invariant;
}

void NetworkBuilder::set_kind(LocationDeclId location, LocationKind kind) {
  network_.location_decls[location].kind = kind;
}

InstanceId NetworkBuilder::add_instance(Instance instance) {
  return network_.instances.push_back(std::move(instance));
}

InstanceId NetworkBuilder::add_implicit_instance(TemplateId of) {
  const Template& t = network_.templates[of];
  return add_instance({.name = t.name,
                       .where = t.where,
                       .parameters = t.parameters,
                       .of_template = of,
                       .implicit = true});
}

void NetworkBuilder::add_system_entry(SystemEntry entry) { network_.system.push_back(entry); }

void NetworkBuilder::set_channel_priorities(std::vector<PriorityGroup> groups) {
  network_.channel_priorities = std::move(groups);
}

void NetworkBuilder::set_update_hooks(std::vector<ExprId> before, std::vector<ExprId> after) {
  network_.before_update = std::move(before);
  network_.after_update = std::move(after);
}

std::optional<Network> NetworkBuilder::freeze(Diagnostics& diagnostics) {
  if (!make_processes(network_, {constants_, std::move(initial_)}, limits_, diagnostics))
    return std::nullopt;
  if (!compute_facts(network_, limits_.accesses)) {
    diagnostics.error({},
                      fmt::format("the edges read and write variables in more than {} places "
                                  "together, the limit",
                                  limits_.accesses),
                      "list fewer processes, or call fewer functions from their edges");
    return std::nullopt;
  }
  return std::move(network_);
}

}  // namespace tw
