#include "engine/suite/generate.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/base/memory_use.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/search/search.hpp"
#include "engine/suite/chain.hpp"
#include "engine/suite/confirm.hpp"
#include "engine/suite/cover.hpp"
#include "engine/suite/goals.hpp"
#include "engine/suite/reduce.hpp"
#include "engine/suite/test_states.hpp"
#include "engine/suite/walker.hpp"

namespace tw {
namespace {

// A small cover chooses among traces to all states if they are so few.
constexpr std::size_t kMostShortWalks = 400;

std::string_view name_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kGlobal:
      return "global";
    case Algorithm::kFig3:
      return "fig3";
    case Algorithm::kLocal:
      return "local";
  }
  return "";
}

std::string_view name_of(Order order) {
  switch (order) {
    case Order::kBfs:
      return "bfs";
    case Order::kDfs:
      return "dfs";
    case Order::kRandom:
      return "random";
  }
  return "";
}

// What may be gone when a phase ends of what the search has left (engine/base/budget.hpp).
constexpr double kTraceShare = 0.35;
constexpr double kSelectShare = 0.4;
constexpr double kChainShare = 0.65;
constexpr double kDelayShare = 0.85;
constexpr double kHastyShare = 0.87;
constexpr double kReplayShare = 0.92;
// Whatever is met, every item has its line in the suite.
constexpr std::chrono::microseconds kWritingAnItem{3};

std::vector<ItemId> covered_by(const Walk& walk) {
  std::vector<ItemId> out;
  for (const Walk::Gain& gain : walk.gains)
    out.push_back(gain.item);
  std::ranges::sort(out);
  return out;
}

// What is to be kept low, first things first.
std::tuple<Rational, std::uint64_t, std::uint64_t> cost_of(const std::vector<Test>& tests,
                                                           Optimise goal) {
  const Suite suite{.initial = {}, .tests = tests};
  switch (goal) {
    case Optimise::kSteps:
      return {0, suite.steps(), tests.size()};
    case Optimise::kTests:
      return {0, tests.size(), suite.steps()};
    case Optimise::kTime:
      return {suite.duration(), suite.steps(), tests.size()};
  }
  return {};
}

class Generation {
 public:
  Generation(const Network& network,
             CoverageRules& rules,
             const GenerateOptions& options,
             Budget& budget)
      : network_(network),
        rules_(rules),
        options_(options),
        budget_(budget) {}

  Generated run();

 private:
  void prepare();
  void search();
  void find_tests();
  void give_up();
  template <class Work>
  void in_phase(std::string_view name, double share, Work work);
  void end_search();
  void begin_at_least();
  void collect_walks();
  void collect_local_walks();
  void collect_shortest_walks();
  void drop_impossible();
  void decide();
  void cover_by_chance(const Walk& walk);
  void select();
  void add_short_walks(std::vector<Walk>& walks);
  void want_all();
  [[nodiscard]] Reduction reduction() const;
  void reduce();
  void chain_walks();
  void bound();
  void write_best();
  void write_tests(const std::vector<Walk>& walks);
  [[nodiscard]] std::optional<Test> make_confirmed(const Walk& walk,
                                                   Walker& walker,
                                                   Confirmation& confirmation);
  [[nodiscard]] std::optional<Test> make_as_much(const Walk& walk,
                                                 Walker& walker,
                                                 Confirmation& confirmation);
  [[nodiscard]] std::optional<Test> make_test(const Walk& walk, Walker& walker);
  [[nodiscard]] std::optional<Test> confirm(Test test, Walker& walker, Confirmation& confirmation);
  void note_seen(Test& test, Walk& whole, Walker& walker, const Confirmation& confirmation);
  void drop_needless();
  void settle();

  const Network& network_;
  CoverageRules& rules_;
  const GenerateOptions& options_;
  Budget& budget_;
  std::optional<System> system_;
  std::optional<System> forgetting_;  // … that forgets dead values, for searching; none: no such
  std::optional<Effects> effects_;
  std::optional<Search> search_;  // as long as traces are asked of it
  SearchStatistics statistics_;
  std::vector<RunError> errors_;
  Generated out_;
  std::vector<Walk> walks_;
  std::vector<std::uint64_t> wanted_;                   // items the suite must cover …
  std::vector<std::optional<std::uint32_t>> shortest_;  // by item: steps to it, if it was found
  bool is_selected_ = false;                            // … and that was settled
  bool has_choice_ = false;                             // … others would have done as well
  bool unconfirmed_ = false;                            // some trace did not fit the clocks
  bool is_short_of_tests_ = false;                      // a limit left some out
  std::vector<std::vector<Walk>> other_walks_;          // best for goals that were not asked for
  std::vector<Walk> seen_;                              // by test, where clocks are looked at
};

// Whatever work does, it keeps what it has got so far when a limit ends it.
template <class Work>
void Generation::in_phase(std::string_view name, double share, Work work) {
  const Budget::Phase phase(budget_, name, share);
  try {
    work();
  } catch (const BudgetSpent&) {
  } catch (const std::bad_alloc&) {
    budget_.note_memory();
  }
}

void Generation::prepare() {
  system_.emplace(network_, instrumentation_for(rules_), options_.search.execution);
  effects_.emplace(network_, rules_);
  if (options_.search.keep_dead)
    return;
  const Instrumentation forgetting = forgetting_for(network_, rules_);
  if (!forgetting.forgotten.empty())
    forgetting_.emplace(network_, forgetting, options_.search.execution);
}

void Generation::search() {
  budget_.reserve(kWritingAnItem * rules_.items().size());
  search_.emplace(forgetting_ ? *forgetting_ : *system_, *effects_, Ledger(rules_),
                  options_.search);
  out_.reason = search_->run();
  statistics_ = search_->statistics();
  for (const ModelError& error : search_->errors())
    errors_.push_back(error.what());
  out_.has_initial_state = search_->has_initial_state();
  if (out_.reason == StopReason::kModelError)
    out_.error = ErrorTrace{.error = search_->error(), .initial = !search_->failed_entry().valid()};
}

// Its memory is needed now.
void Generation::end_search() {
  search_.reset();
  if (budget_.limit() != Limit::kMemory)
    return;
  return_freed_memory();
  if (memory_ran_out())
    keep_memory_reserve();
}

void Generation::begin_at_least() {
  const Walker walker(*system_, *effects_);
  if (!walker.start().gains.empty())
    walks_.push_back(walker.start());
}

void Generation::collect_walks() {
  if (out_.error && !out_.error->initial)
    out_.error->steps = search_->traces(search_->failed_entry()).back();
  if (options_.search.algorithm == Algorithm::kLocal)
    collect_local_walks();
  else
    collect_shortest_walks();
  drop_impossible();
}

// The path of the local algorithm, cut at its resets.
void Generation::collect_local_walks() {
  Walker walker(*system_, *effects_);
  if (search_->best())
    for (const std::vector<Step>& trace : search_->traces(*search_->best()))
      walks_.push_back(walker.walk(trace));
}

// One trace per step that covered something first. What the initial state covers needs none.
void Generation::collect_shortest_walks() {
  Walker walker(*system_, *effects_);
  std::unordered_set<std::uint64_t> known;
  for (std::size_t i = 0; i < rules_.items().size(); ++i) {
    const std::optional<Arrival> found = search_->found(ItemId(i));
    if (!found || !found->from.valid() ||
        !known.insert((found->from.index() << 32) | found->step).second)
      continue;
    check_budget();
    walks_.push_back(walker.walk(search_->traces(*found).front()));
  }
}

// A trace may be possible in zones and not in time.
void Generation::drop_impossible() {
  if (!system_->zones_exceed())
    return;
  Walker walker(*system_, *effects_);
  const std::size_t dropped = std::erase_if(walks_, [&](const Walk& walk) {
    return !walker.timetable(walk.steps).choose(Delays::kEarliest);
  });
  unconfirmed_ = dropped != 0;
}

void Generation::decide() {
  std::vector<std::uint64_t> covered;
  for (const Walk& walk : walks_)
    for (const Walk::Gain& gain : walk.gains)
      set_bit(covered, gain.item.index());
  const bool exhaustive = out_.reason == StopReason::kExhausted;
  for (std::size_t i = 0; i < rules_.items().size(); ++i) {
    const std::optional<Arrival> found = search_->found(ItemId(i));
    shortest_.push_back(found ? std::optional(found->depth) : std::nullopt);
    Verdict verdict;
    if (found && contains(covered, i))
      verdict = {.status = ItemStatus::kCovered, .depth = found->depth};
    else if (exhaustive && !found)
      verdict.status = ItemStatus::kInfeasible;
    out_.verdicts.push_back(verdict);
  }
  for (const Walk& walk : walks_)
    cover_by_chance(walk);
  settle_goals(rules_, out_.verdicts);
}

// A test may pass by an item that the search was stopped before finding; its length there need not
// be the shortest.
void Generation::cover_by_chance(const Walk& walk) {
  out_.verdicts.resize(rules_.items().size());
  for (const Walk::Gain& gain : walk.gains) {
    Verdict& verdict = out_.verdicts[gain.item.index()];
    if (verdict.status == ItemStatus::kCovered || verdict.status == ItemStatus::kNotCounted)
      continue;
    verdict = {.status = ItemStatus::kCovered, .depth = gain.length};
    set_bit(wanted_, gain.item.index());  // who is left out from now on must not take it along
  }
}

// Chaining would search on in zones that are larger than what can be reached.
Reduction Generation::reduction() const {
  const bool exact = !system_->zones_exceed();
  return options_.reduce == Reduction::kChain && !exact ? Reduction::kCover : options_.reduce;
}

// What the suite must cover. Where there is a choice between pairs of halves, a small cover makes
// it.
void Generation::select() {
  const std::vector<Requirement> requirements = requirements_of(rules_, out_.verdicts);
  const bool is_cover = reduction() == Reduction::kCover;
  has_choice_ = std::ranges::any_of(requirements,
                                    [](const Requirement& r) { return r.alternatives.size() > 1; });
  std::vector<std::uint64_t> covered;
  const auto note_covered = [&covered](const std::vector<Walk>& walks) {
    for (const Walk& walk : walks)
      for (const Walk::Gain& gain : walk.gains)
        set_bit(covered, gain.item.index());
  };
  if (!is_cover && !has_choice_) {
    note_covered(walks_);
  } else {
    std::vector<Walk> pool = walks_;
    add_short_walks(pool);
    std::vector<Walk> chosen;
    // Goals that chain choose alike, so that they can be compared.
    const Optimise optimise = is_cover ? options_.optimise : Optimise::kSteps;
    for (const std::size_t walk : choose_cover(pool, requirements, optimise))
      chosen.push_back(std::move(pool[walk]));
    note_covered(chosen);
    if (is_cover)
      walks_ = std::move(chosen);
  }
  wanted_ = wanted_items(requirements, covered);
  is_selected_ = true;
  keep_gains(walks_, wanted_);
}

// Where there was no time to choose: all that the traces cover.
void Generation::want_all() {
  for (const Walk& walk : walks_)
    for (const Walk::Gain& gain : walk.gains)
      set_bit(wanted_, gain.item.index());
}

// Of several traces of the same length one covers more. Where states are few, a trace to each is
// there to choose from.
void Generation::add_short_walks(std::vector<Walk>& walks) {
  if (search_->entries() > kMostShortWalks || system_->zones_exceed() ||
      options_.search.algorithm == Algorithm::kLocal || budget_.is_hurried())
    return;
  Walker walker(*system_, *effects_);
  for (std::size_t i = 1; i < search_->entries(); ++i)
    walks.push_back(walker.walk(search_->traces(EntryId(i)).front()));
}

void Generation::reduce() {
  switch (reduction()) {
    case Reduction::kNone:
    case Reduction::kCover:  // select() did it
      return;
    case Reduction::kRedundant:
      remove_redundant(walks_);
      return;
    case Reduction::kChain:
      chain_walks();
      return;
  }
}

void Generation::chain_walks() {
  Ledger others(rules_);
  for (std::size_t i = 0; i < out_.verdicts.size(); ++i)
    if (!contains(wanted_, i) && !rules_.is_whole(ItemId(i)))
      others.cover(ItemId(i));
  // Whoever set a limit or pressed Ctrl-C does not wait for the finest suite; and where memory is
  // short raw traces go first.
  const bool hurry = budget_.is_hurried();
  if (hurry)
    remove_redundant(walks_);
  // Otherwise a suite that is not taken may cover by chance what no other one does.
  const bool is_decided =
      !hurry && (out_.reason == StopReason::kExhausted || out_.reason == StopReason::kDecided);
  Chained chained = chain(*system_, *effects_, others, walks_,
                          {.optimise = options_.optimise,
                           .all_goals = rules_.has_timed_observations() && is_decided,
                           .delays = options_.delays,
                           .on_error = options_.search.on_error,
                           .planning = forgetting_ ? &*forgetting_ : nullptr,
                           .budget = std::max(options_.chain_budget, statistics_.expansions),
                           .exact_budget = hurry ? 0 : options_.exact_budget,
                           .lower_bound = out_.suite.lower_bound,
                           .max_bytes = budget_.bytes_left()});
  walks_ = std::move(chained.walks);
  other_walks_ = std::move(chained.others);
  if (!has_choice_)
    out_.suite.lower_bound = chained.lower_bound;
}

// No suite is shorter than the longest shortest trace of an item.
void Generation::bound() {
  if (options_.search.order != Order::kBfs || options_.search.algorithm == Algorithm::kLocal)
    return;
  for (std::size_t i = 0; i < rules_.items().size(); ++i) {
    const bool is_whole = rules_.is_whole(ItemId(i));
    if (out_.verdicts[i].status != ItemStatus::kCovered || rules_.is_half(ItemId(i)) ||
        (!is_whole && !shortest_[i]))
      continue;
    const std::uint64_t depth = is_whole ? out_.verdicts[i].depth : *shortest_[i];
    out_.suite.lower_bound = std::max(out_.suite.lower_bound, depth);
  }
}

// What chaining found best for the goal, or, where delays decide what tests show and so which of
// them are needed, whichever suite turns out best.
void Generation::write_best() {
  write_tests(walks_);
  for (const std::vector<Walk>& walks : other_walks_) {
    if (budget_.is_hurried() || is_short_of_tests_ || !out_.internal_error.empty())
      return;
    std::vector<Test> best = std::exchange(out_.suite.tests, {});
    seen_.clear();
    write_tests(walks);
    const bool is_worse =
        cost_of(best, options_.optimise) <= cost_of(out_.suite.tests, options_.optimise);
    if (is_short_of_tests_ || is_worse)
      out_.suite.tests = std::move(best);
    is_short_of_tests_ = false;
  }
}

// Tests for which there is no time or memory any more are left out.
void Generation::write_tests(const std::vector<Walk>& walks) {
  out_.suite.initial = TestStates(network_).state();
  std::optional<Walker> walker;
  std::optional<Confirmation> confirmation;
  in_phase("delays", kDelayShare, [&] {
    walker.emplace(*system_, *effects_);
    confirmation.emplace(network_, rules_, *walker, options_.search.on_error);
  });
  for (const Walk& walk : walks) {
    std::optional<Test> test;
    if (confirmation && system_->is_timed() && budget_.is_hurried())
      test = make_as_much(walk, *walker, *confirmation);
    else if (confirmation)
      test = make_confirmed(walk, *walker, *confirmation);
    if (!out_.internal_error.empty())
      return;
    if (test)
      out_.suite.tests.push_back(std::move(*test));
    else
      is_short_of_tests_ = true;
  }
  if (!seen_.empty())
    in_phase("replay", kReplayShare, [this] { drop_needless(); });
}

std::optional<Test> Generation::make_confirmed(const Walk& walk,
                                               Walker& walker,
                                               Confirmation& confirmation) {
  std::optional<Test> test = make_test(walk, walker);
  return test ? confirm(std::move(*test), walker, confirmation) : std::nullopt;
}

// Delays are chosen for a test as a whole, and a limit would leave nothing of a long one: its
// beginning first, then ever more of it.
std::optional<Test> Generation::make_as_much(const Walk& walk,
                                             Walker& walker,
                                             Confirmation& confirmation) {
  constexpr std::size_t kFirstSteps = 50;
  std::optional<Test> best;
  for (std::size_t steps = kFirstSteps; out_.internal_error.empty(); steps *= 2) {
    const bool is_all = steps >= walk.steps.size();
    Walk part = walk;
    if (!is_all)
      Walker::cut(part, steps);
    const std::size_t seen = seen_.size();
    std::optional<Test> test = make_confirmed(part, walker, confirmation);
    if (!test)
      break;
    // What is known of the shorter one goes.
    if (best && seen_.size() > seen)
      seen_.erase(seen_.begin() + static_cast<std::ptrdiff_t>(seen) - 1);
    best = std::move(test);
    if (is_all)
      return best;
    is_short_of_tests_ = true;
  }
  return best;
}

std::optional<Test> Generation::make_test(const Walk& walk, Walker& walker) {
  Test test{.steps = walk.steps};
  const auto choose = [&](Delays policy) {
    Timetable timetable = walker.timetable(test.steps);
    if (timetable.choose(policy))
      test.delays = timetable.delays();
    else
      out_.internal_error = "no delays fit a test";
  };
  bool is_made = false;
  in_phase("delays", kDelayShare, [&] {
    if (system_->is_timed())
      choose(options_.delays);
    is_made = true;
  });
  // Some delays in time are better than good ones too late.
  if (!is_made)
    in_phase("delays", kHastyShare, [&] {
      if (system_->is_timed())
        choose(Delays::kEarliest);
      is_made = true;
    });
  return is_made ? std::optional(std::move(test)) : std::nullopt;
}

// What can be said of it once it was replayed. Where a limit is met on the way, as much as was: but
// delays promise something for all steps that follow.
std::optional<Test> Generation::confirm(Test test, Walker& walker, Confirmation& confirmation) {
  std::size_t confirmed = 0;
  bool is_whole = false;
  Walk whole;
  in_phase("replay", kReplayShare, [&] {
    whole = walker.walk(test.steps);
    test.covers = covered_by(whole);
    if (const std::string fault = confirmation.find_fault(test, out_.verdicts, confirmed);
        !fault.empty())
      out_.internal_error = fmt::format("{}, {}", test_name(out_.suite.tests.size()), fault);
    else if (rules_.has_timed_observations())
      note_seen(test, whole, walker, confirmation);
    is_whole = true;
  });
  if (!is_whole) {
    if (confirmed == 0 || system_->is_timed())
      return std::nullopt;
    Walker::cut(whole, confirmed);
    test = {.steps = whole.steps, .delays = {}, .covers = covered_by(whole)};
    if (test.covers != confirmation.covered())
      return std::nullopt;
  }
  cover_by_chance(whole);
  return test;
}

// Where clocks are looked at, what is seen depends on the delays: nothing of it is lost as long as
// each of them stays in its interval.
void Generation::note_seen(Test& test,
                           Walk& whole,
                           Walker& walker,
                           const Confirmation& confirmation) {
  walker.narrow(test, confirmation.pins());
  test.covers = confirmation.covered();
  whole.gains = confirmation.gains();
  seen_.push_back(whole);
}

// Tests may show more than was planned: what is only there for something that others show as well
// is left out.
void Generation::drop_needless() {
  if (seen_.size() != out_.suite.tests.size() || options_.reduce == Reduction::kNone ||
      options_.search.algorithm == Algorithm::kLocal)
    return;
  std::vector<Walk> left = seen_;
  keep_gains(left, wanted_);
  const std::vector<std::size_t> kept = trim(left);
  std::vector<Test> tests;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Test test = std::move(out_.suite.tests[kept[i]]);
    if (left[i].steps.size() != test.steps.size()) {
      Walker::cut(seen_[kept[i]], left[i].steps.size());
      test.steps = seen_[kept[i]].steps;
      test.delays.resize(test.steps.size());
      test.covers = covered_by(seen_[kept[i]]);
    }
    tests.push_back(std::move(test));
  }
  out_.suite.tests = std::move(tests);
}

// The verdicts that the tests bear out.
void Generation::settle() {
  if (!is_short_of_tests_) {
    settle_goals(rules_, out_.verdicts);
    discount_halves(rules_, out_.verdicts);
    return;
  }
  std::vector<std::uint64_t> covered;
  for (const Test& test : out_.suite.tests)
    for (const ItemId item : test.covers)
      set_bit(covered, item.index());
  out_.verdicts = verdicts_of(rules_, covered, out_.verdicts);
  out_.suite.lower_bound = 0;
  bound();
}

// There was no time even to translate the model.
void Generation::give_up() {
  switch (budget_.limit()) {
    case Limit::kTime:
      out_.reason = StopReason::kTime;
      break;
    case Limit::kInterrupt:
      out_.reason = StopReason::kInterrupted;
      break;
    case Limit::kMemory:
    case Limit::kNone:
      out_.reason = StopReason::kMemory;
      break;
  }
  search_.reset();
  out_.verdicts.assign(rules_.items().size(), {});
  out_.suite.initial = TestStates(network_).state();
}

void Generation::find_tests() {
  const bool runs = out_.has_initial_state && !(out_.error && out_.error->initial);
  if (runs)
    in_phase("traces", kTraceShare, [this] { collect_walks(); });
  // A suite that covers anything has a test.
  if (runs && walks_.empty())
    in_phase("traces", kSelectShare, [this] { begin_at_least(); });
  decide();
  bound();
  if (runs) {
    const bool is_local = options_.search.algorithm == Algorithm::kLocal;
    if (!is_local)
      in_phase("selection", kSelectShare, [this] { select(); });
    if (!is_selected_)
      want_all();
    end_search();
    if (!is_local)
      in_phase("chaining", kChainShare, [this] { reduce(); });
    write_best();
    settle();
  } else {
    discount_halves(rules_, out_.verdicts);
  }
}

Generated Generation::run() {
  const auto started = std::chrono::steady_clock::now();
  bool is_ready = false;
  in_phase("compiling", 0, [&] {
    prepare();
    is_ready = true;
  });
  if (is_ready)
    in_phase("search", 0, [this] { search(); });
  if (search_)
    find_tests();
  else
    give_up();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  out_.search = {
      .algorithm = std::string(name_of(options_.search.algorithm)),
      .order = std::string(name_of(options_.search.order)),
      .exhaustive = out_.reason == StopReason::kExhausted,
      .states = statistics_.states,
      .expansions = statistics_.expansions,
      .transitions = statistics_.transitions,
      .tokens = rules_.tokens().size(),
      .depth = statistics_.depth,
      .bytes_per_state = statistics_.states == 0 ? 0 : statistics_.bytes / statistics_.states,
      .seconds = seconds.count(),
      .peak_memory_bytes = peak_resident_bytes(),
      .limit = std::string(limit_name(out_.reason)),
      .unconfirmed = unconfirmed_,
      .errors = std::move(errors_)};
  return std::move(out_);
}

}  // namespace

Generated generate(const Network& network, CoverageRules& rules, const GenerateOptions& options) {
  Budget limitless;
  Budget* const here = BudgetScope::here();
  return Generation(network, rules, options, here == nullptr ? limitless : *here).run();
}

}  // namespace tw
