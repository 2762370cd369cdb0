// Operators, and with them the classes of clock constraints (docs/uppaal.md 8.1).

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {
namespace {

struct OperatorKind {
  ast::Op op;
  ExprKind kind;
};

constexpr OperatorKind kOperators[] = {
    {ast::Op::kPlus, ExprKind::kAdd},
    {ast::Op::kMinus, ExprKind::kSubtract},
    {ast::Op::kMultiply, ExprKind::kMultiply},
    {ast::Op::kDivide, ExprKind::kDivide},
    {ast::Op::kModulo, ExprKind::kModulo},
    {ast::Op::kPower, ExprKind::kPower},
    {ast::Op::kShiftLeft, ExprKind::kShiftLeft},
    {ast::Op::kShiftRight, ExprKind::kShiftRight},
    {ast::Op::kMin, ExprKind::kMin},
    {ast::Op::kMax, ExprKind::kMax},
    {ast::Op::kBitAnd, ExprKind::kBitAnd},
    {ast::Op::kBitXor, ExprKind::kBitXor},
    {ast::Op::kBitOr, ExprKind::kBitOr},
    {ast::Op::kLess, ExprKind::kLess},
    {ast::Op::kLessEqual, ExprKind::kLessEqual},
    {ast::Op::kGreaterEqual, ExprKind::kGreaterEqual},
    {ast::Op::kGreater, ExprKind::kGreater},
    {ast::Op::kEqual, ExprKind::kEqual},
    {ast::Op::kNotEqual, ExprKind::kNotEqual},
    {ast::Op::kAnd, ExprKind::kAnd},
    {ast::Op::kOr, ExprKind::kOr},
    {ast::Op::kXor, ExprKind::kXor},
    {ast::Op::kImply, ExprKind::kImply},
};

ExprKind kind_of(ast::Op op) {
  const auto* at = std::find_if(std::begin(kOperators), std::end(kOperators),
                                [op](const OperatorKind& entry) { return entry.op == op; });
  return at->kind;
}

bool is_plain_number(const TypeTable& types, TypeId id) {
  return types[id].kind == TypeKind::kInt || types[id].kind == TypeKind::kBool;
}

}  // namespace

Checked Checker::unary(const ast::Expr& e) {
  Checked operand = expression(e.args[0]);
  if (operand.poisoned())
    return poison();
  const bool negation = e.op == ast::Op::kNot;
  Checked out = merge(e, operand, operand);
  out.type = negation ? builder_.bool_type() : builder_.network().types.int_type();
  if (operand.real)
    return out;
  if (!negation && operand.form != ClockForm::kNone) {
    out.type = builder_.clock_type();
    out.form = ClockForm::kOther;
    out.id = builder_.unary(ExprKind::kNegate, operand.id, e.where);
    return out;
  }
  if (negation && operand.constraint != ConstraintClass::kIntegral) {
    out.constraint = ConstraintClass::kConstraint;
    out.culprit = e.where;
    out.reason = "a negated clock constraint is not a conjunction of bounds";
    out.id = builder_.unary(ExprKind::kNot, operand.id, e.where);
    return out;
  }
  if (!integral(operand, negation ? "the operand of '!'" : "the operand of '-'"))
    return poison();
  // The only number that exists with a minus in front alone.
  const ast::Expr& inner = node(e.args[0]);
  if (!negation && inner.kind == ast::ExprKind::kNumber && inner.value == 2147483648U)
    out.id = builder_.constant(std::numeric_limits<std::int32_t>::min(), e.where);
  else
    out.id = builder_.unary(negation ? ExprKind::kNot : ExprKind::kNegate, operand.id, e.where);
  return out;
}

Checked Checker::binary(const ast::Expr& e) {
  const Checked a = expression(e.args[0]);
  const Checked b = expression(e.args[1]);
  if (a.poisoned() || b.poisoned())
    return poison();
  const ExprKind kind = kind_of(e.op);
  if (is_comparison(kind))
    return comparison(e, a, b);
  if (kind >= ExprKind::kAnd)
    return logical(e, a, b);
  return arithmetic(e, a, b);
}

Checked Checker::arithmetic(const ast::Expr& e, const Checked& left, const Checked& right) {
  Checked a = left;
  Checked b = right;
  Checked out = merge(e, a, b);
  out.type = builder_.network().types.int_type();
  const ExprKind kind = kind_of(e.op);
  if (out.real) {
    out.type = builder_.network().types.real_type();
    return out;
  }
  if (a.form == ClockForm::kNone && b.form == ClockForm::kNone) {
    const bool ok = integral(a, "the left operand");
    if (!integral(b, "the right operand") || !ok)
      return poison();
    out.id = builder_.binary(kind, a.id, b.id, e.where);
    return out;
  }
  const bool sum = kind == ExprKind::kAdd;
  const bool difference = kind == ExprKind::kSubtract;
  out.type = builder_.clock_type();
  out.form = ClockForm::kOther;
  const bool a_number = a.form == ClockForm::kNone;
  const bool b_number = b.form == ClockForm::kNone;
  if ((sum || difference) && b_number)
    out.form = a.form == ClockForm::kRate ? ClockForm::kOther : a.form;
  else if (sum && a_number)
    out.form = b.form == ClockForm::kRate ? ClockForm::kOther : b.form;
  else if (difference && a.form == ClockForm::kClock && b.form == ClockForm::kClock)
    out.form = ClockForm::kDifference;
  if ((a_number && !integral(a, "the left operand")) ||
      (b_number && !integral(b, "the right operand")))
    return poison();
  out.id = builder_.binary(kind, a.id, b.id, e.where);
  return out;
}

Checked Checker::comparison(const ast::Expr& e, const Checked& left, const Checked& right) {
  if (left.form == ClockForm::kRate)
    return compare_rate(e, left, right);
  if (right.form == ClockForm::kRate)
    return compare_rate(e, right, left);
  Checked out = merge(e, left, right);
  out.type = builder_.bool_type();
  const ExprKind kind = kind_of(e.op);
  const TypeTable& types = builder_.network().types;
  if (left.form != ClockForm::kNone || right.form != ClockForm::kNone)
    return compare_clocks(e, left, right);
  if (out.real)
    return out;
  const bool equality = kind == ExprKind::kEqual || kind == ExprKind::kNotEqual;
  if (equality && !is_plain_number(types, left.type) && !is_plain_number(types, right.type))
    return compare_whole(e, left, right);
  Checked a = left;
  Checked b = right;
  const bool ok = integral(a, "the left side of a comparison");
  if (!integral(b, "the right side of a comparison") || !ok)
    return poison();
  // 0 <= i < 5 compares a truth value with 5.
  const ast::Expr& inner = node(e.args[0]);
  if (!equality && inner.kind == ast::ExprKind::kBinary && is_comparison(kind_of(inner.op)) &&
      kind_of(inner.op) != ExprKind::kEqual && kind_of(inner.op) != ExprKind::kNotEqual)
    warning(e.where, "a chained comparison compares a truth value with a number",
            "write a <= b && b <= c");
  out.id = builder_.binary(kind, a.id, b.id, e.where);
  return out;
}

Checked Checker::compare_whole(const ast::Expr& e, const Checked& a, const Checked& b) {
  const TypeKind kind = info(a.type).kind;
  const bool comparable =
      kind == TypeKind::kScalar || kind == TypeKind::kArray || kind == TypeKind::kStruct;
  if (!comparable || !equivalent(a.type, b.type) || contains(a.type, TypeKind::kClock) ||
      contains(a.type, TypeKind::kChannel) || contains(a.type, TypeKind::kReal))
    return poison(e.where,
                  fmt::format("{} and {} cannot be compared", describe(a.type), describe(b.type)));
  Checked out = merge(e, a, b);
  out.type = builder_.bool_type();
  out.id = builder_.binary(kind_of(e.op), a.id, b.id, e.where);
  return out;
}

Checked Checker::compare_clocks(const ast::Expr& e, const Checked& left, const Checked& right) {
  Checked out = merge(e, left, right);
  out.type = builder_.bool_type();
  if (out.real)
    return poison(e.where, "a clock can be compared with integers only, not with real numbers",
                  "scale all constants of the model so that they are whole numbers");
  if (function_ != nullptr)
    return poison(e.where, "a function cannot read a clock: its value is a set of times",
                  "compare the clock in the guard, and call the function for the rest");
  for (const Checked* side : {&left, &right}) {
    if (side->form == ClockForm::kOther)
      return poison(e.where, "this is not a clock constraint",
                    "allowed are x ~ e, x - y ~ e, x ~ y with e an integer expression without "
                    "clocks");
    Checked number = *side;
    if (side->form == ClockForm::kNone && !integral(number, "the bound of a clock"))
      return poison();
  }
  const bool two = left.form != ClockForm::kNone && right.form != ClockForm::kNone;
  if (two && (left.form != ClockForm::kClock || right.form != ClockForm::kClock))
    return poison(e.where, "a clock constraint has at most two clocks",
                  "allowed are x ~ e, x - y ~ e, x ~ y");
  const ExprKind kind = kind_of(e.op);
  out.constraint = ConstraintClass::kInvariant;
  if (kind == ExprKind::kEqual)
    out.constraint = ConstraintClass::kGuard;
  if (kind == ExprKind::kNotEqual) {
    out.constraint = ConstraintClass::kConstraint;
    out.culprit = e.where;
    out.reason = "'!=' on a clock is a disjunction: write two edges, one with '<', one with '>'";
  }
  if (kind == ExprKind::kEqual) {
    out.culprit = e.where;
    out.reason = "an invariant cannot fix a clock to one value";
  }
  out.id = builder_.binary(kind, left.id, right.id, e.where);
  return out;
}

Checked Checker::compare_rate(const ast::Expr& e, const Checked& rate, const Checked& value) {
  Checked out = merge(e, rate, value);
  out.type = builder_.bool_type();
  if (e.op != ast::Op::kEqual)
    return poison(e.where, "a rate can only be fixed with '=='", "write x' == 0");
  if (rate.real) {  // a hybrid clock: counts something, influences nothing
    out.real = true;
    out.ignorable = true;
    if (!is_price(rate) && !std::exchange(warned_hybrid_, true))
      warning(e.where, "the rate of a hybrid clock is ignored");
    return out;
  }
  Checked number = value;
  if (value.real)
    return poison(value.where, "a clock runs at rate 0 or 1; other rates are not supported",
                  "declare a 'hybrid clock' if it only measures something");
  if (!integral(number, "the rate of a clock"))
    return poison();
  const ExpressionPool& pool = builder_.network().pool;
  if (number.computable && !pool[number.id].prototype) {
    const EvalResult result = evaluate(builder_.network(), builder_.constants(), number.id);
    if (result.ok() && result.scalar() != 0 && result.scalar() != 1)
      return poison(
          value.where,
          fmt::format("a clock runs at rate 0 or 1; rate {} is not supported", result.scalar()),
          "declare a 'hybrid clock' if it only measures something");
  }
  out.constraint = ConstraintClass::kInvariant;
  out.form = ClockForm::kNone;
  out.ignorable = false;
  out.rate = true;
  out.id = rate.where.begin <= value.where.begin
               ? builder_.binary(ExprKind::kEqual, rate.id, number.id, e.where)
               : builder_.binary(ExprKind::kEqual, number.id, rate.id, e.where);
  return out;
}

Checked Checker::logical(const ast::Expr& e, const Checked& a, const Checked& b) {
  const ExprKind kind = kind_of(e.op);
  const bool ok = scalar_value(a, "an operand of a logical operator");
  if (!scalar_value(b, "an operand of a logical operator") || !ok)
    return poison();
  for (const Checked* side : {&a, &b})
    if (side->form != ClockForm::kNone)
      return poison(
          side->where,
          fmt::format("an operand of '{}' must be a truth value, not a clock", spelling(kind)));
  Checked out = merge(e, a, b);
  out.type = builder_.bool_type();
  if (kind == ExprKind::kAnd && a.ignorable != b.ignorable) {
    Checked rest = a.ignorable ? b : a;
    rest.where = e.where;
    return rest;
  }
  out.ignorable = b.ignorable && (a.ignorable || kind != ExprKind::kXor);
  if (out.real)
    return out;
  const bool a_clock = a.constraint != ConstraintClass::kIntegral;
  const bool b_clock = b.constraint != ConstraintClass::kIntegral;
  const Checked& worse = a.constraint >= b.constraint ? a : b;
  out.constraint = worse.constraint;
  out.culprit = worse.culprit;
  out.reason = worse.reason;
  const bool negates_left = kind == ExprKind::kImply && a_clock;
  const bool splits = (kind == ExprKind::kOr || kind == ExprKind::kImply) && a_clock && b_clock;
  if (negates_left || splits || (kind == ExprKind::kXor && (a_clock || b_clock))) {
    out.constraint = ConstraintClass::kConstraint;
    out.culprit = e.where;
    out.reason = "a disjunction of clock constraints is not a zone: write one edge per case";
  }
  out.id = builder_.binary(kind, a.id, b.id, e.where);
  return out;
}

}  // namespace tw::uppaal
