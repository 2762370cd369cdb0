// What comparing criteria showed: how large and how dear their suites are, what each suite covers
// of the other criteria, what combinations of them cover, and how many mutants they notice
// (docs/compare.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporters/report.hpp"

namespace tw {

/// What a suite covers of the items of one criterion.
struct CoverageShare {
  std::uint64_t covered = 0;
  std::uint64_t feasible = 0;  // those that are not proven infeasible
  bool known = true;  // else a limit kept the suite from being measured: covered is nothing

  /// None if there is nothing to cover, or nothing is known.
  [[nodiscard]] std::optional<double> percent() const {
    if (feasible == 0 || !known)
      return std::nullopt;
    return 100.0 * static_cast<double>(covered) / static_cast<double>(feasible);
  }
};

/// So many items are covered once so many steps of a suite are taken, its tests one after the
/// other.
struct Growth {
  std::uint64_t steps = 0;
  std::uint64_t own = 0;  // items of the criterion of the suite
  std::uint64_t all = 0;  // of all criteria
};

/// A suite, and what it took to find it.
struct ComparedSuite {
  std::uint64_t tests = 0;
  std::uint64_t steps = 0;
  std::string duration;  // model time of all tests; empty: the model has no clocks
  std::uint64_t states = 0;
  std::uint64_t expansions = 0;
  double seconds = 0;
  std::string limit;                    // what ended the search early; empty: nothing did
  std::vector<CoverageShare> coverage;  // by criterion
  std::vector<Growth> growth;           // where it grows; of suites of single criteria
  std::uint64_t killed = 0;             // mutants

  /// Of all criteria that have something to cover.
  [[nodiscard]] std::optional<double> mean_percent() const;
};

struct ComparedCriterion {
  std::string name;
  std::string problem;  // not empty: it cannot be used on this model, and why
  std::uint64_t items = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t undecided = 0;
  ComparedSuite suite;
};

/// The suites of several criteria, put together and reduced.
struct ComparedCombination {
  std::string name;
  std::vector<std::string> members;
  ComparedSuite suite;  // nothing was searched for it
};

struct ComparedMutant {
  std::string id;
  std::string label;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string status;                  // killed, killable, equivalent, undecided
  std::vector<std::string> killed_by;  // criteria
};

struct ComparedModel {
  std::string file;
  std::string sha256;   // of its bytes; empty: it could not be read
  std::string problem;  // not empty: it could not be compared, and why; the rest is empty then
  std::vector<ComparedCriterion> criteria;
  ComparedSuite all_at_once;  // one run with all criteria that can be used
  std::vector<ComparedCombination> combinations;
  std::vector<ComparedMutant> mutants;
  std::size_t mutants_chosen =
      0;              // more than there are here: a limit kept the rest from being tried
  std::string limit;  // what ended measuring, or looking at mutants; empty: nothing

  [[nodiscard]] std::uint64_t count_mutants(std::string_view status) const;
  /// Those that some test could kill, as far as is known.
  [[nodiscard]] std::uint64_t mutants_left() const {
    return mutants.size() - count_mutants("equivalent");
  }
  /// Expansions of the single runs: all together, and the most of one.
  [[nodiscard]] std::uint64_t single_expansions() const;
  [[nodiscard]] const ComparedCriterion* dearest() const;
  /// Killed of those that some test could kill; none if there are none.
  [[nodiscard]] std::optional<double> score(const ComparedSuite& suite) const {
    return CoverageShare{.covered = suite.killed, .feasible = mutants_left()}.percent();
  }
  /// What a reader has to know before trusting the numbers: what is partial, undecided or missing.
  [[nodiscard]] std::vector<std::string> notes() const;
};

struct Comparison {
  Tool tool;
  std::vector<std::string> criteria;  // asked for
  ReportOptions options;
  std::string mutants = "all";       // as asked for
  std::vector<std::string> combine;  // the same; empty: the usual ones
  std::vector<ComparedModel> models;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  bool stable = false;  // leave out seconds and memory

  /// "tracewright 0.1.0: compare -c edge,pc --reduce cover": what the numbers depend on beside the
  /// models, as far as it is not the default.
  [[nodiscard]] std::string provenance() const;
  /// Those of all models, each with its file where there are several.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// Those that were compared.
  [[nodiscard]] std::vector<const ComparedModel*> compared() const;

  /// A criterion over the models where it has a suite; without any its row is empty.
  struct Row {
    std::string name;
    std::size_t models = 0;
    std::optional<double> infeasible;  // percent of the items
    std::optional<double> tests;
    std::optional<double> steps;
    std::optional<double> covers;  // percent, mean of all criteria
    std::optional<double> killed;  // percent
  };
  [[nodiscard]] std::vector<Row> mean_rows() const;
  [[nodiscard]] Row mean_of_all_at_once() const;
  [[nodiscard]] std::vector<Row> mean_combinations() const;

  /// Over the models that were compared. By row and column; none if no model has both.
  [[nodiscard]] std::vector<std::vector<std::optional<double>>> mean_matrix() const;
  /// Over the models: one run with all criteria, in expansions, against the sum of the single runs
  /// and against the dearest; geometric means. None without models.
  struct Ratios {
    double to_sum = 0;
    double to_dearest = 0;
  };
  [[nodiscard]] std::optional<Ratios> ratios() const;
};

[[nodiscard]] std::string comparison_text(const Comparison& comparison);
[[nodiscard]] std::string comparison_json(const Comparison& comparison);
[[nodiscard]] std::string comparison_csv(const Comparison& comparison);
/// A table of sizes and shares, of several models their means, for \input.
[[nodiscard]] std::string comparison_latex(const Comparison& comparison);
// Pictures that need nothing else, averaged over the models:
/// the matrix;
[[nodiscard]] std::string comparison_matrix_svg(const Comparison& comparison);
/// how long suites are and how many mutants they kill;
[[nodiscard]] std::string comparison_score_svg(const Comparison& comparison);
/// what suites cover after so many steps.
[[nodiscard]] std::string comparison_growth_svg(const Comparison& comparison);

struct ComparisonFormat {
  std::string_view name;
  std::string_view ending;  // of files; empty: none that is its own
  std::string (*write)(const Comparison&);
};
/// All there are.
[[nodiscard]] std::span<const ComparisonFormat> comparison_formats();

}  // namespace tw
