// The UPPAAL front end from end to end: bytes, text, syntax tree, checked network.

#include <algorithm>
#include <utility>

#include "frontends/load.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/checker.hpp"
#include "frontends/uppaal/encoding.hpp"
#include "frontends/uppaal/parser.hpp"
#include "frontends/uppaal/source_text.hpp"
#include "frontends/uppaal/xml_reader.hpp"

namespace tw {
namespace {

// Growing the pool step by step would copy it several times; a node takes at least a few bytes of
// text.
void reserve(uppaal::ast::Document& document, const SourceFile& file) {
  constexpr std::size_t kBytesPerExpression = 8;
  constexpr std::size_t kMost = 1'000'000;
  document.exprs.reserve(std::min(file.text.size() / kBytesPerExpression, kMost));
}

std::optional<Network> check_and_freeze(const uppaal::ast::Document& document,
                                        const SourceFile& file,
                                        Diagnostics& diagnostics) {
  NetworkBuilder builder;
  uppaal::Checker(document, file, builder, diagnostics).run();
  if (diagnostics.has_errors())
    return std::nullopt;
  return builder.freeze(diagnostics);
}

}  // namespace

std::optional<Network> load_uppaal_xml(SourceFile& file, Diagnostics& diagnostics) {
  file.text = uppaal::decode_model(file.text, uppaal::ModelFormat::kXml, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  uppaal::ast::Document document;
  reserve(document, file);
  uppaal::read_xml(file, document, diagnostics);
  return check_and_freeze(document, file, diagnostics);
}

std::optional<Network> load_uppaal_text(SourceFile& file, Diagnostics& diagnostics) {
  file.text = uppaal::decode_model(file.text, uppaal::ModelFormat::kText, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  uppaal::SourceText text;
  text.append(file.text, 0);
  text.set_where({.begin = 0, .end = static_cast<std::uint32_t>(file.text.size())});
  uppaal::ast::Document document;
  reserve(document, file);
  document.where = text.where();
  uppaal::Parser(document, diagnostics).text_model(text);
  return check_and_freeze(document, file, diagnostics);
}

}  // namespace tw
