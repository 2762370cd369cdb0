#include "criteria/observer/observer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "criteria/cell_names.hpp"
#include "criteria/observer/compiler.hpp"
#include "criteria/observer/parser.hpp"
#include "criteria/observer/values.hpp"
#include "criteria/registry.hpp"
#include "engine/base/file.hpp"

namespace tw {
namespace {

constexpr std::string_view kExtension = ".obs";

// On one line, with single blanks.
std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

class ObserverCriterion final : public Criterion {
 public:
  ObserverCriterion(const ObserverFile& file, std::vector<observer::Binding> bindings)
      : path_(file.file.path),
        observer_(*file.observer),
        bindings_(std::move(bindings)) {
    for (const observer::Rule& rule : observer_.rules) {
      const std::string_view text = file.file.text;
      rules_.push_back(on_one_line(fmt::format(
          "rule {}", text.substr(rule.where.begin, rule.where.end - rule.where.begin))));
    }
  }

  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    const observer::Word& name = observer_.name;
    if (make_criterion(name.text) != nullptr)
      diagnostics.error(name.where,
                        fmt::format("'{}' is the name of a built-in criterion", name.text),
                        "call the observer something else: ids of items begin with its name");
    for (const CriterionInfo& other : rules.criteria())
      if (other.name == name.text)
        diagnostics.error(name.where, fmt::format("there is another observer '{}'", name.text));
    std::vector<bool> chosen = chosen_cells(network, options.variables, diagnostics);
    if (diagnostics.has_errors())
      return;
    rules.begin_criterion({.name = name.text,
                           .options = options_text(options),
                           .file = path_,
                           .definition = fmt::format("observer in {}", path_),
                           .rules = rules_});
    const observer::ModelValues values(network, options.level, std::move(chosen));
    const std::optional<observer::Program> program =
        observer::check(observer_, values, bindings_, diagnostics);
    if (!program)
      return;
    const std::size_t items = rules.items().size();
    observer::compile(*program, values, options.invariants, name.where, rules, diagnostics);
    if (rules.items().size() == items && !diagnostics.has_errors())
      diagnostics.warning(name.where, "the observer has no items here");
  }

 private:
  [[nodiscard]] std::string options_text(const CriterionOptions& options) const {
    std::vector<std::string> parts;
    for (const observer::Binding& binding : bindings_)
      if (concerns(binding, observer_))
        parts.push_back(fmt::format("--observer {}", binding.text));
    if (!options.variables.empty())
      parts.push_back(fmt::format("--vars {}", fmt::join(options.variables, ",")));
    return fmt::format("{}", fmt::join(parts, " "));
  }

  std::string path_;
  observer::Observer observer_;
  std::vector<observer::Binding> bindings_;
  std::vector<std::string> rules_;
};

}  // namespace

bool is_observer_file(std::string_view word) {
  return word.size() > kExtension.size() && word.ends_with(kExtension);
}

ObserverFile load_observer_text(std::string path, std::string text) {
  ObserverFile out;
  out.file.path = std::move(path);
  out.file.text = std::move(text);
  out.observer = observer::parse(out.file, out.diagnostics);
  if (out.observer)
    observer::check_names(*out.observer, out.diagnostics);
  if (out.diagnostics.has_errors())
    out.observer.reset();
  out.diagnostics.sort();
  return out;
}

ObserverFile load_observer(const std::string& path) {
  FileContents contents = read_file(path);
  if (contents.bytes)
    return load_observer_text(path, std::move(*contents.bytes));
  ObserverFile out;
  out.file.path = path;
  out.problem = std::move(contents.error);
  return out;
}

std::optional<observer::Binding> parse_binding(const std::string& text, std::string& problem) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.find('.');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    problem = fmt::format("'{}' is not NAME=VALUE", text);
    return std::nullopt;
  }
  observer::Binding out{.text = text};
  const bool named = dot < equals;
  out.observer = named ? text.substr(0, dot) : "";
  out.parameter = named ? text.substr(dot + 1, equals - dot - 1) : text.substr(0, equals);
  Diagnostics diagnostics;
  SourceFile value;
  value.text = text.substr(equals + 1);
  std::optional<observer::Expression> parsed = observer::parse_value(value, diagnostics);
  if (!parsed || parsed->kind == observer::Expression::Kind::kCall) {
    problem = fmt::format("'{}' is no name or number", value.text);
    return std::nullopt;
  }
  out.value = std::move(*parsed);
  return out;
}

bool concerns(const observer::Binding& binding, const observer::Observer& observer) {
  return (binding.observer.empty() || binding.observer == observer.name.text) &&
         std::ranges::any_of(observer.parameters, [&](const observer::Parameter& parameter) {
           return parameter.name.text == binding.parameter;
         });
}

std::unique_ptr<Criterion> make_observer(const ObserverFile& file,
                                         std::vector<observer::Binding> bindings) {
  return std::make_unique<ObserverCriterion>(file, std::move(bindings));
}

}  // namespace tw
