// Why an item is not covered: what stands in its way, what is known about each part of that, and
// the edges behind it that never fire therefore. For `explain`; exporters find the words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/explain/obstacle.hpp"
#include "engine/explain/reach.hpp"
#include "engine/explain/trials.hpp"
#include "engine/model/network.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

/// What holds instead of a comparison where the item could be covered: `left op right + shift`.
struct MetBound {
  ExprId left;
  ExprKind op = ExprKind::kEqual;
  ExprId right;
  std::int64_t shift = 0;
};

struct Cause {
  Obstacle obstacle;
  // On the way past it, or else any of the template; invalid for what concerns no such thing.
  EdgeId edge;
  LocationId location;
  /// Several processes of the template pass it: it is named after the template.
  bool of_template = false;
  std::vector<MetBound> met;        // of guards and invariants: one of these; empty: not known
  std::vector<EdgeId> partners;     // kSynchronisation: who could take the other part
  std::optional<ModelError> error;  // kUpdate
};

/// An edge that never fires, though the item needs it.
struct Blocked {
  EdgeId edge;
  bool source_is_reached = true;
};

struct Causes {
  std::vector<Cause> causes;    // all of them have to go; empty: none were found
  std::vector<Blocked> behind;  // from the item back to the first cause, as the test goes
  std::uint32_t steps = 0;      // of a shortest test without the causes
  bool minimal = false;         // every one of them has to go: complete searches say so
  std::vector<LocationId> without_way_in;  // if there are no causes: nothing leads there
  bool without_edges = false;              // … nor is there an edge that would cover it
  bool cut_short = false;  // some limit or the user ended it: there may be more to say
};

/// Pre: the item is not covered. Where the network was not explored completely, "never" means "not
/// as far as was seen".
[[nodiscard]] Causes find_causes(const Network& network,
                                 const CoverageRules& rules,
                                 ItemId item,
                                 const TrialOptions& options);

}  // namespace tw
