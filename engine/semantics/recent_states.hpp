// The states that came last. Most successors are not new, and most of those that are not were met
// a moment ago: steps of different processes commute, so neighbours in the queue lead to the same
// states. A table that fits the cache of a core recognises them before the large one is asked,
// whose lines have to come from memory.
//
// A table without collision lists: a slot holds the last state that fell on it. HOT: bench
// search/explore.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tw {

class RecentStates {
 public:
  /// `words`: of a state. `notes`: words for whoever meets it.
  explicit RecentStates(std::size_t words, std::size_t notes = 0)
      : words_(words),
        stride_(words + notes),
        mask_(std::bit_floor(std::max(kBytes / sizeof(std::uint64_t) / stride_, std::size_t{2})) -
              1),
        slots_((mask_ + 1) * stride_) {
    // No hash that belongs into the first slot.
    slots_[0] = 1;
  }

  /// False: it did not come lately; now it did. Pre: the hash is that of hash_state().
  [[nodiscard]] bool meet(const std::uint64_t* state, std::uint64_t hash) {
    std::uint64_t* const slot = slots_.data() + (hash & mask_) * stride_;
    // A hash is one to one in the first word if the others are given: it stands for that word.
    std::uint64_t different = slot[0] ^ hash;
    slot[0] = hash;
    for (std::size_t i = 1; i < words_; ++i) {
      different |= slot[i] ^ state[i];
      slot[i] = state[i];
    }
    return different == 0;
  }

  /// Of the state with this hash that was met last; at first what was noted of another one.
  [[nodiscard]] std::uint64_t* notes(std::uint64_t hash) {
    return slots_.data() + (hash & mask_) * stride_ + words_;
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 17;

  std::size_t words_;
  std::size_t stride_;
  std::size_t mask_;
  std::vector<std::uint64_t> slots_;  // hash, further words, note; at first no state
};

}  // namespace tw
