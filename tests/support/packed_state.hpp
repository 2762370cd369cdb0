// A state of the interpreter, as the engine stores it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/replay/run_state.hpp"
#include "engine/semantics/system.hpp"

namespace tw::test {

inline std::vector<std::uint64_t> pack(const System& system, const replay::RunState& state) {
  std::vector<std::uint32_t> locations;
  for (std::size_t p = 0; p < state.locations.size(); ++p) {
    const Process& process = system.network().processes[ProcessId(p)];
    locations.push_back(
        static_cast<std::uint32_t>(state.locations[p].index() - process.first_location.index()));
  }
  std::vector<std::uint64_t> out(system.layout().words());
  system.layout().pack(locations, state.cells.data(), out.data());
  return out;
}

}  // namespace tw::test
