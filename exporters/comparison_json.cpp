// A comparison for scripts, with everything. What differs between two runs stands apart, at the
// end. Values that fit into a line are written in one: the file stays readable, and differences
// between two of them are differences of lines.

#include <nlohmann/json.hpp>

#include "exporters/comparison.hpp"
#include "exporters/options_json.hpp"

namespace tw {
namespace {

Json number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json shares_of(const std::vector<std::string>& criteria, const ComparedSuite& suite) {
  Json out = Json::array();
  for (std::size_t i = 0; i < suite.coverage.size(); ++i)
    out.push_back(
        {{"criterion", criteria[i]},
         {"covered", suite.coverage[i].known ? Json(suite.coverage[i].covered) : Json(nullptr)},
         {"feasible", suite.coverage[i].feasible}});
  return out;
}

Json suite_of(const Comparison& comparison, const ComparedSuite& suite, bool searched) {
  Json out = {{"tests", suite.tests}, {"steps", suite.steps}};
  if (!suite.duration.empty())
    out["duration"] = suite.duration;
  if (searched) {
    out["states"] = suite.states;
    out["expansions"] = suite.expansions;
    out["limit"] = or_null(suite.limit);
  }
  out["killed"] = suite.killed;
  out["mean_percent"] = number(suite.mean_percent());
  out["coverage"] = shares_of(comparison.criteria, suite);
  return out;
}

Json growth_of(const ComparedSuite& suite) {
  Json out = Json::array();
  for (const Growth& growth : suite.growth)
    out.push_back({growth.steps, growth.own, growth.all});
  return out;
}

Json criterion_of(const Comparison& comparison, const ComparedCriterion& criterion) {
  if (!criterion.problem.empty())
    return {{"name", criterion.name}, {"problem", criterion.problem}};
  return {{"name", criterion.name},
          {"items", criterion.items},
          {"infeasible", criterion.infeasible},
          {"undecided", criterion.undecided},
          {"suite", suite_of(comparison, criterion.suite, true)},
          {"growth", growth_of(criterion.suite)}};
}

Json model_of(const Comparison& comparison, const ComparedModel& model) {
  if (!model.problem.empty())
    return {{"file", model.file}, {"sha256", or_null(model.sha256)}, {"problem", model.problem}};
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
          {"sha256", model.sha256},
          {"limit", or_null(model.limit)},
          {"notes", model.notes()},
          {"criteria", std::move(criteria)},
          {"all_at_once", suite_of(comparison, model.all_at_once, true)},
          {"single_runs",
           {{"expansions", model.single_expansions()},
            {"dearest", dearest == nullptr ? Json(nullptr) : Json(dearest->name)},
            {"dearest_expansions", dearest == nullptr ? 0 : dearest->suite.expansions}}},
          {"combinations", std::move(combinations)},
          {"mutants",
           {{"total", model.mutants.size()},
            {"chosen", model.mutants_chosen},
            {"killed", model.count_mutants("killed")},
            {"killable", model.count_mutants("killable")},
            {"equivalent", model.count_mutants("equivalent")},
            {"undecided", model.count_mutants("undecided")},
            {"list", std::move(list)}}}};
}

// How long the runs took; empty where one was not made.
Json run_of(const Comparison& comparison) {
  Json models = Json::array();
  for (const ComparedModel* model : comparison.compared()) {
    Json seconds = Json::object();
    for (const ComparedCriterion& criterion : model->criteria)
      if (criterion.problem.empty())
        seconds[criterion.name] = criterion.suite.seconds;
    models.push_back({{"file", model->file},
                      {"seconds", std::move(seconds)},
                      {"all_at_once_seconds", model->all_at_once.seconds}});
  }
  return {{"seconds", comparison.seconds},
          {"peak_memory_bytes", comparison.peak_memory_bytes},
          {"models", std::move(models)}};
}

// Names come from files: bytes that are no UTF-8 must not make the writer throw.
std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write(std::string& out, const Json& json, std::size_t indent) {
  constexpr std::size_t kWidth = 100;
  std::string line = json.is_structured() && json.size() > kWidth ? "" : compact(json);
  if (!json.is_structured() || json.empty() || (!line.empty() && line.size() + indent <= kWidth)) {
    out += line;
    return;
  }
  const std::string gap = ",\n" + std::string(indent + 2, ' ');
  out += json.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += std::string_view(gap).substr(first ? 1 : 0);
    first = false;
    if (json.is_object())
      out += compact(key) + ": ";
    write(out, value, indent + 2);
  }
  out += '\n' + std::string(indent, ' ') + (json.is_object() ? '}' : ']');
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
  Json options = options_json({.options = comparison.options, .criteria = comparison.criteria});
  options["algorithm"] = comparison.options.algorithm;
  options["order"] = comparison.options.order;
  options["mutants"] = comparison.mutants;
  options["combine"] = comparison.combine;
  const std::optional<Comparison::Ratios> ratios = comparison.ratios();
  Json out = {
      {"format", "tracewright-comparison"},
      {"version", 2},
      {"tool", {{"name", comparison.tool.name}, {"version", comparison.tool.version}}},
      {"options", std::move(options)},
      {"criteria", comparison.criteria},
      {"models", std::move(models)},
      {"mean",
       {{"matrix", std::move(matrix)},
        {"expansions_to_sum", number(ratios ? std::optional(ratios->to_sum) : std::nullopt)},
        {"expansions_to_dearest",
         number(ratios ? std::optional(ratios->to_dearest) : std::nullopt)}}}};
  if (!comparison.stable)
    out["run"] = run_of(comparison);
  std::string text;
  write(text, out, 0);
  return text + '\n';
}

}  // namespace tw
