#include "engine/model/facts.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "engine/model/network.hpp"

namespace tw {
namespace {

constexpr Interval kAnyInt = {std::numeric_limits<std::int32_t>::min(),
                              std::numeric_limits<std::int32_t>::max()};

Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// What does not fit into 32 bits wraps, and may be anything then.
Interval wrap(Interval i) { return i.low < kAnyInt.low || i.high > kAnyInt.high ? kAnyInt : i; }

Interval corners(Interval a, Interval b, std::int64_t (*f)(std::int64_t, std::int64_t)) {
  const auto [low, high] =
      std::minmax({f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)});
  return wrap({low, high});
}

Interval operator_interval(ExprKind kind, Interval a, Interval b) {
  switch (kind) {
    case ExprKind::kAdd:
      return wrap({a.low + b.low, a.high + b.high});
    case ExprKind::kSubtract:
      return wrap({a.low - b.high, a.high - b.low});
    case ExprKind::kMultiply:
      return corners(a, b, [](std::int64_t x, std::int64_t y) { return x * y; });
    case ExprKind::kDivide:
      if (b.low > 0 || b.high < 0)
        return corners(a, b, [](std::int64_t x, std::int64_t y) { return x / y; });
      return wrap(hull(a, {-a.high, -a.low}));
    case ExprKind::kModulo: {
      // Within one period of a constant the remainder grows with the number: `(id + 1) % N`.
      if (b.low == b.high && b.low > 0 && a.low >= 0 && a.low / b.low == a.high / b.low)
        return {a.low % b.low, a.high % b.low};
      const std::int64_t most = std::max(std::abs(b.low), std::abs(b.high)) - 1;
      return {a.low < 0 ? std::max(a.low, -most) : 0, a.high > 0 ? std::min(a.high, most) : 0};
    }
    case ExprKind::kMin:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case ExprKind::kMax:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default:
      return kAnyInt;
  }
}

Interval type_interval(const Network& network, TypeId id) {
  const Type& type = network.types[id];
  return network.types.is_discrete(id) && !network.types.is_symbolic(id)
             ? Interval{type.low, type.high}
             : kAnyInt;
}

Interval interval_of(const Network& network, const ExpressionPool& pool, ExprId id);

// Cells a path may denote; nullopt if its root is a reference parameter or no variable at all.
std::optional<PlaceRange> place_of(const Network& network, const ExpressionPool& pool, ExprId id) {
  const Expression& e = pool[id];
  if (e.kind == ExprKind::kVariable) {
    const Variable& v = network.variables[e.variable()];
    const Shape& shape = network.types.shape(v.type);
    // Without a place: references, prototypes, and everything before the network is frozen.
    if (v.by_reference || (!v.first_cell.valid() && !v.first_clock.valid()))
      return std::nullopt;
    if (shape.cells != 0)
      return PlaceRange{e.variable(), false, static_cast<std::uint32_t>(v.first_cell.index()),
                        static_cast<std::uint32_t>(shape.cells)};
    if (shape.clocks != 0)
      return PlaceRange{e.variable(), true, static_cast<std::uint32_t>(v.first_clock.index()),
                        static_cast<std::uint32_t>(shape.clocks)};
    return std::nullopt;
  }
  if (e.kind != ExprKind::kIndex && e.kind != ExprKind::kField)
    return std::nullopt;
  const ExprId base = pool.operand(id, 0);
  auto place = place_of(network, pool, base);
  if (!place)
    return std::nullopt;
  const TypeId base_type = pool[base].type;
  const Shape& shape = network.types.shape(e.type);
  const Shape& whole = network.types.shape(base_type);
  // The space is known once the path is down to integers or clocks; a mixed struct counts its
  // cells.
  const bool clock = shape.cells == 0 && shape.clocks != 0;
  if (clock && !place->is_clock)
    *place = {place->variable, true,
              static_cast<std::uint32_t>(network.variables[place->variable].first_clock.index()),
              static_cast<std::uint32_t>(
                  network.types.shape(network.variables[place->variable].type).clocks)};
  const std::uint64_t unit = clock ? shape.clocks : shape.cells;
  const std::uint64_t extent = clock ? whole.clocks : whole.cells;
  if (place->count != extent)  // below an unknown index: strides repeat, keep the whole
    return place;
  if (e.kind == ExprKind::kField) {
    const Shape offset = network.types.field_offset(base_type, e.field());
    place->first += static_cast<std::uint32_t>(clock ? offset.clocks : offset.cells);
    place->count = static_cast<std::uint32_t>(unit);
    return place;
  }
  const Type& index_type = network.types[network.types[base_type].index];
  Interval index = interval_of(network, pool, pool.operand(id, 1));
  index = {std::max<std::int64_t>(index.low, index_type.low),
           std::min<std::int64_t>(index.high, index_type.high)};
  if (index.low > index.high)
    return place;
  place->first +=
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(index.low - index_type.low) * unit);
  place->count =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(index.high - index.low + 1) * unit);
  return place;
}

Interval interval_of(const Network& network, const ExpressionPool& pool, ExprId id) {
  const Expression& e = pool[id];
  const auto operand = [&](std::size_t i) { return pool.operand(id, i); };
  if (is_binary_operator(e.kind) && e.type == network.types.int_type())
    return operator_interval(e.kind, interval_of(network, pool, operand(0)),
                             interval_of(network, pool, operand(1)));
  switch (e.kind) {
    case ExprKind::kConstant:
      return {e.value(), e.value()};
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField: {
      const auto place = place_of(network, pool, id);
      if (!place || place->is_clock || place->count == 0 ||
          network.variables[place->variable].storage != Storage::kConstant)
        return type_interval(network, e.type);
      Interval out = {network.cells[CellId(place->first)].initial,
                      network.cells[CellId(place->first)].initial};
      for (std::uint32_t i = 1; i < place->count; ++i) {
        const std::int64_t value = network.cells[CellId(place->first + i)].initial;
        out = hull(out, {value, value});
      }
      return out;
    }
    case ExprKind::kNegate: {
      const Interval i = interval_of(network, pool, operand(0));
      return wrap({-i.high, -i.low});
    }
    case ExprKind::kAbsolute: {
      const Interval i = interval_of(network, pool, operand(0));
      const std::int64_t least =
          i.low <= 0 && i.high >= 0 ? 0 : std::min(std::abs(i.low), std::abs(i.high));
      return wrap({least, std::max(std::abs(i.low), std::abs(i.high))});
    }
    case ExprKind::kConditional:
      return hull(interval_of(network, pool, operand(1)), interval_of(network, pool, operand(2)));
    default:
      return type_interval(network, e.type);
  }
}

// Walks expressions in order of evaluation and notes what they read and write.
class AccessWalk {
 public:
  AccessWalk(const Network& network, UseKind kind, Accesses& out)
      : network_(network),
        kind_(kind),
        out_(out) {}

  /// When set, accesses through reference parameters of this function are noted in its facts.
  void set_function(const Function& function, FunctionFacts& facts) {
    function_ = &function;
    facts_ = &facts;
  }

  void value(ExprId id);

 private:
  void path(ExprId id);  // the indices of a place, not the place itself
  void call(ExprId id);
  void read(ExprId id, ExprId at);
  void write(ExprId id, ExprId at);
  void note_parameter(ExprId id, bool write);
  [[nodiscard]] std::optional<PlaceRange> clocks_beside(const PlaceRange& cells, ExprId id) const;
  [[nodiscard]] ExprId root_of(ExprId id) const;  // `a` of `a[i].f`

  // Constants and frames are no variables of the model.
  [[nodiscard]] bool counts(const PlaceRange& place) const {
    const Storage storage = network_.variables[place.variable].storage;
    return storage == Storage::kState || storage == Storage::kMeta;
  }

  [[nodiscard]] ExprId operand(ExprId id, std::size_t i) const {
    return network_.pool.operand(id, i);
  }

  const Network& network_;
  UseKind kind_;
  Accesses& out_;
  const Function* function_ = nullptr;
  FunctionFacts* facts_ = nullptr;
};

void AccessWalk::value(ExprId id) {
  const Expression& e = network_.pool[id];
  switch (e.kind) {
    case ExprKind::kVariable:
    case ExprKind::kIndex:
    case ExprKind::kField:
      path(id);
      read(id, id);
      return;
    case ExprKind::kAssign:
      path(operand(id, 0));
      value(operand(id, 1));
      write(operand(id, 0), id);
      return;
    case ExprKind::kCompoundAssign:
      path(operand(id, 0));
      read(operand(id, 0), id);
      value(operand(id, 1));
      write(operand(id, 0), id);
      return;
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      path(operand(id, 0));
      read(operand(id, 0), id);
      write(operand(id, 0), id);
      return;
    case ExprKind::kCall:
      call(id);
      return;
    case ExprKind::kRate:  // speaks of the clock's speed, not of its value
      path(operand(id, 0));
      return;
    default:
      for (const ExprId part : network_.pool.operands(id))
        value(part);
  }
}

void AccessWalk::path(ExprId id) {
  const Expression& e = network_.pool[id];
  switch (e.kind) {
    case ExprKind::kVariable:
      return;
    case ExprKind::kIndex:
      path(operand(id, 0));
      value(operand(id, 1));
      return;
    case ExprKind::kField:
      path(operand(id, 0));
      return;
    case ExprKind::kConditional:
      value(operand(id, 0));
      path(operand(id, 1));
      path(operand(id, 2));
      return;
    default:  // an assignment used as a place
      value(id);
  }
}

ExprId AccessWalk::root_of(ExprId id) const {
  while (network_.pool[id].kind == ExprKind::kIndex || network_.pool[id].kind == ExprKind::kField)
    id = operand(id, 0);
  return id;
}

void AccessWalk::note_parameter(ExprId id, bool write) {
  id = root_of(id);
  if (function_ == nullptr || network_.pool[id].kind != ExprKind::kVariable)
    return;
  const auto& parameters = function_->parameters;
  const auto at = std::find(parameters.begin(), parameters.end(), network_.pool[id].variable());
  if (at == parameters.end())
    return;
  const auto position = static_cast<std::size_t>(at - parameters.begin());
  (write ? facts_->writes_parameter : facts_->reads_parameter)[position] = true;
}

// A struct may have clocks beside its cells; of a part of a variable all clocks it has count.
std::optional<PlaceRange> AccessWalk::clocks_beside(const PlaceRange& cells, ExprId id) const {
  if (cells.is_clock || network_.types.shape(network_.pool[id].type).clocks == 0)
    return std::nullopt;
  const Variable& variable = network_.variables[cells.variable];
  return PlaceRange{cells.variable, true, static_cast<std::uint32_t>(variable.first_clock.index()),
                    static_cast<std::uint32_t>(network_.types.shape(variable.type).clocks)};
}

void AccessWalk::read(ExprId id, ExprId at) {
  const ExprId root = root_of(id);
  if (network_.pool[root].kind == ExprKind::kConditional) {
    // Of `(c ? a : b)[i]` all cells of both.
    read(operand(root, 1), at);
    read(operand(root, 2), at);
    return;
  }
  const auto place = place_of(network_, network_.pool, id);
  if (place && counts(*place)) {
    out_.uses.push_back({.place = *place, .kind = kind_, .at = at});
    if (const auto clocks = clocks_beside(*place, id))
      out_.uses.push_back({.place = *clocks, .kind = kind_, .at = at});
  } else {
    note_parameter(id, false);
  }
}

void AccessWalk::write(ExprId id, ExprId at) {
  const ExprId root = root_of(id);
  if (network_.pool[root].kind == ExprKind::kConditional) {
    // Of `(c ? a : b)[i]` all cells of both.
    write(operand(root, 1), at);
    write(operand(root, 2), at);
    return;
  }
  const auto place = place_of(network_, network_.pool, id);
  if (place && counts(*place)) {
    out_.definitions.push_back({.place = *place, .at = at});
    if (const auto clocks = clocks_beside(*place, id))
      out_.definitions.push_back({.place = *clocks, .at = at});
  } else {
    note_parameter(id, true);
  }
}

void AccessWalk::call(ExprId id) {
  const Function& function = network_.functions[network_.pool[id].function()];
  for (std::size_t i = 0; i < network_.pool[id].operand_count; ++i) {
    const Variable& parameter = network_.variables[function.parameters[i]];
    if (parameter.is_alias())
      path(operand(id, i));
    else
      value(operand(id, i));
  }
  for (Use use : function.facts.uses) {
    use.kind = kind_;
    use.at = id;
    out_.uses.push_back(use);
  }
  for (Definition definition : function.facts.definitions) {
    definition.at = id;
    out_.definitions.push_back(definition);
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Variable& parameter = network_.variables[function.parameters[i]];
    if (!parameter.is_alias())
      continue;
    if (function.facts.reads_parameter[i])
      read(operand(id, i), id);
    if (function.facts.writes_parameter[i])
      write(operand(id, i), id);
  }
}

void walk_statement(const Network& network, StmtId id, AccessWalk& walk) {
  const Statement& s = network.pool[id];
  for (const ExprId e : s.exprs)
    walk.value(e);
  for (const StmtId child : s.children)
    walk_statement(network, child, walk);
}

// A function may mention a variable many times; for its facts once is enough.
template <class T>
void keep_first(std::vector<T>& items) {
  std::vector<T> kept;
  std::vector<PlaceRange> seen;
  const auto key = [](const PlaceRange& p) {
    return std::tuple(p.variable.index(), p.is_clock, p.first, p.count);
  };
  const auto less = [&](const PlaceRange& a, const PlaceRange& b) { return key(a) < key(b); };
  for (T& item : items) {
    const auto at = std::lower_bound(seen.begin(), seen.end(), item.place, less);
    if (at != seen.end() && *at == item.place)
      continue;
    seen.insert(at, item.place);
    kept.push_back(item);
  }
  items = std::move(kept);
}

void compute_function_facts(Network& network, FunctionId id) {
  const Function& function = network.functions[id];
  if (function.prototype || !function.body.valid())
    return;
  FunctionFacts facts;
  facts.reads_parameter.assign(function.parameters.size(), false);
  facts.writes_parameter.assign(function.parameters.size(), false);
  Accesses accesses;
  AccessWalk walk(network, UseKind::kComputation, accesses);
  walk.set_function(function, facts);
  walk_statement(network, function.body, walk);
  keep_first(accesses.uses);
  keep_first(accesses.definitions);
  facts.uses = std::move(accesses.uses);
  facts.definitions = std::move(accesses.definitions);
  network.functions[id].facts = std::move(facts);
}

void collect_calls(const Network& network, ExprId id, std::vector<FunctionId>& out) {
  if (network.pool[id].kind == ExprKind::kCall &&
      std::find(out.begin(), out.end(), network.pool[id].function()) == out.end())
    out.push_back(network.pool[id].function());
  for (const ExprId part : network.pool.operands(id))
    collect_calls(network, part, out);
}

void collect_clauses(const Network& network, ExprId id, std::vector<ExprId>& out) {
  if (is_connective(network, id)) {
    for (const ExprId part : network.pool.operands(id))
      collect_clauses(network, part, out);
    return;
  }
  out.push_back(id);
}

// left - right as clocks with a sign and an integer rest. There is at most one clock of either
// sign, but which one may depend on the state.
struct Linear {
  std::vector<PlaceRange> plus;
  std::vector<PlaceRange> minus;
  Interval rest;
};

// The clocks a path may denote; of `(c ? a : b)[i]` all of both.
void collect_clocks(const Network& network,
                    const ExpressionPool& pool,
                    ExprId id,
                    std::vector<PlaceRange>& out) {
  const Expression& e = pool[id];
  const auto place = place_of(network, pool, id);
  if (place && place->is_clock) {
    out.push_back(*place);
  } else if (e.kind == ExprKind::kConditional) {
    collect_clocks(network, pool, pool.operand(id, 1), out);
    collect_clocks(network, pool, pool.operand(id, 2), out);
  } else if (e.kind == ExprKind::kIndex || e.kind == ExprKind::kField) {
    collect_clocks(network, pool, pool.operand(id, 0), out);
  } else if (e.kind == ExprKind::kVariable) {
    const Variable& v = network.variables[e.variable()];
    if (v.first_clock.valid())
      out.push_back({e.variable(), true, static_cast<std::uint32_t>(v.first_clock.index()),
                     static_cast<std::uint32_t>(network.types.shape(v.type).clocks)});
  }
}

void collect_linear(
    const Network& network, const ExpressionPool& pool, ExprId id, bool negative, Linear& out) {
  const Expression& e = pool[id];
  if (e.timed && (e.kind == ExprKind::kAdd || e.kind == ExprKind::kSubtract)) {
    collect_linear(network, pool, pool.operand(id, 0), negative, out);
    collect_linear(network, pool, pool.operand(id, 1), negative != (e.kind == ExprKind::kSubtract),
                   out);
    return;
  }
  const bool path = e.kind == ExprKind::kVariable || e.kind == ExprKind::kIndex ||
                    e.kind == ExprKind::kField || e.kind == ExprKind::kConditional;
  if (path && network.types[e.type].kind == TypeKind::kClock) {
    collect_clocks(network, pool, id, negative ? out.minus : out.plus);
    return;
  }
  // Also a number that only mentions clocks, as the result of a call that was given one.
  const Interval i = interval_of(network, pool, id);
  out.rest = negative ? Interval{out.rest.low - i.high, out.rest.high - i.low}
                      : Interval{out.rest.low + i.low, out.rest.high + i.high};
}

ExprKind mirrored(ExprKind relation) {
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

void collect_clock_tests(const Network& network,
                         const ExpressionPool& pool,
                         ExprId id,
                         std::vector<ClockTest>& out) {
  const Expression& e = pool[id];
  if (!e.timed)
    return;
  if (!is_comparison(e.kind)) {
    for (const ExprId part : pool.operands(id))
      collect_clock_tests(network, pool, part, out);
    return;
  }
  if (pool[pool.operand(id, 0)].kind == ExprKind::kRate ||
      pool[pool.operand(id, 1)].kind == ExprKind::kRate)
    return;
  Linear sides;
  collect_linear(network, pool, pool.operand(id, 0), false, sides);
  collect_linear(network, pool, pool.operand(id, 1), true, sides);
  if (sides.plus.empty() && sides.minus.empty())
    return;
  // plus - minus + rest ~ 0, so plus - minus ~ -rest; without plus the relation turns round.
  const bool turned = sides.plus.empty();
  ClockTest test{.relation = turned ? mirrored(e.kind) : e.kind,
                 .low = turned ? sides.rest.low : -sides.rest.high,
                 .high = turned ? sides.rest.high : -sides.rest.low,
                 .at = id};
  const std::vector<PlaceRange> none(1);
  for (const PlaceRange& clock : turned ? sides.minus : sides.plus) {
    for (const PlaceRange& minus : turned || sides.minus.empty() ? none : sides.minus) {
      test.clock = clock;
      test.minus = minus;
      out.push_back(test);
    }
  }
}

void compute_edge_facts(Network& network, EdgeId id) {
  const EdgeLabels& labels = network.edges[id].labels;
  EdgeFacts facts;
  Accesses accesses;
  AccessWalk predicate(network, UseKind::kPredicate, accesses);
  AccessWalk computation(network, UseKind::kComputation, accesses);
  if (labels.guard.valid()) {
    predicate.value(labels.guard);
    collect_clauses(network, labels.guard, facts.clauses);
    collect_clock_tests(network, network.pool, labels.guard, facts.clock_tests);
    collect_calls(network, labels.guard, facts.calls);
  }
  if (labels.channel.valid()) {
    predicate.value(labels.channel);
    collect_calls(network, labels.channel, facts.calls);
  }
  for (const ExprId update : labels.updates) {
    computation.value(update);
    collect_calls(network, update, facts.calls);
  }
  facts.uses = std::move(accesses.uses);
  facts.definitions = std::move(accesses.definitions);
  network.edges[id].facts = std::move(facts);
}

}  // namespace

Interval interval_of(const Network& network, ExprId id) {
  return interval_of(network, network.pool, id);
}

bool is_connective(const Network& network, ExprId id) {
  const auto is_truth_value = [&](ExprId part) {
    return network.pool[part].type == network.types.bool_type();
  };
  switch (network.pool[id].kind) {
    case ExprKind::kNot:
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kXor:
    case ExprKind::kImply:
      return true;
    case ExprKind::kBitXor:
      return std::ranges::all_of(network.pool.operands(id), is_truth_value);
    default:
      return false;
  }
}

std::vector<ExprId> clauses_of(const Network& network, ExprId decision) {
  std::vector<ExprId> out;
  collect_clauses(network, decision, out);
  return out;
}

std::vector<ClockTest> clock_tests_of(const Network& network, ExprId constraint) {
  return clock_tests_of(network, network.pool, constraint);
}

std::vector<ClockTest> clock_tests_of(const Network& network,
                                      const ExpressionPool& pool,
                                      ExprId constraint) {
  std::vector<ClockTest> out;
  collect_clock_tests(network, pool, constraint, out);
  return out;
}

Accesses accesses_of(const Network& network, ExprId expression, UseKind kind) {
  Accesses out;
  AccessWalk(network, kind, out).value(expression);
  return out;
}

bool compute_facts(Network& network, std::uint64_t most_accesses) {
  // Functions are declared before they are used, so callees come first.
  for (std::size_t i = 0; i < network.functions.size(); ++i)
    compute_function_facts(network, FunctionId(i));
  std::uint64_t accesses = 0;
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    compute_edge_facts(network, EdgeId(i));
    const EdgeFacts& facts = network.edges[EdgeId(i)].facts;
    accesses += facts.uses.size() + facts.definitions.size();
    if (accesses > most_accesses)
      return false;
  }
  return true;
}

}  // namespace tw
