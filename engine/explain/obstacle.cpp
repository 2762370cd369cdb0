#include "engine/explain/obstacle.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <limits>
#include <utility>

#include "engine/mutants/mutant.hpp"

namespace tw {
namespace {

using Path = std::vector<std::size_t>;

void collect_conjuncts(const Network& network, ExprId id, Path& path, std::vector<Conjunct>& out) {
  if (network.pool[id].kind != ExprKind::kAnd) {
    out.push_back({.path = path, .expression = id});
    return;
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    path.push_back(side);
    collect_conjuncts(network, network.pool.operand(id, side), path, out);
    path.pop_back();
  }
}

ExprId truth(Network& network, SourceRange where) {
  return network.pool.add({.kind = ExprKind::kConstant,
                           .type = network.types.bool_type(),
                           .where = where,
                           .payload = 1});
}

// What a conjunct becomes. It is still evaluated, so that criteria of definitions and uses see what
// they saw; an error in it is one still.
ExprId taken_out(Network& network, ExprId conjunct) {
  const Expression e = network.pool[conjunct];
  const ExprId yes = truth(network, e.where);
  if (e.timed)
    return yes;
  const std::array operands = {conjunct, yes};
  return network.pool.add(
      {.kind = ExprKind::kOr, .type = network.types.bool_type(), .where = e.where}, operands);
}

// What the conjunct at the end of the path becomes.
using Change = std::function<ExprId(Network&, ExprId)>;

void change_part(Network& network, ExprId& root, const Path& path, const Change& change) {
  const ExprId part = change(network, part_at(network.pool, root, path));
  root = replace_part(network.pool, root, path, part);
}

template <class Act>
void for_copies(Network& network, EdgeDeclId decl, Act act) {
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    if (network.edges[EdgeId(i)].decl == decl)
      act(EdgeId(i));
}

void remove_channel_urgency(Network& network, VariableId variable) {
  for (std::size_t i = 0; i < network.channels.size(); ++i)
    if (network.channels[ChannelId(i)].variable == variable)
      network.channels[ChannelId(i)].urgent = false;
}

// Updates go last, from the back: the others count positions from the front.
void remove_updates(Network& network, std::vector<Obstacle> updates) {
  std::ranges::sort(updates, std::greater<>(), &Obstacle::update);
  for (const Obstacle& obstacle : updates)
    for_copies(network, obstacle.edge, [&](EdgeId id) {
      std::vector<ExprId>& list = network.edges[id].labels.updates;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(obstacle.update));
    });
}

// Pre: the obstacle is a conjunct.
void change_conjunct(Network& network, const Obstacle& obstacle, const Change& change) {
  if (obstacle.kind == ObstacleKind::kGuard) {
    for_copies(network, obstacle.edge, [&](EdgeId id) {
      ExprId guard = network.edges[id].labels.guard;
      change_part(network, guard, obstacle.path, change);
      network.edges[id].labels.guard = guard;
    });
    return;
  }
  for (std::size_t i = 0; i < network.locations.size(); ++i) {
    if (network.locations[LocationId(i)].decl != obstacle.location)
      continue;
    ExprId invariant = network.locations[LocationId(i)].invariant;
    change_part(network, invariant, obstacle.path, change);
    network.locations[LocationId(i)].invariant = invariant;
  }
}

// `left op right + shift`; what the conjunct uses is still used.
ExprId ease(Network& network, ExprId conjunct, const Easing& easing) {
  const Expression e = network.pool[conjunct];
  const ExprId left = network.pool.operand(conjunct, 0);
  ExprId right = network.pool.operand(conjunct, 1);
  if (easing.shift != 0) {
    const Expression bound = network.pool[right];
    const auto shift = static_cast<std::int32_t>(easing.shift);
    if (bound.kind == ExprKind::kConstant) {
      Expression moved = bound;
      moved.payload = static_cast<std::uint32_t>(bound.value() + shift);
      right = network.pool.add(moved);
    } else {
      const std::array sum = {right,
                              network.pool.add({.kind = ExprKind::kConstant,
                                                .type = network.types.int_type(),
                                                .where = bound.where,
                                                .payload = static_cast<std::uint32_t>(shift)})};
      right = network.pool.add(
          {.kind = ExprKind::kAdd, .type = network.types.int_type(), .where = bound.where}, sum);
    }
  }
  const std::array sides = {left, right};
  const ExprId out = network.pool.add({.kind = easing.op, .type = e.type, .where = e.where}, sides);
  if (e.timed)
    return out;
  const std::array either = {conjunct, out};
  return network.pool.add(
      {.kind = ExprKind::kOr, .type = network.types.bool_type(), .where = e.where}, either);
}

void remove(Network& network, const Obstacle& obstacle) {
  switch (obstacle.kind) {
    case ObstacleKind::kGuard:
    case ObstacleKind::kInvariant:
      change_conjunct(network, obstacle, taken_out);
      return;
    case ObstacleKind::kSynchronisation:
      for_copies(network, obstacle.edge, [&](EdgeId id) {
        network.edges[id].labels.channel = ExprId();
        network.edges[id].labels.direction = Direction::kInternal;
      });
      return;
    case ObstacleKind::kUpdate:
      assert(false && "updates are removed together");
      return;
    case ObstacleKind::kCommitted:
    case ObstacleKind::kUrgentLocation:
      network.location_decls[obstacle.location].kind = LocationKind::kNormal;
      return;
    case ObstacleKind::kUrgentChannel:
      remove_channel_urgency(network, obstacle.channel);
      return;
    case ObstacleKind::kChannelPriorities:
      for (std::size_t i = 0; i < network.channels.size(); ++i)
        network.channels[ChannelId(i)].priority = 0;
      network.channel_priorities.clear();
      return;
    case ObstacleKind::kProcessPriorities:
      for (std::size_t i = 0; i < network.processes.size(); ++i)
        network.processes[ProcessId(i)].priority = 0;
      return;
  }
}

void remove_all(Network& network, std::span<const Obstacle> obstacles) {
  std::vector<Obstacle> updates;
  for (const Obstacle& obstacle : obstacles)
    if (obstacle.kind == ObstacleKind::kUpdate)
      updates.push_back(obstacle);
    else
      remove(network, obstacle);
  remove_updates(network, std::move(updates));
}

const Edge* copy_of(const Network& network, EdgeDeclId decl) {
  const auto at = std::ranges::find(network.edges, decl, &Edge::decl);
  return at == network.edges.end() ? nullptr : &*at;
}

}  // namespace

std::string_view name_of(ObstacleKind kind) {
  switch (kind) {
    case ObstacleKind::kGuard:
      return "guard";
    case ObstacleKind::kInvariant:
      return "invariant";
    case ObstacleKind::kSynchronisation:
      return "synchronisation";
    case ObstacleKind::kUpdate:
      return "update";
    case ObstacleKind::kCommitted:
      return "committed";
    case ObstacleKind::kUrgentLocation:
      return "urgent-location";
    case ObstacleKind::kUrgentChannel:
      return "urgent-channel";
    case ObstacleKind::kChannelPriorities:
      return "channel-priorities";
    case ObstacleKind::kProcessPriorities:
      return "process-priorities";
  }
  return "";
}

std::vector<Conjunct> conjuncts_of(const Network& network, ExprId constraint) {
  std::vector<Conjunct> out;
  Path path;
  if (constraint.valid())
    collect_conjuncts(network, constraint, path, out);
  return out;
}

std::vector<Obstacle> guards_at(const Network& network, EdgeId edge) {
  std::vector<Obstacle> out;
  for (Conjunct& conjunct : conjuncts_of(network, network.edges[edge].labels.guard))
    out.push_back({.kind = ObstacleKind::kGuard,
                   .edge = network.edges[edge].decl,
                   .path = std::move(conjunct.path)});
  return out;
}

std::vector<Obstacle> invariants_at(const Network& network, LocationId location) {
  std::vector<Obstacle> out;
  for (Conjunct& conjunct : conjuncts_of(network, network.locations[location].invariant))
    out.push_back({.kind = ObstacleKind::kInvariant,
                   .location = network.locations[location].decl,
                   .path = std::move(conjunct.path)});
  return out;
}

std::vector<Obstacle> synchronisations_at(const Network& network, EdgeId edge) {
  if (!network.edges[edge].labels.channel.valid())
    return {};
  return {{.kind = ObstacleKind::kSynchronisation, .edge = network.edges[edge].decl}};
}

std::vector<Obstacle> updates_at(const Network& network, EdgeId edge) {
  std::vector<Obstacle> out;
  for (std::size_t i = 0; i < network.edges[edge].labels.updates.size(); ++i)
    out.push_back({.kind = ObstacleKind::kUpdate, .edge = network.edges[edge].decl, .update = i});
  return out;
}

std::vector<Obstacle> orders_of(const Network& network) {
  std::vector<Obstacle> out;
  for (std::size_t i = 0; i < network.location_decls.size(); ++i) {
    const LocationKind kind = network.location_decls[LocationDeclId(i)].kind;
    if (kind == LocationKind::kCommitted)
      out.push_back({.kind = ObstacleKind::kCommitted, .location = LocationDeclId(i)});
    else if (kind == LocationKind::kUrgent && network.is_timed())
      out.push_back({.kind = ObstacleKind::kUrgentLocation, .location = LocationDeclId(i)});
  }
  std::vector<VariableId> urgent;
  for (const Channel& channel : network.channels)
    if (channel.urgent && network.is_timed() &&
        std::ranges::find(urgent, channel.variable) == urgent.end())
      urgent.push_back(channel.variable);
  for (const VariableId channel : urgent)
    out.push_back({.kind = ObstacleKind::kUrgentChannel, .channel = channel});
  if (std::ranges::any_of(network.channels, [](const Channel& c) { return c.priority != 0; }))
    out.push_back({.kind = ObstacleKind::kChannelPriorities});
  if (std::ranges::any_of(network.processes, [](const Process& p) { return p.priority != 0; }))
    out.push_back({.kind = ObstacleKind::kProcessPriorities});
  return out;
}

ExprId expression_of(const Network& network, const Obstacle& obstacle) {
  switch (obstacle.kind) {
    case ObstacleKind::kGuard:
    case ObstacleKind::kSynchronisation:
    case ObstacleKind::kUpdate: {
      const Edge* const edge = copy_of(network, obstacle.edge);
      if (edge == nullptr)
        return {};
      if (obstacle.kind == ObstacleKind::kGuard)
        return part_at(network.pool, edge->labels.guard, obstacle.path);
      return obstacle.kind == ObstacleKind::kUpdate ? edge->labels.updates[obstacle.update]
                                                    : edge->labels.channel;
    }
    case ObstacleKind::kInvariant: {
      const auto at = std::ranges::find(network.locations, obstacle.location, &Location::decl);
      return at == network.locations.end() ? ExprId()
                                           : part_at(network.pool, at->invariant, obstacle.path);
    }
    case ObstacleKind::kCommitted:
    case ObstacleKind::kUrgentLocation:
    case ObstacleKind::kUrgentChannel:
    case ObstacleKind::kChannelPriorities:
    case ObstacleKind::kProcessPriorities:
      return {};
  }
  return {};
}

SourceRange place_of(const Network& network, const Obstacle& obstacle) {
  if (const ExprId expression = expression_of(network, obstacle); expression.valid())
    return network.pool[expression].where;
  if (obstacle.location.valid())
    return network.location_decls[obstacle.location].where;
  if (obstacle.channel.valid())
    return network.variables[obstacle.channel].where;
  return {};
}

Network without(const Network& network, std::span<const Obstacle> obstacles) {
  Network out = network;
  remove_all(out, obstacles);
  // Nothing but truth and channels came and went: the original was within its limits.
  (void)compute_facts(out, std::numeric_limits<std::uint64_t>::max());
  return out;
}

std::optional<Network> eased(const Network& network,
                             std::span<const Obstacle> obstacles,
                             const Obstacle& conjunct,
                             const Easing& easing) {
  Network out = network;
  remove_all(out, obstacles);
  change_conjunct(out, conjunct,
                  [&](Network& copy, ExprId part) { return ease(copy, part, easing); });
  if (!compute_facts(out, std::numeric_limits<std::uint64_t>::max()))
    return std::nullopt;
  return out;
}

}  // namespace tw
