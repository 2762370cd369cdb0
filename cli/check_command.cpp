// tracewright check MODEL SUITE.json: does each test run as written, and cover what it claims? Only
// the second interpreter of the model and of the rules is used, none of the code that made the
// suite.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

#include "cli/choices.hpp"
#include "cli/command.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/suite_names.hpp"
#include "cli/suite_script.hpp"
#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/suite/goals.hpp"
#include "engine/suite/test_states.hpp"
#include "exporters/check_report.hpp"
#include "exporters/suite_read.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// The options a suite was made with; none, and the reason on stderr, if this program has no such.
// Observers are read from the files given, by their names, or else from those the suite names.
std::optional<CoverageOptions> coverage_of(const SuiteFile& suite,
                                           const std::string& path,
                                           const std::vector<std::string>& observers) {
  std::map<std::string, std::string> given;  // name of an observer, file
  for (const std::string& file : observers)
    if (const ObserverFile loaded = load_observer(file); loaded.observer)
      given[loaded.observer->name.text] = file;
  const auto refuse = [&path](std::string_view where, std::string_view word) {
    fmt::print(stderr, "{}: error: options.{}: unknown value '{}'\n", path, where, word);
    return std::nullopt;
  };
  CoverageOptions out;
  out.criteria.clear();
  const SuiteFile::Options& options = suite.options;
  for (const SuiteFile::Criterion& criterion : options.criteria) {
    if (!criterion.file.empty()) {
      const auto other = given.find(criterion.name);
      out.criteria.push_back(other == given.end() ? criterion.file : other->second);
      if (!is_observer_file(out.criteria.back()))
        return refuse("criteria.file", criterion.file);
      if (const std::string problem = load_observer(out.criteria.back()).problem;
          !problem.empty()) {
        fmt::print(stderr,
                   "error: {}\n  hint: {} was made with it; if it is somewhere else now: "
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
  out.only = options.only;
  out.observer = options.observer;
  return out;
}

class Checker {
 public:
  Checker(const Network& network, CoverageRules& rules, const SuiteFile& suite)
      : network_(network),
        rules_(rules),
        suite_(suite),
        on_error_(value_in(kOnError, suite.options.on_error).value_or(OnError::kStop)),
        names_(network) {}

  CheckedTest check(const SuiteFile::Test& test) {
    CheckedTest out{.id = test.id, .steps = length_of(test), .covers = test.covers.size()};
    ScriptOrProblem read = script_of(network_, names_, test);
    if (!read.script)
      return fail(out, CheckStatus::kDoesNotFit, read.step, std::move(read.problem));
    const Script* script = &*read.script;
    const replay::RunCheck run =
        replay::check_run(network_, rules_, script->steps, script->delays, on_error_);
    // What was reached is compared first: the first difference may come before the step that fails.
    for (std::size_t i = 0; i < run.states.size(); ++i)
      if (!compare(*script, run, i, out))
        return out;
    if (!run.possible)
      return fail(out, CheckStatus::kDiffers, run.failed_step + 1,
                  fmt::format("not possible: {}", run.why_not));
    for (const std::string& id : test.covers)
      if (!check_claim(id, run, out))
        return out;
    if (network_.is_timed() && check_intervals(*script, run, out))
      check_margins(*script, out);
    return out;
  }

 private:
  static CheckedTest fail(CheckedTest& out,
                          CheckStatus status,
                          std::optional<std::size_t> step,
                          std::string problem) {
    out.status = status;
    out.step = step;
    out.problem = std::move(problem);
    return out;
  }

  // State number i, which is the initial one or the one after step i.
  bool compare(const Script& script,
               const replay::RunCheck& run,
               std::size_t i,
               CheckedTest& out) const {
    const SuiteFile::State& written = i == 0 ? suite_.initial : script.test->steps[i - 1].state;
    const std::optional<std::size_t> where = i == 0 ? std::nullopt : std::optional(i);
    const std::string prefix = i == 0 ? "initially " : "";
    const SuiteNames::Found<std::string> found = names_.difference(written, run.states[i]);
    if (!found.value) {
      fail(out, CheckStatus::kDoesNotFit, where, found.problem);
      return false;
    }
    if (!found.value->empty()) {
      fail(out, CheckStatus::kDiffers, where, prefix + *found.value);
      return false;
    }
    if (i == 0)
      return true;
    const ChannelId channel = channel_of(network_, run.states[i - 1].cells, script.steps[i - 1]);
    const std::string name = channel.valid() ? network_.channels[channel].name : "";
    if (name == script.test->steps[i - 1].channel)
      return true;
    const auto word = [](const std::string& text) { return text.empty() ? "none" : text; };
    fail(out, CheckStatus::kDiffers, where,
         fmt::format("the channel is {}, the suite says {}", word(name),
                     word(script.test->steps[i - 1].channel)));
    return false;
  }

  bool check_claim(const std::string& id, const replay::RunCheck& run, CheckedTest& out) const {
    const ItemId item = rules_.find_item(id);
    if (!item.valid()) {
      fail(out, CheckStatus::kDoesNotFit, std::nullopt,
           fmt::format("claims to cover '{}', which is no item", id));
      return false;
    }
    if (std::ranges::binary_search(run.covered, item))
      return true;
    fail(out, CheckStatus::kDiffers, std::nullopt,
         fmt::format("does not cover '{}', which it claims", id));
    return false;
  }

  // With all other delays as chosen, one at an end of its interval must do as well; an end that the
  // interval does not contain says nothing that could be tried.
  bool check_intervals(const Script& script, const replay::RunCheck& run, CheckedTest& out) const {
    const replay::Interpreter interpreter = replay::interpreter_for(network_, rules_, on_error_);
    for (std::size_t i = 0; i < script.steps.size(); ++i) {
      const SuiteFile::Delay& delay = *script.test->steps[i].delay;
      const bool too_short =
          delay.min && (delay.min_strict ? delay.chosen <= *delay.min : delay.chosen < *delay.min);
      const bool too_long =
          delay.max && (delay.max_strict ? delay.chosen >= *delay.max : delay.chosen > *delay.max);
      if (too_short || too_long) {
        fail(out, CheckStatus::kDiffers, i + 1,
             fmt::format("the delay of {} lies outside its own interval", to_string(delay.chosen)));
        return false;
      }
      for (const auto& end : {delay.min_strict ? std::nullopt : delay.min,
                              delay.max_strict ? std::nullopt : delay.max}) {
        const std::string why =
            end ? replay::why_not_with(interpreter, run, script.steps, script.delays, i, *end) : "";
        if (why.empty())
          continue;
        fail(out, CheckStatus::kDiffers, i + 1,
             fmt::format("a delay of {} is not possible, the suite says it is: {}", to_string(*end),
                         why));
        return false;
      }
    }
    return true;
  }

  // All delays may be off by their margins, each on its own. Bounds are on the time that passes
  // between two moments: what holds when all delays are longest, and when all are shortest, holds
  // whatever they are between.
  void check_margins(const Script& script, CheckedTest& out) {
    for (const int sign : {1, -1}) {
      std::vector<Rational> moved = script.delays;
      for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] += sign * script.test->steps[i].delay->margin.value_or(Rational(0));
      const replay::RunCheck run =
          replay::check_run(network_, rules_, script.steps, moved, on_error_);
      if (run.possible)
        continue;
      fail(out, CheckStatus::kDiffers, run.failed_step + 1,
           fmt::format("not possible when all delays are {} by their margins: {}",
                       sign > 0 ? "longer" : "shorter", run.why_not));
      return;
    }
  }

  const Network& network_;
  CoverageRules& rules_;
  const SuiteFile& suite_;
  const OnError on_error_;  // what counted as absent when the suite was made
  const SuiteNames names_;
};

// What the list of items says, held against what the tests say.
std::vector<std::string> item_problems(const CoverageRules& rules, const SuiteFile& suite) {
  std::set<std::string_view> claimed;
  std::vector<std::uint64_t> covered;
  for (const SuiteFile::Test& test : suite.tests)
    for (const std::string& id : test.covers) {
      claimed.insert(id);
      if (const ItemId item = rules.find_item(id); item.valid())
        set_bit(covered, item.index());
    }
  add_wholes(rules, covered);
  for_each_bit(covered, [&](std::size_t i) { claimed.insert(rules.items()[ItemId(i)].id); });
  std::vector<std::string> out;
  for (const SuiteFile::Item& item : suite.items) {
    const bool is_covered = item.status == "covered";
    if (is_covered && !claimed.contains(item.id))
      out.push_back(fmt::format("item '{}' is said to be covered, but no test covers it", item.id));
    if (!is_covered && claimed.contains(item.id))
      out.push_back(
          fmt::format("item '{}' is said to be {}, but a test covers it", item.id, item.status));
  }
  return out;
}

class CheckCommand final : public Command {
 public:
  explicit CheckCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", model_, "UPPAAL model: .xml, .xta or .ta")->required();
    app.add_option("SUITE", suite_, "Suite as written by generate --format json")->required();
    add_json_option(app, json_);
    app.add_option("-c,--criteria", observers_,
                   "Observer files to use instead of those that the suite names")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](const std::string& word) {
              if (!is_observer_file(word))
                return fmt::format("'{}' is no observer file; other criteria are in the suite",
                                   word);
              return load_observer(word).problem;
            },
            ""))
        ->option_text("FILE.obs");
    app.add_flag("-q,--quiet", quiet_, "Show errors, but no warnings");
    app.footer(
        "Examples:\n  tracewright check model.xml suite.json\n"
        "  tracewright check model.xml suite.json --format json | jq .ok\n\n"
        "Exit codes: 0 all tests are ok, 1 one differs, 3 a file is missing or wrong, or the\n"
        "suite does not fit the model.");
  }

  ExitCode run() override {
    const std::optional<SuiteFile> suite = load_suite(suite_);
    // The model's own mistakes are worth telling in any case.
    std::optional<CoverageOptions> coverage =
        suite ? coverage_of(*suite, suite_, observers_) : std::optional(CoverageOptions());
    if (!coverage)
      return ExitCode::kBadInput;
    const LoadedModel model = load_and_show(model_, *coverage, {.quiet = quiet_});
    if (!model.network || !suite)
      return ExitCode::kBadInput;
    if (suite->sha256 != model.sha256 && !quiet_)
      fmt::print(stderr, "{}: warning: the suite was made from another version of {}\n", suite_,
                 model_);
    std::optional<CoverageRules> rules = declare_rules(model, *coverage, {.quiet = quiet_});
    if (!rules)
      return ExitCode::kBadInput;
    return check(*model.network, *rules, *suite);
  }

 private:
  ExitCode check(const Network& network, CoverageRules& rules, const SuiteFile& suite) const {
    CheckReport report{.model = model_, .suite = suite_};
    Checker checker(network, rules, suite);
    ExitCode code = ExitCode::kOk;
    for (const SuiteFile::Test& test : suite.tests) {
      report.tests.push_back(checker.check(test));
      if (report.tests.back().status == CheckStatus::kDiffers)
        code = worse(code, ExitCode::kGoalNotMet);
      if (report.tests.back().status == CheckStatus::kDoesNotFit)
        code = worse(code, ExitCode::kBadInput);
    }
    report.problems = item_problems(rules, suite);
    if (!report.problems.empty())
      code = worse(code, ExitCode::kGoalNotMet);
    return worse(code, write_stdout(json_ ? check_json(report) : check_text(report)));
  }

  std::string model_;
  std::string suite_;
  std::vector<std::string> observers_;
  bool json_ = false;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_command(CLI::App& program) {
  return std::make_unique<CheckCommand>(*program.add_subcommand(
      "check", "Replay a suite: does each test run, and cover what it claims?"));
}

}  // namespace tw
