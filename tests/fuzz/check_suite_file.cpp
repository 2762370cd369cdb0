#include "tests/fuzz/check_suite_file.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include "criteria/registry.hpp"
#include "engine/base/budget.hpp"
#include "engine/check/check_search.hpp"
#include "engine/check/check_suite.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/suite/generate.hpp"
#include "exporters/check_report.hpp"
#include "exporters/report.hpp"
#include "exporters/suite_read.hpp"
#include "frontends/load.hpp"

namespace tw::fuzz {
namespace {

constexpr const char* kHash = "0000000000000000000000000000000000000000000000000000000000000000";

const LoadedModel& model() {
  static const LoadedModel model = load_model_text("fuzz.xta", suite_model());
  return model;
}

const Network& network() { return *model().network; }

CoverageRules declare() {
  CoverageRules rules;
  Diagnostics diagnostics;
  for (const char* name : {"edge", "def-use"})
    make_criterion(name)->declare(network(), {}, rules, diagnostics);
  return rules;
}

}  // namespace

const std::string& suite_model() {
  static const std::string text =
      "int[0,3] n; chan go[2]; clock x;\n"
      "process P() { state A, B { x <= 4 }; init A;\n"
      "  trans A -> B { select i : int[0,1]; sync go[i]!; assign n = i + 1, x = 0; },\n"
      "        B -> A { guard x >= 2 && n < 3; assign n = 0; }, B -> B { guard n == 3; }; }\n"
      "process Q() { state S; init S; trans S -> S { select k : int[0,1]; sync go[k]?; }; }\n"
      "system P, Q;\n";
  return text;
}

std::string good_suite() {
  CoverageRules rules = declare();
  const Generated made = generate(network(), rules, {});
  StringSink sink;
  make_exporter("json")->write({.network = network(),
                                .file = "fuzz.xta",
                                .source = model().file,
                                .sha256 = kHash,
                                .rules = rules,
                                .search = made.search,
                                .verdicts = made.verdicts,
                                .suite = made.suite},
                               sink);
  return sink.take();
}

std::optional<std::string> find_suite_fault(std::string bytes) {
  const SuiteSource source = SuiteSource::from_text("fuzz.json", std::move(bytes));
  SuiteProblems problems;
  const std::optional<SuiteFile> suite = read_suite(source, problems);
  if (suite.has_value() == problems.diagnostics.has_errors())
    return "expected either errors or a suite\n" + problems.render_all("fuzz.json");
  if (!suite)
    return std::nullopt;
  CoverageRules rules = declare();
  // Promises about delays are tried for a while; tests may be long.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const auto is_spent = [deadline] { return std::chrono::steady_clock::now() >= deadline; };
  SuiteChecker checker(network(), rules, *suite,
                       {.on_error = OnError::kStop, .is_spent = is_spent});
  if (!read_tests(source, *suite, checker, problems))
    return problems.diagnostics.has_errors() ? std::nullopt
                                             : std::optional<std::string>("no errors, no tests");
  CheckReport report{.model = "fuzz.xta", .suite = "fuzz.json", .result = checker.finish()};
  if (report.result.is_ok()) {
    Budget budget({.most = {.time = std::chrono::milliseconds(200), .bytes = 0},
                   .interrupted = {},
                   .now = {},
                   .resident = {}});
    const BudgetScope scope(&budget);
    check_search(network(), *suite, checker.verdicts(),
                 {.made_with = {}, .declare = declare, .source = model().file, .progress = {}},
                 report.result);
  }
  if (check_text(report).empty() || check_json(report).empty())
    return "no report came out";
  return std::nullopt;
}

}  // namespace tw::fuzz
