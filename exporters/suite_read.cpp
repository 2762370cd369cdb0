#include "exporters/suite_read.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "exporters/suite_parts.hpp"

namespace tw {
namespace {

using Json = JsonNode::Json;
using Node = JsonNode;

constexpr int kNewestVersion = 2;

// So much of a faulty text is repeated in messages.
constexpr std::size_t kMostQuoted = 40;

std::string quote(const std::string& text) {
  return fmt::format("'{}'", text.size() <= kMostQuoted ? text : text.substr(0, kMostQuoted) + "…");
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

// What every part has: members, lists, and words for what is wrong with them.
class PartReader {
 public:
  explicit PartReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

 protected:
  void wrong(const Node& node, std::string_view expected) {
    const std::string path = node.path();
    diagnostics_.error({}, fmt::format("{}{}expected {}, found {}", path, path.empty() ? "" : ": ",
                                       expected, kind_of(node.value())));
  }

  void missing(const Node& parent, std::string_view key) {
    const std::string path = parent.path();
    diagnostics_.error({}, fmt::format("{}{}'{}' is missing", path, path.empty() ? "" : ": ", key));
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
    if (found != parent.value().end())
      f(parent.at(*found, key));
    else
      missing(parent, key);
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

  // Calls f with each key and the value below it.
  template <class F>
  void entries(const Node& node, F f) {
    if (!node.value().is_object()) {
      wrong(node, "an object");
      return;
    }
    for (const auto& [name, value] : node.value().get_ref<const Json::object_t&>())
      f(name, node.at(value, name));
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

  std::vector<std::string> as_texts(const Node& node) {
    std::vector<std::string> out;
    elements(node, [&](const Node& entry) { out.push_back(as_text(entry)); });
    return out;
  }

  std::vector<std::string> texts(const Node& parent, std::string_view key) {
    std::vector<std::string> out;
    member(parent, key, [&](const Node& node) { out = as_texts(node); });
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

  std::uint64_t count(const Node& node) {
    if (node.value().is_number_unsigned())
      return node.value().get<std::uint64_t>();
    wrong(node, "a whole number that is not negative");
    return 0;
  }

  // May be negative: what a clock shows.
  Rational value(const Node& node) {
    if (!node.value().is_string()) {
      wrong(node, "a time such as \"7/2\"");
      return 0;
    }
    const std::string text = node.value().get<std::string>();
    const std::optional<Rational> out = parse_rational(text);
    if (!out)
      diagnostics_.error({}, fmt::format("{}: expected a time such as \"7/2\", found {}",
                                         node.path(), quote(text)));
    return out.value_or(Rational(0));
  }

  Rational time(const Node& node) {
    Rational out = value(node);
    if (out < 0)
      diagnostics_.error({}, fmt::format("{}: a time cannot be negative", node.path()));
    return out;
  }

  bool boolean(const Node& node) {
    if (node.value().is_boolean())
      return node.value().get<bool>();
    wrong(node, "a boolean");
    return false;
  }

  void read_optional(const Node& parent, std::string_view key, std::string& field) {
    optional_member(parent, key, [&](const Node& node) { field = as_text(node); });
  }
  void read_optional(const Node& parent, std::string_view key, std::optional<std::string>& field) {
    optional_member(parent, key, [&](const Node& node) { field = as_text(node); });
  }
  void read_optional(const Node& parent, std::string_view key, std::vector<std::string>& field) {
    optional_member(parent, key, [&](const Node& node) { field = as_texts(node); });
  }
  void read_optional(const Node& parent, std::string_view key, bool& field) {
    optional_member(parent, key, [&](const Node& node) { field = boolean(node); });
  }
  void read_optional(const Node& parent, std::string_view key, std::optional<bool>& field) {
    optional_member(parent, key, [&](const Node& node) { field = boolean(node); });
  }
  void read_optional(const Node& parent,
                     std::string_view key,
                     std::optional<std::uint64_t>& field) {
    optional_member(parent, key, [&](const Node& node) { field = count(node); });
  }
  // null: there is no limit, which is 0 here.
  void read_limit(const Node& parent, std::string_view key, std::uint64_t& field) {
    optional_member(parent, key,
                    [&](const Node& node) { field = node.value().is_null() ? 0 : count(node); });
  }

  SuiteFile::State state(const Node& node) {
    SuiteFile::State out;
    if (!node.value().is_object()) {
      wrong(node, "an object");
      return out;
    }
    optional_member(node, "locations", [&](const Node& locations) {
      entries(locations, [&](const std::string& process, const Node& location) {
        out.locations.emplace_back(process, as_text(location));
      });
    });
    optional_member(node, "variables", [&](const Node& variables) {
      entries(variables, [&](const std::string& name, const Node& variable) {
        out.variables.emplace_back(name, number(variable));
      });
    });
    optional_member(node, "clocks", [&](const Node& clocks) {
      entries(clocks, [&](const std::string& name, const Node& clock) {
        out.clocks.emplace_back(name, value(clock));
      });
    });
    return out;
  }

  // A whole one says where the processes are and what the variables hold.
  SuiteFile::State whole_state(const Node& node) {
    for (const std::string_view key : {"locations", "variables"})
      if (node.value().is_object() && !node.value().contains(key))
        missing(node, key);
    return state(node);
  }

  Diagnostics& diagnostics_;
};

// All but the tests.
class HeadReader final : public SuiteParts, private PartReader {
 public:
  using PartReader::PartReader;

  bool wants(std::string_view key) override {
    return std::ranges::find(kMembers, key) != kMembers.end();
  }

  void begin_list(std::string_view key) override { seen_.emplace_back(key); }

  void member(std::string_view key, const Node& node) override {
    seen_.emplace_back(key);
    if (key == "format")
      is_suite_ =
          node.value().is_string() && node.value().get<std::string>() == "tracewright-suite";
    else if (key == "version")
      out_.version = number(node);
    else if (key == "tool") {
      out_.tool = text(node, "name");
      out_.tool_version = text(node, "version");
    } else if (key == "model") {
      out_.model = text(node, "file");
      out_.sha256 = text(node, "sha256");
      out_.processes = texts(node, "processes");
    } else if (key == "options")
      options(node);
    else if (key == "search")
      search(node);
    else if (key == "criteria") {
      out_.criteria.emplace();
      elements(node, [this](const Node& entry) { counts(entry); });
    } else if (key == "suite")
      summary(node);
    else if (key == "initial")
      out_.initial = whole_state(node);
    else if (key == "items")
      wrong(node, "a list");
  }

  void item(const Node& node) override {
    SuiteFile::Item out{.id = text(node, "id"),
                        .criterion = text(node, "criterion"),
                        .label = {},
                        .status = text(node, "status"),
                        .tests = texts(node, "tests")};
    read_optional(node, "label", out.label);
    optional_member(node, "depth", [&](const Node& depth) {
      out.says_depth = true;
      if (!depth.value().is_null())
        out.depth = count(depth);
    });
    constexpr std::array<std::string_view, 3> kStatus = {"covered", "infeasible", "undecided"};
    if (node.value().is_object() && node.value().contains("status") &&
        std::ranges::find(kStatus, out.status) == kStatus.end())
      diagnostics_.error({}, fmt::format("{}.status: expected covered, infeasible or undecided, "
                                         "found {}",
                                         node.path(), quote(out.status)));
    out_.items.push_back(std::move(out));
  }

  void begin_test() override {}
  void test_member(std::string_view /*key*/, const Node& /*node*/) override {}
  void step(const Node& /*node*/) override {}
  void end_test(const Node& /*node*/) override {}
  void no_test(const Node& /*node*/) override {}
  void no_suite(const Node& node) override {
    is_object_ = false;
    wrong(node, "an object");
  }

  std::optional<SuiteFile> finish(bool is_whole, Diagnostics& diagnostics) {
    if (!is_whole || !is_object_) {
      append(diagnostics);
      return std::nullopt;
    }
    const auto is_missing = [this](std::string_view key) {
      return std::ranges::find(seen_, key) == seen_.end();
    };
    // What else is wrong with a file of another kind is not worth telling.
    if (is_missing("format")) {
      diagnostics.error({}, "'format' is missing");
      return std::nullopt;
    }
    if (!is_suite_) {
      diagnostics.error({}, "format: expected \"tracewright-suite\"",
                        "suites are written by: tracewright generate MODEL --format json");
      return std::nullopt;
    }
    if (!is_missing("version") && (out_.version < 1 || out_.version > kNewestVersion)) {
      diagnostics.error({},
                        fmt::format("version: expected 1 to {}, the versions this program reads",
                                    kNewestVersion));
      return std::nullopt;
    }
    for (const std::string_view key : {"version", "model", "options", "items", "initial"})
      if (is_missing(key))
        diagnostics.error({}, fmt::format("'{}' is missing", key));
    append(diagnostics);
    if (diagnostics.has_errors())
      return std::nullopt;
    return std::move(out_);
  }

 private:
  static constexpr std::array<std::string_view, 10> kMembers = {
      "format", "version",  "tool",  "model",   "options",
      "search", "criteria", "suite", "initial", "items"};

  void append(Diagnostics& diagnostics) const {
    if (&diagnostics_ == &diagnostics)
      return;
    for (const Diagnostic& d : diagnostics_.all())
      diagnostics.error(d.where, d.message, d.hint);
  }

  void options(const Node& node) {
    SuiteFile::Options& out = out_.options;
    PartReader::member(node, "criteria", [&](const Node& list) {
      elements(list, [&](const Node& entry) {
        SuiteFile::Criterion criterion{.name = text(entry, "name"),
                                       .options = text(entry, "options")};
        read_optional(entry, "file", criterion.file);
        read_optional(entry, "fallback", criterion.is_fallback);
        out.criteria.push_back(std::move(criterion));
      });
    });
    out.per = text(node, "per");
    // Others were added after the first suites were written, perhaps by hand: defaults will do.
    read_optional(node, "only", out.only);
    read_optional(node, "vars", out.vars);
    read_optional(node, "observer", out.observer);
    read_optional(node, "def_use", out.def_use);
    read_optional(node, "on_error", out.on_error);
    read_optional(node, "invariants", out.invariants);
    read_optional(node, "edge_init", out.edge_init);
    read_optional(node, "pairing", out.pairing);
    read_optional(node, "observe", out.observe);
    read_optional(node, "best_effort", out.best_effort);
    optional_member(node, "properties", [&](const Node& given) {
      out.properties_file = text(given, "file");
      out.properties = text(given, "text");
    });
    read_optional(node, "reduce", out.reduce);
    read_optional(node, "optimise", out.optimise);
    read_optional(node, "delays", out.delays);
    read_optional(node, "subsumption", out.subsumption);
    read_optional(node, "reset", out.reset);
    read_optional(node, "full", out.full);
    read_optional(node, "keep_dead", out.keep_dead);
    read_optional(node, "old_syntax", out.old_syntax);
    read_limit(node, "stop", out.stop);
    read_limit(node, "seed", out.seed);
    read_limit(node, "max_states", out.max_states);
  }

  void search(const Node& node) {
    SuiteFile::Search out;
    if (!node.value().is_object())
      wrong(node, "an object");
    read_optional(node, "algorithm", out.algorithm);
    read_optional(node, "order", out.order);
    read_optional(node, "exhaustive", out.exhaustive);
    read_optional(node, "states", out.states);
    read_optional(node, "expansions", out.expansions);
    read_optional(node, "transitions", out.transitions);
    read_optional(node, "tokens", out.tokens);
    read_optional(node, "depth", out.depth);
    optional_member(node, "limit", [&](const Node& limit) {
      out.limit = limit.value().is_null() ? "" : as_text(limit);
    });
    optional_member(node, "errors", [&](const Node& errors) {
      elements(errors, [&](const Node& entry) {
        std::optional<std::uint64_t> line;
        std::optional<std::uint64_t> column;
        read_optional(entry, "line", line);
        read_optional(entry, "column", column);
        out.errors.push_back({.message = text(entry, "message"),
                              .line = line.value_or(0),
                              .column = column.value_or(0)});
      });
    });
    out_.search = std::move(out);
  }

  void counts(const Node& node) {
    SuiteFile::Counts out{.name = text(node, "name")};
    read_optional(node, "total", out.total);
    read_optional(node, "covered", out.covered);
    read_optional(node, "infeasible", out.infeasible);
    read_optional(node, "undecided", out.undecided);
    read_optional(node, "tokens", out.tokens);
    out_.criteria->push_back(std::move(out));
  }

  void summary(const Node& node) {
    SuiteFile::Summary& out = out_.summary;
    if (!node.value().is_object())
      wrong(node, "an object");
    read_optional(node, "tests", out.tests);
    read_optional(node, "steps", out.steps);
    read_optional(node, "lower_bound", out.lower_bound);
    optional_member(node, "duration", [&](const Node& value) { out.duration = time(value); });
  }

  SuiteFile out_;
  std::vector<std::string> seen_;  // members of the whole
  bool is_suite_ = false;
  bool is_object_ = true;
};

class TestReader final : public SuiteParts, private PartReader {
 public:
  TestReader(const SuiteFile& suite, SuiteTests& tests, Diagnostics& diagnostics)
      : PartReader(diagnostics),
        suite_(suite),
        tests_(tests) {}

  bool wants(std::string_view key) override { return key == "tests"; }

  void begin_list(std::string_view key) override {
    (key == "tests" ? has_tests_ : has_steps_) = true;
  }
  void member(std::string_view /*key*/, const Node& node) override {
    has_tests_ = true;
    wrong(node, "a list");
  }
  void item(const Node& /*node*/) override {}
  void no_suite(const Node& node) override { wrong(node, "an object"); }
  void no_test(const Node& node) override { wrong(node, "an object"); }

  void begin_test() override {
    test_ = {};
    has_id_ = false;
    has_covers_ = false;
    has_steps_ = false;
    tests_.begin_test();
  }

  void test_member(std::string_view key, const Node& node) override {
    if (key == "id") {
      has_id_ = true;
      test_.id = as_text(node);
    } else if (key == "covers") {
      has_covers_ = true;
      test_.covers = as_texts(node);
    } else if (key == "length") {
      test_.length = count(node);
    } else if (key == "duration") {
      test_.duration = time(node);
    } else if (key == "steps") {
      has_steps_ = true;
      wrong(node, "a list");
    }
  }

  void step(const Node& node) override {
    SuiteFile::Step out;
    optional_member(node, "delay", [&](const Node& value) { out.delay = delay(value); });
    read_optional(node, "channel", out.channel);
    PartReader::member(node, "edges", [&](const Node& list) {
      elements(list, [&](const Node& value) { out.edges.push_back(edge(value)); });
    });
    const std::string_view key = suite_.has_changes() ? "changes" : "state";
    if (node.value().is_object())
      PartReader::member(node, key, [&](const Node& value) {
        out.state = suite_.has_changes() ? state(value) : whole_state(value);
      });
    tests_.step(std::move(out));
  }

  void end_test(const Node& node) override {
    if (!has_id_)
      missing(node, "id");
    if (!has_covers_)
      missing(node, "covers");
    if (!has_steps_)
      missing(node, "steps");
    tests_.end_test(std::move(test_));
  }

  bool goes_on() override { return tests_.goes_on(); }

  [[nodiscard]] bool has_tests() const { return has_tests_; }

 private:
  // Only what was chosen is needed to run a test.
  SuiteFile::Delay delay(const Node& node) {
    SuiteFile::Delay out;
    PartReader::member(node, "chosen", [&](const Node& value) { out.chosen = time(value); });
    optional_member(node, "min", [&](const Node& value) { out.min = time(value); });
    read_optional(node, "min_strict", out.min_strict);
    optional_member(node, "max", [&](const Node& value) {
      out.says_max = true;
      if (!value.value().is_null())
        out.max = time(value);
    });
    read_optional(node, "max_strict", out.max_strict);
    optional_member(node, "margin", [&](const Node& value) { out.margin = time(value); });
    return out;
  }

  SuiteFile::Edge edge(const Node& node) {
    SuiteFile::Edge out{.process = text(node, "process"),
                        .edge = text(node, "edge"),
                        .source = text(node, "source"),
                        .target = text(node, "target")};
    optional_member(node, "select", [&](const Node& values) {
      entries(values, [&](const std::string& name, const Node& value) {
        out.select.emplace_back(name, number(value));
      });
    });
    return out;
  }

  const SuiteFile& suite_;
  SuiteTests& tests_;
  SuiteFile::Test test_;  // the one that is being read
  bool has_tests_ = false;
  bool has_id_ = false;
  bool has_covers_ = false;
  bool has_steps_ = false;
};

}  // namespace

std::string SuiteProblems::render_all(const std::string& path) const {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    if (place && &d == &diagnostics.all().back())
      out += fmt::format("{}:{}:{}: error: {}\n  {} | {}\n  {:{}} | {:{}}^\n", path, place->line,
                         place->column, d.message, place->line, place->text, "",
                         fmt::formatted_size("{}", place->line), "", place->mark);
    else
      out += fmt::format("{}: error: {}\n", path, d.message);
    if (!d.hint.empty())
      out += fmt::format("  hint: {}\n", d.hint);
  }
  if (diagnostics.dropped() != 0)
    out += fmt::format("… and {} more\n", diagnostics.dropped());
  return out;
}

std::optional<SuiteFile> read_suite(const SuiteSource& source, SuiteProblems& problems) {
  Diagnostics found;
  HeadReader reader(found);
  const bool is_whole = read_parts(source, reader, problems);
  return reader.finish(is_whole, problems.diagnostics);
}

bool read_tests(const SuiteSource& source,
                const SuiteFile& suite,
                SuiteTests& tests,
                SuiteProblems& problems) {
  TestReader reader(suite, tests, problems.diagnostics);
  if (!read_parts(source, reader, problems))
    return false;
  if (!reader.has_tests() && !problems.diagnostics.has_errors())
    problems.diagnostics.error({}, "'tests' is missing");
  return !problems.diagnostics.has_errors();
}

}  // namespace tw
