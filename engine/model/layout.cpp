// Gives every variable of the frozen network its place: state cells first, then meta, constants and
// frames; clocks and channels in spaces of their own. Within a region: globals in order of
// declaration, then process by process, so neighbours in the model are neighbours in memory.

#include <algorithm>
#include <cassert>
#include <compare>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/model/builder.hpp"
#include "engine/model/instantiate.hpp"

namespace tw {
namespace {

std::vector<VariableId> runtime_variables(const Network& network) {
  std::vector<VariableId> out = network.globals;
  for (const Process& process : network.processes)
    out.insert(out.end(), process.variables.begin(), process.variables.end());
  return out;
}

class LayOut {
 public:
  LayOut(Network& network, const KnownValues& values, const Limits& limits)
      : network_(network),
        values_(values),
        limits_(limits) {}

  void place_region(std::span<const VariableId> variables, Storage storage) {
    for (const VariableId id : variables)
      if (network_.variables[id].storage == storage)
        place(id);
  }

  void place_frames() {
    for (std::size_t i = 0; i < network_.variables.size(); ++i) {
      Variable& variable = network_.variables[VariableId(i)];
      if (variable.storage != Storage::kFrame || variable.prototype)
        continue;
      const Shape& shape = network_.types.shape(variable.type);
      variable.first_cell = CellId(frame_end_);
      // A reference holds the address of the first cell and of the first clock it stands for.
      frame_end_ += variable.is_alias() ? 2 : shape.cells;
    }
  }

  void start_frames() { frame_end_ = network_.cells.size(); }

  [[nodiscard]] std::uint64_t frame_end() const { return frame_end_; }

  /// If not, clocks or channels are missing.
  [[nodiscard]] bool names_fit() const { return name_bytes_ <= limits_.name_bytes; }

 private:
  void place(VariableId id) {
    Variable& variable = network_.variables[id];
    const Shape shape = network_.types.shape(variable.type);
    const CellValues& values =
        variable.storage == Storage::kConstant ? values_.constants.values : values_.initial;
    const auto known = values.find(id);
    std::vector<Bounds> bounds;
    append_bounds(network_.types, variable.type, bounds);
    if (shape.cells != 0)
      variable.first_cell = CellId(network_.cells.size());
    for (std::size_t i = 0; i < bounds.size(); ++i)
      network_.cells.push_back({.variable = id,
                                .low = bounds[i].low,
                                .high = bounds[i].high,
                                .initial = known != values.end() ? known->second[i] : 0});
    place_clocks(id, shape, known != values.end() ? &known->second : nullptr);
    place_channels(id, shape);
  }

  void place_clocks(VariableId id, const Shape& shape, const std::vector<std::int32_t>* initial) {
    if (shape.clocks != 0)
      network_.variables[id].first_clock = ClockId(network_.clocks.size());
    for (std::size_t i = 0; i < shape.clocks && names_fit(); ++i) {
      std::string name = network_.element_name(id, i, TypeKind::kClock);
      name_bytes_ += name.size();
      network_.clocks.push_back({.name = std::move(name),
                                 .variable = id,
                                 .initial = initial != nullptr ? (*initial)[shape.cells + i] : 0});
    }
  }

  void place_channels(VariableId id, const Shape& shape) {
    if (shape.channels == 0)
      return;
    network_.variables[id].first_channel = ChannelId(network_.channels.size());
    TypeId type = network_.variables[id].type;
    while (network_.types[type].kind == TypeKind::kArray)
      type = network_.types[type].element;
    for (std::size_t i = 0; i < shape.channels && names_fit(); ++i) {
      std::string name = network_.element_name(id, i, TypeKind::kChannel);
      name_bytes_ += name.size();
      network_.channels.push_back({.name = std::move(name),
                                   .variable = id,
                                   .urgent = network_.types[type].urgent,
                                   .broadcast = network_.types[type].broadcast});
    }
  }

  Network& network_;
  const KnownValues& values_;
  const Limits& limits_;
  std::uint64_t frame_end_ = 0;
  std::uint64_t name_bytes_ = 0;
};

// Counts before anything is allocated.
bool fits(const Network& network, const Limits& limits, Diagnostics& diagnostics) {
  Shape total;
  for (const Variable& variable : network.variables) {
    if (variable.prototype)
      continue;
    const Shape& shape = network.types.shape(variable.type);
    if (shape.largest() > limits.variable_cells) {
      diagnostics.error(variable.where,
                        fmt::format("'{}' has more than {} elements, the limit for one variable",
                                    variable.name, limits.variable_cells),
                        "use a smaller array");
      return false;
    }
    total.cells += shape.cells;
    total.clocks += shape.clocks;
    total.channels += shape.channels;
    if (total.clocks > limits.clocks) {
      diagnostics.error(
          variable.where,
          fmt::format("all processes together have more than {} clocks, the limit", limits.clocks),
          "use smaller arrays of clocks or fewer processes");
      return false;
    }
    if (std::max({total.cells, total.clocks, total.channels}) > limits.cells) {
      diagnostics.error(
          variable.where,
          fmt::format("all variables together have more than {} elements, the limit", limits.cells),
          "use smaller arrays or fewer processes");
      return false;
    }
  }
  return true;
}

struct ChannelRange {
  std::size_t first = 0;
  std::uint64_t count = 0;
};

// The channels an expression of `chan priority` names: one, or all of an array.
std::optional<ChannelRange> channels_of(const Network& network,
                                        ConstantValues& values,
                                        ExprId expression,
                                        Diagnostics& diagnostics) {
  std::size_t first = 0;
  const std::uint64_t count = network.types.shape(network.pool[expression].type).channels;
  ExprId at = expression;
  while (network.pool[at].kind == ExprKind::kIndex) {
    const Type& type = network.types[network.pool[network.pool.operand(at, 0)].type];
    const Type& index = network.types[type.index];
    const ExprId position = network.pool.operand(at, 1);
    const EvalResult result = evaluate(network, values, position);
    if (!result.ok() || result.scalar() < index.low || result.scalar() > index.high) {
      diagnostics.error(network.pool[position].where,
                        "the index of a channel priority must be a constant inside the array");
      return std::nullopt;
    }
    first += static_cast<std::size_t>(std::int64_t{result.scalar()} - index.low) *
             network.types.shape(type.element).channels;
    at = network.pool.operand(at, 0);
  }
  assert(network.pool[at].kind == ExprKind::kVariable);
  first += network.variables[network.pool[at].variable()].first_channel.index();
  return ChannelRange{.first = first, .count = count};
}

void set_priorities(Network& network, ConstantValues& values, Diagnostics& diagnostics) {
  std::int32_t base = 0;
  for (std::size_t i = 0; i < network.channel_priorities.size(); ++i)
    if (network.channel_priorities[i].has_default)
      base = static_cast<std::int32_t>(i);
  // Backwards, as the last mention of a channel counts; each range once, as a large array may be
  // named over and over.
  std::set<std::pair<std::size_t, std::uint64_t>> done;
  std::vector<bool> has_priority(network.channels.size(), false);
  for (std::size_t i = network.channel_priorities.size(); i-- > 0;) {
    for (const ExprId channel : network.channel_priorities[i].channels) {
      const auto range = channels_of(network, values, channel, diagnostics);
      if (!range || !done.insert({range->first, range->count}).second)
        continue;
      for (std::size_t at = range->first; at < range->first + range->count; ++at) {
        if (!has_priority[at])
          network.channels[ChannelId(at)].priority = static_cast<std::int32_t>(i) - base;
        has_priority[at] = true;
      }
    }
  }
}

}  // namespace

bool lay_out_memory(Network& network,
                    KnownValues& values,
                    const Limits& limits,
                    Diagnostics& diagnostics) {
  if (!fits(network, limits, diagnostics))
    return false;
  const std::size_t errors = diagnostics.errors();
  const std::vector<VariableId> variables = runtime_variables(network);
  LayOut layout(network, values, limits);
  layout.place_region(variables, Storage::kState);
  network.memory.state = static_cast<std::uint32_t>(network.cells.size());
  layout.place_region(variables, Storage::kMeta);
  network.memory.meta = static_cast<std::uint32_t>(network.cells.size());
  layout.place_region(variables, Storage::kConstant);
  network.memory.constants = static_cast<std::uint32_t>(network.cells.size());
  layout.start_frames();
  layout.place_frames();
  network.memory.total = static_cast<std::uint32_t>(layout.frame_end());
  if (!layout.names_fit()) {
    diagnostics.error({},
                      fmt::format("the names of all clocks and channels together have more than {} "
                                  "bytes, the limit",
                                  limits.name_bytes),
                      "use shorter names, smaller arrays or fewer processes");
    return false;
  }
  set_priorities(network, values.constants, diagnostics);
  return diagnostics.errors() == errors;
}

}  // namespace tw
