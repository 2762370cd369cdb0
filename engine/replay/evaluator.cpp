#include "engine/replay/evaluator.hpp"

#include <cassert>
#include <utility>

namespace tw::replay {

Evaluator::Evaluator(const Network& network, const RunState& state)
    : network_(&network),
      pool_(&network.pool),
      memory_(network.memory.total, 0),
      clocks_(state.clocks) {
  assert(state.cells.size() >= network.memory.state && "a state of this network");
  assert(state.clocks.size() == network.clocks.size() && "a state of this network");
  for (std::size_t i = 0; i < network.memory.constants; ++i)
    memory_[i] = i < network.memory.state ? state.cells[i] : network.cells[CellId(i)].initial;
}

std::vector<std::int32_t> Evaluator::kept_cells() const {
  Cells kept(memory_.begin(), memory_.begin() + network_->memory.meta);
  for (std::size_t i = network_->memory.state; i < kept.size(); ++i)
    kept[i] = network_->cells[CellId(i)].initial;
  return kept;
}

void Evaluator::set_selects(const FiredEdge& fired) {
  set_selects(network_->edges[fired.edge].labels.selects, fired.selects);
}

void Evaluator::set_selects(std::span<const VariableId> selects,
                            std::span<const std::int32_t> values) {
  assert(selects.size() == values.size());
  for (std::size_t i = 0; i < selects.size(); ++i)
    set(network_->variables[selects[i]].first_cell.index(), values[i]);
}

bool Evaluator::holds(ExprId condition) {
  if (!condition.valid())
    return true;
  begin_evaluation();
  return value(condition) != 0 && !failed();
}

bool Evaluator::holds_in(const ExpressionPool& pool, ExprId condition) {
  const ExpressionPool* const own = std::exchange(pool_, &pool);
  const bool result = holds(condition);
  pool_ = own;
  return result;
}

ChannelId Evaluator::channel(ExprId expression) {
  begin_evaluation();
  const std::size_t channel = channel_place(expression);
  return failed() ? ChannelId() : ChannelId(channel);
}

void Evaluator::execute(std::span<const ExprId> updates) {
  for (const ExprId update : updates) {
    begin_evaluation();
    run(update);
  }
}

void Evaluator::begin_evaluation() {
  steps_ = 0;
  skimmed_ = 0;
}

bool Evaluator::enter(ExprId id) {
  here_ = id;
  return count_step();
}

bool Evaluator::count_step() {
  if (++steps_ > kMaxSteps)
    fail(RunStatus::kTooManySteps, here_);
  return !failed();
}

void Evaluator::fail(RunStatus error, ExprId at, const Misfit& misfit) {
  if (!failed())
    failure_ = {.error = error, .at = at, .misfit = misfit};
}

std::int64_t Evaluator::checked(const Number& number, ExprId at) {
  if (number.error != RunStatus::kOk)
    fail(number.error, at, {.value = number.value});
  return number.value;
}

// Cells first, then clocks; constants and frames are no variables of the model.
void Evaluator::note_uses(Place first, const Shape& shape) {
  if (recorder_ == nullptr || failed())
    return;
  for (std::size_t i = 0; i < shape.cells && first.cell < network_->memory.meta; ++i)
    recorder_->use(CellId(first.cell + i));
  for (std::size_t i = 0; i < shape.clocks; ++i)
    recorder_->use(network_->cell_of(ClockId(first.clock + i)));
}

void Evaluator::set(std::size_t cell, std::int32_t value) {
  if (undoable_)
    undo_.emplace_back(cell, memory_[cell]);
  memory_[cell] = value;
}

void Evaluator::set_clock(std::size_t clock, const Rational& value) {
  if (undoable_)
    undo_clocks_.emplace_back(clock, clocks_[clock]);
  clocks_[clock] = value;
}

void Evaluator::run(ExprId id) {
  if (is_discrete(id))
    value(id);
  else
    whole(id);
}

std::int64_t Evaluator::value(ExprId id) {
  if (!enter(id))
    return 0;
  switch (node(id).kind) {
    case ExprKind::kConstant:
      return node(id).value();
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
      return load(id);
    case ExprKind::kCall: {
      const Cells result = call(id);
      return failed() || result.empty() ? 0 : result.front();
    }
    case ExprKind::kNegate:
    case ExprKind::kNot:
    case ExprKind::kAbsolute:
      return unary(id);
    case ExprKind::kAdd:
    case ExprKind::kSubtract:
    case ExprKind::kMultiply:
    case ExprKind::kDivide:
    case ExprKind::kModulo:
    case ExprKind::kPower:
    case ExprKind::kShiftLeft:
    case ExprKind::kShiftRight:
    case ExprKind::kMin:
    case ExprKind::kMax:
    case ExprKind::kBitAnd:
    case ExprKind::kBitXor:
    case ExprKind::kBitOr:
    case ExprKind::kLess:
    case ExprKind::kLessEqual:
    case ExprKind::kGreaterEqual:
    case ExprKind::kGreater:
    case ExprKind::kEqual:
    case ExprKind::kNotEqual:
      return binary(id);
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kXor:
    case ExprKind::kImply:
      return logical(id);
    case ExprKind::kConditional:
      return choose(
          id, [this](ExprId taken) { return value(taken); }, [this](ExprId other) { skim(other); });
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      return quantified(id);
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      return modified(id);
    case ExprKind::kComma:
      run(operand(id, 0));
      return value(operand(id, 1));
    case ExprKind::kList:
    case ExprKind::kRate:
      break;
  }
  assert(false && "lists are no numbers, and rates are compared");
  return 0;
}

std::int64_t Evaluator::unary(ExprId id) {
  const std::int64_t x = value(operand(id, 0));
  if (node(id).kind == ExprKind::kNot)
    return x == 0 ? 1 : 0;
  const bool negate = node(id).kind == ExprKind::kNegate || x < 0;
  return wrap(negate ? -x : x);
}

std::int64_t Evaluator::binary(ExprId id) {
  const ExprId left = operand(id, 0);
  const ExprId right = operand(id, 1);
  if (node(left).kind == ExprKind::kRate || node(right).kind == ExprKind::kRate) {
    rate(id);
    return failed() ? 0 : 1;  // no question but a statement, so it is true
  }
  if (is_time(left) || is_time(right))
    return compare_times(id);
  if (!is_discrete(left)) {  // == and != of whole arrays and structs
    const Cells a = whole(left).cells;
    const Cells b = whole(right).cells;
    return (a == b) == (node(id).kind == ExprKind::kEqual) ? 1 : 0;
  }
  const std::int64_t a = value(left);
  const std::int64_t b = value(right);
  return failed() ? 0 : checked(compute(node(id).kind, a, b), id);
}

std::int64_t Evaluator::logical(ExprId id) {
  const ExprKind kind = node(id).kind;
  // Of `x <= 3 || p` p goes first: what is used, and which errors there are, must not depend on
  // time.
  const bool turned = kind == ExprKind::kOr && node(operand(id, 0)).timed;
  const ExprId second = operand(id, turned ? 0 : 1);
  const bool a = value(operand(id, turned ? 1 : 0)) != 0;
  const bool decided = kind == ExprKind::kOr ? a : kind != ExprKind::kXor && !a;
  if (decided) {
    skim(second);
    return kind == ExprKind::kAnd ? 0 : 1;
  }
  const bool b = value(second) != 0;
  return (kind == ExprKind::kXor ? a != b : b) ? 1 : 0;
}

std::int64_t Evaluator::quantified(ExprId id) {
  const ExprKind kind = node(id).kind;
  const Variable& iterator = network_->variables[node(id).variable()];
  const Type& range = network_->types[iterator.type];
  const ExprId body = operand(id, 0);
  std::int64_t result = kind == ExprKind::kForall ? 1 : 0;
  bool decided = false;
  for (std::int64_t i = range.low; i <= range.high && !failed(); ++i) {
    set(iterator.first_cell.index(), static_cast<std::int32_t>(i));
    if (decided) {
      if (recorder_ == nullptr)
        break;
      skim(body);
      continue;
    }
    const std::int64_t x = value(body);
    if (kind == ExprKind::kSum) {
      result = wrap(result + x);
      continue;
    }
    decided = (x != 0) == (kind == ExprKind::kExists);
    if (decided)
      result = kind == ExprKind::kExists ? 1 : 0;
  }
  return result;
}

std::int64_t Evaluator::load(ExprId id) {
  if (!has_place(id)) {
    const Value found = part(id);
    return failed() ? 0 : found.cells.front();
  }
  const Place at = place(id);
  if (failed())
    return 0;
  note_uses(at, shape(id));
  return memory_[at.cell];
}

Evaluator::Value Evaluator::whole(ExprId id) {
  if (is_discrete(id))
    return {.cells = {static_cast<std::int32_t>(value(id))}, .clocks = {}};
  if (is_time(id))
    return {.cells = {}, .clocks = {time(id).sum()}};
  if (!enter(id))
    return {};
  switch (node(id).kind) {
    case ExprKind::kList:
      return list(id);
    case ExprKind::kCall:
      return {.cells = call(id), .clocks = {}};
    case ExprKind::kConditional:
      return choose(
          id, [this](ExprId taken) { return whole(taken); }, [this](ExprId other) { skim(other); });
    case ExprKind::kComma:
      run(operand(id, 0));
      return whole(operand(id, 1));
    case ExprKind::kAssign: {
      const Place at = modify(id).place;
      return failed() ? Value() : held(at, shape(id));
    }
    default:
      return part(id);
  }
}

Evaluator::Value Evaluator::held(Place at, const Shape& shape) const {
  const auto range = [](const auto& all, std::size_t first, std::uint64_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(count == 0 ? 0 : first);
    return std::pair(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  const auto cells = range(memory_, at.cell, shape.cells);
  const auto clocks = range(clocks_, at.clock, shape.clocks);
  return {.cells = {cells.first, cells.second}, .clocks = {clocks.first, clocks.second}};
}

Evaluator::Value Evaluator::value_for(TypeId type, ExprId id, ExprId at) {
  Value out;
  if (network_->types.is_discrete(type))
    out.cells.push_back(static_cast<std::int32_t>(value(id)));
  else if (is_clock(type))
    out.clocks.push_back(new_time(id, at));
  else
    out = whole(id);
  convert(out.cells, type, at);
  return out;
}

// Lists initialise what has no clocks of its own: locals of functions.
Evaluator::Value Evaluator::list(ExprId id) {
  const Type& type = network_->types[node(id).type];
  Value out;
  for (std::size_t i = 0; i < node(id).operand_count && !failed(); ++i) {
    const TypeId want = type.kind == TypeKind::kArray ? type.element : type.fields[i].type;
    if (network_->types.shape(want).cells == 0)
      continue;
    const Value element = value_for(want, operand(id, i), operand(id, i));
    out.cells.insert(out.cells.end(), element.cells.begin(), element.cells.end());
  }
  return out;
}

// A variable, element or field that is no single number, or lies inside a value without a place.
Evaluator::Value Evaluator::part(ExprId id) {
  steps_ += shape(id).cells + shape(id).clocks;
  if (has_place(id)) {
    const Place at = place(id);
    if (failed())
      return {};
    note_uses(at, shape(id));
    return held(at, shape(id));
  }
  const ExprId all = operand(id, 0);
  const Cells values = whole(all).cells;  // the result of a function, which has no clocks
  const std::size_t offset =
      node(id).kind == ExprKind::kIndex
          ? element_offset(id) * shape(id).cells
          : network_->types.field_offset(node(all).type, node(id).field()).cells;
  if (failed())
    return {};
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(offset);
  return {.cells = {at, at + static_cast<std::ptrdiff_t>(shape(id).cells)}, .clocks = {}};
}

}  // namespace tw::replay
