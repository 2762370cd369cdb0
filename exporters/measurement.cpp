#include "exporters/measurement.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exporters/csv.hpp"
#include "exporters/report.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

using Json = nlohmann::ordered_json;

std::string title(const CriterionInfo& info) {
  return info.options.empty() ? info.name : fmt::format("{} ({})", info.name, info.options);
}

std::string share(const CriterionCounts& c) {
  if (c.total == c.infeasible)
    return c.total == 0 ? "there are no items" : "nothing is feasible";
  return fmt::format("{}.{} %", c.permille() / 10, c.permille() % 10);
}

std::string table(const Measurement& m, const MeasuredSuite& suite) {
  std::size_t width = 9;
  for (const CriterionInfo& info : m.rules.criteria())
    width = std::max(width, title(info).size());
  // What is not covered is known in more detail after an exploration.
  const auto row = [&](const auto& name, const auto& covered, const auto& missed,
                       const auto& infeasible, const auto& undecided, const auto& total) {
    std::string line = fmt::format("{:<{}}  {:>8} ", name, width, covered);
    if (m.explored)
      line += fmt::format("{:>8} ", missed);
    return line + fmt::format("{:>11} {:>12} {:>6}", infeasible, undecided, total);
  };
  std::string out = row("criterion", "covered", "missed", "infeasible",
                        m.explored ? "undecided" : "not covered", "total") +
                    '\n';
  const std::vector<CriterionCounts> counts = count_items(m.rules, suite.verdicts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const CriterionCounts& c = counts[i];
    out += fmt::format("{}   {}\n",
                       row(title(m.rules.criteria()[CriterionId(i)]), c.covered, c.missed,
                           c.infeasible, c.undecided, c.total),
                       share(c));
  }
  return out;
}

std::string heading(const MeasuredSuite& suite) {
  return fmt::format("{}, {}{}", plural(suite.tests, "test"), plural(suite.steps, "step"),
                     suite.failed.empty() ? "" : fmt::format("; {} not run", suite.failed.size()));
}

std::string without_errors(const Measurement& m) {
  return m.left_out == 0 ? ""
                         : ", without steps that make a run-time error (at " +
                               plural(m.left_out, "place") + ")";
}

Json failures(const MeasuredSuite& suite) {
  Json out = Json::array();
  for (const FailedTest& test : suite.failed) {
    Json entry = {{"file", suite.file}, {"id", test.id}};
    if (test.step != 0)
      entry["step"] = test.step;
    entry["problem"] = test.problem;
    out.push_back(std::move(entry));
  }
  return out;
}

Json counts_of(const Measurement& m, const MeasuredSuite& suite) {
  Json out = Json::array();
  const std::vector<CriterionCounts> counts = count_items(m.rules, suite.verdicts);
  for (std::size_t i = 0; i < counts.size(); ++i)
    out.push_back({{"name", m.rules.criteria()[CriterionId(i)].name},
                   {"total", counts[i].total},
                   {"covered", counts[i].covered},
                   {"missed", counts[i].missed},
                   {"infeasible", counts[i].infeasible},
                   {"undecided", counts[i].undecided}});
  return out;
}

}  // namespace

std::string measurement_summary(const Measurement& m) {
  return fmt::format("{}{}\n", table(m, m.merged), heading(m.merged));
}

std::string measurement_text(const Measurement& m) {
  std::string out;
  for (const MeasuredSuite& suite : m.suites) {
    out += fmt::format("{}: {}\n", suite.file, heading(suite));
    for (const FailedTest& test : suite.failed)
      out += fmt::format("  {}: {}{}\n", test.id,
                         test.step == 0 ? std::string() : fmt::format("step {}: ", test.step),
                         test.problem);
    out += table(m, suite) + '\n';
  }
  if (m.suites.size() > 1)
    out += fmt::format("All together: {}\n{}\n", heading(m.merged), table(m, m.merged));
  out += m.explored ? (m.limit.empty()
                           ? fmt::format("What no run covers was found by exploring the model{}.\n",
                                         without_errors(m))
                           : fmt::format("The exploration was stopped ({}).\n", m.limit))
                    : "Nothing was explored: what is not covered may be infeasible (--explore).\n";
  return out;
}

std::string measurement_json(const Measurement& m) {
  Json suites = Json::array();
  for (const MeasuredSuite& suite : m.suites)
    suites.push_back({{"file", suite.file},
                      {"tests", suite.tests},
                      {"steps", suite.steps},
                      {"failed", failures(suite)},
                      {"criteria", counts_of(m, suite)}});
  Json items = Json::array();
  for (std::size_t i = 0; i < m.rules.items().size(); ++i) {
    if (m.merged.verdicts[i].status == ItemStatus::kNotCounted)
      continue;
    const Item& item = m.rules.items()[ItemId(i)];
    Json covering = Json::array();
    for (std::size_t s = 0; s < m.suites.size(); ++s)
      if (m.suites[s].verdicts[i].status == ItemStatus::kCovered)
        covering.push_back(s);
    items.push_back({{"id", item.id},
                     {"criterion", m.rules.criteria()[item.criterion].name},
                     {"label", item.label},
                     {"status", name_of(m.merged.verdicts[i].status)},
                     {"suites", std::move(covering)}});
  }
  const Json out = {{"format", "tracewright-measurement"},
                    {"version", 2},
                    {"model", m.model},
                    {"explored", m.explored},
                    {"limit", m.limit.empty() ? Json(nullptr) : Json(m.limit)},
                    {"left_out", m.left_out},
                    {"partial", m.partial},
                    {"suites", std::move(suites)},
                    {"merged",
                     {{"tests", m.merged.tests},
                      {"steps", m.merged.steps},
                      {"criteria", counts_of(m, m.merged)}}},
                    {"items", std::move(items)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string measurement_csv(const Measurement& m) {
  std::string out = "id,criterion,status,suites,label\n";
  for (std::size_t i = 0; i < m.rules.items().size(); ++i) {
    if (m.merged.verdicts[i].status == ItemStatus::kNotCounted)
      continue;
    const Item& item = m.rules.items()[ItemId(i)];
    std::string files;
    for (const MeasuredSuite& suite : m.suites)
      if (suite.verdicts[i].status == ItemStatus::kCovered)
        files += (files.empty() ? "" : " ") + suite.file;
    out += fmt::format(
        "{},{},{},{},{}\n", csv_field(item.id), csv_field(m.rules.criteria()[item.criterion].name),
        name_of(m.merged.verdicts[i].status), csv_field(files), csv_field(item.label));
  }
  return out;
}

}  // namespace tw
