// What stands around every picture of a comparison. For this room only.
#pragma once

#include <string>

#include "exporters/comparison.hpp"
#include "exporters/svg.hpp"

namespace tw {

/// Title, what is to be seen, of which model or how many, notes; where it comes from.
[[nodiscard]] Svg::Frame picture_frame(const Comparison& comparison,
                                       const std::string& title,
                                       const std::string& what);

}  // namespace tw
