#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tw {

/// Grows without moving what it holds and without needing the old and the new memory at once, as a
/// std::vector would: for arrays that may fill the machine.
template <class T>
class ChunkedVector {
 public:
  void push_back(T value) {
    if ((size_ & kMask) == 0)
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(kMask + 1));
    chunks_[size_ >> kShift][size_ & kMask] = value;
    ++size_;
  }

  [[nodiscard]] const T& operator[](std::size_t i) const { return chunks_[i >> kShift][i & kMask]; }

  [[nodiscard]] T& operator[](std::size_t i) { return chunks_[i >> kShift][i & kMask]; }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] std::size_t bytes() const { return chunks_.size() * (kMask + 1) * sizeof(T); }

 private:
  static constexpr std::size_t kShift = 12;
  static constexpr std::size_t kMask = (std::size_t{1} << kShift) - 1;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace tw
