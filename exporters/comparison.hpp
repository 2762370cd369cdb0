// What comparing criteria showed: how large and how dear their suites are, what each suite covers
// of the other criteria, what combinations of them cover, and how many mutants they notice
// (docs/compare.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tw {

/// What a suite covers of the items of one criterion.
struct CoverageShare {
  std::uint64_t covered = 0;
  std::uint64_t feasible = 0;  // those that are not proven infeasible

  /// None if there is nothing to cover.
  [[nodiscard]] std::optional<double> percent() const {
    if (feasible == 0)
      return std::nullopt;
    return 100.0 * static_cast<double>(covered) / static_cast<double>(feasible);
  }
};

/// A suite, and what it took to find it.
struct ComparedSuite {
  std::uint64_t tests = 0;
  std::uint64_t steps = 0;
  std::uint64_t states = 0;
  std::uint64_t expansions = 0;
  double seconds = 0;
  std::string limit;                    // what ended the search early; empty: nothing did
  std::vector<CoverageShare> coverage;  // by criterion
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
  std::string problem;  // not empty: it could not be compared, and why; the rest is empty then
  std::vector<ComparedCriterion> criteria;
  ComparedSuite all_at_once;  // one run with all criteria that can be used
  std::vector<ComparedCombination> combinations;
  std::vector<ComparedMutant> mutants;

  [[nodiscard]] std::uint64_t count_mutants(std::string_view status) const;
  /// Those that some test could kill, as far as is known.
  [[nodiscard]] std::uint64_t mutants_left() const {
    return mutants.size() - count_mutants("equivalent");
  }
  /// Expansions of the single runs: all together, and the most of one.
  [[nodiscard]] std::uint64_t single_expansions() const;
  [[nodiscard]] const ComparedCriterion* dearest() const;
};

struct Comparison {
  std::vector<std::string> criteria;  // asked for
  std::string reduce;
  std::vector<ComparedModel> models;
  bool stable = false;  // leave out seconds

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
/// The matrix, averaged over the models, as a picture that needs nothing else.
[[nodiscard]] std::string comparison_svg(const Comparison& comparison);

}  // namespace tw
