// One <template> of an XML model: its locations, branchpoints and transitions, with the ids that
// tie them together. Ids are scoped per template, because generated files use the same ones in
// each. Internal to the XML reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/parser.hpp"
#include "frontends/uppaal/xml_labels.hpp"
#include "frontends/uppaal/xml_order.hpp"
#include "frontends/uppaal/xml_text.hpp"
#include "frontends/uppaal/xml_words.hpp"

namespace tw::uppaal {

/// Reads a single template; make a new one for the next.
class XmlTemplate {
 public:
  /// All are borrowed and outlive this object; the address is that of the <template>.
  XmlTemplate(
      XmlText& xml, XmlWords& words, Parser& parser, Diagnostics& diagnostics, std::string address)
      : xml_(xml),
        words_(words),
        parser_(parser),
        diagnostics_(diagnostics),
        address_(std::move(address)) {}

  /// Always yields a template, as complete as the file allows; what is missing has been reported.
  [[nodiscard]] ast::Template read(const pugi::xml_node& element);

 private:
  struct Identified {
    SourceRange where;
    bool is_location = false;
  };

  void read_child(const pugi::xml_node& child);
  void read_name(const pugi::xml_node& element);
  void read_init(const pugi::xml_node& element);
  void read_location(const pugi::xml_node& element);
  void read_location_labels(const XmlLabels& labels, ast::Location& location);
  void read_branchpoint(const pugi::xml_node& element);
  void read_transition(const pugi::xml_node& element);
  void read_transition_attributes(const pugi::xml_node& element, ast::Edge& edge);
  void read_transition_labels(const XmlLabels& labels, ast::Edge& edge);
  void read_end(const pugi::xml_node& end, std::optional<ast::Name>& name);

  [[nodiscard]] std::string read_id(const pugi::xml_node& element, bool is_location);
  [[nodiscard]] ast::Layout read_layout(const pugi::xml_node& element);
  [[nodiscard]] std::optional<ast::Point> read_point(const pugi::xml_node& element);
  [[nodiscard]] std::optional<std::int32_t> read_coordinate(const pugi::xml_node& element,
                                                            const char* name);

  // Whether this is the first of an element that may stand only once; reports the others.
  [[nodiscard]] bool first(const pugi::xml_node& element, std::optional<SourceRange>& seen);
  void report_second(const pugi::xml_node& element, SourceRange earlier);
  void watch_order(const pugi::xml_node& child, XmlOrder& order);
  void check_initial();
  void check_end(ast::Name& name);

  XmlText& xml_;
  XmlWords& words_;
  Parser& parser_;
  Diagnostics& diagnostics_;
  std::string address_;

  ast::Template result_;
  std::unordered_map<std::string, Identified> ids_;           // looked up only, never iterated
  std::unordered_map<std::string_view, std::size_t> counts_;  // children by name; looked up only
  std::optional<SourceRange> name_seen_;
  std::optional<SourceRange> parameter_seen_;
  std::optional<SourceRange> declaration_seen_;
  std::optional<SourceRange> init_seen_;
  bool order_reported_ = false;  // one warning per template says enough
  bool edge_reported_ = false;
};

}  // namespace tw::uppaal
