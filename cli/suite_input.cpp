#include "cli/suite_input.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "cli/choices.hpp"
#include "cli/say.hpp"
#include "criteria/ladder.hpp"
#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

// What --best-effort adds to the first criteria of a list, by their names.
std::vector<std::string> fallbacks_of(const std::vector<SuiteFile::Criterion>& all,
                                      std::size_t first) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < first; ++i)
    names.push_back(all[i].name);
  for (std::size_t i = 0; i < first; ++i)
    for (const std::string_view rung : rungs_below(all[i].name))
      if (std::ranges::find(names, rung) == names.end())
        names.emplace_back(rung);
  return {names.begin() + static_cast<std::ptrdiff_t>(first), names.end()};
}

// The criteria that somebody asked for; fallbacks follow from them. Version 1 does not tell them
// apart: they are the rest that follows from as few as possible.
std::vector<SuiteFile::Criterion> asked_criteria(const SuiteFile& suite) {
  std::vector<SuiteFile::Criterion> out = suite.options.criteria;
  if (!suite.options.best_effort)
    return out;
  if (suite.has_changes()) {
    std::erase_if(out, [](const SuiteFile::Criterion& criterion) { return criterion.is_fallback; });
    return out;
  }
  for (std::size_t first = 1; first < out.size(); ++first) {
    const std::vector<std::string> fallbacks = fallbacks_of(out, first);
    const auto rest = out.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::equal(rest, out.end(), fallbacks.begin(), fallbacks.end(),
                   [](const SuiteFile::Criterion& criterion, const std::string& name) {
                     return criterion.name == name;
                   })) {
      out.resize(first);
      break;
    }
  }
  return out;
}

}  // namespace

std::optional<LoadedSuite> load_suite(const std::string& path) {
  std::string problem;
  std::optional<SuiteSource> source = SuiteSource::open(path, problem);
  if (!source) {
    say("error: {}\n", problem);
    return std::nullopt;
  }
  SuiteProblems problems;
  std::optional<SuiteFile> file = read_suite(*source, problems);
  say("{}", problems.render_all(path));
  if (!file)
    return std::nullopt;
  return LoadedSuite{.source = std::move(*source), .file = std::move(*file)};
}

bool load_tests(const LoadedSuite& suite, SuiteTests& tests) {
  SuiteProblems problems;
  const bool ok = read_tests(suite.source, suite.file, tests, problems);
  say("{}", problems.render_all(suite.source.path()));
  return ok;
}

std::optional<CoverageOptions> coverage_of(const LoadedSuite& suite,
                                           const std::vector<std::string>& observers) {
  const std::string& path = suite.source.path();
  std::map<std::string, std::string> given;  // name of an observer, file
  for (const std::string& file : observers)
    if (const ObserverFile loaded = load_observer(file); loaded.observer)
      given[loaded.observer->name.text] = file;
  const auto refuse = [&path](std::string_view where, std::string_view word) {
    say("{}: error: options.{}: unknown value '{}'\n", path, where, word);
    return std::nullopt;
  };
  CoverageOptions out;
  out.criteria.clear();
  const SuiteFile::Options& options = suite.file.options;
  for (const SuiteFile::Criterion& criterion : asked_criteria(suite.file)) {
    if (!criterion.file.empty()) {
      const auto other = given.find(criterion.name);
      out.criteria.push_back(other == given.end() ? criterion.file : other->second);
      if (!is_observer_file(out.criteria.back()))
        return refuse("criteria.file", criterion.file);
      if (const std::string problem = load_observer(out.criteria.back()).problem;
          !problem.empty()) {
        say("error: {}\n  hint: {} was made with it; if it is somewhere else now: "
            "-c FILE.obs\n",
            problem, path);
        return std::nullopt;
      }
      continue;
    }
    if (make_criterion(criterion.name) == nullptr)
      return refuse("criteria", criterion.name);
    if (std::ranges::find(out.criteria, criterion.name) == out.criteria.end())
      out.criteria.push_back(criterion.name);
  }
  const std::optional<Level> level = value_in(kLevels, options.per);
  if (!level)
    return refuse("per", options.per);
  const std::optional<DefUseReading> def_use = value_in(kDefUseReadings, options.def_use);
  if (!def_use)
    return refuse("def_use", options.def_use);
  const std::optional<InvariantUses> invariants = value_in(kInvariantUses, options.invariants);
  if (!invariants)
    return refuse("invariants", options.invariants);
  const std::optional<HalfPlaces> pairing = value_in(kPairings, options.pairing);
  if (!pairing)
    return refuse("pairing", options.pairing);
  if (!value_in(kOnError, options.on_error))
    return refuse("on_error", options.on_error);
  // generate has said what there was to say about criteria without items.
  out.criterion = {.level = *level,
                   .def_use = *def_use,
                   .invariants = *invariants,
                   .variables = options.vars,
                   .pairing = *pairing,
                   .observe = options.observe,
                   .one_of_all = true};
  set_similarity(options.edge_init, out);
  if (!options.properties_file.empty())
    out.properties = SourceFile{.path = options.properties_file, .text = options.properties};
  out.best_effort = options.best_effort;
  out.only = options.only;
  out.observer = options.observer;
  out.old_syntax = options.old_syntax;
  return out;
}

std::optional<GenerateOptions> generate_options_of(const LoadedSuite& suite) {
  const SuiteFile::Options& options = suite.file.options;
  GenerateOptions out;
  bool ok = true;
  const auto read = [&](std::string_view where, const std::string& word, const auto& table,
                        auto& field) {
    if (const auto value = value_in(table, word)) {
      field = *value;
      return;
    }
    say("{}: error: {}: unknown value '{}'\n", suite.source.path(), where, word);
    ok = false;
  };
  read("options.reduce", options.reduce, kReductions, out.reduce);
  read("options.optimise", options.optimise, kOptimisations, out.optimise);
  if (options.delays)
    read("options.delays", *options.delays, kDelays, out.delays);
  read("options.subsumption", options.subsumption, kSubsumptions, out.search.subsumption);
  read("options.on_error", options.on_error, kOnError, out.search.on_error);
  if (suite.file.search && suite.file.search->algorithm)
    read("search.algorithm", *suite.file.search->algorithm, kAlgorithms, out.search.algorithm);
  if (suite.file.search && suite.file.search->order)
    read("search.order", *suite.file.search->order, kOrders, out.search.order);
  out.search.reset = options.reset;
  out.search.full = options.full;
  out.search.keep_dead = options.keep_dead;
  out.search.stop_at = options.stop;
  out.search.seed = options.seed;
  out.search.max_states = options.max_states;
  return ok ? std::optional(out) : std::nullopt;
}

bool is_of_model(const LoadedSuite& suite, const std::string& model, const std::string& sha256) {
  if (suite.file.sha256 == sha256)
    return true;
  say("{}: error: the suite was made from another version of {}\n  hint: --other-model "
      "takes it all the same\n",
      suite.source.path(), model);
  return false;
}

}  // namespace tw
