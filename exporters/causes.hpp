// The words for what keeps an item from being covered (engine/explain), and the same for scripts.
#pragma once

#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/explain/causes.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// References are borrowed for the call.
struct CausesReport {
  const SourceFile& file;
  const Network& network;
  const Causes& causes;
  bool exhaustive = false;  // "never" is never
  std::string limit;        // what cut the search for causes short; empty: nothing
};

/// A line per edge that never fires, from the item back, then one per cause:
/// "in the way: guard 'n > 2' of P: A -> B (model.xta:3:7); met instead: n <= 2".
[[nodiscard]] std::vector<std::string> describe_causes(const CausesReport& report);

}  // namespace tw
