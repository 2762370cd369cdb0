#include "criteria/observer/cell_expression.hpp"

#include <array>

namespace tw::observer {

ExprId number_expression(const Network& network, std::int32_t value, CoverageRules& rules) {
  return rules.pool().add({.kind = ExprKind::kConstant,
                           .type = network.types.int_type(),
                           .payload = static_cast<std::uint32_t>(value)});
}

// From the outside in: which element, which field, until one cell is left.
ExprId cell_expression(const Network& network, CellId cell, CoverageRules& rules) {
  const VariableId variable = network.variable_at(cell);
  TypeId type = network.variables[variable].type;
  std::uint64_t offset = cell.index() - network.variables[variable].first_cell.index();
  ExprId out = rules.pool().add({.kind = ExprKind::kVariable,
                                 .type = type,
                                 .payload = static_cast<std::uint32_t>(variable.index())});
  for (;;) {
    const Type& shape = network.types[type];
    if (shape.kind == TypeKind::kArray) {
      const std::uint64_t size = network.types.shape(shape.element).cells;
      const auto index = static_cast<std::int32_t>(network.types[shape.index].low +
                                                   static_cast<std::int64_t>(offset / size));
      offset %= size;
      type = shape.element;
      const std::array parts = {out, number_expression(network, index, rules)};
      out = rules.pool().add({.kind = ExprKind::kIndex, .type = type}, parts);
    } else if (shape.kind == TypeKind::kStruct) {
      std::size_t field = 0;
      while (field + 1 < shape.fields.size() &&
             network.types.field_offset(type, field + 1).cells <= offset)
        ++field;
      offset -= network.types.field_offset(type, field).cells;
      type = shape.fields[field].type;
      const std::array parts = {out};
      out = rules.pool().add(
          {.kind = ExprKind::kField, .type = type, .payload = static_cast<std::uint32_t>(field)},
          parts);
    } else {
      return out;
    }
  }
}

}  // namespace tw::observer
