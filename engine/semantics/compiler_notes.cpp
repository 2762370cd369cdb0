// Code that notes uses and definitions of watched cells, and code that skims.
//
// Skimming notes the uses in a part of an expression that is not evaluated because the result is
// already known. Indices are worked out on the side, without effect; where that fails, as in `n > 0
// && a[n - 1] == 1` with n == 0, there is no cell to name and hence no use of the array. Bodies of
// functions are not entered: none of their statements was executed.

#include <algorithm>
#include <cassert>

#include "engine/semantics/compiler.hpp"

namespace tw {

std::uint32_t Compiler::condition_notes(ExprId expression) {
  if (code_.watched.empty() || !expression.valid() || !touches(expression))
    return CodeBlock::kNone;
  noting_ = true;
  const std::uint32_t entry = condition(expression);
  noting_ = false;
  return entry;
}

std::uint32_t Compiler::channel_notes(ExprId expression) {
  if (code_.watched.empty() || !expression.valid() || !touches(expression))
    return CodeBlock::kNone;
  noting_ = true;
  const std::uint32_t entry = here();
  channel(expression);
  emit(Opcode::kStop);
  noting_ = false;
  return entry;
}

bool Compiler::is_watched(Cell first, std::size_t count) const {
  const std::size_t end = std::min<std::size_t>(first + count, code_.watched.size());
  for (std::size_t cell = first; cell < end; ++cell)
    if (code_.watched[cell])
      return true;
  return false;
}

// A reference may stand for anything.
bool Compiler::may_be_watched(VariableId id) const {
  const Variable& variable = network_.variables[id];
  if (variable.is_alias())
    return true;
  const Shape& shape = network_.types.shape(variable.type);
  return (variable.first_cell.valid() &&
          is_watched(static_cast<Cell>(variable.first_cell.index()), shape.cells)) ||
         (variable.first_clock.valid() &&
          is_watched(static_cast<Cell>(network_.cell_of(variable.first_clock).index()),
                     shape.clocks));
}

// Could this place be a watched cell? What stands in its indices does not matter.
bool Compiler::may_be_watched(ExprId place) const {
  switch (node(place).kind) {
    case ExprKind::kVariable:
      return may_be_watched(node(place).variable());
    case ExprKind::kConditional:
      return may_be_watched(operand(place, 1)) || may_be_watched(operand(place, 2));
    default:  // an element, a field, or an assignment, which stands for its target
      return may_be_watched(operand(place, 0));
  }
}

// Can evaluating or skimming this meet something watched? Asked at every level of an expression, so
// answers are kept.
bool Compiler::touches(ExprId id) {
  assert(pool_ == &network_.pool && "foreign conditions do not note");
  if (touching_[id.index()] != Touch::kUnknown)
    return touching_[id.index()] == Touch::kYes;
  const Expression& e = node(id);
  bool found = (e.kind == ExprKind::kVariable && may_be_watched(e.variable())) ||
               (e.kind == ExprKind::kCall && touching_functions_[e.function().index()]);
  for (std::size_t i = 0; i < e.operand_count && !found; ++i)
    found = touches(operand(id, i));
  touching_[id.index()] = found ? Touch::kYes : Touch::kNo;
  return found;
}

bool Compiler::touches(StmtId id) {
  const Statement& s = network_.pool[id];
  return std::any_of(s.exprs.begin(), s.exprs.end(), [this](ExprId e) { return touches(e); }) ||
         std::any_of(s.children.begin(), s.children.end(),
                     [this](StmtId child) { return touches(child); });
}

bool Compiler::has_place(ExprId id) const {
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

void Compiler::note_uses(ExprId id, Place at, Space space) { note(id, at, space, false); }

void Compiler::note_definitions(ExprId id, Place at, Space space) { note(id, at, space, true); }

void Compiler::note(ExprId id, Place at, Space space, bool definition) {
  if (!noting_)
    return;
  const std::uint32_t count = size_of(node(id).type, space);
  if (count == 0)
    return;
  if (at.dynamic) {
    if (may_be_watched(id))
      emit(definition ? Opcode::kNoteDefinitionsAt : Opcode::kNoteUsesAt, 0, at.cell, count);
  } else if (is_watched(at.cell, count)) {
    emit(definition ? Opcode::kNoteDefinitions : Opcode::kNoteUses, at.cell, 0, count);
  }
}

// `&&`, `||` and `imply`: where the left side decides, the right one is skimmed.
void Compiler::jump_and_skim(ExprId id, bool sense, Label label) {
  const ExprKind kind = node(id).kind;
  const bool decides = kind == ExprKind::kOr;
  const bool decided = kind != ExprKind::kAnd;
  const Label passed_by = new_label();
  const Label on = new_label();
  jump(operand(id, 0), decides, passed_by);
  jump(operand(id, 1), sense, label);
  jump_to(on, Opcode::kJump);
  bind(passed_by);
  skim(operand(id, 1));
  if (decided == sense)
    jump_to(label, Opcode::kJump);
  bind(on);
}

// `timed || plain`: goes to the label if neither holds, as far as can be told here.
void Compiler::jump_past_clocks(ExprId plain, ExprId timed, Label label) {
  const Label passed_by = new_label();
  jump(plain, true, passed_by);
  jump(timed, false, label);
  if (!noting_ || !touches(timed)) {
    bind(passed_by);
    return;
  }
  const Label on = new_label();
  jump_to(on, Opcode::kJump);
  bind(passed_by);
  skim(timed);
  bind(on);
}

void Compiler::skim(ExprId id) {
  if (!touches(id))
    return;
  const Blame blame(*this, id);
  const Expression& e = node(id);
  switch (e.kind) {
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
      skim_path(id);
      skim_place(id);
      break;
    case ExprKind::kAssign:
      skim_path(operand(id, 0));
      skim(operand(id, 1));
      break;
    case ExprKind::kCompoundAssign:
      skim_path(operand(id, 0));
      skim_place(operand(id, 0));
      skim(operand(id, 1));
      break;
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      skim_path(operand(id, 0));
      skim_place(operand(id, 0));
      break;
    case ExprKind::kCall: {
      const Function& function = network_.functions[e.function()];
      for (std::size_t i = 0; i < e.operand_count; ++i) {
        if (network_.variables[function.parameters[i]].is_alias())
          skim_path(operand(id, i));
        else
          skim(operand(id, i));
      }
      break;
    }
    case ExprKind::kRate:  // speaks of the clock's speed, not of its value
      skim_path(operand(id, 0));
      break;
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      skim_quantified(id);
      break;
    default:
      for (std::size_t i = 0; i < e.operand_count; ++i)
        skim(operand(id, i));
  }
}

// What stands inside a place: its indices and conditions, not the place itself.
void Compiler::skim_path(ExprId id) {
  switch (node(id).kind) {
    case ExprKind::kVariable:
      return;
    case ExprKind::kIndex:
      skim_path(operand(id, 0));
      skim(operand(id, 1));
      return;
    case ExprKind::kField:
      skim_path(operand(id, 0));
      return;
    case ExprKind::kConditional:
      skim(operand(id, 0));
      skim_path(operand(id, 1));
      skim_path(operand(id, 2));
      return;
    default:
      skim(id);
  }
}

// Plain code for the place, run on the side, and a note if it works.
void Compiler::skim_place(ExprId id) {
  if (!has_place(id) || !may_be_watched(id))
    return;
  const std::uint32_t at = emit(Opcode::kTry);
  const Space space = space_of(id);
  noting_ = false;
  const Place found = place(id, space);
  noting_ = true;
  if (here() == at + 1) {  // nothing to work out, so nothing can go wrong
    code_.instructions.pop_back();
    code_.origins.pop_back();
    note_uses(id, found, space);
    return;
  }
  emit(Opcode::kStop);
  code_.instructions[at].b = static_cast<std::uint32_t>(code_.attempts.size());
  code_.attempts.push_back({.entry = at + 1, .next = here(), .has_effects = has_effects(id)});
  note_uses(id, found, space);
  code_.instructions[at].c = here();
}

void Compiler::skim_quantified(ExprId id) {
  const ExprId body = operand(id, 0);
  const VariableId variable = node(id).variable();
  const Type& type = network_.types[network_.variables[variable].type];
  if (type.low > type.high)
    return;
  const auto cell = static_cast<Cell>(network_.variables[variable].first_cell.index());
  const Label done = new_label();
  emit(Opcode::kMove, cell, literal(type.low));
  skim_iterations(variable, body, done);
}

// The body of a quantifier for all values behind the present one.
void Compiler::skim_rest(VariableId iterator, ExprId body) {
  const Variable& variable = network_.variables[iterator];
  const auto cell = static_cast<Cell>(variable.first_cell.index());
  const Label done = new_label();
  jump_to(done, Opcode::kJumpIfEqual, cell, literal(network_.types[variable.type].high));
  emit(Opcode::kAdd, cell, cell, literal(1));
  skim_iterations(iterator, body, done);
}

void Compiler::skim_iterations(VariableId iterator, ExprId body, Label done) {
  const Variable& variable = network_.variables[iterator];
  const auto cell = static_cast<Cell>(variable.first_cell.index());
  const std::uint32_t start = here();
  skim(body);
  jump_to(done, Opcode::kJumpIfEqual, cell, literal(network_.types[variable.type].high));
  emit(Opcode::kAdd, cell, cell, literal(1));
  emit(Opcode::kSkimLoop, start);
  bind(done);
}

}  // namespace tw
