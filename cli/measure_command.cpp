// tracewright measure MODEL SUITE.json…: what do suites cover, by criteria of the user's choice?
// Replay decides; what the suites claim does not count.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>

#include "cli/choices.hpp"
#include "cli/command.hpp"
#include "cli/explore.hpp"
#include "cli/goal.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/run_budget.hpp"
#include "cli/say.hpp"
#include "cli/suite_input.hpp"
#include "engine/check/suite_names.hpp"
#include "engine/check/test_replay.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/suite/goals.hpp"
#include "exporters/measurement.hpp"
#include "exporters/report.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// What makes two tests the same: their steps, with the values of selects, and their times.
using TestKey = std::vector<std::string>;

TestKey key_of(const TestReplay& test) {
  TestKey out;
  for (std::size_t i = 0; i < test.steps().size(); ++i) {
    std::string step = test.delays().empty() ? "" : to_string(test.delays()[i]);
    for (const FiredEdge& fired : test.steps()[i].edges)
      step += fmt::format(" {}[{}]", fired.edge.index(), fmt::join(fired.selects, ","));
    out.push_back(std::move(step));
  }
  return out;
}

// Replays suites one after the other and keeps what they cover.
class Measurer {
 public:
  Measurer(const Network& network, CoverageRules& rules, bool partial)
      : network_(network),
        rules_(rules),
        partial_(partial),
        names_(network),
        monitor_(network, rules) {}

  /// False: the file is wrong, which was told.
  [[nodiscard]] bool measure(const LoadedSuite& suite) {
    const OnError on_error =
        value_in(kOnError, suite.file.options.on_error).value_or(OnError::kStop);
    const replay::Interpreter interpreter = replay::interpreter_for(network_, rules_, on_error);
    SuiteRun run(*this, interpreter);
    if (!load_tests(suite, run))
      return false;
    MeasuredSuite out = run.take();
    out.file = suite.source.path();
    for (const FailedTest& test : out.failed)
      merged_.failed.push_back(test);
    suites_.push_back(std::move(out));
    covered_.push_back(run.covered());
    return true;
  }

  /// By item, what was found out about those that no suite covers; may be shorter.
  void decide(const std::vector<Verdict>& explored, Measurement& out) {
    const auto verdicts = [&](const std::set<ItemId>& items) {
      std::vector<std::uint64_t> covered;
      for (const ItemId item : items)
        set_bit(covered, item.index());
      std::vector<Verdict> all = verdicts_of(rules_, covered, explored);
      for (std::size_t i = 0; i < explored.size(); ++i)
        if (all[i].status == ItemStatus::kUndecided && explored[i].status == ItemStatus::kCovered)
          all[i].status = ItemStatus::kMissed;
      return all;
    };
    std::set<ItemId> together;
    for (std::size_t s = 0; s < suites_.size(); ++s) {
      suites_[s].verdicts = verdicts(covered_[s]);
      together.insert(covered_[s].begin(), covered_[s].end());
    }
    merged_.verdicts = verdicts(together);
    out.suites = std::move(suites_);
    out.merged = std::move(merged_);
  }

  [[nodiscard]] bool is_covered(ItemId item) const {
    return std::ranges::any_of(covered_,
                               [item](const std::set<ItemId>& c) { return c.contains(item); });
  }

 private:
  // The tests of one suite, as they are read.
  class SuiteRun final : public SuiteTests {
   public:
    SuiteRun(Measurer& owner, const replay::Interpreter& interpreter)
        : owner_(owner),
          replay_(owner.network_, owner.names_, interpreter, owner.monitor_) {}

    void begin_test() override { problem_ = replay_.begin(); }

    void step(SuiteFile::Step step) override {
      if (!problem_)
        problem_ = replay_.take(step);
    }

    void end_test(SuiteFile::Test test) override {
      // Without an initial state nothing is covered, and there is no step to blame.
      const bool counts = !problem_ || (owner_.partial_ && problem_->step &&
                                        problem_->status == CheckStatus::kDiffers);
      if (counts)
        for (const ItemId item : replay_.covered())
          covered_.insert(item);
      if (problem_) {
        out_.failed.push_back({.id = std::move(test.id),
                               .step = problem_->step.value_or(0),
                               .problem = std::move(problem_->text)});
        return;
      }
      const std::size_t length = length_of(replay_.steps());
      ++out_.tests;
      out_.steps += length;
      if (owner_.known_.insert(key_of(replay_)).second) {
        ++owner_.merged_.tests;
        owner_.merged_.steps += length;
      }
    }

    [[nodiscard]] MeasuredSuite take() { return std::move(out_); }
    [[nodiscard]] const std::set<ItemId>& covered() const { return covered_; }

   private:
    Measurer& owner_;
    TestReplay replay_;
    std::optional<TestProblem> problem_;
    MeasuredSuite out_;
    std::set<ItemId> covered_;
  };

  const Network& network_;
  CoverageRules& rules_;
  const bool partial_;
  const SuiteNames names_;
  replay::Monitor monitor_;
  std::vector<MeasuredSuite> suites_;
  std::vector<std::set<ItemId>> covered_;  // by suite
  std::set<TestKey> known_;
  MeasuredSuite merged_;
};

class MeasureCommand final : public Command {
 public:
  explicit MeasureCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", model_, "UPPAAL model: .xml, .xta or .ta")->required();
    app.add_option("SUITE", suites_, "Suites as written by generate --format json")->required();
    add_output_options(app, output_, {"text", "json", "csv"});
    add_goal_options(app, goals_);
    app.add_flag("--partial", partial_,
                 "Count what a test that does not run covers before the step that fails");
    app.add_flag("--explore", explore_,
                 "Explore the model: which of the other items are infeasible?");
    app.add_flag("--other-model", other_model_,
                 "Suites were made from another version of the model: measure them all the same");
    add_coverage_options(app, coverage_);
    add_limit_options(app, search_.search, limits_);
    app.footer(
        "Examples:\n  tracewright measure model.xml suite.json -c all\n"
        "  tracewright measure model.xml old.json new.json -c edge,def-use --explore\n"
        "  tracewright measure model.xml *.json -c pc --fail-under 90 --format json\n\n"
        "Exit codes: 0 all tests run, 1 one does not, or less than --fail-under is covered,\n"
        "3 a file is missing or wrong, 4 a limit of --explore was hit.");
  }

  ExitCode run() override {
    RunBudget run(limits_, {.quiet = output_.quiet});
    std::vector<std::string> inputs = input_files({model_}, coverage_);
    inputs.insert(inputs.end(), suites_.begin(), suites_.end());
    OutputFile output;
    if (const ExitCode opened = output.open(output_.path, inputs); opened != ExitCode::kOk)
      return opened;
    const LoadedModel model = load_and_show(model_, coverage_, {.quiet = output_.quiet});
    std::vector<LoadedSuite> suites;
    for (const std::string& file : suites_)
      if (std::optional<LoadedSuite> suite = load_suite(file))
        suites.push_back(std::move(*suite));
    if (!model.network || suites.size() != suites_.size())
      return ExitCode::kBadInput;
    for (const LoadedSuite& suite : suites)
      if (!other_model_ && !is_of_model(suite, model_, model.sha256))
        return ExitCode::kBadInput;
    std::optional<CoverageRules> rules = declare_rules(model, coverage_, {.quiet = output_.quiet});
    if (!rules)
      return ExitCode::kBadInput;
    if (!coverage_.only.empty() && rules->items().empty()) {
      say("error: no item matches --only\n");
      return ExitCode::kUsage;
    }
    return measure(model, *rules, suites, run, output);
  }

 private:
  ExitCode measure(const LoadedModel& model,
                   CoverageRules& rules,
                   const std::vector<LoadedSuite>& suites,
                   RunBudget& run,
                   OutputFile& output) {
    Measurer measurer(*model.network, rules, partial_);
    for (const LoadedSuite& suite : suites)
      if (!measurer.measure(suite))
        return ExitCode::kBadInput;
    Measurement out{.model = model_, .rules = rules, .partial = partial_, .explored = explore_};
    ExitCode code = ExitCode::kOk;
    std::vector<Verdict> verdicts;
    if (explore_) {
      if (!can_explore(model))
        return ExitCode::kBadInput;
      search_.search.progress = run.progress();
      // Only what can be covered is asked for, not a suite.
      search_.reduce = Reduction::kNone;
      Generated found = generate(*model.network, rules, search_);
      if (!found.internal_error.empty()) {
        say("internal error: {}\n", found.internal_error);
        return ExitCode::kInternal;
      }
      if (found.error)
        show_model_error(model, {.error = found.error->error,
                                 .initial = found.error->initial,
                                 .steps = found.error->steps});
      else if (!found.has_initial_state)
        show_no_initial_state(model);
      else
        show_left_out(model, found.search.errors, {.quiet = output_.quiet});
      out.limit = found.search.limit;
      out.left_out = found.error ? 0 : found.search.errors.size();
      code = found.has_initial_state ? code_of(found.reason) : ExitCode::kBadInput;
      verdicts = std::move(found.verdicts);
      for (std::size_t i = 0; i < verdicts.size(); ++i)
        if (verdicts[i].status == ItemStatus::kInfeasible && measurer.is_covered(ItemId(i))) {
          say("internal error: a test covers '{}', which is infeasible\n",
              rules.items()[ItemId(i)].id);
          return ExitCode::kInternal;
        }
    }
    run.watch().clear();
    measurer.decide(verdicts, out);
    if (!out.merged.failed.empty())
      code = worse(code, ExitCode::kGoalNotMet);
    if (const std::optional<Goal> goal = Goal::load(goals_))
      code = worse(code, goal->judge(rules, out.merged.verdicts,
                                     {.model = model_,
                                      .one_of_all = coverage_.criterion.one_of_all,
                                      .quiet = output_.quiet}));
    output.write(output_.format == "json"  ? measurement_json(out)
                 : output_.format == "csv" ? measurement_csv(out)
                                           : measurement_text(out));
    const ExitCode committed = output.commit();
    if (!output_.quiet && !output_.is_stdout() && committed == ExitCode::kOk)
      say("{}written to {}\n", measurement_summary(out), output_.path);
    return worse(code, committed);
  }

  std::string model_;
  std::vector<std::string> suites_;
  OutputOptions output_;
  bool partial_ = false;
  bool explore_ = false;
  bool other_model_ = false;
  GoalOptions goals_;
  CoverageOptions coverage_;
  GenerateOptions search_;
  RunLimits limits_;
};

}  // namespace

std::unique_ptr<Command> make_measure_command(CLI::App& program) {
  return std::make_unique<MeasureCommand>(*program.add_subcommand(
      "measure", "Replay suites of any origin: what do they cover, each and together?"));
}

}  // namespace tw
