// Which values nobody can read any more. A variable that is written before it is read again makes
// states differ that behave alike; where each of these gets one value, they are one
// (docs/algorithms.md 5.3). In models, that is a message once it was received, or a loop counter
// behind its loop.
//
// A cell is live in a location of a process if the process may read it on some way from there,
// before it certainly writes it itself; or, for what a receiver reads, before all its senders do,
// whose updates run first. It is dead in a state if it is live nowhere. That is told edge by edge:
// an edge forgets what is dead in its target, unless other processes may read it. What is forgotten
// is forgotten always: a cell that others change while its only reader is elsewhere is left alone,
// or a state space might be larger than before. Since nobody reads it, there is no event either
// that would depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/network.hpp"

namespace tw {

/// By edge: state cells that are dead when a step with this edge is over, wherever other processes
/// are, and were not, or need not have been, before. None of those that are `observed` (by cell;
/// shorter means not). Empty: there is nothing to forget.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> dead_cells(const Network& network,
                                                                 const std::vector<bool>& observed);

}  // namespace tw
