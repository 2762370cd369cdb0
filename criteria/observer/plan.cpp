#include "criteria/observer/plan.hpp"

#include <algorithm>

namespace tw::observer {
namespace {

class Planner {
 public:
  explicit Planner(const CheckedRule& rule)
      : rule_(rule),
        bound_(rule.variables.size()),
        done_(rule.demands.size()) {
    plan_.origins.resize(rule.variables.size(), Origin::kGround);
    plan_.derivations.resize(rule.variables.size());
  }

  Plan run() {
    for (const VariableNumber number : rule_.source_arguments)
      bind(number, Origin::kSource);
    while (check() || derive() || join(Demand::Kind::kEvent) || join(Demand::Kind::kLocation) ||
           join(Demand::Kind::kValue) || try_all()) {
    }
    ground_what_is_denied();
    note_tests();
    return std::move(plan_);
  }

 private:
  void bind(VariableNumber number, Origin origin) {
    if (!bound_[number])
      plan_.origins[number] = origin;
    bound_[number] = true;
  }

  [[nodiscard]] bool is_known(const Operand& operand) const {
    return operand.is_variable() ? bound_[operand.variable] : operand.kind == Operand::Kind::kSet;
  }

  [[nodiscard]] bool is_open(const Side& side) const {
    return side.base.is_variable() && !side.function && !bound_[side.base.variable];
  }

  void add(Plan::Step step) {
    if (step.kind != Plan::Step::Kind::kTry)
      done_[step.demand] = true;
    plan_.steps.push_back(step);
  }

  bool check() {
    for (std::size_t i = 0; i < rule_.demands.size(); ++i) {
      const Demand& demand = rule_.demands[i];
      if (done_[i] || demand.kind != Demand::Kind::kCheck || !is_known(demand.left.base) ||
          (!demand.is_branchpoint && !is_known(demand.right.base)))
        continue;
      add({.kind = Plan::Step::Kind::kTest, .demand = i});
      return true;
    }
    return false;
  }

  bool derive() {
    for (std::size_t i = 0; i < rule_.demands.size(); ++i) {
      const Demand& demand = rule_.demands[i];
      if (done_[i] || demand.kind != Demand::Kind::kCheck || demand.is_branchpoint ||
          demand.relation != Relation::kEqual)
        continue;
      for (const bool from_left : {false, true}) {
        const Side& from = from_left ? demand.left : demand.right;
        const Side& to = from_left ? demand.right : demand.left;
        if (!is_open(to) || !from.base.is_variable() || !bound_[from.base.variable])
          continue;
        derive(to.base.variable, {.base = from.base.variable, .function = from.function});
        const VariableNumber number = to.base.variable;
        add({.kind = Plan::Step::Kind::kDerive,
             .demand = i,
             .variable = number,
             .from_left = from_left});
        return true;
      }
    }
    return false;
  }

  void derive(VariableNumber number, Plan::Derivation from) {
    const Origin origin = plan_.origins[from.base];
    if (const auto& first = plan_.derivations[from.base]) {
      // There are no tables of functions of functions: all values are tried, and tested.
      if (first->function && from.function) {
        plan_.has_tests = true;
        bind(number, origin == Origin::kState ? origin : Origin::kGround);
        return;
      }
      from = {.base = first->base, .function = first->function ? first->function : from.function};
    }
    bind(number, origin);
    plan_.derivations[number] = from;
  }

  // The one that knows most comes first: fewer combinations are looked at.
  bool join(Demand::Kind kind) {
    std::optional<std::size_t> best;
    std::size_t most = 0;
    for (std::size_t i = 0; i < rule_.demands.size(); ++i) {
      const Demand& demand = rule_.demands[i];
      if (done_[i] || demand.kind != kind || demand.negated)
        continue;
      const auto known = static_cast<std::size_t>(std::ranges::count_if(
          demand.roles, [this](const Operand& role) { return is_known(role); }));
      // A comparison needs its number.
      if (kind == Demand::Kind::kValue && demand.relation != Relation::kEqual && !demand.other &&
          !is_known(demand.number))
        continue;
      if (!best || known > most) {
        best = i;
        most = known;
      }
    }
    if (!best)
      return false;
    const Origin origin = kind == Demand::Kind::kEvent ? Origin::kEvent : Origin::kState;
    for (const VariableNumber number : variables_of(rule_.demands[*best]))
      bind(number, origin);
    add({.kind = Plan::Step::Kind::kJoin, .demand = *best});
    return true;
  }

  bool try_all() {
    for (VariableNumber i = 0; i < rule_.variables.size(); ++i) {
      if (bound_[i])
        continue;
      bind(i, Origin::kGround);
      add({.kind = Plan::Step::Kind::kTry, .variable = i});
      return true;
    }
    return false;
  }

  // What must not happen is watched from the start of a step, so it must be known by then.
  void ground_what_is_denied() {
    for (const Demand& demand : rule_.demands) {
      if (demand.kind != Demand::Kind::kEvent || !demand.negated)
        continue;
      for (const VariableNumber number : variables_of(demand)) {
        if (plan_.origins[number] == Origin::kSource)
          continue;
        plan_.origins[number] = Origin::kGround;
        plan_.has_tests = plan_.has_tests || plan_.derivations[number].has_value();
        plan_.derivations[number].reset();
      }
    }
  }

  void note_tests() {
    for (const Plan::Step& step : plan_.steps) {
      if (step.kind != Plan::Step::Kind::kTest)
        continue;
      const auto numbers = variables_of(rule_.demands[step.demand]);
      const bool state = std::ranges::any_of(numbers, [this](VariableNumber number) {
        return plan_.origins[number] == Origin::kState;
      });
      plan_.has_tests = plan_.has_tests || !state;
    }
    for (const Demand& wanted : rule_.demands)
      for (const Demand& denied : rule_.demands)
        plan_.has_tests = plan_.has_tests || are_contrary(wanted, denied);
    std::size_t others = 0;
    std::size_t edges = 0;
    for (const Demand& demand : rule_.demands) {
      const bool fired = demand.kind == Demand::Kind::kEvent && !demand.negated &&
                         demand.on == EventKind::kFired && demand.role(Role::kEdge).is_variable();
      edges += fired ? 1U : 0U;
      others += !fired && demand.kind != Demand::Kind::kCheck ? 1U : 0U;
    }
    plan_.is_direct = !rule_.source && edges == 1 && others == 0;
    plan_.needs_solutions =
        plan_.is_direct || plan_.has_tests ||
        std::ranges::any_of(rule_.demands, &Demand::is_about_state) ||
        std::ranges::any_of(plan_.origins, [](Origin origin) { return origin == Origin::kGround; });
  }

  const CheckedRule& rule_;
  Plan plan_;
  std::vector<bool> bound_;
  std::vector<bool> done_;
};

}  // namespace

std::vector<VariableNumber> variables_of(const Demand& demand) {
  std::vector<VariableNumber> out;
  const auto add = [&out](const Operand& operand) {
    if (operand.is_variable() && std::ranges::find(out, operand.variable) == out.end())
      out.push_back(operand.variable);
  };
  for (const Operand& role : demand.roles)
    add(role);
  add(demand.location);
  add(demand.number);
  if (demand.other)
    add(*demand.other);
  add(demand.left.base);
  add(demand.right.base);
  return out;
}

bool are_contrary(const Demand& wanted, const Demand& denied) {
  return wanted.kind == Demand::Kind::kEvent && denied.kind == Demand::Kind::kEvent &&
         !wanted.negated && denied.negated && wanted.on == denied.on;
}

Plan make_plan(const CheckedRule& rule) { return Planner(rule).run(); }

}  // namespace tw::observer
