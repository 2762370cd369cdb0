#include "engine/check/check_search.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/search/search.hpp"
#include "engine/suite/goals.hpp"

namespace tw {
namespace {

bool is_limit(StopReason reason) {
  return reason == StopReason::kTime || reason == StopReason::kMemory ||
         reason == StopReason::kInterrupted || reason == StopReason::kStates;
}

std::string_view words_for(StopReason reason) {
  switch (reason) {
    case StopReason::kTime:
      return words_for(Limit::kTime);
    case StopReason::kMemory:
      return words_for(Limit::kMemory);
    case StopReason::kInterrupted:
      return words_for(Limit::kInterrupt);
    case StopReason::kModelError:
      return "the model makes a run-time error";
    case StopReason::kExhausted:
    case StopReason::kDecided:
    case StopReason::kStop:
    case StopReason::kStates:
      break;
  }
  return "the search ended early";
}

class SearchChecker {
 public:
  SearchChecker(const Network& network,
                const SuiteFile& suite,
                const std::vector<Verdict>& said,
                const SearchCheckOptions& options,
                CheckResult& result)
      : network_(network),
        suite_(suite),
        said_(said),
        options_(options),
        result_(result),
        rules_(options.declare()) {}

  void check() {
    check_ways();
    check_again();
  }

  /// What a limit ended is not known; what was found before it stays.
  static Limit run(const Network& network,
                   const SuiteFile& suite,
                   const std::vector<Verdict>& said,
                   const SearchCheckOptions& options,
                   CheckResult& result) {
    try {
      SearchChecker(network, suite, said, options, result).check();
    } catch (const BudgetSpent& met) {
      return met.limit();
    } catch (const std::bad_alloc&) {
      return Limit::kMemory;
    }
    return Limit::kNone;
  }

 private:
  [[nodiscard]] const std::string& limit() const {
    static const std::string kNone;
    return suite_.search && suite_.search->limit ? *suite_.search->limit : kNone;
  }
  [[nodiscard]] bool is_breadth_first() const {
    const SearchOptions& made = options_.made_with.search;
    return made.order == Order::kBfs && made.algorithm != Algorithm::kLocal &&
           made.subsumption != Subsumption::kBothWays;
  }
  [[nodiscard]] bool says_depths() const {
    return std::ranges::any_of(suite_.items,
                               [](const SuiteFile::Item& item) { return item.depth.has_value(); });
  }
  void differs(std::string text) {
    result_.problems.push_back({.status = CheckStatus::kDiffers, .text = std::move(text)});
  }
  void leave(std::string what, std::string_view why) {
    result_.not_checked.push_back({.what = std::move(what), .why = std::string(why)});
  }

  void check_ways();
  void check_way(ItemId item, const Verdict& found, StopReason reason);
  void check_again();
  void compare_counts(const Generated& again, const CoverageRules& rules);
  void compare_errors(const Generated& again);
  void compare_items(const Generated& again);
  void check_bound(const Generated& again);

  const Network& network_;
  const SuiteFile& suite_;
  const std::vector<Verdict>& said_;
  const SearchCheckOptions& options_;
  CheckResult& result_;
  CoverageRules rules_;
  std::uint64_t longest_way_ = 0;  // to an item that is covered, a shortest one
  bool zones_exceed_ = false;
  std::size_t infeasible_left_ = 0;
  std::size_t depths_left_ = 0;
};

// Which items can be covered, and how soon.
void SearchChecker::check_ways() {
  Ledger others(rules_);
  bool any = false;
  std::vector<bool> wanted(said_.size());
  for (std::size_t i = 0; i < said_.size() && i < rules_.items().size(); ++i) {
    wanted[i] = said_[i].status == ItemStatus::kInfeasible ||
                (said_[i].status == ItemStatus::kCovered && says_depths());
    any = any || wanted[i];
  }
  if (!any)
    return;
  // Halves are wanted with their wholes.
  std::vector<bool> looked_for = wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] && rules_.is_whole(ItemId(i)))
      for (const ItemPair& pair : rules_.pairs_of(ItemId(i))) {
        looked_for[pair.first.index()] = true;
        looked_for[pair.second.index()] = true;
      }
  for (std::size_t i = 0; i < looked_for.size(); ++i)
    if (!looked_for[i] && !rules_.is_whole(ItemId(i)))
      others.cover(ItemId(i));
  const SearchOptions& made = options_.made_with.search;
  const SearchOptions search{.subsumption = made.subsumption == Subsumption::kEquality
                                                ? Subsumption::kForward
                                                : Subsumption::kEquality,
                             .on_error = made.on_error,
                             .execution = Execution::kByteCode,
                             .keep_dead = true,
                             .leave_out = false,
                             .progress = options_.progress};
  const System system(network_, instrumentation_for(rules_), search.execution);
  Effects effects(network_, rules_);
  Search run(system, effects, others, search);
  const StopReason reason = run.run();
  zones_exceed_ = system.zones_exceed();
  std::vector<Verdict> found(rules_.items().size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (const std::optional<Arrival> arrival = run.found(ItemId(i)))
      found[i] = {.status = ItemStatus::kCovered, .depth = arrival->depth};
    else if (reason == StopReason::kExhausted && i < looked_for.size() && looked_for[i])
      found[i].status = ItemStatus::kInfeasible;
  }
  settle_goals(rules_, found);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i])
      check_way(ItemId(i), found[i], reason);
  if (infeasible_left_ != 0)
    leave(fmt::format("that {} item{} infeasible", infeasible_left_,
                      infeasible_left_ == 1 ? " is" : "s are"),
          zones_exceed_ ? "with stopwatches or great constants a way found need not exist"
                        : words_for(reason));
  if (depths_left_ != 0)
    leave(fmt::format("the depth of {} item{}", depths_left_, depths_left_ == 1 ? "" : "s"),
          is_limit(reason) || reason == StopReason::kModelError
              ? words_for(reason)
              : "longer ways than the shortest depend on how it was searched");
}

void SearchChecker::check_way(ItemId item, const Verdict& found, StopReason reason) {
  const Verdict& said = said_[item.index()];
  const std::string& id = rules_.items()[item].id;
  const bool is_found = found.status == ItemStatus::kCovered;
  if (said.status == ItemStatus::kInfeasible) {
    const bool is_proof = reason == StopReason::kExhausted || reason == StopReason::kDecided;
    if (is_found && !zones_exceed_)
      differs(fmt::format("item '{}' is said to be infeasible, a run of {} step{} covers it", id,
                          found.depth, found.depth == 1 ? "" : "s"));
    else if (is_found || !is_proof)
      ++infeasible_left_;
    return;
  }
  if (!is_found) {
    ++depths_left_;
    return;
  }
  longest_way_ = std::max<std::uint64_t>(longest_way_, found.depth);
  if (said.depth == found.depth)
    return;
  if (said.depth < found.depth)
    differs(fmt::format("the shortest way to item '{}' has {} step{}, the suite says {}", id,
                        found.depth, found.depth == 1 ? "" : "s", said.depth));
  else if (is_breadth_first() && (limit().empty() || limit() == "stop"))
    differs(fmt::format("item '{}' is covered after {} step{}, the suite says {}", id, found.depth,
                        found.depth == 1 ? "" : "s", said.depth));
  else
    ++depths_left_;
}

// The run once more.
void SearchChecker::check_again() {
  const bool says_counts = suite_.search.has_value();
  const std::uint64_t bound = suite_.summary.lower_bound.value_or(0);
  const bool says_bound = bound > longest_way_;
  if (!says_counts && !says_bound)
    return;
  const auto leave_all = [&](std::string_view why) {
    if (says_counts)
      leave("what the search counted", why);
    if (says_bound)
      leave("the lower bound", why);
  };
  if (limit() == "time" || limit() == "memory" || limit() == "interrupt") {
    leave_all("it cannot be repeated: it was stopped by a limit that depends on the machine");
    return;
  }
  GenerateOptions again = options_.made_with;
  again.search.execution = Execution::kByteCode;
  again.search.progress = options_.progress;
  CoverageRules rules = options_.declare();
  const Generated result = generate(network_, rules, again);
  // A suite that was shortened in a hurry, or had to leave out tests, tells nothing.
  if (const Budget* const budget = BudgetScope::here(); budget != nullptr && budget->is_hurried()) {
    leave_all(words_for(budget->limit()));
    return;
  }
  if (!result.internal_error.empty()) {
    leave_all("the run did not succeed again");
    return;
  }
  if (is_limit(result.reason) && limit_name(result.reason) != limit()) {
    leave_all(words_for(result.reason));
    return;
  }
  if (!options_.is_same_version)
    leave("what the search counted", fmt::format("it was made by version {}", suite_.tool_version));
  else if (says_counts)
    compare_counts(result, rules);
  compare_items(result);
  if (says_bound)
    check_bound(result);
}

void SearchChecker::compare_counts(const Generated& again, const CoverageRules& rules) {
  const SuiteFile::Search& said = *suite_.search;
  const SearchSummary& is = again.search;
  const auto compare = [this](std::string_view what, std::optional<std::uint64_t> written,
                              std::uint64_t counted) {
    if (written && *written != counted)
      differs(fmt::format("search.{}: {} were counted again, the suite says {}", what, counted,
                          *written));
  };
  compare("states", said.states, is.states);
  compare("expansions", said.expansions, is.expansions);
  compare("transitions", said.transitions, is.transitions);
  compare("tokens", said.tokens, is.tokens);
  compare("depth", said.depth, is.depth);
  if (said.exhaustive && *said.exhaustive != is.exhaustive)
    differs(is.exhaustive ? "the search is exhaustive, the suite says that it is not"
                          : "the search is not exhaustive, the suite says that it is");
  if (said.limit && *said.limit != is.limit)
    differs(fmt::format("search.limit: it was '{}' again, the suite says '{}'",
                        is.limit.empty() ? "none" : is.limit,
                        said.limit->empty() ? "none" : *said.limit));
  compare_errors(again);
  if (!suite_.criteria)
    return;
  std::vector<std::uint64_t> tokens(rules.criteria().size());
  for (const Token& token : rules.tokens())
    ++tokens[rules.token_families()[token.family].criterion.index()];
  for (std::size_t i = 0; i < tokens.size() && i < suite_.criteria->size(); ++i) {
    const SuiteFile::Counts& counts = (*suite_.criteria)[i];
    if (counts.tokens && *counts.tokens != tokens[i])
      differs(fmt::format("{}: there are {} tokens, the suite says {}", counts.name, tokens[i],
                          *counts.tokens));
  }
}

void SearchChecker::compare_errors(const Generated& again) {
  std::vector<SuiteFile::Error> met;
  for (const RunError& error : again.search.errors) {
    const SourcePosition at =
        position_of(options_.source, error.at.valid() ? network_.pool[error.at].where.begin : 0);
    met.push_back({.message = describe(network_, error), .line = at.line, .column = at.column});
  }
  const std::vector<SuiteFile::Error>& said = suite_.search->errors;
  if (met.size() != said.size())
    differs(
        fmt::format("search.errors: run-time errors were met at {} place{} again, the suite "
                    "says {}",
                    met.size(), met.size() == 1 ? "" : "s", said.size()));
  for (std::size_t i = 0; i < met.size() && met.size() == said.size(); ++i)
    if (!(met[i] == said[i]))
      differs(
          fmt::format("search.errors[{}]: it was '{}' at {}:{} again, the suite says '{}' at "
                      "{}:{}",
                      i, met[i].message, met[i].line, met[i].column, said[i].message, said[i].line,
                      said[i].column));
}

// What the first search leaves open: ways that need not be the shortest, and what is said to be
// undecided.
void SearchChecker::compare_items(const Generated& again) {
  std::size_t depths = 0;
  for (std::size_t i = 0; i < said_.size() && i < again.verdicts.size(); ++i) {
    const Verdict& is = again.verdicts[i];
    const std::string& id = rules_.items()[ItemId(i)].id;
    if (said_[i].status == ItemStatus::kUndecided && is.status == ItemStatus::kInfeasible)
      differs(fmt::format("item '{}' is said to be undecided, it is infeasible", id));
    if (said_[i].status == ItemStatus::kUndecided && is.status == ItemStatus::kCovered)
      differs(fmt::format("item '{}' is said to be undecided, it can be covered", id));
    const bool was_open = said_[i].status == ItemStatus::kCovered && depths_left_ != 0 &&
                          is.status == ItemStatus::kCovered && says_depths();
    if (was_open && options_.is_same_version && said_[i].depth != is.depth)
      differs(fmt::format("item '{}' is covered after {} steps again, the suite says {}", id,
                          is.depth, said_[i].depth));
    depths += was_open ? 1U : 0U;
  }
  // They were compared after all.
  if (depths != 0 && options_.is_same_version)
    std::erase_if(result_.not_checked,
                  [](const NotChecked& left) { return left.what.starts_with("the depth of "); });
}

void SearchChecker::check_bound(const Generated& again) {
  const std::uint64_t said = *suite_.summary.lower_bound;
  // A bound for what the run covers is one for whatever covers as much.
  for (std::size_t i = 0; i < said_.size() && i < again.verdicts.size(); ++i)
    if (again.verdicts[i].status == ItemStatus::kCovered &&
        said_[i].status != ItemStatus::kCovered) {
      leave("the lower bound", "the suite covers less than a run with its options");
      return;
    }
  if (said <= again.suite.lower_bound)
    return;
  if (again.suite.steps() < said)
    differs(fmt::format("no suite has fewer than {} steps, the suite says; one has {}", said,
                        again.suite.steps()));
  else if (options_.is_same_version)
    differs(fmt::format("that no suite has fewer than {} steps can be shown, the suite says {}",
                        again.suite.lower_bound, said));
  else
    leave("the lower bound", fmt::format("it was found by version {}", suite_.tool_version));
}

}  // namespace

void check_search(const Network& network,
                  const SuiteFile& suite,
                  const std::vector<Verdict>& said,
                  const SearchCheckOptions& options,
                  CheckResult& result) {
  const Limit met = SearchChecker::run(network, suite, said, options, result);
  if (met != Limit::kNone)
    result.not_checked.push_back({.what = result.not_checked.empty()
                                              ? "what needs a search"
                                              : "the rest of what needs a search",
                                  .why = std::string(words_for(met))});
}

}  // namespace tw
