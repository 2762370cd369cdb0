// The formats of suites, from values built by hand.
#include <nlohmann/json.hpp>
#include <string>

#include <catch2/catch.hpp>

#include "engine/base/budget.hpp"
#include "exporters/report.hpp"
#include "exporters/suite_read.hpp"
#include "exporters/time_text.hpp"
#include "tests/exporters/sample.hpp"
#include "tests/exporters/timed_sample.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

std::string write(std::string_view format, const Report& report) {
  const std::unique_ptr<Exporter> exporter = make_exporter(format);
  REQUIRE(exporter != nullptr);
  StringSink sink;
  CHECK(exporter->write(report, sink) == report.suite.tests.size());
  return sink.take();
}

TEST_CASE("exporters: formats are found by name and no other", "[exporters]") {
  CHECK(exporters().size() == 3);
  for (const ExporterInfo& info : exporters())
    CHECK(make_exporter(info.name) != nullptr);
  CHECK(make_exporter("yaml") == nullptr);
  CHECK(make_exporter("") == nullptr);
}

TEST_CASE("suite JSON has the members of version 2 in their order", "[exporters][json]") {
  const test::Sample sample;
  const auto suite = nlohmann::ordered_json::parse(write("json", sample.report()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : suite.items())
    keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"format", "version", "tool", "model", "options", "initial",
                                         "tests", "items", "criteria", "suite", "search", "run"});
  CHECK(suite["tool"].dump() == R"({"name":"tracewright","version":"1.2.3"})");
  CHECK(suite["model"].dump() == R"({"file":"model.xta","sha256":"0123456789abcdef0123456789abcdef)"
                                 R"(0123456789abcdef0123456789abcdef","processes":["P","Q"]})");
  CHECK(suite["search"].dump() ==
        R"({"algorithm":"global","order":"bfs","exhaustive":false,"states":7,"expansions":8,)"
        R"("transitions":9,"tokens":1,"depth":3,"limit":"states"})");
  CHECK(suite["run"].dump() ==
        R"({"seconds":0.5,"peak_memory_bytes":4096,"bytes_per_state":24,"phases":[)"
        R"({"name":"search","seconds":0.25,"peak_memory_bytes":2048,"limit":"time"}]})");
  CHECK(suite["criteria"].dump() ==
        R"([{"name":"edge","total":3,"covered":1,"infeasible":1,"undecided":1,"tokens":0},)"
        R"({"name":"def-use","total":1,"covered":1,"infeasible":0,"undecided":0,"tokens":1}])");
  CHECK(suite["items"][0].dump() ==
        R"({"id":"edge:P.A.B","criterion":"edge","label":"P: A -> B","status":"covered",)"
        R"("depth":1,"tests":["T1","T2"]})");
  CHECK(suite["items"][1]["depth"].is_null());
  CHECK(suite["items"][1]["status"] == "infeasible");
  CHECK(suite["suite"].dump() == R"({"tests":2,"steps":3,"lower_bound":2})");
  CHECK(suite["initial"].dump() ==
        R"({"locations":{"P":"A","Q":"S"},"variables":{"n":0,"P.left":5}})");
  const auto& test = suite["tests"][0];
  CHECK(test["id"] == "T1");
  CHECK(test["length"] == 2);
  CHECK(test["covers"].dump() == R"(["edge:P.A.B","def-use:n:A.B:B.A"])");
  CHECK(test["steps"][0].dump() ==
        R"({"channel":"go[2]","edges":[)"
        R"({"process":"P","edge":"A.B","source":"A","target":"B","select":{"i":2}},)"
        R"({"process":"Q","edge":"S.S","source":"S","target":"S","select":{"k":2}}],)"
        R"("changes":{"locations":{"P":"B"},"variables":{"n":2}}})");
  CHECK(test["steps"][1]["changes"].dump() ==
        R"({"locations":{"P":"A"},"variables":{"P.left":4}})");
  CHECK_FALSE(test["steps"][1].contains("channel"));
  CHECK(suite["tests"][1]["steps"][0]["edges"][0]["edge"] == "A.B.2");
}

TEST_CASE("suite JSON: stable leaves out how the run went, nothing else", "[exporters][json]") {
  const test::Sample sample;
  Report report = sample.report();
  json with = json::parse(write("json", report));
  report.stable = true;
  const json without = json::parse(write("json", report));
  CHECK(with.erase("run") == 1);
  CHECK(with == without);
}

TEST_CASE("a limit that is met while a suite is written leaves a file that is whole and true",
          "[exporters][json]") {
  const test::Sample sample;
  const Report report = sample.report();
  int asked = 0;
  Budget budget({.most = {},
                 .interrupted = [&asked](std::string_view) { return ++asked > 2; },
                 .now = {},
                 .resident = {}});
  const BudgetScope scope(&budget);
  const Budget::Phase phase(budget, "writing");
  StringSink sink;
  const std::size_t written = make_exporter("json")->write(report, sink);
  CHECK(written < report.suite.tests.size());
  const json suite = json::parse(sink.text());
  CHECK(suite.at("tests").size() == written);
  CHECK(suite.at("suite").at("tests") == written);
  CHECK(suite.at("suite").at("lower_bound") == 0);
  if (written == 0)
    for (const json& item : suite.at("items"))
      CHECK(item.at("status") != "covered");
  StringSink text;
  CHECK(make_exporter("text")->write(report, text) == 0);
  CHECK_THAT(text.text(), Contains("2 tests left out: a limit was reached"));
}

TEST_CASE("suite JSON survives names that are no UTF-8", "[exporters][json]") {
  const test::Sample sample;
  Report report = sample.report();
  report.file = "caf\xE9.xta";
  CHECK(json::parse(write("json", report)).at("model").at("file") == "caf\uFFFD.xta");
}

TEST_CASE("suite JSON of an empty suite is complete", "[exporters][json]") {
  const test::Sample sample;
  const CoverageRules rules;
  const std::vector<Verdict> verdicts;
  const Suite suite;
  const Report full = sample.report();
  const Report report{.network = full.network,
                      .file = "m",
                      .source = full.source,
                      .sha256 = "",
                      .rules = rules,
                      .verdicts = verdicts,
                      .suite = suite};
  const json written = json::parse(write("json", report));
  CHECK(written.at("items") == json::array());
  CHECK(written.at("tests") == json::array());
  CHECK_THAT(write("text", report), Contains("0 tests, 0 steps\n"));
  CHECK(write("csv", report) == "id,criterion,status,depth,tests,label\n");
}

TEST_CASE("suite text shows the tests, what is not covered, and counts", "[exporters][text]") {
  const test::Sample sample;
  CHECK(
      write("text", sample.report()) ==
      "Initial state\n"
      "  P in A, Q in S\n"
      "  n = 0, P.left = 5\n"
      "\n"
      "T1: 2 steps, covers 2 items\n"
      "   1  go[2]  P: A -> B [i = 2], Q: S -> S [k = 2]\n"
      "               n = 2 (was 0)\n"
      "   2         P: B -> A\n"
      "               P.left = 4 (was 5)\n"
      "\n"
      "T2: 1 step, covers 1 item, 0 of them new\n"
      "   1  P: A -> B #2\n"
      "\n"
      "Infeasible: no run covers them\n"
      "  P: A -> B, the second\n"
      "      edge:P.A.B.2\n"
      "\n"
      "Undecided: the limit of states was reached first\n"
      "  P: B -> A\n"
      "      edge:P.B.A\n"
      "\n"
      "criterion              covered  infeasible  undecided  total\n"
      "edge                         1           1          1      3   50.0 % of what is feasible\n"
      "def-use (sequential)         1           0          0      1   100.0 % of what is feasible\n"
      "\n"
      "model.xta: 7 states, then the limit of states was reached\n"
      "2 tests, 3 steps; no suite with this coverage has fewer than 2 (gap 1)\n");
}

TEST_CASE("suite text says when to take a step, and only where there is a choice",
          "[exporters][text][time]") {
  const test::TimedSample sample;
  CHECK(write("text", sample.report()) ==
        "Initial state\n"
        "  P in A\n"
        "\n"
        "T1: 5 steps, 119/6 time units, covers 1 item\n"
        "      wait 12.5 ± 2.5 (10 to 20)\n"
        "   1  P: A -> A\n"
        "   2  P: A -> A\n"
        "      wait 5 exactly\n"
        "   3  P: A -> A\n"
        "      wait 7/3 (more than 2)\n"
        "   4  P: A -> A\n"
        "      wait 0 (less than 4)\n"
        "   5  P: A -> A\n"
        "\n"
        "criterion   covered  infeasible  undecided  total\n"
        "edge              1           0          0      1   100.0 % of what is feasible\n"
        "\n"
        "timed.xta: 2 symbolic states were enough\n"
        "1 test, 5 steps, 119/6 time units\n");
}

TEST_CASE("times are decimal fractions where these are exact and short", "[exporters][time]") {
  const auto words = [](long numerator, long denominator) {
    return describe_time(fraction(numerator, denominator));
  };
  CHECK(words(0, 1) == "0");
  CHECK(words(47, 1) == "47");
  CHECK(words(1200, 1) == "1200");
  CHECK(words(25, 2) == "12.5");
  CHECK(words(1, 16) == "0.0625");
  CHECK(words(3, 100) == "0.03");
  CHECK(words(-5, 2) == "-2.5");
  CHECK(words(1, 32) == "1/32");
  CHECK(words(7, 3) == "7/3");
  CHECK(describe_duration(1) == "1 time unit");
  CHECK(describe_duration(fraction(1, 2)) == "0.5 time units");
}

TEST_CASE("a delay in words shows strict ends and missing ones", "[exporters][time]") {
  const auto words = [](const Delay& delay) { return describe_delay(delay); };
  CHECK(words({.max = 0}).empty());
  CHECK(words({.chosen = 3}) == "wait 3 (any time)");
  CHECK(words({.chosen = 3, .min = 2}) == "wait 3 (2 or more)");
  CHECK(words({.chosen = 3, .min = 2, .min_strict = true}) == "wait 3 (more than 2)");
  CHECK(words({.chosen = 3, .min = 0, .min_strict = true}) == "wait 3 (more than 0)");
  CHECK(words({.chosen = 3, .max = 4}) == "wait 3 (up to 4)");
  CHECK(words({.chosen = 3, .max = 4, .max_strict = true}) == "wait 3 (less than 4)");
  CHECK(words({.chosen = 3, .min = 2, .max = 4, .margin = 1}) == "wait 3 ± 1 (2 to 4)");
  CHECK(words({.chosen = 3, .min = 2, .min_strict = true, .max = 4}) ==
        "wait 3 (more than 2, up to 4)");
  CHECK(words({.chosen = 3, .min = 2, .max = 4, .max_strict = true}) ==
        "wait 3 (2 or more, less than 4)");
  CHECK(words({.chosen = 3, .min = 2, .min_strict = true, .max = 4, .max_strict = true}) ==
        "wait 3 (more than 2, less than 4)");
}

TEST_CASE("suite JSON has times where there are clocks, and nowhere else",
          "[exporters][json][time]") {
  const test::TimedSample timed;
  const auto suite = nlohmann::ordered_json::parse(write("json", timed.report()));
  CHECK(suite["options"]["delays"] == "robust");
  CHECK(suite["suite"].dump() == R"({"tests":1,"steps":5,"lower_bound":0,"duration":"119/6"})");
  CHECK(suite["initial"].dump() ==
        R"({"locations":{"P":"A"},"variables":{},"clocks":{"x":"0","y":"3"}})");
  const auto& test = suite["tests"][0];
  CHECK(test["duration"] == "119/6");
  CHECK(test["steps"][0]["delay"].dump() ==
        R"({"chosen":"25/2","min":"10","min_strict":false,"max":"20","max_strict":false,)"
        R"("margin":"5/2"})");
  CHECK(test["steps"][0]["changes"].dump() == "{}");  // both clocks just go on
  CHECK(test["steps"][3]["delay"].dump() ==
        R"({"chosen":"7/3","min":"2","min_strict":true,"max":null,"max_strict":false,)"
        R"("margin":"0"})");
  const test::Sample untimed;
  const std::string text = write("json", untimed.report());
  for (const char* word : {"delay", "clocks", "duration"})
    CHECK_THAT(text, !Contains(word));
}

TEST_CASE("a percentage is rounded down: only all is 100 %", "[exporters]") {
  CHECK(CriterionCounts{.total = 100'000, .covered = 99'999}.permille() == 999);
  CHECK(CriterionCounts{.total = 3, .covered = 2, .infeasible = 1}.permille() == 1000);
  CHECK(CriterionCounts{.total = 2, .infeasible = 2}.permille() == 1000);
  CHECK(CriterionCounts{.total = 3, .covered = 1}.permille() == 333);
}

TEST_CASE("items as CSV are quoted where they must be", "[exporters][csv]") {
  const test::Sample sample;
  CHECK(write("csv", sample.report()) ==
        "id,criterion,status,depth,tests,label\n"
        "edge:P.A.B,edge,covered,1,T1 T2,P: A -> B\n"
        "edge:P.A.B.2,edge,infeasible,,,\"P: A -> B, the second\"\n"
        "edge:P.B.A,edge,undecided,,,P: B -> A\n"
        "def-use:n:A.B:B.A,def-use,covered,2,T1,\"n, from \"\"A -> B\"\" to B -> A\"\n");
}

// Everything that was read.
class Tests final : public SuiteTests {
 public:
  struct Whole {
    SuiteFile::Test test;
    std::vector<SuiteFile::Step> steps;
  };

  void begin_test() override { all.emplace_back(); }
  void step(SuiteFile::Step step) override { all.back().steps.push_back(std::move(step)); }
  void end_test(SuiteFile::Test test) override { all.back().test = std::move(test); }

  std::vector<Whole> all;
};

struct Read {
  std::optional<SuiteFile> suite;
  Tests tests;
  SuiteProblems problems;
};

std::unique_ptr<Read> read(std::string text) {
  auto out = std::make_unique<Read>();
  const SuiteSource source = SuiteSource::from_text("suite.json", std::move(text));
  out->suite = read_suite(source, out->problems);
  if (out->suite && !read_tests(source, *out->suite, out->tests, out->problems))
    out->suite.reset();
  CHECK(out->suite.has_value() != out->problems.diagnostics.has_errors());
  return out;
}

std::vector<std::string> errors_of(std::string text) {
  std::vector<std::string> out;
  const std::unique_ptr<Read> result = read(std::move(text));
  for (const Diagnostic& d : result->problems.diagnostics.all())
    out.push_back(d.message);
  return out;
}

TEST_CASE("a suite that was written can be read", "[exporters][read]") {
  const test::Sample sample;
  const std::unique_ptr<Read> result = read(write("json", sample.report()));
  REQUIRE(result->suite.has_value());
  const SuiteFile& suite = *result->suite;
  CHECK(suite.version == 2);
  CHECK(suite.tool == "tracewright");
  CHECK(suite.tool_version == "1.2.3");
  CHECK(suite.model == "model.xta");
  CHECK_THAT(suite.sha256, StartsWith("01234567"));
  CHECK(suite.processes == std::vector<std::string>{"P", "Q"});
  REQUIRE(suite.options.criteria.size() == 2);
  CHECK(suite.options.criteria[1].name == "def-use");
  CHECK(suite.options.criteria[1].options == "sequential");
  REQUIRE(suite.search.has_value());
  CHECK(suite.search->states == 7U);
  CHECK(suite.search->limit == "states");
  REQUIRE(suite.criteria.has_value());
  CHECK(suite.criteria->at(0).infeasible == 1U);
  CHECK(suite.summary.lower_bound == 2U);
  CHECK(suite.items.size() == 4);
  CHECK(suite.items[0].depth == 1U);
  CHECK(suite.items[1].says_depth);
  CHECK_FALSE(suite.items[1].depth.has_value());
  const std::vector<Tests::Whole>& tests = result->tests.all;
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].test.id == "T1");
  CHECK(tests[0].test.length == 2U);
  CHECK(tests[0].test.covers == std::vector<std::string>{"edge:P.A.B", "def-use:n:A.B:B.A"});
  REQUIRE(tests[0].steps.size() == 2);
  const SuiteFile::Step& step = tests[0].steps[0];
  CHECK(step.channel == "go[2]");
  REQUIRE(step.edges.size() == 2);
  CHECK(step.edges[1].process == "Q");
  CHECK(step.edges[1].edge == "S.S");
  CHECK(step.edges[1].select == std::vector<std::pair<std::string, std::int32_t>>{{"k", 2}});
  CHECK(step.state.variables == std::vector<std::pair<std::string, std::int32_t>>{{"n", 2}});
}

TEST_CASE("a suite of version 1 can be read, with whole states", "[exporters][read]") {
  const test::Sample sample;
  json written = json::parse(write("json", sample.report()));
  written["version"] = 1;
  written.erase("tool");
  for (json& test : written["tests"])
    for (json& step : test["steps"]) {
      step.erase("changes");
      step["state"] = {{"locations", {{"P", "B"}}}, {"variables", {{"n", 2}, {"P.left", 5}}}};
    }
  const std::unique_ptr<Read> result = read(written.dump());
  REQUIRE(result->suite.has_value());
  CHECK_FALSE(result->suite->has_changes());
  CHECK(result->tests.all[0].steps[0].state.variables ==
        std::vector<std::pair<std::string, std::int32_t>>{{"P.left", 5}, {"n", 2}});
}

TEST_CASE("the order of keys does not matter, and no key may be given twice", "[exporters][read]") {
  const test::Sample sample;
  const std::string good = write("json", sample.report());
  // The library sorts keys: "covers" before "id", "criteria" before "format".
  CHECK(read(json::parse(good).dump())->suite.has_value());
  const auto with = [&](const std::string& before, const std::string& more) {
    std::string text = good;
    text.insert(text.find(before), more);
    return errors_of(text);
  };
  using Errors = std::vector<std::string>;
  CHECK(with("\"version\"", "\"format\": 1, ") == Errors{"the key 'format' is given twice"});
  CHECK(with("\"length\"", "\"id\": \"T9\", ") == Errors{"the key 'tests[0].id' is given twice"});
  CHECK(with("\"edges\"", "\"edges\": [], ") ==
        Errors{"the key 'tests[0].steps[0].edges' is given twice"});
  CHECK(with("\"sha256\"", "\"file\": \"\", ") == Errors{"the key 'model.file' is given twice"});
}

TEST_CASE("what is no JSON is shown where it stands", "[exporters][read]") {
  const auto shown = [](std::string text) {
    const std::unique_ptr<Read> result = read(std::move(text));
    return result->problems.render_all("suite.json");
  };
  CHECK(shown("{\n  \"format\": nonsense\n}\n") ==
        "suite.json:2:14: error: this is not JSON\n"
        "  2 |   \"format\": nonsense\n"
        "    |              ^\n"
        "  hint: suites are written by: tracewright generate MODEL --format json\n");
  // Of a line that has no end only a piece is shown, and its column is right.
  const std::string wide = "{\"x\": \"" + std::string(10'000, '.') + "\", ?}";
  CHECK_THAT(shown(wide), StartsWith("suite.json:1:10011: error: this is not JSON\n  1 | ...."));
  CHECK(shown(wide).size() < 500);
}

TEST_CASE("a timed suite that was written can be read", "[exporters][read][time]") {
  const test::TimedSample sample;
  json written = json::parse(write("json", sample.report()));
  written["tests"][0]["steps"][1]["delay"] = {{"chosen", "4/2"}};
  written["initial"]["clocks"]["y"] = "-3";
  const std::unique_ptr<Read> result = read(written.dump());
  REQUIRE(result->suite.has_value());
  CHECK(result->suite->initial.clocks ==
        std::vector<std::pair<std::string, Rational>>{{"x", 0}, {"y", -3}});
  const std::vector<SuiteFile::Step>& steps = result->tests.all[0].steps;
  REQUIRE(steps[0].delay.has_value());
  CHECK(steps[0].delay->chosen == fraction(25, 2));
  CHECK(steps[0].delay->min == Rational(10));
  CHECK(steps[0].delay->max == Rational(20));
  CHECK(steps[0].delay->margin == fraction(5, 2));
  CHECK(steps[3].delay->min_strict);
  CHECK(steps[3].delay->says_max);
  CHECK_FALSE(steps[3].delay->max.has_value());
  REQUIRE(steps[1].delay.has_value());
  CHECK(steps[1].delay->chosen == 2);
  CHECK_FALSE(steps[1].delay->min.has_value());
  CHECK_FALSE(steps[1].delay->says_max);
  CHECK_FALSE(steps[1].delay->margin.has_value());
}

TEST_CASE("reading names the path of a time that is wrong", "[exporters][read][time]") {
  const test::TimedSample sample;
  const json good = json::parse(write("json", sample.report()));
  const auto errors_with = [&](const char* pointer, const json& value) {
    json changed = good;
    changed[json::json_pointer(pointer)] = value;
    return errors_of(changed.dump());
  };
  using Errors = std::vector<std::string>;
  CHECK(errors_with("/tests/0/steps/0/delay", 3) ==
        Errors{"tests[0].steps[0].delay: expected an object, found a number"});
  CHECK(errors_with("/tests/0/steps/0/delay/chosen", 12.5) ==
        Errors{"tests[0].steps[0].delay.chosen: expected a time such as \"7/2\", found a number"});
  CHECK(errors_with("/tests/0/steps/0/delay/min", "1.5") ==
        Errors{"tests[0].steps[0].delay.min: expected a time such as \"7/2\", found '1.5'"});
  CHECK(errors_with("/tests/0/steps/0/delay/margin", "-1/2") ==
        Errors{"tests[0].steps[0].delay.margin: a time cannot be negative"});
  CHECK(errors_with("/tests/0/steps/0/delay/max_strict", 1) ==
        Errors{"tests[0].steps[0].delay.max_strict: expected a boolean, found a number"});
  CHECK(errors_with("/initial/clocks/x", nullptr) ==
        Errors{"initial.clocks.x: expected a time such as \"7/2\", found null"});
  CHECK(errors_with("/initial/clocks", "none") ==
        Errors{"initial.clocks: expected an object, found a string"});
  for (const char* text : {"", "x", "1/0", "1/", "/2", " 1", "1 ", "+1", "1e3", "--1", "1/2/3"}) {
    CAPTURE(text);
    CHECK(errors_with("/tests/0/steps/0/delay/chosen", text).size() == 1);
  }
  CHECK(errors_with("/tests/0/steps/0/delay/chosen", std::string(100'000, '7')).size() == 1);
  json without = good;
  without["tests"][0]["steps"][0]["delay"].erase("chosen");
  CHECK(errors_of(without.dump()) == Errors{"tests[0].steps[0].delay: 'chosen' is missing"});
}

TEST_CASE("reading names the path of what is wrong", "[exporters][read]") {
  const test::Sample sample;
  const json good = json::parse(write("json", sample.report()));
  const auto errors_with = [&](const char* pointer, const json& value) {
    json changed = good;
    changed[json::json_pointer(pointer)] = value;
    return errors_of(changed.dump());
  };
  using Errors = std::vector<std::string>;
  CHECK(errors_with("/tests/1/steps", 3) ==
        Errors{"tests[1].steps: expected a list, found a number"});
  CHECK(errors_with("/tests/0/steps/1/edges/0", "x") ==
        Errors(4, "tests[0].steps[1].edges[0]: expected an object, found a string"));
  CHECK(errors_with("/tests/0/steps/0/changes/variables/n", 1.5) ==
        Errors{"tests[0].steps[0].changes.variables.n: expected a whole number of 32 bits, found a "
               "number"});
  CHECK(errors_with("/initial/variables/n", 18446744073709551615U).size() == 1);
  CHECK(errors_with("/initial/variables/n", -2147483649).size() == 1);
  CHECK(errors_with("/version", 3) ==
        Errors{"version: expected 1 to 2, the versions this program reads"});
  CHECK(errors_with("/search/states", -1) ==
        Errors{"search.states: expected a whole number that is not negative, found a number"});
  CHECK(errors_with("/format", "other") == Errors{"format: expected \"tracewright-suite\""});
  json without = good;
  without["tests"][0].erase("covers");
  without.erase("initial");
  CHECK(errors_of(without.dump()) == Errors{"'initial' is missing"});
  without["initial"] = good["initial"];
  CHECK(errors_of(without.dump()) == Errors{"tests[0]: 'covers' is missing"});
  without.erase("tests");
  CHECK(errors_of(without.dump()) == Errors{"'tests' is missing"});
}

TEST_CASE("reading survives any text", "[exporters][read]") {
  for (const char* text :
       {"", "{", "[]", "null", "7", "\"", "{\"format\":", "\xFF\xFE", "{\"format\":1}",
        "{\"format\":\"tracewright-suite\"}", "1e999", "[1e99999]", "{}garbage"}) {
    CAPTURE(text);
    CHECK_FALSE(errors_of(text).empty());
  }
  CHECK(errors_of(std::string(1'000'000, '[')) == std::vector<std::string>{"this is not JSON"});
  CHECK(errors_of("\"" + std::string(1000, '[') + "\\\"[\"") ==
        std::vector<std::string>{"expected an object, found a string"});
  // Every prefix and every single changed byte of a good file is refused or read, never worse.
  const test::Sample sample;
  const std::string good = write("json", sample.report());
  // Without the line end it is still whole.
  for (std::size_t i = 0; i + 1 < good.size(); i += 7) {
    CHECK_FALSE(errors_of(good.substr(0, i)).empty());
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x15);
    (void)errors_of(changed);
  }
}

}  // namespace
}  // namespace tw
