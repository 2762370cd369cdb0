// tracewright check MODEL SUITE.json: is all that a suite says so?

#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <new>
#include <string>

#include "cli/choices.hpp"
#include "cli/command.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/run_budget.hpp"
#include "cli/suite_input.hpp"
#include "criteria/observer/observer.hpp"
#include "engine/check/check_search.hpp"
#include "engine/check/check_suite.hpp"
#include "engine/semantics/clock_bounds.hpp"
#include "exporters/check_report.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// So that no file, whatever it says, keeps anyone waiting.
constexpr std::uint64_t kDefaultBytes = std::uint64_t{2} << 30;
constexpr std::chrono::seconds kDefaultTime(60);

class CheckCommand final : public Command {
 public:
  explicit CheckCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", model_, "UPPAAL model: .xml, .xta or .ta")->required();
    add_syntax_option(app, old_syntax_);
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
    add_time_and_memory(app, limits_);
    app.add_flag("--no-search", no_search_,
                 "Check only what running the tests decides: not what is infeasible, what was "
                 "counted, and how short a suite can be");
    app.add_flag("--other-model", other_model_,
                 "The suite was made from another version of the model: check it all the same");
    app.add_flag("-q,--quiet", quiet_, "Show errors, but no warnings or progress");
    app.footer(
        "Examples:\n  tracewright check model.xml suite.json\n"
        "  tracewright check model.xml suite.json --time-limit 10m --max-memory 8G\n"
        "  tracewright check model.xml suite.json --format json | jq .ok\n\n"
        "What cannot be found out within the limits (60s, 2G unless given) is reported as not\n"
        "checked; the exit code is that of the rest.\n\n"
        "Exit codes: 0 all that was checked is so, 1 something is not, 3 a file is missing or\n"
        "wrong, or the suite does not fit the model.");
  }

  ExitCode run() override {
    RunBudget run(limits_, {.quiet = quiet_});
    const std::optional<LoadedSuite> suite = load_suite(suite_);
    // The model's own mistakes are worth telling in any case.
    std::optional<CoverageOptions> coverage =
        suite ? coverage_of(*suite, observers_) : std::optional(CoverageOptions());
    if (!coverage)
      return ExitCode::kBadInput;
    coverage->old_syntax = coverage->old_syntax || old_syntax_;
    const LoadedModel model = load_and_show(model_, *coverage, {.quiet = quiet_});
    if (!model.network || !suite)
      return ExitCode::kBadInput;
    if (!other_model_ && !is_of_model(*suite, model_, model.sha256))
      return ExitCode::kBadInput;
    std::optional<CoverageRules> rules = declare_rules(model, *coverage, {.quiet = quiet_});
    if (!rules)
      return ExitCode::kBadInput;
    const std::optional<GenerateOptions> made_with = generate_options_of(*suite);
    if (!made_with)
      return ExitCode::kBadInput;
    SuiteChecker checker(*model.network, *rules, suite->file,
                         {.on_error = made_with->search.on_error,
                          .is_spent = [&run] { return run.budget().is_spent(); }});
    if (!replay(*suite, checker, run))
      return ExitCode::kBadInput;
    CheckReport report{.model = model_, .suite = suite_, .result = compare(checker, run)};
    search(model, *suite, checker,
           {.made_with = *made_with,
            .declare = [&] { return declare_criteria(model, *coverage).rules; },
            .source = model.file,
            .is_same_version =
                suite->file.tool_version.empty() || suite->file.tool_version == TW_VERSION,
            .progress = run.progress()},
           run, report.result);
    const Budget::Phase writing(run.budget(), "writing", 1);
    const bool interrupted = run.watch().was_interrupted();
    run.watch().clear();
    ExitCode code = interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
    if (report.result.has(CheckStatus::kDiffers))
      code = worse(code, ExitCode::kGoalNotMet);
    if (report.result.has(CheckStatus::kDoesNotFit))
      code = worse(code, ExitCode::kBadInput);
    code = worse(code, write_stdout(json_ ? check_json(report) : check_text(report)));
    end_if_large(code);
    return code;
  }

 private:
  // False: the file is wrong, which was told.
  static bool replay(const LoadedSuite& suite, SuiteChecker& checker, RunBudget& run) {
    const Budget::Phase phase(run.budget(), "replay");
    try {
      return load_tests(suite, checker);
    } catch (const BudgetSpent& met) {
      checker.stop(met.limit());
    } catch (const std::bad_alloc&) {
      checker.stop(Limit::kMemory);
    }
    return true;
  }

  // What is said with what was seen.
  static CheckResult compare(SuiteChecker& checker, RunBudget& run) {
    constexpr double kShare = 0.5;  // of the grace
    const Budget::Phase phase(run.budget(), "comparison", kShare);
    return checker.finish();
  }

  // What only a search can know, if all else is right.
  void search(const LoadedModel& model,
              const LoadedSuite& suite,
              const SuiteChecker& checker,
              const SearchCheckOptions& options,
              RunBudget& run,
              CheckResult& result) const {
    const Budget::Phase phase(run.budget(), "search");
    const auto leave = [&](std::string_view why) {
      result.not_checked.push_back({.what = "what needs a search", .why = std::string(why)});
    };
    if (no_search_)
      leave("--no-search");
    else if (!result.is_ok())
      leave("there are problems without it");
    else if (ClockBounds(*model.network).unbounded().valid())
      leave("the zones of the model need not be finitely many");
    else
      check_search(*model.network, suite.file, checker.verdicts(), options, result);
  }

  std::string model_;
  std::string suite_;
  std::vector<std::string> observers_;
  bool json_ = false;
  RunLimits limits_{.time = kDefaultTime, .bytes = kDefaultBytes};
  bool no_search_ = false;
  bool other_model_ = false;
  bool quiet_ = false;
  bool old_syntax_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_command(CLI::App& program) {
  return std::make_unique<CheckCommand>(
      *program.add_subcommand("check", "Replay a suite: is all that it says so?"));
}

}  // namespace tw
