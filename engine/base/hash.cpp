#include "engine/base/hash.hpp"

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): the library's own switch
#include <xxhash.h>

namespace tw {

std::uint64_t hash_words(std::span<const std::uint64_t> words) {
  return XXH3_64bits(words.data(), words.size_bytes());
}

}  // namespace tw
