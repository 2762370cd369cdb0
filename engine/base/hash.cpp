#include "engine/base/hash.hpp"

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): the library's own switch
#include <xxhash.h>

namespace tw {

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace tw
