// What the operating system says about our memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tw {

/// What a vector will take soon at the most: when it is nearly full, the old and the new memory
/// while it moves.
template <class T>
[[nodiscard]] std::size_t bytes_when_growing(const std::vector<T>& v) {
  constexpr std::size_t kSoon = 1024;
  const std::size_t now = v.capacity() * sizeof(T);
  return v.size() + v.capacity() / 8 + kSoon < v.capacity() ? now : 3 * now;
}

/// Bytes of this process that are in memory now; 0 if unknown.
[[nodiscard]] std::uint64_t resident_bytes();

/// The most there ever were.
[[nodiscard]] std::uint64_t peak_resident_bytes();

/// Gives memory that was freed back to the operating system, as far as it can be told apart.
void return_freed_memory();

/// From now on some memory is kept in reserve. When no more is to be had, the reserve is let go, so
/// that there is some to end with, and memory_ran_out() says so.
void keep_memory_reserve();
[[nodiscard]] bool memory_ran_out();

}  // namespace tw
