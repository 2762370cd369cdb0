#include "engine/check/check_suite.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

#include "engine/coverage/bit_sets.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/suite/goals.hpp"
#include "engine/suite/test_states.hpp"

namespace tw {
namespace {

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

}  // namespace

SuiteChecker::SuiteChecker(const Network& network,
                           CoverageRules& rules,
                           const SuiteFile& suite,
                           SuiteCheckOptions options)
    : network_(network),
      rules_(rules),
      suite_(suite),
      options_(std::move(options)),
      names_(network),
      interpreter_(replay::interpreter_for(network, rules, options_.on_error)),
      monitor_(network, rules),
      replay_(network, names_, interpreter_, monitor_),
      delay_check_(network, rules, interpreter_),
      declared_items_(rules.items().size()) {
  check_head();
  check_criteria_asked();
}

void SuiteChecker::differs(std::string text) {
  out_.problems.push_back({.status = CheckStatus::kDiffers, .text = std::move(text)});
}

void SuiteChecker::misfits(std::string text) {
  out_.problems.push_back({.status = CheckStatus::kDoesNotFit, .text = std::move(text)});
}

// What is said before any test.
void SuiteChecker::check_head() {
  std::vector<std::string> processes;
  for (const Process& process : network_.processes)
    processes.push_back(process.name);
  if (processes != suite_.processes)
    misfits("the processes of the model are others, or in another order");
  if (interpreter_.initial_problem())
    return;
  const SuiteNames::Found<std::string> found =
      names_.difference(suite_.initial, interpreter_.initial());
  if (!found.value)
    misfits("initially " + found.problem);
  else if (!found.value->empty())
    differs("initially " + *found.value);
  else if (const std::string gap = names_.gap(suite_.initial); suite_.has_changes() && !gap.empty())
    differs("initially " + gap);
}

void SuiteChecker::check_criteria_asked() {
  const std::vector<SuiteFile::Criterion>& written = suite_.options.criteria;
  const IdVector<CriterionId, CriterionInfo>& criteria = rules_.criteria();
  if (written.size() != criteria.size()) {
    differs(fmt::format("options.criteria: there are {}, the suite names {}", criteria.size(),
                        written.size()));
    return;
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    const CriterionInfo& is = criteria[CriterionId(i)];
    if (written[i].name != is.name)
      differs(fmt::format("options.criteria: '{}' should be '{}'", written[i].name, is.name));
    else if (written[i].options != is.options)
      differs(fmt::format("options.criteria: the options of {} are '{}', the suite says '{}'",
                          is.name, is.options, written[i].options));
    else if (suite_.has_changes() && written[i].is_fallback != is.is_fallback)
      differs(fmt::format("options.criteria: {} is {}a fallback, the suite says otherwise", is.name,
                          is.is_fallback ? "" : "no "));
  }
}

void SuiteChecker::begin_test() {
  written_steps_ = 0;
  length_ = 0;
  duration_ = 0;
  delays_.clear();
  problem_ = replay_.begin();
}

void SuiteChecker::step(SuiteFile::Step step) {
  ++written_steps_;
  length_ += step.edges.empty() ? 0U : 1U;
  if (step.delay)
    duration_ += step.delay->chosen;
  if (problem_)
    return;
  problem_ = replay_.take(step);
  if (!problem_)
    problem_ = compare(step);
  if (step.delay)
    delays_.push_back(std::move(*step.delay));
}

// What a step that ran led to.
std::optional<TestProblem> SuiteChecker::compare(const SuiteFile::Step& written) const {
  const SuiteNames::Found<std::string> found =
      suite_.has_changes()
          ? names_.difference(written.state, replay_.before(),
                              written.delay ? written.delay->chosen : Rational(0), replay_.state())
          : names_.difference(written.state, replay_.state());
  if (!found.value)
    return TestProblem{
        .status = CheckStatus::kDoesNotFit, .step = written_steps_, .text = found.problem};
  if (!found.value->empty())
    return TestProblem{.step = written_steps_, .text = *found.value};
  const ChannelId channel = channel_of(network_, replay_.before().cells, replay_.steps().back());
  const std::string name = channel.valid() ? network_.channels[channel].name : "";
  if (name == written.channel)
    return std::nullopt;
  return TestProblem{.step = written_steps_,
                     .text = fmt::format("the channel is {}, the suite says {}", or_none(name),
                                         or_none(written.channel))};
}

void SuiteChecker::end_test(SuiteFile::Test test) {
  CheckedTest checked{.id = test.id, .steps = length_, .covers = test.covers.size()};
  RanTest ran;
  const bool runs = !problem_;
  if (runs) {
    ran.covers = replay_.covered();
    problem_ = compare_test(test);
  }
  for (const std::string& id : test.covers)
    if (const ItemId item = rules_.find_item(id); item.valid())
      ran.claimed.push_back(item);
  std::ranges::sort(ran.claimed);
  if (!problem_ && network_.is_timed()) {
    bool is_whole = true;
    try {
      problem_ = delay_check_.find({.steps = replay_.steps(),
                                    .delays = replay_.delays(),
                                    .written = delays_,
                                    .promised = ran.claimed},
                                   options_.is_spent, is_whole);
    } catch (const BudgetSpent&) {
      is_whole = false;
    }
    delays_not_tried_ += is_whole ? 0U : 1U;
  }
  number_of_.try_emplace(test.id, ran_.size());
  steps_ += length_;
  total_duration_ += duration_;
  all_run_ = all_run_ && runs;
  ran_.push_back(std::move(ran));
  if (problem_) {
    checked.status = problem_->status;
    checked.step = problem_->step;
    checked.problem = std::move(problem_->text);
  }
  out_.tests.push_back(std::move(checked));
}

// What is said of a test that ran. What it should claim to cover is known at the end only.
std::optional<TestProblem> SuiteChecker::compare_test(const SuiteFile::Test& test) {
  const auto differs = [](std::string text) {
    return TestProblem{.step = std::nullopt, .text = std::move(text)};
  };
  if (test.id.empty())
    return differs("it has no id");
  if (number_of_.contains(test.id))
    return differs(fmt::format("another test is called {}, too", test.id));
  if (test.length && *test.length != length_)
    return differs(fmt::format("its length is {}, the suite says {}", length_, *test.length));
  if (test.duration && !network_.is_timed())
    return TestProblem{.status = CheckStatus::kDoesNotFit,
                       .step = std::nullopt,
                       .text = "the model has no clocks, the suite gives a duration"};
  if (test.duration && *test.duration != duration_)
    return differs(fmt::format("its duration is {}, the suite says {}", to_string(duration_),
                               to_string(*test.duration)));
  std::set<std::string_view> seen;
  const std::vector<ItemId> covered = replay_.covered();
  for (const std::string& id : test.covers) {
    const ItemId item = rules_.find_item(id);
    if (!item.valid())
      return TestProblem{.status = CheckStatus::kDoesNotFit,
                         .step = std::nullopt,
                         .text = fmt::format("claims to cover '{}', which is no item", id)};
    if (!std::ranges::binary_search(covered, item))
      return differs(fmt::format("does not cover '{}', which it claims", id));
    if (!seen.insert(id).second)
      return differs(fmt::format("claims to cover '{}' twice", id));
  }
  return std::nullopt;
}

CheckResult SuiteChecker::finish() {
  if (stopped_ == Limit::kNone)
    check_summary();
  read_items();
  std::vector<std::uint64_t> covered;
  std::vector<std::vector<ItemId>> covers;
  // Where clocks are looked at, a test may show more than what is sure for all delays it may have:
  // then what it claims, and does cover, counts.
  const bool is_sure = !rules_.has_timed_observations();
  for (const RanTest& test : ran_) {
    covers.emplace_back();
    std::ranges::copy_if(test.covers, std::back_inserter(covers.back()), [&](ItemId item) {
      return is_sure || std::ranges::binary_search(test.claimed, item);
    });
    for (const ItemId item : covers.back())
      set_bit(covered, item.index());
  }
  tests_by_item_ = tests_by_item(rules_, covers);
  std::vector<Verdict> said(rules_.items().size());
  for (std::size_t i = 0; i < said.size(); ++i) {
    const SuiteFile::Item* item = written_items_[i];
    if (item == nullptr)
      continue;
    said[i].depth = static_cast<std::uint32_t>(item->depth.value_or(0));
    said[i].status = item->status == "covered"      ? ItemStatus::kCovered
                     : item->status == "infeasible" ? ItemStatus::kInfeasible
                                                    : ItemStatus::kUndecided;
  }
  verdicts_ = verdicts_of(rules_, covered, said);
  if (stopped_ != Limit::kNone) {
    out_.not_checked.push_back(
        {.what = ran_.empty() ? "the tests, and what items are covered"
                              : fmt::format("the tests behind {}, and what items are covered",
                                            out_.tests.back().id),
         .why = std::string(words_for(stopped_))});
  } else if (all_run_) {
    for (std::size_t i = 0; i < ran_.size(); ++i)
      check_covers(i);
    check_items(verdicts_);
    check_counts(verdicts_);
  } else {
    out_.not_checked.push_back({.what = "what items are covered", .why = "some tests do not run"});
  }
  check_search();
  if (delays_not_tried_ != 0)
    out_.not_checked.push_back(
        {.what = fmt::format("intervals and margins of the delays of {} test{}", delays_not_tried_,
                             delays_not_tried_ == 1 ? "" : "s"),
         .why = "the time was up"});
  return std::move(out_);
}

// By item, what the suite says of it.
void SuiteChecker::read_items() {
  written_items_.assign(rules_.items().size(), nullptr);
  for (const SuiteFile::Item& written : suite_.items) {
    const ItemId item = rules_.find_item(written.id);
    if (!item.valid() || rules_.is_half(item))
      misfits(fmt::format("there is no item '{}'", written.id));
    else if (written_items_[item.index()] != nullptr)
      differs(fmt::format("item '{}' is listed twice", written.id));
    else
      written_items_[item.index()] = &written;
  }
}

void SuiteChecker::check_items(const std::vector<Verdict>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Item& item = rules_.items()[ItemId(i)];
    const SuiteFile::Item* written = written_items_[i];
    const bool is_counted = expected[i].status != ItemStatus::kNotCounted;
    if (written == nullptr) {
      // What nobody has declared and no test has met cannot be asked for.
      if (is_counted && (i < declared_items_ || expected[i].status == ItemStatus::kCovered))
        differs(fmt::format("item '{}' is not listed", item.id));
      continue;
    }
    if (is_counted)
      check_item(*written, ItemId(i), expected[i]);
    else if (!rules_.is_half(ItemId(i)))
      differs(fmt::format("item '{}' is listed, but only stands in for others, which need none",
                          item.id));
  }
}

void SuiteChecker::check_item(const SuiteFile::Item& written,
                              ItemId item,
                              const Verdict& expected) {
  const Item& is = rules_.items()[item];
  const std::string& criterion = rules_.criteria()[is.criterion].name;
  if (written.criterion != criterion)
    differs(fmt::format("item '{}' is one of {}, the suite says {}", is.id, criterion,
                        or_none(written.criterion)));
  if (written.label && *written.label != is.label)
    differs(fmt::format("the label of item '{}' is '{}', the suite says '{}'", is.id, is.label,
                        *written.label));
  const bool is_covered = expected.status == ItemStatus::kCovered;
  const bool says_covered = written.status == "covered";
  if (is_covered != says_covered)
    differs(says_covered
                ? fmt::format("item '{}' is said to be covered, but no test covers it", is.id)
                : fmt::format("item '{}' is said to be {}, but a test covers it", is.id,
                              written.status));
  if (written.says_depth && written.depth.has_value() != says_covered)
    differs(fmt::format("item '{}' is {} and has {} depth", is.id, written.status,
                        written.depth ? "a" : "no"));
  // Where nothing is covered there is nothing to compare.
  if (is_covered == says_covered)
    check_tests_of(written, item);
}

void SuiteChecker::check_tests_of(const SuiteFile::Item& written, ItemId item) {
  std::vector<std::size_t> named;
  for (const std::string& id : written.tests) {
    const auto at = number_of_.find(id);
    if (at == number_of_.end()) {
      misfits(fmt::format("item '{}' names a test '{}', which there is not", written.id, id));
      return;
    }
    named.push_back(at->second);
  }
  std::ranges::sort(named);
  if (std::ranges::adjacent_find(named) != named.end()) {
    differs(fmt::format("item '{}' names a test twice", written.id));
    return;
  }
  const std::vector<std::size_t>& are = tests_by_item_[item.index()];
  if (named == are)
    return;
  // Of a whole any two tests will do that cover a pair, or one.
  if (rules_.is_whole(item) && !named.empty() && named.size() <= 2) {
    const auto covers = [&](std::size_t test, ItemId half) {
      return std::ranges::binary_search(ran_[test].covers, half);
    };
    for (const ItemPair& pair : rules_.pairs_of(item)) {
      const std::size_t a = named.front();
      const std::size_t b = named.back();
      if ((covers(a, pair.first) && covers(b, pair.second)) ||
          (covers(b, pair.first) && covers(a, pair.second)))
        return;
    }
  }
  std::string names;
  for (const std::size_t test : are)
    names += (names.empty() ? "" : " ") + out_.tests[test].id;
  differs(fmt::format(
      "item '{}' is covered by {}, the suite says {}", written.id, or_none(names),
      written.tests.empty() ? "none" : fmt::format("{}", fmt::join(written.tests, " "))));
}

// That what a test claims is covered has been seen; is it all? Where clocks are looked at, at least
// nothing else may be impossible.
void SuiteChecker::check_covers(std::size_t test) {
  CheckedTest& out = out_.tests[test];
  if (out.status != CheckStatus::kOk)
    return;
  const bool is_sure = !rules_.has_timed_observations();
  for (const ItemId item : ran_[test].covers) {
    const ItemStatus status = verdicts_[item.index()].status;
    const bool belongs = is_sure ? status != ItemStatus::kNotCounted || rules_.is_half(item)
                                 : status == ItemStatus::kInfeasible;
    if (!belongs || std::ranges::binary_search(ran_[test].claimed, item))
      continue;
    out.status = CheckStatus::kDiffers;
    out.problem = fmt::format("covers '{}', which it does not claim", rules_.items()[item].id);
    return;
  }
}

void SuiteChecker::check_counts(const std::vector<Verdict>& expected) {
  if (!suite_.criteria)
    return;
  const IdVector<CriterionId, CriterionInfo>& criteria = rules_.criteria();
  if (suite_.criteria->size() != criteria.size()) {
    differs(fmt::format("there are {} criteria, the suite counts items of {}", criteria.size(),
                        suite_.criteria->size()));
    return;
  }
  // What the suite says of items that are not covered is checked elsewhere.
  std::vector<std::array<std::uint64_t, 4>> counts(criteria.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::array<std::uint64_t, 4>& of = counts[rules_.items()[ItemId(i)].criterion.index()];
    if (expected[i].status == ItemStatus::kNotCounted || written_items_[i] == nullptr)
      continue;
    ++of[0];
    ++of[expected[i].status == ItemStatus::kCovered      ? 1U
         : expected[i].status == ItemStatus::kInfeasible ? 2U
                                                         : 3U];
  }
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    const SuiteFile::Counts& written = (*suite_.criteria)[i];
    const std::string& name = criteria[CriterionId(i)].name;
    if (written.name != name)
      differs(fmt::format("criteria: '{}' should be '{}'", written.name, name));
    const auto compare = [&](std::string_view word, std::optional<std::uint64_t> said,
                             std::uint64_t is) {
      if (said && *said != is)
        differs(fmt::format("{}: {} items are {}, the suite says {}", name, is, word, *said));
    };
    compare("counted", written.total, counts[i][0]);
    compare("covered", written.covered, counts[i][1]);
    compare("infeasible", written.infeasible, counts[i][2]);
    compare("undecided", written.undecided, counts[i][3]);
  }
}

void SuiteChecker::check_summary() {
  const SuiteFile::Summary& said = suite_.summary;
  if (said.tests && *said.tests != ran_.size())
    differs(fmt::format("there are {} tests, the suite says {}", ran_.size(), *said.tests));
  if (said.steps && *said.steps != steps_)
    differs(fmt::format("the tests have {} steps, the suite says {}", steps_, *said.steps));
  if (said.duration && !network_.is_timed())
    misfits("the model has no clocks, the suite gives a duration");
  else if (said.duration && *said.duration != total_duration_)
    differs(fmt::format("all tests take {}, the suite says {}", to_string(total_duration_),
                        to_string(*said.duration)));
  if (said.lower_bound && *said.lower_bound > steps_)
    differs(fmt::format("no suite has fewer than {} steps, the suite says; it has {} itself",
                        *said.lower_bound, steps_));
}

// What a search says of itself that needs no search.
void SuiteChecker::check_search() {
  if (!suite_.search)
    return;
  const SuiteFile::Search& said = *suite_.search;
  const auto is_one_of = [this](std::string_view what, const std::optional<std::string>& word,
                                std::initializer_list<std::string_view> words) {
    if (word && std::ranges::find(words, *word) == words.end())
      misfits(fmt::format("search.{}: unknown value '{}'", what, *word));
  };
  is_one_of("algorithm", said.algorithm, {"global", "fig3", "local"});
  is_one_of("order", said.order, {"bfs", "dfs", "random"});
  is_one_of("limit", said.limit,
            {"", "states", "memory", "time", "interrupt", "stop", "model-error"});
  // A whole that no two halves make up is infeasible without any search.
  const bool any_infeasible =
      std::ranges::any_of(suite_.items, [this](const SuiteFile::Item& written) {
        const ItemId item = rules_.find_item(written.id);
        return written.status == "infeasible" && item.valid() && !rules_.is_whole(item);
      });
  if (said.exhaustive && !*said.exhaustive && any_infeasible)
    differs("items are said to be infeasible, but the search was not exhaustive");
  if (said.limit && *said.limit == "stop" && suite_.options.stop == 0)
    differs("search.limit: the search was not asked to stop at any number of items");
}

}  // namespace tw
