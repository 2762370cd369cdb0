// From templates to processes: binds parameters, copies what depends on them, and gives every variable its
// place in memory. Part of NetworkBuilder::freeze().
//
// A copy is made by walking the expression and replacing leaves: a value parameter or local by the
// process's own variable, a reference parameter by the expression it is bound to. Expressions that mention
// nothing of a template are shared by all processes.
#pragma once

#include "engine/base/diagnostics.hpp"
#include "engine/model/evaluate.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct Limits;

/// Fills the lower storey of the network; false if a diagnostic was an error.
[[nodiscard]] bool make_processes(Network& network,
                                  ConstantValues& constants,
                                  const Limits& limits,
                                  Diagnostics& diagnostics);

/// Places all variables; the last step. initial holds one value per cell, then per clock, by variable.
[[nodiscard]] bool lay_out_memory(Network& network,
                                  const ConstantValues& initial,
                                  const Limits& limits,
                                  Diagnostics& diagnostics);

}  // namespace tw
