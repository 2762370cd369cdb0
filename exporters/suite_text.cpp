// The suite for people: the tests step by step, then what is not covered and why, and last, where a
// terminal shows it, how much is. Not for parsing, it may change. How long the run took is not in
// it: the same run gives the same text.

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/budget.hpp"
#include "engine/base/wrap.hpp"
#include "exporters/names.hpp"
#include "exporters/report.hpp"
#include "exporters/run_errors.hpp"
#include "exporters/step_text.hpp"
#include "exporters/summary.hpp"
#include "exporters/time_text.hpp"

namespace tw {
namespace {

class TextWriter {
 public:
  TextWriter(const Report& report, Sink& sink)
      : report_(report),
        style_(report.style),
        names_(report.network),
        sink_(sink) {}

  std::size_t write() {
    const std::size_t tests = write_tests();
    const WrittenSuite suite(report_, tests);
    left_out();
    list(suite, ItemStatus::kInfeasible,
         leaves_out() ? "Infeasible: no run without such a step covers them"
                      : "Infeasible: no run covers them");
    list(suite, ItemStatus::kUndecided, undecided_because());
    sink_.write(describe_summary(report_, suite, style_));
    return tests;
  }

 private:
  void line(std::string_view text, std::size_t indent) {
    sink_.write(wrap_list(text, style_.width, indent) + '\n');
  }

  [[nodiscard]] bool leaves_out() const {
    return report_.search.limit != "model-error" && !report_.search.errors.empty();
  }

  void left_out() {
    if (!leaves_out())
      return;
    const std::vector<RunError>& errors = report_.search.errors;
    heading(fmt::format("Left out: steps that make a run-time error, at {} of the model",
                        plural(errors.size(), "place")));
    sink_.write(describe_errors(report_.network, report_.source, errors) + '\n');
  }

  void heading(std::string_view text) {
    sink_.write(paint(style_, Ink::kBold, wrap(text, style_.width, 2)) + '\n');
  }

  std::string undecided_because() const {
    if (report_.search.unconfirmed)
      return "Undecided: no delays were found that suit the clocks";
    return report_.search.limit.empty()
               ? "Undecided"
               : fmt::format("Undecided: {} first", words_for_limit(report_.search.limit));
  }

  void list(const WrittenSuite& suite, ItemStatus status, const std::string& title) {
    bool any = false;
    for (std::size_t i = 0; i < suite.verdicts().size(); ++i) {
      if (suite.verdicts()[i].status != status)
        continue;
      if (!any)
        heading(title);
      any = true;
      const Item& item = report_.rules.items()[ItemId(i)];
      line("  " + item.label, 4);
      sink_.write(paint(style_, Ink::kDim, "      " + item.id) + '\n');
    }
    if (any)
      sink_.write("\n");
  }

  // How many.
  std::size_t write_tests() {
    const Suite& suite = report_.suite;
    if (suite.tests.empty())
      return 0;
    heading("Initial state");
    line("  " + describe_locations(names_, suite.initial), 4);
    if (!suite.initial.cells.empty())
      line("  " + describe_variables(names_, suite.initial), 4);
    sink_.write("\n");
    std::vector<bool> seen(report_.rules.items().size());
    for (std::size_t i = 0; i < suite.tests.size() && sink_.good(); ++i) {
      try {
        test(i, seen);
      } catch (const BudgetSpent&) {
        sink_.write(fmt::format("… {} left out: a limit was reached\n\n",
                                plural(suite.tests.size() - i, "test")));
        return i;
      }
    }
    return suite.tests.size();
  }

  void test(std::size_t number, std::vector<bool>& seen) {
    const Test& test = report_.suite.tests[number];
    const std::string steps = describe_test(
        {.names = names_, .initial = report_.suite.initial, .test = test, .style = style_});
    const std::vector<ItemId> covers = covered_by(report_, test);
    std::size_t fresh = 0;
    for (const ItemId item : covers) {
      if (!seen[item.index()])
        ++fresh;
      seen[item.index()] = true;
    }
    std::string title = fmt::format("{}: {}", test_name(number), plural(test.length(), "step"));
    if (report_.network.is_timed())
      title += ", " + describe_duration(test.duration());
    title += fmt::format(", covers {}", plural(covers.size(), "item"));
    if (number != 0)
      title += fmt::format(", {} of them new", fresh);
    heading(title);
    sink_.write(steps + '\n');
  }

  const Report& report_;
  const TextStyle style_;
  const StateNames names_;
  Sink& sink_;
};

class SuiteText final : public Exporter {
 public:
  std::size_t write(const Report& report, Sink& sink) const override {
    return TextWriter(report, sink).write();
  }
};

}  // namespace

std::unique_ptr<Exporter> make_suite_text() { return std::make_unique<SuiteText>(); }

}  // namespace tw
