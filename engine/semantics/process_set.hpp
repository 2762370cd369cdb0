#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tw {

/// Some of the processes of a network, walked in system order.
class ProcessSet {
 public:
  explicit ProcessSet(std::size_t processes)
      : processes_(processes),
        words_((processes + kBits - 1) / kBits) {}

  void set(std::size_t process, bool member) {
    const std::uint64_t bit = std::uint64_t{1} << (process % kBits);
    std::uint64_t& word = words_[process / kBits];
    word = (word & ~bit) | (member ? bit : 0);
  }
  [[nodiscard]] bool contains(std::size_t process) const {
    return (words_[process / kBits] >> (process % kBits) & 1) != 0;
  }
  [[nodiscard]] bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words_)
      all |= word;
    return all != 0;
  }
  void clear() {
    for (std::uint64_t& word : words_)
      word = 0;
  }
  void fill() {
    for (std::size_t i = 0; i < processes_; ++i)
      set(i, true);
  }

  /// Adds those for which `masks`, by process, has one of these bits.
  void add_touched(const std::uint64_t* masks, std::uint64_t bits) {
    for (std::size_t first = 0; first < processes_; first += kBits) {
      std::uint64_t word = 0;
      const std::size_t count = std::min(processes_ - first, kBits);
      // Without branches: which of them it is cannot be predicted.
      for (std::size_t i = count; i-- > 0;)
        word = word + word + ((masks[first + i] & bits) != 0 ? 1 : 0);
      words_[first / kBits] |= word;
    }
  }

  /// Calls f(process) for all but some of the first 64; false ends the walk.
  template <class F>
  void for_each_but(std::uint64_t left_out, F f) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i] & ~(i == 0 ? left_out : 0); rest != 0; rest &= rest - 1)
        if (!f(i * kBits + static_cast<std::size_t>(std::countr_zero(rest))))
          return;
  }
  template <class F>
  void for_each(F f) const {
    for_each_but(0, f);
  }

 private:
  static constexpr std::size_t kBits = 64;

  std::size_t processes_;
  std::vector<std::uint64_t> words_;
};

}  // namespace tw
