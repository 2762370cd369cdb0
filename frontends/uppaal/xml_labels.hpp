// The labels of one location or transition, sorted by kind so that they can be parsed in the order
// that the language needs, whatever the order in the file. Internal to the XML reader.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/source_text.hpp"
#include "frontends/uppaal/xml_text.hpp"

namespace tw::uppaal {

/// What labels an element may carry; the kinds of free text are kept but never parsed.
struct LabelKinds {
  std::string_view owner;  // "location", "transition"
  std::span<const std::string_view> parsed;
  std::span<const std::string_view> free_text;
};

[[nodiscard]] const LabelKinds& location_labels();
[[nodiscard]] const LabelKinds& transition_labels();

class XmlLabels {
 public:
  /// All are borrowed and outlive this object.
  XmlLabels(const LabelKinds& kinds, XmlText& xml, Diagnostics& diagnostics)
      : kinds_(kinds),
        xml_(xml),
        diagnostics_(diagnostics) {}

  /// Reads the next <label>; its address is that of the owner plus "/label[n]".
  void read(const pugi::xml_node& label, const std::string& owner_address);

  /// The text of the label of this kind; null: there is none, or it is blank.
  [[nodiscard]] const SourceText* find(std::string_view kind) const;

  /// The labels of free text, in file order.
  [[nodiscard]] std::vector<ast::Annotation> annotations() const;

 private:
  struct Label {
    std::string_view kind;  // points into kinds_
    SourceText text;
  };

  void warn_unknown(const ast::Name& kind);

  const LabelKinds& kinds_;
  XmlText& xml_;
  Diagnostics& diagnostics_;
  std::size_t count_ = 0;
  std::vector<Label> labels_;  // at most one of each kind
};

}  // namespace tw::uppaal
