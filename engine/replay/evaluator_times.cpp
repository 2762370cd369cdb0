// Clocks: reading them, comparing them, and what invariants say about their rates.

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

#include "engine/replay/evaluator.hpp"

namespace tw::replay {

// By shape, not by type alone: a number that some function computes with a clock in its reach is
// no time.
bool Evaluator::is_time(ExprId id) const {
  switch (node(id).kind) {
    case ExprKind::kAdd:
    case ExprKind::kSubtract:
      return is_time(operand(id, 0)) || is_time(operand(id, 1));
    case ExprKind::kConditional:
    case ExprKind::kComma:
      return is_time(operand(id, 1));
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
    case ExprKind::kAssign:
      return is_clock(node(id).type);
    default:
      return false;
  }
}

Evaluator::Time Evaluator::time(ExprId id) {
  if (!is_time(id))
    return {.clocks = 0, .number = value(id)};
  if (!enter(id))
    return {};
  switch (node(id).kind) {
    case ExprKind::kAdd:
    case ExprKind::kSubtract: {
      const Time a = time(operand(id, 0));
      const Time b = time(operand(id, 1));
      const int sign = node(id).kind == ExprKind::kAdd ? 1 : -1;
      return {.clocks = a.clocks + sign * b.clocks, .number = a.number + sign * b.number};
    }
    case ExprKind::kConditional:
      return choose(
          id, [this](ExprId taken) { return time(taken); }, [this](ExprId other) { skim(other); });
    case ExprKind::kComma:
      run(operand(id, 0));
      return time(operand(id, 1));
    case ExprKind::kAssign: {
      const Place at = modify(id).place;
      return failed() ? Time() : Time{.clocks = clocks_[at.clock], .number = 0};
    }
    default: {
      const Place at = place(id);
      if (failed())
        return {};
      note_uses(at, shape(id));
      return {.clocks = clocks_[at.clock], .number = 0};
    }
  }
}

std::int64_t Evaluator::compare_times(ExprId id) {
  const Time a = time(operand(id, 0));
  const Time b = time(operand(id, 1));
  if (!failed() && std::abs(b.number - a.number) > kMostClockNumber)
    fail(RunStatus::kBoundTooLarge, id,
         {.value = b.number - a.number, .low = -kMostClockNumber, .high = kMostClockNumber});
  if (gaps_ != nullptr && !failed()) {
    std::swap(clocks_, then_);
    gaps_->push_back({.now = a.sum() - b.sum(),
                      .then = time(operand(id, 0)).sum() - time(operand(id, 1)).sum()});
    std::swap(clocks_, then_);
  }
  return failed() ? 0 : compute(node(id).kind, cmp(a.sum(), b.sum()), 0).value;
}

// What a clock is set to.
Rational Evaluator::new_time(ExprId id, ExprId at) {
  const Time out = time(id);
  if (out.sum() < 0 || std::abs(out.number) > kMostClockNumber)
    fail(RunStatus::kValueOutOfRange, at,
         {.value = out.number, .low = 0, .high = kMostClockNumber});
  return out.sum();
}

// `x' == e` does not read the clock: only what stands in e and inside the place of x are uses.
Evaluator::Rate Evaluator::rate(ExprId id) {
  Rate out;
  for (const ExprId side : pool_->operands(id)) {
    if (node(side).kind == ExprKind::kRate) {
      out.clock = place(operand(side, 0)).clock;
      continue;
    }
    out.value = value(side);
    if (out.value != 0 && out.value != 1)
      fail(RunStatus::kValueOutOfRange, id, {.value = out.value, .low = 0, .high = 1});
  }
  return out;
}

std::set<ClockId> Evaluator::stopped(ExprId invariant) {
  std::set<ClockId> out;
  begin_evaluation();
  if (invariant.valid())
    collect_stopped(invariant, out);
  return failed() ? std::set<ClockId>() : out;
}

bool Evaluator::has_rate(ExprId id) const {
  return node(id).kind == ExprKind::kRate ||
         std::ranges::any_of(pool_->operands(id), [this](ExprId part) { return has_rate(part); });
}

// Of a condition that holds all parts of a conjunction do; `p || x' == 0` says something about x
// only where p is false, on whichever side p stands.
void Evaluator::collect_stopped(ExprId id, std::set<ClockId>& out) {
  if (!has_rate(id) || !enter(id))
    return;
  switch (node(id).kind) {
    case ExprKind::kEqual: {
      const Rate said = rate(id);
      if (!failed() && said.value == 0)
        out.insert(ClockId(said.clock));
      return;
    }
    case ExprKind::kAnd:
      collect_stopped(operand(id, 0), out);
      collect_stopped(operand(id, 1), out);
      return;
    case ExprKind::kOr: {
      const bool left = has_rate(operand(id, 0));
      if (value(operand(id, left ? 1 : 0)) == 0)
        collect_stopped(operand(id, left ? 0 : 1), out);
      return;
    }
    case ExprKind::kImply:
      if (value(operand(id, 0)) != 0)
        collect_stopped(operand(id, 1), out);
      return;
    case ExprKind::kForall: {
      const Variable& iterator = network_->variables[node(id).variable()];
      const Type& range = network_->types[iterator.type];
      for (std::int64_t i = range.low; i <= range.high && !failed(); ++i) {
        set(iterator.first_cell.index(), static_cast<std::int32_t>(i));
        collect_stopped(operand(id, 0), out);
      }
      return;
    }
    case ExprKind::kComma:
      collect_stopped(operand(id, 1), out);
      return;
    default:
      assert(false && "a rate stands in a conjunction, or behind a condition without clocks");
  }
}

}  // namespace tw::replay
