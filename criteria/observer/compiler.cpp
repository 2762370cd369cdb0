#include "criteria/observer/compiler.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "criteria/observer/instances.hpp"
#include "criteria/observer/node_tokens.hpp"
#include "criteria/observer/plan.hpp"
#include "criteria/observer/rule_compiler.hpp"

namespace tw::observer {
namespace {

bool speaks_of(const Program& program, EventKind kind) {
  return std::ranges::any_of(program.rules, [kind](const CheckedRule& rule) {
    return std::ranges::any_of(rule.demands, [kind](const Demand& demand) {
      return demand.kind == Demand::Kind::kEvent && demand.on == kind;
    });
  });
}

// An instance that stays until something happens is dropped by that.
void add_node_drops(const RuleContext& context, const CheckedRule& rule) {
  const std::size_t node = rule.target;
  if (!context.nodes.tokens(node).valid())
    return;
  for (const Demand& demand : rule.demands) {
    std::vector<Term> pattern(rule.source_arguments.size(), Term::any());
    for (std::size_t i = 0; i < pattern.size(); ++i)
      for (std::size_t r = 0; r < kRoles; ++r) {
        if (!demand.roles[r].is_variable() || demand.roles[r].variable != rule.source_arguments[i])
          continue;
        const Role role = static_cast<Role>(r);
        pattern[i] = role == Role::kCell      ? Term::cell()
                     : role == Role::kEdge    ? Term::edge()
                     : role == Role::kProcess ? Term::process()
                                              : Term::edge(context.maps.of_edge(role));
      }
    context.rules.add_rule({.on = demand.on,
                            .action = tw::Rule::Action::kDrop,
                            .token = context.nodes.tokens(node),
                            .arguments = std::move(pattern)});
  }
}

}  // namespace

void compile(const Program& program,
             const ModelValues& values,
             InvariantUses invariants,
             SourceRange where,
             CoverageRules& rules,
             Diagnostics& diagnostics) {
  const auto refuse = [&] {
    diagnostics.error(where, "the observer has too many items and partial items here",
                      "fix parameters with --observer, or choose variables with --vars");
  };
  std::vector<Plan> plans;
  for (const CheckedRule& rule : program.rules)
    plans.push_back(make_plan(rule));
  const KeptAsKeys keys = kept_as_keys(program);
  std::vector<CellAccesses> accesses;
  if (speaks_of(program, EventKind::kUse) || speaks_of(program, EventKind::kDefinition)) {
    rules.set_invariant_uses(invariants);
    std::vector<bool> chosen(values.bound(ValueType::kVariable));
    for (const Value cell : values.domain(ValueType::kVariable))
      chosen[cell] = true;
    auto found = cell_accesses(
        values.network(),
        {.reading = DefUseReading::kAtomic, .invariants = invariants, .cells = std::move(chosen)});
    if (!found) {
      refuse();
      return;
    }
    accesses = std::move(*found);
  }
  const std::optional<InstanceGraph> graph =
      InstanceFinder(program, plans, keys, values, accesses).run();
  NodeTokens nodes(program, values, rules);
  if (!graph || !nodes.start(*graph)) {
    refuse();
    return;
  }
  for (std::size_t i = 0; i < graph->watched.size(); ++i)
    if (graph->watched[i])
      rules.watch(CellId(i));
  Maps maps(values, rules);
  const RuleContext context{.program = program,
                            .values = values,
                            .keys = keys,
                            .graph = *graph,
                            .nodes = nodes,
                            .maps = maps,
                            .rules = rules,
                            .diagnostics = diagnostics};
  for (std::size_t i = 0; i < program.rules.size(); ++i) {
    if (nodes.is_replaced(i)) {
      if (nodes.is_dropped(program.rules[i].target))
        add_node_drops(context, program.rules[i]);
      continue;
    }
    RuleCompiler(context, i, plans[i]).run();
  }
}

}  // namespace tw::observer
