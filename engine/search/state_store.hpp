// All states met so far, each once: an arena of packed states and an open-addressing table of
// indices into it. States are numbered in the order of insertion, so a breadth-first queue is just
// a range of numbers: passed states lie before the one being expanded, waiting ones behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/id.hpp"

namespace tw {

using StateId = Id<struct StateTag>;

class StateStore {
 public:
  explicit StateStore(std::size_t words_per_state);

  struct Insertion {
    StateId id;
    bool is_new = false;
  };

  /// HOT: bench search/insert. The parent is kept only for a new state.
  Insertion insert(const std::uint64_t* state, StateId parent);

  [[nodiscard]] const std::uint64_t* state(StateId id) const {
    return blocks_[id.index() >> kBlockShift].get() + (id.index() & kBlockMask) * words_;
  }

  /// Invalid for the initial state.
  [[nodiscard]] StateId parent(StateId id) const { return parents_[id.index()]; }

  [[nodiscard]] std::size_t size() const { return parents_.size(); }

  /// Memory that grows with the states, as allocated.
  [[nodiscard]] std::size_t bytes() const;

 private:
  // Index and a part of the hash: most probes that fail do so without touching the arena.
  struct Slot {
    std::uint32_t index = kEmpty;
    std::uint32_t tag = 0;
  };
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  static constexpr std::size_t kBlockShift = 14;
  static constexpr std::size_t kBlockMask = (std::size_t{1} << kBlockShift) - 1;

  void grow();
  void append(const std::uint64_t* state);

  std::size_t words_;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;  // never move, so pointers stay good
  std::vector<StateId> parents_;
  std::vector<Slot> table_;
};

}  // namespace tw
