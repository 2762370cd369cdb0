// Expressions: names, places, assignments, quantifiers. Operators are in check_operators.cpp, calls
// in check_calls.cpp.

#include <fmt/format.h>
#include <utility>

#include "frontends/uppaal/checker.hpp"

namespace tw::uppaal {

Checked Checker::poison(SourceRange where, std::string message, std::string hint) {
  error(where, std::move(message), std::move(hint));
  return {};
}

// What an expression inherits from two operands.
Checked Checker::merge(const ast::Expr& e, const Checked& a, const Checked& b) const {
  Checked out;
  out.where = e.where;
  out.real = a.real || b.real;
  out.rate = a.rate || b.rate;
  out.effect = a.effect || b.effect;
  out.live_effect = a.live_effect || b.live_effect;
  out.useful = a.useful || b.useful;
  out.computable = a.computable && b.computable;
  return out;
}

Checked Checker::expression(ast::ExprId id) {
  if (!id.valid())
    return poison();
  const Level level(*this);
  const ast::Expr& e = node(id);
  Checked out = dispatch(e);
  if (!out.poisoned())
    out.where = e.where;
  return out;
}

Checked Checker::dispatch(const ast::Expr& e) {
  switch (e.kind) {
    case ast::ExprKind::kNumber:
      return number(e);
    case ast::ExprKind::kReal:
    case ast::ExprKind::kString: {
      Checked out;
      out.type = builder_.network().types.real_type();
      out.real = true;
      out.computable = true;
      return out;
    }
    case ast::ExprKind::kTrue:
    case ast::ExprKind::kFalse: {
      Checked out;
      out.type = builder_.bool_type();
      out.id = builder_.truth(e.kind == ast::ExprKind::kTrue, e.where);
      out.computable = true;
      return out;
    }
    case ast::ExprKind::kName:
      return name(e);
    case ast::ExprKind::kUnary:
      return unary(e);
    case ast::ExprKind::kBinary:
      return binary(e);
    case ast::ExprKind::kAssign:
      return assignment(e);
    case ast::ExprKind::kPrefix:
    case ast::ExprKind::kPostfix:
      return increment(e);
    case ast::ExprKind::kConditional:
      return conditional(e);
    case ast::ExprKind::kIndex:
      return index(e);
    case ast::ExprKind::kField:
      return field(e);
    case ast::ExprKind::kCall:
      return call(e);
    case ast::ExprKind::kRate:
      return rate(e);
    case ast::ExprKind::kQuantifier:
      return quantifier(e);
    case ast::ExprKind::kComma:
      return comma(e);
    case ast::ExprKind::kList:
      return poison(e.where, "a list of values may only initialise a variable",
                    "assign the elements one by one");
    case ast::ExprKind::kSpawn:
      if (!reported_dynamic_)
        error(e.where, fmt::format("dynamic templates ('{}') are not supported", e.text),
              "list all processes in the system line");
      reported_dynamic_ = true;
      return poison();
  }
  return poison();
}

Checked Checker::number(const ast::Expr& e) {
  Checked out;
  out.type = builder_.network().types.int_type();
  out.id = builder_.constant(static_cast<std::int32_t>(e.value), e.where);
  out.computable = true;
  return out;
}

void Checker::use(SymbolId id) { symbols_[id].used = true; }

Checked Checker::name(const ast::Expr& e) {
  const SymbolId id = symbols_.find(e.text);
  if (!id.valid())
    return unknown_name(e);
  use(id);
  const Symbol& symbol = symbols_[id];
  if (symbol.price && !std::exchange(warned_prices_, true))
    warning(e.where, fmt::format("prices are ignored: '{}' is not declared", e.text),
            "they change what a run costs, not what can happen");
  switch (symbol.kind) {
    case SymbolKind::kVariable:
      return variable(id, e.where);
    case SymbolKind::kNumber: {
      Checked out;
      out.computable = true;
      out.type = symbol.type;
      if (is_real(symbol.type))
        out.real = true;
      else
        out.id = builder_.constant(symbol.value, e.where);
      return out;
    }
    case SymbolKind::kType:
      return poison(e.where, fmt::format("'{}' is a type, not a value", e.text));
    case SymbolKind::kFunction:
    case SymbolKind::kBuiltinFunction:
      return poison(e.where, fmt::format("'{}' is a function", e.text),
                    fmt::format("call it: {}(…)", e.text));
    case SymbolKind::kTemplate:
    case SymbolKind::kInstance:
    case SymbolKind::kSkipped:
      return poison(e.where, fmt::format("'{}' is a process, not a value", e.text));
    case SymbolKind::kLocation:
      return poison(e.where, fmt::format("'{}' is a location, not a value", e.text),
                    "locations can be asked for in queries only; use a variable");
  }
  return poison();
}

Checked Checker::unknown_name(const ast::Expr& e) {
  if (is_lost(e.text))
    return poison();
  const Wanted wanted = &e == channel_name_ ? Wanted::kChannel : Wanted::kValue;
  std::string hint = scope_ != nullptr ? suggest_member(e.text)
                                       : suggest(e.text, wanted, "declare it before its first use");
  if (e.text == "break" || e.text == "continue" || e.text == "switch" || e.text == "case" ||
      e.text == "goto")
    hint = fmt::format("'{}' is not part of the language", e.text);
  return poison(e.where, fmt::format("unknown name '{}'", e.text), std::move(hint));
}

Checked Checker::variable(SymbolId id, SourceRange where) {
  const Symbol& symbol = symbols_[id];
  if (!symbol.type.valid())
    return poison();  // its declaration was in error
  Checked out;
  out.type = symbol.type;
  out.where = where;
  out.lvalue = true;
  out.access = symbol.access;
  out.root = id;
  out.function_local = symbol.function_local;
  out.computable = symbol.computable;
  if (is_real(symbol.type) || !symbol.variable.valid()) {
    out.real = true;
    return out;
  }
  out.id = builder_.variable(symbol.variable, where);
  if (info(symbol.type).kind == TypeKind::kClock)
    out.form = ClockForm::kClock;
  if (function_ != nullptr && !symbol.computable && !symbol.function_local)
    function_->computable = false;
  return out;
}

Checked Checker::index(const ast::Expr& e) {
  const Checked array = expression(e.args[0]);
  Checked position = expression(e.args[1]);
  if (array.poisoned() || position.poisoned())
    return poison();
  if (info(array.type).kind != TypeKind::kArray)
    return poison(e.where,
                  fmt::format("{} has no elements to pick with '[…]'", describe(array.type)));
  const TypeId element = info(array.type).element;
  const TypeId want = info(array.type).index;
  Checked out = merge(e, array, position);
  out.type = element;
  out.lvalue = array.lvalue;
  out.access = array.access;
  out.root = array.root;
  out.function_local = array.function_local;
  const bool scalar_set = info(want).kind == TypeKind::kScalar;
  if (scalar_set && !position.real && position.type != want)
    return poison(position.where, "the index must be a value of the array's scalar set");
  if (!scalar_set && !array.real && !integral(position, "the index of an array"))
    return poison();
  if (out.real || is_real(element)) {
    out.real = true;
    return out;
  }
  out.id = builder_.index(array.id, position.id, e.where);
  if (info(element).kind == TypeKind::kClock)
    out.form = ClockForm::kClock;
  return out;
}

Checked Checker::field(const ast::Expr& e) {
  const ast::Expr& left = node(e.args[0]);
  if (scope_ != nullptr)
    if (const std::optional<Member> found = member(e))
      return member_value(e, *found);
  // P.loc and P.var belong to queries; say so instead of "not a struct".
  if (left.kind == ast::ExprKind::kName) {
    const SymbolId id = symbols_.find(left.text);
    if (id.valid() &&
        (symbols_[id].kind == SymbolKind::kTemplate || symbols_[id].kind == SymbolKind::kInstance))
      return poison(e.where, fmt::format("'{}.{}' looks into a process", left.text, e.text),
                    "only queries can; use a shared variable");
  }
  const Checked structure = expression(e.args[0]);
  if (structure.poisoned())
    return poison();
  if (info(structure.type).kind != TypeKind::kStruct)
    return poison(e.op_where,
                  fmt::format("{} has no field '{}'", describe(structure.type), e.text));
  const std::vector<Field>& fields = info(structure.type).fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name != e.text)
      continue;
    Checked out = structure;
    out.type = fields[i].type;
    out.id = ExprId();
    if (is_real(out.type) || structure.real)
      out.real = true;
    else
      out.id = builder_.field(structure.id, i, e.where);
    if (info(out.type).kind == TypeKind::kClock)
      out.form = ClockForm::kClock;
    return out;
  }
  return poison(e.op_where, fmt::format("the struct has no field '{}'", e.text));
}

Checked Checker::rate(const ast::Expr& e) {
  Checked clock = expression(e.args[0]);
  if (clock.poisoned())
    return poison();
  const bool hybrid = clock.real && clock.root.valid() && symbols_[clock.root].hybrid;
  if (!hybrid && clock.form != ClockForm::kClock)
    return poison(e.where, fmt::format("only a clock has a rate, not {}", describe(clock.type)));
  clock.form = ClockForm::kRate;
  clock.lvalue = false;
  if (!hybrid)
    clock.id = builder_.unary(ExprKind::kRate, clock.id, e.where);
  return clock;
}

Checked Checker::comma(const ast::Expr& e) {
  const Checked first = expression(e.args[0]);
  const Checked second = expression(e.args[1]);
  if (first.poisoned() || second.poisoned())
    return poison();
  Checked out = merge(e, first, second);
  out.type = second.type;
  out.constraint = second.constraint;
  if (!first.runs() && !first.live_effect)
    out.id = second.id;  // the left part only concerned real values
  else if (first.runs() && second.runs())
    out.id = builder_.binary(ExprKind::kComma, first.id, second.id, e.where);
  out.real = second.real;
  return out;
}

Checked Checker::conditional(const ast::Expr& e) {
  Checked condition = expression(e.args[0]);
  const Checked yes = expression(e.args[1]);
  const Checked no = expression(e.args[2]);
  if (condition.poisoned() || yes.poisoned() || no.poisoned())
    return poison();
  Checked out = merge(e, yes, no);
  out.real = out.real || condition.real;
  out.effect = out.effect || condition.effect;
  out.live_effect = out.live_effect || condition.live_effect;
  out.useful = out.useful || condition.useful;
  out.computable = out.computable && condition.computable;
  if (!condition.real && !integral(condition, "a condition"))
    return poison();
  for (const Checked* branch : {&yes, &no})
    if (branch->constraint != ConstraintClass::kIntegral)
      return poison(branch->where, "a clock inside a conditional value has no meaning for zones",
                    "write two edges, or p && … || !p && …");
  const bool discrete = builder_.network().types.is_discrete(yes.type) &&
                        builder_.network().types.is_discrete(no.type);
  const bool numbers = discrete && info(yes.type).kind != TypeKind::kScalar &&
                       info(no.type).kind != TypeKind::kScalar;
  if (out.real && !numbers) {
    out.type = builder_.network().types.real_type();
    return out;
  }
  if (!numbers && !equivalent(yes.type, no.type))
    return poison(e.where, fmt::format("the two branches do not fit together: {} and {}",
                                       describe(yes.type), describe(no.type)));
  out.lvalue = yes.lvalue && no.lvalue && equivalent(yes.type, no.type);
  out.access = yes.access != Access::kWritable ? yes.access : no.access;
  out.root = yes.root;
  out.function_local = yes.function_local && no.function_local;
  out.type = yes.type;
  if (out.real)
    return out;
  if (info(yes.type).kind == TypeKind::kClock)
    out.form = ClockForm::kOther;
  out.id = builder_.conditional(condition.id, yes.id, no.id, e.where);
  out.type = builder_.network().pool[out.id].type;
  if (info(yes.type).kind == TypeKind::kClock && out.lvalue)
    out.form = ClockForm::kClock;
  return out;
}

Checked Checker::quantifier(const ast::Expr& e) {
  if (scope_ != nullptr)
    return written_out(e);
  const TypeSpec spec = type(e.type);
  const bool range_ok = is_bounded_range(spec, "a quantifier");
  if (range_ok)
    warn_empty(spec.type, spec.where, "the quantifier looks at nothing");
  symbols_.push(Frame::kBlock);
  Variable over{.name = e.text,
                .type = spec.type,
                .role = Role::kIterator,
                .storage = Storage::kFrame,
                .is_const = true,
                .where = e.op_where,
                .prototype = in_template(),
                .owner_template = template_};
  Symbol symbol{.name = e.text,
                .kind = SymbolKind::kVariable,
                .where = e.op_where,
                .access = Access::kIterator,
                .computable = true,
                .function_local = true,
                .used = true};
  if (range_ok) {
    symbol.type = spec.type;
    symbol.variable = builder_.add_variable(std::move(over));
  }
  const VariableId variable = symbol.variable;
  symbols_.declare(std::move(symbol));
  const Checked body = expression(e.args[0]);
  symbols_.pop();
  if (!range_ok || body.poisoned())
    return poison();
  if (body.effect)
    return poison(body.where, "the body of a quantifier must not change anything");
  Checked out = merge(e, body, body);
  out.culprit = body.culprit;
  out.reason = body.reason;
  const bool sum = e.op == ast::Op::kSum;
  out.type = sum ? builder_.network().types.int_type() : builder_.bool_type();
  out.ignorable = body.ignorable && e.op == ast::Op::kForall;
  if (body.real)
    return out;
  Checked inner = body;
  if (sum ? !integral(inner, "the body of 'sum'")
          : !scalar_value(inner, "the body of a quantifier"))
    return poison();
  out.constraint = body.constraint;
  if (e.op == ast::Op::kExists && body.constraint != ConstraintClass::kIntegral) {
    out.constraint = ConstraintClass::kConstraint;
    out.culprit = e.op_where;
    out.reason = "'exists' over clocks is a disjunction";
  }
  ExprKind kind = ExprKind::kForall;
  if (e.op == ast::Op::kExists)
    kind = ExprKind::kExists;
  else if (sum)
    kind = ExprKind::kSum;
  out.id = builder_.quantifier(kind, variable, body.id, e.where);
  return out;
}

bool Checker::check_writable(const Checked& target) {
  if (!target.lvalue) {
    error(target.where, "this is a value, not a variable that can be changed",
          "assign to a variable, an array element or a field");
    return false;
  }
  const std::string who =
      target.root.valid() ? fmt::format("'{}'", symbols_[target.root].name) : "this";
  switch (target.access) {
    case Access::kWritable:
      return true;
    case Access::kConstant:
      error(target.where, fmt::format("{} is a constant and cannot be changed", who));
      return false;
    case Access::kSelect:
      error(target.where, fmt::format("{} is chosen by 'select' and cannot be changed", who));
      return false;
    case Access::kIterator:
      error(target.where, fmt::format("{} runs over its range and cannot be changed", who));
      return false;
    case Access::kReferenceToConstant:
      error(target.where, fmt::format("{} is a constant reference and cannot be changed", who));
      return false;
  }
  return false;
}

void Checker::note_write(const Checked& target, Checked& out) {
  out.useful = true;
  if (target.function_local)
    return;
  out.effect = true;
  out.live_effect = out.live_effect || !target.real;
  if (function_ != nullptr) {
    function_->effect = true;
    function_->live_effect = function_->live_effect || !target.real;
    function_->computable = false;
  }
}

Checked Checker::assignment(const ast::Expr& e) {
  const Checked target = expression(e.args[0]);
  Checked value = expression(e.args[1]);
  if (target.poisoned() || value.poisoned() || !check_writable(target))
    return poison();
  Checked out = merge(e, target, value);
  out.type = target.type;
  out.computable = target.computable && value.computable;
  out.lvalue = true;
  out.root = target.root;
  out.function_local = target.function_local;
  note_write(target, out);
  if (is_real(target.type) || target.real) {
    if (value.live_effect && !value.runs())
      return poison(value.where, "a real-valued computation changes the model",
                    "split it: real values may not influence the model");
    out.real = true;
    out.useful = true;
    out.id = value.live_effect ? value.id : ExprId();
    warn_real(target);
    return out;
  }
  if (e.op != ast::Op::kAssign)
    return compound_assignment(e, target, value, out);
  if (!check_assignable(target.type, value, "the right side"))
    return poison();
  out.id = builder_.assign(target.id, value.id, e.where);
  return out;
}

// `+=` and its relatives: integers only.
Checked Checker::compound_assignment(const ast::Expr& e,
                                     const Checked& target,
                                     Checked value,
                                     Checked out) {
  static constexpr std::pair<ast::Op, ExprKind> kOperators[] = {
      {ast::Op::kPlus, ExprKind::kAdd},
      {ast::Op::kMinus, ExprKind::kSubtract},
      {ast::Op::kMultiply, ExprKind::kMultiply},
      {ast::Op::kDivide, ExprKind::kDivide},
      {ast::Op::kModulo, ExprKind::kModulo},
      {ast::Op::kBitAnd, ExprKind::kBitAnd},
      {ast::Op::kBitOr, ExprKind::kBitOr},
      {ast::Op::kBitXor, ExprKind::kBitXor},
      {ast::Op::kShiftLeft, ExprKind::kShiftLeft},
      {ast::Op::kShiftRight, ExprKind::kShiftRight},
  };
  const TypeKind kind = info(target.type).kind;
  const bool plus = e.op == ast::Op::kPlus || e.op == ast::Op::kMinus;
  if (kind != TypeKind::kInt && (kind != TypeKind::kBool || plus))
    return poison(e.where,
                  fmt::format("'+=' and the like change integers, not {}", describe(target.type)),
                  kind == TypeKind::kClock ? "clocks can be set, as in x = 0" : "");
  if (!integral(value, "the right side"))
    return poison();
  for (const auto& [op, kind_of_op] : kOperators)
    if (op == e.op)
      out.id = builder_.compound_assign(kind_of_op, target.id, value.id, e.where);
  return out;
}

bool Checker::check_assignable(TypeId target, const Checked& value, std::string_view role) {
  Checked actual = value;
  const TypeKind kind = info(target).kind;
  switch (kind) {
    case TypeKind::kInt:
    case TypeKind::kBool:
      return integral(actual, role);
    case TypeKind::kClock:
      if (value.real) {
        error(value.where, "a clock can be set to integers and clocks only, not to real numbers");
        return false;
      }
      if (value.form == ClockForm::kClock)
        return true;
      return integral(actual, role);
    case TypeKind::kReal:
      return scalar_value(actual, role);
    case TypeKind::kScalar:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      if (equivalent(target, value.type) && !value.real)
        return true;
      error(value.where,
            fmt::format("{} does not fit: {} is expected, this is {}", role, describe(target),
                        describe(value.type)),
            kind == TypeKind::kScalar ? "scalars of different sets are different types"
                                      : "lengths, ranges and field names must agree");
      return false;
    case TypeKind::kVoid:
    case TypeKind::kChannel:
      error(value.where, fmt::format("{} cannot be assigned", describe(target)));
      return false;
  }
  return false;
}

Checked Checker::increment(const ast::Expr& e) {
  const Checked target = expression(e.args[0]);
  if (target.poisoned() || !check_writable(target))
    return poison();
  const bool up = e.op == ast::Op::kIncrement;
  if (!target.real && info(target.type).kind != TypeKind::kInt)
    return poison(e.where, fmt::format("'{}' changes integers, not {}", up ? "++" : "--",
                                       describe(target.type)));
  Checked out = merge(e, target, target);
  out.type = target.type;
  out.lvalue = e.kind == ast::ExprKind::kPrefix;
  out.root = target.root;
  out.function_local = target.function_local;
  note_write(target, out);
  if (target.real) {
    warn_real(target);
    return out;
  }
  ExprKind kind = up ? ExprKind::kPreIncrement : ExprKind::kPreDecrement;
  if (e.kind == ast::ExprKind::kPostfix)
    kind = up ? ExprKind::kPostIncrement : ExprKind::kPostDecrement;
  out.id = builder_.increment(kind, target.id, e.where);
  return out;
}

void Checker::warn_real(const Checked& target) {
  if (is_price(target) || std::exchange(warned_real_, true))
    return;
  warning(target.where, "real-valued variables are ignored: they do not influence the model");
}

bool Checker::is_price(const Checked& value) const {
  return value.root.valid() && symbols_[value.root].price;
}

// A truth value or number that runs; clock constraints are allowed.
bool Checker::scalar_value(const Checked& value, std::string_view role) {
  if (value.poisoned())
    return false;
  if (value.real)
    return true;
  const TypeKind kind = info(value.type).kind;
  if (kind == TypeKind::kInt || kind == TypeKind::kBool)
    return true;
  error(value.where,
        fmt::format("{} must be a number or truth value, not {}", role, describe(value.type)));
  return false;
}

bool Checker::integral(Checked& value, std::string_view role) {
  if (value.poisoned())
    return false;
  if (value.real) {
    error(value.where, fmt::format("{} depends on a real value", role),
          "real numbers may be computed, but must not influence the model");
    return false;
  }
  if (value.form != ClockForm::kNone) {
    error(value.where, fmt::format("{} must be an integer; a clock has no integer value", role),
          "compare the clock with a bound instead");
    return false;
  }
  if (value.constraint != ConstraintClass::kIntegral) {
    error(value.where, fmt::format("{} must not depend on clocks", role));
    return false;
  }
  return scalar_value(value, role);
}

}  // namespace tw::uppaal
