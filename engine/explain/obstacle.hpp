// What can stand in the way of an item, as parts of a model that can be taken out: a conjunct of a
// guard or invariant, a synchronisation, an update that makes a run-time error, what makes a
// location committed or urgent, what makes a channel urgent, priorities.
//
// An obstacle is a part of a template: it is taken out of all its processes, as a user would do it
// in an editor. Like a mutant (engine/mutants) the network without it is a copy whose lower storey
// is edited: places in memory, locations and numbers of edges stay, so that steps and rules of the
// original mean the same there. Only edge_decls and location kinds are shared with the upper
// storey, which is otherwise left as written.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"

namespace tw {

enum class ObstacleKind : std::uint8_t {
  kGuard,              // a conjunct
  kInvariant,          // a conjunct
  kSynchronisation,    // nobody is there to synchronise with
  kUpdate,             // makes a run-time error
  kCommitted,          // the location: nobody else may move meanwhile
  kUrgentLocation,     // no time passes there
  kUrgentChannel,      // no time passes while somebody can synchronise on it
  kChannelPriorities,  // all of them
  kProcessPriorities,  // all of them
};

/// "guard", "invariant", …
[[nodiscard]] std::string_view name_of(ObstacleKind kind);

struct Obstacle {
  ObstacleKind kind = ObstacleKind::kGuard;
  EdgeDeclId edge;          // kGuard, kSynchronisation, kUpdate
  LocationDeclId location;  // kInvariant, kCommitted, kUrgentLocation
  VariableId channel;       // kUrgentChannel
  /// kGuard, kInvariant: the conjunct, as positions of operands from the guard or invariant down.
  std::vector<std::size_t> path;
  std::size_t update = 0;  // kUpdate: which

  friend auto operator<=>(const Obstacle&, const Obstacle&) = default;
};

/// A maximal part of a guard or invariant that is joined to the others by `&&`.
struct Conjunct {
  std::vector<std::size_t> path;
  ExprId expression;
};

/// None of an invalid expression.
[[nodiscard]] std::vector<Conjunct> conjuncts_of(const Network& network, ExprId constraint);

// What stands at one element, in the order in which it is written.
[[nodiscard]] std::vector<Obstacle> guards_at(const Network& network, EdgeId edge);
[[nodiscard]] std::vector<Obstacle> invariants_at(const Network& network, LocationId location);
[[nodiscard]] std::vector<Obstacle> synchronisations_at(const Network& network, EdgeId edge);
[[nodiscard]] std::vector<Obstacle> updates_at(const Network& network, EdgeId edge);

/// Committed and urgent locations, urgent channels, priorities: of the whole network.
[[nodiscard]] std::vector<Obstacle> orders_of(const Network& network);

/// The conjunct, channel or update of some process of the template; invalid for what is no
/// expression.
[[nodiscard]] ExprId expression_of(const Network& network, const Obstacle& obstacle);

/// Where it is written; of a kind of location, the location. Priorities are nowhere.
[[nodiscard]] SourceRange place_of(const Network& network, const Obstacle& obstacle);

/// The network in which none of these stands in the way. Conjuncts about variables are still
/// evaluated, and what they use is still used, but need not hold.
[[nodiscard]] Network without(const Network& network, std::span<const Obstacle> obstacles);

/// A comparison `left op right + shift` in place of a conjunct.
struct Easing {
  ExprKind op = ExprKind::kLessEqual;
  std::int64_t shift = 0;
};

/// The same network, but this conjunct, a comparison, only becomes another one. None: the numbers
/// are too large.
[[nodiscard]] std::optional<Network> eased(const Network& network,
                                           std::span<const Obstacle> obstacles,
                                           const Obstacle& conjunct,
                                           const Easing& easing);

}  // namespace tw
