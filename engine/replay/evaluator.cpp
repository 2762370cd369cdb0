#include "engine/replay/evaluator.hpp"

#include <cassert>
#include <utility>

namespace tw::replay {

Evaluator::Evaluator(const Network& network, std::span<const std::int32_t> state)
    : network_(&network),
      pool_(&network.pool),
      memory_(network.memory.total, 0) {
  assert(state.size() >= network.memory.state && "a state of this network");
  for (std::size_t i = 0; i < network.memory.constants; ++i)
    memory_[i] = i < network.memory.state ? state[i] : network.cells[CellId(i)].initial;
}

std::vector<std::int32_t> Evaluator::kept_cells() const {
  Cells kept(memory_.begin(), memory_.begin() + network_->memory.meta);
  for (std::size_t i = network_->memory.state; i < kept.size(); ++i)
    kept[i] = network_->cells[CellId(i)].initial;
  return kept;
}

void Evaluator::set_selects(const FiredEdge& fired) {
  const std::vector<VariableId>& selects = network_->edges[fired.edge].labels.selects;
  assert(selects.size() == fired.selects.size());
  for (std::size_t i = 0; i < selects.size(); ++i)
    set(network_->variables[selects[i]].first_cell.index(), fired.selects[i]);
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

void Evaluator::fail(RunStatus error, ExprId at) {
  if (!failed())
    failure_ = {.error = error, .at = at};
}

std::int64_t Evaluator::checked(const Number& number, ExprId at) {
  if (number.error != RunStatus::kOk)
    fail(number.error, at);
  return number.value;
}

void Evaluator::note_uses(std::size_t first, std::size_t count) {
  if (recorder_ == nullptr || failed() || first >= network_->memory.meta)
    return;
  for (std::size_t i = 0; i < count; ++i)
    recorder_->use(CellId(first + i));
}

void Evaluator::note_definition(std::size_t cell) {
  if (recorder_ != nullptr && !failed() && cell < network_->memory.meta)
    recorder_->define(CellId(cell));
}

void Evaluator::set(std::size_t cell, std::int32_t value) {
  if (undoable_)
    undo_.emplace_back(cell, memory_[cell]);
  memory_[cell] = value;
}

void Evaluator::run(ExprId id) {
  if (is_discrete(id))
    value(id);
  else
    cells(id);
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
  assert(false && "lists are no numbers, and rates belong to clocks");
  return 0;
}

std::int64_t Evaluator::unary(ExprId id) {
  const std::int64_t x = value(operand(id, 0));
  if (node(id).kind == ExprKind::kNot)
    return x == 0 ? 1 : 0;
  const bool negate = node(id).kind == ExprKind::kNegate || x < 0;
  return checked(in_32_bits(negate ? -x : x), id);
}

std::int64_t Evaluator::binary(ExprId id) {
  const ExprId left = operand(id, 0);
  const ExprId right = operand(id, 1);
  if (!is_discrete(left)) {  // == and != of whole arrays and structs
    const Cells a = cells(left);
    const Cells b = cells(right);
    return (a == b) == (node(id).kind == ExprKind::kEqual) ? 1 : 0;
  }
  const std::int64_t a = value(left);
  const std::int64_t b = value(right);
  return failed() ? 0 : checked(compute(node(id).kind, a, b), id);
}

std::int64_t Evaluator::logical(ExprId id) {
  const ExprKind kind = node(id).kind;
  const ExprId right = operand(id, 1);
  const bool a = value(operand(id, 0)) != 0;
  const bool decided = kind == ExprKind::kOr ? a : kind != ExprKind::kXor && !a;
  if (decided) {
    skim(right);
    return kind == ExprKind::kAnd ? 0 : 1;
  }
  const bool b = value(right) != 0;
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
      result = checked(in_32_bits(result + x), id);
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
    const Cells found = part(id);
    return failed() ? 0 : found.front();
  }
  const std::size_t cell = place(id);
  if (failed())
    return 0;
  note_uses(cell, 1);
  return memory_[cell];
}

Evaluator::Cells Evaluator::cells(ExprId id) {
  if (is_discrete(id))
    return {static_cast<std::int32_t>(value(id))};
  if (!enter(id))
    return {};
  switch (node(id).kind) {
    case ExprKind::kList:
      return list(id);
    case ExprKind::kCall:
      return call(id);
    case ExprKind::kConditional:
      return choose(
          id, [this](ExprId taken) { return cells(taken); }, [this](ExprId other) { skim(other); });
    case ExprKind::kComma:
      run(operand(id, 0));
      return cells(operand(id, 1));
    case ExprKind::kAssign: {
      const auto first = memory_.begin() + static_cast<std::ptrdiff_t>(modify(id).cell);
      if (failed())
        return {};
      return {first, first + static_cast<std::ptrdiff_t>(cell_count(id))};
    }
    default:
      return part(id);
  }
}

Evaluator::Cells Evaluator::list(ExprId id) {
  const Type& type = network_->types[node(id).type];
  Cells out;
  for (std::size_t i = 0; i < node(id).operand_count && !failed(); ++i) {
    const TypeId want = type.kind == TypeKind::kArray ? type.element : type.fields[i].type;
    if (network_->types.shape(want).cells == 0)
      continue;
    Cells element = cells(operand(id, i));
    convert(element, want, operand(id, i));
    out.insert(out.end(), element.begin(), element.end());
  }
  return out;
}

// A variable, element or field that is no single number, or lies inside a value without a place.
Evaluator::Cells Evaluator::part(ExprId id) {
  const auto count = static_cast<std::ptrdiff_t>(cell_count(id));
  steps_ += cell_count(id);
  if (has_place(id)) {
    const std::size_t first = place(id);
    if (failed())
      return {};
    note_uses(first, cell_count(id));
    const auto at = memory_.begin() + static_cast<std::ptrdiff_t>(first);
    return {at, at + count};
  }
  const ExprId whole = operand(id, 0);
  const Cells values = cells(whole);
  const std::size_t offset =
      node(id).kind == ExprKind::kIndex
          ? element_offset(id) * cell_count(id)
          : network_->types.field_offset(node(whole).type, node(id).field()).cells;
  if (failed())
    return {};
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(offset);
  return {at, at + count};
}

}  // namespace tw::replay
