// tracewright generate MODEL: a test suite.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/explore.hpp"
#include "cli/goal.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/rest.hpp"
#include "cli/run_budget.hpp"
#include "cli/say.hpp"
#include "cli/terminal.hpp"
#include "engine/suite/generate.hpp"
#include "exporters/report.hpp"
#include "exporters/summary.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

class GenerateCommand final : public Command {
 public:
  explicit GenerateCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", model_, "UPPAAL model: .xml, .xta or .ta")->required();
    std::vector<std::string> formats;
    for (const ExporterInfo& info : exporters())
      formats.emplace_back(info.name);
    add_output_options(app, output_, formats);
    app.add_flag("--stable", stable_, "Leave out seconds and memory: same run, same bytes")
        ->group("Output");
    add_goal_options(app, goals_);
    add_verdict_goals(app, goals_);
    add_coverage_options(app, coverage_);
    add_generate_options(app, generate_);
    add_limit_options(app, generate_.search, limits_);
    app.footer(
        "Examples:\n  tracewright generate model.xml\n"
        "  tracewright generate model.xml -c edge,def-use -o suite.json\n"
        "  tracewright generate model.xml --only 'edge:Train.*' --optimise tests\n"
        "  tracewright generate timed.xml --optimise time --delays earliest\n"
        "  tracewright generate model.xml -c all --time-limit 5m --max-memory 4G --fail-under "
        "90\n\n"
        "Ctrl-C ends the search; what was found is still written (exit code 130).");
  }

  ExitCode run() override {
    RunBudget run(limits_, {.quiet = output_.quiet});
    std::vector<std::string> inputs = input_files({model_}, coverage_);
    inputs.push_back(goals_.accepted);
    OutputFile output;
    if (const ExitCode opened = output.open(output_.path, inputs); opened != ExitCode::kOk)
      return opened;
    const std::optional<Goal> goal = Goal::load(goals_);
    const LoadedModel model = load_and_show(model_, coverage_, {.quiet = output_.quiet});
    if (!goal || !model.network || !can_explore(model))
      return ExitCode::kBadInput;
    std::optional<CoverageRules> rules = declare_rules(model, coverage_, {.quiet = output_.quiet});
    if (!rules)
      return ExitCode::kBadInput;
    // A slip in a pattern must not look like full coverage.
    if (!coverage_.only.empty() && rules->items().empty()) {
      say("error: no item matches --only\n  hint: {}\n",
          "leave it out and add --format csv to see all ids");
      return ExitCode::kUsage;
    }
    if (generate_.optimise == Optimise::kTime && !model.network->is_timed()) {
      if (!output_.quiet)
        say("{}: warning: without clocks there is no time to save: {}\n", model_,
            "--optimise steps instead");
      generate_.optimise = Optimise::kSteps;
    }
    generate_.search.progress = run.progress();
    const Generated generated = generate(*model.network, *rules, generate_);
    // Tests are written as long as what comes behind them has time, too.
    constexpr double kTestsShare = 0.98;
    const Budget::Phase writing(run.budget(), "writing", kTestsShare);
    run.watch().clear();
    // The result first, then what is missing in it: that is read last.
    const ExitCode finished = finish(model, *rules, generated, run, output);
    const ExitCode code = worse(finished, judge(*goal, *rules, generated));
    end_if_large(code);
    return code;
  }

 private:
  // Tells what there is to tell and writes what was found.
  ExitCode finish(const LoadedModel& model,
                  const CoverageRules& rules,
                  const Generated& result,
                  RunBudget& run,
                  OutputFile& output) {
    if (!result.internal_error.empty()) {
      say("internal error: the suite does not replay: {}\n", result.internal_error);
      return ExitCode::kInternal;
    }
    if (result.error)
      show_model_error(model, {.error = result.error->error,
                               .initial = result.error->initial,
                               .steps = result.error->steps});
    else
      show_left_out(model, result.search.errors, {.quiet = output_.quiet});
    // Without an initial state there is nothing a suite could begin with.
    if (!result.has_initial_state || (result.error && result.error->initial)) {
      if (!result.error)
        show_no_initial_state(model);
      return ExitCode::kBadInput;
    }
    const Report report{.tool = {.version = TW_VERSION},
                        .network = *model.network,
                        .file = model.file.path,
                        .source = model.file,
                        .sha256 = model.sha256,
                        .rules = rules,
                        .options = report_options(coverage_, generate_, limits_),
                        .search = result.search,
                        .verdicts = result.verdicts,
                        .suite = result.suite,
                        .budget = &run.budget(),
                        .stable = stable_,
                        .style = output_.is_stdout() ? style_of(STDOUT_FILENO) : TextStyle()};
    const std::size_t written = make_exporter(output_.format)->write(report, output);
    run.watch().clear();
    const ExitCode committed = output.commit();
    if (!output_.quiet) {
      if (!output_.is_stdout() && committed == ExitCode::kOk)
        say("{}written to {}\n",
            describe_summary(report, WrittenSuite(report, written), style_of(STDERR_FILENO)),
            output_.path);
      tell_rest({.model = model_,
                 .rules = rules,
                 .result = result,
                 .budget = run.budget(),
                 .limits = limits_});
    }
    return worse(committed, worse(code_of(run.budget().limit()), code_of(result.reason)));
  }

  // What the exit code says beside how the run ended.
  ExitCode judge(const Goal& goal, const CoverageRules& rules, const Generated& result) const {
    if (!result.internal_error.empty() || !result.has_initial_state)
      return ExitCode::kOk;
    // --stop asked for no more than it got.
    const bool open = result.reason != StopReason::kStop &&
                      std::ranges::find(result.verdicts, ItemStatus::kUndecided,
                                        &Verdict::status) != result.verdicts.end();
    return worse(open ? ExitCode::kGoalNotMet : ExitCode::kOk,
                 goal.judge(rules, result.verdicts,
                            {.model = model_,
                             .one_of_all = coverage_.criterion.one_of_all,
                             .quiet = output_.quiet}));
  }

  std::string model_;
  OutputOptions output_;
  bool stable_ = false;
  GoalOptions goals_;
  CoverageOptions coverage_;
  GenerateOptions generate_;
  RunLimits limits_;
};

}  // namespace

std::unique_ptr<Command> make_generate_command(CLI::App& program) {
  return std::make_unique<GenerateCommand>(
      *program.add_subcommand("generate", "Generate a test suite"));
}

}  // namespace tw
