// Says which version of a file something was made from. The only place that knows nettle.
#pragma once

#include <string>
#include <string_view>

namespace tw {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace tw
