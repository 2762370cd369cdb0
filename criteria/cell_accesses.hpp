// Which edges may define and use each cell of the state and each clock, read off the text:
// candidates for def-use pairs. Over-approximations throughout: `a[i] = 1` may define any cell of
// `a`, a call whatever its body mentions.
//
// "By cell" counts as events do: clocks behind all memory (Network::cell_of). What is neither state
// nor clock has a number as well, but no accesses.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// Update hooks act as one edge behind the last, as in rules; the initial definition as the next.
[[nodiscard]] EdgeId hook_edge(const Network& network);
[[nodiscard]] EdgeId initial_edge(const Network& network);

/// One more than the last number of a cell or clock.
[[nodiscard]] std::size_t cell_count(const Network& network);

/// The accesses of one cell or clock, each edge once, in ascending order.
struct CellAccesses {
  struct Use {
    EdgeId edge;
    bool early = false;  // may see the source state of the step, before any update
    bool late = false;   // may see the updates of the edges before it in the step

    friend bool operator==(const Use&, const Use&) = default;
  };

  struct Definition {
    EdgeId edge;
    bool always = false;  // whenever the edge fires

    friend bool operator==(const Definition&, const Definition&) = default;
  };

  std::vector<Use> uses;  // those local to their edge aside
  std::vector<Definition> definitions;

  friend bool operator==(const CellAccesses&, const CellAccesses&) = default;
};

struct AccessOptions {
  DefUseReading reading = DefUseReading::kSequential;
  InvariantUses invariants = InvariantUses::kNone;
  std::optional<UseKind> uses;  // only this kind; none: all
  std::vector<bool> cells;      // by cell: which to look at
};

/// By cell; nullopt if there are too many to keep.
[[nodiscard]] std::optional<std::vector<CellAccesses>> cell_accesses(const Network& network,
                                                                     const AccessOptions& options);

}  // namespace tw
