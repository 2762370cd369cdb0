#include "frontends/uppaal/xml_labels.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <pugixml.hpp>

#include "frontends/uppaal/xml_names.hpp"

namespace tw::uppaal {
namespace {

constexpr std::array<std::string_view, 2> kLocationParsed = {"invariant", "exponentialrate"};
constexpr std::array<std::string_view, 3> kLocationText = {"comments", "testcodeEnter",
                                                           "testcodeExit"};
constexpr LabelKinds kLocation{
    .owner = "location", .parsed = kLocationParsed, .free_text = kLocationText};

constexpr std::array<std::string_view, 5> kTransitionParsed = {"select", "guard", "synchronisation",
                                                               "assignment", "probability"};
constexpr std::array<std::string_view, 2> kTransitionText = {"comments", "testcode"};
constexpr LabelKinds kTransition{
    .owner = "transition", .parsed = kTransitionParsed, .free_text = kTransitionText};

std::vector<std::string_view> all_kinds(const LabelKinds& kinds) {
  std::vector<std::string_view> all(kinds.parsed.begin(), kinds.parsed.end());
  all.insert(all.end(), kinds.free_text.begin(), kinds.free_text.end());
  return all;
}

std::string listed(const LabelKinds& kinds) {
  std::string out = "a " + std::string(kinds.owner) + " may have labels of kind ";
  for (const std::string_view kind : kinds.parsed)
    out += std::string(kind) + ", ";
  for (const std::string_view kind : kinds.free_text)
    out += std::string(kind) + (kind == kinds.free_text.back() ? "" : ", ");
  return out;
}

// What to do with the second label.
std::string_view advice(std::string_view kind) {
  if (kind == "guard" || kind == "invariant")
    return "join the two with '&&'";
  if (kind == "assignment" || kind == "select")
    return "join the two with ','";
  return "keep one of them";
}

}  // namespace

const LabelKinds& location_labels() { return kLocation; }

const LabelKinds& transition_labels() { return kTransition; }

void XmlLabels::read(const pugi::xml_node& label, const std::string& owner_address) {
  ++count_;
  SourceText text = xml_.content(label, owner_address + "/label[" + std::to_string(count_) + ']');
  const std::optional<ast::Name> kind = xml_.attribute(label, "kind");
  if (!kind || kind->text.empty()) {
    diagnostics_.error(XmlText::tag(label), "label without kind", listed(kinds_));
    return;
  }
  if (text.blank())
    return;
  const auto parsed = std::ranges::find(kinds_.parsed, kind->text);
  const auto free = std::ranges::find(kinds_.free_text, kind->text);
  const bool free_text = free != kinds_.free_text.end();
  if (!free_text && parsed == kinds_.parsed.end()) {
    warn_unknown(*kind);
    return;
  }
  const auto found = free_text ? free : parsed;
  const auto earlier = std::ranges::find(labels_, *found, &Label::kind);
  // Nothing is lost with a second comment or piece of test code: both are kept.
  if (free_text || earlier == labels_.end()) {
    labels_.push_back({.kind = *found, .text = std::move(text)});
    return;
  }
  diagnostics_.error(text.where(),
                     "second label of kind " + quoted(kind->text) + " on one " +
                         std::string(kinds_.owner) + ", expected at most one",
                     std::string(advice(*found)) + " (the first one is at " +
                         xml_.place(earlier->text.where()) + ')');
}

void XmlLabels::warn_unknown(const ast::Name& kind) {
  const std::string_view near = nearest_kind(kind.text, all_kinds(kinds_));
  diagnostics_.warning(kind.where, "label of kind " + quoted(kind.text) + " is ignored",
                       near.empty() ? listed(kinds_) : "did you mean " + quoted(near) + "?");
}

const SourceText* XmlLabels::find(std::string_view kind) const {
  const auto found = std::ranges::find(labels_, kind, &Label::kind);
  return found == labels_.end() ? nullptr : &found->text;
}

std::vector<ast::Annotation> XmlLabels::annotations() const {
  std::vector<ast::Annotation> out;
  for (const Label& label : labels_)
    if (std::ranges::find(kinds_.free_text, label.kind) != kinds_.free_text.end())
      out.push_back({.kind = std::string(label.kind), .text = std::string(label.text.text())});
  return out;
}

}  // namespace tw::uppaal
