// Code for functions and their statements. There is no recursion: every function has one frame, at
// a fixed place.

#include "engine/model/evaluate.hpp"
#include "engine/semantics/compiler.hpp"

namespace tw {

// Callees have smaller ids than their callers. A function in whose reach something watched lies has
// two versions: evaluation on the side must not note.
void Compiler::compile_functions() {
  touching_functions_.assign(network_.functions.size(), false);
  for (std::size_t i = 0; i < network_.functions.size(); ++i) {
    const FunctionId id(i);
    if (network_.functions[id].prototype)
      continue;
    compile_function(id);
    if (code_.watched.empty() || !touches(network_.functions[id].body))
      continue;
    touching_functions_[i] = true;
    noting_ = true;
    compile_function(id);
    noting_ = false;
  }
}

Compiler::Cell Compiler::call(ExprId id) {
  const FunctionId callee = node(id).function();
  const Function& function = network_.functions[callee];
  const CompiledFunction& compiled = noting_ && touching_functions_[callee.index()]
                                         ? noting_functions_.at(callee)
                                         : functions_.at(callee);
  // All arguments first, then all parameters: an argument may call the same function.
  std::vector<Place> arguments;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Variable& parameter = network_.variables[function.parameters[i]];
    const ExprId argument = operand(id, i);
    Place kept{.dynamic = false, .cell = temporary()};
    const Blame blame(*this, argument);
    if (parameter.is_alias()) {
      const Cell clock = temporary();
      if (cells_of(parameter.type) != 0)
        emit(Opcode::kMove, kept.cell, address(place(argument)));
      if (network_.types.contains(parameter.type, TypeKind::kClock))
        emit(Opcode::kMove, clock, address(place(argument, Space::kClocks)));
    } else if (discrete(parameter.type)) {
      store(kept, value(argument), parameter.type);
    } else {
      for (std::uint32_t k = 1; k < cells_of(parameter.type); ++k)
        temporary();
      copy(argument, kept, parameter.type);
    }
    arguments.push_back(kept);
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Variable& parameter = network_.variables[function.parameters[i]];
    const Place into{.dynamic = false, .cell = static_cast<Cell>(parameter.first_cell.index())};
    if (parameter.is_alias()) {
      emit(Opcode::kMove, into.cell, arguments[i].cell);
      emit(Opcode::kMove, into.cell + 1, arguments[i].cell + 1);
    } else if (discrete(parameter.type)) {
      emit(Opcode::kMove, into.cell, arguments[i].cell);
    } else {
      code_.blocks.push_back({.count = cells_of(parameter.type)});
      emit(Opcode::kCopy, address(into), address(arguments[i]),
           static_cast<Cell>(code_.blocks.size() - 1));
    }
  }
  emit(Opcode::kCall, compiled.entry);
  const std::uint32_t count = cells_of(function.result);
  if (count == 0)
    return 0;
  // The next call of this function would overwrite the result.
  const Cell out = temporary();
  for (std::uint32_t k = 1; k < count; ++k)
    temporary();
  for (std::uint32_t k = 0; k < count; ++k)
    emit(Opcode::kMove, out + k, compiled.result + k);
  return out;
}

void Compiler::compile_function(FunctionId id) {
  const Function& function = network_.functions[id];
  function_ = &function;
  current_ = {.entry = here(), .result = static_cast<Cell>(code_.memory.size())};
  for (std::uint32_t k = 0; k < cells_of(function.result); ++k)
    temporary();
  statement(function.body);
  if (network_.types[function.result].kind == TypeKind::kVoid)
    emit(Opcode::kReturn);
  else
    emit(Opcode::kFail, 0, static_cast<Cell>(RunStatus::kNoReturn));
  (noting_ ? noting_functions_ : functions_)[id] = current_;
  function_ = nullptr;
}

void Compiler::statement(StmtId id) {
  const Statement& s = network_.pool[id];
  switch (s.kind) {
    case StmtKind::kBlock:
      for (const StmtId part : s.children)
        statement(part);
      break;
    case StmtKind::kExpression:
      run(s.exprs[0]);
      break;
    case StmtKind::kDeclare:
      declare(s);
      break;
    case StmtKind::kIf: {
      const Label no = new_label();
      jump(s.exprs[0], false, no);
      statement(s.children[0]);
      if (s.children.size() == 1) {
        bind(no);
        break;
      }
      const Label done = new_label();
      jump_to(done, Opcode::kJump);
      bind(no);
      statement(s.children[1]);
      bind(done);
      break;
    }
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile:
      loop(s);
      break;
    case StmtKind::kIterate:
      iterate(s);
      break;
    case StmtKind::kReturn:
      return_statement(s);
      break;
    case StmtKind::kAssert: {
      const Label holds = new_label();
      const Blame blame(*this, s.exprs[0]);
      jump(s.exprs[0], true, holds);
      emit(Opcode::kFail, 0, static_cast<Cell>(RunStatus::kAssertionFailed));
      bind(holds);
      break;
    }
  }
}

void Compiler::declare(const Statement& s) {
  const Blame blame(*this, s.exprs.empty() ? ExprId() : s.exprs[0]);
  const Variable& variable = network_.variables[s.variable];
  const Place to{.dynamic = false, .cell = static_cast<Cell>(variable.first_cell.index())};
  if (s.exprs.empty()) {
    std::vector<std::int32_t> defaults;
    append_default_values(network_.types, variable.type, defaults);
    for (std::size_t i = 0; i < defaults.size(); ++i)
      emit(Opcode::kMove, to.cell + static_cast<Cell>(i), literal(defaults[i]));
  } else if (discrete(variable.type)) {
    store(to, value(s.exprs[0]), variable.type);
  } else {
    copy(s.exprs[0], to, variable.type);
  }
}

void Compiler::loop(const Statement& s) {
  const bool is_for = s.kind == StmtKind::kFor;
  const ExprId test = is_for ? s.exprs[1] : s.exprs[0];
  const Label done = new_label();
  if (is_for)
    run(s.exprs[0]);
  const std::uint32_t start = here();
  if (s.kind != StmtKind::kDoWhile)
    jump(test, false, done);
  statement(s.children[0]);
  if (is_for)
    run(s.exprs[2]);
  if (s.kind == StmtKind::kDoWhile)
    jump(test, false, done);
  emit(Opcode::kLoop, start);
  bind(done);
}

void Compiler::iterate(const Statement& s) {
  const Variable& variable = network_.variables[s.variable];
  const auto cell = static_cast<Cell>(variable.first_cell.index());
  const Label done = new_label();
  iterate_start(s.variable, done);
  const std::uint32_t start = here();
  statement(s.children[0]);
  jump_to(done, Opcode::kJumpIfEqual, cell, literal(network_.types[variable.type].high));
  emit(Opcode::kAdd, cell, cell, literal(1));
  emit(Opcode::kLoop, start);
  bind(done);
}

void Compiler::return_statement(const Statement& s) {
  if (!s.exprs.empty()) {
    const Blame blame(*this, s.exprs[0]);
    const Place to{.dynamic = false, .cell = current_.result};
    if (discrete(function_->result))
      store(to, value(s.exprs[0]), function_->result);
    else
      copy(s.exprs[0], to, function_->result);
  }
  emit(Opcode::kReturn);
}

}  // namespace tw
