#include "cli/compare.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "cli/choices.hpp"
#include "cli/explore.hpp"
#include "cli/model.hpp"
#include "cli/say.hpp"
#include "cli/watch.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/memory_use.hpp"
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

// What follows the searches has this long after Ctrl-C, for all models together: what was found is
// worth measuring, and nobody waits longer than two seconds.
constexpr std::chrono::milliseconds kPatience{1000};

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
      interrupt();
    return interrupted_;
  }

  /// The same, but some time later.
  [[nodiscard]] bool is_patience_over() {
    if (!interrupted())
      return false;
    const std::scoped_lock lock(mutex_);
    return std::chrono::steady_clock::now() > interrupted_at_ + kPatience;
  }

 private:
  // Pre: locked.
  void interrupt() {
    if (!interrupted_)
      interrupted_at_ = std::chrono::steady_clock::now();
    interrupted_ = true;
  }

  Watch watch_;
  std::mutex mutex_;
  std::atomic<std::size_t> done_ = 0;
  std::size_t total_ = 0;
  std::atomic<bool> interrupted_ = false;
  std::chrono::steady_clock::time_point interrupted_at_;
};

// One limit for all that is done: whoever begins gets a part of what is left, so that no search
// takes what others need, and what one leaves over goes to those behind it.
class Shares {
 public:
  using Milliseconds = std::chrono::milliseconds;

  Shares(Milliseconds most, std::size_t threads) : most_(most), threads_(threads) {}

  void expect(std::size_t parts) { parts_ += parts; }

  [[nodiscard]] bool has_limit() const { return most_.count() != 0; }

  /// Never 0.
  [[nodiscard]] Milliseconds left() const {
    const auto gone = std::chrono::steady_clock::now() - started_;
    return std::max(std::chrono::duration_cast<Milliseconds>(most_ - gone), Milliseconds(1));
  }
  [[nodiscard]] bool is_over() const { return has_limit() && left() == Milliseconds(1); }

  /// What so many parts may take; 0: there is no limit.
  [[nodiscard]] Milliseconds take(std::size_t parts) {
    if (!has_limit())
      return Milliseconds(0);
    const std::scoped_lock lock(mutex_);
    const double share = static_cast<double>(parts * threads_) / static_cast<double>(parts_);
    parts_ = std::max(parts_ - parts, std::size_t{1});
    const auto most = static_cast<std::int64_t>(static_cast<double>(left().count()) * share);
    return std::clamp(Milliseconds(most), Milliseconds(1), left());
  }

 private:
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Milliseconds most_;
  const std::size_t threads_;
  std::mutex mutex_;
  std::size_t parts_ = 0;  // of what has not begun
};

// All criteria at once, and measuring the suites of a model, take longer than a single criterion.
constexpr std::size_t kSearchParts = 1;
constexpr std::size_t kCombinedParts = 2;
constexpr std::size_t kMeasureParts = 2;

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
  ModelComparison(const std::string& file, const CompareOptions& options, Shares& shares)
      : coverage_(options.coverage),
        model_(load_and_show(file, coverage_, {.quiet = options.quiet})),
        options_(options),
        shares_(shares) {
    out_.file = file;
    out_.sha256 = model_.sha256;
  }

  /// False, and the reason is told, if there is nothing to run.
  bool prepare(Progress& progress) {
    const auto time = shares_.has_limit() ? shares_.left() : std::chrono::milliseconds(0);
    Budget budget(limits(time, [&progress] { return progress.interrupted(); }));
    const BudgetScope scope(&budget);
    try {
      return declare_all();
    } catch (const BudgetSpent& met) {
      stopped_by_ = met.limit();
      return refuse(fmt::format("there was no time or memory to list the items ({})",
                                limit_name(met.limit())));
    }
  }

  /// The dearest first: it decides how long all take.
  void add_combined_run(std::vector<std::function<void()>>& jobs, Progress& progress) {
    shares_.expect(kCombinedParts + kMeasureParts);
    jobs.emplace_back([this, &progress] { run(all_, kCombinedParts, progress); });
  }

  void add_single_runs(std::vector<std::function<void()>>& jobs, Progress& progress) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!out_.criteria[i].problem.empty())
        continue;
      // Criteria that ask for the same on this model have the same search.
      for (std::size_t k = 0; k < i && !runs_[i].like; ++k)
        if (out_.criteria[k].problem.empty() && ask_for_the_same(*runs_[k].rules, *runs_[i].rules))
          runs_[i].like = k;
      if (runs_[i].like)
        continue;
      shares_.expect(kSearchParts);
      jobs.emplace_back([this, i, &progress] { run(runs_[i], kSearchParts, progress); });
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
    Budget budget(
        limits(shares_.take(kMeasureParts), [&progress] { return progress.is_patience_over(); }));
    const BudgetScope scope(&budget);
    const bool ok = weigh(budget);
    stopped_by_ = budget.limit();
    out_.limit = limit_name(stopped_by_);
    return ok;
  }

  /// What the model has to say, once all is done.
  [[nodiscard]] ExitCode code() {
    if (!internal_error_.empty()) {
      say("{}: internal error: {}\n", out_.file, internal_error_);
      return ExitCode::kInternal;
    }
    if (stopped_by_ != Limit::kNone && runs_.empty())
      return code_of(stopped_by_);
    if (!out_.problem.empty() && runs_.empty())
      return ExitCode::kBadInput;
    if (all_.result.error)
      show_model_error(model_, {.error = all_.result.error->error,
                                .initial = all_.result.error->initial,
                                .steps = all_.result.error->steps});
    else if (!all_.result.has_initial_state)
      show_no_initial_state(model_);
    else
      show_left_out(model_, all_.result.search.errors, {.quiet = options_.quiet});
    ExitCode out = out_.problem.empty() ? code_of(stopped_by_) : ExitCode::kBadInput;
    for (Run* run : all_runs())
      out = worse(out, worse(code_of(run->limit), code_of(run->result.reason)));
    return out;
  }

  [[nodiscard]] ComparedModel take() {
    // What could not be compared says only why.
    if (!out_.problem.empty())
      return {.file = std::move(out_.file),
              .sha256 = std::move(out_.sha256),
              .problem = std::move(out_.problem)};
    return std::move(out_);
  }

 private:
  bool declare_all() {
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

  struct Run {
    std::optional<CoverageRules> rules;
    std::optional<std::size_t> like;  // the run of another criterion that has the same result
    Generated result;
    std::vector<std::size_t> tests;  // numbers in tests_, as they come in the suite
    bool collected = false;          // all of them are there
    Limit limit = Limit::kNone;      // what ended it early, in whatever phase
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

  void run(Run& run, std::size_t parts, Progress& progress) const {
    // After Ctrl-C or the limit not even begun: there may be very many of them.
    if (progress.interrupted() || shares_.is_over()) {
      stop(run, progress.interrupted() ? StopReason::kInterrupted : StopReason::kTime);
      return;
    }
    try {
      search(run, shares_.take(parts), progress);
    } catch (const std::bad_alloc&) {
      stop(run, StopReason::kMemory);
    }
    progress.done();
  }

  // Nothing was found.
  static void stop(Run& run, StopReason reason) {
    run.result = {};
    run.result.reason = reason;
    run.result.search.limit = limit_name(reason);
  }

  void search(Run& run, std::chrono::milliseconds share, Progress& progress) const {
    GenerateOptions options = options_.generate;
    options.search.threads = 1;  // there are several runs at once
    if (options.optimise == Optimise::kTime && !model_.network->is_timed())
      options.optimise = Optimise::kSteps;
    // What follows a search is part of its share.
    const auto grace = share / 5;
    Budget::Limits most = limits(share - grace, [&progress] { return progress.interrupted(); });
    most.grace = grace;
    Budget budget(std::move(most));
    const BudgetScope scope(&budget);
    run.result = generate(*model_.network, *run.rules, options);
    // A limit that strikes behind the search makes suites longer than they need be.
    run.limit = budget.limit();
    if (run.result.search.limit.empty())
      run.result.search.limit = limit_name(run.limit);
  }

  [[nodiscard]] Budget::Limits limits(std::chrono::milliseconds time,
                                      const std::function<bool()>& interrupted) const {
    return {.most = {.time = time, .bytes = options_.limits.bytes},
            .interrupted = [interrupted](std::string_view) { return interrupted(); },
            .now = {},
            .resident = {}};
  }

  // What the suites are worth, as far as the budget allows.
  bool weigh(Budget& budget) {
    try {
      collect_tests();
    } catch (const BudgetSpent&) {
      // The sizes of suites are known all the same.
    } catch (const std::bad_alloc&) {
      budget.note_memory();
    }
    try {
      if (!measure())
        return false;
      if (!budget.is_spent())
        combine();
      judge_mutants();
    } catch (const BudgetSpent&) {
    } catch (const std::bad_alloc&) {
      budget.note_memory();
    }
    return true;
  }

  // Equal tests of different suites are one.
  void collect_tests() {
    tests_ = std::make_unique<TestRuns>(*model_.network);
    for (Run* run : all_runs()) {
      for (const Test& test : run->result.suite.tests) {
        const std::size_t number = tests_->add(test);
        if (std::ranges::find(run->tests, number) == run->tests.end())
          run->tests.push_back(number);
        if (number == originals_.size())
          originals_.push_back(&test);
      }
      run->collected = true;
    }
  }

  // Every test once by all criteria, then the suites.
  bool measure() {
    TestCoverage coverage = coverage_of(*tests_, *all_.rules, options_.generate.search.on_error);
    runs_of_tests_ = std::move(coverage.tests);
    known_ = std::move(coverage.known);
    for (const std::vector<CoveredAt>& items : runs_of_tests_) {
      covers_.emplace_back();
      for (const CoveredAt& covered : items)
        set_bit(covers_.back(), covered.item.index());
    }
    count_items();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      out_.criteria[i].suite = suite_of(runs_[i].tests, runs_[i].collected);
      if (is_known(runs_[i].tests, runs_[i].collected))
        out_.criteria[i].suite.growth = growth_of(runs_[i].tests, i);
      add_costs(runs_[i].result, out_.criteria[i].suite);
    }
    out_.all_at_once = suite_of(all_.tests, all_.collected);
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
    owners_.resize(rules.items().size());
    for (std::size_t i = 0; i < rules.items().size(); ++i) {
      if (rules.is_whole(ItemId(i)))
        for (const ItemPair& pair : rules.pairs_of(ItemId(i))) {
          wholes_[pair.first].emplace_back(pair.second, ItemId(i));
          wholes_[pair.second].emplace_back(pair.first, ItemId(i));
        }
      if (rules.is_half(ItemId(i)))
        continue;
      const std::size_t c = position_of(rules.criteria()[rules.items()[ItemId(i)].criterion].name);
      ComparedCriterion& criterion = out_.criteria[c];
      ++criterion.items;
      set_bit(members_[c], i);
      owners_[i] = c;
      const bool known = i < all_.result.verdicts.size();
      if (known && all_.result.verdicts[i].status == ItemStatus::kInfeasible)
        ++criterion.infeasible;
      // What the search covers counts even where there was no time to follow its tests.
      else if (!contains(covered, i) &&
               !(known && all_.result.verdicts[i].status == ItemStatus::kCovered))
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

  // Did replay have the time to follow all tests of a suite?
  [[nodiscard]] bool is_known(const std::vector<std::size_t>& tests, bool collected) const {
    return collected && std::ranges::all_of(tests, [this](std::size_t i) { return known_[i]; });
  }

  [[nodiscard]] ComparedSuite suite_of(const std::vector<std::size_t>& tests,
                                       bool collected) const {
    const bool known = is_known(tests, collected);
    ComparedSuite out{.tests = tests.size()};
    Rational duration = 0;
    Bits covered;
    for (const std::size_t test : tests) {
      out.steps += originals_[test]->length();
      duration += originals_[test]->duration();
      unite(covered, covers_[test]);
    }
    if (model_.network->is_timed())
      out.duration = to_string(duration);
    add_wholes(*all_.rules, covered);
    for (std::size_t c = 0; c < out_.criteria.size(); ++c)
      out.coverage.push_back({.covered = count_members(covered, c),
                              .feasible = out_.criteria[c].items - out_.criteria[c].infeasible,
                              .known = known});
    return out;
  }

  // How many items of the criterion.
  [[nodiscard]] std::uint64_t count_members(const Bits& covered, std::size_t criterion) const {
    const Bits& members = members_[criterion];
    std::uint64_t out = 0;
    for (std::size_t w = 0; w < std::min(covered.size(), members.size()); ++w) {
      const std::uint64_t both = covered[w] & members[w];
      out += count_bits(Words(&both, 1));
    }
    return out;
  }

  // The tests one after the other. A half of a pair counts for nothing, with the other one for a
  // whole.
  [[nodiscard]] std::vector<Growth> growth_of(const std::vector<std::size_t>& tests,
                                              std::size_t criterion) const {
    std::vector<Growth> out;
    Growth now;
    std::uint64_t before = 0;  // steps of the tests that are over
    Bits covered;
    const auto cover = [&](std::size_t item) {
      if (contains(covered, item))
        return false;
      set_bit(covered, item);
      if (owners_[item]) {
        ++now.all;
        now.own += *owners_[item] == criterion ? 1U : 0U;
      }
      return true;
    };
    for (const std::size_t test : tests) {
      for (const CoveredAt& at : runs_of_tests_[test]) {
        now.steps = before + at.length;
        if (!cover(at.item.index()))
          continue;
        if (const auto wholes = wholes_.find(at.item); wholes != wholes_.end())
          for (const auto& [other, whole] : wholes->second)
            if (contains(covered, other.index()))
              (void)cover(whole.index());
        if (!out.empty() && out.back().steps == now.steps)
          out.back() = now;
        else if (out.empty() || out.back().all != now.all)
          out.push_back(now);
      }
      before += originals_[test]->length();
    }
    return out;
  }

  // Whatever became of measuring: the suites are as large as they are.
  void add_costs(const Generated& result, ComparedSuite& suite) const {
    suite.tests = result.suite.tests.size();
    suite.steps = result.suite.steps();
    if (model_.network->is_timed())
      suite.duration = to_string(result.suite.duration());
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
          {.name = request.name, .members = request.members, .suite = suite_of(kept, true)});
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

  void judge_mutants() {
    std::vector<Mutant> mutants = list_mutants(*model_.network);
    if (options_.most_mutants)
      mutants = choose(std::move(mutants), *options_.most_mutants);
    out_.mutants_chosen = mutants.size();
    std::vector<Mutant> survivors;
    std::vector<std::size_t> places;
    for (const Mutant& mutant : mutants) {
      check_budget();
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
  Shares& shares_;
  std::vector<Run> runs_;  // by criterion
  Run all_;
  std::unique_ptr<TestRuns> tests_;
  std::vector<const Test*> originals_;                 // by test: in the result it came from first
  std::vector<std::vector<CoveredAt>> runs_of_tests_;  // by test: items of all_
  std::vector<bool> known_;                            // by test: replay has followed it
  std::vector<Bits> covers_;                           // the same as sets
  std::vector<Bits> members_;                          // by criterion: its items
  std::vector<std::optional<std::size_t>> owners_;     // by item: its criterion; none: a half
  std::map<ItemId, std::vector<std::pair<ItemId, ItemId>>> wholes_;  // by half: the other, both
  std::vector<std::vector<std::size_t>> combined_;                   // by combination: its tests
  ComparedModel out_;
  Limit stopped_by_ = Limit::kNone;  // what ended all but the searches
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
  const auto started = std::chrono::steady_clock::now();
  CompareResult out;
  out.comparison.criteria = options.coverage.criteria;
  out.comparison.options = report_options(options.coverage, options.generate, options.limits);
  Progress progress(options.quiet);
  Shares shares(options.limits.time, options.jobs);
  std::vector<std::unique_ptr<ModelComparison>> all;
  std::vector<ModelComparison*> ready;
  for (const std::string& file : models) {
    all.push_back(std::make_unique<ModelComparison>(file, options, shares));
    if (all.back()->prepare(progress))
      ready.push_back(all.back().get());
  }
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
  out.comparison.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  out.comparison.peak_memory_bytes = peak_resident_bytes();
  return out;
}

}  // namespace tw
