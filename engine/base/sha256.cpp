#include "engine/base/sha256.hpp"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <nettle/sha2.h>

namespace tw {

std::string sha256_hex(std::string_view bytes) {
  sha256_ctx context{};
  sha256_init(&context);
  // nettle speaks of bytes as uint8_t, which may alias anything.
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string out;
  for (const std::uint8_t byte : digest)
    out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace tw
