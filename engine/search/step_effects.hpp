// From the steps the semantics yields to the effects that coverage knows. HOT.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/coverage/effects.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

/// What the semantics must notice for these rules.
[[nodiscard]] Instrumentation instrumentation_for(const CoverageRules& rules);

/// … in a system that forgets dead values, as far as these rules do not see them. Its runs are
/// those of the network otherwise, step by step; it has fewer states, and is there to be searched.
[[nodiscard]] Instrumentation forgetting_for(const Network& network, const CoverageRules& rules);

/// The effects of the kinds of steps that one generator yields. They are made when they are first
/// asked for, so their order does not depend on who expanded what. Pre: the system was made with
/// instrumentation_for the effects' rules.
class StepEffects {
 public:
  /// Further kinds, in their order: events one after the other, and where those of each end.
  void add(std::span<const std::uint64_t> events, std::span<const std::uint32_t> ends);
  /// All that a generator knows.
  void add_all(const SuccessorGenerator& generator);

  /// It was asked for.
  [[nodiscard]] bool is_met(StepKindId kind) const { return kinds_[kind.index()].effect.valid(); }

  [[nodiscard]] EffectId of(StepKindId kind, Effects& effects) {
    Kind& found = kinds_[kind.index()];
    if (!found.effect.valid())
      found.effect = effects.of_events(events(kind));
    return found.effect;
  }

  /// As EventWord.
  [[nodiscard]] std::span<const std::uint64_t> events(StepKindId kind) const {
    const Kind& found = kinds_[kind.index()];
    return std::span(events_).subspan(found.first, found.end - found.first);
  }

 private:
  struct Kind {
    std::size_t first = 0;  // in events_
    std::size_t end = 0;
    EffectId effect;
  };
  std::vector<Kind> kinds_;
  std::vector<std::uint64_t> events_;
};

}  // namespace tw
