#include "exporters/suite_read.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace tw {
namespace {

// Sorted keys: the order means nothing here, and large objects are read faster.
using Json = nlohmann::json;

// So much of a faulty text is repeated in messages.
constexpr std::size_t kMostQuoted = 40;

std::string quote(const std::string& text) {
  return fmt::format("'{}'", text.size() <= kMostQuoted ? text : text.substr(0, kMostQuoted) + "…");
}

// Offset of the bracket that nests too deep; npos: none does. Text in strings does not count.
std::size_t too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxSuiteNesting)
        return i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

std::string_view kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return "a number";
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
  }
  return "something else";
}

// A value and the path to it. Only a faulty path is ever put into words, so the parts are linked
// and not copied.
class Node {
 public:
  explicit Node(const Json& value) : value_(&value) {}

  [[nodiscard]] const Json& value() const { return *value_; }

  [[nodiscard]] Node at(const Json& value, std::string_view key) const {
    Node out(value);
    out.parent_ = this;
    out.key_ = key;
    return out;
  }

  [[nodiscard]] Node at(const Json& value, std::size_t index) const {
    Node out(value);
    out.parent_ = this;
    out.index_ = index;
    return out;
  }

  [[nodiscard]] std::string path() const {
    if (parent_ == nullptr)
      return {};
    std::string out = parent_->path();
    if (key_.empty())
      return fmt::format("{}[{}]", out, index_);
    return out.empty() ? std::string(key_) : fmt::format("{}.{}", out, key_);
  }

 private:
  const Json* value_;             // borrowed: the document outlives the reader
  const Node* parent_ = nullptr;  // borrowed: on the stack of the caller
  std::string_view key_;          // of the document or of the program
  std::size_t index_ = 0;
};

class SuiteReader {
 public:
  explicit SuiteReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<SuiteFile> read(const Json& document) {
    const Node root(document);
    if (!document.is_object()) {
      wrong(root, "an object");
      return std::nullopt;
    }
    if (text(root, "format") != "tracewright-suite" && !diagnostics_.has_errors())
      diagnostics_.error({}, "format: expected \"tracewright-suite\"",
                         "suites are written by: tracewright generate MODEL --format json");
    member(root, "version", [this](const Node& node) {
      if (number(node) != 1 && !diagnostics_.has_errors())
        diagnostics_.error({}, "version: expected 1, the only version this program reads");
    });
    // What else is wrong with a file of another kind is not worth telling.
    if (diagnostics_.has_errors())
      return std::nullopt;
    SuiteFile out;
    member(root, "model", [&](const Node& node) {
      out.model = text(node, "file");
      out.sha256 = text(node, "sha256");
      out.processes = texts(node, "processes");
    });
    member(root, "options", [&](const Node& node) { out.options = options(node); });
    list(root, "items", [&](const Node& node) { out.items.push_back(item(node)); });
    member(root, "initial", [&](const Node& node) { out.initial = state(node); });
    list(root, "tests", [&](const Node& node) { out.tests.push_back(test(node)); });
    if (diagnostics_.has_errors())
      return std::nullopt;
    return out;
  }

 private:
  void wrong(const Node& node, std::string_view expected) {
    const std::string path = node.path();
    diagnostics_.error({}, fmt::format("{}{}expected {}, found {}", path, path.empty() ? "" : ": ",
                                       expected, kind_of(node.value())));
  }

  // Calls f with the member if it is there.
  template <class F>
  void optional_member(const Node& parent, std::string_view key, F f) {
    if (!parent.value().is_object())
      return;
    const auto found = parent.value().find(key);
    if (found != parent.value().end())
      f(parent.at(*found, key));
  }

  template <class F>
  void member(const Node& parent, std::string_view key, F f) {
    if (!parent.value().is_object()) {
      wrong(parent, "an object");
      return;
    }
    const auto found = parent.value().find(key);
    if (found != parent.value().end()) {
      f(parent.at(*found, key));
      return;
    }
    const std::string path = parent.path();
    diagnostics_.error({}, fmt::format("{}{}'{}' is missing", path, path.empty() ? "" : ": ", key));
  }

  template <class F>
  void elements(const Node& node, F f) {
    if (!node.value().is_array()) {
      wrong(node, "a list");
      return;
    }
    for (std::size_t i = 0; i < node.value().size(); ++i)
      f(node.at(node.value()[i], i));
  }

  template <class F>
  void list(const Node& parent, std::string_view key, F f) {
    member(parent, key, [&](const Node& node) { elements(node, f); });
  }

  // Calls f with each key and the value below it.
  template <class F>
  void entries(const Node& parent, std::string_view key, F f) {
    member(parent, key, [&](const Node& node) {
      if (!node.value().is_object()) {
        wrong(node, "an object");
        return;
      }
      for (const auto& [name, value] : node.value().get_ref<const Json::object_t&>())
        f(name, node.at(value, name));
    });
  }

  std::string as_text(const Node& node) {
    if (node.value().is_string())
      return node.value().get<std::string>();
    wrong(node, "a string");
    return {};
  }

  std::string text(const Node& parent, std::string_view key) {
    std::string out;
    member(parent, key, [&](const Node& node) { out = as_text(node); });
    return out;
  }

  std::vector<std::string> texts(const Node& parent, std::string_view key) {
    std::vector<std::string> out;
    list(parent, key, [&](const Node& node) { out.push_back(as_text(node)); });
    return out;
  }

  std::int32_t number(const Node& node) {
    const Json& value = node.value();
    // Unsigned first: a large one does not fit into the signed type that is asked for next.
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() &&
         value.get<std::uint64_t>() > std::numeric_limits<std::int32_t>::max()) ||
        value.get<std::int64_t>() < std::numeric_limits<std::int32_t>::min()) {
      wrong(node, "a whole number of 32 bits");
      return 0;
    }
    return value.get<std::int32_t>();
  }

  Rational time(const Node& node) {
    if (!node.value().is_string()) {
      wrong(node, "a time such as \"7/2\"");
      return 0;
    }
    const std::string text = node.value().get<std::string>();
    const std::optional<Rational> out = parse_rational(text);
    if (!out) {
      diagnostics_.error({}, fmt::format("{}: expected a time such as \"7/2\", found {}",
                                         node.path(), quote(text)));
      return 0;
    }
    if (*out < 0)
      diagnostics_.error({}, fmt::format("{}: a time cannot be negative", node.path()));
    return *out;
  }

  bool boolean(const Node& node) {
    if (node.value().is_boolean())
      return node.value().get<bool>();
    wrong(node, "a boolean");
    return false;
  }

  // Only what was chosen is needed to run a test.
  SuiteFile::Delay delay(const Node& node) {
    SuiteFile::Delay out;
    member(node, "chosen", [&](const Node& value) { out.chosen = time(value); });
    optional_member(node, "min", [&](const Node& value) { out.min = time(value); });
    optional_member(node, "min_strict",
                    [&](const Node& value) { out.min_strict = boolean(value); });
    optional_member(node, "max", [&](const Node& value) {
      if (!value.value().is_null())  // no limit
        out.max = time(value);
    });
    optional_member(node, "max_strict",
                    [&](const Node& value) { out.max_strict = boolean(value); });
    optional_member(node, "margin", [&](const Node& value) { out.margin = time(value); });
    return out;
  }

  SuiteFile::Options options(const Node& node) {
    SuiteFile::Options out;
    list(node, "criteria", [&](const Node& entry) {
      out.criteria.push_back({.name = text(entry, "name"), .options = text(entry, "options")});
      optional_member(entry, "file",
                      [&](const Node& value) { out.criteria.back().file = as_text(value); });
    });
    out.per = text(node, "per");
    // Added after the first suites were written, perhaps by hand: defaults will do.
    const auto optional_texts = [&](std::string_view key) {
      return node.value().is_object() && node.value().contains(key) ? texts(node, key)
                                                                    : std::vector<std::string>();
    };
    const auto optional_text = [&](std::string_view key, std::string otherwise) {
      optional_member(node, key, [&](const Node& value) { otherwise = as_text(value); });
      return otherwise;
    };
    out.only = optional_texts("only");
    out.vars = optional_texts("vars");
    out.observer = optional_texts("observer");
    out.def_use = optional_text("def_use", "sequential");
    out.on_error = optional_text("on_error", "stop");
    out.invariants = optional_text("invariants", "none");
    out.edge_init = optional_text("edge_init", "locations");
    out.pairing = optional_text("pairing", "test");
    optional_member(node, "observe", [&](const Node& value) { out.observe = boolean(value); });
    optional_member(node, "properties", [&](const Node& given) {
      out.properties_file = text(given, "file");
      out.properties = text(given, "text");
    });
    return out;
  }

  SuiteFile::Item item(const Node& node) {
    return {.id = text(node, "id"),
            .criterion = text(node, "criterion"),
            .status = text(node, "status"),
            .tests = texts(node, "tests")};
  }

  SuiteFile::State state(const Node& node) {
    SuiteFile::State out;
    entries(node, "locations", [&](const std::string& process, const Node& location) {
      out.locations.emplace_back(process, as_text(location));
    });
    entries(node, "variables", [&](const std::string& name, const Node& value) {
      out.variables.emplace_back(name, number(value));
    });
    if (node.value().is_object() && node.value().contains("clocks"))
      entries(node, "clocks", [&](const std::string& name, const Node& value) {
        out.clocks.emplace_back(name, time(value));
      });
    return out;
  }

  SuiteFile::Edge edge(const Node& node) {
    SuiteFile::Edge out{.process = text(node, "process"),
                        .edge = text(node, "edge"),
                        .source = text(node, "source"),
                        .target = text(node, "target")};
    if (node.value().is_object() && node.value().contains("select"))
      entries(node, "select", [&](const std::string& name, const Node& value) {
        out.select.emplace_back(name, number(value));
      });
    return out;
  }

  SuiteFile::Step step(const Node& node) {
    SuiteFile::Step out;
    optional_member(node, "delay", [&](const Node& value) { out.delay = delay(value); });
    optional_member(node, "channel", [&](const Node& value) { out.channel = as_text(value); });
    list(node, "edges", [&](const Node& value) { out.edges.push_back(edge(value)); });
    member(node, "state", [&](const Node& value) { out.state = state(value); });
    return out;
  }

  SuiteFile::Test test(const Node& node) {
    SuiteFile::Test out{.id = text(node, "id"), .covers = texts(node, "covers")};
    list(node, "steps", [&](const Node& value) { out.steps.push_back(step(value)); });
    return out;
  }

  Diagnostics& diagnostics_;
};

SourceRange byte_range(const SourceFile& file, std::size_t offset) {
  const auto begin = static_cast<std::uint32_t>(std::min(offset, file.text.size()));
  const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(begin + 1, file.text.size()));
  return {.begin = begin, .end = end};
}

}  // namespace

std::optional<SuiteFile> read_suite(const SourceFile& file, Diagnostics& diagnostics) {
  const std::size_t deep = too_deep(file.text);
  if (deep != std::string_view::npos) {
    diagnostics.error(byte_range(file, deep),
                      fmt::format("nested deeper than {} levels", kMaxSuiteNesting));
    return std::nullopt;
  }
  Json document;
  try {
    document = Json::parse(file.text);
  } catch (const Json::parse_error& error) {
    // The library reports through exceptions only, and its words are for programmers.
    diagnostics.error(byte_range(file, error.byte == 0 ? 0 : error.byte - 1), "this is not JSON",
                      "suites are written by: tracewright generate MODEL --format json");
    return std::nullopt;
  } catch (const Json::exception&) {
    diagnostics.error({}, "the file holds a number that is too large to read");
    return std::nullopt;
  }
  return SuiteReader(diagnostics).read(document);
}

}  // namespace tw
