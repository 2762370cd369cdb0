// What the operating system says about our memory.
#pragma once

#include <cstdint>

namespace tw {

/// Bytes of this process that are in memory now; 0 if unknown.
[[nodiscard]] std::uint64_t resident_bytes();

/// The most there ever were.
[[nodiscard]] std::uint64_t peak_resident_bytes();

}  // namespace tw
