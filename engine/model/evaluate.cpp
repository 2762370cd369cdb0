#include "engine/model/evaluate.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <utility>

namespace tw {
namespace {

// The number of 32 bits that agrees in its low bits.
std::int32_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

RunStatus power(std::int64_t base, std::int64_t exponent, std::int64_t& out) {
  if (exponent < 0) {
    if (base == 0)
      return RunStatus::kDivisionByZero;
    // Integer power: everything but ±1 is truncated to 0.
    out = base == 1 ? 1 : 0;
    if (base == -1)
      out = exponent % 2 == 0 ? 1 : -1;
    return RunStatus::kOk;
  }
  auto square = static_cast<std::uint32_t>(base);
  std::uint32_t product = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0)
      product *= square;
    square *= square;
  }
  out = product;
  return RunStatus::kOk;
}

// A product with, or a rounded quotient by, a power of two: nothing special happens from 32 on.
RunStatus shift(ExprKind op, std::int64_t a, std::int64_t b, std::int64_t& out) {
  if (b < 0)
    return RunStatus::kNegativeShift;
  const auto count = static_cast<unsigned>(std::min<std::int64_t>(b, 32));
  out = op == ExprKind::kShiftRight ? a >> count : a * (std::int64_t{1} << count);
  return RunStatus::kOk;
}

class Evaluator {
 public:
  Evaluator(const Network& network, ConstantValues& constants)
      : network_(network),
        constants_(constants),
        steps_(constants.steps) {}

  EvalResult run(ExprId expression) {
    std::vector<std::int32_t> out;
    cells(expression, out);
    if (status_ == RunStatus::kOk && out.empty())
      fail(RunStatus::kNotConstant, expression);
    return {.status = status_, .at = at_, .cells = std::move(out)};
  }

 private:
  // A place is a run of cells inside the storage of one variable.
  struct Place {
    VariableId variable;
    std::size_t offset = 0;
  };

  enum class Flow : std::uint8_t {
    kNext,
    kReturned,
  };

  // Counts a step on the way in and the depth both ways; false once something has failed.
  class Step {
   public:
    explicit Step(Evaluator& owner, ExprId at) : owner_(owner) {
      if (++owner_.depth_ > kMaxEvaluationDepth)
        owner_.fail(RunStatus::kTooDeep, at);
      if (++owner_.steps_ > kMaxEvaluationSteps)
        owner_.fail(RunStatus::kTooManySteps, at);
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { --owner_.depth_; }

   private:
    Evaluator& owner_;
  };

  [[nodiscard]] bool ok() const { return status_ == RunStatus::kOk; }

  std::int64_t fail(RunStatus status, ExprId at) {
    if (ok()) {
      status_ = status;
      at_ = at;
    }
    return 0;
  }

  const Expression& node(ExprId id) const { return network_.pool[id]; }

  ExprId child(ExprId id, std::size_t i) const { return network_.pool.operand(id, i); }

  std::int64_t scalar(ExprId id);
  std::int64_t logical(ExprId id);
  std::int64_t quantified(ExprId id);
  std::int64_t modify(ExprId id);
  std::int64_t comparison(ExprId id);
  void cells(ExprId id, std::vector<std::int32_t>& out);
  void list(ExprId id, std::vector<std::int32_t>& out);
  Place place(ExprId id);
  Place element(ExprId id);
  std::vector<std::int32_t>* storage(VariableId id, bool write);
  std::int64_t load(Place at, ExprId id);
  std::int64_t store(Place at, std::int64_t value, TypeId type, ExprId id);
  void assign(ExprId id, Place target);
  bool call(ExprId id);
  bool bind_arguments(ExprId id, const Function& function);
  Flow execute(StmtId id);
  void declare(const Statement& s);
  Flow loop(const Statement& statement);
  Flow iterate(const Statement& statement);

  std::int32_t in_range(std::int64_t value, TypeId type, ExprId id) {
    const Type& t = network_.types[type];
    if (t.kind == TypeKind::kBool)
      return value != 0 ? 1 : 0;
    if (value < t.low || value > t.high)
      fail(RunStatus::kValueOutOfRange, id);
    return static_cast<std::int32_t>(value);
  }

  const Network& network_;
  const ConstantValues& constants_;
  std::uint64_t& steps_;  // of all evaluations together
  std::unordered_map<VariableId, std::vector<std::int32_t>> frame_;
  std::unordered_map<VariableId, Place> references_;
  std::vector<std::int32_t> result_;  // of the function that returned last
  RunStatus status_ = RunStatus::kOk;
  ExprId at_;
  std::size_t depth_ = 0;
};

std::int64_t Evaluator::scalar(ExprId id) {
  const Step step(*this, id);
  if (!ok())
    return 0;
  const Expression& e = node(id);
  if (is_comparison(e.kind))
    return comparison(id);
  if (e.kind >= ExprKind::kAnd && e.kind <= ExprKind::kImply)
    return logical(id);
  if (is_binary_operator(e.kind)) {
    const std::int64_t a = scalar(child(id, 0));
    const std::int64_t b = scalar(child(id, 1));
    std::int64_t out = 0;
    const RunStatus status = ok() ? apply_operator(e.kind, a, b, out) : status_;
    return status == RunStatus::kOk ? out : fail(status, id);
  }
  switch (e.kind) {
    case ExprKind::kConstant:
      return e.value();
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
      return load(place(id), id);
    case ExprKind::kNegate:
      return wrapped(-scalar(child(id, 0)));
    case ExprKind::kNot:
      return scalar(child(id, 0)) == 0 ? 1 : 0;
    case ExprKind::kAbsolute:
      return wrapped(std::abs(scalar(child(id, 0))));
    case ExprKind::kConditional:
      return scalar(child(id, scalar(child(id, 0)) != 0 ? 1 : 2));
    case ExprKind::kComma:
      scalar(child(id, 0));
      return scalar(child(id, 1));
    case ExprKind::kForall:
    case ExprKind::kExists:
    case ExprKind::kSum:
      return quantified(id);
    case ExprKind::kCall:
      return call(id) && !result_.empty() ? result_.front() : 0;
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      return modify(id);
    default:
      return fail(RunStatus::kNotConstant, id);
  }
}

std::int64_t Evaluator::logical(ExprId id) {
  const ExprKind kind = node(id).kind;
  const bool a = scalar(child(id, 0)) != 0;
  if (kind == ExprKind::kAnd && !a)
    return 0;
  if (kind == ExprKind::kOr && a)
    return 1;
  if (kind == ExprKind::kImply && !a)
    return 1;
  const bool b = scalar(child(id, 1)) != 0;
  return (kind == ExprKind::kXor ? a != b : b) ? 1 : 0;
}

std::int64_t Evaluator::comparison(ExprId id) {
  const ExprKind kind = node(id).kind;
  const ExprId left = child(id, 0);
  const ExprId right = child(id, 1);
  if (!network_.types.is_discrete(node(left).type)) {  // whole arrays and structs
    std::vector<std::int32_t> a;
    std::vector<std::int32_t> b;
    cells(left, a);
    cells(right, b);
    return (a == b) == (kind == ExprKind::kEqual) ? 1 : 0;
  }
  const std::int64_t a = scalar(left);
  const std::int64_t b = scalar(right);
  std::int64_t out = 0;
  static_cast<void>(apply_operator(kind, a, b, out));  // comparisons cannot fail
  return out;
}

std::int64_t Evaluator::quantified(ExprId id) {
  const Expression& e = node(id);
  const Type& range = network_.types[network_.variables[e.variable()].type];
  std::int64_t result = e.kind == ExprKind::kForall ? 1 : 0;
  for (std::int64_t value = range.low; ok() && value <= range.high; ++value) {
    frame_[e.variable()] = {static_cast<std::int32_t>(value)};
    const std::int64_t body = scalar(child(id, 0));
    if (e.kind == ExprKind::kForall && body == 0)
      return 0;
    if (e.kind == ExprKind::kExists && body != 0)
      return 1;
    if (e.kind == ExprKind::kSum)
      result = wrapped(result + body);
  }
  return result;
}

std::int64_t Evaluator::modify(ExprId id) {
  const Expression& e = node(id);
  const Place target = place(child(id, 0));
  const TypeId type = node(child(id, 0)).type;
  if (!ok())
    return 0;
  if (e.kind == ExprKind::kAssign) {
    if (!network_.types.is_discrete(type)) {
      assign(id, target);
      return 0;
    }
    return store(target, scalar(child(id, 1)), type, id);
  }
  const std::int64_t old = load(target, id);
  const bool compound = e.kind == ExprKind::kCompoundAssign;
  const bool down = e.kind == ExprKind::kPreDecrement || e.kind == ExprKind::kPostDecrement;
  const ExprKind step = down ? ExprKind::kSubtract : ExprKind::kAdd;
  const std::int64_t by = compound ? scalar(child(id, 1)) : 1;
  std::int64_t value = 0;
  if (!ok())
    return 0;
  const RunStatus status = apply_operator(compound ? e.op : step, old, by, value);
  if (status != RunStatus::kOk)
    return fail(status, id);
  const std::int64_t stored = store(target, value, type, id);
  const bool post = e.kind == ExprKind::kPostIncrement || e.kind == ExprKind::kPostDecrement;
  return post ? old : stored;
}

void Evaluator::assign(ExprId id, Place target) {
  std::vector<std::int32_t> value;
  cells(child(id, 1), value);
  std::vector<std::int32_t>* into = storage(target.variable, true);
  if (into == nullptr) {
    fail(RunStatus::kNotConstant, id);
    return;
  }
  if (ok())
    std::copy(value.begin(), value.end(),
              into->begin() + static_cast<std::ptrdiff_t>(target.offset));
}

void Evaluator::cells(ExprId id, std::vector<std::int32_t>& out) {
  const Expression& e = node(id);
  if (e.kind == ExprKind::kList) {
    list(id, out);
    return;
  }
  if (network_.types.is_discrete(e.type)) {
    out.push_back(static_cast<std::int32_t>(scalar(id)));
    return;
  }
  const Step step(*this, id);
  if (!ok())
    return;
  if (e.kind == ExprKind::kConditional) {
    cells(child(id, scalar(child(id, 0)) != 0 ? 1 : 2), out);
    return;
  }
  if (e.kind == ExprKind::kCall) {
    call(id);
    out.insert(out.end(), result_.begin(), result_.end());
    return;
  }
  const Place from = place(id);
  const std::vector<std::int32_t>* cells = ok() ? storage(from.variable, false) : nullptr;
  if (cells == nullptr) {
    fail(RunStatus::kNotConstant, id);
    return;
  }
  const std::size_t count = network_.types.shape(e.type).cells;
  steps_ += count;
  const auto first = cells->begin() + static_cast<std::ptrdiff_t>(from.offset);
  out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(count));
}

void Evaluator::list(ExprId id, std::vector<std::int32_t>& out) {
  const Step step(*this, id);
  const Type& type = network_.types[node(id).type];
  const std::size_t count = node(id).operand_count;
  for (std::size_t i = 0; ok() && i < count; ++i) {
    const TypeId want = type.kind == TypeKind::kArray ? type.element : type.fields[i].type;
    if (network_.types.shape(want).cells == 0)
      continue;
    const std::size_t before = out.size();
    cells(child(id, i), out);
    if (ok() && network_.types.is_discrete(want))
      out[before] = in_range(out[before], want, child(id, i));
  }
}

Evaluator::Place Evaluator::place(ExprId id) {
  const Step step(*this, id);
  if (!ok())
    return {};
  const Expression& e = node(id);
  switch (e.kind) {
    case ExprKind::kVariable: {
      const auto reference = references_.find(e.variable());
      return reference != references_.end() ? reference->second : Place{.variable = e.variable()};
    }
    case ExprKind::kIndex:
      return element(id);
    case ExprKind::kField: {
      Place at = place(child(id, 0));
      at.offset += network_.types.field_offset(node(child(id, 0)).type, e.field()).cells;
      return at;
    }
    case ExprKind::kConditional:
      return place(child(id, scalar(child(id, 0)) != 0 ? 1 : 2));
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
      modify(id);
      return place(child(id, 0));
    default:
      break;
  }
  // A value without a place (a list, a call) passed where one is needed: give it one for the
  // moment.
  fail(RunStatus::kNotConstant, id);
  return {};
}

Evaluator::Place Evaluator::element(ExprId id) {
  const ExprId array = child(id, 0);
  const Type& type = network_.types[node(array).type];
  const Type& index = network_.types[type.index];
  Place at = place(array);
  const std::int64_t i = scalar(child(id, 1));
  if (ok() && (i < index.low || i > index.high))
    fail(RunStatus::kIndexOutOfRange, id);
  if (ok())
    at.offset += static_cast<std::size_t>(i - index.low) * network_.types.shape(type.element).cells;
  return at;
}

std::vector<std::int32_t>* Evaluator::storage(VariableId id, bool write) {
  const auto local = frame_.find(id);
  if (local != frame_.end())
    return &local->second;
  const auto constant = constants_.values.find(id);
  if (write || constant == constants_.values.end())
    return nullptr;
  // Copied on first use: the caller gets a pointer it could write through, constants stay
  // untouched.
  return &frame_.emplace(id, constant->second).first->second;
}

std::int64_t Evaluator::load(Place at, ExprId id) {
  if (!ok())
    return 0;
  const std::vector<std::int32_t>* cells = storage(at.variable, false);
  if (cells == nullptr || at.offset >= cells->size())
    return fail(RunStatus::kNotConstant, id);
  return (*cells)[at.offset];
}

std::int64_t Evaluator::store(Place at, std::int64_t value, TypeId type, ExprId id) {
  if (!ok())
    return 0;
  std::vector<std::int32_t>* cells = storage(at.variable, true);
  if (cells == nullptr || at.offset >= cells->size())
    return fail(RunStatus::kNotConstant, id);
  const std::int32_t stored = in_range(value, type, id);
  if (ok())
    (*cells)[at.offset] = stored;
  return stored;
}

bool Evaluator::bind_arguments(ExprId id, const Function& function) {
  // All arguments first, then all parameters: an argument may call the same function.
  std::vector<std::vector<std::int32_t>> values(function.parameters.size());
  std::vector<Place> places(function.parameters.size());
  for (std::size_t i = 0; ok() && i < function.parameters.size(); ++i) {
    const Variable& parameter = network_.variables[function.parameters[i]];
    if (parameter.is_alias()) {
      places[i] = place(child(id, i));
      continue;
    }
    cells(child(id, i), values[i]);
    if (ok() && network_.types.is_discrete(parameter.type))
      values[i][0] = in_range(values[i][0], parameter.type, child(id, i));
  }
  for (std::size_t i = 0; ok() && i < function.parameters.size(); ++i) {
    const VariableId parameter = function.parameters[i];
    if (network_.variables[parameter].is_alias())
      references_[parameter] = places[i];
    else
      frame_[parameter] = std::move(values[i]);
  }
  return ok();
}

bool Evaluator::call(ExprId id) {
  const Function& function = network_.functions[node(id).function()];
  if (!function.body.valid() || !bind_arguments(id, function))
    return false;
  result_.clear();
  const Flow flow = execute(function.body);
  // A `return` without its value is an error of the model, which may be evaluated all the same.
  const bool returned =
      flow == Flow::kReturned && result_.size() == network_.types.shape(function.result).cells;
  if (ok() && !returned && network_.types[function.result].kind != TypeKind::kVoid)
    fail(RunStatus::kNoReturn, id);
  if (ok() && network_.types.is_discrete(function.result))
    result_[0] = in_range(result_[0], function.result, id);
  return ok();
}

Evaluator::Flow Evaluator::execute(StmtId id) {
  const Statement& s = network_.pool[id];
  const Step step(*this, s.exprs.empty() ? ExprId() : s.exprs.front());
  if (!ok())
    return Flow::kReturned;
  switch (s.kind) {
    case StmtKind::kBlock:
      for (const StmtId part : s.children)
        if (execute(part) == Flow::kReturned)
          return Flow::kReturned;
      return Flow::kNext;
    case StmtKind::kExpression: {
      std::vector<std::int32_t> ignored;
      if (network_.types[node(s.exprs[0]).type].kind == TypeKind::kVoid)
        scalar(s.exprs[0]);
      else
        cells(s.exprs[0], ignored);
      break;
    }
    case StmtKind::kDeclare:
      declare(s);
      break;
    case StmtKind::kIf:
      if (scalar(s.exprs[0]) != 0)
        return execute(s.children[0]);
      return s.children.size() > 1 ? execute(s.children[1]) : Flow::kNext;
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile:
      return loop(s);
    case StmtKind::kIterate:
      return iterate(s);
    case StmtKind::kReturn: {
      std::vector<std::int32_t> value;
      if (!s.exprs.empty())
        cells(s.exprs[0], value);
      result_ = std::move(value);
      return Flow::kReturned;
    }
    case StmtKind::kAssert:
      if (scalar(s.exprs[0]) == 0)
        fail(RunStatus::kAssertionFailed, s.exprs[0]);
      break;
  }
  return ok() ? Flow::kNext : Flow::kReturned;
}

void Evaluator::declare(const Statement& s) {
  std::vector<std::int32_t> value;
  const TypeId type = network_.variables[s.variable].type;
  // Counted before anything is allocated: the length may depend on an argument.
  steps_ += network_.types.shape(type).cells;
  if (steps_ > kMaxEvaluationSteps)
    fail(RunStatus::kTooManySteps, s.exprs.empty() ? ExprId() : s.exprs[0]);
  if (!ok())
    return;
  if (s.exprs.empty())
    append_default_values(network_.types, type, value);
  else
    cells(s.exprs[0], value);
  if (ok() && network_.types.is_discrete(type))
    value[0] = in_range(value[0], type, s.exprs.empty() ? ExprId() : s.exprs[0]);
  frame_[s.variable] = std::move(value);
}

Evaluator::Flow Evaluator::loop(const Statement& s) {
  const bool is_for = s.kind == StmtKind::kFor;
  const ExprId condition = is_for ? s.exprs[1] : s.exprs[0];
  if (is_for)
    scalar(s.exprs[0]);
  bool enter = s.kind == StmtKind::kDoWhile;
  while (ok() && (enter || scalar(condition) != 0)) {
    enter = false;
    if (execute(s.children[0]) == Flow::kReturned)
      return Flow::kReturned;
    if (is_for)
      scalar(s.exprs[2]);
  }
  return ok() ? Flow::kNext : Flow::kReturned;
}

Evaluator::Flow Evaluator::iterate(const Statement& s) {
  const Type& range = network_.types[network_.variables[s.variable].type];
  for (std::int64_t value = range.low; ok() && value <= range.high; ++value) {
    frame_[s.variable] = {static_cast<std::int32_t>(value)};
    if (execute(s.children[0]) == Flow::kReturned)
      return Flow::kReturned;
  }
  return ok() ? Flow::kNext : Flow::kReturned;
}

}  // namespace

EvalResult evaluate(const Network& network, ConstantValues& constants, ExprId expression) {
  return Evaluator(network, constants).run(expression);
}

RunStatus apply_operator(ExprKind op, std::int64_t a, std::int64_t b, std::int64_t& out) {
  RunStatus status = RunStatus::kOk;
  switch (op) {
    case ExprKind::kAdd:
      out = a + b;
      break;
    case ExprKind::kSubtract:
      out = a - b;
      break;
    case ExprKind::kMultiply:
      out = a * b;
      break;
    case ExprKind::kDivide:
    case ExprKind::kModulo:
      if (b == 0)
        return RunStatus::kDivisionByZero;
      out = op == ExprKind::kDivide ? a / b : a % b;
      break;
    case ExprKind::kPower:
      status = power(a, b, out);
      break;
    case ExprKind::kShiftLeft:
    case ExprKind::kShiftRight:
      status = shift(op, a, b, out);
      break;
    case ExprKind::kMin:
      out = std::min(a, b);
      break;
    case ExprKind::kMax:
      out = std::max(a, b);
      break;
    case ExprKind::kBitAnd:
      out = a & b;
      break;
    case ExprKind::kBitXor:
      out = a ^ b;
      break;
    case ExprKind::kBitOr:
      out = a | b;
      break;
    case ExprKind::kLess:
      out = a < b ? 1 : 0;
      break;
    case ExprKind::kLessEqual:
      out = a <= b ? 1 : 0;
      break;
    case ExprKind::kGreaterEqual:
      out = a >= b ? 1 : 0;
      break;
    case ExprKind::kGreater:
      out = a > b ? 1 : 0;
      break;
    case ExprKind::kEqual:
      out = a == b ? 1 : 0;
      break;
    case ExprKind::kNotEqual:
      out = a != b ? 1 : 0;
      break;
    default:
      assert(false && "not an operator on two numbers");
      break;
  }
  out = wrapped(out);
  return status;
}

std::int32_t default_value(const Type& type) {
  return std::clamp(std::int32_t{0}, type.low, std::max(type.low, type.high));
}

void append_default_values(const TypeTable& types, TypeId id, std::vector<std::int32_t>& out) {
  std::vector<Bounds> bounds;
  append_bounds(types, id, bounds);
  for (const Bounds& b : bounds)
    out.push_back(std::clamp(std::int32_t{0}, b.low, std::max(b.low, b.high)));
}

void append_bounds(const TypeTable& types, TypeId id, std::vector<Bounds>& out) {
  const Type& type = types[id];
  if (types.is_discrete(id)) {
    out.push_back({type.low, type.high});
  } else if (type.kind == TypeKind::kArray && types.shape(type.element).cells != 0) {
    std::vector<Bounds> element;
    append_bounds(types, type.element, element);
    for (std::uint64_t i = 0; i < types.array_length(id); ++i)
      out.insert(out.end(), element.begin(), element.end());
  } else if (type.kind == TypeKind::kStruct) {
    for (const Field& field : type.fields)
      append_bounds(types, field.type, out);
  }
}

}  // namespace tw
