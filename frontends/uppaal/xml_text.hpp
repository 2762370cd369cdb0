// The texts of an XML model with their way back into the file. pugixml is told to leave every byte
// as it stands, so a node's offset is a file offset; entities are decoded here, where the mapping
// is kept. Internal to the XML reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/source_text.hpp"

namespace pugi {
class xml_attribute;
class xml_node;
}  // namespace pugi

namespace tw::uppaal {

class XmlText {
 public:
  /// Both are borrowed and outlive this object.
  XmlText(SourceFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  /// All text and CDATA of an element, joined; XML comments do not end it. Registers the text as a
  /// part of the file under this XPath address.
  [[nodiscard]] SourceText content(const pugi::xml_node& element, std::string address);

  /// none: the element has no such attribute. Unknown entities inside are reported.
  [[nodiscard]] std::optional<ast::Name> attribute(const pugi::xml_node& element, const char* name);

  /// The start of the start tag, up to the id if that is the first attribute: `<location id="id0"`.
  [[nodiscard]] static SourceRange tag(const pugi::xml_node& element);

  /// The name of an attribute of this element.
  [[nodiscard]] static SourceRange name_of(const pugi::xml_node& element,
                                           const pugi::xml_attribute& attribute);

  /// "gate.xml:6:5", for messages that speak of a second place. Takes time linear in the file, so
  /// empty once the diagnostics are full and the message would not be stored.
  [[nodiscard]] std::string place(SourceRange where) const;

  /// Call once at the end: brings the parts into the order that SourceFile promises.
  void sort_parts();

 private:
  // A piece of the file as pugixml hands it out, and where it begins.
  struct Raw {
    std::string_view text;
    std::size_t offset = 0;
  };

  void decode(Raw raw, SourceText& out);
  std::size_t decode_entity(Raw raw, std::size_t at, SourceText& out);
  void report_ampersand(Raw raw, std::size_t at, std::size_t length);

  SourceFile& file_;
  Diagnostics& diagnostics_;
};

/// A word of the user in quotes, shortened and on one line.
[[nodiscard]] std::string quoted(std::string_view word);

}  // namespace tw::uppaal
