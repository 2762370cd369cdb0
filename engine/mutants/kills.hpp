// Which tests notice which mutants.
//
// A test is a script: it demands its steps, each by the edges that fire, with the values of their
// selects, after its delay. It observes the channel of every step and all variables after it, but
// neither locations nor clocks. It *kills* a mutant on which a delay or step is not possible, or
// shows something else.
//
// Many tests on many mutants are the same few transitions again and again. Transitions of the
// original are interned; on one mutant each is taken at most once from each state, and not at all
// where the mutant cannot differ. Steps are carried out by the second interpreter, with exact
// times.
#pragma once

#include <vector>

#include "engine/mutants/mutant.hpp"
#include "engine/suite/test_runs.hpp"

namespace tw {

/// By test: whether it kills the mutant. What cannot be evaluated in the mutant is absent there.
/// Where the budget is spent nothing is known.
[[nodiscard]] std::vector<bool> kills(const TestRuns& runs, const Mutant& mutant);

}  // namespace tw
