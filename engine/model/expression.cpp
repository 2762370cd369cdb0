#include "engine/model/expression.hpp"

#include <array>

#include "engine/base/budget.hpp"

namespace tw {

std::string_view spelling(ExprKind kind) {
  static constexpr std::array kSpellings = {
#define TW_SPELLING(name, spelling) std::string_view(spelling),
      TW_EXPRESSION_KINDS(TW_SPELLING)
#undef TW_SPELLING
  };
  return kSpellings[static_cast<std::size_t>(kind)];
}

namespace {

constexpr std::uint64_t kNodeWork = 8;  // in units of BudgetMeter

}  // namespace

bool is_comparison(ExprKind kind) { return kind >= ExprKind::kLess && kind <= ExprKind::kNotEqual; }

bool is_binary_operator(ExprKind kind) {
  return kind >= ExprKind::kAdd && kind <= ExprKind::kImply;
}

ExprId ExpressionPool::add(Expression expression, std::span<const ExprId> operands) {
  spend_budget(kNodeWork);
  expression.first_operand = static_cast<std::uint32_t>(operands_.size());
  expression.operand_count = static_cast<std::uint32_t>(operands.size());
  for (const ExprId operand : operands) {
    expression.timed = expression.timed || expressions_[operand].timed;
    expression.prototype = expression.prototype || expressions_[operand].prototype;
    operands_.push_back(operand);
  }
  return expressions_.push_back(expression);
}

}  // namespace tw
