// Definitions and the uses they reach, with no redefinition in between (docs/criteria.md#def-use).
// Several criteria ask for them: all uses of each definition, those in guards, those in
// computations, or any one.
//
// Items: (cell, edge that defines, edge that uses). A cell is an integer, a truth value, a clock,
// or one element of an array or struct; constants, selects, locals of functions, meta variables and
// channels are none. The initial values are a definition, called `init`; update hooks define and
// use as one more edge, called `hook`. A clock is defined by assignments and used by comparisons
// and copies; the passing of time does neither, nor does `x' == e`, which speaks of its rate. A use
// after a definition by the same edge in the same step is local to the edge and no item. Declared
// are the pairs that the text allows and that a liveness analysis leaves (liveness.hpp). Tokens:
// live(cell, edge), "the cell was last defined by this edge"; always of one process, or a
// redefinition by another process of the template would kill the wrong one.
//
// Two readings of what happens within a step:
// * sequential: uses and definitions in the order of evaluation. The value that a sender leaves for
//   its receiver is a pair within one step.
// * atomic: all uses of a step see the definitions of earlier steps; of several definitions in a
//   step the last one stays. What is live when a step begins is `visible` to its uses, until it
//   ends.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct DefinitionUses {
  std::string_view criterion;
  std::optional<UseKind> uses;  // none: all
  bool any_use = false;         // one item per definition: any use will do
};

/// Declares a whole criterion.
void declare_definition_uses(const DefinitionUses& what,
                             const Network& network,
                             const CriterionOptions& options,
                             CoverageRules& rules,
                             Diagnostics& diagnostics);

}  // namespace tw
