#include "engine/semantics/clock_diagonals.hpp"

#include <algorithm>
#include <cstdlib>

namespace tw {
namespace {

// Zones are split on every diagonal: more than this is hopeless anyway.
constexpr std::size_t kMostDiagonals = 1024;
constexpr std::int64_t kMostValues = 64;  // of the bound of one comparison, or of one offset

}  // namespace

Diagonals::Diagonals(std::size_t clocks, std::span<const PossibleAssignment> assignments) {
  for (std::size_t i = 0; i < clocks; ++i) {
    by_target_.push_back({});
    bounds_.push_back(LuBounds::kNoBound);
  }
  for (const PossibleAssignment& assignment : assignments)
    by_target_[assignment.target].push_back(assignment);
}

void Diagonals::raise(ClockId clock, std::int64_t constant) {
  const std::int64_t size = std::min<std::int64_t>(std::abs(constant), Bound::kMostConstant);
  bounds_[clock] = std::max(bounds_[clock], static_cast<std::int32_t>(size));
}

// Clock i minus clock j is less than, or at most, the constant.
void Diagonals::add(ClockId i, ClockId j, std::int64_t constant, bool strict) {
  if (i == j || unbounded_.valid())
    return;
  if (std::abs(constant) > Bound::kMostConstant) {
    unbounded_ = i;
    return;
  }
  const auto c = static_cast<std::int32_t>(constant);
  ClockConstraint made{.i = static_cast<std::uint32_t>(i.index() + 1),
                       .j = static_cast<std::uint32_t>(j.index() + 1),
                       .bound = strict ? Bound::less_than(c) : Bound::at_most(c)};
  if (made.i > made.j)
    made = made.negated();
  if (!keys_.emplace(made.i, made.j, made.bound.raw()).second)
    return;
  if (keys_.size() > kMostDiagonals)
    unbounded_ = i;
  open_.push_back(made);
  raise(i, constant);
  raise(j, constant);
}

void Diagonals::add_relation(ClockId i, ClockId j, ExprKind relation, std::int64_t constant) {
  // i - j > c is the negation of i - j <= c.
  const bool strict = relation == ExprKind::kLess || relation == ExprKind::kGreaterEqual;
  const bool both = relation == ExprKind::kEqual || relation == ExprKind::kNotEqual;
  if (strict || both)
    add(i, j, constant, true);
  if (!strict || both)
    add(i, j, constant, false);
}

void Diagonals::add(const ClockTest& test) {
  if (test.minus.count == 0 || (test.clock.count == 1 && test.clock == test.minus))
    return;
  if (test.high - test.low >= kMostValues) {
    unbounded_ = ClockId(test.clock.first);
    return;
  }
  for (std::uint32_t i = 0; i < test.clock.count; ++i)
    for (std::uint32_t j = 0; j < test.minus.count; ++j)
      for (std::int64_t c = test.low; c <= test.high && !unbounded_.valid(); ++c)
        add_relation(ClockId(test.clock.first + i), ClockId(test.minus.first + j), test.relation,
                     c);
}

void Diagonals::close() {
  while (!open_.empty() && !unbounded_.valid()) {
    const ClockConstraint diagonal = open_.back();
    open_.pop_back();
    for (const std::uint32_t clock : {diagonal.i, diagonal.j})
      for (const PossibleAssignment& assignment : by_target_[ClockId(clock - 1)])
        close(diagonal, assignment);
  }
}

void Diagonals::close(const ClockConstraint& diagonal, const PossibleAssignment& assignment) {
  const ClockId i(diagonal.i - 1);
  const ClockId j(diagonal.j - 1);
  const std::int64_t c = diagonal.bound.constant();
  const bool left = assignment.target == i;
  const ClockValue& value = assignment.value;
  if (!value.clock.valid()) {
    // v - j ~ c is j ~ v - c the other way round; i - v ~ c is i ~ v + c. Numbers below 0 are
    // errors.
    const std::int64_t rest = left ? -c : c;
    if (value.high < 0)
      return;
    raise(left ? j : i, std::max<std::int64_t>(value.low, 0) + rest);
    raise(left ? j : i, value.high + rest);
    return;
  }
  if (value.high - value.low >= kMostValues) {
    unbounded_ = assignment.target;
    return;
  }
  const bool strict = diagonal.bound.is_strict();
  for (std::int64_t k = value.low; k <= value.high; ++k) {
    if (left)
      add(value.clock, j, c - k, strict);
    else
      add(i, value.clock, c + k, strict);
  }
}

std::vector<ClockConstraint> Diagonals::constraints() const {
  std::vector<ClockConstraint> out;
  for (const auto& [i, j, raw] : keys_)
    out.push_back({.i = i, .j = j, .bound = Bound::from_raw(raw)});
  return out;
}

}  // namespace tw
