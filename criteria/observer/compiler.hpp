// From a checked observer to items, tokens and rules.
//
// An instance of a node is a token; an accepting one is an item. Every rule of the observer looks
// at one step: at its begin the source arms a *stage*, a token that lives in this step only and
// holds the values of the rule's variables as far as they are known. What must happen moves it on,
// in whatever order it happens: there is a family of stages for every set of conditions met. What
// must not happen drops it. A stage that has met everything makes the target at the end of the
// step, or, if the rule speaks of the new state, in a state that fits.
//
// Three short cuts keep the number of tokens that of a criterion written by hand:
// * one edge decides a rule of start: no stage (Plan::is_direct);
// * an instance that stays unless something happens is dropped by that event instead of being
//   armed again in every step;
// * arguments that only end up in an item are kept as the item's key (kept_as_keys).
#pragma once

#include "criteria/observer/program.hpp"
#include "criteria/observer/values.hpp"
#include "engine/coverage/criterion.hpp"

namespace tw::observer {

/// Belongs to the criterion begun last. What does not fit becomes a diagnostic.
void compile(const Program& program,
             const ModelValues& values,
             InvariantUses invariants,
             SourceRange where,
             CoverageRules& rules,
             Diagnostics& diagnostics);

}  // namespace tw::observer
