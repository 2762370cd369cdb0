#include "frontends/uppaal/xml_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <pugixml.hpp>

#include "frontends/uppaal/encoding.hpp"

namespace tw::uppaal {
namespace {

struct Entity {
  std::string_view name;
  std::string_view text;
};

constexpr std::array kEntities = {Entity{"lt", "<"}, Entity{"gt", ">"}, Entity{"amp", "&"},
                                  Entity{"quot", "\""}, Entity{"apos", "'"}};

// No entity name or character number that means something is longer.
constexpr std::size_t kLongestEntity = 32;

SourceRange range(std::size_t begin, std::size_t end) {
  return {.begin = static_cast<std::uint32_t>(begin), .end = static_cast<std::uint32_t>(end)};
}

std::size_t offset_of(const pugi::xml_node& node) {
  return static_cast<std::size_t>(node.offset_debug());
}

// Attributes have no offset of their own, but their values stand in the same buffer as the name of
// their element.
std::size_t value_offset(const pugi::xml_node& element, const pugi::xml_attribute& attribute) {
  return offset_of(element) + static_cast<std::size_t>(attribute.value() - element.name());
}

// The value of "&#NN;" or "&#xHH;", given what stands between "&#" and ";".
std::optional<char32_t> character_number(std::string_view digits) {
  int base = 10;
  if (digits.starts_with('x')) {
    base = 16;
    digits.remove_prefix(1);
  }
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end || value == 0 || value > 0x10FFFF ||
      (value >= 0xD800 && value <= 0xDFFF))
    return std::nullopt;
  return char32_t{value};
}

}  // namespace

SourceText XmlText::content(const pugi::xml_node& element, std::string address) {
  SourceText text;
  std::optional<std::size_t> end;
  for (const pugi::xml_node& child : element.children()) {
    const Raw raw{.text = child.value(), .offset = offset_of(child)};
    if (child.type() == pugi::node_pcdata) {
      decode(raw, text);
      end = raw.offset + raw.text.size();
    } else if (child.type() == pugi::node_cdata) {
      text.append(raw.text, raw.offset);
      end = raw.offset + raw.text.size() + std::string_view("]]>").size();
    } else if (child.type() == pugi::node_element) {
      diagnostics_.warning(tag(child),
                           "element " + quoted(child.name()) + " inside the text of " +
                               quoted(element.name()) + " is ignored",
                           "write '<' as '&lt;' inside text");
    }
  }
  if (!end) {
    text.set_where(tag(element));
    return text;
  }
  // The text begins after the '>' that follows the last attribute.
  const pugi::xml_attribute last = element.last_attribute();
  const std::size_t tail =
      last ? value_offset(element, last) + std::string_view(last.value()).size() + 1
           : offset_of(element) + std::string_view(element.name()).size();
  const SourceRange where = range(file_.text.find('>', tail) + 1, *end);
  text.set_where(where);
  file_.parts.push_back({.where = where, .address = std::move(address), .gaps = text.gaps()});
  return text;
}

std::optional<ast::Name> XmlText::attribute(const pugi::xml_node& element, const char* name) {
  const pugi::xml_attribute found = element.attribute(name);
  if (!found)
    return std::nullopt;
  const Raw raw{.text = found.value(), .offset = value_offset(element, found)};
  if (raw.text.find('&') == std::string_view::npos)
    return ast::Name{.text = std::string(raw.text),
                     .where = range(raw.offset, raw.offset + raw.text.size())};
  SourceText text;
  decode(raw, text);
  return ast::Name{.text = std::string(text.text()),
                   .where = range(raw.offset, raw.offset + raw.text.size())};
}

SourceRange XmlText::tag(const pugi::xml_node& element) {
  const std::size_t name = offset_of(element);
  const pugi::xml_attribute first = element.first_attribute();
  if (first && std::string_view(first.name()) == "id")
    return range(name - 1,
                 value_offset(element, first) + std::string_view(first.value()).size() + 1);
  return range(name - 1, name + std::string_view(element.name()).size());
}

SourceRange XmlText::name_of(const pugi::xml_node& element, const pugi::xml_attribute& attribute) {
  const std::string_view name = attribute.name();
  const std::size_t begin =
      offset_of(element) + static_cast<std::size_t>(name.data() - element.name());
  return range(begin, begin + name.size());
}

std::string XmlText::place(SourceRange where) const {
  if (diagnostics_.all().size() >= Diagnostics::kMaxStored)
    return {};
  const SourcePosition at = position_of(file_, where.begin);
  return file_.path + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

void XmlText::sort_parts() {
  std::ranges::sort(file_.parts, {}, [](const SourcePart& part) { return part.where.begin; });
}

void XmlText::decode(Raw raw, SourceText& out) {
  std::size_t done = 0;
  while (done < raw.text.size()) {
    const std::size_t at = std::min(raw.text.find('&', done), raw.text.size());
    out.append(raw.text.substr(done, at - done), raw.offset + done);
    done = at < raw.text.size() ? decode_entity(raw, at, out) : at;
  }
}

// Returns where the text goes on after the entity at this '&'.
std::size_t XmlText::decode_entity(Raw raw, std::size_t at, SourceText& out) {
  const std::string_view rest = raw.text.substr(at, kLongestEntity);
  const std::size_t semicolon = rest.find(';');
  const std::size_t end = at + std::min(semicolon, rest.size()) + 1;
  const std::string_view name =
      semicolon == std::string_view::npos ? std::string_view() : rest.substr(1, semicolon - 1);
  if (const auto* entity = std::ranges::find(kEntities, name, &Entity::name);
      entity != kEntities.end()) {
    out.append_decoded(entity->text, raw.offset + at, raw.offset + end);
    return end;
  }
  if (name.starts_with('#')) {
    if (const std::optional<char32_t> character = character_number(name.substr(1))) {
      std::string text;
      append_utf8(text, *character);
      out.append_decoded(text, raw.offset + at, raw.offset + end);
      return end;
    }
  }
  const bool named = !name.empty() && name.find_first_of(" \t\r\n&<") == std::string_view::npos;
  // A bare '&&' is one mistake, not two.
  const std::size_t length = named ? end - at : rest.starts_with("&&") ? 2 : 1;
  report_ampersand(raw, at, length);
  return at + length;
}

void XmlText::report_ampersand(Raw raw, std::size_t at, std::size_t length) {
  const std::string_view word = raw.text.substr(at, length);
  const SourceRange where = range(raw.offset + at, raw.offset + at + length);
  if (word.ends_with(';')) {
    const bool number = word.starts_with("&#");
    diagnostics_.error(where,
                       (number ? "no character has the number " : "unknown entity ") + quoted(word),
                       "XML knows &lt; &gt; &amp; &quot; &apos; and characters by number (&#65;); "
                       "write '&' as '&amp;'");
    return;
  }
  diagnostics_.error(where, quoted(word) + " begins no entity",
                     "write '&' as '&amp;', or the word 'and' for '&&'");
}

std::string quoted(std::string_view word) {
  constexpr std::size_t kLongest = 60;
  std::size_t length = word.size();
  if (length > kLongest) {
    length = kLongest;
    while (length > 0 && (static_cast<unsigned char>(word[length]) & 0xC0U) == 0x80U)
      --length;
  }
  std::string out(1, '\'');
  out += word.substr(0, length);
  out += length < word.size() ? "…'" : "'";
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return out;
}

}  // namespace tw::uppaal
