// The part of XmlTemplate that reads locations and transitions.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <pugixml.hpp>

#include "frontends/uppaal/xml_names.hpp"
#include "frontends/uppaal/xml_template.hpp"

namespace tw::uppaal {
namespace {

constexpr std::array<std::string_view, 4> kLocationOrder = {"name", "label", "urgent", "committed"};
constexpr std::array<std::string_view, 4> kTransitionOrder = {"source", "target", "label", "nail"};

std::string indexed(const std::string& parent, std::string_view name, std::size_t index) {
  return parent + '/' + std::string(name) + '[' + std::to_string(index) + ']';
}

}  // namespace

void XmlTemplate::read_location(const pugi::xml_node& element) {
  const std::string address = indexed(address_, "location", ++counts_["location"]);
  ast::Location location;
  location.where = XmlText::tag(element);
  location.name.where = location.where;
  location.id = read_id(element, true);
  location.layout = read_layout(element);

  XmlLabels labels(location_labels(), xml_, diagnostics_);
  XmlOrder order(kLocationOrder);
  std::optional<SourceRange> name_seen;
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() != pugi::node_element)
      continue;
    watch_order(child, order);
    words_.check_element(child);
    words_.check_attributes(child);
    const std::string_view name = child.name();
    if (name == "label") {
      labels.read(child, address);
    } else if (name == "name") {
      if (first(child, name_seen))
        location.name =
            uppaal::read_name(xml_.content(child, address + "/name"), "location", diagnostics_);
    } else {
      location.urgent = location.urgent || name == "urgent";
      location.committed = location.committed || name == "committed";
    }
  }
  if (!location.name.text.empty())
    location.where = location.name.where;
  if (location.urgent && location.committed)
    diagnostics_.error(location.where, "location is both urgent and committed",
                       "keep committed only: it is the stronger of the two");
  location.urgent = location.urgent && !location.committed;
  read_location_labels(labels, location);
  result_.locations.push_back(std::move(location));
}

void XmlTemplate::read_location_labels(const XmlLabels& labels, ast::Location& location) {
  if (const SourceText* text = labels.find("invariant"))
    location.invariant = parser_.expression(*text);
  if (const SourceText* text = labels.find("exponentialrate")) {
    const Parser::Rate rate = parser_.rate(*text);
    location.rate = rate.rate;
    location.rate_divisor = rate.divisor;
  }
  location.annotations = labels.annotations();
}

void XmlTemplate::read_transition(const pugi::xml_node& element) {
  const std::string_view tag_name = element.name();
  const std::string address = indexed(address_, tag_name, ++counts_[tag_name]);
  ast::Edge edge;
  edge.where = XmlText::tag(element);
  if (tag_name == "edge" && !std::exchange(edge_reported_, true))
    diagnostics_.warning(edge.where, "element 'edge' is read as 'transition'",
                         "UPPAAL itself does not read it; write 'transition'");
  read_transition_attributes(element, edge);

  XmlLabels labels(transition_labels(), xml_, diagnostics_);
  XmlOrder order(kTransitionOrder);
  std::optional<ast::Name> source;
  std::optional<ast::Name> target;
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() != pugi::node_element)
      continue;
    watch_order(child, order);
    words_.check_element(child);
    words_.check_attributes(child);
    const std::string_view name = child.name();
    if (name == "source")
      read_end(child, source);
    else if (name == "target")
      read_end(child, target);
    else if (name == "label")
      labels.read(child, address);
    else if (name == "nail")
      edge.layout.nails.push_back(read_point(child).value_or(ast::Point{}));
  }
  for (const auto& [end, name] : {std::pair(&source, "source"), std::pair(&target, "target")})
    if (!*end)
      diagnostics_.error(edge.where, "transition without " + std::string(name),
                         "add <" + std::string(name) +
                             " ref=\"…\"/> with the id of a location or branchpoint of this "
                             "template, or remove the transition");
  edge.source = std::move(source).value_or(ast::Name{.text = {}, .where = edge.where});
  edge.target = std::move(target).value_or(ast::Name{.text = {}, .where = edge.where});
  read_transition_labels(labels, edge);
  result_.edges.push_back(std::move(edge));
}

void XmlTemplate::read_transition_attributes(const pugi::xml_node& element, ast::Edge& edge) {
  edge.layout = read_layout(element);
  if (std::optional<ast::Name> id = xml_.attribute(element, "id"))
    edge.id = std::move(id->text);
  if (std::optional<ast::Name> action = xml_.attribute(element, "action"))
    edge.action = std::move(action->text);
  const std::optional<ast::Name> controllable = xml_.attribute(element, "controllable");
  if (!controllable)
    return;
  edge.controllable = controllable->text != "false";
  if (edge.controllable && controllable->text != "true")
    diagnostics_.warning(controllable->where,
                         "controllable is " + quoted(controllable->text) +
                             ", expected 'true' or 'false'; read as 'true'",
                         "write controllable=\"false\" for a transition of the environment");
}

// select comes first because the other labels may use its names.
void XmlTemplate::read_transition_labels(const XmlLabels& labels, ast::Edge& edge) {
  if (const SourceText* text = labels.find("select"))
    edge.selects = parser_.selects(*text);
  if (const SourceText* text = labels.find("guard"))
    edge.guard = parser_.expression(*text);
  if (const SourceText* text = labels.find("synchronisation"))
    edge.sync = parser_.sync(*text);
  if (const SourceText* text = labels.find("assignment"))
    edge.updates = parser_.updates(*text);
  if (const SourceText* text = labels.find("probability"))
    edge.probability = parser_.expression(*text);
  edge.annotations = labels.annotations();
}

// <source> or <target>. An end without ref has an empty name from here on: it has been reported.
void XmlTemplate::read_end(const pugi::xml_node& end, std::optional<ast::Name>& name) {
  if (name) {
    report_second(end, name->where);
    return;
  }
  name = xml_.attribute(end, "ref");
  if (name && !name->text.empty())
    return;
  diagnostics_.error(XmlText::tag(end), std::string(end.name()) + " without ref",
                     "write <" + std::string(end.name()) +
                         " ref=\"…\"/> with the id of a location or branchpoint of this template");
  name = ast::Name{.text = {}, .where = XmlText::tag(end)};
}

ast::Layout XmlTemplate::read_layout(const pugi::xml_node& element) {
  ast::Layout layout;
  layout.at = read_point(element);
  if (std::optional<ast::Name> colour = xml_.attribute(element, "color"))
    layout.colour = std::move(colour->text);
  return layout;
}

std::optional<ast::Point> XmlTemplate::read_point(const pugi::xml_node& element) {
  const std::optional<std::int32_t> x = read_coordinate(element, "x");
  const std::optional<std::int32_t> y = read_coordinate(element, "y");
  if (!x && !y)
    return std::nullopt;
  return ast::Point{.x = x.value_or(0), .y = y.value_or(0)};
}

// Only drawing depends on it, so what is no number counts as absent.
std::optional<std::int32_t> XmlTemplate::read_coordinate(const pugi::xml_node& element,
                                                         const char* name) {
  const std::optional<ast::Name> attribute = xml_.attribute(element, name);
  if (!attribute)
    return std::nullopt;
  std::string_view digits = attribute->text;
  digits.remove_prefix(std::min(digits.find_first_not_of(" \t\r\n+"), digits.size()));
  std::int32_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc())
    return std::nullopt;
  return value;
}

}  // namespace tw::uppaal
