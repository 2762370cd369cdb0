// Code that hands over clock constraints and changes of clocks. The language allows a clock, a
// clock and a number, a difference of two clocks; all of them are a sum of one clock to be added,
// one to be subtracted and a number.

#include <cassert>

#include "engine/semantics/compiler.hpp"

namespace tw {

Compiler::ClockSum Compiler::clock_sum(ExprId id) {
  const Cell none = literal(code_.no_clock);
  ClockSum sum{.plus = none, .minus = none, .numbers = {}};
  add_to_sum(id, false, sum);
  return sum;
}

void Compiler::add_to_sum(ExprId id, bool negative, ClockSum& sum) {
  const Expression& e = node(id);
  if (!is_clock(e.type)) {
    sum.numbers.push_back({.cell = value(id), .negative = negative});
    return;
  }
  if (e.kind == ExprKind::kAdd || e.kind == ExprKind::kSubtract) {
    add_to_sum(operand(id, 0), negative, sum);
    for (TimeTerm& number : sum.numbers)
      number.cell = protect(number.cell, operand(id, 1));
    add_to_sum(operand(id, 1), negative != (e.kind == ExprKind::kSubtract), sum);
    return;
  }
  const Place at = place(id, Space::kClocks);
  note_uses(id, at, Space::kClocks);
  (negative ? sum.minus : sum.plus) = address(at);
}

// Clocks go to the left side, numbers to the right.
void Compiler::clock_constraint(ExprId id) {
  const Blame blame(*this, id);
  const auto is_rate = [this](ExprId side) { return node(side).kind == ExprKind::kRate; };
  if (is_rate(operand(id, 0)) || is_rate(operand(id, 1))) {
    clock_rate(id);
  } else {
    const Cell none = literal(code_.no_clock);
    const ClockSum left = clock_sum(operand(id, 0));
    ClockSum right = clock_sum(operand(id, 1));
    for (const TimeTerm& number : left.numbers)
      right.numbers.push_back({.cell = number.cell, .negative = !number.negative});
    code_.comparisons.push_back({.plus = left.plus == none ? right.minus : left.plus,
                                 .minus = left.minus == none ? right.plus : left.minus,
                                 .bound = time_sum(right.numbers),
                                 .relation = node(id).kind});
    emit(Opcode::kConstrain, 0, 0, static_cast<Cell>(code_.comparisons.size() - 1));
  }
}

void Compiler::clock_rate(ExprId id) {
  const bool on_left = node(operand(id, 0)).kind == ExprKind::kRate;
  const ExprId clock = operand(operand(id, on_left ? 0 : 1), 0);
  const Place at = place(clock, Space::kClocks);
  const Cell rate = value(operand(id, on_left ? 1 : 0));
  emit(Opcode::kSetRate, 0, address(at), rate);
}

TimeSum Compiler::time_sum(const std::vector<TimeTerm>& numbers) {
  const TimeSum out{.first = static_cast<std::uint32_t>(code_.terms.size()),
                    .count = static_cast<std::uint32_t>(numbers.size())};
  code_.terms.insert(code_.terms.end(), numbers.begin(), numbers.end());
  return out;
}

void Compiler::emit_clock_change(Cell target, Cell source, TimeSum offset) {
  code_.changes.push_back({.target = target, .source = source, .offset = offset});
  emit(Opcode::kSetClock, 0, 0, static_cast<Cell>(code_.changes.size() - 1));
}

// An assignment to a clock; anything else of that type has no effect by itself.
Compiler::Place Compiler::set_clock(ExprId id) {
  if (node(id).kind != ExprKind::kAssign)
    return {};
  const Blame blame(*this, id);
  const ExprId target = operand(id, 0);
  const Place to = place(target, Space::kClocks);
  const ClockSum sum = clock_sum(operand(id, 1));
  assert(sum.minus == literal(code_.no_clock) && "a difference of clocks is not assigned");
  emit_clock_change(address(to), sum.plus, time_sum(sum.numbers));
  note_definitions(target, to, Space::kClocks);
  return to;
}

// The clocks of a whole array or struct.
void Compiler::copy_clocks(ExprId from, ExprId to) {
  if (!has_place(from))
    return;
  const Place source = place(from, Space::kClocks);
  const Place target = place(to, Space::kClocks);
  note_uses(from, source, Space::kClocks);
  for (std::uint32_t i = 0; i < size_of(node(to).type, Space::kClocks); ++i)
    emit_clock_change(address(add_offset(target, i)), address(add_offset(source, i)), {});
  note_definitions(to, target, Space::kClocks);
}

}  // namespace tw
