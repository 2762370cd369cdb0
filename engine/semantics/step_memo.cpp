#include "engine/semantics/step_memo.hpp"

#include <algorithm>

namespace tw {

std::uint64_t* StepMemo::remember(std::uint32_t owner,
                                  std::span<const StateBits> bits,
                                  const std::uint64_t* state,
                                  std::uint32_t answer) {
  // What was in the table comes back by itself.
  if (++misses_ > 2 * (mask_ + 1) && mask_ + 1 < kMostSlots) {
    mask_ = std::min(4 * (mask_ + 1), kMostSlots) - 1;
    slots_.assign((mask_ + 1) * stride_, 0);
    misses_ = 0;
  }
  std::uint64_t* const slot = slots_.data() + (slot_of(owner, bits, state) - slots_.data());
  slot[0] = (std::uint64_t{answer} << 32) | (owner + 1);
  for (std::size_t i = 0; i < bits.size(); ++i)
    slot[1 + i] = state[bits[i].word] & bits[i].mask;
  return slot + 1 + key_words_;
}

void StepMemo::clear() {
  slots_ = std::vector<std::uint64_t>(kFirstSlots * stride_);
  mask_ = kFirstSlots - 1;
  misses_ = 0;
}

}  // namespace tw
