// Typed expressions and statements, stored in one pool and addressed by id.
//
// Nothing is simplified: the tree has the shape the user wrote, so that decisions, clauses and
// messages can speak of it. Only names are gone: a leaf refers to a variable. `&&`, `||`, `imply`
// and `?:` evaluate their right side only when needed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/base/id_vector.hpp"
#include "engine/model/ids.hpp"

namespace tw {

// name, how it is written between or before its operands (empty: has a form of its own)
// clang-format off
#define TW_EXPRESSION_KINDS(X)                                                            \
  X(kConstant, "") X(kVariable, "") X(kIndex, "") X(kField, "") X(kCall, "") X(kList, "") \
  X(kNegate, "-") X(kNot, "!") X(kAbsolute, "abs") X(kRate, "'") X(kAdd, "+")             \
  X(kSubtract, "-") X(kMultiply, "*") X(kDivide, "/") X(kModulo, "%") X(kPower, "**")     \
  X(kShiftLeft, "<<") X(kShiftRight, ">>") X(kMin, "<?") X(kMax, ">?") X(kBitAnd, "&")    \
  X(kBitXor, "^") X(kBitOr, "|") X(kLess, "<") X(kLessEqual, "<=") X(kGreaterEqual, ">=") \
  X(kGreater, ">") X(kEqual, "==") X(kNotEqual, "!=") X(kAnd, "&&") X(kOr, "||")          \
  X(kXor, "xor") X(kImply, "imply") X(kConditional, "?") X(kForall, "forall")             \
  X(kExists, "exists") X(kSum, "sum") X(kAssign, "=") X(kCompoundAssign, "")              \
  X(kPreIncrement, "++") X(kPreDecrement, "--") X(kPostIncrement, "++")                   \
  X(kPostDecrement, "--") X(kComma, ",")
// clang-format on

enum class ExprKind : std::uint8_t {
#define TW_ENUMERATOR(name, spelling) name,
  TW_EXPRESSION_KINDS(TW_ENUMERATOR)
#undef TW_ENUMERATOR
};

[[nodiscard]] std::string_view spelling(ExprKind kind);

/// An operator on two integers that yields an integer or a truth value, without side effects.
[[nodiscard]] bool is_binary_operator(ExprKind kind);
[[nodiscard]] bool is_comparison(ExprKind kind);

struct Expression {
  ExprKind kind = ExprKind::kConstant;
  bool timed = false;                 // mentions a clock
  bool prototype = false;             // mentions something of a template; processes get a copy
  ExprKind op = ExprKind::kConstant;  // kCompoundAssign: the operator, e.g. kAdd for `+=`
  TypeId type;
  SourceRange where;
  // kConstant: the value. kField: the index of the field. kVariable and quantifiers: the variable.
  // kCall: the function. Read through value(), field(), variable(), function().
  std::uint32_t payload = 0;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;

  [[nodiscard]] std::int32_t value() const { return static_cast<std::int32_t>(payload); }

  [[nodiscard]] std::size_t field() const { return payload; }

  [[nodiscard]] VariableId variable() const { return VariableId(payload); }

  [[nodiscard]] FunctionId function() const { return FunctionId(payload); }
};

enum class StmtKind : std::uint8_t {
  kBlock,       // children
  kExpression,  // exprs[0]
  kDeclare,     // variable gets exprs[0], or its default where there is none
  kIf,          // exprs[0], children[0], optional children[1]
  kFor,         // exprs[0] once; while exprs[1]: children[0], exprs[2]
  kIterate,     // for each value of variable's type, ascending: children[0]
  kWhile,       // while exprs[0]: children[0]
  kDoWhile,     // children[0], while exprs[0]
  kReturn,      // optional exprs[0]
  kAssert,      // exprs[0] must not be 0
};

struct Statement {
  StmtKind kind = StmtKind::kBlock;
  SourceRange where;
  VariableId variable;
  std::vector<ExprId> exprs;
  std::vector<StmtId> children;
};

/// All expressions and statements of a network.
class ExpressionPool {
 public:
  /// Flags `timed` and `prototype` are or-ed with those of the operands.
  ExprId add(Expression expression, std::span<const ExprId> operands = {});

  [[nodiscard]] const Expression& operator[](ExprId id) const { return expressions_[id]; }

  [[nodiscard]] const Statement& operator[](StmtId id) const { return statements_[id]; }

  [[nodiscard]] std::span<const ExprId> operands(ExprId id) const {
    const Expression& e = expressions_[id];
    return std::span<const ExprId>(operands_).subspan(e.first_operand, e.operand_count);
  }

  [[nodiscard]] ExprId operand(ExprId id, std::size_t i) const { return operands(id)[i]; }

  StmtId add(Statement statement) { return statements_.push_back(std::move(statement)); }

  [[nodiscard]] std::size_t size() const { return expressions_.size(); }

  [[nodiscard]] std::size_t statement_count() const { return statements_.size(); }

 private:
  IdVector<ExprId, Expression> expressions_;
  std::vector<ExprId> operands_;
  IdVector<StmtId, Statement> statements_;
};

}  // namespace tw
