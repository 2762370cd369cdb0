// Elements and attributes that nobody reads. UPPAAL skips them without a word, and with <comitted/>
// goes what the user meant. Internal to the XML reader.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "engine/base/diagnostics.hpp"

namespace pugi {
class xml_node;
}

namespace tw::uppaal {

class XmlWords {
 public:
  /// Borrowed, outlives this object.
  explicit XmlWords(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Warns if the format has no such child of its parent. What looks like a slip is reported every
  /// time, other words once.
  void check_element(const pugi::xml_node& element);

  /// Warns of attributes that look like a misspelt one that the element lacks. Others are harmless:
  /// editors and tools keep notes of their own in them.
  void check_attributes(const pugi::xml_node& element);

 private:
  Diagnostics& diagnostics_;
  std::set<std::pair<std::string, std::string>> reported_;  // parent and child
};

}  // namespace tw::uppaal
