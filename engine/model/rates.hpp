// Clocks that may stand still.
#pragma once

#include "engine/model/network.hpp"

namespace tw {

/// The model speaks of rates (`x' == 0`). Then zones contain more than what can happen, and what is
/// found in them is certain only once it was confirmed by a run (docs/algorithms.md 3.7).
[[nodiscard]] bool has_rates(const Network& network);

}  // namespace tw
