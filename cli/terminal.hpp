// What a stream is shown on.
#pragma once

#include <cstddef>
#include <string_view>

#include "exporters/text_style.hpp"

namespace tw {

/// Columns of the terminal; 0: the stream leads somewhere else, or nobody knows.
[[nodiscard]] std::size_t terminal_width(int stream);

/// A terminal that shows colours, of somebody who has not said NO_COLOR (no-color.org).
[[nodiscard]] bool wants_colours(int stream);

/// Says lines on standard error, wrapped to the terminal. Not for excerpts of files.
void say_lines(std::string_view lines);

/// How text for people is shown there.
[[nodiscard]] inline TextStyle style_of(int stream) {
  return {.width = terminal_width(stream), .colours = wants_colours(stream)};
}

}  // namespace tw
