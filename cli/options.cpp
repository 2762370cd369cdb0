#include "cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "cli/choices.hpp"
#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// A number that is not negative, and one of these units behind it, in letters of any size. Empty:
// the unit of plain numbers.
std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || std::signbit(value))
    return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : units)
    if (is_same_word(unit.name, rest))
      return value * unit.factor;
  return std::nullopt;
}

template <class E, std::size_t N>
CLI::Option* add_choice(CLI::App& app,
                        const std::string& flag,
                        E& field,
                        const Choice<E> (&table)[N],
                        const std::string& help) {
  std::string words;
  for (const Choice<E>& choice : table)
    words += (words.empty() ? "" : "|") + std::string(choice.name);
  return app
      .add_option_function<std::string>(
          flag, [&field, &table](const std::string& word) { field = *value_in(table, word); }, help)
      ->check(CLI::Validator(
          [&table, words](const std::string& word) {
            return value_in(table, word) ? std::string()
                                         : fmt::format("'{}' is none of {}", word, words);
          },
          ""))
      ->option_text(fmt::format("{} (default {})", words, name_in(table, field)));
}

constexpr int kMostThreads = 256;

// Eighteen digits fit into 64 bits; the library would quietly take the largest number instead.
bool is_whole_number(const std::string& word) {
  constexpr std::size_t kMostDigits = 18;
  return !word.empty() && word.size() <= kMostDigits &&
         word.find_first_not_of("0123456789") == std::string::npos;
}

// Positive whole numbers: 0 would mean "no limit", which is said by leaving the option out.
CLI::Option* add_count(CLI::App& app,
                       const std::string& flag,
                       std::uint64_t& field,
                       const std::string& help) {
  return app
      .add_option_function<std::string>(
          flag, [&field](const std::string& word) { field = *parse_count(word); }, help)
      ->check(CLI::Validator(
          [](const std::string& word) {
            return parse_count(word)
                       ? std::string()
                       : fmt::format("'{}' is not a positive whole number such as 5000 or 1M",
                                     word);
          },
          ""))
      ->option_text("N");
}

std::string check_criterion(const std::string& word) {
  if (word == "all" || is_observer_file(word) || make_criterion(word) != nullptr)
    return {};
  const std::string_view meant = nearest_criterion(word);
  return fmt::format("unknown criterion '{}'; {}", word,
                     meant.empty() ? std::string("`tracewright criteria` lists them")
                                   : fmt::format("did you mean '{}'?", meant));
}

void set_criteria(const std::vector<std::string>& words, std::vector<std::string>& field) {
  field.clear();
  const auto add = [&field](const std::string& name) {
    if (std::ranges::find(field, name) == field.end())
      field.push_back(name);
  };
  for (const std::string& word : words) {
    if (word != "all") {
      add(is_observer_file(word) ? word : criterion_name(word));
      continue;
    }
    for (const CriterionSummary& known : known_criteria())
      add(std::string(known.name));
  }
}

void add_guard_options(CLI::App& app, CoverageOptions& options) {
  const std::string group = "What to cover";
  add_choice(app, "--pairing", options.criterion.pairing, kPairings,
             "cacc, racc, ricc, mcdc: both states in one test, or anywhere in the suite")
      ->group(group);
  app.add_flag("--observe", options.criterion.observe,
               "What a state shows about guards counts once a further step is taken")
      ->group(group);
  app.add_flag("--best-effort", options.best_effort,
               "Where an item is infeasible, cover one of the next weaker criterion instead")
      ->group(group);
}

}  // namespace

CLI::Validator in_range(double least, double most) {
  return CLI::Validator(
      [least, most](const std::string& word) {
        double value = 0;
        const char* const end = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), end, value);
        return error == std::errc() && rest == end && value >= least && value <= most
                   ? std::string()
                   : fmt::format("'{}' is not a number from {} to {}", word, least, most);
      },
      "");
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr double kKilo = 1024;
  constexpr double kMega = kKilo * kKilo;
  constexpr double kGiga = kMega * kKilo;
  static constexpr Unit kUnits[] = {{"", kMega},    {"B", 1},      {"K", kKilo},  {"KB", kKilo},
                                    {"KiB", kKilo}, {"M", kMega},  {"MB", kMega}, {"MiB", kMega},
                                    {"G", kGiga},   {"GB", kGiga}, {"GiB", kGiga}};
  const std::optional<double> bytes = parse_quantity(text, kUnits);
  constexpr double kMost = 1e18;
  return bytes && *bytes <= kMost ? std::optional(static_cast<std::uint64_t>(*bytes))
                                  : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  // Plain numbers are read exactly; a double has no room for all of them.
  if (const std::string word(text); is_whole_number(word)) {
    const std::uint64_t value = std::stoull(word);
    return value != 0 ? std::optional(value) : std::nullopt;
  }
  static constexpr Unit kUnits[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}};
  constexpr double kMost = 1e15;  // and whole up to there
  const std::optional<double> value = parse_quantity(text, kUnits);
  return value && *value >= 1 && *value <= kMost && std::floor(*value) == *value
             ? std::optional(static_cast<std::uint64_t>(*value))
             : std::nullopt;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  static constexpr Unit kUnits[] = {
      {"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60'000}, {"h", 3'600'000}};
  const std::optional<double> value = parse_quantity(text, kUnits);
  constexpr double kMost = 1e15;
  return value && *value <= kMost
             ? std::optional(std::chrono::milliseconds(static_cast<std::int64_t>(*value)))
             : std::nullopt;
}

void set_similarity(const std::string& text, CoverageOptions& options) {
  const std::optional<InitialSimilarity> known = value_in(kSimilarities, text);
  options.criterion.initial = known.value_or(InitialSimilarity::kCondition);
  options.similar = known ? "" : text;
}

void add_time_and_memory(CLI::App& app, RunLimits& limits) {
  const std::string group = "Limits";
  app.add_option_function<std::string>(
         "--max-memory", [&limits](const std::string& text) { limits.bytes = *parse_size(text); },
         "Stop when the program takes this much memory; without a unit in MB")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return parse_size(text).value_or(0) != 0
                       ? std::string()
                       : fmt::format("'{}' is not a size such as 500M or 4G", text);
          },
          ""))
      ->option_text("SIZE")
      ->group(group);
  app.add_option_function<std::string>(
         "--time-limit",
         [&limits](const std::string& text) { limits.time = *parse_duration(text); },
         "Stop after this time; without a unit in seconds")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return parse_duration(text).value_or(std::chrono::milliseconds(0)).count() != 0
                       ? std::string()
                       : fmt::format("'{}' is not a time such as 60s or 5m", text);
          },
          ""))
      ->option_text("TIME")
      ->group(group);
}

void add_limit_options(CLI::App& app, SearchOptions& options, RunLimits& limits) {
  const std::string group = "Limits";
  add_count(app, "--max-states", options.max_states, "Stop after this many states")->group(group);
  add_time_and_memory(app, limits);
  add_choice(app, "--on-error", options.on_error, kOnError,
             "A step that makes a run-time error: stop there, or skip the step")
      ->group(group);
  add_choice(app, "--store", options.store, kStores,
             "How states are kept: as they are, or as trees of parts, smaller and slower")
      ->group("Search");
  app.add_option(
         "--threads", options.threads,
         "Threads that search breadth first; the result is the same for every number (default 1)")
      ->check(in_range(1, kMostThreads))
      ->option_text("N")
      ->group("Search");
  app.add_flag_callback(
         "--no-jit", [&options] { options.execution = Execution::kByteCode; },
         "Interpret guards and updates instead of translating them to machine code")
      ->group("Search");
}

void add_syntax_option(CLI::App& app, bool& old_syntax) {
  app.add_flag("--old-syntax", old_syntax,
               "The model is in the language of UPPAAL 3 (`const N 5;`); tried anyway, with a "
               "warning, where today's language has errors");
}

void add_coverage_options(CLI::App& app, CoverageOptions& options) {
  add_syntax_option(app, options.old_syntax);
  const std::string group = "What to cover";
  app.add_option_function<std::vector<std::string>>(
         "-c,--criteria",
         [&options](const std::vector<std::string>& words) {
           set_criteria(words, options.criteria);
           options.criterion.one_of_all = std::ranges::find(words, "all") != words.end();
         },
         "Criteria, separated by commas; `all` is every one; FILE.obs is an observer of your own; "
         "`tracewright criteria` lists them")
      ->delimiter(',')
      ->check(CLI::Validator(check_criterion, ""))
      ->option_text("LIST (default edge)")
      ->group(group);
  app.add_option("--observer", options.observer,
                 "A parameter of an observer file has this value only; can be given repeatedly")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& text) {
            std::string problem;
            (void)parse_binding(text, problem);
            return problem;
          },
          ""))
      ->option_text("NAME=VALUE")
      ->group(group);
  add_choice(app, "--per", options.criterion.level, kLevels,
             "Items of each template, whichever process covers them, or of each process")
      ->group(group);
  app.add_option("--only", options.only,
                 "Keep items whose id matches, * and ? are wildcards; can be given repeatedly")
      ->allow_extra_args(false)
      ->option_text("GLOB")
      ->group(group);
  add_choice(app, "--def-use", options.criterion.def_use, kDefUseReadings,
             "Uses see definitions of the same step in the order of evaluation, or not")
      ->group(group);
  app.add_option("--vars", options.criterion.variables,
                 "Definitions and uses of these variables only, globs separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("LIST")
      ->group(group);
  add_choice(app, "--invariants", options.criterion.invariants, kInvariantUses,
             "Variables in an invariant are used by edges that leave the location, or enter it")
      ->group(group);
  app.add_option_function<std::string>(
         "--edge-init", [&options](const std::string& text) { set_similarity(text, options); },
         "Similar to the initial state means: in all locations, in all variables, too, or where "
         "a condition such as 'Gate.Free && len == 0' holds")
      ->option_text("locations|variables|EXPR (default locations)")
      ->group(group);
  app.add_option_function<std::string>(
         "--properties",
         [&options](const std::string& path) { options.properties = SourceFile{.path = path}; },
         "Requirements in linear temporal logic for vc and ufc, beside the queries A[] p")
      ->option_text("FILE")
      ->group(group);
  add_guard_options(app, options);
}

void add_generate_options(CLI::App& app, GenerateOptions& options) {
  const std::string search = "Search";
  add_choice(app, "--algorithm", options.search.algorithm, kAlgorithms,
             "Tokens one by one, token sets, or one trace that covers most")
      ->group(search);
  add_choice(app, "--order", options.search.order, kOrders, "Which state is next")->group(search);
  add_count(app, "--stop", options.search.stop_at, "End once this many items are covered")
      ->group(search);
  app.add_flag("--full", options.search.full, "Go on when every item is covered")->group(search);
  app.add_flag("--keep-dead", options.search.keep_dead,
               "Tell states apart by values that nobody can read any more, too")
      ->group(search);
  app.add_flag("--reset", options.search.reset,
               "Local algorithm: a test may end and the next one begin")
      ->group(search);
  add_choice(app, "--subsumption", options.search.subsumption, kSubsumptions,
             "Superfluous states, for clocks and local; both expands fewer, tests may get longer")
      ->group(search);
  app.add_option("--seed", options.search.seed, "Of the random order")
      ->check(CLI::Validator(
          [](const std::string& word) {
            return is_whole_number(word) ? std::string()
                                         : fmt::format("'{}' is not a whole number", word);
          },
          ""))
      ->option_text(fmt::format("N (default {})", options.search.seed))
      ->group(search);
  const std::string suite = "Suite";
  add_choice(app, "--reduce", options.reduce, kReductions,
             "One test per item; without redundant ones; a small cover; tests that go on")
      ->group(suite);
  add_choice(app, "--optimise", options.optimise, kOptimisations,
             "What to keep low; time is that of the model's clocks")
      ->group(suite);
  add_choice(app, "--delays", options.delays, kDelays,
             "With clocks, when to take a step: soon, far from all bounds, late")
      ->group(suite);
}

void add_json_option(CLI::App& app, bool& json) {
  CLI::Option* const format = app.add_option_function<std::string>(
      "--format", [&json](const std::string& word) { json = word == "json"; },
      "text for people, json for scripts");
  format
      ->check(CLI::Validator(
          [](const std::string& word) {
            return word == "text" || word == "json"
                       ? std::string()
                       : fmt::format("'{}' is none of text|json", word);
          },
          ""))
      ->option_text("text|json (default text)");
  app.add_flag("--json", json, "Same as --format json")->excludes(format);
}

void add_output_options(CLI::App& app,
                        OutputOptions& options,
                        const std::vector<std::string>& formats) {
  const std::string group = "Output";
  const std::string names = fmt::format("{}", fmt::join(formats, "|"));
  options.format = formats.front();
  CLI::Option* const format =
      app.add_option("--format", options.format,
                     "How the result is written; else the ending of -o says so: x.json, x.csv");
  format
      ->check(CLI::Validator(
          [formats, names](const std::string& word) {
            return std::ranges::find(formats, word) != formats.end()
                       ? std::string()
                       : fmt::format("'{}' is none of {}", word, names);
          },
          ""))
      ->option_text(fmt::format("{} (default {})", names, formats.front()))
      ->group(group);
  CLI::Option* const json = app.add_flag_callback(
      "--json", [&options] { options.format = "json"; }, "Same as --format json");
  json->excludes(format)->group(group);
  app.add_option_function<std::string>(
         "-o,--output",
         [&options, formats, format, json](const std::string& path) {
           options.path = path;
           for (const std::string& name : formats)
             if (format->count() == 0 && json->count() == 0 && path.ends_with("." + name))
               options.format = name;
         },
         "Write to this file instead of standard output")
      ->check(CLI::Validator(
          [](const std::string& path) {
            return path.empty() ? std::string("the name of the file is empty") : std::string();
          },
          ""))
      ->option_text("FILE")
      ->group(group);
  app.add_flag("-q,--quiet", options.quiet, "Show errors, but no warnings, progress or summary")
      ->group(group);
}

ReportOptions report_options(const CoverageOptions& coverage,
                             const GenerateOptions& generate,
                             const RunLimits& limits) {
  const SearchOptions& search = generate.search;
  return {.per = std::string(name_in(kLevels, coverage.criterion.level)),
          .only = coverage.only,
          .vars = coverage.criterion.variables,
          .observer = coverage.observer,
          .def_use = std::string(name_in(kDefUseReadings, coverage.criterion.def_use)),
          .invariants = std::string(name_in(kInvariantUses, coverage.criterion.invariants)),
          .edge_init = coverage.criterion.initial == InitialSimilarity::kCondition
                           ? coverage.similar
                           : std::string(name_in(kSimilarities, coverage.criterion.initial)),
          .properties_file = coverage.properties ? coverage.properties->path : "",
          .properties = coverage.properties ? coverage.properties->text : "",
          .pairing = std::string(name_in(kPairings, coverage.criterion.pairing)),
          .observe = coverage.criterion.observe,
          .best_effort = coverage.best_effort,
          .reduce = std::string(name_in(kReductions, generate.reduce)),
          .optimise = std::string(name_in(kOptimisations, generate.optimise)),
          .delays = std::string(name_in(kDelays, generate.delays)),
          .algorithm = std::string(name_in(kAlgorithms, search.algorithm)),
          .order = std::string(name_in(kOrders, search.order)),
          .subsumption = std::string(name_in(kSubsumptions, search.subsumption)),
          .on_error = std::string(name_in(kOnError, search.on_error)),
          .reset = search.reset,
          .full = search.full,
          .keep_dead = search.keep_dead,
          .old_syntax = coverage.old_syntax,
          .stop = search.stop_at,
          .seed = search.seed,
          .max_states = search.max_states,
          .max_memory_bytes = limits.bytes,
          .time_limit_seconds = std::chrono::duration<double>(limits.time).count()};
}

}  // namespace tw
