// The suite for people: how much is covered, what is not and why, then the tests step by step. Not
// for parsing, it may change. How long the run took is not in it: the same run gives the same text.

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/budget.hpp"
#include "exporters/names.hpp"
#include "exporters/report.hpp"
#include "exporters/step_text.hpp"
#include "exporters/time_text.hpp"

namespace tw {
namespace {

std::string_view words_for_limit(std::string_view limit) {
  if (limit == "states")
    return "the limit of states was reached";
  if (limit == "memory")
    return "the limit of memory was reached";
  if (limit == "time")
    return "the time was up";
  if (limit == "interrupt")
    return "it was interrupted";
  if (limit == "stop")
    return "as many items as asked for are covered";
  if (limit == "model-error")
    return "the model makes a run-time error";
  return limit;
}

class TextWriter {
 public:
  explicit TextWriter(const Report& report) : report_(report), names_(report.network) {}

  std::size_t write(Sink& sink) {
    out_ = fmt::format("{}: {}\n\n", report_.file, search());
    criteria();
    list(ItemStatus::kInfeasible, "Infeasible: no run covers them");
    list(ItemStatus::kUndecided,
         report_.search.unconfirmed ? "Undecided: no delays were found that suit the stopwatches"
         : report_.search.limit.empty()
             ? "Undecided"
             : fmt::format("Undecided: {} first", words_for_limit(report_.search.limit)));
    const std::size_t written = suite();
    sink.write(out_);
    return written;
  }

 private:
  std::string search() const {
    const SearchSummary& s = report_.search;
    std::string out = plural(s.states, state_word(report_.network));
    if (s.exhaustive)
      return out + ", all there are";
    return out + (s.limit.empty() ? std::string(" were enough")
                                  : fmt::format(", then {}", words_for_limit(s.limit)));
  }

  void criteria() {
    const std::vector<CriterionCounts> counts = count_items(report_.rules, report_.verdicts);
    std::size_t width = 9;
    for (const CriterionInfo& info : report_.rules.criteria())
      width = std::max(width, title(info).size());
    out_ += fmt::format("{:<{}}  {:>8} {:>11} {:>10} {:>6}\n", "criterion", width, "covered",
                        "infeasible", "undecided", "total");
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const CriterionCounts& c = counts[i];
      out_ += fmt::format("{:<{}}  {:>8} {:>11} {:>10} {:>6}   {}\n",
                          title(report_.rules.criteria()[CriterionId(i)]), width, c.covered,
                          c.infeasible, c.undecided, c.total, share(c));
    }
  }

  static std::string share(const CriterionCounts& c) {
    if (c.total == c.infeasible)
      return c.total == 0 ? "there are no items" : "nothing is feasible";
    return fmt::format("{}.{} % of what is feasible", c.permille() / 10, c.permille() % 10);
  }

  static std::string title(const CriterionInfo& info) {
    std::string out =
        info.options.empty() ? info.name : fmt::format("{} ({})", info.name, info.options);
    return info.is_fallback ? out + ", fallback" : out;
  }

  void list(ItemStatus status, std::string_view heading) {
    bool any = false;
    for (std::size_t i = 0; i < report_.verdicts.size(); ++i) {
      if (report_.verdicts[i].status != status)
        continue;
      if (!any)
        out_ += fmt::format("\n{}\n", heading);
      any = true;
      const Item& item = report_.rules.items()[ItemId(i)];
      out_ += fmt::format("  {}\n      {}\n", item.label, item.id);
    }
  }

  // How many tests were written.
  std::size_t suite() {
    const Suite& suite = report_.suite;
    const std::uint64_t steps = suite.steps();
    out_ += fmt::format("\n{}, {}", plural(suite.tests.size(), "test"), plural(steps, "step"));
    if (report_.network.is_timed())
      out_ += ", " + describe_duration(suite.duration());
    if (suite.lower_bound != 0 && suite.lower_bound >= steps)
      out_ += "; no suite with this coverage has fewer steps";
    else if (suite.lower_bound != 0)
      out_ += fmt::format("; no suite with this coverage has fewer than {} (gap {})",
                          suite.lower_bound, steps - suite.lower_bound);
    out_ += '\n';
    if (suite.tests.empty())
      return 0;
    out_ += fmt::format("\nInitial state\n  {}\n", describe_locations(names_, suite.initial));
    if (!suite.initial.cells.empty())
      out_ += fmt::format("  {}\n", describe_variables(names_, suite.initial));
    std::vector<bool> seen(report_.rules.items().size());
    for (std::size_t i = 0; i < suite.tests.size(); ++i) {
      const std::size_t whole = out_.size();
      try {
        test(i, seen);
      } catch (const BudgetSpent&) {
        out_.resize(whole);
        out_ += fmt::format("\n… {} left out: a limit was reached\n",
                            plural(suite.tests.size() - i, "test"));
        return i;
      }
    }
    return suite.tests.size();
  }

  void test(std::size_t number, std::vector<bool>& seen) {
    const Test& test = report_.suite.tests[number];
    const std::vector<ItemId> covers = covered_by(report_, test);
    std::size_t fresh = 0;
    for (const ItemId item : covers) {
      if (!seen[item.index()])
        ++fresh;
      seen[item.index()] = true;
    }
    out_ += fmt::format("\n{}: {}", test_name(number), plural(test.length(), "step"));
    if (report_.network.is_timed())
      out_ += ", " + describe_duration(test.duration());
    out_ += fmt::format(", covers {}", plural(covers.size(), "item"));
    if (number != 0)
      out_ += fmt::format(", {} of them new", fresh);
    out_ += '\n';
    out_ += describe_test({.names = names_, .initial = report_.suite.initial, .test = test});
  }

  const Report& report_;
  const StateNames names_;
  std::string out_;
};

class SuiteText final : public Exporter {
 public:
  std::size_t write(const Report& report, Sink& sink) const override {
    return TextWriter(report).write(sink);
  }
};

}  // namespace

std::unique_ptr<Exporter> make_suite_text() { return std::make_unique<SuiteText>(); }

}  // namespace tw
