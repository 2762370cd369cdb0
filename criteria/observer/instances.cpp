#include "criteria/observer/instances.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"

namespace tw::observer {
namespace {

Value number(std::size_t index) { return static_cast<Value>(index); }

bool compare(Relation relation, Value left, Value right) {
  switch (relation) {
    case Relation::kEqual:
      return left == right;
    case Relation::kNotEqual:
      return left != right;
    case Relation::kLess:
      return left < right;  // numbers are encoded in their order
    case Relation::kLessEqual:
      return left <= right;
    case Relation::kGreater:
      return left > right;
    case Relation::kGreaterEqual:
      return left >= right;
  }
  return false;
}

}  // namespace

KeptAsKeys kept_as_keys(const Program& program) {
  KeptAsKeys out;
  for (const CheckedNode& node : program.nodes)
    out.emplace_back(node.positions.size(), true);
  for (bool more = true; more;) {
    more = false;
    for (const CheckedRule& rule : program.rules) {
      for (std::size_t i = 0; rule.source && i < rule.source_arguments.size(); ++i) {
        const VariableNumber own = rule.source_arguments[i];
        bool is_needed = std::ranges::any_of(rule.demands, [&](const Demand& demand) {
          const auto used = variables_of(demand);
          return std::ranges::find(used, own) != used.end();
        });
        for (std::size_t k = 0; k < rule.target_arguments.size(); ++k)
          is_needed = is_needed || (rule.target_arguments[k] == own && !out[rule.target][k]);
        if (is_needed && out[*rule.source][i]) {
          out[*rule.source][i] = false;
          more = true;
        }
      }
    }
  }
  return out;
}

std::size_t InstanceFinder::KeyHash::operator()(const Key& key) const noexcept {
  std::array<std::uint64_t, 1 + Arguments::kMost> words{key.node};
  for (std::size_t i = 0; i < key.arguments.size(); ++i)
    words[i + 1] = key.arguments[i];
  return hash_words(std::span(words).first(1 + key.arguments.size()));
}

InstanceFinder::InstanceFinder(const Program& program,
                               const std::vector<Plan>& plans,
                               const KeptAsKeys& keys,
                               const ModelValues& values,
                               const std::vector<CellAccesses>& accesses)
    : program_(program),
      plans_(plans),
      keys_(keys),
      values_(values),
      accesses_(accesses) {
  graph_.solutions.resize(program.rules.size());
  graph_.watched.resize(cell_count(values.network()));
}

std::optional<InstanceGraph> InstanceFinder::run() {
  for (std::size_t i = 0; i < program_.rules.size(); ++i)
    if (!program_.rules[i].source)
      solve(i, std::nullopt);
  for (InstanceNumber k = 0; k < graph_.instances.size(); ++k)
    for (std::size_t i = 0; i < program_.rules.size(); ++i)
      if (program_.rules[i].source == graph_.instances[k].node)
        solve(i, k);
  if (count_ > kMostSolutions)
    return std::nullopt;
  for (std::vector<InstanceNumber>& list : graph_.before) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return std::move(graph_);
}

void InstanceFinder::solve(std::size_t rule, std::optional<InstanceNumber> source) {
  rule_ = rule;
  source_ = source;
  const CheckedRule& own = program_.rules[rule];
  now_.assign(own.variables.size(), kNoValue);
  for (std::size_t i = 0; i < own.source_arguments.size(); ++i)
    now_[own.source_arguments[i]] = graph_.instances[*source].arguments[i];
  go_on(0);
}

void InstanceFinder::go_on(std::size_t step) {
  if (count_ > kMostSolutions)
    return;
  const Plan& plan = plans_[rule_];
  if (step == plan.steps.size()) {
    finish();
    return;
  }
  const Plan::Step& now = plan.steps[step];
  const CheckedRule& rule = program_.rules[rule_];
  switch (now.kind) {
    case Plan::Step::Kind::kTest:
      if (holds(rule.demands[now.demand]))
        go_on(step + 1);
      return;
    case Plan::Step::Kind::kDerive: {
      const Demand& demand = rule.demands[now.demand];
      now_[now.variable] = values_of(now.from_left ? demand.left : demand.right).front();
      if (now_[now.variable] != kNoValue)
        go_on(step + 1);
      now_[now.variable] = kNoValue;
      return;
    }
    case Plan::Step::Kind::kJoin: {
      const Demand& demand = rule.demands[now.demand];
      if (demand.kind == Demand::Kind::kEvent)
        join_event(demand, step);
      else if (demand.kind == Demand::Kind::kLocation)
        join_location(demand, step);
      else
        join_value(demand, step);
      return;
    }
    case Plan::Step::Kind::kTry: {
      // Integers, and whatever a check names, have a set of their own.
      std::vector<Value> candidates;
      const Demand* named = nullptr;
      for (const Demand& demand : rule.demands)
        if (demand.kind == Demand::Kind::kCheck && demand.relation == Relation::kEqual &&
            demand.left.base.is_variable() && !demand.left.function &&
            demand.left.base.variable == now.variable &&
            demand.right.base.kind == Operand::Kind::kSet)
          named = &demand;
      const ValueType type = rule.variables[now.variable].type;
      if (named != nullptr)
        candidates = values_of(named->right);
      else if (type != ValueType::kInt)
        candidates = values_.domain(type);
      for (const Value value : candidates) {
        now_[now.variable] = value;
        go_on(step + 1);
      }
      now_[now.variable] = kNoValue;
      return;
    }
  }
}

std::vector<Value> InstanceFinder::values_of(const Side& side) const {
  std::vector<Value> out =
      side.base.is_variable() ? std::vector<Value>{now_[side.base.variable]} : side.base.set;
  if (side.function)
    for (Value& value : out)
      value = values_.apply(*side.function, side.type, value);
  return out;
}

// A set stands for any of its values; it differs from a value that is not in it.
bool InstanceFinder::holds(const Demand& check) const {
  const std::vector<Value> left = values_of(check.left);
  if (check.is_branchpoint)
    return left.front() != kNoValue &&
           values_.is_branchpoint(left.front()) == (check.relation == Relation::kEqual);
  const std::vector<Value> right = values_of(check.right);
  const auto any = [&](Relation relation) {
    for (const Value a : left)
      for (const Value b : right)
        if (a != kNoValue && b != kNoValue && compare(relation, a, b))
          return true;
    return false;
  };
  if (check.relation == Relation::kNotEqual)
    return left.front() != kNoValue && right.front() != kNoValue && !any(Relation::kEqual);
  return any(check.relation);
}

// --- Joins

bool InstanceFinder::take(const Operand& operand, Value value, std::vector<VariableNumber>& taken) {
  if (operand.kind == Operand::Kind::kAny)
    return true;
  if (value == kNoValue || !operand.admits(value))
    return false;
  if (!operand.is_variable())
    return true;
  Value& own = now_[operand.variable];
  if (own != kNoValue)
    return own == value;
  own = value;
  taken.push_back(operand.variable);
  return true;
}

void InstanceFinder::give_back(const std::vector<VariableNumber>& taken) {
  for (const VariableNumber variable : taken)
    now_[variable] = kNoValue;
}

void InstanceFinder::try_event(const Demand& demand,
                               std::optional<Value> cell,
                               Value edge,
                               std::size_t step) {
  const Network& network = values_.network();
  const bool hook = values_.is_hook(edge);
  const Value process = hook ? kNoValue : number(network.edges[EdgeId(edge)].process.index());
  std::vector<VariableNumber> taken;
  const bool fits =
      (!cell || take(demand.role(Role::kCell), *cell, taken)) &&
      take(demand.role(Role::kEdge), edge, taken) &&
      take(demand.role(Role::kProcess), process, taken) &&
      take(demand.role(Role::kTemplate),
           hook ? kNoValue : number(network.processes[ProcessId(process)].of_template.index()),
           taken) &&
      take(demand.role(Role::kChannel), values_.channel_of(edge), taken);
  if (fits)
    go_on(step + 1);
  give_back(taken);
}

void InstanceFinder::join_event(const Demand& demand, std::size_t step) {
  const Network& network = values_.network();
  const auto known = [&](Role role) -> std::optional<Value> {
    const Operand& operand = demand.role(role);
    return operand.is_variable() && now_[operand.variable] != kNoValue
               ? std::optional(now_[operand.variable])
               : std::nullopt;
  };
  if (demand.on == EventKind::kFired) {
    std::size_t first = 0;
    std::size_t end = network.edges.size();
    if (const auto edge = known(Role::kEdge)) {
      first = *edge;
      end = std::min<std::size_t>(end, std::size_t{*edge} + 1);
    } else if (const auto process = known(Role::kProcess)) {
      const Process& own = network.processes[ProcessId(*process)];
      first = own.edge_count == 0 ? 0 : own.first_edge.index();
      end = first + own.edge_count;
    }
    for (std::size_t i = first; i < end; ++i)
      try_event(demand, std::nullopt, number(i), step);
    return;
  }
  const auto at_cell = [&](Value cell) {
    if (!values_.is_chosen(cell))
      return;
    const CellAccesses& own = accesses_[cell];
    if (demand.on == EventKind::kUse)
      for (const CellAccesses::Use& use : own.uses)
        try_event(demand, cell, number(use.edge.index()), step);
    else
      for (const CellAccesses::Definition& definition : own.definitions)
        try_event(demand, cell, number(definition.edge.index()), step);
  };
  if (const auto cell = known(Role::kCell)) {
    at_cell(*cell);
    return;
  }
  for (Value cell = 0; cell < accesses_.size(); ++cell)
    at_cell(cell);
}

void InstanceFinder::join_location(const Demand& demand, std::size_t step) {
  const Network& network = values_.network();
  const Value fixed = now_[demand.location.variable];
  std::size_t first = 0;
  std::size_t end = network.locations.size();
  const Operand& owner = demand.role(Role::kProcess);
  if (fixed != kNoValue) {
    first = fixed;
    end = first + 1;
  } else if (owner.is_variable() && now_[owner.variable] != kNoValue) {
    const Process& own = network.processes[ProcessId(now_[owner.variable])];
    first = own.first_location.index();
    end = first + own.location_count;
  }
  for (std::size_t i = first; i < end; ++i) {
    if (values_.is_branchpoint(number(i)))
      continue;
    const ProcessId process = network.locations[LocationId(i)].process;
    std::vector<VariableNumber> taken;
    if (take(owner, number(process.index()), taken) &&
        take(demand.role(Role::kTemplate), number(network.processes[process].of_template.index()),
             taken) &&
        take(demand.location, number(i), taken))
      go_on(step + 1);
    give_back(taken);
  }
}

// Cells first, then the number.
void InstanceFinder::join_value(const Demand& demand, std::size_t step) {
  const Network& network = values_.network();
  for (const Operand* cell : {&demand.role(Role::kCell), demand.other ? &*demand.other : nullptr}) {
    if (cell == nullptr || now_[cell->variable] != kNoValue)
      continue;
    for (const Value value : values_.domain(ValueType::kVariable)) {
      if (network.is_clock(CellId(value)))
        continue;
      now_[cell->variable] = value;
      join_value(demand, step);
    }
    now_[cell->variable] = kNoValue;
    return;
  }
  try_value(demand, step);
}

void InstanceFinder::try_value(const Demand& demand, std::size_t step) {
  const Network& network = values_.network();
  const Value cell = now_[demand.role(Role::kCell).variable];
  if (network.is_clock(CellId(cell)) ||
      (demand.other && network.is_clock(CellId(now_[demand.other->variable]))))
    return;
  const Operand& wanted = demand.number;
  if (demand.other || !wanted.is_variable() || now_[wanted.variable] != kNoValue) {
    go_on(step + 1);
    return;
  }
  const Cell& range = network.cells[CellId(cell)];
  for (std::int64_t value = range.low; value <= range.high && count_ <= kMostSolutions; ++value) {
    now_[wanted.variable] = encode(static_cast<std::int32_t>(value));
    go_on(step + 1);
  }
  now_[wanted.variable] = kNoValue;
}

// --- Results

InstanceNumber InstanceFinder::instance(std::size_t node, const Arguments& arguments) {
  const auto [at, is_new] = known_.emplace(Key{.node = node, .arguments = arguments},
                                           static_cast<InstanceNumber>(graph_.instances.size()));
  if (is_new) {
    graph_.instances.push_back({.node = node, .arguments = arguments});
    graph_.before.emplace_back();
  }
  return at->second;
}

void InstanceFinder::watch(const Demand& demand) {
  const Operand& cell = demand.role(Role::kCell);
  switch (cell.kind) {
    case Operand::Kind::kVariable:
      graph_.watched[now_[cell.variable]] = true;
      return;
    case Operand::Kind::kSet:
      for (const Value value : cell.set)
        graph_.watched[value] = graph_.watched[value] || values_.is_chosen(value);
      return;
    case Operand::Kind::kAny:
      for (std::size_t i = 0; i < graph_.watched.size(); ++i)
        graph_.watched[i] = graph_.watched[i] || values_.is_chosen(number(i));
      return;
  }
}

// What happens is what must not happen.
bool InstanceFinder::contradicts_itself() const {
  const Network& network = values_.network();
  const std::vector<Demand>& demands = program_.rules[rule_].demands;
  const auto is_denied = [&](const Demand& wanted, const Demand& denied) {
    if (!are_contrary(wanted, denied))
      return false;
    const auto is = [this](const Operand& operand, Value value) {
      if (operand.kind == Operand::Kind::kAny)
        return true;
      return operand.is_variable() ? now_[operand.variable] == value : operand.admits(value);
    };
    const Value edge = now_[wanted.role(Role::kEdge).variable];
    const bool hook = values_.is_hook(edge);
    const Value process = hook ? kNoValue : number(network.edges[EdgeId(edge)].process.index());
    return (wanted.on == EventKind::kFired ||
            is(denied.role(Role::kCell), now_[wanted.role(Role::kCell).variable])) &&
           is(denied.role(Role::kEdge), edge) && is(denied.role(Role::kProcess), process) &&
           is(denied.role(Role::kTemplate),
              values_.apply(Function::kTemplate, ValueType::kEdge, edge)) &&
           is(denied.role(Role::kChannel), values_.channel_of(edge));
  };
  return std::ranges::any_of(demands, [&](const Demand& wanted) {
    return std::ranges::any_of(demands,
                               [&](const Demand& denied) { return is_denied(wanted, denied); });
  });
}

void InstanceFinder::finish() {
  if (plans_[rule_].has_tests && contradicts_itself())
    return;
  if (++count_ > kMostSolutions)
    return;
  const CheckedRule& rule = program_.rules[rule_];
  Arguments arguments;
  for (std::size_t i = 0; i < rule.target_arguments.size(); ++i) {
    const VariableNumber own = rule.target_arguments[i];
    // A value from a position that keeps keys is one already.
    const auto from = std::ranges::find(rule.source_arguments, own);
    const bool is_key =
        rule.source && from != rule.source_arguments.end() &&
        keys_[*rule.source][static_cast<std::size_t>(from - rule.source_arguments.begin())];
    arguments.push_back(keys_[rule.target][i] && !is_key
                            ? values_.key(rule.variables[own].type, now_[own])
                            : now_[own]);
  }
  for (const Demand& demand : rule.demands)
    if (demand.kind == Demand::Kind::kEvent && demand.on != EventKind::kFired)
      watch(demand);
  const InstanceNumber target = instance(rule.target, arguments);
  if (source_)
    graph_.before[target].push_back(*source_);
  if (plans_[rule_].needs_solutions)
    graph_.solutions[rule_].push_back({.values = now_, .target = target});
}

}  // namespace tw::observer
