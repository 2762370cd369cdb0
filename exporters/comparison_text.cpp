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
    bool partial = false;
    for (std::size_t i = 0; i < model.criteria.size(); ++i) {
      const ComparedCriterion& c = model.criteria[i];
      partial = partial || !c.suite.limit.empty();
      if (!c.problem.empty())
        out_ += fmt::format("{:>3} {} cannot be used here: {}\n", i + 1, c.name, c.problem);
    }
    if (partial || !model.all_at_once.limit.empty())
      out_ += "  * the search was stopped: counts are lower bounds\n";
  }

  void write_suite(const ComparedModel& model, const ComparedSuite& suite) {
    out_ += fmt::format("{:>6} {:>6} {:>10}", suite.tests, suite.steps, suite.expansions);
    if (!comparison_.stable)
      out_ += fmt::format(" {:>8.2f}", suite.seconds);
    if (!model.mutants.empty())
      out_ += fmt::format(" {:>9}", tenths(score(model, suite)));
    out_ += suite.limit.empty() ? "\n" : " *\n";
  }

  static std::optional<double> score(const ComparedModel& model, const ComparedSuite& suite) {
    return CoverageShare{.covered = suite.killed, .feasible = model.mutants_left()}.percent();
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
        out_ += fmt::format(" {:>9}", tenths(score(model, c.suite)));
      out_ += '\n';
    }
  }

  // The mean of one number of all models that have it.
  template <class F>
  static std::optional<double> mean(const std::vector<const ComparedModel*>& models, F number) {
    double sum = 0;
    std::size_t count = 0;
    for (const ComparedModel* model : models)
      if (const std::optional<double> value = number(*model)) {
        sum += *value;
        ++count;
      }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
  }

  void write_means() {
    std::vector<const ComparedModel*> models;
    for (const ComparedModel& model : comparison_.models)
      if (model.problem.empty())
        models.push_back(&model);
    if (models.empty())
      return;
    out_ += fmt::format("\nMean of {}\n\n", plural(models.size(), "model"));
    write_mean_suites(models);
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
    write_mean_combinations(models);
  }

  void write_mean_suites(const std::vector<const ComparedModel*>& models) {
    out_ += fmt::format("    {:<{}} {:>6} {:>12} {:>7} {:>8} {:>9} {:>9}\n", "suite of", width_,
                        "models", "infeasible %", "tests", "steps", "covers %", "killed %");
    const auto line = [&](std::string_view name, std::string_view number, std::size_t used,
                          std::optional<double> infeasible, auto suite_of) {
      const auto value = [&](auto f) {
        return mean(models, [&](const ComparedModel& m) -> std::optional<double> {
          const ComparedSuite* suite = suite_of(m);
          return suite == nullptr ? std::nullopt : f(m, *suite);
        });
      };
      const auto count = [](std::uint64_t n) { return std::optional(static_cast<double>(n)); };
      out_ += fmt::format(
          "{:>3} {:<{}} {:>6} {:>12} {:>7} {:>8} {:>9} {:>9}\n", number, name, width_, used,
          tenths(infeasible), tenths(value([&](const ComparedModel&, const ComparedSuite& s) {
            return count(s.tests);
          })),
          tenths(
              value([&](const ComparedModel&, const ComparedSuite& s) { return count(s.steps); })),
          tenths(
              value([](const ComparedModel&, const ComparedSuite& s) { return s.mean_percent(); })),
          tenths(
              value([](const ComparedModel& m, const ComparedSuite& s) { return score(m, s); })));
    };
    for (std::size_t i = 0; i < comparison_.criteria.size(); ++i) {
      std::size_t used = 0;
      for (const ComparedModel* model : models)
        used += model->criteria[i].suite.tests != 0 ? 1U : 0U;
      line(comparison_.criteria[i], std::to_string(i + 1), used,
           mean(models,
                [i](const ComparedModel& m) {
                  return CoverageShare{.covered = m.criteria[i].infeasible,
                                       .feasible = m.criteria[i].items}
                      .percent();
                }),
           [i](const ComparedModel& m) {
             return m.criteria[i].suite.tests == 0 ? nullptr : &m.criteria[i].suite;
           });
    }
    line("one run for all", "", models.size(), std::nullopt,
         [](const ComparedModel& m) { return &m.all_at_once; });
  }

  // A combination counts on the models that have all its members.
  void write_mean_combinations(const std::vector<const ComparedModel*>& models) {
    std::vector<std::string> names;
    for (const ComparedModel* model : models)
      for (const ComparedCombination& c : model->combinations)
        if (std::ranges::find(names, c.name) == names.end())
          names.push_back(c.name);
    if (names.empty())
      return;
    out_ += fmt::format("\n    {:<{}} {:>6} {:>7} {:>8} {:>9} {:>9}\n", "combination", width_,
                        "models", "tests", "steps", "covers %", "killed %");
    for (const std::string& name : names) {
      std::size_t used = 0;
      const auto value = [&](auto f) {
        return mean(models, [&](const ComparedModel& m) -> std::optional<double> {
          const auto at = std::ranges::find(m.combinations, name, &ComparedCombination::name);
          return at == m.combinations.end() ? std::nullopt : f(m, at->suite);
        });
      };
      const auto tests = value([&](const ComparedModel&, const ComparedSuite& s) {
        ++used;
        return std::optional(static_cast<double>(s.tests));
      });
      const auto steps = value([](const ComparedModel&, const ComparedSuite& s) {
        return std::optional(static_cast<double>(s.steps));
      });
      const auto covers =
          value([](const ComparedModel&, const ComparedSuite& s) { return s.mean_percent(); });
      const auto killed =
          value([](const ComparedModel& m, const ComparedSuite& s) { return score(m, s); });
      out_ += fmt::format("    {:<{}} {:>6} {:>7} {:>8} {:>9} {:>9}\n", name, width_, used,
                          tenths(tests), tenths(steps), tenths(covers), tenths(killed));
    }
  }

  const Comparison& comparison_;
  std::size_t width_ = 15;
  std::string out_;
};

}  // namespace

std::string comparison_text(const Comparison& comparison) { return Writer(comparison).write(); }

}  // namespace tw
