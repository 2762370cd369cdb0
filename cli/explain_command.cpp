// tracewright explain MODEL ITEM: what an item means, where it is, and why it is covered or not.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/explore.hpp"
#include "cli/item_rules.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/run_budget.hpp"
#include "cli/say.hpp"
#include "cli/terminal.hpp"
#include "criteria/registry.hpp"
#include "engine/base/suggest.hpp"
#include "engine/explain/causes.hpp"
#include "engine/suite/generate.hpp"
#include "exporters/explanation.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// Shown of several items that a pattern matches.
constexpr std::size_t kMostListed = 10;

std::vector<std::string> matching_ids(const CoverageRules& rules, const std::string& wanted) {
  if (rules.find_item(wanted).valid())
    return {wanted};
  const bool is_glob = wanted.find_first_of("*?") != std::string::npos;
  const ItemFilter filter({is_glob ? wanted : "*" + wanted});
  std::vector<std::string> out;
  for (const Item& item : rules.items())
    if (filter.passes(item.id))
      out.push_back(item.id);
  return out;
}

void refuse_unknown(const CoverageRules& rules, const std::string& wanted) {
  std::vector<std::string> ids;
  for (const Item& item : rules.items())
    ids.push_back(item.id);
  const std::string_view near = nearest_name(wanted, ids);
  say("error: no item '{}'\n  hint: {}\n", wanted,
      near.empty() ? std::string("generate --format csv lists the ids")
                   : fmt::format("did you mean '{}'?", near));
}

void refuse_ambiguous(const std::vector<std::string>& ids, const std::string& wanted) {
  say("error: '{}' may be any of {} items\n", wanted, ids.size());
  for (std::size_t i = 0; i < ids.size() && i < kMostListed; ++i)
    say("  {}\n", ids[i]);
  if (ids.size() > kMostListed)
    say("  …\n");
}

std::string definition_of(std::string_view criterion) {
  for (const CriterionSummary& known : known_criteria())
    if (known.name == criterion)
      return std::string(known.summary);
  return {};
}

class ExplainCommand final : public Command {
 public:
  explicit ExplainCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", model_, "UPPAAL model: .xml, .xta or .ta")->required();
    app.add_option("ITEM", wanted_,
                   "Id of an item, or its end, or a pattern with * and ? that fits one only")
        ->required();
    add_json_option(app, json_);
    app.add_flag("-q,--quiet", quiet_, "Show errors, but no warnings or progress");
    add_coverage_options(app, coverage_);
    add_limit_options(app, generate_.search, limits_);
    criteria_ = app.get_option("--criteria");
    criteria_->option_text("LIST (default: what the id says)");
    level_ = app.get_option("--per");
    app.footer(
        "Examples:\n  tracewright explain model.xml edge:Train.Safe.Appr\n"
        "  tracewright explain model.xml 'edge:Train(1).Safe.Appr' --per instance\n"
        "  tracewright explain model.xml 'def-use:*:Safe.Appr:Appr.Cross'\n\n"
        "Without --criteria the id says which criterion is meant. Exit codes: 0 covered or\n"
        "infeasible, 1 undecided, 3 and 4 as for generate.");
  }

  ExitCode run() override {
    RunBudget run(limits_, {.quiet = quiet_});
    const LoadedModel model = load_and_show(model_, coverage_, {.quiet = quiet_});
    if (!model.network || !can_explore(model))
      return ExitCode::kBadInput;
    guess_criterion();
    std::optional<CoverageRules> rules = declare_rules(model, coverage_, {.quiet = quiet_});
    if (!rules)
      return ExitCode::kBadInput;
    std::vector<std::string> ids = matching_ids(*rules, wanted_);
    if (ids.empty() && level_->count() == 0) {
      // "Train(1)" can only be a process; nobody should have to say so twice.
      CoverageOptions instances = coverage_;
      instances.criterion.level = Level::kInstance;
      std::optional<CoverageRules> others = declare_rules(model, instances, {.quiet = true});
      if (others && !matching_ids(*others, wanted_).empty()) {
        ids = matching_ids(*others, wanted_);
        coverage_ = instances;
      }
    }
    if (ids.empty())
      refuse_unknown(*rules, wanted_);
    else if (ids.size() > 1)
      refuse_ambiguous(ids, wanted_);
    if (ids.size() != 1)
      return ExitCode::kUsage;
    return explain(model, ids.front(), run);
  }

 private:
  void guess_criterion() {
    if (criteria_->count() != 0)
      return;
    const std::string prefix = wanted_.substr(0, wanted_.find(':'));
    coverage_.criteria.clear();
    for (const CriterionSummary& known : known_criteria())
      if (known.name == prefix)
        coverage_.criteria = {prefix};
    if (!coverage_.criteria.empty())
      return;
    for (const CriterionSummary& known : known_criteria())
      coverage_.criteria.emplace_back(known.name);
  }

  ExitCode explain(const LoadedModel& model, const std::string& id, RunBudget& run) {
    const Network& network = *model.network;
    coverage_.only = {id};
    std::optional<CoverageRules> rules = declare_rules(model, coverage_, {.quiet = true});
    const ItemId item = rules ? rules->find_item(id) : ItemId();
    if (!item.valid()) {
      say("internal error: item '{}' is gone\n", id);
      return ExitCode::kInternal;
    }
    generate_.search.progress = run.progress();
    generate_.reduce = Reduction::kNone;  // one shortest trace
    const Generated result = generate(network, *rules, generate_);
    run.watch().clear();
    if (!result.internal_error.empty()) {
      say("internal error: the test does not replay: {}\n", result.internal_error);
      return ExitCode::kInternal;
    }
    if (result.error)
      show_model_error(model, {.error = result.error->error,
                               .initial = result.error->initial,
                               .steps = result.error->steps});
    else
      show_left_out(model, result.search.errors, {.quiet = quiet_});
    if (!result.has_initial_state || (result.error && result.error->initial)) {
      if (!result.error)
        show_no_initial_state(model);
      return ExitCode::kBadInput;
    }
    const CriterionInfo& criterion = rules->criteria()[rules->items()[item].criterion];
    const StateNames names(network);
    Explanation explanation{.file = model.file,
                            .network = network,
                            .item = rules->items()[item],
                            .criterion = criterion.name,
                            .definition = criterion.definition.empty()
                                              ? definition_of(criterion.name)
                                              : criterion.definition,
                            .rules = describe_item_rules(network, *rules, item),
                            .verdict = result.verdicts[item.index()],
                            .search = result.search};
    const bool covered = explanation.verdict.status == ItemStatus::kCovered;
    if (covered && !result.suite.tests.empty())
      explanation.test.emplace(TestText{
          .names = names, .initial = result.suite.initial, .test = result.suite.tests.front()});
    Causes causes;
    if (!covered) {
      const Budget::Phase phase(run.budget(), "causes");
      causes = find_causes(network, *rules, item, {.search = generate_.search});
      explanation.causes.emplace(
          CausesReport{.file = model.file,
                       .network = network,
                       .causes = causes,
                       .exhaustive = result.search.exhaustive,
                       .limit = std::string(limit_name(run.budget().limit()))});
    }
    run.watch().clear();
    const TextStyle style = style_of(STDOUT_FILENO);
    const ExitCode written =
        write_stdout(json_ ? explanation_json(explanation) : explanation_text(explanation, style));
    const bool open = explanation.verdict.status == ItemStatus::kUndecided;
    ExitCode searched = code_of(result.reason);
    if (causes.cut_short)
      searched = worse(searched, code_of(run.budget().limit()));
    return worse(written, worse(searched, open ? ExitCode::kGoalNotMet : ExitCode::kOk));
  }

  std::string model_;
  std::string wanted_;
  bool json_ = false;
  bool quiet_ = false;
  CoverageOptions coverage_;
  GenerateOptions generate_;
  RunLimits limits_;
  CLI::Option* criteria_ = nullptr;  // borrowed: the app's
  CLI::Option* level_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_explain_command(CLI::App& program) {
  return std::make_unique<ExplainCommand>(
      *program.add_subcommand("explain", "Say why an item is covered or not"));
}

}  // namespace tw
