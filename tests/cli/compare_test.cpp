// tracewright compare: the tables, and what may go wrong.
#include <nlohmann/json.hpp>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using test::Outcome;
using test::run;

class Workspace : public test::Workspace {
 public:
  Workspace() {
    for (const std::string name : {"small.xta", "timed.xta"})
      write(name, test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/" + name));
  }

  [[nodiscard]] json compare(const std::string& arguments, int code = 0) const {
    const Outcome outcome = run(*this, "compare " + arguments + " --format json --stable");
    INFO(outcome.err);
    REQUIRE(outcome.code == code);
    return json::parse(outcome.out);
  }
};

TEST_CASE("compare: every suite covers all of its own criterion", "[cli][compare]") {
  const Workspace workspace;
  const json report = workspace.compare("small.xta timed.xta -c all");
  CHECK(report.at("format") == "tracewright-comparison");
  REQUIRE(report.at("models").size() == 2);
  for (const json& model : report.at("models")) {
    for (std::size_t i = 0; i < model.at("criteria").size(); ++i) {
      const json& criterion = model.at("criteria").at(i);
      CAPTURE(model.at("file"), criterion.at("name"));
      if (criterion.contains("problem"))
        continue;
      const json& own = criterion.at("suite").at("coverage").at(i);
      CHECK(own.at("criterion") == criterion.at("name"));
      CHECK(own.at("covered") == own.at("feasible"));
      CHECK(own.at("feasible") ==
            criterion.at("items").get<int>() - criterion.at("infeasible").get<int>());
      CHECK(criterion.at("undecided") == 0);
    }
    const json& all = model.at("combinations").back();
    CHECK(all.at("name") == "all");
    CHECK(all.at("suite").at("mean_percent") == 100.0);
    CHECK(model.at("all_at_once").at("mean_percent") == 100.0);
    const json& mutants = model.at("mutants");
    CHECK(mutants.at("total").get<int>() > 10);
    CHECK(mutants.at("list").size() == mutants.at("total"));
    CHECK(mutants.at("killed").get<int>() + mutants.at("killable").get<int>() +
              mutants.at("equivalent").get<int>() + mutants.at("undecided").get<int>() ==
          mutants.at("total"));
  }
}

TEST_CASE("compare: the counts are those of generate", "[cli][compare]") {
  const Workspace workspace;
  const json model = workspace.compare("small.xta -c edge,def-use").at("models").at(0);
  for (const json& criterion : model.at("criteria")) {
    const std::string name = criterion.at("name");
    REQUIRE(run(workspace, "generate small.xta --reduce cover --format json -o s.json -c " + name)
                .code == 0);
    const json suite = json::parse(workspace.read("s.json"));
    CHECK(criterion.at("suite").at("tests") == suite.at("suite").at("tests"));
    CHECK(criterion.at("suite").at("steps") == suite.at("suite").at("steps"));
    CHECK(criterion.at("suite").at("expansions") == suite.at("search").at("expansions"));
    CHECK(criterion.at("infeasible") == suite.at("criteria").at(0).at("infeasible"));
  }
  // The matrix is what measure says.
  REQUIRE(
      run(workspace, "generate small.xta --reduce cover --format json -o s.json -c edge").code ==
      0);
  const json measured = json::parse(
      run(workspace, "measure small.xta s.json -c def-use --explore --format json").out);
  CHECK(model.at("criteria").at(0).at("suite").at("coverage").at(1).at("covered") ==
        measured.at("merged").at("criteria").at(0).at("covered"));
}

TEST_CASE("compare: same input, same bytes, however many threads", "[cli][compare]") {
  const Workspace workspace;
  for (const std::string format : {"text", "json", "csv"}) {
    const std::string arguments = "compare small.xta timed.xta -c all --stable --format " + format;
    const Outcome one = run(workspace, arguments + " --jobs 1 --svg one.svg");
    CHECK(one.code == 0);
    CHECK(run(workspace, arguments + " --jobs 4 --svg four.svg").out == one.out);
    CHECK(workspace.read("one.svg") == workspace.read("four.svg"));
  }
  CHECK_THAT(workspace.read("one.svg"),
             Contains("<svg ") && Contains("</svg>") && Contains("edge-init"));
}

TEST_CASE("compare: what cannot be compared is marked, the rest is done", "[cli][compare]") {
  const Workspace workspace;
  workspace.write("broken.xta", "process P( { }");
  json report = workspace.compare("broken.xta small.xta missing.xta -c edge", 3);
  REQUIRE(report.at("models").size() == 3);
  CHECK(report.at("models").at(0).contains("problem"));
  CHECK(report.at("models").at(1).at("criteria").size() == 1);
  CHECK(report.at("models").at(2).contains("problem"));
  std::string guard = "v == 0";
  for (int i = 1; i < 70; ++i)
    guard += " || v == " + std::to_string(i);
  workspace.write("wide.xta",
                  "int[0,100] v;\nprocess P() { state a, b; init a; trans a -> b { guard " + guard +
                      "; }; }\nsystem P;\n");
  report = workspace.compare("wide.xta -c edge,coc");
  CHECK_FALSE(report.at("models").at(0).at("criteria").at(0).contains("problem"));
  CHECK(report.at("models").at(0).at("criteria").at(1).contains("problem"));
  const Outcome text = run(workspace, "compare wide.xta -c edge,coc");
  CHECK_THAT(text.out, Contains("n/a") && Contains("coc cannot be used here: "));
  const Outcome limited = run(workspace, "compare small.xta -c edge,def-use --max-states 2");
  CHECK(limited.code == 4);
  CHECK_THAT(limited.out, Contains("the search was stopped"));
}

TEST_CASE("compare: combinations and mutants can be chosen", "[cli][compare]") {
  const Workspace workspace;
  json model =
      workspace.compare("small.xta -c edge,location,pc --combine edge+location,pc --mutants 7")
          .at("models")
          .at(0);
  CHECK(model.at("combinations").size() == 2);
  CHECK(model.at("combinations").at(0).at("members") == json::array({"edge", "location"}));
  CHECK(model.at("mutants").at("total") == 7);
  model = workspace.compare("small.xta -c edge --mutants none").at("models").at(0);
  CHECK(model.at("mutants").at("total") == 0);
  const Outcome unknown = run(workspace, "compare small.xta -c edge,pc --combine edge+cc");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("'cc' is not among the criteria"));
  CHECK(run(workspace, "compare small.xta --mutants some").code == 2);
  CHECK(run(workspace, "compare").code == 2);
}

}  // namespace
}  // namespace tw
