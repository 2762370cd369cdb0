// The suite for scripts: JSON, version 2. docs/suite.schema.json and docs/formats.md say what is in
// it. Fields may be added, not renamed.
//
// Lists are written one element per line: the file stays readable, and differences between two of
// them are differences of lines. Only one test is held as text. Whatever sums up the tests comes
// behind them, so that writing can end early and what is written is true: tests that are left out
// cover nothing. What differs between two runs stands apart, at the end.

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/suite/test_states.hpp"
#include "exporters/options_json.hpp"
#include "exporters/report.hpp"
#include "exporters/run_errors.hpp"
#include "exporters/step_json.hpp"

namespace tw {
namespace {

// Names come from files: bytes that are no UTF-8 must not make the writer throw.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The same for one text. Almost none needs more than quotation marks, and there may be very many.
std::string in_quotes(std::string_view text) {
  const bool is_plain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c < '\x7F' && c != '"' && c != '\\'; });
  return is_plain ? fmt::format("\"{}\"", text) : dump(Json(text));
}

class SuiteWriter {
 public:
  SuiteWriter(const Report& report, Sink& sink)
      : report_(report),
        network_(report.network),
        writer_(report.network),
        states_(report.network),
        sink_(sink) {}

  std::size_t write() {
    sink_.write("{");
    member("format", "tracewright-suite");
    member("version", 2);
    member("tool", {{"name", report_.tool.name}, {"version", report_.tool.version}});
    member("model", model());
    member("options", options());
    member("initial", writer_.state(report_.suite.initial));
    const std::size_t written = tests();
    const WrittenSuite suite(report_, written);
    items(suite);
    criteria(suite);
    member("suite", summary(suite));
    member("search", search());
    if (!report_.stable)
      member("run", run());
    sink_.write("\n}\n");
    return written;
  }

 private:
  void begin_member(std::string_view key) {
    sink_.write(any_member_ ? ",\n  \"" : "\n  \"");
    sink_.write(key);
    sink_.write("\": ");
    any_member_ = true;
  }

  void member(std::string_view key, const Json& value) {
    begin_member(key);
    sink_.write(dump(value));
  }

  void begin_list(std::string_view key) {
    begin_member(key);
    sink_.write("[");
    any_element_ = false;
  }

  void element(std::string_view text) {
    sink_.write(any_element_ ? ",\n    " : "\n    ");
    sink_.write(text);
    any_element_ = true;
  }

  void end_list() { sink_.write(any_element_ ? "\n  ]" : "]"); }

  Json model() const {
    Json processes = Json::array();
    for (const Process& process : network_.processes)
      processes.push_back(process.name);
    return {{"file", report_.file}, {"sha256", report_.sha256}, {"processes", processes}};
  }

  Json options() const {
    Json criteria = Json::array();
    for (const CriterionInfo& info : report_.rules.criteria()) {
      criteria.push_back({{"name", info.name}, {"options", info.options}});
      if (!info.file.empty())
        criteria.back()["file"] = info.file;
      if (info.is_fallback)
        criteria.back()["fallback"] = true;
    }
    return options_json({.options = report_.options,
                         .criteria = std::move(criteria),
                         .timed = network_.is_timed()});
  }

  Json search() const {
    const SearchSummary& s = report_.search;
    Json out = {
        {"algorithm", s.algorithm}, {"order", s.order},           {"exhaustive", s.exhaustive},
        {"states", s.states},       {"expansions", s.expansions}, {"transitions", s.transitions},
        {"tokens", s.tokens},       {"depth", s.depth},           {"limit", or_null(s.limit)}};
    for (const RunError& error : s.errors) {
      const SourcePosition at = place_of(network_, report_.source, error);
      out["errors"].push_back(
          {{"message", describe(network_, error)}, {"line", at.line}, {"column", at.column}});
    }
    return out;
  }

  // How many were written: a limit ends the list before the test that does not fit in.
  std::size_t tests() {
    begin_list("tests");
    std::size_t written = 0;
    try {
      for (; written < report_.suite.tests.size() && sink_.good(); ++written)
        element(test(written));
    } catch (const BudgetSpent&) {
    } catch (const std::bad_alloc&) {
      // What is written needs less memory than the test that did not fit in.
    }
    end_list();
    return written;
  }

  std::string test(std::size_t number) {
    const Test& test = report_.suite.tests[number];
    Json covers = Json::array();
    for (const ItemId item : covered_by(report_, test))
      covers.push_back(report_.rules.items()[item].id);
    Json entry = {{"id", test_name(number)}, {"length", test.length()}};
    if (network_.is_timed())
      entry["duration"] = to_string(test.duration());
    entry["covers"] = std::move(covers);
    std::string out = dump(entry);
    out.pop_back();  // the closing brace: steps follow
    out += ",\"steps\":[";
    states_.restart();
    Snapshot before = states_.state();
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      states_.take(test, i);
      out += i == 0 ? "\n      " : ",\n      ";
      out += dump(writer_.step(test, i, before, states_));
      before = states_.state();
    }
    out += test.steps.empty() ? "]}" : "\n    ]}";
    return out;
  }

  void items(const WrittenSuite& suite) {
    begin_list("items");
    for (std::size_t i = 0; i < report_.rules.items().size(); ++i) {
      const Item& item = report_.rules.items()[ItemId(i)];
      const Verdict& verdict = suite.verdicts()[i];
      if (verdict.status == ItemStatus::kNotCounted)
        continue;
      std::string names;
      for (const std::size_t test : suite.tests_of(ItemId(i)))
        names += (names.empty() ? "" : ",") + in_quotes(test_name(test));
      const bool covered = verdict.status == ItemStatus::kCovered;
      element(fmt::format(
          R"({{"id":{},"criterion":{},"label":{},"status":{},"depth":{},"tests":[{}]}})",
          in_quotes(item.id), in_quotes(report_.rules.criteria()[item.criterion].name),
          in_quotes(item.label), in_quotes(name_of(verdict.status)),
          covered ? fmt::to_string(verdict.depth) : "null", names));
    }
    end_list();
  }

  void criteria(const WrittenSuite& suite) {
    const std::vector<CriterionCounts> counts = count_items(report_.rules, suite.verdicts());
    begin_list("criteria");
    for (std::size_t i = 0; i < counts.size(); ++i)
      element(dump({{"name", report_.rules.criteria()[CriterionId(i)].name},
                    {"total", counts[i].total},
                    {"covered", counts[i].covered},
                    {"infeasible", counts[i].infeasible},
                    {"undecided", counts[i].undecided},
                    {"tokens", counts[i].tokens}}));
    end_list();
  }

  Json summary(const WrittenSuite& suite) const {
    Json out = {
        {"tests", suite.tests()}, {"steps", suite.steps()}, {"lower_bound", suite.lower_bound()}};
    if (network_.is_timed())
      out["duration"] = to_string(suite.duration());
    return out;
  }

  Json run() const {
    const SearchSummary& s = report_.search;
    Json phases = Json::array();
    for (const PhaseSummary& phase :
         report_.budget == nullptr ? std::vector<PhaseSummary>() : report_.budget->phases())
      phases.push_back({{"name", phase.name},
                        {"seconds", phase.seconds},
                        {"peak_memory_bytes", phase.peak_memory_bytes},
                        {"limit", or_null(phase.limit)}});
    return {{"seconds", s.seconds},
            {"peak_memory_bytes", s.peak_memory_bytes},
            {"bytes_per_state", s.bytes_per_state},
            {"phases", std::move(phases)}};
  }

  const Report& report_;
  const Network& network_;
  const StepWriter writer_;
  TestStates states_;
  Sink& sink_;
  bool any_member_ = false;
  bool any_element_ = false;  // of the current list
};

class SuiteJson final : public Exporter {
 public:
  std::size_t write(const Report& report, Sink& sink) const override {
    return SuiteWriter(report, sink).write();
  }
};

}  // namespace

std::unique_ptr<Exporter> make_suite_json() { return std::make_unique<SuiteJson>(); }

}  // namespace tw
