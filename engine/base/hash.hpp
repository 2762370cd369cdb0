// Hashing of packed states: XXH3, the fastest good hash for short keys. The only place that knows
// xxHash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw {

[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes);

[[nodiscard]] inline std::uint64_t hash_words(std::span<const std::uint64_t> words) {
  return hash_bytes(std::as_bytes(words));
}

}  // namespace tw
