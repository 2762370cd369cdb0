// Skimming: the uses in a part of an expression that is not evaluated because the result is already
// known. Indices are worked out tentatively, without effect; where that fails, as in `n > 0 && a[n
// - 1] == 1` with n == 0, there is no cell to name and hence no use of the array. Bodies of
// functions are not entered: none of their statements was executed.

#include <utility>

#include "engine/replay/evaluator.hpp"

namespace tw::replay {

void Evaluator::skim(ExprId id) {
  // Nested quantifiers can be long, and nobody waits for a part that has no effect.
  if (recorder_ == nullptr || failed() || ++skimmed_ > kMaxSteps)
    return;
  switch (node(id).kind) {
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
      skim_path(id);
      skim_place(id);
      return;
    case ExprKind::kAssign:
      skim_path(operand(id, 0));
      skim(operand(id, 1));
      return;
    case ExprKind::kCompoundAssign:
      skim_path(operand(id, 0));
      skim_place(operand(id, 0));
      skim(operand(id, 1));
      return;
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      skim_path(operand(id, 0));
      skim_place(operand(id, 0));
      return;
    case ExprKind::kCall: {
      const Function& function = network_->functions[node(id).function()];
      for (std::size_t i = 0; i < node(id).operand_count; ++i) {
        if (network_->variables[function.parameters[i]].is_alias())
          skim_path(operand(id, i));
        else
          skim(operand(id, i));
      }
      return;
    }
    case ExprKind::kRate:
      skim_path(operand(id, 0));
      return;
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      skim_quantified(id);
      return;
    default:
      for (const ExprId part : pool_->operands(id))
        skim(part);
  }
}

// What stands inside a place: its indices and conditions, not the place itself.
void Evaluator::skim_path(ExprId id) {
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

void Evaluator::skim_place(ExprId id) {
  if (!has_place(id))
    return;
  const std::optional<Place> first = tentative_place(id);
  if (first)
    note_uses(*first, shape(id));
}

void Evaluator::skim_quantified(ExprId id) {
  const Variable& iterator = network_->variables[node(id).variable()];
  const Type& range = network_->types[iterator.type];
  for (std::int64_t i = range.low; i <= range.high && skimmed_ <= kMaxSteps; ++i) {
    set(iterator.first_cell.index(), static_cast<std::int32_t>(i));
    skim(operand(id, 0));
  }
}

std::optional<Evaluator::Place> Evaluator::tentative_place(ExprId id) {
  Recorder* const recorder = std::exchange(recorder_, nullptr);
  const std::uint64_t steps = std::exchange(steps_, 0);
  const ExprId here = here_;
  undoable_ = true;
  const Place first = place(id);
  const bool found = !failed();
  undoable_ = false;
  undo();
  failure_ = {};
  here_ = here;
  steps_ = steps;
  recorder_ = recorder;
  return found ? std::optional(first) : std::nullopt;
}

void Evaluator::undo() {
  for (; !undo_.empty(); undo_.pop_back())
    memory_[undo_.back().first] = undo_.back().second;
  for (; !undo_clocks_.empty(); undo_clocks_.pop_back())
    clocks_[undo_clocks_.back().first] = undo_clocks_.back().second;
}

}  // namespace tw::replay
