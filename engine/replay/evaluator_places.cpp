// Places, and what is stored into them.

#include <cassert>

#include "engine/replay/evaluator.hpp"

namespace tw::replay {

bool Evaluator::has_place(ExprId id) const {
  switch (node(id).kind) {
    case ExprKind::kVariable:
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
      return true;
    case ExprKind::kIndex:
    case ExprKind::kField:
      return has_place(operand(id, 0));
    case ExprKind::kConditional:
      return has_place(operand(id, 1)) && has_place(operand(id, 2));
    default:
      return false;
  }
}

Evaluator::Place Evaluator::place(ExprId id) {
  if (!enter(id))
    return {};
  switch (node(id).kind) {
    case ExprKind::kVariable:
      return variable_place(node(id).variable());
    case ExprKind::kIndex: {
      const Place array = place(operand(id, 0));
      const std::size_t i = element_offset(id);
      return {.cell = array.cell + i * shape(id).cells,
              .clock = array.clock + i * shape(id).clocks};
    }
    case ExprKind::kField: {
      const ExprId all = operand(id, 0);
      const Place first = place(all);
      const Shape before = network_->types.field_offset(node(all).type, node(id).field());
      return {.cell = first.cell + before.cells, .clock = first.clock + before.clocks};
    }
    case ExprKind::kConditional:
      return choose(
          id, [this](ExprId taken) { return place(taken); },
          [this](ExprId other) { skim_path(other); });
    default:
      assert(has_place(id) && "an assignment stands for its target");
      return modify(id).place;
  }
}

Evaluator::Place Evaluator::variable_place(VariableId id) const {
  const Variable& variable = network_->variables[id];
  const std::size_t first = variable.first_cell.index();
  // The frame cells of a reference hold the place it stands for.
  if (variable.is_alias())
    return {.cell = static_cast<std::uint32_t>(memory_[first]),
            .clock = static_cast<std::uint32_t>(memory_[first + 1])};
  return {.cell = first, .clock = variable.first_clock.index()};
}

std::size_t Evaluator::element_offset(ExprId id) {
  const Type& array = network_->types[node(operand(id, 0)).type];
  const Type& index = network_->types[array.index];
  const std::int64_t i = value(operand(id, 1));
  if (failed())
    return 0;
  if (i < index.low || i > index.high) {
    fail(RunStatus::kIndexOutOfRange, id, {.value = i, .low = index.low, .high = index.high});
    return 0;
  }
  return static_cast<std::size_t>(i - index.low);
}

std::size_t Evaluator::channel_place(ExprId id) {
  if (!enter(id))
    return 0;
  if (node(id).kind == ExprKind::kConditional)
    return choose(
        id, [this](ExprId taken) { return channel_place(taken); },
        [this](ExprId other) { skim_path(other); });
  if (node(id).kind == ExprKind::kIndex) {
    const std::size_t array = channel_place(operand(id, 0));
    return array + element_offset(id) * network_->types.shape(node(id).type).channels;
  }
  assert(node(id).kind == ExprKind::kVariable);
  return network_->variables[node(id).variable()].first_channel.index();
}

Evaluator::Change Evaluator::modify(ExprId id) {
  const ExprKind kind = node(id).kind;
  const ExprId target = operand(id, 0);
  const TypeId type = node(target).type;
  const Place to = place(target);
  if (kind == ExprKind::kAssign) {
    store(to, value_for(type, operand(id, 1), id));
    return {.place = to};
  }
  if (failed())
    return {};
  note_uses(to, shape(target));
  const std::int64_t before = memory_[to.cell];
  const bool compound = kind == ExprKind::kCompoundAssign;
  const bool up = kind == ExprKind::kPreIncrement || kind == ExprKind::kPostIncrement;
  const ExprKind step = up ? ExprKind::kAdd : ExprKind::kSubtract;
  const std::int64_t by = compound ? value(operand(id, 1)) : 1;
  if (failed())
    return {};
  const std::int64_t result = checked(compute(compound ? node(id).op : step, before, by), id);
  Value after{.cells = {static_cast<std::int32_t>(result)}, .clocks = {}};
  convert(after.cells, type, id);
  store(to, after);
  return {.place = to, .before = before};
}

// The value of a change is what stands in its target afterwards; only `i++` and `i--` yield the old
// one.
std::int64_t Evaluator::modified(ExprId id) {
  const Change change = modify(id);
  if (failed())
    return 0;
  const ExprKind kind = node(id).kind;
  const bool old = kind == ExprKind::kPostIncrement || kind == ExprKind::kPostDecrement;
  return old ? change.before : memory_[change.place.cell];
}

void Evaluator::store(Place to, const Value& value) {
  if (failed())
    return;
  const auto define = [this](CellId cell) {
    if (recorder_ != nullptr)
      recorder_->define(cell);
  };
  for (std::size_t i = 0; i < value.cells.size(); ++i) {
    set(to.cell + i, value.cells[i]);
    if (to.cell < network_->memory.meta)
      define(CellId(to.cell + i));
  }
  for (std::size_t i = 0; i < value.clocks.size(); ++i) {
    set_clock(to.clock + i, value.clocks[i]);
    define(network_->cell_of(ClockId(to.clock + i)));
  }
}

void Evaluator::convert(std::span<std::int32_t> values, TypeId type, ExprId at) {
  const TypeTable& types = network_->types;
  const Type& t = types[type];
  if (failed() || types.shape(type).cells == 0)
    return;
  assert(values.size() == types.shape(type).cells &&
         "types were compared when the model was loaded");
  if (t.kind == TypeKind::kBool) {
    values.front() = values.front() != 0 ? 1 : 0;
  } else if (types.is_discrete(type)) {
    if (values.front() < t.low || values.front() > t.high)
      fail(RunStatus::kValueOutOfRange, at,
           {.value = values.front(), .low = t.low, .high = t.high});
  } else if (t.kind == TypeKind::kArray) {
    const std::size_t size = types.shape(t.element).cells;
    for (std::size_t i = 0; i < values.size(); i += size)
      convert(values.subspan(i, size), t.element, at);
  } else {
    std::size_t offset = 0;
    for (const Field& field : t.fields) {
      const std::size_t size = types.shape(field.type).cells;
      convert(values.subspan(offset, size), field.type, at);
      offset += size;
    }
  }
}

}  // namespace tw::replay
