// The states that a test passes, made again one after the other: a suite keeps its steps only. A
// model of a thousand variables and a suite of a million steps would not fit in memory otherwise.
#pragma once

#include <cstddef>
#include <span>

#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

class TestStates {
 public:
  /// In the initial state. The network is borrowed and outlives this.
  explicit TestStates(const Network& network);

  /// Back to the initial state: another test may begin.
  void restart();

  /// Waits and takes step number i, from 0. Pre: the test runs, and those before it were taken
  /// since the last restart.
  void take(const Test& test, std::size_t i);

  /// Right after the last step.
  [[nodiscard]] const Snapshot& state() const { return snapshot_; }
  /// On which that step synchronised; invalid: it was internal, or a wait.
  [[nodiscard]] ChannelId channel() const { return channel_; }

 private:
  void show();

  const Network& network_;
  replay::RunState run_;
  Snapshot snapshot_;
  ChannelId channel_;
};

/// The channel a step synchronises on, in a state with these cells; invalid: internal, or a wait.
[[nodiscard]] ChannelId channel_of(const Network& network,
                                   std::span<const std::int32_t> cells,
                                   const Step& step);

}  // namespace tw
