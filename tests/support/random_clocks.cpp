// Clocks of random networks: constraints, invariants, updates.
#include <array>
#include <string>

#include "tests/support/random_generator.hpp"

namespace tw::test {
namespace {

constexpr int kClockArray = 2;
constexpr int kMostConstant = 4;

}  // namespace

void Generator::few_globals() {
  numbers_.push_back(m_.global("x", m_.int_type(0, 3)));
  flag_ = m_.global("flag", m_.bool_type());
  shake_ = m_.global("c", m_.array_type(m_.int_type(0, 1), m_.channel_type(false, false)));
  shout_ = m_.global("b", m_.channel_type(false, true));
}

void Generator::clocks() {
  const auto start = [this] {
    return options_.clocks.values && chance(3) ? m_.c(between(1, 2)) : ExprId();
  };
  int left = options_.clocks.count;
  if (options_.clocks.array && left >= kClockArray) {
    left -= kClockArray;
    clock_array_ = m_.global("w", m_.array_type(m_.int_type(0, kClockArray - 1), m_.clock_type()));
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

ExprId Generator::clock(const std::vector<VariableId>& selects) {
  if (own_clock_.valid() && chance(3))
    return m_.v(own_clock_);
  if (clocks_.empty() || (clock_array_.valid() && chance(2))) {
    if (!selects.empty() && chance(2))
      return at(clock_array_, modulo(m_.v(selects[0]), kClockArray));
    return at(clock_array_, chance(3) ? modulo(x(), kClockArray) : m_.c(between(0, 1)));
  }
  return m_.v(clocks_[static_cast<std::size_t>(between(0, static_cast<int>(clocks_.size()) - 1))]);
}

ExprId Generator::bound(const std::vector<VariableId>& selects, int least) {
  if (options_.clocks.variable_bounds && chance(3)) {
    if (!selects.empty() && chance(2))
      return plus(m_.v(selects[0]), least);
    return chance(3) ? plus(x(), 1) : own_.valid() && chance(2) ? m_.v(own_) : x();
  }
  return m_.c(between(least, kMostConstant));
}

ExprKind Generator::relation(Sense sense) {
  const bool strict = options_.clocks.strict && chance(2);
  if (sense == Sense::kAny && chance(5))
    return ExprKind::kEqual;
  const bool upper = sense == Sense::kUpper || (sense == Sense::kAny && chance(2));
  if (upper)
    return strict ? ExprKind::kLess : ExprKind::kLessEqual;
  return strict ? ExprKind::kGreater : ExprKind::kGreaterEqual;
}

ExprKind Generator::mirrored(ExprKind relation) {
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

ExprId Generator::constraint(const std::vector<VariableId>& selects, Sense sense) {
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
ExprId Generator::clock_clause(const std::vector<VariableId>& selects, Sense sense) {
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

ExprId Generator::plain_clause(const std::vector<VariableId>& selects) {
  if (options_.data && chance(2))
    return truth(selects, between(0, 1));
  if (chance(3))
    return m_.v(flag_);
  const ExprId left = !selects.empty() && chance(3) ? m_.v(selects[0]) : x();
  return m_.binary(chance(2) ? ExprKind::kLess : ExprKind::kEqual, left, m_.c(between(0, 2)));
}

ExprId Generator::plain_update(const std::vector<VariableId>& selects) {
  if (options_.may_fail && chance(3))
    return m_.assign(x(), plus(x(), 2));
  if (options_.data && chance(2))
    return update(selects);
  if (own_.valid() && chance(3))
    return m_.assign(m_.v(own_), x());
  if (chance(2))
    return m_.assign(m_.v(flag_), m_.unary(ExprKind::kNot, m_.v(flag_)));
  if (!selects.empty() && chance(2))
    return m_.assign(x(), m_.v(selects[0]));
  return m_.assign(x(), chance(2) ? m_.c(between(0, 2)) : modulo(plus(x(), 1), 4));
}

ExprId Generator::clock_update(const std::vector<VariableId>& selects) {
  const RandomClocks& may = options_.clocks;
  const ExprId target = clock(selects);
  if (may.copies && chance(3))
    return m_.assign(target, clock(selects));
  if (may.shifts && chance(3))
    return m_.assign(target, plus(clock(selects), 1));
  const ExprId value = may.values && chance(2) ? bound(selects, 0) : m_.c(0);
  if (may.values ? chance(4) && m_.network().pool[value].kind == ExprKind::kConstant : chance(4)) {
    const std::array arguments = {target, m_.binary(ExprKind::kMin, value, m_.c(3))};
    return m_.call(put_, arguments);
  }
  if (clock_array_.valid() && chance(6))
    return m_.assign(m_.conditional(plain_clause(selects), target, at(clock_array_, m_.c(0))),
                     value);
  return m_.assign(target, value);
}

ExprId Generator::clock_invariant(bool initial) {
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

EdgeLabels Generator::timed_labels(TemplateId of, May may) {
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
bool Generator::synchronise(EdgeLabels& out) {
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
void Generator::timed_places(const std::vector<LocationDeclId>& places) {
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

}  // namespace tw::test
