// Hashing. Long keys: XXH3, of which only hash.cpp knows. Packed states are a few words long and
// successors share most of them, so the hash of a state is the exclusive or of one hash per word:
// a successor's hash is its parent's, corrected for the words that differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw {

[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes);

[[nodiscard]] inline std::uint64_t hash_words(std::span<const std::uint64_t> words) {
  return hash_bytes(std::as_bytes(words));
}

/// One 128-bit product, folded: all bits of both words matter for all bits of the result.
[[nodiscard]] inline std::uint64_t mix_words(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a ^ 0x9E3779B97F4A7C15U} * (b ^ 0xD6E8FEB86659FD93U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// What a word at this position contributes to the hash of a packed state. One to one for each
/// position (two rounds of the usual multiply and shift), so states of one word never collide.
[[nodiscard]] inline std::uint64_t hash_at(std::size_t position, std::uint64_t word) {
  std::uint64_t out = word + (position + 1) * 0xA0761D6478BD642FU;
  out = (out ^ (out >> 32)) * 0xD6E8FEB86659FD93U;
  out = (out ^ (out >> 32)) * 0xD6E8FEB86659FD93U;
  return out ^ (out >> 32);
}

[[nodiscard]] inline std::uint64_t hash_state(const std::uint64_t* words, std::size_t count) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < count; ++i)
    out ^= hash_at(i, words[i]);
  return out;
}

}  // namespace tw
