#include "cli/compare.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "cli/choices.hpp"
#include "cli/explore.hpp"
#include "cli/model.hpp"
#include "cli/watch.hpp"
#include "engine/coverage/bit_sets.hpp"
#include "engine/coverage/same_rules.hpp"
#include "engine/mutants/equivalence.hpp"
#include "engine/mutants/kills.hpp"
#include "engine/suite/cover.hpp"
#include "engine/suite/goals.hpp"
#include "engine/suite/test_runs.hpp"

namespace tw {
namespace {

using Bits = std::vector<std::uint64_t>;

// Interrupts, and a line of progress, for work in several threads.
class Progress {
 public:
  explicit Progress(bool quiet) : watch_({.quiet = quiet}) {}

  void expect(std::size_t jobs) { total_ += jobs; }
  void done() { ++done_; }

  // Whoever does not get the lock need not look: somebody else is just looking.
  [[nodiscard]] bool interrupted() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && watch_(fmt::format("{} of {} searches and measurements", done_.load(), total_)))
      interrupted_ = true;
    return interrupted_;
  }

 private:
  Watch watch_;
  std::mutex mutex_;
  std::atomic<std::size_t> done_ = 0;
  std::size_t total_ = 0;
  std::atomic<bool> interrupted_ = false;
};

// Does all jobs; which thread does which does not matter to the result.
void run_jobs(const std::vector<std::function<void()>>& jobs, std::size_t threads) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++)
      jobs[i]();
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(threads, jobs.size()); ++i)
    others.emplace_back(work);
  work();
}

// One model: the runs, then what they show.
class ModelComparison {
 public:
  ModelComparison(const std::string& file, const CompareOptions& options)
      : coverage_(options.coverage),
        model_(load_and_show(file, coverage_, {.quiet = options.quiet})),
        options_(options) {
    out_.file = file;
  }

  /// False, and the reason is told, if there is nothing to run.
  bool prepare() {
    if (!model_.network)
      return refuse("the model cannot be read");
    if (!can_explore(model_))
      return refuse("the model cannot be explored");
    std::vector<std::string> usable;
    for (const std::string& word : coverage_.criteria) {
      DeclaredRules declared = declare({word});
      // An observer file has a name that is not the word.
      const bool known = !declared.rules.criteria().empty();
      out_.criteria.push_back(
          {.name = known ? declared.rules.criteria()[CriterionId(0)].name : word,
           .problem = declared.first_error()});
      runs_.push_back({.rules = std::move(declared.rules)});
      if (out_.criteria.back().problem.empty())
        usable.push_back(word);
    }
    DeclaredRules all = declare(usable);
    if (!all.unused.empty())
      return refuse(all.unused.front());
    if (!all.first_error().empty())
      return refuse(all.first_error());
    if (all.rules.items().empty())
      return refuse("there are no items");
    all_.rules = std::move(all.rules);
    return true;
  }

  /// The dearest first: it decides how long all take.
  void add_combined_run(std::vector<std::function<void()>>& jobs, Progress& progress) {
    jobs.emplace_back([this, &progress] { run(all_, progress); });
  }

  void add_single_runs(std::vector<std::function<void()>>& jobs, Progress& progress) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!out_.criteria[i].problem.empty())
        continue;
      // Criteria that ask for the same on this model have the same search.
      for (std::size_t k = 0; k < i && !runs_[i].like; ++k)
        if (out_.criteria[k].problem.empty() && ask_for_the_same(*runs_[k].rules, *runs_[i].rules))
          runs_[i].like = k;
      if (!runs_[i].like)
        jobs.emplace_back([this, i, &progress] { run(runs_[i], progress); });
    }
  }

  /// After all runs; false if they contradict each other, or replay did not accept them.
  bool finish(Progress& progress) {
    for (Run& run : runs_)
      if (run.like)
        run.result = runs_[*run.like].result;
    for (Run* run : all_runs())
      if (!run->result.internal_error.empty())
        return fail(run->result.internal_error);
    if (!all_.result.has_initial_state || (all_.result.error && all_.result.error->initial)) {
      out_.problem = "there is no initial state";
      return true;
    }
    collect_tests();
    if (!measure())
      return false;
    combine();
    judge_mutants(progress);
    return true;
  }

  /// What the model has to say, once all is done.
  [[nodiscard]] ExitCode code() {
    if (!internal_error_.empty()) {
      fmt::print(stderr, "{}: internal error: {}\n", out_.file, internal_error_);
      return ExitCode::kInternal;
    }
    if (!out_.problem.empty() && runs_.empty())
      return ExitCode::kBadInput;
    if (all_.result.error)
      show_model_error(model_, {.error = all_.result.error->error,
                                .initial = all_.result.error->initial,
                                .steps = all_.result.error->steps});
    else if (!all_.result.has_initial_state)
      show_no_initial_state(model_);
    ExitCode out = out_.problem.empty() ? ExitCode::kOk : ExitCode::kBadInput;
    for (Run* run : all_runs())
      out = worse(out, code_of(run->result.reason));
    return out;
  }

  [[nodiscard]] ComparedModel take() {
    // What could not be compared says only why.
    if (!out_.problem.empty())
      return {.file = std::move(out_.file), .problem = std::move(out_.problem)};
    return std::move(out_);
  }

 private:
  struct Run {
    std::optional<CoverageRules> rules;
    std::optional<std::size_t> like;  // the run of another criterion that has the same result
    Generated result;
    std::vector<std::size_t> tests;  // numbers in tests_
  };

  bool refuse(std::string why) {
    out_.problem = std::move(why);
    runs_.clear();
    return false;
  }

  bool fail(std::string why) {
    internal_error_ = std::move(why);
    return false;
  }

  [[nodiscard]] std::vector<Run*> all_runs() {
    std::vector<Run*> out;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (out_.criteria[i].problem.empty())
        out.push_back(&runs_[i]);
    out.push_back(&all_);
    return out;
  }

  [[nodiscard]] DeclaredRules declare(const std::vector<std::string>& words) const {
    CoverageOptions options = coverage_;
    options.criteria = words;
    return declare_criteria(model_, options);
  }

  void run(Run& run, Progress& progress) const {
    GenerateOptions options = options_.generate;
    options.search.threads = 1;  // there are several runs at once
    if (options.optimise == Optimise::kTime && !model_.network->is_timed())
      options.optimise = Optimise::kSteps;
    Budget budget(limits(progress));
    const BudgetScope scope(&budget);
    run.result = generate(*model_.network, *run.rules, options);
    progress.done();
  }

  [[nodiscard]] Budget::Limits limits(Progress& progress) const {
    return {.most = options_.limits,
            .interrupted = [&progress](std::string_view) { return progress.interrupted(); },
            .now = {},
            .resident = {}};
  }

  // Equal tests of different suites are one.
  void collect_tests() {
    tests_ = std::make_unique<TestRuns>(*model_.network);
    for (Run* run : all_runs()) {
      std::set<std::size_t> numbers;
      for (const Test& test : run->result.suite.tests) {
        const std::size_t number = tests_->add(test);
        numbers.insert(number);
        if (number == originals_.size())
          originals_.push_back(&test);
      }
      run->tests.assign(numbers.begin(), numbers.end());
    }
  }

  // Every test once by all criteria, then the suites.
  bool measure() {
    CoverageRules& rules = *all_.rules;
    for (const std::vector<ItemId>& items :
         coverage_of(*tests_, rules, options_.generate.search.on_error)) {
      covers_.emplace_back();
      for (const ItemId item : items)
        set_bit(covers_.back(), item.index());
    }
    count_items();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      out_.criteria[i].suite = suite_of(runs_[i].tests);
      add_costs(runs_[i].result, out_.criteria[i].suite);
    }
    out_.all_at_once = suite_of(all_.tests);
    add_costs(all_.result, out_.all_at_once);
    return check_verdicts();
  }

  // What a test covers is feasible, whatever the search had time to find.
  void count_items() {
    Bits covered;
    for (const Bits& items : covers_)
      unite(covered, items);
    const CoverageRules& rules = *all_.rules;
    add_wholes(rules, covered);
    members_.resize(out_.criteria.size());
    for (std::size_t i = 0; i < rules.items().size(); ++i) {
      if (rules.is_half(ItemId(i)))
        continue;
      const std::size_t c = position_of(rules.criteria()[rules.items()[ItemId(i)].criterion].name);
      ComparedCriterion& criterion = out_.criteria[c];
      ++criterion.items;
      set_bit(members_[c], i);
      const bool known = i < all_.result.verdicts.size();
      if (known && all_.result.verdicts[i].status == ItemStatus::kInfeasible)
        ++criterion.infeasible;
      else if (!contains(covered, i))
        ++criterion.undecided;
    }
  }

  bool check_verdicts() {
    for (std::size_t t = 0; t < covers_.size(); ++t)
      for (std::size_t i = 0; i < all_.result.verdicts.size(); ++i)
        if (all_.result.verdicts[i].status == ItemStatus::kInfeasible && contains(covers_[t], i))
          return fail(fmt::format("a test covers '{}', which is infeasible",
                                  all_.rules->items()[ItemId(i)].id));
    return true;
  }

  [[nodiscard]] std::size_t position_of(std::string_view criterion) const {
    const auto at = std::ranges::find(out_.criteria, criterion, &ComparedCriterion::name);
    return static_cast<std::size_t>(at - out_.criteria.begin());
  }

  [[nodiscard]] ComparedSuite suite_of(const std::vector<std::size_t>& tests) const {
    ComparedSuite out{.tests = tests.size()};
    Bits covered;
    for (const std::size_t test : tests) {
      out.steps += originals_[test]->length();
      unite(covered, covers_[test]);
    }
    add_wholes(*all_.rules, covered);
    for (std::size_t c = 0; c < out_.criteria.size(); ++c) {
      CoverageShare share{.feasible = out_.criteria[c].items - out_.criteria[c].infeasible};
      for (std::size_t w = 0; w < std::min(covered.size(), members_[c].size()); ++w) {
        const std::uint64_t both = covered[w] & members_[c][w];
        share.covered += count_bits(Words(&both, 1));
      }
      out.coverage.push_back(share);
    }
    return out;
  }

  static void add_costs(const Generated& result, ComparedSuite& suite) {
    suite.states = result.search.states;
    suite.expansions = result.search.expansions;
    suite.seconds = result.search.seconds;
    suite.limit = result.search.limit;
  }

  // Of the tests of all members few that cover what all of them cover.
  void combine() {
    for (const CombinationRequest& request : options_.combinations) {
      std::set<std::size_t> tests;
      std::vector<bool> is_member(out_.criteria.size());
      bool usable = true;
      for (const std::string& word : request.members) {
        const auto c = static_cast<std::size_t>(std::ranges::find(coverage_.criteria, word) -
                                                coverage_.criteria.begin());
        usable = usable && out_.criteria[c].problem.empty();
        is_member[c] = true;
        tests.insert(runs_[c].tests.begin(), runs_[c].tests.end());
      }
      if (!usable)
        continue;
      const std::vector<std::size_t> numbers(tests.begin(), tests.end());
      std::vector<Walk> walks;
      for (const std::size_t test : numbers) {
        walks.push_back({.steps = originals_[test]->steps});
        for_each_bit(covers_[test],
                     [&](std::size_t i) { walks.back().gains.push_back({.item = ItemId(i)}); });
      }
      std::vector<std::size_t> kept;
      for (const std::size_t i :
           choose_cover(walks, promised(numbers, is_member), options_.generate.optimise))
        kept.push_back(numbers[i]);
      combined_.push_back(kept);
      out_.combinations.push_back(
          {.name = request.name, .members = request.members, .suite = suite_of(kept)});
    }
  }

  // What tests cover of these criteria, as a cover has to promise it.
  [[nodiscard]] std::vector<Requirement> promised(const std::vector<std::size_t>& tests,
                                                  const std::vector<bool>& is_member) const {
    const CoverageRules& rules = *all_.rules;
    Bits covered;
    for (const std::size_t test : tests)
      unite(covered, covers_[test]);
    add_wholes(rules, covered);
    std::vector<Verdict> verdicts(rules.items().size(), {.status = ItemStatus::kNotCounted});
    for_each_bit(covered, [&](std::size_t i) {
      const std::size_t c = position_of(rules.criteria()[rules.items()[ItemId(i)].criterion].name);
      if (is_member[c])
        verdicts[i].status = ItemStatus::kCovered;
    });
    return requirements_of(rules, verdicts);
  }

  void judge_mutants(Progress& progress) {
    std::vector<Mutant> mutants = list_mutants(*model_.network);
    if (options_.most_mutants)
      mutants = choose(std::move(mutants), *options_.most_mutants);
    std::vector<Mutant> survivors;
    std::vector<std::size_t> places;
    Budget budget(limits(progress));
    const BudgetScope scope(&budget);
    for (const Mutant& mutant : mutants) {
      if (budget.is_spent())
        return;
      const std::vector<bool> killers = kills(*tests_, mutant);
      const SourcePosition position = position_of_source(mutant);
      out_.mutants.push_back({.id = mutant.id,
                              .label = mutant.label,
                              .line = position.line,
                              .column = position.column,
                              .status = "undecided"});
      if (count_kills(killers)) {
        out_.mutants.back().status = "killed";
        continue;
      }
      survivors.push_back(mutant);
      places.push_back(out_.mutants.size() - 1);
    }
    const JudgeOptions options{.execution = options_.generate.search.execution};
    const std::vector<MutantVerdict> verdicts = judge(*model_.network, survivors, options);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i] == MutantVerdict::kEquivalent)
        out_.mutants[places[i]].status = "equivalent";
      if (verdicts[i] == MutantVerdict::kKillable)
        out_.mutants[places[i]].status = "killable";
    }
  }

  [[nodiscard]] SourcePosition position_of_source(const Mutant& mutant) const {
    return tw::position_of(model_.file, mutant.where.begin);
  }

  // False: no test of any suite kills it.
  bool count_kills(const std::vector<bool>& killers) {
    const auto kills_it = [&killers](const std::vector<std::size_t>& tests) {
      return std::ranges::any_of(tests, [&](std::size_t test) { return killers[test]; });
    };
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (kills_it(runs_[i].tests)) {
        ++out_.criteria[i].suite.killed;
        out_.mutants.back().killed_by.push_back(out_.criteria[i].name);
      }
    if (kills_it(all_.tests))
      ++out_.all_at_once.killed;
    for (std::size_t i = 0; i < combined_.size(); ++i)
      if (kills_it(combined_[i]))
        ++out_.combinations[i].suite.killed;
    return std::ranges::find(killers, true) != killers.end();
  }

  CoverageOptions coverage_;
  LoadedModel model_;
  const CompareOptions& options_;
  std::vector<Run> runs_;  // by criterion
  Run all_;
  std::unique_ptr<TestRuns> tests_;
  std::vector<const Test*> originals_;              // by test: in the result it came from first
  std::vector<Bits> covers_;                        // by test: items of all_
  std::vector<Bits> members_;                       // by criterion: its items
  std::vector<std::vector<std::size_t>> combined_;  // by combination: its tests
  ComparedModel out_;
  std::string internal_error_;
};

}  // namespace

std::vector<CombinationRequest> usual_combinations(const std::vector<std::string>& criteria) {
  const std::vector<std::string> acc = {"gacc", "cacc", "racc"};
  const std::vector<std::string> icc = {"gicc", "ricc"};
  const auto join = [](std::vector<std::vector<std::string>> parts) {
    std::vector<std::string> out;
    for (const std::vector<std::string>& part : parts)
      out.insert(out.end(), part.begin(), part.end());
    return out;
  };
  const std::vector<std::string> broad = {"mutation", "def-use", "edge-pair", "pwc"};
  const std::vector<CombinationRequest> usual = {
      {"pc+cc", {"pc", "cc"}},
      {"icc", icc},
      {"acc", acc},
      {"acc+icc", join({acc, icc})},
      {"sc+pwc+3wc", {"sc", "pwc", "3wc"}},
      {"all-defs+pc+cc+pwc", {"all-defs", "pc", "cc", "pwc"}},
      {"edge-pair+all-defs+def-use", {"edge-pair", "all-defs", "def-use"}},
      {"def-use+acc+icc+pwc", join({{"def-use"}, acc, icc, {"pwc"}})},
      {"mutation+def-use+edge-pair+pwc", broad},
      {"mutation+def-use+edge-pair+pwc+acc", join({broad, acc})}};
  std::vector<CombinationRequest> out;
  for (const CombinationRequest& request : usual)
    if (std::ranges::all_of(request.members, [&](const std::string& name) {
          return std::ranges::find(criteria, name) != criteria.end();
        }))
      out.push_back(request);
  if (criteria.size() > 1)
    out.push_back({"all", criteria});
  return out;
}

CompareResult compare(const std::vector<std::string>& models, const CompareOptions& options) {
  CompareResult out;
  out.comparison.criteria = options.coverage.criteria;
  out.comparison.reduce = name_in(kReductions, options.generate.reduce);
  std::vector<std::unique_ptr<ModelComparison>> all;
  std::vector<ModelComparison*> ready;
  for (const std::string& file : models) {
    all.push_back(std::make_unique<ModelComparison>(file, options));
    if (all.back()->prepare())
      ready.push_back(all.back().get());
  }
  Progress progress(options.quiet);
  std::vector<std::function<void()>> jobs;
  for (ModelComparison* model : ready)
    model->add_combined_run(jobs, progress);
  for (ModelComparison* model : ready)
    model->add_single_runs(jobs, progress);
  progress.expect(jobs.size() + ready.size());
  run_jobs(jobs, options.jobs);
  jobs.clear();
  std::atomic<bool> interrupted = false;
  for (ModelComparison* model : ready)
    jobs.emplace_back([model, &progress, &interrupted] {
      (void)model->finish(progress);
      progress.done();
      interrupted = interrupted || progress.interrupted();
    });
  run_jobs(jobs, options.jobs);
  for (const std::unique_ptr<ModelComparison>& model : all) {
    out.code = worse(out.code, model->code());
    out.comparison.models.push_back(model->take());
  }
  if (interrupted)
    out.code = worse(out.code, ExitCode::kInterrupted);
  return out;
}

}  // namespace tw
