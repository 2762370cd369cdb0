// A comparison for scripts: JSON with everything, CSV with the matrices in long form.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exporters/comparison.hpp"
#include "exporters/csv.hpp"

namespace tw {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json shares_of(const std::vector<std::string>& criteria, const ComparedSuite& suite) {
  Json out = Json::array();
  for (std::size_t i = 0; i < suite.coverage.size(); ++i)
    out.push_back({{"criterion", criteria[i]},
                   {"covered", suite.coverage[i].covered},
                   {"feasible", suite.coverage[i].feasible}});
  return out;
}

Json suite_of(const Comparison& comparison, const ComparedSuite& suite, bool searched) {
  Json out = {{"tests", suite.tests}, {"steps", suite.steps}};
  if (searched) {
    out["states"] = suite.states;
    out["expansions"] = suite.expansions;
    if (!comparison.stable)
      out["seconds"] = suite.seconds;
    out["limit"] = suite.limit.empty() ? Json(nullptr) : Json(suite.limit);
  }
  out["killed"] = suite.killed;
  out["mean_percent"] = number(suite.mean_percent());
  out["coverage"] = shares_of(comparison.criteria, suite);
  return out;
}

Json criterion_of(const Comparison& comparison, const ComparedCriterion& criterion) {
  if (!criterion.problem.empty())
    return {{"name", criterion.name}, {"problem", criterion.problem}};
  return {{"name", criterion.name},
          {"items", criterion.items},
          {"infeasible", criterion.infeasible},
          {"undecided", criterion.undecided},
          {"suite", suite_of(comparison, criterion.suite, true)}};
}

Json model_of(const Comparison& comparison, const ComparedModel& model) {
  if (!model.problem.empty())
    return {{"file", model.file}, {"problem", model.problem}};
  Json criteria = Json::array();
  for (const ComparedCriterion& criterion : model.criteria)
    criteria.push_back(criterion_of(comparison, criterion));
  Json combinations = Json::array();
  for (const ComparedCombination& combination : model.combinations)
    combinations.push_back({{"name", combination.name},
                            {"members", combination.members},
                            {"suite", suite_of(comparison, combination.suite, false)}});
  Json list = Json::array();
  for (const ComparedMutant& mutant : model.mutants)
    list.push_back({{"id", mutant.id},
                    {"label", mutant.label},
                    {"line", mutant.line},
                    {"column", mutant.column},
                    {"status", mutant.status},
                    {"killed_by", mutant.killed_by}});
  const ComparedCriterion* dearest = model.dearest();
  return {{"file", model.file},
          {"criteria", std::move(criteria)},
          {"all_at_once", suite_of(comparison, model.all_at_once, true)},
          {"single_runs",
           {{"expansions", model.single_expansions()},
            {"dearest", dearest == nullptr ? Json(nullptr) : Json(dearest->name)},
            {"dearest_expansions", dearest == nullptr ? 0 : dearest->suite.expansions}}},
          {"combinations", std::move(combinations)},
          {"mutants",
           {{"total", model.mutants.size()},
            {"killed", model.count_mutants("killed")},
            {"killable", model.count_mutants("killable")},
            {"equivalent", model.count_mutants("equivalent")},
            {"undecided", model.count_mutants("undecided")},
            {"list", std::move(list)}}}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json models = Json::array();
  for (const ComparedModel& model : comparison.models)
    models.push_back(model_of(comparison, model));
  Json matrix = Json::array();
  for (const auto& row : comparison.mean_matrix()) {
    matrix.push_back(Json::array());
    for (const std::optional<double>& share : row)
      matrix.back().push_back(number(share));
  }
  const std::optional<Comparison::Ratios> ratios = comparison.ratios();
  const Json out = {
      {"format", "tracewright-comparison"},
      {"version", 1},
      {"criteria", comparison.criteria},
      {"reduce", comparison.reduce},
      {"models", std::move(models)},
      {"mean",
       {{"matrix", std::move(matrix)},
        {"expansions_to_sum", number(ratios ? std::optional(ratios->to_sum) : std::nullopt)},
        {"expansions_to_dearest",
         number(ratios ? std::optional(ratios->to_dearest) : std::nullopt)}}}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string comparison_csv(const Comparison& comparison) {
  std::string out =
      "model,suite,tests,steps,expansions,killed,mutants,criterion,covered,feasible\n";
  const auto write = [&](const ComparedModel& model, std::string_view name,
                         const ComparedSuite& suite, bool searched) {
    for (std::size_t i = 0; i < suite.coverage.size(); ++i)
      out += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_field(model.file), csv_field(name),
                         suite.tests, suite.steps,
                         searched ? std::to_string(suite.expansions) : std::string(), suite.killed,
                         model.mutants_left(), csv_field(comparison.criteria[i]),
                         suite.coverage[i].covered, suite.coverage[i].feasible);
  };
  for (const ComparedModel& model : comparison.models) {
    for (const ComparedCriterion& criterion : model.criteria)
      if (criterion.problem.empty())
        write(model, criterion.name, criterion.suite, true);
    if (model.problem.empty())
      write(model, "one run for all", model.all_at_once, true);
    for (const ComparedCombination& combination : model.combinations)
      write(model, "combination " + combination.name, combination.suite, false);
  }
  return out;
}

}  // namespace tw
