// Operators by precedence climbing (docs/uppaal.md 5.1).

#include <algorithm>
#include <array>
#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {
namespace {

using ast::ExprKind;
using ast::Op;

struct Infix {
  TokenKind token;
  ExprKind kind;
  Op op;
  Level level;
};

constexpr std::array kInfix{
    Infix{TokenKind::kAssign, ExprKind::kAssign, Op::kAssign, Level::kAssignment},
    Infix{TokenKind::kColonAssign, ExprKind::kAssign, Op::kAssign, Level::kAssignment},
    Infix{TokenKind::kPlusAssign, ExprKind::kAssign, Op::kPlus, Level::kAssignment},
    Infix{TokenKind::kMinusAssign, ExprKind::kAssign, Op::kMinus, Level::kAssignment},
    Infix{TokenKind::kTimesAssign, ExprKind::kAssign, Op::kMultiply, Level::kAssignment},
    Infix{TokenKind::kDivideAssign, ExprKind::kAssign, Op::kDivide, Level::kAssignment},
    Infix{TokenKind::kModuloAssign, ExprKind::kAssign, Op::kModulo, Level::kAssignment},
    Infix{TokenKind::kOrAssign, ExprKind::kAssign, Op::kBitOr, Level::kAssignment},
    Infix{TokenKind::kAndAssign, ExprKind::kAssign, Op::kBitAnd, Level::kAssignment},
    Infix{TokenKind::kXorAssign, ExprKind::kAssign, Op::kBitXor, Level::kAssignment},
    Infix{TokenKind::kShiftLeftAssign, ExprKind::kAssign, Op::kShiftLeft, Level::kAssignment},
    Infix{TokenKind::kShiftRightAssign, ExprKind::kAssign, Op::kShiftRight, Level::kAssignment},
    Infix{TokenKind::kQuestion, ExprKind::kConditional, Op::kNone, Level::kConditional},
    Infix{TokenKind::kOrOr, ExprKind::kBinary, Op::kOr, Level::kOr},
    Infix{TokenKind::kOr, ExprKind::kBinary, Op::kOr, Level::kOr},
    Infix{TokenKind::kImply, ExprKind::kBinary, Op::kImply, Level::kOr},
    Infix{TokenKind::kAndAnd, ExprKind::kBinary, Op::kAnd, Level::kAnd},
    Infix{TokenKind::kAnd, ExprKind::kBinary, Op::kAnd, Level::kAnd},
    Infix{TokenKind::kBitOr, ExprKind::kBinary, Op::kBitOr, Level::kBitOr},
    Infix{TokenKind::kBitXor, ExprKind::kBinary, Op::kBitXor, Level::kBitXor},
    Infix{TokenKind::kBitAnd, ExprKind::kBinary, Op::kBitAnd, Level::kBitAnd},
    Infix{TokenKind::kEqual, ExprKind::kBinary, Op::kEqual, Level::kEquality},
    Infix{TokenKind::kNotEqual, ExprKind::kBinary, Op::kNotEqual, Level::kEquality},
    Infix{TokenKind::kLess, ExprKind::kBinary, Op::kLess, Level::kComparison},
    Infix{TokenKind::kLessEqual, ExprKind::kBinary, Op::kLessEqual, Level::kComparison},
    Infix{TokenKind::kGreaterEqual, ExprKind::kBinary, Op::kGreaterEqual, Level::kComparison},
    Infix{TokenKind::kGreater, ExprKind::kBinary, Op::kGreater, Level::kComparison},
    Infix{TokenKind::kMin, ExprKind::kBinary, Op::kMin, Level::kMinMax},
    Infix{TokenKind::kMax, ExprKind::kBinary, Op::kMax, Level::kMinMax},
    Infix{TokenKind::kShiftLeft, ExprKind::kBinary, Op::kShiftLeft, Level::kShift},
    Infix{TokenKind::kShiftRight, ExprKind::kBinary, Op::kShiftRight, Level::kShift},
    Infix{TokenKind::kPlus, ExprKind::kBinary, Op::kPlus, Level::kSum},
    Infix{TokenKind::kMinus, ExprKind::kBinary, Op::kMinus, Level::kSum},
    Infix{TokenKind::kTimes, ExprKind::kBinary, Op::kMultiply, Level::kProduct},
    Infix{TokenKind::kDivide, ExprKind::kBinary, Op::kDivide, Level::kProduct},
    Infix{TokenKind::kModulo, ExprKind::kBinary, Op::kModulo, Level::kProduct},
    Infix{TokenKind::kPower, ExprKind::kBinary, Op::kPower, Level::kPower},
};

constexpr Infix kXor{TokenKind::kName, ExprKind::kBinary, Op::kXor, Level::kOr};

const Infix* infix_of(const Token& token) {
  // A name cannot follow an operand, so here 'xor' is never a user's name.
  if (token.kind == TokenKind::kName)
    return token.text == "xor" ? &kXor : nullptr;
  const auto* found = std::ranges::find(kInfix, token.kind, &Infix::token);
  return found == kInfix.end() ? nullptr : found;
}

// The second half of '=<' or '=>'.
const Infix* old_infix_of(const Token& token) {
  return std::ranges::find(
      kInfix, token.kind == TokenKind::kLess ? TokenKind::kLessEqual : TokenKind::kGreaterEqual,
      &Infix::token);
}

Level stronger(Level level) { return static_cast<Level>(static_cast<std::uint8_t>(level) + 1); }

Op prefix_of(TokenKind kind) {
  if (kind == TokenKind::kBang || kind == TokenKind::kNot)
    return Op::kNot;
  if (kind == TokenKind::kMinus)
    return Op::kMinus;
  if (kind == TokenKind::kIncrement)
    return Op::kIncrement;
  if (kind == TokenKind::kDecrement)
    return Op::kDecrement;
  return Op::kNone;
}

}  // namespace

ast::ExprId TextParser::make(ast::Expr expr) {
  std::size_t height = 0;
  for (const ast::ExprId arg : expr.args) {
    if (!arg.valid())
      return {};
    height = std::max<std::size_t>(height, heights_[arg.index() - first_expr_]);
  }
  ++height;
  if (nesting_ + height > kMaxNesting + 1) {
    stop_too_deep();
    return {};
  }
  heights_.push_back(static_cast<std::uint16_t>(height));
  return document_.exprs.push_back(std::move(expr));
}

ast::ExprId TextParser::make(const Node& node, ArgList args) {
  if (panic_)
    return {};
  ast::Expr expr;
  expr.kind = node.kind;
  expr.op = node.op;
  expr.op_where = node.op_where;
  expr.where = since(node.begin);
  expr.args = std::move(args);
  return make(std::move(expr));
}

/// An expression whose operators all bind at least as strongly as weakest.
ast::ExprId TextParser::expression(Level weakest) {
  const Nesting nesting(*this);
  const std::uint32_t begin = current().where.begin;
  ast::ExprId left = unary();
  while (left.valid()) {
    const ast::ExprId longer = infix_step(left, begin, weakest);
    if (longer == left)
      break;
    left = longer;
  }
  return panic_ ? ast::ExprId() : left;
}

/// Takes one operator and its right side; returns left if none follows.
ast::ExprId TextParser::infix_step(ast::ExprId left, std::uint32_t begin, Level weakest) {
  const bool old_comparison = at_old_comparison();
  const Infix* infix = old_comparison ? old_infix_of(peek(1)) : infix_of(current());
  if (infix == nullptr || infix->level < weakest || at_equivalence())
    return left;
  const SourceRange op_where =
      old_comparison ? join(current().where, peek(1).where) : current().where;
  advance();
  if (old_comparison)
    advance();
  if (infix->kind == ExprKind::kConditional)
    return conditional_tail(left, begin, op_where);
  if (infix->kind == ExprKind::kAssign)
    fail_old_comparison(op_where);
  const bool right_associative = infix->level == Level::kAssignment;
  const ast::ExprId right = expression(right_associative ? infix->level : stronger(infix->level));
  return make({.kind = infix->kind, .op = infix->op, .op_where = op_where, .begin = begin},
              {left, right});
}

ast::ExprId TextParser::conditional_tail(ast::ExprId condition,
                                         std::uint32_t begin,
                                         SourceRange op_where) {
  const ast::ExprId then = expression();
  expect(TokenKind::kColon, "between the two values of '?'");
  const ast::ExprId otherwise = expression(Level::kConditional);
  return make({.kind = ExprKind::kConditional, .op_where = op_where, .begin = begin},
              {condition, then, otherwise});
}

/// At '=<' or '=>' of UPPAAL 3, two tokens side by side.
bool TextParser::at_old_comparison() const {
  return old_ && at(TokenKind::kAssign) &&
         (next_is(TokenKind::kLess) || next_is(TokenKind::kGreater)) &&
         peek(1).where.begin == current().where.end;
}

/// '=' has just been read: '<' or '>' right behind it is how UPPAAL 3 wrote a comparison.
void TextParser::fail_old_comparison(SourceRange where) {
  const bool less = at(TokenKind::kLess);
  if ((!less && !at(TokenKind::kGreater)) || current().where.begin != where.end)
    return;
  const std::string old = less ? "'=<'" : "'=>'";
  report({where.begin, current().where.end}, old + " is UPPAAL 3 syntax",
         less ? "write '<='" : "write '>='");
  panic_ = true;
}

ast::ExprId TextParser::unary() {
  while (accept(TokenKind::kPlus)) {
  }
  const Op op = prefix_of(current().kind);
  if (op == Op::kNone)
    return postfix();
  const Nesting nesting(*this);
  const SourceRange op_where = current().where;
  advance();
  if (op == Op::kMinus)
    negated_ = pos_;
  const ast::ExprId operand = unary();
  const bool steps = op == Op::kIncrement || op == Op::kDecrement;
  return make({.kind = steps ? ExprKind::kPrefix : ExprKind::kUnary,
               .op = op,
               .op_where = op_where,
               .begin = op_where.begin},
              {operand});
}

ast::ExprId TextParser::postfix() {
  const std::uint32_t begin = current().where.begin;
  ast::ExprId left = primary();
  while (left.valid()) {
    if (at(TokenKind::kLeftParen))
      left = call_tail(left, begin);
    else if (at(TokenKind::kLeftBracket))
      left = index_tail(left, begin);
    else if (at(TokenKind::kDot))
      left = field_tail(left, begin);
    else if (at(TokenKind::kPrime) || at(TokenKind::kIncrement) || at(TokenKind::kDecrement))
      left = postfix_step(left, begin);
    else
      break;
  }
  return left;
}

ast::ExprId TextParser::postfix_step(ast::ExprId left, std::uint32_t begin) {
  Node node{.kind = ExprKind::kPostfix, .op_where = current().where, .begin = begin};
  if (at(TokenKind::kPrime))
    node.kind = ExprKind::kRate;
  else
    node.op = at(TokenKind::kIncrement) ? Op::kIncrement : Op::kDecrement;
  advance();
  return make(node, {left});
}

ast::ExprId TextParser::call_tail(ast::ExprId callee, std::uint32_t begin) {
  const SourceRange op_where = current().where;
  advance();
  ArgList args{callee};
  if (!at(TokenKind::kRightParen)) {
    do
      args.push_back(expression());
    while (accept(TokenKind::kComma));
  }
  expect(TokenKind::kRightParen, "after the arguments");
  return make({.kind = ExprKind::kCall, .op_where = op_where, .begin = begin}, std::move(args));
}

ast::ExprId TextParser::index_tail(ast::ExprId array, std::uint32_t begin) {
  const SourceRange op_where = current().where;
  advance();
  const ast::ExprId index = expression();
  expect(TokenKind::kRightBracket, "after the index");
  return make({.kind = ExprKind::kIndex, .op_where = op_where, .begin = begin}, {array, index});
}

ast::ExprId TextParser::field_tail(ast::ExprId object, std::uint32_t begin) {
  advance();
  ast::Name name = in_property_ ? expect_member() : expect_name("a name after '.'");
  const ast::ExprId field =
      make({.kind = ExprKind::kField, .op_where = name.where, .begin = begin}, {object});
  if (field.valid())
    document_.exprs[field].text = std::move(name.text);
  return field;
}

}  // namespace tw::uppaal
