// From templates to processes: binds parameters, copies what depends on them, and gives every
// variable its place in memory. Part of NetworkBuilder::freeze().
//
// A copy is made by walking the expression and replacing leaves: a value parameter or local by the
// process's own variable, a reference parameter by the expression it is bound to. Expressions that
// mention nothing of a template are shared by all processes.
#pragma once

#include <utility>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/model/evaluate.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct Limits;

/// Constants may be read while the network is built; initial values of the state are only laid out.
struct KnownValues {
  ConstantValues& constants;
  CellValues initial;

  void set(const Variable& variable, VariableId id, std::vector<std::int32_t> value) {
    const bool constant = variable.storage == Storage::kConstant;
    (constant ? constants.values : initial)[id] = std::move(value);
  }
};

/// Fills the lower storey of the network; false if a diagnostic was an error.
[[nodiscard]] bool make_processes(Network& network,
                                  KnownValues values,
                                  const Limits& limits,
                                  Diagnostics& diagnostics);

/// Places all variables; the last step. Values are one per cell, then per clock.
[[nodiscard]] bool lay_out_memory(Network& network,
                                  KnownValues& values,
                                  const Limits& limits,
                                  Diagnostics& diagnostics);

}  // namespace tw
