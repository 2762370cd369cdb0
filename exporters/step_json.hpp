// Steps and states as JSON, the same in suites and explanations. For this room only: it shows
// nlohmann/json.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/suite.hpp"
#include "engine/suite/test_states.hpp"
#include "exporters/names.hpp"

namespace tw {

/// Keeps the order in which members are written: the same run gives the same bytes.
using Json = nlohmann::ordered_json;

class StepWriter {
 public:
  /// The network is borrowed and outlives the writer.
  explicit StepWriter(const Network& network) : network_(&network), names_(network) {}

  /// Step number i, from 0, with its delay; from the state before it to the one after it, where it
  /// was just taken.
  [[nodiscard]] Json step(const Test& test,
                          std::size_t i,
                          const Snapshot& before,
                          const TestStates& after) const;
  [[nodiscard]] Json state(const Snapshot& snapshot) const;

 private:
  [[nodiscard]] Json edge(const FiredEdge& fired) const;
  [[nodiscard]] Json changes(const Snapshot& before,
                             const Snapshot& after,
                             const Rational& delay) const;

  const Network* network_;  // borrowed
  StateNames names_;
};

}  // namespace tw
