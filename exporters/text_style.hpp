// How text for people is shown: on a terminal of some width, with colours or without.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tw {

struct TextStyle {
  std::size_t width = 0;  // 0: lines of any length
  bool colours = false;
};

enum class Ink {
  kBold,
  kDim,
  kGreen,
  kYellow,
  kRed,
};

/// Colours count as width when text is wrapped: wrap first.
[[nodiscard]] inline std::string paint(TextStyle style, Ink ink, std::string_view text) {
  if (!style.colours)
    return std::string(text);
  std::string_view code;
  switch (ink) {
    case Ink::kBold:
      code = "1";
      break;
    case Ink::kDim:
      code = "2";
      break;
    case Ink::kGreen:
      code = "32";
      break;
    case Ink::kYellow:
      code = "33";
      break;
    case Ink::kRed:
      code = "31";
      break;
  }
  return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

}  // namespace tw
