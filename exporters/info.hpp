// What was loaded, for people (text) and for scripts (JSON with stable names).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/diagnostics.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// What exploring the model showed.
struct StateCounts {
  std::uint64_t states = 0;                      // with clocks symbolic ones
  std::optional<std::uint64_t> discrete_states;  // with clocks: of locations and variables
  std::uint64_t transitions = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t depth = 0;
  std::uint64_t bytes_per_state = 0;
  double seconds = 0;
  bool exhaustive = false;
  std::string limit;  // what ended it early: "states", "memory", "time", "model-error", "interrupt"
};

/// All are borrowed for the call.
struct InfoSource {
  const Network& network;
  const SourceFile& file;
  const Diagnostics& diagnostics;
  std::string_view format;
  std::optional<StateCounts> counts = std::nullopt;  // if it was explored
};

[[nodiscard]] std::string info_text(const InfoSource& source);
[[nodiscard]] std::string info_json(const InfoSource& source);

/// Only what is wrong, in the same JSON form, for a model that could not be loaded.
[[nodiscard]] std::string diagnostics_json(const SourceFile& file, const Diagnostics& diagnostics);

}  // namespace tw
