#include "engine/suite/generate.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <unordered_set>

#include "engine/base/memory_use.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/search/search.hpp"
#include "engine/suite/chain.hpp"
#include "engine/suite/cover.hpp"
#include "engine/suite/goals.hpp"
#include "engine/suite/reduce.hpp"
#include "engine/suite/walker.hpp"

namespace tw {
namespace {

// A small cover chooses among traces to all states if they are so few.
constexpr std::size_t kMostShortWalks = 400;

// What chaining may expand after a search that was stopped.
constexpr std::uint64_t kHurriedBudget = 2'000;

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

class Generation {
 public:
  Generation(const Network& network, CoverageRules& rules, const GenerateOptions& options)
      : network_(network),
        rules_(rules),
        options_(options),
        system_(network, instrumentation_for(rules), options.search.execution),
        effects_(network, rules) {
    if (options.search.keep_dead)
      return;
    const Instrumentation forgetting = forgetting_for(network, rules);
    if (!forgetting.forgotten.empty())
      forgetting_.emplace(network, forgetting, options.search.execution);
  }

  Generated run();

 private:
  [[nodiscard]] SearchOptions search_options() const;
  [[nodiscard]] std::uint64_t bytes_left() const;
  [[nodiscard]] std::vector<Walk> local_walks(Search& search);
  [[nodiscard]] std::vector<Walk> shortest_walks(Search& search);
  void drop_impossible(std::vector<Walk>& walks);
  void decide(const Search& search, const std::vector<Walk>& walks);
  void cover_by_chance(const Walk& walk);
  void select(Search& search, std::vector<Walk>& walks);
  void add_short_walks(Search& search, std::vector<Walk>& walks);
  [[nodiscard]] Reduction reduction() const;
  void reduce(std::vector<Walk>& walks, std::uint64_t expansions);
  void bound(const Search& search);
  void write(const std::vector<Walk>& walks);
  void set_delays(Walker& walker, Test& test);
  void replay_tests();
  [[nodiscard]] bool covers_what_was_promised(const std::vector<ItemId>& covered,
                                              const std::vector<ItemId>& promised) const;
  void replay_ends(std::size_t t, const replay::RunCheck& run, const std::vector<Rational>& delays);

  const Network& network_;
  CoverageRules& rules_;
  const GenerateOptions& options_;
  System system_;
  std::optional<System> forgetting_;  // … that forgets dead values, for searching; none: no such
  Effects effects_;
  Generated out_;
  std::vector<std::uint64_t> wanted_;  // items the suite must cover …
  bool has_choice_ = false;            // … others would have done as well
  bool unconfirmed_ = false;           // some trace did not fit the stopwatches
};

SearchOptions Generation::search_options() const {
  SearchOptions out = options_.search;
  out.max_bytes = bytes_left();
  return out;
}

// The limit is on the whole process; what is there already is taken off. 0: no limit.
std::uint64_t Generation::bytes_left() const {
  const std::uint64_t most = options_.search.max_bytes;
  if (most == 0)
    return 0;
  const std::uint64_t used = resident_bytes();
  return most > used ? most - used : 1;
}

// The path of the local algorithm, cut at its resets.
std::vector<Walk> Generation::local_walks(Search& search) {
  Walker walker(system_, effects_);
  std::vector<Walk> walks;
  if (search.best())
    for (const std::vector<Step>& trace : search.traces(*search.best()))
      walks.push_back(walker.walk(trace));
  return walks;
}

// With stopwatches a trace may be possible in zones and not in time.
void Generation::drop_impossible(std::vector<Walk>& walks) {
  if (!system_.has_stopwatches())
    return;
  Walker walker(system_, effects_);
  const std::size_t dropped = std::erase_if(walks, [&](const Walk& walk) {
    return !walker.timetable(walk.steps).choose(Delays::kEarliest);
  });
  unconfirmed_ = dropped != 0;
  if (walks.empty() && !walker.start().gains.empty())
    walks.push_back(walker.start());
}

// One trace per step that covered something first. What the initial state covers needs none, but a
// suite that covers anything has a test.
std::vector<Walk> Generation::shortest_walks(Search& search) {
  Walker walker(system_, effects_);
  std::vector<Walk> walks;
  std::unordered_set<std::uint64_t> known;
  bool initially = false;
  for (std::size_t i = 0; i < rules_.items().size(); ++i) {
    const std::optional<Arrival> found = search.found(ItemId(i));
    if (!found)
      continue;
    if (!found->from.valid()) {
      initially = true;
      continue;
    }
    if (known.insert((found->from.index() << 32) | found->step).second)
      walks.push_back(walker.walk(search.traces(*found).front()));
  }
  if (walks.empty() && initially)
    walks.push_back(walker.start());
  return walks;
}

void Generation::decide(const Search& search, const std::vector<Walk>& walks) {
  std::vector<std::uint64_t> covered;
  for (const Walk& walk : walks)
    for (const Walk::Gain& gain : walk.gains)
      set_bit(covered, gain.item.index());
  const bool exhaustive = out_.reason == StopReason::kExhausted;
  for (std::size_t i = 0; i < rules_.items().size(); ++i) {
    const std::optional<Arrival> found = search.found(ItemId(i));
    Verdict verdict;
    if (found && contains(covered, i))
      verdict = {.status = ItemStatus::kCovered, .depth = found->depth};
    else if (exhaustive && !found)
      verdict.status = ItemStatus::kInfeasible;
    out_.verdicts.push_back(verdict);
  }
  for (const Walk& walk : walks)
    cover_by_chance(walk);
  settle_goals(rules_, out_.verdicts);
}

// A test may pass by an item that the search was stopped before finding; its length there need not
// be the shortest.
void Generation::cover_by_chance(const Walk& walk) {
  for (const Walk::Gain& gain : walk.gains) {
    Verdict& verdict = out_.verdicts[gain.item.index()];
    if (verdict.status != ItemStatus::kCovered && verdict.status != ItemStatus::kNotCounted)
      verdict = {.status = ItemStatus::kCovered, .depth = gain.length};
  }
}

// With stopwatches chaining would search on in zones that lie.
Reduction Generation::reduction() const {
  const bool exact = !system_.has_stopwatches();
  return options_.reduce == Reduction::kChain && !exact ? Reduction::kCover : options_.reduce;
}

// What the suite must cover. Where there is a choice between pairs of halves, a small cover makes
// it.
void Generation::select(Search& search, std::vector<Walk>& walks) {
  const std::vector<Requirement> requirements = requirements_of(rules_, out_.verdicts);
  const bool is_cover = reduction() == Reduction::kCover;
  has_choice_ = std::ranges::any_of(requirements,
                                    [](const Requirement& r) { return r.alternatives.size() > 1; });
  std::vector<Walk> pool = walks;
  if (is_cover || has_choice_) {
    add_short_walks(search, pool);
    std::vector<Walk> chosen;
    // Goals that chain choose alike, so that they can be compared.
    const Optimise optimise = is_cover ? options_.optimise : Optimise::kSteps;
    for (const std::size_t walk : choose_cover(pool, requirements, optimise))
      chosen.push_back(std::move(pool[walk]));
    pool = std::move(chosen);
  }
  std::vector<std::uint64_t> covered;
  for (const Walk& walk : pool)
    for (const Walk::Gain& gain : walk.gains)
      set_bit(covered, gain.item.index());
  wanted_ = wanted_items(requirements, covered);
  if (is_cover)
    walks = std::move(pool);
  keep_gains(walks, wanted_);
}

// Of several traces of the same length one covers more. Where states are few, a trace to each is
// there to choose from.
void Generation::add_short_walks(Search& search, std::vector<Walk>& walks) {
  if (search.entries() > kMostShortWalks || system_.has_stopwatches() ||
      options_.search.algorithm == Algorithm::kLocal)
    return;
  Walker walker(system_, effects_);
  for (std::size_t i = 1; i < search.entries(); ++i)
    walks.push_back(walker.walk(search.traces(EntryId(i)).front()));
}

void Generation::reduce(std::vector<Walk>& walks, std::uint64_t expansions) {
  switch (reduction()) {
    case Reduction::kNone:
    case Reduction::kCover:  // select() did it
      return;
    case Reduction::kRedundant:
      remove_redundant(walks);
      return;
    case Reduction::kChain:
      break;
  }
  Ledger others(rules_);
  for (std::size_t i = 0; i < out_.verdicts.size(); ++i)
    if (!contains(wanted_, i) && !rules_.is_whole(ItemId(i)))
      others.cover(ItemId(i));
  // Whoever set a limit or pressed Ctrl-C does not wait for the finest suite.
  const bool hurry = out_.reason == StopReason::kTime || out_.reason == StopReason::kMemory ||
                     out_.reason == StopReason::kInterrupted;
  Chained chained =
      chain(system_, effects_, others, walks,
            {.optimise = options_.optimise,
             .on_error = options_.search.on_error,
             .planning = forgetting_ ? &*forgetting_ : nullptr,
             .budget = hurry ? kHurriedBudget : std::max(options_.chain_budget, expansions),
             .exact_budget = hurry ? 0 : options_.exact_budget,
             .lower_bound = out_.suite.lower_bound,
             .max_bytes = bytes_left()});
  walks = std::move(chained.walks);
  if (!has_choice_)
    out_.suite.lower_bound = chained.lower_bound;
}

// No suite is shorter than the longest shortest trace of an item.
void Generation::bound(const Search& search) {
  if (options_.search.order != Order::kBfs || options_.search.algorithm == Algorithm::kLocal)
    return;
  for (std::size_t i = 0; i < rules_.items().size(); ++i) {
    const bool is_whole = rules_.is_whole(ItemId(i));
    if (out_.verdicts[i].status != ItemStatus::kCovered || rules_.is_half(ItemId(i)) ||
        (!is_whole && !search.found(ItemId(i))))
      continue;
    const std::uint64_t depth = is_whole ? out_.verdicts[i].depth : search.found(ItemId(i))->depth;
    out_.suite.lower_bound = std::max(out_.suite.lower_bound, depth);
  }
}

void Generation::write(const std::vector<Walk>& walks) {
  Walker walker(system_, effects_);
  out_.suite.initial = walker.initial();
  for (const Walk& walk : walks) {
    Test test{.steps = walk.steps};
    if (system_.is_timed())
      set_delays(walker, test);
    const Walk whole = walker.walk(walk.steps);
    cover_by_chance(whole);
    for (const Walk::Gain& gain : whole.gains)
      test.covers.push_back(gain.item);
    std::sort(test.covers.begin(), test.covers.end());
    out_.suite.tests.push_back(std::move(test));
  }
}

void Generation::set_delays(Walker& walker, Test& test) {
  Timetable timetable = walker.timetable(test.steps);
  if (!timetable.choose(options_.delays)) {
    out_.internal_error = "no delays fit a test";
    return;
  }
  test.delays = timetable.delays();
}

// Every test must run in the other implementation, pass the same states and cover the same items;
// with clocks also if one delay is at an end of its interval.
void Generation::replay_tests() {
  const replay::Interpreter interpreter =
      replay::interpreter_for(network_, rules_, options_.search.on_error);
  replay::Monitor monitor(network_, rules_);
  Walker walker(system_, effects_);
  for (std::size_t t = 0; t < out_.suite.tests.size() && out_.internal_error.empty(); ++t) {
    const Test& test = out_.suite.tests[t];
    std::vector<Rational> delays;
    for (const Delay& delay : test.delays)
      delays.push_back(delay.chosen);
    const replay::RunCheck check = replay::check_run(interpreter, monitor, test.steps, delays);
    if (!check.possible) {
      out_.internal_error =
          fmt::format("{}, step {}: {}", test_name(t), check.failed_step + 1, check.why_not);
      return;
    }
    Walker::Run run(walker);
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      const replay::RunState& state = check.states[i + 1];
      run.take(test.steps[i], delays.empty() ? Rational(0) : delays[i]);
      if (state.locations != run.state().locations ||
          !std::equal(run.state().cells.begin(), run.state().cells.end(), state.cells.begin()) ||
          state.clocks != run.state().clocks) {
        out_.internal_error =
            fmt::format("{}, step {}: replay ends in another state", test_name(t), i + 1);
        return;
      }
    }
    if (!covers_what_was_promised(check.covered, test.covers)) {
      out_.internal_error = fmt::format("{}: replay covers other items", test_name(t));
      return;
    }
    replay_ends(t, check, delays);
  }
}

// Where clocks are looked at, a test may show more than what is sure for all its delays; nothing of
// that may have been called infeasible.
bool Generation::covers_what_was_promised(const std::vector<ItemId>& covered,
                                          const std::vector<ItemId>& promised) const {
  if (!rules_.has_timed_observations())
    return covered == promised;
  return std::ranges::includes(covered, promised) &&
         std::ranges::none_of(covered, [&](ItemId item) {
           return out_.verdicts[item.index()].status == ItemStatus::kInfeasible;
         });
}

void Generation::replay_ends(std::size_t t,
                             const replay::RunCheck& run,
                             const std::vector<Rational>& delays) {
  const Test& test = out_.suite.tests[t];
  const replay::Interpreter interpreter =
      replay::interpreter_for(network_, rules_, options_.search.on_error);
  for (std::size_t i = 0; i < test.delays.size(); ++i) {
    const Delay& delay = test.delays[i];
    std::vector<Rational> ends;
    if (!delay.min_strict)
      ends.push_back(delay.min);
    if (delay.max && !delay.max_strict)
      ends.push_back(*delay.max);
    for (const Rational& end : ends) {
      const std::string why = replay::why_not_with(interpreter, run, test.steps, delays, i, end);
      if (why.empty())
        continue;
      out_.internal_error = fmt::format("{}, step {}: a delay of {} is not possible: {}",
                                        test_name(t), i + 1, to_string(end), why);
      return;
    }
  }
}

Generated Generation::run() {
  const auto started = std::chrono::steady_clock::now();
  Search search(forgetting_ ? *forgetting_ : system_, effects_, Ledger(rules_), search_options());
  out_.reason = search.run();
  out_.has_initial_state = search.has_initial_state();
  const SearchStatistics& statistics = search.statistics();
  if (out_.reason == StopReason::kModelError) {
    out_.error = ErrorTrace{.error = search.error(), .initial = !search.failed_entry().valid()};
    if (search.failed_entry().valid())
      out_.error->steps = search.traces(search.failed_entry()).back();
  }
  const bool runs = out_.has_initial_state && !(out_.error && out_.error->initial);
  std::vector<Walk> walks;
  if (runs) {
    walks = options_.search.algorithm == Algorithm::kLocal ? local_walks(search)
                                                           : shortest_walks(search);
    drop_impossible(walks);
  }
  decide(search, walks);
  bound(search);
  if (runs) {
    if (options_.search.algorithm != Algorithm::kLocal) {
      select(search, walks);
      reduce(walks, statistics.expansions);
    }
    write(walks);
    settle_goals(rules_, out_.verdicts);
    replay_tests();
  }
  discount_halves(rules_, out_.verdicts);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  out_.search = {
      .algorithm = std::string(name_of(options_.search.algorithm)),
      .order = std::string(name_of(options_.search.order)),
      .exhaustive = out_.reason == StopReason::kExhausted,
      .states = statistics.states,
      .expansions = statistics.expansions,
      .transitions = statistics.transitions,
      .tokens = rules_.tokens().size(),
      .depth = statistics.depth,
      .bytes_per_state = statistics.states == 0 ? 0 : statistics.bytes / statistics.states,
      .seconds = seconds.count(),
      .peak_memory_bytes = peak_resident_bytes(),
      .limit = std::string(limit_name(out_.reason)),
      .unconfirmed = unconfirmed_};
  return std::move(out_);
}

}  // namespace

Generated generate(const Network& network, CoverageRules& rules, const GenerateOptions& options) {
  return Generation(network, rules, options).run();
}

}  // namespace tw
