// What was worked out for states that agree in some bits. A table without collision lists: a slot
// holds the last answer that fell on it, whose memory is used again. HOT: bench semantics/expand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/hash.hpp"
#include "engine/semantics/packed_layout.hpp"

namespace tw {

template <class Answer>
class BitsCache {
 public:
  explicit BitsCache(std::span<const StateBits> bits)
      : bits_(bits.begin(), bits.end()),
        keys_(kSlots * bits.size()),
        answers_(kSlots),
        used_(kSlots) {}

  /// Null: it is not remembered. Good until another one is added.
  [[nodiscard]] const Answer* find(const std::uint64_t* state) const {
    const std::size_t slot = slot_of(state);
    const std::uint64_t* const key = keys_.data() + slot * bits_.size();
    std::uint64_t different = used_[slot] != 0 ? 0 : 1;
    for (std::size_t i = 0; i < bits_.size(); ++i)
      different |= key[i] ^ (state[bits_[i].word] & bits_[i].mask);
    return different == 0 ? &answers_[slot] : nullptr;
  }

  /// To be filled in: at first it is the answer for other states, or none.
  [[nodiscard]] Answer& add(const std::uint64_t* state) {
    const std::size_t slot = slot_of(state);
    for (std::size_t i = 0; i < bits_.size(); ++i)
      keys_[slot * bits_.size() + i] = state[bits_[i].word] & bits_[i].mask;
    used_[slot] = 1;
    return answers_[slot];
  }

  void clear() { used_.assign(used_.size(), 0); }

 private:
  static constexpr std::size_t kSlots = 512;

  [[nodiscard]] std::size_t slot_of(const std::uint64_t* state) const {
    std::uint64_t hash = 0;
    for (const StateBits& part : bits_)
      hash = mix_words(hash, state[part.word] & part.mask);
    return hash % kSlots;
  }

  std::vector<StateBits> bits_;
  std::vector<std::uint64_t> keys_;  // by slot
  std::vector<Answer> answers_;
  std::vector<char> used_;
};

}  // namespace tw
