#include "frontends/uppaal/xml_template.hpp"

#include <array>
#include <utility>

#include <pugixml.hpp>

#include "frontends/uppaal/xml_names.hpp"

namespace tw::uppaal {
namespace {

constexpr std::array<std::string_view, 7> kTemplateOrder = {
    "name", "parameter", "declaration", "location", "branchpoint", "init", "transition"};

}  // namespace

ast::Template XmlTemplate::read(const pugi::xml_node& element) {
  const std::size_t errors = diagnostics_.errors();
  result_.where = XmlText::tag(element);
  result_.name.where = result_.where;
  XmlOrder order(kTemplateOrder);
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() != pugi::node_element)
      continue;
    watch_order(child, order);
    words_.check_element(child);
    words_.check_attributes(child);
    read_child(child);
  }
  if (result_.name.text.empty())
    diagnostics_.error(result_.where, "template without name",
                       "add <name>…</name> as the first element of the template");
  if (result_.locations.empty())
    diagnostics_.error(result_.where, "template without locations",
                       "add a location, or remove the template");
  else
    check_initial();
  for (ast::Edge& edge : result_.edges) {
    check_end(edge.source);
    check_end(edge.target);
  }
  result_.incomplete = diagnostics_.errors() != errors;
  return std::move(result_);
}

void XmlTemplate::read_child(const pugi::xml_node& child) {
  const std::string_view name = child.name();
  if (name == "name") {
    if (first(child, name_seen_))
      read_name(child);
  } else if (name == "parameter") {
    if (!first(child, parameter_seen_))
      return;
    if (const SourceText text = xml_.content(child, address_ + "/parameter"); !text.blank())
      result_.parameters = parser_.parameters(text);
  } else if (name == "declaration") {
    if (!first(child, declaration_seen_))
      return;
    if (const SourceText text = xml_.content(child, address_ + "/declaration"); !text.blank())
      result_.declarations = parser_.template_declarations(text);
  } else if (name == "location") {
    read_location(child);
  } else if (name == "branchpoint") {
    read_branchpoint(child);
  } else if (name == "init") {
    if (first(child, init_seen_))
      read_init(child);
  } else if (name == "transition" || name == "edge") {
    read_transition(child);
  }
}

void XmlTemplate::read_name(const pugi::xml_node& element) {
  const SourceText text = xml_.content(element, address_ + "/name");
  result_.name = uppaal::read_name(text, "template", diagnostics_);
  if (!result_.name.text.empty())
    result_.where = result_.name.where;
}

void XmlTemplate::read_init(const pugi::xml_node& element) {
  result_.initial = xml_.attribute(element, "ref");
  if (!result_.initial || result_.initial->text.empty()) {
    diagnostics_.error(XmlText::tag(element), "init without ref",
                       "write <init ref=\"…\"/> with the id of the initial location");
    result_.initial.reset();
  }
}

void XmlTemplate::read_branchpoint(const pugi::xml_node& element) {
  ast::Branchpoint branchpoint;
  branchpoint.where = XmlText::tag(element);
  branchpoint.id = read_id(element, false);
  branchpoint.layout = read_layout(element);
  result_.branchpoints.push_back(std::move(branchpoint));
}

std::string XmlTemplate::read_id(const pugi::xml_node& element, bool is_location) {
  std::optional<ast::Name> id = xml_.attribute(element, "id");
  if (!id || id->text.empty()) {
    diagnostics_.error(XmlText::tag(element), std::string(element.name()) + " without id",
                       "add an attribute id=\"…\" that is unique in the template");
    return {};
  }
  const auto [entry, is_new] =
      ids_.try_emplace(id->text, Identified{.where = id->where, .is_location = is_location});
  if (!is_new)
    diagnostics_.error(id->where, "id " + quoted(id->text) + " is used twice in one template",
                       "give each location and branchpoint an id of its own (the first one is at " +
                           xml_.place(entry->second.where) + ')');
  return std::move(id->text);
}

bool XmlTemplate::first(const pugi::xml_node& element, std::optional<SourceRange>& seen) {
  if (seen) {
    report_second(element, *seen);
    return false;
  }
  seen = XmlText::tag(element);
  return true;
}

void XmlTemplate::report_second(const pugi::xml_node& element, SourceRange earlier) {
  diagnostics_.error(XmlText::tag(element),
                     "second element " + quoted(element.name()) + ", expected at most one",
                     "keep one of them (the first one is at " + xml_.place(earlier) + ')');
}

void XmlTemplate::watch_order(const pugi::xml_node& child, XmlOrder& order) {
  const std::string_view name = child.name();
  if (order.accept(name == "edge" ? "transition" : name) || order_reported_)
    return;
  order.warn(XmlText::tag(child), name, diagnostics_);
  order_reported_ = true;
}

void XmlTemplate::check_initial() {
  if (!result_.initial) {
    if (!init_seen_)
      diagnostics_.error(result_.where, "template without initial location",
                         "add <init ref=\"…\"/> with the id of a location of this template");
    return;
  }
  const ast::Name& initial = *result_.initial;
  const auto found = ids_.find(initial.text);
  const bool fits = found != ids_.end() && found->second.is_location;
  if (found == ids_.end())
    diagnostics_.error(initial.where, "no location has id " + quoted(initial.text),
                       "let ref name the id of a location of this template");
  else if (!found->second.is_location)
    diagnostics_.error(initial.where,
                       "initial location " + quoted(initial.text) + " is a branchpoint",
                       "let ref name the id of a location of this template");
  if (!fits)
    result_.initial.reset();
}

// An end that leads nowhere has an empty name from here on.
void XmlTemplate::check_end(ast::Name& name) {
  if (name.text.empty() || ids_.contains(name.text))
    return;
  diagnostics_.error(name.where, "no location or branchpoint has id " + quoted(name.text),
                     "correct the ref, add a location with this id to the template, or remove the "
                     "transition");
  name.text.clear();
}

}  // namespace tw::uppaal
