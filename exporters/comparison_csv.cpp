// A comparison as a table of numbers: the matrices in long form, one line per suite and criterion.
// Every line says where it comes from (model, its hash, tool, options): lines of several files can
// be put together, sorted and filtered in a spreadsheet, which comments above the header would not
// survive.

#include <fmt/format.h>

#include "exporters/comparison.hpp"
#include "exporters/csv.hpp"

namespace tw {
namespace {

// What a line says of a suite beside its numbers.
struct Row {
  const ComparedModel& model;
  std::string name;
  const ComparedSuite& suite;
  bool searched = true;  // else it was put together: nothing was spent on it
};

void write(std::string& out, const Comparison& comparison, const Row& row) {
  const ComparedSuite& suite = row.suite;
  const auto cost = [&](const auto& value, bool known = true) {
    return row.searched && known ? fmt::format("{}", value) : std::string();
  };
  for (std::size_t i = 0; i < suite.coverage.size(); ++i) {
    const ComparedCriterion& criterion = row.model.criteria[i];
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},", csv_field(row.model.file),
                       csv_field(row.name), suite.tests, suite.steps, cost(suite.expansions),
                       suite.killed, row.model.mutants_left(), csv_field(criterion.name),
                       suite.coverage[i].known ? std::to_string(suite.coverage[i].covered) : "",
                       suite.coverage[i].feasible);
    out += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", criterion.infeasible, criterion.undecided,
                       suite.duration, cost(suite.states),
                       cost(fmt::format("{:.3f}", suite.seconds), !comparison.stable),
                       cost(suite.limit), row.model.count_mutants("undecided"), row.model.limit,
                       row.model.sha256, csv_field(comparison.provenance()));
  }
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string out =
      "model,suite,tests,steps,expansions,killed,mutants,criterion,covered,feasible,"
      "infeasible,undecided,duration,states,seconds,limit,mutants_undecided,measuring_limit,"
      "model_sha256,made_by\n";
  for (const ComparedModel* model : comparison.compared()) {
    for (const ComparedCriterion& criterion : model->criteria)
      if (criterion.problem.empty())
        write(out, comparison, {.model = *model, .name = criterion.name, .suite = criterion.suite});
    write(out, comparison,
          {.model = *model, .name = "one run for all", .suite = model->all_at_once});
    for (const ComparedCombination& combination : model->combinations)
      write(out, comparison,
            {.model = *model,
             .name = "combination " + combination.name,
             .suite = combination.suite,
             .searched = false});
  }
  return out;
}

}  // namespace tw
