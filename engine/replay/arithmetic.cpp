#include "engine/replay/arithmetic.hpp"

#include <algorithm>
#include <cassert>

namespace tw::replay {
namespace {

Number truth(bool holds) { return {.value = holds ? 1 : 0}; }

// By halves. A negative exponent is one division by the power, truncated like any other.
Number power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0 && base == 0)
    return {.value = exponent, .error = RunStatus::kDivisionByZero};
  if (exponent < 0)
    return power(base == 1 || base == -1 ? base : 0, -exponent);
  if (exponent == 0)
    return {.value = 1};
  const std::int64_t half = power(base, exponent / 2).value;
  const std::int64_t even = wrap(half * half);
  return {.value = exponent % 2 == 0 ? even : wrap(even * base)};
}

Number shift_left(std::int64_t a, std::int64_t count) {
  if (count < 0)
    return {.value = count, .error = RunStatus::kNegativeShift};
  std::int64_t result = a;
  for (std::int64_t i = 0; i < count && result != 0; ++i)
    result = wrap(result * 2);
  return {.value = result};
}

Number shift_right(std::int64_t a, std::int64_t count) {
  if (count < 0)
    return {.value = count, .error = RunStatus::kNegativeShift};
  return {.value = a >> std::min<std::int64_t>(count, 32)};
}

Number divide(ExprKind op, std::int64_t a, std::int64_t b) {
  if (b == 0)
    return {.value = a, .error = RunStatus::kDivisionByZero};
  return {.value = wrap(op == ExprKind::kDivide ? a / b : a % b)};
}

}  // namespace

std::int64_t wrap(std::int64_t value) {
  constexpr std::int64_t kNumbers = std::int64_t{1} << 32;
  const std::int64_t rest = value % kNumbers;
  if (rest >= kNumbers / 2)
    return rest - kNumbers;
  return rest < -kNumbers / 2 ? rest + kNumbers : rest;
}

Number compute(ExprKind op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case ExprKind::kAdd:
      return {.value = wrap(a + b)};
    case ExprKind::kSubtract:
      return {.value = wrap(a - b)};
    case ExprKind::kMultiply:
      return {.value = wrap(a * b)};
    case ExprKind::kDivide:
    case ExprKind::kModulo:
      return divide(op, a, b);
    case ExprKind::kPower:
      return power(a, b);
    case ExprKind::kShiftLeft:
      return shift_left(a, b);
    case ExprKind::kShiftRight:
      return shift_right(a, b);
    case ExprKind::kMin:
      return {.value = std::min(a, b)};
    case ExprKind::kMax:
      return {.value = std::max(a, b)};
    case ExprKind::kBitAnd:
      return {.value = a & b};
    case ExprKind::kBitXor:
      return {.value = a ^ b};
    case ExprKind::kBitOr:
      return {.value = a | b};
    case ExprKind::kLess:
      return truth(a < b);
    case ExprKind::kLessEqual:
      return truth(a <= b);
    case ExprKind::kGreaterEqual:
      return truth(a >= b);
    case ExprKind::kGreater:
      return truth(a > b);
    case ExprKind::kEqual:
      return truth(a == b);
    case ExprKind::kNotEqual:
      return truth(a != b);
    case ExprKind::kConstant:
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
    case ExprKind::kCall:
    case ExprKind::kList:
    case ExprKind::kNegate:
    case ExprKind::kNot:
    case ExprKind::kAbsolute:
    case ExprKind::kRate:
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kXor:
    case ExprKind::kImply:
    case ExprKind::kConditional:
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
    case ExprKind::kComma:
      break;
  }
  assert(false && "not an operator on two numbers");
  return {};
}

}  // namespace tw::replay
