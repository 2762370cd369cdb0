#include "frontends/uppaal/xml_malformed.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "frontends/uppaal/xml_text.hpp"

namespace tw::uppaal {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// What pugixml found, in our words.
struct Complaint {
  std::string_view message;
  std::string_view hint;
  std::string_view inside;        // what the file ends in, if it ends there
  std::string_view opening = {};  // for what ends at a fixed mark: how it begins …
  std::string_view closing = {};  // … and the mark
  bool is_mismatch = false;       // of a start tag and an end tag
};

Complaint complaint_about(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_unrecognized_tag:
      return {"'<' begins no tag", "write '<' as '&lt;' inside text", "a tag"};
    case pugi::status_bad_pi:
      return {"malformed '<?…?>'", "end it with '?>'", "'<?…?>'", "<?", "?>"};
    case pugi::status_bad_comment:
      return {"malformed XML comment", "end it with '-->'", "an XML comment", "<!--", "-->"};
    case pugi::status_bad_cdata:
      return {"malformed CDATA section", "end it with ']]>'", "a CDATA section", "<![CDATA[",
              "]]>"};
    case pugi::status_bad_doctype:
      return {"malformed DOCTYPE", "correct it, or remove it: it is optional", "the DOCTYPE"};
    case pugi::status_bad_pcdata:
      return {"malformed text", "write '<' as '&lt;' and '&' as '&amp;' inside text", "text"};
    case pugi::status_bad_start_element:
      return {"malformed start tag", "close the tag with '>'; write '<' as '&lt;' inside text",
              "a start tag"};
    case pugi::status_bad_attribute:
      return {"malformed attribute",
              "write attributes as name=\"value\"; write '<' as '&lt;' inside text", "a start tag"};
    case pugi::status_bad_end_element:
      return {"malformed end tag", "write end tags as </name>", "an end tag"};
    case pugi::status_end_element_mismatch:
      return {"end tag does not close the element opened last",
              "close the elements in the reverse order in which they were opened",
              "an element",
              {},
              {},
              true};
    case pugi::status_no_document_element:
      return {"the file has no XML element", "a model is one element <nta>", {}};
    case pugi::status_out_of_memory:
      return {"not enough memory to read the file", "free some memory, or split the model", {}};
    case pugi::status_ok:
    case pugi::status_file_not_found:
    case pugi::status_io_error:
    case pugi::status_internal_error:
    case pugi::status_append_invalid_root:
      break;
  }
  return {"the XML cannot be read", "check the file with an XML editor", {}};
}

SourceRange range(std::size_t begin, std::size_t end) {
  return {.begin = static_cast<std::uint32_t>(begin), .end = static_cast<std::uint32_t>(end)};
}

// Elements that are open at the end of a text, outermost first: their start tags without what
// follows the name.
std::vector<SourceRange> open_elements(std::string_view text) {
  constexpr std::string_view kSkipped[][2] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  std::vector<SourceRange> open;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    const auto* skipped = std::ranges::find_if(
        kSkipped, [&](const auto& marks) { return rest.starts_with(marks[0]); });
    if (skipped != std::end(kSkipped)) {
      at = std::min(text.find((*skipped)[1], at + (*skipped)[0].size()), text.size());
      continue;
    }
    const std::size_t name = at + (rest.starts_with("</") ? 2 : 1);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n/><", name), text.size());
    char quote = '\0';
    std::size_t close = end;
    for (; close < text.size() && (quote != '\0' || text[close] != '>'); ++close) {
      if (quote != '\0')
        quote = text[close] == quote ? '\0' : quote;
      else if (text[close] == '"' || text[close] == '\'')
        quote = text[close];
    }
    if (rest.starts_with("</")) {
      if (!open.empty())
        open.pop_back();
    } else if (close == end || close >= text.size() || text[close - 1] != '/') {
      open.push_back(range(at, end));
    }
    at = std::min(close, text.size());
  }
  return open;
}

std::string_view name_at(std::string_view text, SourceRange tag) {
  return text.substr(tag.begin + 1, tag.end - tag.begin - 1);
}

// The file ends although something is still open.
void report_cut_off(const SourceFile& file, const Complaint& complaint, Diagnostics& diagnostics) {
  const std::string_view text = file.text;
  const std::size_t end = text.find_last_not_of(kBlanks) + 1;
  if (complaint.is_mismatch) {
    if (const std::vector<SourceRange> open = open_elements(text); !open.empty()) {
      const std::string_view name = name_at(text, open.back());
      diagnostics.error(open.back(), "element " + quoted(name) + " is never closed",
                        "the file ends without '</" + std::string(name) +
                            ">': it may be cut off; save it again, or complete it by hand");
      return;
    }
  }
  SourceRange where = range(end, end);
  if (!complaint.opening.empty()) {
    // Show the beginning of what is open: the end of the file tells nothing.
    const std::size_t closed = text.rfind(complaint.closing);
    const std::size_t open =
        text.find(complaint.opening, closed == std::string_view::npos ? 0 : closed);
    if (open != std::string_view::npos)
      where = range(open, open + complaint.opening.size());
  }
  diagnostics.error(where, "the file ends inside " + std::string(complaint.inside),
                    "the file may be cut off: save it again, or complete it by hand");
}

// An end tag that closes an element further out: the ones inside it have none. Another end tag is
// itself wrong.
void report_mismatch(const SourceFile& file, std::size_t at, Diagnostics& diagnostics) {
  const std::string_view text = file.text;
  const std::size_t tag = std::min(text.rfind('<', at), at);
  const std::size_t end = std::min(text.find('>', at), text.size() - 1) + 1;
  const std::string_view found = text.substr(tag, end - tag);
  const std::vector<SourceRange> open = open_elements(text.substr(0, tag));
  std::string_view name = found.substr(std::min<std::size_t>(2, found.size()));
  name = name.substr(0, name.find_first_of(" \t\r\n>"));
  const auto place = [&](std::size_t offset) {
    const SourcePosition position = position_of(file, offset);
    return file.path + ':' + std::to_string(position.line) + ':' + std::to_string(position.column);
  };
  const bool is_outer = std::ranges::any_of(
      open, [&](SourceRange element) { return name_at(text, element) == name; });
  if (is_outer) {
    diagnostics.error(open.back(),
                      "element " + quoted(name_at(text, open.back())) + " is never closed",
                      "'</" + std::string(name_at(text, open.back())) + ">' is missing before " +
                          quoted(found) + " at " + place(tag));
    return;
  }
  std::string hint = "no element is open here";
  if (!open.empty())
    hint = "write '</" + std::string(name_at(text, open.back())) +
           ">': that is the element opened last (at " + place(open.back().begin) + ')';
  diagnostics.error(range(tag, end),
                    "end tag " + quoted(found) + " does not close the element opened last", hint);
}

}  // namespace

void report_malformed(const SourceFile& file,
                      const pugi::xml_parse_result& result,
                      Diagnostics& diagnostics) {
  const std::string_view text = file.text;
  const Complaint complaint = complaint_about(result.status);
  const auto at = std::min(static_cast<std::size_t>(result.offset), text.size() - 1);
  // pugixml stops at the last byte when it misses something at the end. A wrong end tag is no such
  // case, unless that tag is itself incomplete.
  if (!complaint.inside.empty() && at >= text.find_last_not_of(kBlanks)) {
    report_cut_off(file, complaint, diagnostics);
    return;
  }
  if (complaint.is_mismatch) {
    report_mismatch(file, at, diagnostics);
    return;
  }
  const std::size_t tag = std::min(text.rfind('<', at), at);
  const bool is_tag = result.status == pugi::status_unrecognized_tag ||
                      result.status == pugi::status_bad_start_element;
  diagnostics.error(range(is_tag ? tag : at, at + 1), std::string(complaint.message),
                    std::string(complaint.hint));
}

}  // namespace tw::uppaal
