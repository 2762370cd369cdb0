#include "engine/semantics/compiler.hpp"

#include <algorithm>
#include <cassert>

#include "engine/model/evaluate.hpp"

namespace tw {
namespace {

Opcode opcode_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::kAdd:
      return Opcode::kAdd;
    case ExprKind::kSubtract:
      return Opcode::kSubtract;
    case ExprKind::kMultiply:
      return Opcode::kMultiply;
    case ExprKind::kDivide:
      return Opcode::kDivide;
    case ExprKind::kModulo:
      return Opcode::kModulo;
    case ExprKind::kPower:
      return Opcode::kPower;
    case ExprKind::kShiftLeft:
      return Opcode::kShiftLeft;
    case ExprKind::kShiftRight:
      return Opcode::kShiftRight;
    case ExprKind::kMin:
      return Opcode::kMin;
    case ExprKind::kMax:
      return Opcode::kMax;
    case ExprKind::kBitAnd:
      return Opcode::kBitAnd;
    case ExprKind::kBitXor:
      return Opcode::kBitXor;
    case ExprKind::kBitOr:
      return Opcode::kBitOr;
    default:
      assert(false && "not an arithmetic operator");
      return Opcode::kStop;
  }
}

}  // namespace

Compiler::Compiler(const Network& network, const std::vector<bool>& watched)
    : network_(network),
      pool_(&network.pool) {
  code_.memory.assign(network.memory.total, 0);
  code_.variables = network.memory.total;
  code_.fixed.assign(network.memory.total, false);
  for (std::uint32_t i = network.memory.meta; i < network.memory.constants; ++i)
    code_.fixed[i] = true;
  code_.no_clock = static_cast<std::int32_t>(network.memory.total) - 1;
  for (std::size_t i = 0; i < network.cells.size(); ++i)
    code_.memory[i] = network.cells[CellId(i)].initial;
  if (std::find(watched.begin(), watched.end(), true) != watched.end()) {
    code_.watched = watched;
    code_.watched.resize(network.memory.total + network.clocks.size(), false);
    touching_.assign(network.pool.size(), Touch::kUnknown);
  }
  compile_functions();
}

std::uint32_t Compiler::emit(Opcode op, Cell c, Cell a, Cell b) {
  code_.instructions.push_back({.op = op, .c = c, .a = a, .b = b});
  code_.origins.push_back(origin_);
  return here() - 1;
}

Compiler::Cell Compiler::literal(std::int32_t value) {
  const auto known = literals_.find(value);
  if (known != literals_.end())
    return known->second;
  const auto cell = static_cast<Cell>(code_.memory.size());
  code_.memory.push_back(value);
  code_.fixed.push_back(true);
  literals_.emplace(value, cell);
  return cell;
}

Compiler::Cell Compiler::temporary() { return temporaries(1); }

Compiler::Cell Compiler::temporaries(std::uint32_t count) {
  const auto first = static_cast<Cell>(code_.memory.size());
  code_.memory.resize(code_.memory.size() + count, 0);
  code_.fixed.resize(code_.memory.size(), false);
  return first;
}

Compiler::Label Compiler::new_label() {
  labels_.push_back(kUnbound);
  return static_cast<Label>(labels_.size() - 1);
}

void Compiler::bind(Label label) {
  labels_[label] = here();
  std::erase_if(patches_, [&](const Patch& patch) {
    if (patch.label != label)
      return false;
    code_.instructions[patch.instruction].c = here();
    return true;
  });
}

void Compiler::jump_to(Label label, Opcode op, Cell a, Cell b) {
  const std::uint32_t at = emit(op, labels_[label], a, b);
  if (labels_[label] == kUnbound)
    patches_.push_back({.instruction = at, .label = label});
}

std::uint32_t Compiler::range(TypeId type) {
  const Type& t = network_.types[type];
  code_.ranges.push_back({.low = t.low, .high = t.high});
  return static_cast<std::uint32_t>(code_.ranges.size() - 1);
}

std::uint32_t Compiler::condition(ExprId expression) {
  const std::uint32_t entry = here();
  const Label no = new_label();
  jump(expression, false, no);
  emit(Opcode::kStop, 0, 1);
  bind(no);
  emit(Opcode::kStop, 0, 0);
  return entry;
}

std::uint32_t Compiler::foreign_condition(const ExpressionPool& pool, ExprId expression) {
  pool_ = &pool;
  const std::uint32_t entry = condition(expression);
  pool_ = &network_.pool;
  return entry;
}

CodeBlock Compiler::channel_block(ExprId expression) {
  CodeBlock out{.entry = here()};
  out.result = channel(expression);
  // A constant channel needs no code: its number is in a literal.
  if (out.entry == here())
    out.entry = CodeBlock::kNone;
  else
    emit(Opcode::kStop);
  return out;
}

Compiler::Cell Compiler::channel(ExprId id) {
  const Expression& e = node(id);
  const Blame blame(*this, id);
  Cell out = 0;
  if (e.kind == ExprKind::kVariable) {
    out =
        literal(static_cast<std::int32_t>(network_.variables[e.variable()].first_channel.index()));
  } else if (e.kind == ExprKind::kConditional) {
    out = choose(
        id, [this](ExprId taken) { return channel(taken); },
        [this](ExprId other) { skim_path(other); });
  } else {
    assert(e.kind == ExprKind::kIndex && "channels are variables, elements or a choice of these");
    const ExprId array = operand(id, 0);
    const Type& type = network_.types[node(array).type];
    const Cell base = channel(array);
    const Cell at = value(operand(id, 1));
    out = temporary();
    emit(Opcode::kMove, out, base);
    code_.strides.push_back(
        {.low = network_.types[type.index].low,
         .length = static_cast<std::uint32_t>(network_.types.array_length(node(array).type)),
         .unit = static_cast<std::uint32_t>(network_.types.shape(type.element).channels)});
    emit(Opcode::kElementOf, out, at, static_cast<Cell>(code_.strides.size() - 1));
  }
  return out;
}

std::uint32_t Compiler::updates(std::span<const ExprId> expressions) {
  if (expressions.empty())
    return CodeBlock::kNone;
  const std::uint32_t entry = here();
  noting_ = !code_.watched.empty();
  for (const ExprId e : expressions)
    run(e);
  noting_ = false;
  emit(Opcode::kStop);
  return entry;
}

bool Compiler::has_effects(ExprId id) const {
  const ExprKind kind = node(id).kind;
  if (kind == ExprKind::kCall || (kind >= ExprKind::kAssign && kind <= ExprKind::kPostDecrement))
    return true;
  for (const ExprId part : pool_->operands(id))
    if (has_effects(part))
      return true;
  return false;
}

void Compiler::run(ExprId id) {
  if (discrete(node(id).type))
    value(id);
  else if (is_clock(node(id).type))
    set_clock(id);
  else
    source(id);
}

// The left operand may be a variable that evaluating the right one changes.
Compiler::Cell Compiler::protect(Cell cell, ExprId other) {
  if (!has_effects(other))
    return cell;
  const Cell saved = temporary();
  emit(Opcode::kMove, saved, cell);
  return saved;
}

Compiler::Cell Compiler::value(ExprId id) {
  const Expression& e = node(id);
  const Blame blame(*this, id);
  Cell out = 0;
  if (is_comparison(e.kind)) {
    out = comparison(id);
  } else if (e.kind >= ExprKind::kAnd && e.kind <= ExprKind::kImply) {
    out = logical(id);
  } else if (is_binary_operator(e.kind)) {
    out = arithmetic(id);
  } else {
    switch (e.kind) {
      case ExprKind::kConstant:
        out = literal(e.value());
        break;
      case ExprKind::kVariable:
      case ExprKind::kIndex:
      case ExprKind::kField:
        out = load(part(id));
        break;
      case ExprKind::kNegate:
      case ExprKind::kNot:
      case ExprKind::kAbsolute: {
        const Cell a = value(operand(id, 0));
        out = temporary();
        Opcode op = Opcode::kNegate;
        if (e.kind != ExprKind::kNegate)
          op = e.kind == ExprKind::kNot ? Opcode::kNot : Opcode::kAbsolute;
        emit(op, out, a);
        break;
      }
      case ExprKind::kConditional:
        out = choose(
            id, [this](ExprId taken) { return value(taken); },
            [this](ExprId other) { skim(other); });
        break;
      case ExprKind::kForall:
      case ExprKind::kExists:
      case ExprKind::kSum:
        out = quantifier(id);
        break;
      case ExprKind::kComma:
        run(operand(id, 0));
        out = value(operand(id, 1));
        break;
      case ExprKind::kCall:
        out = call(id);
        break;
      default:
        out = modify(id).value;
        break;
    }
  }
  return out;
}

Compiler::Cell Compiler::arithmetic(ExprId id) {
  const Cell a = protect(value(operand(id, 0)), operand(id, 1));
  const Cell b = value(operand(id, 1));
  const Cell out = temporary();
  emit(opcode_of(node(id).kind), out, a, b);
  return out;
}

Compiler::Cell Compiler::comparison(ExprId id) {
  const ExprId left = operand(id, 0);
  const ExprId right = operand(id, 1);
  const ExprKind kind = node(id).kind;
  if (node(id).timed) {
    clock_constraint(id);
    return literal(1);
  }
  const Cell out = temporary();
  if (!discrete(node(left).type)) {  // whole arrays and structs
    Place compared = source(left);
    if (has_effects(right)) {  // which may change what stands on the left
      const Place saved{.cell = temporaries(cells_of(node(left).type))};
      copy_cells(left, compared, saved, node(left).type);
      compared = saved;
    }
    emit(Opcode::kMove, out, address(compared));
    const Cell b = address(source(right));
    code_.blocks.push_back({.count = cells_of(node(left).type)});
    emit(Opcode::kSame, out, b, static_cast<Cell>(code_.blocks.size() - 1));
    if (kind == ExprKind::kNotEqual)
      emit(Opcode::kNot, out, out);
    return out;
  }
  const Cell a = protect(value(left), right);
  const Cell b = value(right);
  switch (kind) {
    case ExprKind::kLess:
      emit(Opcode::kLess, out, a, b);
      break;
    case ExprKind::kLessEqual:
      emit(Opcode::kLessEqual, out, a, b);
      break;
    case ExprKind::kGreater:
      emit(Opcode::kLess, out, b, a);
      break;
    case ExprKind::kGreaterEqual:
      emit(Opcode::kLessEqual, out, b, a);
      break;
    case ExprKind::kEqual:
      emit(Opcode::kEqual, out, a, b);
      break;
    default:
      emit(Opcode::kNotEqual, out, a, b);
      break;
  }
  return out;
}

Compiler::Cell Compiler::logical(ExprId id) {
  const Cell out = temporary();
  if (node(id).kind == ExprKind::kXor) {
    const Cell a = temporary();
    emit(Opcode::kBool, a, value(operand(id, 0)));
    const Cell b = value(operand(id, 1));
    emit(Opcode::kBool, out, b);
    emit(Opcode::kNotEqual, out, a, out);
    return out;
  }
  const Label done = new_label();
  emit(Opcode::kMove, out, literal(0));
  jump(id, false, done);
  emit(Opcode::kMove, out, literal(1));
  bind(done);
  return out;
}

void Compiler::jump(ExprId id, bool sense, Label label) {
  const ExprKind kind = node(id).kind;
  switch (kind) {
    case ExprKind::kNot:
      jump(operand(id, 0), !sense, label);
      return;
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kImply: {
      // A clock constraint has no value to decide by: what is discrete goes first.
      if (kind == ExprKind::kOr && node(operand(id, 0)).timed) {
        jump_past_clocks(operand(id, 1), operand(id, 0), label);
        return;
      }
      // `a && b` is false as soon as a is; `a || b` is true as soon as a is; imply negates a.
      const bool decides = kind == ExprKind::kOr;  // the value of a that decides …
      const bool left = kind == ExprKind::kImply ? false : decides;
      const bool decided = kind != ExprKind::kAnd;  // … and what it decides
      if (noting_ && touches(operand(id, 1))) {
        jump_and_skim(id, sense, label);
        return;
      }
      if (decided == sense) {
        jump(operand(id, 0), left, label);
        jump(operand(id, 1), sense, label);
        return;
      }
      const Label skip = new_label();
      jump(operand(id, 0), left, skip);
      jump(operand(id, 1), sense, label);
      bind(skip);
      return;
    }
    default:
      break;
  }
  if (is_comparison(kind) && node(id).timed) {
    clock_constraint(id);  // that it holds is for the zone to see
    assert(!sense && "clock constraints are only conjoined");
    return;
  }
  if (is_comparison(kind) && jump_comparison(id, sense, label))
    return;
  const Cell cell = value(id);
  jump_to(label, sense ? Opcode::kJumpIf : Opcode::kJumpIfNot, cell);
}

bool Compiler::jump_comparison(ExprId id, bool sense, Label label) {
  const ExprId left = operand(id, 0);
  const ExprId right = operand(id, 1);
  if (!discrete(node(left).type))
    return false;
  const Blame blame(*this, id);
  const Cell a = protect(value(left), right);
  const Cell b = value(right);
  switch (node(id).kind) {
    case ExprKind::kLess:
      sense ? jump_to(label, Opcode::kJumpIfLess, a, b)
            : jump_to(label, Opcode::kJumpIfLessEqual, b, a);
      break;
    case ExprKind::kLessEqual:
      sense ? jump_to(label, Opcode::kJumpIfLessEqual, a, b)
            : jump_to(label, Opcode::kJumpIfLess, b, a);
      break;
    case ExprKind::kGreater:
      sense ? jump_to(label, Opcode::kJumpIfLess, b, a)
            : jump_to(label, Opcode::kJumpIfLessEqual, a, b);
      break;
    case ExprKind::kGreaterEqual:
      sense ? jump_to(label, Opcode::kJumpIfLessEqual, b, a)
            : jump_to(label, Opcode::kJumpIfLess, a, b);
      break;
    case ExprKind::kEqual:
      jump_to(label, sense ? Opcode::kJumpIfEqual : Opcode::kJumpIfNotEqual, a, b);
      break;
    default:
      jump_to(label, sense ? Opcode::kJumpIfNotEqual : Opcode::kJumpIfEqual, a, b);
      break;
  }
  return true;
}

// variable = low; if the range is empty, go to done.
void Compiler::iterate_start(VariableId variable, Label done) {
  const Type& type = network_.types[network_.variables[variable].type];
  const auto cell = static_cast<Cell>(network_.variables[variable].first_cell.index());
  if (type.low > type.high)
    jump_to(done, Opcode::kJump);
  emit(Opcode::kMove, cell, literal(type.low));
}

Compiler::Cell Compiler::quantifier(ExprId id) {
  const Expression& e = node(id);
  const VariableId variable = e.variable();
  const Type& type = network_.types[network_.variables[variable].type];
  const auto cell = static_cast<Cell>(network_.variables[variable].first_cell.index());
  const Cell out = temporary();
  const Label done = new_label();
  const Label found = new_label();
  const bool forall = e.kind == ExprKind::kForall;
  emit(Opcode::kMove, out, literal(forall ? 1 : 0));
  iterate_start(variable, done);
  const std::uint32_t body = here();
  if (e.kind == ExprKind::kSum)
    emit(Opcode::kAdd, out, out, value(operand(id, 0)));
  else
    jump(operand(id, 0), !forall, found);
  jump_to(done, Opcode::kJumpIfEqual, cell, literal(type.high));
  emit(Opcode::kAdd, cell, cell, literal(1));
  emit(Opcode::kLoop, body);
  bind(found);
  emit(Opcode::kMove, out, literal(forall ? 0 : 1));
  if (noting_ && e.kind != ExprKind::kSum && touches(operand(id, 0)))
    skim_rest(variable, operand(id, 0));
  bind(done);
  return out;
}

Compiler::Place Compiler::place(ExprId id, Space space) {
  const Expression& e = node(id);
  switch (e.kind) {
    case ExprKind::kVariable: {
      const Variable& variable = network_.variables[e.variable()];
      const auto first = static_cast<Cell>(variable.first_cell.index());
      if (variable.is_alias())  // the frame of a reference: of the first cell, of the first clock
        return {.dynamic = true, .cell = space == Space::kCells ? first : first + 1};
      if (space == Space::kCells)
        return {.cell = first};
      return {.cell = static_cast<Cell>(network_.cell_of(variable.first_clock).index())};
    }
    case ExprKind::kIndex:
      return element(id, place(operand(id, 0), space), space);
    case ExprKind::kField:
      return field(id, place(operand(id, 0), space), space);
    case ExprKind::kConditional: {
      const Cell out = choose(
          id, [this, space](ExprId taken) { return address(place(taken, space)); },
          [this](ExprId other) { skim_path(other); });
      return {.dynamic = true, .cell = out};
    }
    default:
      assert(has_place(id) && "an assignment stands for its target");
      return space == Space::kCells ? modify(id).to : set_clock(id);
  }
}

// Where the value of an array or struct is found until something changes it; uses all of it.
Compiler::Place Compiler::source(ExprId id) {
  switch (node(id).kind) {
    case ExprKind::kList: {
      const Place out{.cell = temporaries(cells_of(node(id).type))};
      copy_list(id, out, node(id).type);
      return out;
    }
    case ExprKind::kCall:
      return {.dynamic = false, .cell = call(id)};
    case ExprKind::kConditional: {
      const Cell out = choose(
          id, [this](ExprId taken) { return address(source(taken)); },
          [this](ExprId other) { skim(other); });
      return {.dynamic = true, .cell = out};
    }
    case ExprKind::kComma:
      run(operand(id, 0));
      return source(operand(id, 1));
    case ExprKind::kAssign:
      return modify(id).to;
    default:
      return part(id);
  }
}

// A variable, element or field as a value. Inside a value without a place, such as the result of a
// function, there is nothing to be used.
Compiler::Place Compiler::part(ExprId id) {
  if (!has_place(id)) {
    const Place whole = source(operand(id, 0));
    return node(id).kind == ExprKind::kIndex ? element(id, whole, Space::kCells)
                                             : field(id, whole, Space::kCells);
  }
  const Place at = place(id);
  note_uses(id, at);
  return at;
}

Compiler::Place Compiler::field(ExprId id, Place structure, Space space) {
  const TypeId type = node(operand(id, 0)).type;
  const Shape before = network_.types.field_offset(type, node(id).field());
  return add_offset(structure, space == Space::kCells ? before.cells : before.clocks);
}

Compiler::Place Compiler::add_offset(Place at, std::uint64_t offset) {
  if (!at.dynamic)
    return {.dynamic = false, .cell = at.cell + static_cast<Cell>(offset)};
  if (offset == 0)
    return at;
  const Cell out = temporary();
  emit(Opcode::kOffset, out, at.cell, static_cast<Cell>(offset));
  return {.dynamic = true, .cell = out};
}

Compiler::Place Compiler::element(ExprId id, Place base, Space space) {
  const Blame blame(*this, id);
  const ExprId array = operand(id, 0);
  const ExprId position = operand(id, 1);
  const Type& type = network_.types[node(array).type];
  const Type& index = network_.types[type.index];
  const std::uint32_t unit = size_of(type.element, space);
  Stride stride{.low = index.low,
                .length = static_cast<std::uint32_t>(network_.types.array_length(node(array).type)),
                .unit = unit};
  if (!base.dynamic && node(position).kind == ExprKind::kConstant) {
    const std::int64_t offset = std::int64_t{node(position).value()} - index.low;
    if (offset >= 0 && offset < stride.length)
      return {.dynamic = false, .cell = base.cell + static_cast<Cell>(offset) * unit};
  }
  const Cell out = temporary();
  if (base.dynamic) {
    emit(Opcode::kMove, out, base.cell);
    const Cell at = value(position);
    code_.strides.push_back(stride);
    emit(Opcode::kElementOf, out, at, static_cast<Cell>(code_.strides.size() - 1));
  } else {
    const Cell at = value(position);
    stride.base = base.cell;
    code_.strides.push_back(stride);
    emit(Opcode::kElement, out, at, static_cast<Cell>(code_.strides.size() - 1));
  }
  return {.dynamic = true, .cell = out};
}

Compiler::Cell Compiler::address(Place at) {
  return at.dynamic ? at.cell : literal(static_cast<std::int32_t>(at.cell));
}

Compiler::Cell Compiler::load(Place at) {
  if (!at.dynamic)
    return at.cell;
  const Cell out = temporary();
  emit(Opcode::kLoad, out, at.cell);
  return out;
}

// The cell with what was stored.
Compiler::Cell Compiler::store(Place at, Cell from, TypeId type) {
  if (network_.types[type].kind == TypeKind::kBool) {  // any non-zero value is stored as 1
    const Cell truth = temporary();
    emit(Opcode::kBool, truth, from);
    from = truth;
  }
  emit(at.dynamic ? Opcode::kStore : Opcode::kAssign, at.cell, from, range(type));
  return from;
}

Compiler::Change Compiler::modify(ExprId id) {
  const Blame blame(*this, id);
  const Expression& e = node(id);
  const ExprId target = operand(id, 0);
  const TypeId type = node(target).type;
  const Place to = place(target);
  if (e.kind == ExprKind::kAssign) {
    const ExprId right = operand(id, 1);
    if (!discrete(type)) {
      // All of the right side first, also if it is a list: it may mention the target.
      copy_cells(right, source(right), to, type);
      note_definitions(target, to);
      if (network_.types.contains(type, TypeKind::kClock))
        copy_clocks(right, target);
      return {.to = to};
    }
    const Cell stored = store(to, value(right), type);
    note_definitions(target, to);
    return {.to = to, .value = to.dynamic ? stored : to.cell};
  }
  note_uses(target, to);
  const bool compound = e.kind == ExprKind::kCompoundAssign;
  const bool down = e.kind == ExprKind::kPreDecrement || e.kind == ExprKind::kPostDecrement;
  const bool post = e.kind == ExprKind::kPostIncrement || e.kind == ExprKind::kPostDecrement;
  Cell old = load(to);
  if (compound)
    old = protect(old, operand(id, 1));
  if (post && !to.dynamic) {
    const Cell saved = temporary();
    emit(Opcode::kMove, saved, old);
    old = saved;
  }
  const Cell by = compound ? value(operand(id, 1)) : literal(1);
  Opcode op = down ? Opcode::kSubtract : Opcode::kAdd;
  if (compound)
    op = opcode_of(e.op);
  const Cell out = temporary();
  emit(op, out, old, by);
  const Cell stored = store(to, out, type);
  note_definitions(target, to);
  return {.to = to, .value = post ? old : stored};
}

// Into a place that `from` does not mention.
void Compiler::copy(ExprId from, Place to, TypeId type) {
  if (node(from).kind == ExprKind::kList) {
    copy_list(from, to, type);
    return;
  }
  copy_cells(from, source(from), to, type);
}

// Copies a whole array or struct; values are checked cell by cell where the ranges differ.
void Compiler::copy_cells(ExprId from, Place found, Place to, TypeId type) {
  Block block{.count = cells_of(type)};
  if (node(from).type != type) {
    std::vector<Bounds> bounds;
    append_bounds(network_.types, type, bounds);
    block.first_range = static_cast<std::uint32_t>(code_.ranges.size());
    for (const Bounds& b : bounds)
      code_.ranges.push_back({.low = b.low, .high = b.high});
  }
  code_.blocks.push_back(block);
  const auto which = static_cast<Cell>(code_.blocks.size() - 1);
  emit(Opcode::kCopy, address(to), address(found), which);
}

void Compiler::copy_list(ExprId list, Place to, TypeId type) {
  const Type& t = network_.types[type];
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < node(list).operand_count; ++i) {
    const TypeId part = t.kind == TypeKind::kArray ? t.element : t.fields[i].type;
    const Place at = add_offset(to, offset);
    const Blame blame(*this, operand(list, i));
    if (discrete(part))
      store(at, value(operand(list, i)), part);
    else if (cells_of(part) != 0)
      copy(operand(list, i), at, part);
    offset += cells_of(part);
  }
}

}  // namespace tw
