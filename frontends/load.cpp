#include "frontends/load.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "engine/base/file.hpp"
#include "engine/base/sha256.hpp"

namespace tw {
namespace {

using LoadFunction = std::optional<Network> (*)(SourceFile&,
                                                Diagnostics&,
                                                const LoadOptions&,
                                                std::span<PropertyText>);

struct FrontendEntry {
  LoadFunction load;
  std::string_view extension;
  std::string_view name;
};

constexpr FrontendEntry kFrontends[] = {
#define TW_FRONTEND(function, extension, name) {&function, extension, name},
#include "frontends/frontends.def"
#undef TW_FRONTEND
};

std::string lower_extension(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos)
    return {};
  std::string extension = path.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return extension;
}

// A text that begins with '<' (after blanks and a byte-order mark) is XML, whatever its name.
bool looks_like_xml(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF\xFF\xFE");
  return first != std::string_view::npos &&
         (bytes[first] == '<' ||
          (bytes[first] == '\0' && bytes.substr(first).starts_with(std::string_view("\0<", 2))));
}

const FrontendEntry* choose(const std::string& path, std::string_view bytes) {
  const std::string extension = looks_like_xml(bytes) ? ".xml" : lower_extension(path);
  const auto* at =
      std::find_if(std::begin(kFrontends), std::end(kFrontends),
                   [&](const FrontendEntry& entry) { return entry.extension == extension; });
  return at == std::end(kFrontends) ? nullptr : at;
}

}  // namespace

LoadedModel load_model(const std::string& path,
                       std::vector<PropertyText> properties,
                       const LoadOptions& options) {
  FileContents contents = read_file(path);
  if (contents.bytes)
    return load_model_text(path, std::move(*contents.bytes), std::move(properties), options);
  LoadedModel out;
  out.properties = std::move(properties);
  out.file.path = path;
  out.diagnostics.error({}, std::move(contents.error));
  return out;
}

LoadedModel load_model_text(const std::string& path,
                            std::string bytes,
                            std::vector<PropertyText> properties,
                            const LoadOptions& options) {
  LoadedModel out;
  out.properties = std::move(properties);
  out.sha256 = sha256_hex(bytes);
  out.file = {.path = path, .text = std::move(bytes)};
  const FrontendEntry* frontend = choose(path, out.file.text);
  if (out.file.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    out.diagnostics.error({}, "the file is empty", "give a model: UPPAAL XML, .xta or .ta");
    return out;
  }
  if (frontend == nullptr) {
    out.diagnostics.error({},
                          "unknown kind of model: the file is not XML and its name does not end "
                          "in .xta or .ta",
                          "rename it, if it is UPPAAL's text format, to end in .xta");
    return out;
  }
  out.format = frontend->name;
  out.network = frontend->load(out.file, out.diagnostics, options, out.properties);
  out.diagnostics.sort();
  for (PropertyText& text : out.properties)
    text.diagnostics.sort();
  return out;
}

}  // namespace tw
