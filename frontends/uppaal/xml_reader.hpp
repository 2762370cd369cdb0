// Reads UPPAAL's XML format (docs/uppaal.md 1) into the syntax tree: any version of the format,
// elements in any order. The DTD is never fetched, external entities are never resolved.
#pragma once

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"

namespace tw::uppaal {

/// file.text is UTF-8 without byte-order mark (see decode_model). Fills file.parts with the XPath
/// address of every text, and reports what is wrong; the document is then as complete as the file
/// allows.
void read_xml(SourceFile& file, ast::Document& document, Diagnostics& diagnostics);

}  // namespace tw::uppaal
