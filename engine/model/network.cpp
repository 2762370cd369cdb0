#include "engine/model/network.hpp"

#include <bit>
#include <fmt/format.h>

namespace tw {
namespace {

std::uint64_t count_of(const Shape& shape, TypeKind space) {
  if (space == TypeKind::kClock)
    return shape.clocks;
  return space == TypeKind::kChannel ? shape.channels : shape.cells;
}

std::uint64_t bits_for(std::uint64_t values) {
  return values <= 1 ? 0 : std::bit_width(values - 1);
}

std::uint64_t bits_for(const Cell& cell) {
  return bits_for(static_cast<std::uint64_t>(std::int64_t{cell.high} - cell.low) + 1);
}

}  // namespace

std::string Network::qualified_name(VariableId id) const {
  const Variable& variable = variables[id];
  return variable.process.valid() ? processes[variable.process].name + '.' + variable.name
                                  : variable.name;
}

std::string Network::element_name(VariableId id, std::size_t offset, TypeKind space) const {
  std::string name = qualified_name(id);
  TypeId at = variables[id].type;
  for (;;) {
    const Type& type = types[at];
    if (type.kind == TypeKind::kArray) {
      const std::uint64_t stride = count_of(types.shape(type.element), space);
      const auto position = static_cast<std::int64_t>(offset / stride);
      name += fmt::format("[{}]", types[type.index].low + position);
      offset %= stride;
      at = type.element;
    } else if (type.kind == TypeKind::kStruct) {
      std::size_t field = 0;
      while (offset >= count_of(types.shape(type.fields[field].type), space))
        offset -= count_of(types.shape(type.fields[field++].type), space);
      name += '.' + type.fields[field].name;
      at = type.fields[field].type;
    } else {
      return name;
    }
  }
}

std::string Network::cell_name(CellId id) const {
  if (is_clock(id))
    return clocks[clock_of(id)].name;
  const VariableId variable = cells[id].variable;
  return element_name(variable, id.index() - variables[variable].first_cell.index(),
                      TypeKind::kInt);
}

std::uint64_t Network::packed_bits(VariableId id) const {
  std::uint64_t bits = 0;
  const std::size_t first = variables[id].first_cell.index();
  for (std::size_t i = 0; i < types.shape(variables[id].type).cells; ++i)
    bits += bits_for(cells[CellId(first + i)]);
  return bits;
}

std::uint64_t Network::packed_state_bits() const {
  std::uint64_t bits = 0;
  for (const Process& process : processes) {
    std::uint64_t places = 0;
    for (std::size_t i = 0; i < process.location_count; ++i) {
      const LocationId location(process.first_location.index() + i);
      places += decl(location).kind == LocationKind::kBranchpoint ? 0U : 1U;
    }
    bits += bits_for(places);
  }
  for (std::size_t i = 0; i < memory.state; ++i)
    bits += bits_for(cells[CellId(i)]);
  return bits;
}

}  // namespace tw
