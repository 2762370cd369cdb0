// A vector whose first few elements live inside it. Trees have mostly one to three children per
// node; a heap block for each was a fifth of the time it takes to load a model.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace tw {

template <class T, std::size_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements are moved between the two homes by copy");

 public:
  SmallVector() = default;

  SmallVector(std::initializer_list<T> items) {
    for (const T& item : items)
      push_back(item);
  }

  void push_back(T item) {
    if (count_ < kInline) {
      inline_[count_] = item;
    } else {
      if (spilled_ == nullptr)
        spilled_ = std::make_unique<std::vector<T>>(inline_.begin(), inline_.end());
      spilled_->push_back(item);
    }
    ++count_;
  }

  [[nodiscard]] std::size_t size() const { return count_; }

  [[nodiscard]] bool empty() const { return count_ == 0; }

  [[nodiscard]] const T* data() const {
    return spilled_ == nullptr ? inline_.data() : spilled_->data();
  }

  [[nodiscard]] const T& operator[](std::size_t i) const {
    assert(i < count_);
    return data()[i];
  }

  [[nodiscard]] const T& front() const { return (*this)[0]; }

  [[nodiscard]] const T& back() const { return (*this)[count_ - 1]; }

  [[nodiscard]] const T* begin() const { return data(); }

  [[nodiscard]] const T* end() const { return data() + count_; }

  [[nodiscard]] std::span<const T> span() const { return {data(), count_}; }

 private:
  std::uint32_t count_ = 0;
  std::array<T, kInline> inline_{};
  std::unique_ptr<std::vector<T>> spilled_;  // all elements, once they are more than kInline
};

}  // namespace tw
