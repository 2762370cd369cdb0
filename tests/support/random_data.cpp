// Data of random networks: variables, functions, expressions over them.
#include <array>

#include "tests/support/random_generator.hpp"

namespace tw::test {

void Generator::globals() {
  numbers_.push_back(m_.global("x", m_.int_type(0, 3)));
  numbers_.push_back(m_.global("y", m_.int_type(-1, 2)));
  flag_ = m_.global("flag", m_.bool_type());
  const TypeId three = m_.array_type(m_.int_type(0, 2), m_.int_type(0, 3));
  array_ = m_.global("a", three);
  other_array_ = m_.global("d", three);
  record_type_ = m_.struct_type({{"u", m_.int_type(0, 3)},
                                 {"v", m_.bool_type()},
                                 {"w", m_.array_type(m_.int_type(0, 1), m_.int_type(0, 3))}});
  record_ = m_.global("s", record_type_);
  other_record_ = m_.global("t", record_type_);
  scratch_ = m_.add_variable({.name = "m", .type = m_.int_type(0, 3), .storage = Storage::kMeta});
  shake_ = m_.global("c", m_.array_type(m_.int_type(0, 1), m_.channel_type(false, false)));
  shout_ = m_.global("b", m_.channel_type(false, true));
}

// void step(int &p, int k) { if (p < k) p++; else a[p] = k; }    int twice(int k) { … }
void Generator::functions() {
  const TypeId small = m_.int_type(0, 3);
  const VariableId p = m_.function_parameter("p", small, true);
  const VariableId k = m_.function_parameter("k", small);
  bump_ = m_.add_function({.name = "bump", .result = m_.void_type(), .parameters = {p, k}});
  const auto run = [this](ExprId e) {
    return m_.statement({.kind = StmtKind::kExpression, .exprs = {e}});
  };
  const ExprId less = m_.binary(ExprKind::kLess, m_.v(p), m_.v(k));
  const ExprId at = m_.binary(ExprKind::kModulo, m_.v(p), m_.c(3));
  const StmtId choice =
      m_.statement({.kind = StmtKind::kIf,
                    .exprs = {less},
                    .children = {run(m_.increment(ExprKind::kPreIncrement, m_.v(p))),
                                 run(m_.assign(m_.index(m_.v(array_), at), m_.v(k)))}});
  // In a block, as everything that is read: the network can be printed and read again.
  m_.set_body(bump_, m_.statement({.kind = StmtKind::kBlock, .children = {choice}}), {});

  const VariableId n = m_.function_parameter("n", small);
  const VariableId sum = m_.add_variable({.name = "sum",
                                          .type = m_.int_type(0, 100),
                                          .role = Role::kFunctionLocal,
                                          .storage = Storage::kFrame});
  const VariableId i = m_.add_variable({.name = "i",
                                        .type = m_.int_type(0, 2),
                                        .role = Role::kIterator,
                                        .storage = Storage::kFrame});
  total_ = m_.add_function({.name = "total", .result = m_.int_type(0, 100), .parameters = {n}});
  const ExprId cell = m_.index(m_.v(array_), m_.v(i));
  const StmtId add = run(m_.compound_assign(ExprKind::kAdd, m_.v(sum), cell));
  m_.set_body(
      total_,
      m_.statement(
          {.kind = StmtKind::kBlock,
           .children = {m_.statement({.kind = StmtKind::kDeclare, .variable = sum}),
                        m_.statement(
                            {.kind = StmtKind::kIterate, .variable = i, .children = {add}}),
                        m_.statement({.kind = StmtKind::kReturn,
                                      .exprs = {m_.binary(ExprKind::kAdd, m_.v(sum), m_.v(n))}})}}),
      {sum});
}

// int[0,2] tick(int[0,3]& r) { r = (r + 1) % 4; return r % 3; }
// S make(int[0,3] k) { S z; z.u = k; z.v = k < a[k % 3]; z.w[k % 2] = x; return z; }
// int[0,3] first(S p) { return p.v && x > 0 ? p.u : p.w[x % 2]; }
void Generator::value_functions() {
  const TypeId small = m_.int_type(0, 3);
  const auto run = [this](ExprId e) {
    return m_.statement({.kind = StmtKind::kExpression, .exprs = {e}});
  };
  const auto returns = [this](ExprId e) {
    return m_.statement({.kind = StmtKind::kReturn, .exprs = {e}});
  };
  const auto block = [this](std::vector<StmtId> children) {
    return m_.statement({.kind = StmtKind::kBlock, .children = std::move(children)});
  };
  const VariableId r = m_.function_parameter("r", small, true);
  tick_ = m_.add_function({.name = "tick", .result = m_.int_type(0, 2), .parameters = {r}});
  m_.set_body(
      tick_,
      block({run(m_.assign(m_.v(r), modulo(plus(m_.v(r), 1), 4))), returns(modulo(m_.v(r), 3))}),
      {});
  const VariableId k = m_.function_parameter("k", small);
  const VariableId z = m_.add_variable({.name = "z",
                                        .type = record_type_,
                                        .role = Role::kFunctionLocal,
                                        .storage = Storage::kFrame});
  make_ = m_.add_function({.name = "make", .result = record_type_, .parameters = {k}});
  const ExprId less = m_.binary(ExprKind::kLess, m_.v(k), at(array_, modulo(m_.v(k), 3)));
  m_.set_body(make_,
              block({m_.statement({.kind = StmtKind::kDeclare, .variable = z}),
                     run(m_.assign(m_.field(m_.v(z), 0), m_.v(k))),
                     run(m_.assign(m_.field(m_.v(z), 1), less)),
                     run(m_.assign(m_.index(m_.field(m_.v(z), 2), modulo(m_.v(k), 2)), x())),
                     returns(m_.v(z))}),
              {z});
  const VariableId p = m_.function_parameter("p", record_type_);
  first_ = m_.add_function({.name = "first", .result = small, .parameters = {p}});
  const ExprId test =
      m_.binary(ExprKind::kAnd, m_.field(m_.v(p), 1), m_.binary(ExprKind::kGreater, x(), m_.c(0)));
  m_.set_body(first_,
              block({returns(m_.conditional(test, m_.field(m_.v(p), 0),
                                            m_.index(m_.field(m_.v(p), 2), modulo(x(), 2))))}),
              {});
}

ExprId Generator::call(FunctionId function, ExprId argument) {
  const std::array arguments = {argument};
  return m_.call(function, arguments);
}

ExprId Generator::record(const std::vector<VariableId>& selects) {
  switch (between(0, 4)) {
    case 0:
      return m_.conditional(truth(selects, 0), m_.v(record_), m_.v(other_record_));
    case 1:
      return call(make_, small_number(selects));
    case 2:
      return m_.conditional(truth(selects, 0), call(make_, x()), m_.v(record_));
    default:
      return m_.v(chance(2) ? record_ : other_record_);
  }
}

ExprId Generator::number(const std::vector<VariableId>& selects, int depth) {
  if (depth == 0)
    return small_number(selects);
  switch (between(0, 9)) {
    case 0:
      return m_.conditional(truth(selects, depth - 1), number(selects, depth - 1),
                            number(selects, depth - 1));
    case 1:
      return m_.field(record(selects), 0);
    case 2:
      return m_.index(m_.field(record(selects), 2), modulo(number(selects, depth - 1), 2));
    case 3:
      return m_.conditional(m_.binary(ExprKind::kGreaterEqual, y(), m_.c(0)), at(array_, y()),
                            small_number(selects));
    case 4:
      return m_.conditional(m_.binary(ExprKind::kEqual, x(), m_.c(3)), m_.c(1),
                            at(other_array_, x()));
    case 5:
      return call(first_, record(selects));
    case 6:
      return m_.index(m_.conditional(m_.v(flag_), m_.v(array_), m_.v(other_array_)),
                      modulo(number(selects, depth - 1), 3));
    case 7: {
      const VariableId i = iterator();
      return m_.quantifier(ExprKind::kSum, i, truth({i}, 0));
    }
    case 8:
      return m_.v(scratch_);
    default:
      return small_number(selects);
  }
}

VariableId Generator::iterator() {
  return m_.add_variable({.name = "i",
                          .type = m_.int_type(0, 2),
                          .role = Role::kIterator,
                          .storage = Storage::kFrame});
}

ExprId Generator::truth(const std::vector<VariableId>& selects, int depth) {
  static constexpr std::array kOperators = {ExprKind::kAnd, ExprKind::kOr, ExprKind::kImply,
                                            ExprKind::kXor};
  if (depth == 0)
    return clause(selects);
  switch (between(0, 6)) {
    case 0:
    case 1:
    case 2:
      return m_.binary(kOperators[static_cast<std::size_t>(between(0, 3))],
                       truth(selects, depth - 1), truth(selects, depth - 1));
    case 3: {
      const VariableId i = iterator();
      const ExprId cell = at(chance(2) ? array_ : other_array_, m_.v(i));
      const ExprId less = m_.binary(ExprKind::kLessEqual, cell, number({i}, depth - 1));
      return m_.quantifier(chance(2) ? ExprKind::kForall : ExprKind::kExists, i,
                           chance(2) ? less : m_.binary(ExprKind::kOr, truth({i}, 0), less));
    }
    case 4:
      return m_.binary(chance(2) ? ExprKind::kEqual : ExprKind::kNotEqual, record(selects),
                       record(selects));
    case 5:
      return m_.binary(ExprKind::kLess, number(selects, depth - 1), number(selects, depth - 1));
    default:
      return clause(selects);
  }
}

// A number in 0 … 3 that changes something, perhaps in a part that is not evaluated.
ExprId Generator::changing_number(const std::vector<VariableId>& selects) {
  const ExprId room = m_.binary(ExprKind::kLess, x(), m_.c(3));
  switch (between(0, 6)) {
    case 0:
      return m_.conditional(room, m_.increment(ExprKind::kPostIncrement, x()), m_.c(2));
    case 1:
      return at(array_, m_.conditional(m_.binary(ExprKind::kLess, x(), m_.c(2)),
                                       m_.increment(ExprKind::kPreIncrement, x()), m_.c(0)));
    case 2:
      return at(array_, call(tick_, x()));
    case 3:
      return m_.conditional(truth(selects, 1), at(other_array_, call(tick_, at(array_, m_.c(1)))),
                            number(selects, 1));
    case 4:
      return m_.assign(at(array_, modulo(number(selects, 1), 3)), number(selects, 1));
    case 5:
      return m_.binary(
          ExprKind::kAnd, truth(selects, 1),
          m_.binary(ExprKind::kLess, at(array_, modulo(m_.assign(x(), number(selects, 1)), 3)),
                    call(tick_, at(other_array_, call(tick_, x())))));
    default:
      return m_.binary(ExprKind::kMin, call(tick_, m_.v(scratch_)), number(selects, 1));
  }
}

ExprId Generator::rich_update(const std::vector<VariableId>& selects) {
  switch (between(0, 9)) {
    case 0:
      return m_.assign(m_.v(record_), record(selects));
    case 1:
      return m_.assign(m_.v(array_),
                       m_.conditional(truth(selects, 1), m_.v(other_array_), m_.v(array_)));
    case 2: {
      const std::array parts = {at(other_array_, m_.c(1)), number(selects, 1),
                                at(other_array_, m_.c(0))};
      return m_.assign(m_.v(other_array_), m_.list(m_.network().variables[array_].type, parts));
    }
    case 3:
      return m_.assign(
          m_.conditional(truth(selects, 1), x(), at(array_, modulo(number(selects, 1), 3))),
          changing_number(selects));
    case 4: {
      const std::array arguments = {m_.conditional(m_.v(flag_), x(), at(array_, call(tick_, x()))),
                                    number(selects, 1)};
      return m_.conditional(truth(selects, 1), m_.call(bump_, arguments),
                            m_.call(bump_, arguments));
    }
    case 5:
      return m_.assign(m_.field(m_.conditional(m_.v(flag_), m_.v(record_), m_.v(other_record_)), 0),
                       changing_number(selects));
    case 6:
      return m_.compound_assign(ExprKind::kMin, at(array_, modulo(number(selects, 1), 3)),
                                changing_number(selects));
    case 7:
      return m_.assign(m_.v(scratch_), number(selects, 2));
    case 8:
      return m_.binary(ExprKind::kComma, m_.assign(m_.v(other_record_), record(selects)),
                       m_.assign(m_.v(flag_), truth(selects, 2)));
    default:
      return m_.assign(x(), changing_number(selects));
  }
}

std::vector<ExprId> Generator::hook() {
  std::vector<ExprId> out;
  for (int i = between(0, 2); i > 0; --i)
    out.push_back(chance(2) ? rich_update({}) : m_.assign(m_.v(flag_), m_.truth(chance(2))));
  return out;
}

// A number in 0 … 3, whatever happens.
ExprId Generator::small_number(const std::vector<VariableId>& selects) {
  if (own_.valid() && chance(3))
    return m_.v(own_);
  switch (between(0, 4)) {
    case 0:
      return m_.c(between(0, 3));
    case 1:
      return m_.v(numbers_[0]);
    case 2:
      return m_.index(m_.v(array_), m_.c(between(0, 2)));
    case 3:
      return selects.empty() ? m_.v(numbers_[0]) : m_.v(selects[0]);
    default:
      return m_.binary(ExprKind::kModulo, m_.binary(ExprKind::kAdd, m_.v(numbers_[0]), m_.c(1)),
                       m_.c(4));
  }
}

ExprId Generator::clause(const std::vector<VariableId>& selects) {
  static constexpr std::array kRelations = {ExprKind::kLess,    ExprKind::kLessEqual,
                                            ExprKind::kEqual,   ExprKind::kNotEqual,
                                            ExprKind::kGreater, ExprKind::kGreaterEqual};
  if (chance(6))
    return m_.v(flag_);
  if (chance(6)) {
    const std::array arguments = {small_number(selects)};
    return m_.binary(ExprKind::kLess, m_.call(total_, arguments), m_.c(between(2, 9)));
  }
  const ExprKind relation = kRelations[static_cast<std::size_t>(between(0, 5))];
  const ExprId left = chance(4) ? m_.v(numbers_[1]) : small_number(selects);
  return m_.binary(relation, left, m_.c(between(0, 3)));
}

ExprId Generator::guard(const std::vector<VariableId>& selects) {
  ExprId out = truth(selects, between(0, 2));
  if (chance(3))
    out = m_.binary(chance(2) ? ExprKind::kAnd : ExprKind::kOr, out, clause(selects));
  if (chance(5))
    out = m_.unary(ExprKind::kNot, out);
  return out;
}

ExprId Generator::update(const std::vector<VariableId>& selects) {
  if (chance(2))
    return rich_update(selects);
  if (own_.valid() && chance(2))
    return own_update(selects);
  switch (between(0, 6)) {
    case 0:
      return m_.assign(m_.v(numbers_[0]), small_number(selects));
    case 1:
      return m_.assign(m_.v(flag_), m_.unary(ExprKind::kNot, m_.v(flag_)));
    case 2:
      return m_.assign(m_.index(m_.v(array_), m_.c(between(0, 2))), small_number(selects));
    case 3: {
      const ExprId at = m_.binary(ExprKind::kModulo, small_number(selects), m_.c(3));
      return m_.assign(m_.index(m_.v(array_), at), small_number(selects));
    }
    case 4: {
      const std::array arguments = {m_.v(numbers_[0]), small_number(selects)};
      return m_.call(bump_, arguments);
    }
    case 5:
      if (options_.may_fail)
        return m_.increment(chance(2) ? ExprKind::kPostIncrement : ExprKind::kPostDecrement,
                            m_.v(numbers_[1]));
      return m_.assign(m_.v(numbers_[1]), m_.c(between(-1, 2)));
    default:
      return m_.assign(m_.v(numbers_[1]),
                       m_.conditional(m_.v(flag_), m_.c(2),
                                      m_.binary(ExprKind::kMin, m_.v(numbers_[1]), m_.c(1))));
  }
}

ExprId Generator::own_update(const std::vector<VariableId>& selects) {
  const ExprId set = m_.assign(m_.v(own_), small_number(selects));
  if (chance(4))
    return m_.conditional(m_.v(flag_), set, m_.assign(m_.v(numbers_[0]), m_.v(own_)));
  if (chance(4)) {
    const std::array arguments = {m_.v(own_), small_number(selects)};
    return m_.call(bump_, arguments);
  }
  return set;
}

}  // namespace tw::test
