#include "engine/model/initial_value.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/model/print.hpp"

namespace tw {
namespace {

struct Context {
  const Network& network;
  ConstantValues& constants;
  Diagnostics& diagnostics;
};

// Clocks come after all cells of the variable, as the layout has them in a space of their own.
struct Value {
  std::vector<std::int32_t> cells;
  std::vector<std::int32_t> clocks;
};

bool fill(const Context& context, TypeId type, ExprId expression, Value& out);

bool fill_list(const Context& context, TypeId type_id, ExprId expression, Value& out) {
  const Type& type = context.network.types[type_id];
  const auto elements = context.network.pool.operands(expression);
  const bool array = type.kind == TypeKind::kArray;
  const std::uint64_t want =
      array ? context.network.types.array_length(type_id) : type.fields.size();
  if (elements.size() != want) {
    context.diagnostics.error(
        context.network.pool[expression].where,
        fmt::format("{} values for {} {}", elements.size(), want, array ? "elements" : "fields"),
        array ? "give one value per element" : "give every field exactly one value");
    return false;
  }
  bool ok = true;
  for (std::size_t i = 0; i < elements.size(); ++i)
    ok = fill(context, array ? type.element : type.fields[i].type, elements[i], out) && ok;
  return ok;
}

bool fill_scalar(const Context& context, TypeId type_id, ExprId expression, Value& out) {
  const Network& network = context.network;
  const EvalResult result = evaluate(network, context.constants, expression);
  if (!result.ok()) {
    report_failure(network, result, expression, context.diagnostics);
    return false;
  }
  const Type& type = network.types[type_id];
  std::int32_t value = result.scalar();
  if (type.kind == TypeKind::kClock) {
    if (value < 0) {
      context.diagnostics.error(network.pool[expression].where,
                                fmt::format("a clock cannot start at {}", value),
                                "clocks start at 0 or later");
      return false;
    }
    out.clocks.push_back(value);
    return true;
  }
  if (type.kind == TypeKind::kBool)
    value = value != 0 ? 1 : 0;
  if (value < type.low || value > type.high) {
    context.diagnostics.error(
        network.pool[expression].where,
        fmt::format("the value {} lies outside the range [{},{}]", value, type.low, type.high),
        "choose a value inside the range, or declare a wider range");
    return false;
  }
  out.cells.push_back(value);
  return true;
}

bool fill(const Context& context, TypeId type_id, ExprId expression, Value& out) {
  const Network& network = context.network;
  const Type& type = network.types[type_id];
  if (type.kind == TypeKind::kReal)
    return true;
  if (network.pool[expression].kind == ExprKind::kList)
    return fill_list(context, type_id, expression, out);
  if (network.types.is_discrete(type_id) || type.kind == TypeKind::kClock)
    return fill_scalar(context, type_id, expression, out);
  // A whole array or struct: another constant, or the result of a function.
  EvalResult result = evaluate(network, context.constants, expression);
  if (!result.ok()) {
    report_failure(network, result, expression, context.diagnostics);
    return false;
  }
  std::vector<Bounds> bounds;
  append_bounds(network.types, type_id, bounds);
  for (std::size_t i = 0; i < result.cells.size() && i < bounds.size(); ++i) {
    if (result.cells[i] >= bounds[i].low && result.cells[i] <= bounds[i].high)
      continue;
    context.diagnostics.error(network.pool[expression].where,
                              fmt::format("the value {} lies outside the range [{},{}]",
                                          result.cells[i], bounds[i].low, bounds[i].high));
    return false;
  }
  out.cells.insert(out.cells.end(), result.cells.begin(), result.cells.end());
  return true;
}

}  // namespace

std::optional<std::vector<std::int32_t>> value_for_type(const Network& network,
                                                        ConstantValues& constants,
                                                        TypeId type,
                                                        ExprId expression,
                                                        Diagnostics& diagnostics) {
  Value value;
  if (!fill({network, constants, diagnostics}, type, expression, value))
    return std::nullopt;
  value.cells.insert(value.cells.end(), value.clocks.begin(), value.clocks.end());
  return std::move(value.cells);
}

std::optional<std::vector<std::int32_t>> initial_value(const Network& network,
                                                       ConstantValues& constants,
                                                       VariableId id,
                                                       Diagnostics& diagnostics) {
  const Variable& variable = network.variables[id];
  if (variable.initialiser.valid())
    return value_for_type(network, constants, variable.type, variable.initialiser, diagnostics);
  std::vector<std::int32_t> out;
  append_default_values(network.types, variable.type, out);
  out.resize(out.size() + network.types.shape(variable.type).clocks, 0);
  return out;
}

ExprId add_default_value(Network& network, TypeId id, SourceRange where) {
  const Type type = network.types[id];
  std::vector<ExprId> parts;
  if (type.kind == TypeKind::kArray)
    parts.assign(network.types.array_length(id), add_default_value(network, type.element, where));
  for (const Field& field : type.fields)
    parts.push_back(add_default_value(network, field.type, where));
  if (type.kind == TypeKind::kArray || type.kind == TypeKind::kStruct)
    return network.pool.add({.kind = ExprKind::kList, .type = id, .where = where}, parts);
  std::int32_t value = 0;
  if (network.types.is_discrete(id))
    value = std::clamp(value, type.low, std::max(type.low, type.high));
  return network.pool.add({.kind = ExprKind::kConstant,
                           .type = network.types.int_type(),
                           .where = where,
                           .payload = static_cast<std::uint32_t>(value)},
                          {});
}

void warn_short_list(const Type& element,
                     std::size_t given,
                     std::size_t wanted,
                     SourceRange where,
                     Diagnostics& diagnostics) {
  const bool is_number = element.kind == TypeKind::kInt;
  diagnostics.warning(
      where,
      fmt::format("{} value{} for {} elements; the others start at {}", given,
                  given == 1 ? "" : "s", wanted, is_number ? default_value(element) : 0),
      "give one value per element");
}

void report_failure(const Network& network,
                    const EvalResult& result,
                    ExprId expression,
                    Diagnostics& diagnostics) {
  const ExprId at = result.at.valid() ? result.at : expression;
  diagnostics.error(network.pool[at].where,
                    fmt::format("cannot evaluate '{}': {}", print_expression(network, at),
                                describe(result.status)));
}

}  // namespace tw
