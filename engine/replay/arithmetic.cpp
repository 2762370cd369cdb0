#include "engine/replay/arithmetic.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace tw::replay {
namespace {

Number truth(bool holds) { return {.value = holds ? 1 : 0}; }

// By repeated multiplication. A negative exponent is one division by the power, truncated like any
// other.
Number power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0 && base == 0)
    return {.error = RunStatus::kDivisionByZero};
  const bool odd = exponent % 2 != 0;
  if (base == 1 || (base == -1 && !odd))
    return {.value = 1};
  if (base == -1)
    return {.value = -1};
  if (exponent < 0)
    return {.value = 0};
  if (base == 0)
    return {.value = exponent == 0 ? 1 : 0};
  Number result{.value = 1};
  for (std::int64_t i = 0; i < exponent && result.error == RunStatus::kOk; ++i)
    result = in_32_bits(result.value * base);
  return result;
}

Number shift_left(std::int64_t a, std::int64_t count) {
  if (count < 0)
    return {.error = RunStatus::kNegativeShift};
  Number result{.value = a};
  if (a == 0)
    return result;
  for (std::int64_t i = 0; i < count && result.error == RunStatus::kOk; ++i)
    result = in_32_bits(result.value * 2);
  return result;
}

Number shift_right(std::int64_t a, std::int64_t count) {
  if (count < 0)
    return {.error = RunStatus::kNegativeShift};
  return {.value = a >> std::min<std::int64_t>(count, 32)};
}

Number divide(ExprKind op, std::int64_t a, std::int64_t b) {
  if (b == 0)
    return {.error = RunStatus::kDivisionByZero};
  return in_32_bits(op == ExprKind::kDivide ? a / b : a % b);
}

}  // namespace

Number in_32_bits(std::int64_t value) {
  const bool fits = value >= std::numeric_limits<std::int32_t>::min() &&
                    value <= std::numeric_limits<std::int32_t>::max();
  return fits ? Number{.value = value} : Number{.error = RunStatus::kOverflow};
}

Number compute(ExprKind op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case ExprKind::kAdd:
      return in_32_bits(a + b);
    case ExprKind::kSubtract:
      return in_32_bits(a - b);
    case ExprKind::kMultiply:
      return in_32_bits(a * b);
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
