// Functions and their statements. There is no recursion: every function has one frame, at a fixed
// place.

#include <algorithm>
#include <utility>

#include "engine/replay/evaluator.hpp"

namespace tw::replay {
namespace {

// What an uninitialised local starts with: 0, or the bound nearest to it.
void append_defaults(const TypeTable& types, TypeId id, std::vector<std::int32_t>& out) {
  const Type& type = types[id];
  if (types.shape(id).cells == 0)
    return;
  if (types.is_discrete(id)) {
    out.push_back(std::clamp(0, type.low, std::max(type.low, type.high)));
  } else if (type.kind == TypeKind::kArray) {
    for (std::uint64_t i = 0; i < types.array_length(id); ++i)
      append_defaults(types, type.element, out);
  } else {
    for (const Field& field : type.fields)
      append_defaults(types, field.type, out);
  }
}

}  // namespace

Evaluator::Cells Evaluator::call(ExprId id) {
  const Function& function = network_->functions[node(id).function()];
  if (!function.body.valid() || !bind(id, function))
    return {};
  const Function* const caller = function_;
  function_ = &function;
  result_.clear();
  // Bodies live in the network's pool, wherever the call stands.
  const ExpressionPool* const pool = std::exchange(pool_, &network_->pool);
  execute(function.body);
  pool_ = pool;
  function_ = caller;
  if (result_.size() != network_->types.shape(function.result).cells)
    fail(RunStatus::kNoReturn, id);
  return std::exchange(result_, {});
}

// All arguments first, then all parameters: an argument may call the same function. Clocks are
// passed by reference only.
bool Evaluator::bind(ExprId id, const Function& function) {
  std::vector<Cells> arguments;
  for (std::size_t i = 0; i < function.parameters.size() && !failed(); ++i) {
    const Variable& parameter = network_->variables[function.parameters[i]];
    const ExprId argument = operand(id, i);
    if (parameter.is_alias()) {
      const Place at = place(argument);
      arguments.push_back(
          {static_cast<std::int32_t>(at.cell), static_cast<std::int32_t>(at.clock)});
      continue;
    }
    arguments.push_back(value_for(parameter.type, argument, argument).cells);
  }
  if (failed())
    return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Variable& parameter = network_->variables[function.parameters[i]];
    for (std::size_t k = 0; k < arguments[i].size(); ++k)
      set(parameter.first_cell.index() + k, arguments[i][k]);
  }
  return true;
}

Evaluator::Flow Evaluator::execute(StmtId id) {
  const Statement& s = network_->pool[id];
  if (!count_step())
    return Flow::kReturned;
  switch (s.kind) {
    case StmtKind::kBlock:
      for (const StmtId child : s.children)
        if (execute(child) == Flow::kReturned)
          return Flow::kReturned;
      break;
    case StmtKind::kExpression:
      run(s.exprs[0]);
      break;
    case StmtKind::kDeclare:
      declare(s);
      break;
    case StmtKind::kIf:
      if (value(s.exprs[0]) != 0)
        return execute(s.children[0]);
      if (s.children.size() > 1)
        return execute(s.children[1]);
      break;
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile:
      return loop(s);
    case StmtKind::kIterate:
      return iterate(s);
    case StmtKind::kReturn:
      if (!s.exprs.empty()) {
        result_ = value_for(function_->result, s.exprs[0], s.exprs[0]).cells;
      }
      return Flow::kReturned;
    case StmtKind::kAssert:
      if (value(s.exprs[0]) == 0)
        fail(RunStatus::kAssertionFailed, s.exprs[0]);
      break;
  }
  return failed() ? Flow::kReturned : Flow::kNext;
}

void Evaluator::declare(const Statement& s) {
  const Variable& variable = network_->variables[s.variable];
  Cells values;
  if (s.exprs.empty()) {
    append_defaults(network_->types, variable.type, values);
  } else {
    values = value_for(variable.type, s.exprs[0], s.exprs[0]).cells;
  }
  steps_ += values.size();
  for (std::size_t i = 0; i < values.size() && !failed(); ++i)
    set(variable.first_cell.index() + i, values[i]);
}

Evaluator::Flow Evaluator::loop(const Statement& s) {
  const bool counts = s.kind == StmtKind::kFor;
  const ExprId condition = s.exprs[counts ? 1 : 0];
  if (counts)
    run(s.exprs[0]);
  bool enter_unasked = s.kind == StmtKind::kDoWhile;
  while (!failed() && (enter_unasked || value(condition) != 0)) {
    enter_unasked = false;
    if (execute(s.children[0]) == Flow::kReturned)
      return Flow::kReturned;
    if (counts)
      run(s.exprs[2]);
  }
  return failed() ? Flow::kReturned : Flow::kNext;
}

Evaluator::Flow Evaluator::iterate(const Statement& s) {
  const Variable& iterator = network_->variables[s.variable];
  const Type& range = network_->types[iterator.type];
  for (std::int64_t i = range.low; i <= range.high; ++i) {
    set(iterator.first_cell.index(), static_cast<std::int32_t>(i));
    if (execute(s.children[0]) == Flow::kReturned)
      return Flow::kReturned;
  }
  return Flow::kNext;
}

}  // namespace tw::replay
