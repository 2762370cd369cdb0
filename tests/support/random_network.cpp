#include "tests/support/random_network.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/model/build.hpp"

namespace tw::test {
namespace {

constexpr int kClockArray = 2;
constexpr int kMostConstant = 4;

class Generator {
 public:
  Generator(std::uint32_t seed, RandomOptions options) : random_(seed), options_(options) {}

  Network make() {
    if (timed()) {
      clocks();
    } else {
      globals();
      functions();
      value_functions();
    }
    processes_ = between(1, 3);
    for (int i = 0; i < processes_; ++i)
      process(i);
    own_ = VariableId();  // hooks see globals only
    own_clock_ = VariableId();
    if (options_.priorities)
      priorities();
    if (timed() && chance(8))
      m_.set_update_hooks({}, {plain_update({})});
    if (!timed() && chance(5))
      m_.set_update_hooks(hook(), hook());
    Diagnostics diagnostics;
    auto network = m_.freeze(diagnostics);
    if (!network)
      std::abort();  // the generator is wrong, not the code under test
    return std::move(*network);
  }

 private:
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

  bool chance(int one_in) { return between(1, one_in) == 1; }

  [[nodiscard]] bool timed() const { return options_.clocks.count > 0; }

  void globals() {
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
  void functions() {
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
             .children =
                 {m_.statement({.kind = StmtKind::kDeclare, .variable = sum}),
                  m_.statement({.kind = StmtKind::kIterate, .variable = i, .children = {add}}),
                  m_.statement({.kind = StmtKind::kReturn,
                                .exprs = {m_.binary(ExprKind::kAdd, m_.v(sum), m_.v(n))}})}}),
        {sum});
  }

  // int[0,2] tick(int[0,3]& r) { r = (r + 1) % 4; return r % 3; }
  // S make(int[0,3] k) { S z; z.u = k; z.v = k < a[k % 3]; z.w[k % 2] = x; return z; }
  // int[0,3] first(S p) { return p.v && x > 0 ? p.u : p.w[x % 2]; }
  void value_functions() {
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
    const ExprId test = m_.binary(ExprKind::kAnd, m_.field(m_.v(p), 1),
                                  m_.binary(ExprKind::kGreater, x(), m_.c(0)));
    m_.set_body(first_,
                block({returns(m_.conditional(test, m_.field(m_.v(p), 0),
                                              m_.index(m_.field(m_.v(p), 2), modulo(x(), 2))))}),
                {});
  }

  ExprId x() { return m_.v(numbers_[0]); }
  ExprId y() { return m_.v(numbers_[1]); }
  ExprId plus(ExprId e, int by) { return m_.binary(ExprKind::kAdd, e, m_.c(by)); }
  ExprId modulo(ExprId e, int by) { return m_.binary(ExprKind::kModulo, e, m_.c(by)); }
  ExprId at(VariableId array, ExprId position) { return m_.index(m_.v(array), position); }
  ExprId call(FunctionId function, ExprId argument) {
    const std::array arguments = {argument};
    return m_.call(function, arguments);
  }

  // Values without effect. Indices that could leave the array stand behind a condition.

  ExprId record(const std::vector<VariableId>& selects) {
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

  ExprId number(const std::vector<VariableId>& selects, int depth) {
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

  VariableId iterator() {
    return m_.add_variable({.name = "i",
                            .type = m_.int_type(0, 2),
                            .role = Role::kIterator,
                            .storage = Storage::kFrame});
  }

  ExprId truth(const std::vector<VariableId>& selects, int depth) {
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
  ExprId changing_number(const std::vector<VariableId>& selects) {
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

  ExprId rich_update(const std::vector<VariableId>& selects) {
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
        const std::array arguments = {
            m_.conditional(m_.v(flag_), x(), at(array_, call(tick_, x()))), number(selects, 1)};
        return m_.conditional(truth(selects, 1), m_.call(bump_, arguments),
                              m_.call(bump_, arguments));
      }
      case 5:
        return m_.assign(
            m_.field(m_.conditional(m_.v(flag_), m_.v(record_), m_.v(other_record_)), 0),
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

  std::vector<ExprId> hook() {
    std::vector<ExprId> out;
    for (int i = between(0, 2); i > 0; --i)
      out.push_back(chance(2) ? rich_update({}) : m_.assign(m_.v(flag_), m_.truth(chance(2))));
    return out;
  }

  // A number in 0 … 3, whatever happens.
  ExprId small_number(const std::vector<VariableId>& selects) {
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

  ExprId clause(const std::vector<VariableId>& selects) {
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

  ExprId guard(const std::vector<VariableId>& selects) {
    ExprId out = truth(selects, between(0, 2));
    if (chance(3))
      out = m_.binary(chance(2) ? ExprKind::kAnd : ExprKind::kOr, out, clause(selects));
    if (chance(5))
      out = m_.unary(ExprKind::kNot, out);
    return out;
  }

  ExprId update(const std::vector<VariableId>& selects) {
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

  ExprId own_update(const std::vector<VariableId>& selects) {
    const ExprId set = m_.assign(m_.v(own_), small_number(selects));
    if (chance(4))
      return m_.conditional(m_.v(flag_), set, m_.assign(m_.v(numbers_[0]), m_.v(own_)));
    if (chance(4)) {
      const std::array arguments = {m_.v(own_), small_number(selects)};
      return m_.call(bump_, arguments);
    }
    return set;
  }

  // --- Clocks

  void clocks() {
    numbers_.push_back(m_.global("x", m_.int_type(0, 3)));
    flag_ = m_.global("flag", m_.bool_type());
    shake_ = m_.global("c", m_.array_type(m_.int_type(0, 1), m_.channel_type(false, false)));
    shout_ = m_.global("b", m_.channel_type(false, true));
    const auto start = [this] {
      return options_.clocks.values && chance(3) ? m_.c(between(1, 2)) : ExprId();
    };
    int left = options_.clocks.count;
    if (options_.clocks.array && left >= kClockArray) {
      left -= kClockArray;
      clock_array_ =
          m_.global("w", m_.array_type(m_.int_type(0, kClockArray - 1), m_.clock_type()));
    }
    for (int i = 0; i < left; ++i)
      clocks_.push_back(m_.global("u" + std::to_string(i), m_.clock_type(), start()));
    const VariableId r = m_.function_parameter("r", m_.clock_type(), true);
    const VariableId v = m_.function_parameter("v", m_.int_type(0, 3));
    put_ = m_.add_function({.name = "put", .result = m_.void_type(), .parameters = {r, v}});
    const StmtId assign =
        m_.statement({.kind = StmtKind::kExpression, .exprs = {m_.assign(m_.v(r), m_.v(v))}});
    m_.set_body(put_, m_.statement({.kind = StmtKind::kBlock, .children = {assign}}), {});
    if (options_.clocks.urgent_channels) {
      hurry_ = m_.global("h", m_.channel_type(true, false));
      alarm_ = m_.global("g", m_.channel_type(true, true));
    }
  }

  ExprId clock(const std::vector<VariableId>& selects) {
    if (own_clock_.valid() && chance(3))
      return m_.v(own_clock_);
    if (clocks_.empty() || (clock_array_.valid() && chance(2))) {
      if (!selects.empty() && chance(2))
        return at(clock_array_, modulo(m_.v(selects[0]), kClockArray));
      return at(clock_array_, chance(3) ? modulo(x(), kClockArray) : m_.c(between(0, 1)));
    }
    return m_.v(
        clocks_[static_cast<std::size_t>(between(0, static_cast<int>(clocks_.size()) - 1))]);
  }

  ExprId bound(const std::vector<VariableId>& selects, int least) {
    if (options_.clocks.variable_bounds && chance(3)) {
      if (!selects.empty() && chance(2))
        return plus(m_.v(selects[0]), least);
      return chance(3) ? plus(x(), 1) : own_.valid() && chance(2) ? m_.v(own_) : x();
    }
    return m_.c(between(least, kMostConstant));
  }

  // For guards: all relations. For invariants: upper bounds, or lower ones.
  enum class Sense {
    kAny,
    kUpper,
    kLower
  };

  ExprKind relation(Sense sense) {
    const bool strict = options_.clocks.strict && chance(2);
    if (sense == Sense::kAny && chance(5))
      return ExprKind::kEqual;
    const bool upper = sense == Sense::kUpper || (sense == Sense::kAny && chance(2));
    if (upper)
      return strict ? ExprKind::kLess : ExprKind::kLessEqual;
    return strict ? ExprKind::kGreater : ExprKind::kGreaterEqual;
  }

  static ExprKind mirrored(ExprKind relation) {
    switch (relation) {
      case ExprKind::kLess:
        return ExprKind::kGreater;
      case ExprKind::kLessEqual:
        return ExprKind::kGreaterEqual;
      case ExprKind::kGreater:
        return ExprKind::kLess;
      case ExprKind::kGreaterEqual:
        return ExprKind::kLessEqual;
      default:
        return relation;
    }
  }

  ExprId constraint(const std::vector<VariableId>& selects, Sense sense) {
    const ExprKind kind = relation(sense);
    if (options_.clocks.diagonals && chance(3)) {
      const ExprId a = clock(selects);
      const ExprId b = clock(selects);
      if (chance(4))
        return m_.binary(kind, a, chance(2) ? b : plus(b, 1));
      const int low = sense == Sense::kUpper ? 0 : -2;
      const int high = sense == Sense::kLower ? 0 : 2;
      return m_.binary(kind, m_.binary(ExprKind::kSubtract, a, b), m_.c(between(low, high)));
    }
    // Nobody gets into, or stays in, a location whose clock must be below 0.
    const ExprId limit = bound(selects, sense == Sense::kUpper ? 1 : 0);
    if (chance(6))
      return m_.binary(mirrored(kind), limit, clock(selects));
    if (chance(8))
      return m_.binary(kind, plus(clock(selects), 1), limit);
    return m_.binary(kind, clock(selects), limit);
  }

  // A constraint, perhaps behind a condition.
  ExprId clock_clause(const std::vector<VariableId>& selects, Sense sense) {
    const ExprId out = constraint(selects, sense);
    if (chance(8))
      return m_.binary(ExprKind::kOr, plain_clause(selects), out);
    if (chance(10))
      return m_.binary(ExprKind::kImply, plain_clause(selects), out);
    if (chance(12))
      return m_.binary(ExprKind::kOr, out, plain_clause(selects));
    if (clock_array_.valid() && chance(8)) {
      const VariableId i = m_.add_variable({.name = "i",
                                            .type = m_.int_type(0, kClockArray - 1),
                                            .role = Role::kIterator,
                                            .storage = Storage::kFrame});
      return m_.quantifier(ExprKind::kForall, i,
                           m_.binary(relation(sense), at(clock_array_, m_.v(i)), bound({}, 1)));
    }
    return out;
  }

  ExprId both(ExprId a, ExprId b) { return a.valid() ? m_.binary(ExprKind::kAnd, a, b) : b; }

  ExprId plain_clause(const std::vector<VariableId>& selects) {
    if (chance(3))
      return m_.v(flag_);
    const ExprId left = !selects.empty() && chance(3) ? m_.v(selects[0]) : x();
    return m_.binary(chance(2) ? ExprKind::kLess : ExprKind::kEqual, left, m_.c(between(0, 2)));
  }

  ExprId plain_update(const std::vector<VariableId>& selects) {
    if (options_.may_fail && chance(4))
      return m_.increment(ExprKind::kPostIncrement, x());
    if (own_.valid() && chance(3))
      return m_.assign(m_.v(own_), x());
    if (chance(2))
      return m_.assign(m_.v(flag_), m_.unary(ExprKind::kNot, m_.v(flag_)));
    if (!selects.empty() && chance(2))
      return m_.assign(x(), m_.v(selects[0]));
    return m_.assign(x(), chance(2) ? m_.c(between(0, 2)) : modulo(plus(x(), 1), 4));
  }

  ExprId clock_update(const std::vector<VariableId>& selects) {
    const RandomClocks& may = options_.clocks;
    const ExprId target = clock(selects);
    if (may.copies && chance(3))
      return m_.assign(target, clock(selects));
    if (may.shifts && chance(3))
      return m_.assign(target, plus(clock(selects), 1));
    const ExprId value = may.values && chance(2) ? bound(selects, 0) : m_.c(0);
    if (may.values ? chance(4) && m_.network().pool[value].kind == ExprKind::kConstant
                   : chance(4)) {
      const std::array arguments = {target, m_.binary(ExprKind::kMin, value, m_.c(3))};
      return m_.call(put_, arguments);
    }
    if (clock_array_.valid() && chance(6))
      return m_.assign(m_.conditional(plain_clause(selects), target, at(clock_array_, m_.c(0))),
                       value);
    return m_.assign(target, value);
  }

  ExprId clock_invariant(bool initial) {
    ExprId out;
    if (options_.clocks.invariants && chance(2))
      out = both(out, clock_clause({}, Sense::kUpper));
    // One that does not hold at the start is a network without states.
    if (options_.clocks.lower_invariants && chance(initial ? 10 : 4))
      out = both(out, clock_clause({}, Sense::kLower));
    if (!initial && chance(12))
      out = both(out, plain_clause({}));
    if (options_.clocks.rates && chance(3)) {
      const ExprId rate = m_.unary(ExprKind::kRate, clock({}));
      out = both(out, m_.binary(ExprKind::kEqual, rate, chance(2) ? m_.c(0) : m_.v(flag_)));
    }
    return out;
  }

  struct May {
    bool select = true;
    bool synchronise = true;
    bool ask_clocks = true;
  };

  EdgeLabels timed_labels(TemplateId of, May may) {
    EdgeLabels out;
    if (may.select && chance(5))
      out.selects.push_back(select(of, 1));
    bool asks_clocks = may.ask_clocks;
    if (may.synchronise && chance(2))
      asks_clocks = synchronise(out);
    if (chance(7))
      out.guard = plain_clause(out.selects);
    if (asks_clocks && !chance(3))
      out.guard = both(out.guard, clock_clause(out.selects, Sense::kAny));
    if (asks_clocks && chance(5))
      out.guard = both(out.guard, clock_clause(out.selects, Sense::kAny));
    for (int i = between(0, 2); i > 0; --i)
      out.updates.push_back(chance(3) ? plain_update(out.selects) : clock_update(out.selects));
    return out;
  }

  // Whether the guard may ask clocks.
  bool synchronise(EdgeLabels& out) {
    const RandomClocks& may = options_.clocks;
    // Alone one can only shout.
    const bool alone = processes_ == 1;
    out.direction = alone || chance(2) ? Direction::kSend : Direction::kReceive;
    if (may.urgent_channels && chance(2)) {
      out.channel = m_.v(alone || chance(2) ? alarm_ : hurry_);
      return false;
    }
    if (alone || chance(2)) {
      out.channel = m_.v(shout_);
      return out.direction == Direction::kSend || may.receivers;
    }
    out.channel = at(shake_, out.selects.empty() ? m_.c(0) : modulo(m_.v(out.selects[0]), 2));
    return true;
  }

  // Urgent and committed ones are seldom the first, so that time passes at all.
  void timed_places(const std::vector<LocationDeclId>& places) {
    for (const LocationDeclId place : places) {
      const bool initial = place == places.front();
      const ExprId invariant = clock_invariant(initial);
      if (invariant.valid())
        m_.set_invariant(place, invariant);
      if (chance(initial ? 20 : 8))
        m_.set_kind(place, LocationKind::kCommitted);
      else if (options_.clocks.urgent_locations && chance(initial ? 20 : 4))
        m_.set_kind(place, LocationKind::kUrgent);
    }
  }

  VariableId select(TemplateId of, int most) {
    return m_.add_variable({.name = "k",
                            .type = m_.int_type(0, most),
                            .role = Role::kSelect,
                            .storage = Storage::kFrame,
                            .is_const = true,
                            .prototype = true,
                            .owner_template = of});
  }

  EdgeLabels labels(TemplateId of, bool plain) {
    // Behind a branchpoint the guard belongs to the channel in front of it.
    if (timed())
      return timed_labels(of, {.select = !plain,
                               .synchronise = !plain,
                               .ask_clocks = !plain || (options_.clocks.receivers &&
                                                        !options_.clocks.urgent_channels)});
    EdgeLabels out;
    if (!plain && chance(4))
      out.selects.push_back(select(of, between(1, 2)));
    if (chance(2))
      out.guard = guard(out.selects);
    // Processes that wait for each other hardly move; those with variables of their own should.
    const bool alone = options_.locals && !chance(3);
    if (!plain && !alone && !chance(3)) {
      out.direction = chance(2) ? Direction::kSend : Direction::kReceive;
      out.channel =
          chance(3) ? m_.v(shout_) : m_.index(m_.v(shake_), modulo(number(out.selects, 1), 2));
      if (chance(8))
        out.channel = m_.conditional(truth(out.selects, 0), out.channel, at(shake_, m_.c(1)));
    }
    for (int i = between(0, 2); i > 0; --i)
      out.updates.push_back(update(out.selects));
    return out;
  }

  void process(int index) {
    const TemplateId of = m_.add_template("P" + std::to_string(index));
    if (options_.locals) {
      own_ = m_.local(of, "own", m_.int_type(0, 3));
      if (chance(3))
        m_.parameter(of, "id", m_.int_type(0, 1));
      own_clock_ = timed() && chance(3) ? m_.local(of, "z", m_.clock_type()) : VariableId();
    }
    std::vector<LocationDeclId> places;
    for (int i = between(2, 4); i > 0; --i) {
      const LocationDeclId place = m_.location(of, "l" + std::to_string(places.size()));
      places.push_back(place);
    }
    if (!timed() && chance(3))
      m_.set_kind(places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))],
                  LocationKind::kCommitted);
    if (timed())
      timed_places(places);
    else if (chance(4))
      m_.set_invariant(places.back(), guard({}));
    const auto pick = [&] {
      return places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))];
    };
    LocationDeclId branch;
    if (options_.branchpoints && chance(2)) {
      branch = m_.add_location(of, {.name = "q", .kind = LocationKind::kBranchpoint});
      edge(of, pick(), branch, labels(of, false));
      for (int i = between(1, 2); i > 0; --i)
        edge(of, branch, pick(), labels(of, true));
    }
    // A way round, so that not too much of a network with many constraints is dead.
    for (std::size_t i = 0; timed() && i < places.size(); ++i)
      edge(of, places[i], places[(i + 1) % places.size()],
           timed_labels(of, {.synchronise = chance(2)}));
    for (int i = timed() ? between(0, 3) : between(2, 6); i > 0; --i)
      edge(of, pick(), pick(), labels(of, false));
    const std::uint32_t priority =
        options_.priorities && chance(2) ? static_cast<std::uint32_t>(index) : 0U;
    m_.add_system_entry({.instance = m_.add_implicit_instance(of), .priority = priority});
  }

  // The random numbers are the same with and without it.
  void edge(TemplateId of, LocationDeclId source, LocationDeclId target, EdgeLabels labels) {
    if (!options_.without_edges.contains(edges_++))
      m_.edge(of, source, target, std::move(labels));
  }

  void priorities() {
    if (!chance(2))
      return;
    m_.set_channel_priorities({{.channels = {m_.index(m_.v(shake_), m_.c(0))}},
                               {.channels = {}, .has_default = true},
                               {.channels = {m_.v(shout_)}}});
  }

  std::mt19937 random_;
  RandomOptions options_;
  std::size_t edges_ = 0;
  int processes_ = 0;
  Model m_;
  std::vector<VariableId> numbers_;
  VariableId own_;  // of the template being made; invalid: none
  VariableId flag_;
  VariableId array_;
  VariableId other_array_;
  TypeId record_type_;
  VariableId record_;
  VariableId other_record_;
  VariableId scratch_;  // meta
  VariableId shake_;
  VariableId shout_;
  FunctionId bump_;
  FunctionId total_;
  FunctionId tick_;
  FunctionId make_;
  FunctionId first_;
  std::vector<VariableId> clocks_;
  VariableId clock_array_;  // invalid: none
  VariableId own_clock_;    // of the template being made; invalid: none
  VariableId hurry_;        // urgent channels; invalid: none
  VariableId alarm_;
  FunctionId put_;
};

}  // namespace

Network random_network(std::uint32_t seed, RandomOptions options) {
  return Generator(seed, options).make();
}

}  // namespace tw::test
