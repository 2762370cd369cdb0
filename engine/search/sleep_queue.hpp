// Who sleeps in the entries that wait, first in, first out: sets of processes, in as few bytes each
// as there are processes to tell apart. Memory is given back piece by piece. HOT.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "engine/semantics/successor_list.hpp"

namespace tw {

class SleepQueue {
 public:
  explicit SleepQueue(std::size_t processes)
      : width_((std::clamp<std::size_t>(processes, 1, kSleepers) + kByteBits - 1) / kByteBits),
        mask_(~Sleep{0} >> (kByteBits * (sizeof(Sleep) - width_))) {}

  void push(Sleep sleeping) {
    if (end_ % kPerPiece == 0)
      add_piece();
    // What is too much will be overwritten by the next one.
    std::memcpy(pieces_.back().get() + end_ % kPerPiece * width_, &sleeping, sizeof sleeping);
    ++end_;
  }

  /// The first ones. Pre: there are as many.
  void take(std::size_t count, std::vector<Sleep>& out) {
    out.resize(count);
    for (Sleep& sleeping : out) {
      std::memcpy(&sleeping, pieces_.front().get() + first_ % kPerPiece * width_, sizeof sleeping);
      sleeping &= mask_;
      ++first_;
      if (first_ % kPerPiece == 0)
        remove_piece();
    }
  }

  [[nodiscard]] std::size_t bytes() const { return pieces_.size() * piece_bytes(); }

 private:
  static constexpr std::size_t kByteBits = 8;
  static constexpr std::size_t kPerPiece = 4096;

  // Eight bytes can be read and written where any of them begins.
  [[nodiscard]] std::size_t piece_bytes() const { return kPerPiece * width_ + sizeof(Sleep); }
  // Apart, so that the rest is compiled in place.
  [[gnu::noinline]] void add_piece() {
    pieces_.push_back(spare_ ? std::move(spare_)
                             : std::make_unique_for_overwrite<unsigned char[]>(piece_bytes()));
  }
  [[gnu::noinline]] void remove_piece() {
    spare_ = std::move(pieces_.front());
    pieces_.pop_front();
  }

  std::size_t width_;  // bytes of a set
  Sleep mask_;
  std::deque<std::unique_ptr<unsigned char[]>> pieces_;
  std::unique_ptr<unsigned char[]> spare_;
  // Counted from the beginning of time.
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

}  // namespace tw
