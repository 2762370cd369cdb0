#include "engine/semantics/clock_updates.hpp"

#include <algorithm>
#include <utility>

#include "engine/model/facts.hpp"

namespace tw {
namespace {

// Straight code that calls straight code, twice at every level, would become very long.
constexpr std::size_t kMostUpdates = 1000;

template <class T>
void sort_unique(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// Long lists become "anything of this may happen".
void shorten(std::vector<ClockUpdate>& updates) {
  if (updates.size() > kMostUpdates) {
    ClockUpdate any;
    for (const ClockUpdate& update : updates)
      any.ways.insert(any.ways.end(), update.ways.begin(), update.ways.end());
    updates = {std::move(any)};
  }
  for (ClockUpdate& update : updates)
    sort_unique(update.ways);
}

}  // namespace

std::vector<ClockUpdate> ClockUpdateReader::read(std::span<const ExprId> updates) {
  out_.clear();
  for (const ExprId update : updates)
    walk(update);
  shorten(out_);
  return std::move(out_);
}

void ClockUpdateReader::add(ClockUpdate update) {
  if (!sure_ || may_have_returned_)
    update.sure = ClockId();
  if (update.sure.valid() || out_.empty() || out_.back().sure.valid()) {
    out_.push_back(std::move(update));
    return;
  }
  std::vector<PossibleAssignment>& ways = out_.back().ways;
  ways.insert(ways.end(), update.ways.begin(), update.ways.end());
}

void ClockUpdateReader::walk_unsure(std::span<const ExprId> parts) {
  const bool sure = std::exchange(sure_, false);
  for (const ExprId part : parts)
    walk(part);
  sure_ = sure;
}

void ClockUpdateReader::walk(ExprId id) {
  const Expression& e = network_.pool[id];
  const std::span<const ExprId> operands = network_.pool.operands(id);
  switch (e.kind) {
    case ExprKind::kAssign:
      if (has_clocks(e.type)) {
        assign(id);
        return;
      }
      break;
    case ExprKind::kCall:
      call(id);
      return;
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kImply:
    case ExprKind::kConditional:
      walk(operands[0]);
      walk_unsure(operands.subspan(1));
      return;
    default:
      break;
  }
  for (const ExprId part : operands)
    walk(part);
}

void ClockUpdateReader::assign(ExprId id) {
  const std::span<const ExprId> operands = network_.pool.operands(id);
  // What is set inside may be read before or after.
  walk_unsure(operands);
  const std::vector<ClockValue> targets = values(operands[0]);
  const std::vector<ClockValue> sources = values(operands[1]);
  const std::size_t clocks = network_.types.shape(network_.pool[id].type).clocks;
  for (std::size_t i = 0; i < clocks; ++i) {
    ClockUpdate update;
    for (const ClockValue& target : targets) {
      if (!target.clock.valid()) {
        failed_ = true;
        continue;
      }
      const ClockId set(target.clock.index() + i);
      update.sure = targets.size() == 1 ? set : ClockId();
      for (ClockValue value : sources) {
        if (value.clock.valid())
          value.clock = ClockId(value.clock.index() + i);
        update.ways.push_back({.target = set, .value = value});
      }
    }
    add(std::move(update));
  }
}

void ClockUpdateReader::call(ExprId id) {
  const FunctionId callee = network_.pool[id].function();
  const Function& function = network_.functions[callee];
  const std::span<const ExprId> operands = network_.pool.operands(id);
  Arguments arguments(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Variable& parameter = network_.variables[function.parameters[i]];
    if (!has_clocks(parameter.type))
      continue;
    arguments[i] = values(operands[i]);
    failed_ = failed_ || !parameter.is_alias();  // a clock on its own, which no front end offers
  }
  // What is set inside an argument may change what another one means.
  walk_unsure(operands);
  for (const ClockUpdate& update : body(callee, arguments))
    add(update);
}

const std::vector<ClockUpdate>& ClockUpdateReader::body(FunctionId id, const Arguments& arguments) {
  const auto known = bodies_.find({id, arguments});
  if (known != bodies_.end())
    return known->second;
  const Function& function = network_.functions[id];
  const Function* const outer = std::exchange(function_, &function);
  const Arguments* const outer_arguments = std::exchange(arguments_, &arguments);
  std::vector<ClockUpdate> outer_out = std::exchange(out_, {});
  const bool outer_sure = std::exchange(sure_, true);
  const bool outer_returned = std::exchange(may_have_returned_, false);
  if (function.body.valid())
    walk(function.body);
  shorten(out_);
  function_ = outer;
  arguments_ = outer_arguments;
  std::swap(out_, outer_out);
  sure_ = outer_sure;
  may_have_returned_ = outer_returned;
  return bodies_.emplace(std::pair(id, arguments), std::move(outer_out)).first->second;
}

void ClockUpdateReader::walk(StmtId id) {
  const Statement& s = network_.pool[id];
  const bool straight = s.kind == StmtKind::kBlock || s.kind == StmtKind::kExpression ||
                        s.kind == StmtKind::kDeclare || s.kind == StmtKind::kReturn ||
                        s.kind == StmtKind::kAssert;
  const bool sure = std::exchange(sure_, sure_ && straight);
  for (const ExprId e : s.exprs)
    walk(e);
  for (const StmtId child : s.children)
    walk(child);
  sure_ = sure;
  // Also when it surely did: what follows is dead then.
  may_have_returned_ = may_have_returned_ || s.kind == StmtKind::kReturn;
}

std::vector<ClockValue> ClockUpdateReader::values(ExprId id) {
  const Expression& e = network_.pool[id];
  const std::span<const ExprId> operands = network_.pool.operands(id);
  if (!e.timed && !has_clocks(e.type)) {
    const Interval number = interval_of(network_, id);
    return {{.low = number.low, .high = number.high}};
  }
  switch (e.kind) {
    case ExprKind::kVariable:
      return variable(e.variable());
    case ExprKind::kIndex:
    case ExprKind::kField:
      return element(id);
    case ExprKind::kAssign:
      return values(operands[0]);
    case ExprKind::kComma:
      return values(operands[1]);
    case ExprKind::kConditional: {
      std::vector<ClockValue> out = values(operands[1]);
      const std::vector<ClockValue> other = values(operands[2]);
      out.insert(out.end(), other.begin(), other.end());
      sort_unique(out);
      return out;
    }
    case ExprKind::kAdd:
    case ExprKind::kSubtract:
      return sum(id);
    default:
      break;
  }
  // A number that only mentions clocks, as the result of a call that was given one.
  failed_ = failed_ || (has_clocks(e.type) && network_.types[e.type].kind != TypeKind::kClock);
  const Interval number = interval_of(network_, id);
  return {{.low = number.low, .high = number.high}};
}

std::vector<ClockValue> ClockUpdateReader::variable(VariableId id) {
  const Variable& variable = network_.variables[id];
  if (variable.first_clock.valid())
    return {{.clock = variable.first_clock}};
  if (function_ != nullptr) {
    const std::vector<VariableId>& parameters = function_->parameters;
    const auto at = std::find(parameters.begin(), parameters.end(), id);
    if (at != parameters.end())
      return (*arguments_)[static_cast<std::size_t>(at - parameters.begin())];
  }
  failed_ = true;
  return {};
}

std::vector<ClockValue> ClockUpdateReader::element(ExprId id) {
  const Expression& e = network_.pool[id];
  const ExprId base = network_.pool.operand(id, 0);
  const TypeId base_type = network_.pool[base].type;
  if (!has_clocks(e.type)) {  // an integer whose index mentions a clock
    const Interval number = interval_of(network_, id);
    return {{.low = number.low, .high = number.high}};
  }
  std::vector<ClockValue> out;
  std::size_t first = 0;
  std::size_t count = 1;
  const std::size_t unit = network_.types.shape(e.type).clocks;
  if (e.kind == ExprKind::kField) {
    first = network_.types.field_offset(base_type, e.field()).clocks;
  } else {
    const Type& index = network_.types[network_.types[base_type].index];
    const Interval at = interval_of(network_, network_.pool.operand(id, 1));
    const std::int64_t low = std::max<std::int64_t>(at.low, index.low);
    const std::int64_t high = std::min<std::int64_t>(at.high, index.high);
    if (low > high)  // never runs without an error
      return out;
    first = static_cast<std::size_t>(low - index.low) * unit;
    count = static_cast<std::size_t>(high - low + 1);
  }
  for (const ClockValue& whole : values(base)) {
    if (!whole.clock.valid()) {
      failed_ = true;
      continue;
    }
    for (std::size_t i = 0; i < count; ++i)
      out.push_back({.clock = ClockId(whole.clock.index() + first + i * unit)});
  }
  return out;
}

std::vector<ClockValue> ClockUpdateReader::sum(ExprId id) {
  const bool minus = network_.pool[id].kind == ExprKind::kSubtract;
  std::vector<ClockValue> out;
  for (const ClockValue& left : values(network_.pool.operand(id, 0))) {
    for (const ClockValue& right : values(network_.pool.operand(id, 1))) {
      failed_ = failed_ || (right.clock.valid() && (minus || left.clock.valid()));
      out.push_back({.clock = left.clock.valid() ? left.clock : right.clock,
                     .low = left.low + (minus ? -right.high : right.low),
                     .high = left.high + (minus ? -right.low : right.high)});
    }
  }
  sort_unique(out);
  return out;
}

}  // namespace tw
