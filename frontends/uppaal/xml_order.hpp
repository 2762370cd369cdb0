// The document type definition of UPPAAL fixes the order of elements, and UPPAAL refuses files that
// violate it with misleading messages. We read any order and warn. Internal to the XML reader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.hpp"

namespace tw::uppaal {

class XmlOrder {
 public:
  /// The names in their proper order; borrowed, outlive this object.
  explicit XmlOrder(std::span<const std::string_view> names) : names_(names) {}

  /// Takes the next child; false: it should have come before one already seen. Unknown names have
  /// no place in the order.
  [[nodiscard]] bool accept(std::string_view child) {
    const auto rank = static_cast<std::size_t>(std::ranges::find(names_, child) - names_.begin());
    if (rank == names_.size())
      return true;
    if (rank < highest_)
      return false;
    highest_ = rank;
    return true;
  }

  /// Precondition: accept(child) was false.
  void warn(SourceRange where, std::string_view child, Diagnostics& diagnostics) const {
    std::string order;
    for (const std::string_view name : names_)
      order += (order.empty() ? "" : ", ") + std::string(name);
    diagnostics.warning(
        where,
        "element '" + std::string(child) + "' stands after '" + std::string(names_[highest_]) +
            "', expected it before",
        "UPPAAL itself reads this file only with the elements in the order " + order);
  }

 private:
  std::span<const std::string_view> names_;
  std::size_t highest_ = 0;
};

}  // namespace tw::uppaal
