#include "frontends/uppaal/xml_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <pugixml.hpp>

#include "frontends/uppaal/parser.hpp"
#include "frontends/uppaal/xml_malformed.hpp"
#include "frontends/uppaal/xml_order.hpp"
#include "frontends/uppaal/xml_template.hpp"
#include "frontends/uppaal/xml_text.hpp"
#include "frontends/uppaal/xml_words.hpp"

namespace tw::uppaal {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// All versions of the format in one.
constexpr std::array<std::string_view, 8> kDocumentOrder = {
    "imports", "declaration", "template", "lsc", "instantiation", "system", "simulator", "queries"};

// The children of the root element.
class DocumentReader {
 public:
  DocumentReader(XmlText& xml, ast::Document& document, Diagnostics& diagnostics)
      : xml_(xml),
        document_(document),
        diagnostics_(diagnostics),
        words_(diagnostics),
        parser_(document, diagnostics) {}

  void read(const pugi::xml_node& root);

 private:
  void read_child(const pugi::xml_node& child);
  void skip_chart(const pugi::xml_node& chart);
  void read_queries(const pugi::xml_node& queries);
  void read_query(const pugi::xml_node& element, const std::string& address);
  void read_system();
  void check_templates();

  // The text of an element that may stand only once; none for the others, which are reported.
  [[nodiscard]] std::optional<SourceText> read_once(const pugi::xml_node& element,
                                                    std::optional<SourceRange>& seen);

  XmlText& xml_;
  ast::Document& document_;
  Diagnostics& diagnostics_;
  XmlWords words_;
  Parser parser_;
  std::string address_;
  std::size_t templates_ = 0;
  std::size_t queries_ = 0;
  std::optional<SourceRange> declaration_seen_;
  std::optional<SourceRange> instantiation_seen_;
  std::optional<SourceRange> system_seen_;
  std::optional<SourceText> instantiation_;
  std::optional<SourceText> system_;
  bool declaration_is_broken_ = false;
};

void DocumentReader::read(const pugi::xml_node& root) {
  document_.where = XmlText::tag(root);
  address_ = '/' + std::string(root.name());
  XmlOrder order(kDocumentOrder);
  bool order_reported = false;
  for (const pugi::xml_node& child : root.children()) {
    if (child.type() != pugi::node_element)
      continue;
    if (!order.accept(child.name()) && !std::exchange(order_reported, true))
      order.warn(XmlText::tag(child), child.name(), diagnostics_);
    words_.check_element(child);
    read_child(child);
  }
  read_system();
  check_templates();
}

void DocumentReader::read_child(const pugi::xml_node& child) {
  const std::string_view name = child.name();
  const SourceRange tag = XmlText::tag(child);
  if (name == "imports") {
    diagnostics_.error(tag, "element 'imports' is not supported",
                       "copy the imported declarations into the model");
  } else if (name == "declaration") {
    const std::optional<SourceText> text = read_once(child, declaration_seen_);
    if (!text || text->blank())
      return;
    const std::size_t errors = diagnostics_.errors();
    parser_.global_declarations(*text);
    declaration_is_broken_ = diagnostics_.errors() != errors;
  } else if (name == "template") {
    const std::string address = address_ + "/template[" + std::to_string(++templates_) + ']';
    document_.templates.push_back(
        XmlTemplate(xml_, words_, parser_, diagnostics_, address).read(child));
  } else if (name == "lsc") {
    diagnostics_.warning(tag, "live sequence chart is skipped",
                         "only <template> elements are read as automata");
    skip_chart(child);
  } else if (name == "instantiation") {
    if (std::optional<SourceText> text = read_once(child, instantiation_seen_))
      instantiation_ = std::move(text);
  } else if (name == "system") {
    if (std::optional<SourceText> text = read_once(child, system_seen_))
      system_ = std::move(text);
  } else if (name == "queries") {
    read_queries(child);
  }
}

// Its name is kept, so that instances of it can be skipped as well.
void DocumentReader::skip_chart(const pugi::xml_node& chart) {
  const pugi::xml_node name = chart.child("name");
  if (!name)
    return;
  const SourceText text = xml_.content(name, address_ + "/lsc/name");
  const std::string_view word = text.text();
  const std::size_t first = word.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return;
  const std::size_t last = word.find_last_not_of(" \t\r\n") + 1;
  document_.skipped_templates.push_back(
      {.text = std::string(word.substr(first, last - first)), .where = text.map(first, last)});
}

std::optional<SourceText> DocumentReader::read_once(const pugi::xml_node& element,
                                                    std::optional<SourceRange>& seen) {
  const SourceRange where = XmlText::tag(element);
  if (seen) {
    diagnostics_.error(where, "second element " + quoted(element.name()) + ", expected at most one",
                       "join the two (the first one is at " + xml_.place(*seen) + ')');
    return std::nullopt;
  }
  seen = where;
  return xml_.content(element, address_ + '/' + element.name());
}

// Instances come first, wherever they stand: the system line uses their names.
void DocumentReader::read_system() {
  if (instantiation_ && !instantiation_->blank())
    parser_.instantiation_section(*instantiation_);
  if (!system_) {
    diagnostics_.error(document_.where, "the model has no system",
                       "add <system>system …;</system> naming the processes that run");
    return;
  }
  if (system_->blank()) {
    diagnostics_.error(*system_seen_, "the system is empty",
                       "name the processes that run: system …;");
    return;
  }
  document_.comments.push_back({.kind = "system", .text = std::string(system_->text())});
  parser_.system_section(*system_);
}

void DocumentReader::check_templates() {
  const auto is_process = [](const ast::Declaration& declaration) {
    return declaration.process.has_value();
  };
  // A process may have been lost in a syntax error; then that error is the one to fix.
  if (!document_.templates.empty() || declaration_is_broken_ ||
      std::ranges::any_of(document_.declarations, is_process) ||
      std::ranges::any_of(document_.system_declarations, is_process))
    return;
  diagnostics_.error(document_.where, "the model has no template",
                     "add a <template> with at least one location");
}

void DocumentReader::read_queries(const pugi::xml_node& queries) {
  for (const pugi::xml_node& child : queries.children()) {
    if (child.type() == pugi::node_element)
      words_.check_element(child);
    if (std::string_view(child.name()) == "query")
      read_query(child, address_ + "/queries/query[" + std::to_string(++queries_) + ']');
  }
}

// Stored results may take megabytes and are not looked into.
void DocumentReader::read_query(const pugi::xml_node& element, const std::string& address) {
  ast::Query query;
  query.where = XmlText::tag(element);
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() == pugi::node_element) {
      words_.check_element(child);
      words_.check_attributes(child);
    }
    const std::string_view name = child.name();
    if (name == "formula") {
      query.text = xml_.content(child, address + "/formula");
      query.formula = query.text.text();
      if (!query.text.blank())
        query.where = query.text.where();
    } else if (name == "comment") {
      query.comment = xml_.content(child, address + "/comment").text();
    } else if (name == "expect") {
      if (std::optional<ast::Name> outcome = xml_.attribute(child, "outcome"))
        query.expected = std::move(outcome->text);
    }
  }
  const auto blank = [](std::string_view text) {
    return text.find_first_not_of(kBlanks) == std::string_view::npos;
  };
  if (!blank(query.formula) || !blank(query.comment))
    document_.queries.push_back(std::move(query));
}

// Problems that pugixml would describe less well, or not at all.
bool looks_like_xml(const SourceFile& file, Diagnostics& diagnostics) {
  const std::string_view text = file.text;
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    diagnostics.error({}, "the file is empty", "a model is one element <nta>");
    return false;
  }
  if (text[begin] == '<')
    return true;
  const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  diagnostics.error(
      {.begin = static_cast<std::uint32_t>(begin), .end = static_cast<std::uint32_t>(end)},
      "this is not XML: the file begins with " + quoted(text.substr(begin, end - begin)),
      "a model in XML begins with '<?xml' or '<nta>'; name a model in text form .xta or .ta");
  return false;
}

}  // namespace

void read_xml(SourceFile& file, ast::Document& document, Diagnostics& diagnostics) {
  file.parts.clear();
  if (!looks_like_xml(file, diagnostics))
    return;
  // No decoding, no conversion of line ends: what pugixml hands out is byte-equal to the file.
  constexpr unsigned kFlags = pugi::parse_cdata | pugi::parse_ws_pcdata;
  pugi::xml_document xml;
  const pugi::xml_parse_result result =
      xml.load_buffer(file.text.data(), file.text.size(), kFlags, pugi::encoding_utf8);
  if (!result) {
    report_malformed(file, result, diagnostics);
    return;
  }
  const pugi::xml_node root = xml.document_element();
  const std::string_view name = root.name();
  if (name != "nta" && name != "project") {
    diagnostics.error(XmlText::tag(root), "root element is " + quoted(name) + ", expected 'nta'",
                      "this is no UPPAAL model; its XML begins with <nta>");
    return;
  }
  XmlText text(file, diagnostics);
  DocumentReader(text, document, diagnostics).read(root);
  for (pugi::xml_node extra = root.next_sibling(); extra; extra = extra.next_sibling())
    if (extra.type() == pugi::node_element) {
      diagnostics.warning(XmlText::tag(extra),
                          "element " + quoted(extra.name()) + " after the model is ignored",
                          "keep one root element in the file");
      break;
    }
  text.sort_parts();
}

}  // namespace tw::uppaal
