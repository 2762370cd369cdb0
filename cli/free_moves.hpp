// Who could act if clocks allowed it: guards are decided as far as variables decide them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/replay/moves.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

class FreeMoves {
 public:
  /// The system is borrowed and outlives this.
  explicit FreeMoves(const System& system);

  /// From a packed discrete state, in the order of replay::moves_from. What makes a run-time error
  /// is left out.
  [[nodiscard]] std::vector<replay::Move> from(const std::uint64_t* state);

 private:
  void take(std::uint32_t index, std::size_t selects_set, const replay::Move& so_far);
  void go_on(std::uint32_t index, replay::Move move);

  const System* system_;  // borrowed
  std::vector<std::int32_t> memory_;
  std::vector<std::uint32_t> locations_;
  std::vector<replay::Move> found_;
};

}  // namespace tw
