// A comparison for people. Shares are whole percent, rounded down: only all of it is 100.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "exporters/comparison.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

std::string whole(std::optional<double> percent) {
  return percent ? std::to_string(static_cast<int>(std::floor(*percent))) : "-";
}

std::string tenths(std::optional<double> percent) {
  return percent ? fmt::format("{:.1f}", std::floor(*percent * 10) / 10) : "-";
}

class Writer {
 public:
  explicit Writer(const Comparison& comparison) : comparison_(comparison) {
    for (const std::string& name : comparison.criteria)
      width_ = std::max(width_, name.size());
    for (const ComparedModel& model : comparison.models)
      for (const ComparedCombination& combination : model.combinations)
        width_ = std::max(width_, combination.name.size());
  }

  std::string write() {
    for (const ComparedModel& model : comparison_.models)
      write(model);
    if (comparison_.models.size() > 1)
      write_means();
    write_provenance();
    return std::move(out_);
  }

 private:
  void write(const ComparedModel& model) {
    out_ += out_.empty() ? "" : "\n";
    if (!model.problem.empty()) {
      out_ += fmt::format("{}: not compared: {}\n", model.file, model.problem);
      return;
    }
    const std::string mutants =
        model.mutants.empty()
            ? ""
            : fmt::format("; {}, {} equivalent, {} undecided",
                          plural(model.mutants.size(), "mutant"), model.count_mutants("equivalent"),
                          model.count_mutants("undecided"));
    out_ +=
        fmt::format("{}: {}{}\n\n", model.file, plural(model.all_at_once.states, "state"), mutants);
    write_suites(model);
    write_runs(model);
    write_matrix(model);
    write_combinations(model);
    write_notes(model);
  }

  void write_suites(const ComparedModel& model) {
    out_ += fmt::format("    {:<{}} {:>6} {:>10} {:>9} {:>6} {:>6} {:>10}{}{}\n", "suite of",
                        width_, "items", "infeasible", "undecided", "tests", "steps", "expansions",
                        comparison_.stable ? "" : "  seconds",
                        model.mutants.empty() ? "" : "  killed %");
    for (std::size_t i = 0; i < model.criteria.size(); ++i) {
      const ComparedCriterion& c = model.criteria[i];
      out_ += fmt::format("{:>3} {:<{}} ", i + 1, c.name, width_);
      if (!c.problem.empty()) {
        out_ += fmt::format("{:>6}\n", "n/a");
        continue;
      }
      out_ += fmt::format("{:>6} {:>10} {:>9} ", c.items, c.infeasible, c.undecided);
      write_suite(model, c.suite);
    }
    out_ += fmt::format("    {:<{}} {:>6} {:>10} {:>9} ", "one run for all", width_, "", "", "");
    write_suite(model, model.all_at_once);
    if (is_partial(model))
      out_ += "  * the search was stopped: counts are lower bounds\n";
  }

  static bool is_partial(const ComparedModel& model) {
    return !model.all_at_once.limit.empty() ||
           std::ranges::any_of(model.criteria,
                               [](const auto& c) { return !c.suite.limit.empty(); });
  }

  // A line may be as long as it likes: whoever reads it in a terminal sees it wrapped.
  void write_notes(const ComparedModel& model) {
    const std::vector<std::string> notes = model.notes();
    out_ += notes.empty() ? "" : "\n";
    for (const std::string& note : notes)
      out_ += fmt::format("Note: {}\n", note);
  }

  void write_suite(const ComparedModel& model, const ComparedSuite& suite) {
    out_ += fmt::format("{:>6} {:>6} {:>10}", suite.tests, suite.steps, suite.expansions);
    if (!comparison_.stable)
      out_ += fmt::format(" {:>8.2f}", suite.seconds);
    if (!model.mutants.empty())
      out_ += fmt::format(" {:>9}", tenths(model.score(suite)));
    out_ += suite.limit.empty() ? "\n" : " *\n";
  }

  void write_runs(const ComparedModel& model) {
    const ComparedCriterion* dearest = model.dearest();
    const std::uint64_t own = model.all_at_once.expansions;
    const std::uint64_t sum = model.single_expansions();
    if (dearest == nullptr || dearest->suite.expansions == 0)
      return;
    const auto ratio = [own](std::uint64_t other) {
      return static_cast<double>(own) / static_cast<double>(other);
    };
    out_ += fmt::format(
        "\nExpansions: one run for all {}; single runs {} in all ({:.2f} times), the dearest {}, "
        "{} "
        "({:.2f} times)\n",
        own, sum, ratio(sum), dearest->suite.expansions, dearest->name,
        ratio(dearest->suite.expansions));
  }

  void write_header(std::string_view title) {
    out_ += fmt::format("\n{}\n    {:<{}}", title, "", width_);
    for (std::size_t i = 0; i < comparison_.criteria.size(); ++i)
      out_ += fmt::format(" {:>3}", i + 1);
    out_ += '\n';
  }

  void write_matrix(const ComparedModel& model) {
    write_header("Percent that the suite of the row covers of the criterion of the column");
    for (std::size_t i = 0; i < model.criteria.size(); ++i) {
      const ComparedCriterion& c = model.criteria[i];
      out_ += fmt::format("{:>3} {:<{}}", i + 1, c.name, width_);
      for (const CoverageShare& share : c.suite.coverage)
        out_ += fmt::format(" {:>3}", c.suite.tests == 0 ? "-" : whole(share.percent()));
      out_ += '\n';
    }
  }

  void write_combinations(const ComparedModel& model) {
    if (model.combinations.empty())
      return;
    out_ += fmt::format("\n    {:<{}} {:>6} {:>6} {:>8}{}\n", "combination", width_, "tests",
                        "steps", "covers %", model.mutants.empty() ? "" : "  killed %");
    for (const ComparedCombination& c : model.combinations) {
      out_ += fmt::format("    {:<{}} {:>6} {:>6} {:>8}", c.name, width_, c.suite.tests,
                          c.suite.steps, tenths(c.suite.mean_percent()));
      if (!model.mutants.empty())
        out_ += fmt::format(" {:>9}", tenths(model.score(c.suite)));
      out_ += '\n';
    }
  }

  void write_means() {
    const std::size_t models = comparison_.compared().size();
    if (models == 0)
      return;
    out_ += fmt::format("\nMean of {}\n\n", plural(models, "model"));
    write_mean_suites();
    if (const std::optional<Comparison::Ratios> ratios = comparison_.ratios())
      out_ += fmt::format(
          "\nExpansions of one run for all, geometric means: {:.2f} times those of the single runs "
          "together, {:.2f} times those of the dearest\n",
          ratios->to_sum, ratios->to_dearest);
    const auto matrix = comparison_.mean_matrix();
    write_header("Percent that the suite of the row covers of the criterion of the column");
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      out_ += fmt::format("{:>3} {:<{}}", i + 1, comparison_.criteria[i], width_);
      for (const std::optional<double>& share : matrix[i])
        out_ += fmt::format(" {:>3}", whole(share));
      out_ += '\n';
    }
    write_mean_combinations();
  }

  void write_mean_suites() {
    out_ += fmt::format("    {:<{}} {:>6} {:>12} {:>7} {:>8} {:>9} {:>9}\n", "suite of", width_,
                        "models", "infeasible %", "tests", "steps", "covers %", "killed %");
    const auto line = [&](const std::string& number, const Comparison::Row& row) {
      out_ += fmt::format("{:>3} {:<{}} {:>6} {:>12} {:>7} {:>8} {:>9} {:>9}\n", number, row.name,
                          width_, row.models, tenths(row.infeasible), tenths(row.tests),
                          tenths(row.steps), tenths(row.covers), tenths(row.killed));
    };
    std::size_t number = 0;
    for (const Comparison::Row& row : comparison_.mean_rows())
      line(std::to_string(++number), row);
    line("", comparison_.mean_of_all_at_once());
  }

  void write_mean_combinations() {
    const std::vector<Comparison::Row> rows = comparison_.mean_combinations();
    if (rows.empty())
      return;
    out_ += fmt::format("\n    {:<{}} {:>6} {:>7} {:>8} {:>9} {:>9}\n", "combination", width_,
                        "models", "tests", "steps", "covers %", "killed %");
    for (const Comparison::Row& row : rows)
      out_ +=
          fmt::format("    {:<{}} {:>6} {:>7} {:>8} {:>9} {:>9}\n", row.name, width_, row.models,
                      tenths(row.tests), tenths(row.steps), tenths(row.covers), tenths(row.killed));
  }

  // With what it was made: tool, options, and the models in the words of sha256sum.
  void write_provenance() {
    out_ += fmt::format("{}{}\n", out_.empty() ? "" : "\n", comparison_.provenance());
    for (const ComparedModel& model : comparison_.models)
      if (!model.sha256.empty())
        out_ += fmt::format("sha256 {}  {}\n", model.sha256, model.file);
  }

  const Comparison& comparison_;
  std::size_t width_ = 15;
  std::string out_;
};

}  // namespace

std::string comparison_text(const Comparison& comparison) { return Writer(comparison).write(); }

}  // namespace tw
