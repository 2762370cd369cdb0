#include "engine/suite/suite.hpp"

#include <fmt/format.h>

namespace tw {

std::string test_name(std::size_t i) { return fmt::format("T{}", i + 1); }

}  // namespace tw
