#pragma once

#include <cstddef>
#include <utility>

namespace tw {

/// Zeroed memory straight from the operating system, for tables that may fill the machine: what was
/// never touched takes no room, and large ones are made of large pages where there are any, since
/// most of the price of a look-up in them is finding the page.
class Pages {
 public:
  Pages() = default;
  /// How it will be filled: all over, or from the beginning, so that only what is filled may count.
  enum class Use {
    kAll,
    kGradual,
  };
  /// Throws std::bad_alloc.
  Pages(std::size_t bytes, Use use);
  ~Pages() { release(); }
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    if (this != &other) {
      release();
      data_ = std::exchange(other.data_, nullptr);
      bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void release() noexcept;

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tw
