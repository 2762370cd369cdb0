#include "exporters/check_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exporters/step_text.hpp"

namespace tw {
namespace {

std::string_view name_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kOk:
      return "ok";
    case CheckStatus::kDiffers:
      return "differs";
    case CheckStatus::kDoesNotFit:
      return "does-not-fit";
  }
  return "";
}

}  // namespace

std::string check_text(const CheckReport& report) {
  const CheckResult& result = report.result;
  std::string out;
  for (const CheckedTest& test : result.tests) {
    if (test.status == CheckStatus::kOk)
      out += fmt::format("{}: ok, {}, covers {}\n", test.id, plural(test.steps, "step"),
                         plural(test.covers, "item"));
    else
      out += fmt::format("{}: {}{}\n", test.id,
                         test.step ? fmt::format("step {}: ", *test.step) : "", test.problem);
  }
  for (const CheckProblem& problem : result.problems)
    out += problem.text + '\n';
  for (const NotChecked& left : result.not_checked)
    out += fmt::format("not checked: {} ({})\n", left.what, left.why);
  const std::size_t failed = result.failed();
  out += fmt::format("{}, {}", plural(result.tests.size(), "test"),
                     failed == 0 ? std::string("all ok") : fmt::format("{} failed", failed));
  if (!result.problems.empty())
    out += fmt::format("; {} with the suite", plural(result.problems.size(), "problem"));
  return out + '\n';
}

std::string check_json(const CheckReport& report) {
  using Json = nlohmann::ordered_json;
  const CheckResult& result = report.result;
  Json tests = Json::array();
  for (const CheckedTest& test : result.tests) {
    Json entry = {{"id", test.id},
                  {"status", name_of(test.status)},
                  {"steps", test.steps},
                  {"covers", test.covers}};
    if (test.step)
      entry["step"] = *test.step;
    if (!test.problem.empty())
      entry["problem"] = test.problem;
    tests.push_back(std::move(entry));
  }
  Json problems = Json::array();
  for (const CheckProblem& problem : result.problems)
    problems.push_back(problem.text);
  Json not_checked = Json::array();
  for (const NotChecked& left : result.not_checked)
    not_checked.push_back({{"what", left.what}, {"why", left.why}});
  const Json out = {{"format", "tracewright-check"},
                    {"version", 1},
                    {"model", report.model},
                    {"suite", report.suite},
                    {"ok", result.is_ok()},
                    {"tests", std::move(tests)},
                    {"problems", std::move(problems)},
                    {"not_checked", std::move(not_checked)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tw
