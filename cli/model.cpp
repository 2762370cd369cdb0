#include "cli/model.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>

#include "cli/say.hpp"
#include "criteria/ladder.hpp"
#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/file.hpp"
#include "engine/model/rates.hpp"
#include "engine/replay/evaluator.hpp"
#include "engine/semantics/clock_bounds.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

// Of the budget of this thread, if there is one.
class LoadingPhase {
 public:
  LoadingPhase() {
    if (Budget* const budget = BudgetScope::here())
      phase_.emplace(*budget, "loading");
  }

 private:
  std::optional<Budget::Phase> phase_;
};

}  // namespace

void show(const SourceFile& file, const Diagnostics& diagnostics, ShowOptions options) {
  // Nobody reads a hundred; most of them have one cause.
  constexpr std::size_t kMostShown = 50;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  for (const Diagnostic& d : diagnostics.all()) {
    const bool error = d.severity == Severity::kError;
    if ((error || !options.quiet) && ++(error ? errors : warnings) <= kMostShown)
      say("{}", render(d, file));
  }
  if (diagnostics.errors() > kMostShown)
    say("… and {} more errors\n", diagnostics.errors() - kMostShown);
  if (diagnostics.warnings() > kMostShown && !options.quiet)
    say("… and {} more warnings\n", diagnostics.warnings() - kMostShown);
  if (diagnostics.has_errors())
    say("{}, {}\n", plural(diagnostics.errors(), "error"),
        plural(diagnostics.warnings(), "warning"));
}

std::vector<std::string> input_files(const std::vector<std::string>& models,
                                     const CoverageOptions& options) {
  std::vector<std::string> out = models;
  if (options.properties)
    out.push_back(options.properties->path);
  for (const std::string& criterion : options.criteria)
    if (is_observer_file(criterion))
      out.push_back(criterion);
  return out;
}

LoadedModel load_and_show(const std::string& path,
                          CoverageOptions& options,
                          ShowOptions show_options) {
  const LoadingPhase phase;
  std::vector<PropertyText> texts;
  bool ok = true;
  if (options.properties && options.properties->text.empty()) {
    FileContents contents = read_file(options.properties->path);
    ok = contents.bytes.has_value();
    if (ok)
      options.properties->text = std::move(*contents.bytes);
    else
      say("error: {}\n", contents.error);
  }
  if (options.properties)
    texts.push_back({.file = *options.properties});
  if (options.criterion.initial == InitialSimilarity::kCondition)
    texts.push_back(
        {.file = {.path = "--edge-init", .text = options.similar}, .is_condition = true});
  LoadedModel model = load_model(path, std::move(texts), {.old_syntax = options.old_syntax});
  show(model.file, model.diagnostics, show_options);
  for (const PropertyText& text : model.properties) {
    show(text.file, text.diagnostics, show_options);
    ok = ok && !text.diagnostics.has_errors();
  }
  if (!ok)
    model.network.reset();
  return model;
}

bool can_explore(const LoadedModel& model) {
  const Network& network = *model.network;
  const ClockId clock = ClockBounds(network).unbounded();
  if (!clock.valid())
    return true;
  say("{}", render({.severity = Severity::kError,
                    .where = network.variables[network.clocks[clock].variable].where,
                    .message = fmt::format("'{}' is set from clocks again and again: there is no "
                                           "limit to the values it has to be compared with",
                                           network.clocks[clock].name),
                    .hint = "set it to a constant on the way"},
                   model.file));
  return false;
}

namespace {

void declare_observer(const Network& network,
                      const std::string& path,
                      const CoverageOptions& options,
                      const std::vector<observer::Binding>& bindings,
                      std::vector<bool>& used,
                      DeclaredRules& out) {
  ObserverFile loaded = load_observer(path);
  if (!loaded.problem.empty()) {
    out.problems.push_back(loaded.problem);
    return;
  }
  if (loaded.observer) {
    for (std::size_t i = 0; i < bindings.size(); ++i)
      used[i] = used[i] || concerns(bindings[i], *loaded.observer);
    make_observer(loaded, bindings)
        ->declare(network, options.criterion, out.rules, loaded.diagnostics);
  }
  loaded.diagnostics.sort();
  out.findings.emplace_back(std::move(loaded.file), std::move(loaded.diagnostics));
}

// Weaker criteria, where the options ask for them.
void declare_fallbacks(const CoverageOptions& options,
                       const std::function<void(std::string_view)>& declare,
                       CoverageRules& rules) {
  const std::size_t asked = rules.criteria().size();
  const auto is_declared = [&](std::string_view name) {
    return std::ranges::any_of(rules.criteria(),
                               [&](const CriterionInfo& info) { return info.name == name; });
  };
  for (const std::string& name : options.criteria)
    for (const std::string_view rung : rungs_below(name))
      if (!is_declared(rung))
        declare(rung);
  for (std::size_t i = asked; i < rules.criteria().size(); ++i)
    rules.set_fallback(CriterionId(i));
  link_rungs(rules);
}

}  // namespace

std::string DeclaredRules::first_error() const {
  if (!problems.empty())
    return problems.front();
  for (const auto& [file, diagnostics] : findings)
    for (const Diagnostic& diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::kError)
        return diagnostic.message;
  return "";
}

DeclaredRules declare_criteria(const LoadedModel& model, const CoverageOptions& options) {
  DeclaredRules out{.rules = CoverageRules(ItemFilter(options.only))};
  std::vector<observer::Binding> bindings;
  for (const std::string& text : options.observer) {
    std::string problem;
    if (std::optional<observer::Binding> binding = parse_binding(text, problem))
      bindings.push_back(std::move(*binding));
  }
  std::vector<bool> used(bindings.size());
  Diagnostics diagnostics;
  const auto declare = [&](std::string_view name) {
    make_criterion(name)->declare(*model.network, options.criterion, out.rules, diagnostics);
  };
  for (const std::string& name : options.criteria) {
    if (is_observer_file(name))
      declare_observer(*model.network, name, options, bindings, used, out);
    else
      declare(name);
  }
  if (options.best_effort)
    declare_fallbacks(options, declare, out.rules);
  out.findings.emplace_back(model.file, std::move(diagnostics));
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (!used[i])
      out.unused.push_back(fmt::format("--observer {}: no observer has a parameter '{}'",
                                       bindings[i].text, bindings[i].parameter));
  return out;
}

std::optional<CoverageRules> declare_rules(const LoadedModel& model,
                                           const CoverageOptions& options,
                                           ShowOptions show_options) {
  const LoadingPhase phase;
  DeclaredRules declared = declare_criteria(model, options);
  for (const std::string& problem : declared.problems)
    say("error: {}\n", problem);
  for (const auto& [file, diagnostics] : declared.findings)
    show(file, diagnostics, show_options);
  if (!declared.first_error().empty())
    return std::nullopt;
  for (const std::string& problem : declared.unused)
    say("error: {}\n", problem);
  if (!declared.unused.empty())
    return std::nullopt;
  return std::move(declared.rules);
}

void show_model_error(const LoadedModel& model, const ModelErrorReport& report) {
  const Network& network = *model.network;
  const StateNames names(network);
  const ModelError& error = report.error;
  say("{}", render({.severity = Severity::kError,
                    .where = error.at.valid() ? network.pool[error.at].where : SourceRange{},
                    .message = "run-time error: " + describe(network, error.what()),
                    .hint = "--on-error skip treats such a step as absent"},
                   model.file));
  if (!report.initial && has_rates(network))
    say("  note: with stopwatches more seems possible than is, perhaps this, too\n");
  if (report.initial) {
    say("  in the initial state\n");
    return;
  }
  say("  after {}{}\n", plural(report.steps.size(), "step"),
      report.steps.empty() ? ", in the initial state" : ":");
  for (std::size_t i = 0; i < report.steps.size(); ++i)
    say("  {:>4}  {}\n", i + 1, describe_step(names, report.steps[i]));
  if (error.edge.valid())
    say("  then on {}\n", describe_edge(names, error.edge));
}

void show_left_out(const LoadedModel& model,
                   std::span<const RunError> errors,
                   ShowOptions options) {
  const Network& network = *model.network;
  Diagnostics diagnostics;
  for (const RunError& error : errors)
    diagnostics.warning(error.at.valid() ? network.pool[error.at].where : SourceRange{},
                        "run-time error, such steps are left out: " + describe(network, error),
                        "'infeasible' means: no run without them");
  show(model.file, diagnostics, options);
}

void show_no_initial_state(const LoadedModel& model) {
  say("{}: error: an invariant does not hold initially, so there is no state\n", model.file.path);
}

void show_items(const CoverageRules& rules, std::span<const ItemId> items) {
  constexpr std::size_t kMostShown = 10;
  for (std::size_t i = 0; i < items.size() && i < kMostShown; ++i)
    say("  {}\n", rules.items()[items[i]].id);
  if (items.size() > kMostShown)
    say("  … and {} more\n", items.size() - kMostShown);
}

}  // namespace tw
