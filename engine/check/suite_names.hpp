// The names of a suite file looked up in a network.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"
#include "engine/suite/suite_file.hpp"

namespace tw {

class SuiteNames {
 public:
  /// The network is borrowed and outlives this.
  explicit SuiteNames(const Network& network);

  /// A value, or why there is none.
  template <class T>
  struct Found {
    std::optional<T> value;
    std::string problem;
  };

  /// The step, if the network has such edges. A delay must be given where there are clocks, and
  /// only there.
  [[nodiscard]] Found<Step> step(const SuiteFile::Step& written) const;

  /// How a state that was reached differs from what is written; a problem if that speaks of
  /// something unknown, an empty string if it does not differ.
  [[nodiscard]] Found<std::string> difference(const SuiteFile::State& written,
                                              const replay::RunState& reached) const;

  /// What a state that should be given as a whole leaves out; empty: nothing.
  [[nodiscard]] std::string gap(const SuiteFile::State& written) const;

  /// The same as difference(), where all that changed in a step should be written, and nothing
  /// else. Clocks change if they do not just go on.
  [[nodiscard]] Found<std::string> difference(const SuiteFile::State& written,
                                              const replay::RunState& before,
                                              const Rational& delay,
                                              const replay::RunState& reached) const;

 private:
  [[nodiscard]] Found<FiredEdge> edge(const SuiteFile::Edge& written) const;
  [[nodiscard]] std::string unsaid(const SuiteFile::State& written,
                                   const replay::RunState& before,
                                   const Rational& delay,
                                   const replay::RunState& reached) const;

  const Network* network_;  // borrowed
  std::unordered_map<std::string, ProcessId> processes_;
  std::unordered_map<std::string, EdgeId> edges_;  // by ElementNames::edge
  std::unordered_map<std::string, CellId> cells_;
  std::unordered_map<std::string, ClockId> clocks_;
};

}  // namespace tw
