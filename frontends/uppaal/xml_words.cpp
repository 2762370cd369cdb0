#include "frontends/uppaal/xml_words.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "frontends/uppaal/xml_names.hpp"
#include "frontends/uppaal/xml_text.hpp"

namespace tw::uppaal {
namespace {

using Words = std::span<const std::string_view>;

struct Vocabulary {
  std::string_view element;
  Words children;
  Words attributes;     // that mean something; positions are for drawing only
  bool closed = false;  // nothing else may stand there
};

constexpr std::array<std::string_view, 8> kModel = {
    "imports", "declaration", "template", "lsc", "instantiation", "system", "simulator", "queries"};
constexpr std::array<std::string_view, 7> kTemplate = {
    "name", "parameter", "declaration", "location", "branchpoint", "init", "transition"};
constexpr std::array<std::string_view, 4> kLocation = {"name", "label", "urgent", "committed"};
constexpr std::array<std::string_view, 4> kTransition = {"source", "target", "label", "nail"};
constexpr std::array<std::string_view, 2> kQueries = {"query", "option"};
constexpr std::array<std::string_view, 5> kQuery = {"formula", "comment", "option", "expect",
                                                    "result"};
constexpr std::array<std::string_view, 1> kRef = {"ref"};
constexpr std::array<std::string_view, 1> kKind = {"kind"};
constexpr std::array<std::string_view, 2> kPlaceAttributes = {"id", "color"};
constexpr std::array<std::string_view, 4> kEdgeAttributes = {"id", "color", "controllable",
                                                             "action"};
constexpr std::array<std::string_view, 1> kExpectAttributes = {"outcome"};

constexpr std::array<Vocabulary, 14> kVocabulary = {{
    {"nta", kModel, {}, true},
    {"project", kModel, {}, true},
    {"template", kTemplate, {}, true},
    {"location", kLocation, kPlaceAttributes, true},
    {"branchpoint", {}, kPlaceAttributes},
    {"init", {}, kRef},
    {"transition", kTransition, kEdgeAttributes, true},
    {"edge", kTransition, kEdgeAttributes, true},
    {"source", {}, kRef},
    {"target", {}, kRef},
    {"label", {}, kKind},
    {"queries", kQueries, {}},
    {"query", kQuery, {}},
    {"expect", {}, kExpectAttributes},
}};

const Vocabulary* vocabulary_of(std::string_view element) {
  const auto* found = std::ranges::find(kVocabulary, element, &Vocabulary::element);
  return found == kVocabulary.end() ? nullptr : found;
}

}  // namespace

void XmlWords::check_element(const pugi::xml_node& element) {
  const std::string_view parent = element.parent().name();
  const std::string_view name = element.name();
  const Vocabulary* known = vocabulary_of(parent);
  if (known == nullptr || std::ranges::find(known->children, name) != known->children.end() ||
      (name == "edge" && parent == "template"))
    return;
  const std::string_view near = nearest_word(name, known->children);
  if (near.empty() && (!known->closed || !reported_.emplace(parent, name).second))
    return;
  std::string all;
  for (const std::string_view word : known->children)
    all += (all.empty() ? "" : ", ") + std::string(word);
  diagnostics_.warning(
      XmlText::tag(element), "element " + quoted(name) + " of " + quoted(parent) + " is ignored",
      near.empty() ? "here may stand " + all : "did you mean " + quoted(near) + "?");
}

void XmlWords::check_attributes(const pugi::xml_node& element) {
  const Vocabulary* known = vocabulary_of(element.name());
  if (known == nullptr)
    return;
  std::vector<unsigned> seen(known->attributes.size());  // how often
  for (const pugi::xml_attribute& attribute : element.attributes()) {
    const std::string_view name = attribute.name();
    const auto at = std::ranges::find(known->attributes, name);
    const bool is_known = at != known->attributes.end();
    if (is_known && seen[static_cast<std::size_t>(at - known->attributes.begin())]++ != 0) {
      diagnostics_.warning(XmlText::name_of(element, attribute),
                           "attribute " + quoted(name) + " of " + quoted(element.name()) +
                               " is given twice: the second one is ignored");
      continue;
    }
    if (name.size() < 2 || is_known)
      continue;
    const std::string_view near = nearest_word(name, known->attributes);
    if (near.empty() || element.attribute(near.data()))
      continue;
    diagnostics_.warning(
        XmlText::name_of(element, attribute),
        "attribute " + quoted(name) + " of " + quoted(element.name()) + " is ignored",
        "did you mean " + quoted(near) + "?");
  }
}

}  // namespace tw::uppaal
