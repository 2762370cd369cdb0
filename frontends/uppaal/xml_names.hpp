// Rules for names that the XML gives as plain text: of templates, locations and label kinds.
// Internal to the XML reader.
#pragma once

#include <span>
#include <string_view>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/source_text.hpp"

namespace tw::uppaal {

/// `what` is the kind of thing named: "location". Blanks around the name do not count; an empty
/// text in the result means blank. Reports what is no identifier, and warns of keywords.
[[nodiscard]] ast::Name read_name(const SourceText& text,
                                  std::string_view what,
                                  Diagnostics& diagnostics);

/// The kind of label the user probably meant; empty: none is near.
[[nodiscard]] std::string_view nearest_kind(std::string_view word,
                                            std::span<const std::string_view> kinds);

/// The one of the words that this is a slip of, in whatever case; empty: none is near.
[[nodiscard]] std::string_view nearest_word(std::string_view word,
                                            std::span<const std::string_view> words);

}  // namespace tw::uppaal
