// Remembers what was worked out in earlier states. What a process can do depends on its location
// and on the few variables its guards read, and what a step does on those its updates touch; states
// that agree there have the same answer, however much they differ elsewhere
// (docs/algorithms.md 5.1). So most successors are found without running any code: a look-up, and
// the exclusive or of what changes.
//
// A table without collisions lists: a slot holds the last answer that fell on it. HOT: bench
// semantics/expand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/hash.hpp"
#include "engine/semantics/packed_layout.hpp"

namespace tw {

class StepMemo {
 public:
  /// Answers that depend on more words of the state than this are not worth remembering.
  static constexpr std::size_t kMostWords = 4;

  /// `state_words`: of what the key is part of. `values`: how many words may be kept besides.
  StepMemo(std::size_t state_words, std::size_t values)
      : key_words_(std::min(state_words, kMostWords)),
        stride_(1 + key_words_ + values),
        slots_(kFirstSlots * stride_) {}

  /// What is remembered about an owner in a state: its answer, and the values; null: nothing. Good
  /// until the next call of remember().
  struct Memory {
    std::uint32_t answer = 0;
    const std::uint64_t* values = nullptr;

    [[nodiscard]] bool known() const { return values != nullptr; }
  };
  template <std::size_t kCount>
  [[nodiscard]] Memory look(std::uint32_t owner,
                            std::span<const StateBits, kCount> bits,
                            const std::uint64_t* state) const {
    const std::uint64_t* const slot = slot_of(owner, bits, state);
    if (static_cast<std::uint32_t>(slot[0]) != owner + 1)
      return {};
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (slot[1 + i] != (state[bits[i].word] & bits[i].mask))
        return {};
    return {.answer = static_cast<std::uint32_t>(slot[0] >> 32), .values = slot + 1 + key_words_};
  }

  /// Returns where the values go.
  std::uint64_t* remember(std::uint32_t owner,
                          std::span<const StateBits> bits,
                          const std::uint64_t* state,
                          std::uint32_t answer);

  /// It takes no more than this.
  [[nodiscard]] std::size_t most_bytes() const {
    return kMostSlots * stride_ * sizeof(std::uint64_t);
  }

  /// Forgets everything, and begins small again.
  void clear();

 private:
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::size_t kMostSlots = std::size_t{1} << 15;

  template <std::size_t kCount>
  [[nodiscard]] const std::uint64_t* slot_of(std::uint32_t owner,
                                             std::span<const StateBits, kCount> bits,
                                             const std::uint64_t* state) const {
    std::uint64_t hash = owner;
    for (const StateBits& part : bits)
      hash = mix_words(hash, state[part.word] & part.mask);
    return slots_.data() + (hash & mask_) * stride_;
  }

  std::size_t key_words_;
  std::size_t stride_;
  std::size_t mask_ = kFirstSlots - 1;
  std::uint64_t misses_ = 0;  // since the table grew
  // Owner + 1 (0: free) and answer; the words of the state it depends on; values.
  std::vector<std::uint64_t> slots_;
};

}  // namespace tw
