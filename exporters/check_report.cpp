#include "exporters/check_report.hpp"

#include <algorithm>
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

std::size_t CheckReport::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      tests, [](const CheckedTest& test) { return test.status != CheckStatus::kOk; }));
}

std::string check_text(const CheckReport& report) {
  std::string out;
  for (const CheckedTest& test : report.tests) {
    if (test.status == CheckStatus::kOk)
      out += fmt::format("{}: ok, {}, covers {}\n", test.id, plural(test.steps, "step"),
                         plural(test.covers, "item"));
    else
      out += fmt::format("{}: {}{}\n", test.id,
                         test.step ? fmt::format("step {}: ", *test.step) : "", test.problem);
  }
  for (const std::string& problem : report.problems)
    out += problem + '\n';
  const std::size_t failed = report.failed();
  out += fmt::format("{}, {}\n", plural(report.tests.size(), "test"),
                     failed == 0 ? std::string("all ok") : fmt::format("{} failed", failed));
  return out;
}

std::string check_json(const CheckReport& report) {
  using Json = nlohmann::ordered_json;
  Json tests = Json::array();
  for (const CheckedTest& test : report.tests) {
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
  const Json out = {{"format", "tracewright-check"},
                    {"version", 1},
                    {"model", report.model},
                    {"suite", report.suite},
                    {"ok", report.failed() == 0 && report.problems.empty()},
                    {"tests", std::move(tests)},
                    {"problems", report.problems}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tw
