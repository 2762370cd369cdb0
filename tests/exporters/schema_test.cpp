// docs/suite.schema.json describes what is written, and not just anything.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/exporters/sample.hpp"
#include "tests/exporters/timed_sample.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::StartsWith;
using nlohmann::json;

json written(const Report& report) {
  StringSink sink;
  make_exporter("json")->write(report, sink);
  return json::parse(sink.text());
}

// One answer per document: "valid" or "invalid: …".
std::vector<std::string> validate(const std::vector<json>& documents, const std::string& schema) {
  std::string folder = (fs::temp_directory_path() / "tracewright-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::string command = "python3 '" TW_SOURCE_DIR "/tests/exporters/validate.py' '" TW_SOURCE_DIR
                        "/docs/" +
                        schema + "'";
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const fs::path file = fs::path(folder) / (std::to_string(i) + ".json");
    std::ofstream(file) << documents[i].dump();
    command += " '" + file.string() + "'";
  }
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::vector<std::string> out(1);
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) {
    if (c == '\n')
      out.emplace_back();
    else
      out.back() += static_cast<char>(c);
  }
  out.pop_back();
  const int status = pclose(pipe);
  fs::remove_all(folder);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  REQUIRE(out.size() == documents.size());
  return out;
}

// The first ones are valid, the others are not.
void check(const std::vector<json>& documents,
           std::size_t valid,
           const std::string& schema = "suite.schema.json") {
  const std::vector<std::string> answers = validate(documents, schema);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    CAPTURE(i);
    if (i < valid)
      CHECK(answers[i] == "valid");
    else
      CHECK_THAT(answers[i], StartsWith("invalid: $"));
  }
}

TEST_CASE("the schema accepts what is written and refuses what is not", "[exporters][schema]") {
  const test::Sample sample;
  Report report = sample.report();
  const json good = written(report);
  report.stable = true;
  std::vector<json> documents = {good, written(report)};
  // What the program really wrote; the golden test keeps these files true.
  for (const char* file : {"small.edge.json", "small.all.json"}) {
    std::ifstream in(std::string(TW_SOURCE_DIR) + "/tests/golden/" + file);
    documents.push_back(json::parse(in));
  }
  const std::size_t valid = documents.size();
  const auto add = [&](const char* pointer, const json& value) {
    documents.push_back(good);
    documents.back()[json::json_pointer(pointer)] = value;
  };
  add("/version", 3);
  add("/tool/name", "");
  add("/model/sha256", "abc");
  add("/search/limit", "boredom");
  add("/items/0/status", "maybe");
  add("/items/0/depth", nullptr);              // covered: has a depth
  add("/items/1/tests", json::array({"T1"}));  // infeasible: has no tests
  add("/tests/0/id", "first");
  add("/tests/0/steps/0/edges", "none");
  add("/tests/0/steps/0/changes/variables/n", "two");
  add("/tests/0/steps/0/changes/more", json::object());
  add("/run/phases/0/seconds", -1);
  add("/initial/locations", json::array());
  for (const char* key : {"format", "tool", "model", "options", "search", "criteria", "items",
                          "suite", "initial", "tests"}) {
    documents.push_back(good);
    documents.back().erase(key);
  }
  check(documents, valid);
}

TEST_CASE("the schema accepts timed suites and refuses wrong times", "[exporters][schema]") {
  const test::TimedSample sample;
  const json good = written(sample.report());
  std::vector<json> documents = {good};
  std::ifstream in(TW_SOURCE_DIR "/tests/golden/timed.edge.json");
  documents.push_back(json::parse(in));
  const std::size_t valid = documents.size();
  const auto add = [&](const char* pointer, const json& value) {
    documents.push_back(good);
    documents.back()[json::json_pointer(pointer)] = value;
  };
  add("/options/delays", "never");
  add("/suite/duration", 7);
  add("/tests/0/duration", "1.5");
  add("/initial/clocks/x", 0);
  add("/tests/0/steps/0/changes/clocks", {{"x", "one"}});
  add("/tests/0/steps/0/delay/chosen", "7/0");
  add("/tests/0/steps/0/delay/chosen", nullptr);
  add("/tests/0/steps/0/delay/min", "-3");
  add("/tests/0/steps/0/delay/max", 3);
  add("/tests/0/steps/0/delay/margin", "much");
  add("/tests/0/steps/0/delay/min_strict", "no");
  add("/tests/0/steps/3/delay/max_strict", true);  // there is no limit
  documents.push_back(good);
  documents.back()["tests"][0]["steps"][0]["delay"].erase("margin");
  check(documents, valid);
}

TEST_CASE("the schema accepts comparisons and refuses others", "[exporters][schema]") {
  std::vector<json> documents;
  for (const char* file :
       {"small.compare.json", "timed.compare.json", "small.compare-limit.json"}) {
    std::ifstream in(std::string(TW_SOURCE_DIR) + "/tests/golden/" + file);
    documents.push_back(json::parse(in));
  }
  const json good = documents.front();
  const std::size_t valid = documents.size();
  const auto add = [&](const char* pointer, const json& value) {
    documents.push_back(good);
    documents.back()[json::json_pointer(pointer)] = value;
  };
  add("/version", 1);
  add("/tool/version", "");
  add("/models/0/sha256", "abc");
  add("/models/0/limit", "boredom");
  add("/models/0/criteria/0/suite/steps", -1);
  add("/models/0/criteria/0/growth/0", json::array({1, 2}));
  add("/models/0/criteria/0/problem", "also a problem");
  add("/models/0/mutants/list/0/status", "wounded");
  add("/mean/matrix/0/0", 101);
  add("/options/reduce", "somehow");
  for (const char* key : {"format", "tool", "options", "criteria", "models", "mean"}) {
    documents.push_back(good);
    documents.back().erase(key);
  }
  check(documents, valid, "comparison.schema.json");
}

}  // namespace
}  // namespace tw
