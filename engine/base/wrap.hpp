// Text for a terminal of some width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tw {

/// How many columns a text takes: characters, not bytes.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// The words of a line on as many lines as it takes, each but the first behind so many blanks. A
/// word that is too long is not cut; blanks at the beginning are kept. Width 0: no limit. No line
/// feed at the end.
[[nodiscard]] std::string wrap(std::string_view line, std::size_t width, std::size_t indent);

/// The same, but what stands between two commas stays on one line where a line has room for it.
[[nodiscard]] std::string wrap_list(std::string_view line, std::size_t width, std::size_t indent);

}  // namespace tw
