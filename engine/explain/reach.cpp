#include "engine/explain/reach.hpp"

#include <fmt/format.h>
#include <utility>

#include "engine/search/search.hpp"

namespace tw {
namespace {

// The variable that a channel expression is, or is an element of.
VariableId channel_variable(const Network& network, ExprId channel) {
  while (network.pool[channel].kind == ExprKind::kIndex)
    channel = network.pool.operand(channel, 0);
  return network.pool[channel].kind == ExprKind::kVariable ? network.pool[channel].variable()
                                                           : VariableId();
}

// A parameter by reference is whatever it stands for.
bool may_be_same(const Network& network, VariableId a, VariableId b) {
  return a == b || !a.valid() || !b.valid() || network.variables[a].is_alias() ||
         network.variables[b].is_alias() ||
         network.variables[a].first_channel == network.variables[b].first_channel;
}

}  // namespace

CoverageRules firing_rules(const Network& network) {
  CoverageRules rules;
  rules.begin_criterion({.name = "fires", .options = {}});
  const ItemFamilyId fires = rules.add_item_family("fires");
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    rules.add_item(fires, {static_cast<std::uint32_t>(i)}, {.id = fmt::format("fires:{}", i)});
  rules.add_rule({.on = EventKind::kFired,
                  .action = Rule::Action::kCover,
                  .item = fires,
                  .arguments = {Term::edge()}});
  return rules;
}

Reach explore_reach(const Network& network, SearchOptions options) {
  CoverageRules rules = firing_rules(network);
  const System system(
      network, options.keep_dead ? instrumentation_for(rules) : forgetting_for(network, rules),
      options.execution);
  Effects effects(network, rules);
  options.on_error = OnError::kSkip;
  Search search(system, effects, Ledger(rules), std::move(options));
  const StopReason reason = search.run();
  Reach out{.complete = reason == StopReason::kExhausted || reason == StopReason::kDecided,
            .fits = search.has_initial_state(),
            .states = search.statistics().states};
  out.fired.resize(network.edges.size());
  out.reached.resize(network.locations.size());
  for (const Process& process : network.processes)
    out.reached[process.initial.index()] = true;
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    out.fired[i] = search.found(ItemId(i)).has_value();
    if (out.fired[i])
      out.reached[network.edges[EdgeId(i)].target.index()] = true;
  }
  return out;
}

std::vector<EdgeId> edges_into(const Network& network, LocationId location) {
  const Process& process = network.processes[network.locations[location].process];
  std::vector<EdgeId> out;
  for (std::size_t i = 0; i < process.edge_count; ++i)
    if (const EdgeId edge(process.first_edge.index() + i); network.edges[edge].target == location)
      out.push_back(edge);
  return out;
}

std::vector<EdgeId> edges_out_of(const Network& network, LocationId location) {
  const Process& process = network.processes[network.locations[location].process];
  std::vector<EdgeId> out;
  for (std::size_t i = 0; i < process.edge_count; ++i)
    if (const EdgeId edge(process.first_edge.index() + i); network.edges[edge].source == location)
      out.push_back(edge);
  return out;
}

std::vector<EdgeId> partners_of(const Network& network, EdgeId id) {
  const Edge& edge = network.edges[id];
  std::vector<EdgeId> out;
  if (!edge.labels.channel.valid())
    return out;
  const VariableId channel = channel_variable(network, edge.labels.channel);
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    const Edge& other = network.edges[EdgeId(i)];
    if (other.process != edge.process && other.labels.channel.valid() &&
        other.labels.direction != edge.labels.direction &&
        may_be_same(network, channel, channel_variable(network, other.labels.channel)))
      out.emplace_back(i);
  }
  return out;
}

}  // namespace tw
