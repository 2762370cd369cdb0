#include "tests/support/random_network.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/model/build.hpp"

namespace tw::test {
namespace {

class Generator {
 public:
  Generator(std::uint32_t seed, RandomOptions options) : random_(seed), options_(options) {}

  Network make() {
    globals();
    functions();
    const int processes = between(1, 3);
    for (int i = 0; i < processes; ++i)
      process(i);
    if (options_.priorities)
      priorities();
    if (chance(6))
      m_.set_update_hooks({}, {m_.assign(m_.v(flag_), m_.truth(chance(2)))});
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

  void globals() {
    numbers_.push_back(m_.global("x", m_.int_type(0, 3)));
    numbers_.push_back(m_.global("y", m_.int_type(-1, 2)));
    flag_ = m_.global("flag", m_.bool_type());
    array_ = m_.global("a", m_.array_type(m_.int_type(0, 2), m_.int_type(0, 3)));
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
    m_.set_body(bump_,
                m_.statement({.kind = StmtKind::kIf,
                              .exprs = {less},
                              .children = {run(m_.increment(ExprKind::kPreIncrement, m_.v(p))),
                                           run(m_.assign(m_.index(m_.v(array_), at), m_.v(k)))}}),
                {});
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
    ExprId out = clause(selects);
    if (chance(3))
      out = m_.binary(chance(2) ? ExprKind::kAnd : ExprKind::kOr, out, clause(selects));
    if (chance(5))
      out = m_.unary(ExprKind::kNot, out);
    return out;
  }

  ExprId update(const std::vector<VariableId>& selects) {
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

  EdgeLabels labels(TemplateId of, bool plain) {
    EdgeLabels out;
    if (!plain && chance(4))
      out.selects.push_back(m_.add_variable({.name = "k",
                                             .type = m_.int_type(0, between(1, 2)),
                                             .role = Role::kSelect,
                                             .storage = Storage::kFrame,
                                             .is_const = true,
                                             .prototype = true,
                                             .owner_template = of}));
    if (chance(2))
      out.guard = guard(out.selects);
    // Processes that wait for each other hardly move; those with variables of their own should.
    const bool alone = options_.locals && !chance(3);
    if (!plain && !alone && !chance(3)) {
      out.direction = chance(2) ? Direction::kSend : Direction::kReceive;
      out.channel =
          chance(3) ? m_.v(shout_)
                    : m_.index(m_.v(shake_),
                               m_.binary(ExprKind::kModulo, small_number(out.selects), m_.c(2)));
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
    }
    std::vector<LocationDeclId> places;
    for (int i = between(2, 4); i > 0; --i) {
      const LocationDeclId place = m_.location(of, "l" + std::to_string(places.size()));
      places.push_back(place);
    }
    if (chance(3))
      m_.set_kind(places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))],
                  LocationKind::kCommitted);
    if (chance(4))
      m_.set_invariant(places.back(), guard({}));
    const auto pick = [&] {
      return places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))];
    };
    LocationDeclId branch;
    if (options_.branchpoints && chance(2)) {
      branch = m_.add_location(of, {.name = "q", .kind = LocationKind::kBranchpoint});
      m_.edge(of, pick(), branch, labels(of, false));
      for (int i = between(1, 2); i > 0; --i)
        m_.edge(of, branch, pick(), labels(of, true));
    }
    for (int i = between(2, 6); i > 0; --i)
      m_.edge(of, pick(), pick(), labels(of, false));
    m_.add_system_entry(
        {.instance = m_.add_implicit_instance(of),
         .priority = options_.priorities && chance(2) ? static_cast<std::uint32_t>(index) : 0U});
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
  Model m_;
  std::vector<VariableId> numbers_;
  VariableId own_;  // of the template being made; invalid: none
  VariableId flag_;
  VariableId array_;
  VariableId shake_;
  VariableId shout_;
  FunctionId bump_;
  FunctionId total_;
};

}  // namespace

Network random_network(std::uint32_t seed, RandomOptions options) {
  return Generator(seed, options).make();
}

}  // namespace tw::test
