// The suite for scripts: JSON, version 1. docs/suite.schema.json and docs/formats.md say what is in
// it. Fields may be added, not renamed.
//
// Lists are written one element per line: the file stays readable, differences between two of them
// are differences of lines, and only one element at a time is held as a tree.

#include "exporters/report.hpp"
#include "exporters/step_json.hpp"

namespace tw {
namespace {

// Names come from files: bytes that are no UTF-8 must not make the writer throw.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json or_null(std::uint64_t value) { return value == 0 ? Json(nullptr) : Json(value); }

class SuiteWriter {
 public:
  explicit SuiteWriter(const Report& report)
      : report_(report),
        network_(report.network),
        writer_(report.network),
        states_(report.network) {}

  std::string write() {
    out_ = "{";
    member("format", "tracewright-suite");
    member("version", 1);
    member("model", model());
    member("options", options());
    member("search", search());
    criteria();
    items();
    member("suite", suite());
    member("initial", writer_.state(report_.suite.initial));
    begin_list("tests");
    for (std::size_t i = 0; i < report_.suite.tests.size(); ++i)
      test(i);
    end_list();
    out_ += "\n}\n";
    return std::move(out_);
  }

 private:
  void begin_member(std::string_view key) {
    out_ += out_.size() == 1 ? "\n  \"" : ",\n  \"";
    out_ += key;
    out_ += "\": ";
  }

  void member(std::string_view key, const Json& value) {
    begin_member(key);
    out_ += dump(value);
  }

  void begin_list(std::string_view key) {
    begin_member(key);
    out_ += '[';
    first_ = true;
  }

  void next_element() {
    out_ += first_ ? "\n    " : ",\n    ";
    first_ = false;
  }

  void end_list() { out_ += first_ ? "]" : "\n  ]"; }

  Json model() const {
    Json processes = Json::array();
    for (const Process& process : network_.processes)
      processes.push_back(process.name);
    return {{"file", report_.file}, {"sha256", report_.sha256}, {"processes", processes}};
  }

  Json options() const {
    const ReportOptions& o = report_.options;
    Json criteria = Json::array();
    for (const CriterionInfo& info : report_.rules.criteria()) {
      criteria.push_back({{"name", info.name}, {"options", info.options}});
      if (!info.file.empty())
        criteria.back()["file"] = info.file;
    }
    Json out = {{"criteria", criteria},     {"per", o.per},
                {"only", o.only},           {"vars", o.vars},
                {"def_use", o.def_use},     {"invariants", o.invariants},
                {"edge_init", o.edge_init}, {"pairing", o.pairing},
                {"observe", o.observe},     {"best_effort", o.best_effort},
                {"reduce", o.reduce},       {"optimise", o.optimise}};
    if (!o.observer.empty())
      out["observer"] = o.observer;
    // The text itself, so that a suite can be checked wherever the file is.
    if (!o.properties_file.empty())
      out["properties"] = {{"file", o.properties_file}, {"text", o.properties}};
    if (network_.is_timed())
      out["delays"] = o.delays;
    const Json rest = {{"subsumption", o.subsumption},
                       {"reset", o.reset},
                       {"full", o.full},
                       {"keep_dead", o.keep_dead},
                       {"stop", or_null(o.stop)},
                       {"on_error", o.on_error},
                       {"seed", o.seed},
                       {"max_states", or_null(o.max_states)},
                       {"max_memory_bytes", or_null(o.max_memory_bytes)},
                       {"time_limit_seconds",
                        o.time_limit_seconds > 0 ? Json(o.time_limit_seconds) : Json(nullptr)}};
    out.update(rest);
    return out;
  }

  Json search() const {
    const SearchSummary& s = report_.search;
    Json out = {{"algorithm", s.algorithm},
                {"order", s.order},
                {"exhaustive", s.exhaustive},
                {"states", s.states},
                {"expansions", s.expansions},
                {"transitions", s.transitions},
                {"tokens", s.tokens},
                {"depth", s.depth},
                {"bytes_per_state", s.bytes_per_state}};
    if (!report_.stable) {
      out["seconds"] = s.seconds;
      out["peak_memory_bytes"] = s.peak_memory_bytes;
    }
    out["limit"] = s.limit.empty() ? Json(nullptr) : Json(s.limit);
    return out;
  }

  void criteria() {
    const std::vector<CriterionCounts> counts = count_items(report_.rules, report_.verdicts);
    begin_list("criteria");
    for (std::size_t i = 0; i < counts.size(); ++i) {
      next_element();
      out_ += dump({{"name", report_.rules.criteria()[CriterionId(i)].name},
                    {"total", counts[i].total},
                    {"covered", counts[i].covered},
                    {"infeasible", counts[i].infeasible},
                    {"undecided", counts[i].undecided},
                    {"tokens", counts[i].tokens}});
    }
    end_list();
  }

  void items() {
    const std::vector<std::vector<std::size_t>> tests = tests_by_item(report_);
    begin_list("items");
    for (std::size_t i = 0; i < report_.rules.items().size(); ++i) {
      const Item& item = report_.rules.items()[ItemId(i)];
      const Verdict& verdict = report_.verdicts[i];
      if (verdict.status == ItemStatus::kNotCounted)
        continue;
      Json names = Json::array();
      for (const std::size_t test : tests[i])
        names.push_back(test_name(test));
      const bool covered = verdict.status == ItemStatus::kCovered;
      next_element();
      out_ += dump({{"id", item.id},
                    {"criterion", report_.rules.criteria()[item.criterion].name},
                    {"label", item.label},
                    {"status", name_of(verdict.status)},
                    {"depth", covered ? Json(verdict.depth) : Json(nullptr)},
                    {"tests", names}});
    }
    end_list();
  }

  Json suite() const {
    Json out = {{"tests", report_.suite.tests.size()},
                {"steps", report_.suite.steps()},
                {"lower_bound", report_.suite.lower_bound}};
    if (network_.is_timed())
      out["duration"] = to_string(report_.suite.duration());
    return out;
  }

  void test(std::size_t number) {
    const Test& test = report_.suite.tests[number];
    Json covers = Json::array();
    for (const ItemId item : covered_by(report_, test))
      covers.push_back(report_.rules.items()[item].id);
    Json entry = {{"id", test_name(number)}, {"length", test.length()}};
    if (network_.is_timed())
      entry["duration"] = to_string(test.duration());
    entry["covers"] = std::move(covers);
    next_element();
    std::string head = dump(entry);
    head.pop_back();  // the closing brace: steps follow
    out_ += head + ",\"steps\":[";
    states_.restart();
    for (std::size_t i = 0; i < test.steps.size(); ++i) {
      states_.take(test, i);
      out_ += i == 0 ? "\n      " : ",\n      ";
      out_ += dump(writer_.step(test, i, states_));
    }
    out_ += test.steps.empty() ? "]}" : "\n    ]}";
  }

  const Report& report_;
  const Network& network_;
  const StepWriter writer_;
  TestStates states_;
  std::string out_;
  bool first_ = true;  // no element of the current list is written yet
};

class SuiteJson final : public Exporter {
 public:
  [[nodiscard]] std::string write(const Report& report) const override {
    return SuiteWriter(report).write();
  }
};

}  // namespace

std::unique_ptr<Exporter> make_suite_json() { return std::make_unique<SuiteJson>(); }

}  // namespace tw
