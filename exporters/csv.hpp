// Fields of comma-separated values, quoted as RFC 4180 says.
#pragma once

#include <string>
#include <string_view>

namespace tw {

[[nodiscard]] inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace tw
