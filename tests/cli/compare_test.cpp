// tracewright compare: the tables, and what may go wrong.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
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

std::string sha256_of(const Workspace& workspace, const std::string& file) {
  return workspace.compare(file + " -c edge --mutants none").at("models").at(0).at("sha256");
}

double attribute(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(" " + name + "=\"");
  REQUIRE(at != std::string::npos);
  return std::stod(text.substr(at + name.size() + 3));
}

// No text begins, ends or stands outside the view box. Letters of DejaVu Sans are about 0.57 of
// their size wide.
void check_inside(const std::string& svg) {
  std::istringstream box(svg.substr(svg.find("viewBox=\"") + 9));
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
  box >> left >> top >> width >> height;
  std::istringstream lines(svg);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find("<text ");
    if (begin == std::string::npos)
      continue;
    CAPTURE(line);
    const std::size_t end = line.find('>', begin);
    const std::string tag = line.substr(begin, end - begin);
    const std::string what = line.substr(end + 1, line.find('<', end) - end - 1);
    const double length = 0.57 * attribute(tag, "font-size") * static_cast<double>(what.size());
    const bool upright = tag.find("rotate") != std::string::npos;
    const double shift = tag.find("\"middle\"") != std::string::npos ? length / 2
                         : tag.find("\"end\"") != std::string::npos  ? length
                                                                     : 0;
    const double x = attribute(tag, "x");
    const double y = attribute(tag, "y");
    CHECK(x >= left);
    CHECK(y >= top);
    CHECK(x <= left + width);
    CHECK(y <= top + height);
    if (upright) {
      CHECK(y + shift - length >= top);
      CHECK(y + shift <= top + height);
    } else {
      CHECK(x - shift >= left);
      CHECK(x - shift + length <= left + width);
    }
  }
}

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

// The counts of compare, generate and measure on one model, for these criteria.
void check_counts(const Workspace& workspace,
                  const std::string& file,
                  const std::string& list,
                  const std::string& options = "") {
  CAPTURE(file);
  const json model = workspace.compare(file + " --mutants none --combine all -c " + list + options)
                         .at("models")
                         .at(0);
  for (std::size_t i = 0; i < model.at("criteria").size(); ++i) {
    const json& criterion = model.at("criteria").at(i);
    const std::string name = criterion.at("name");
    CAPTURE(name);
    // The reduction is the default one, as everything else.
    // Nothing that is feasible is no mistake here.
    REQUIRE(run(workspace, "generate " + file + " --format json -o s.json -q -c " + name + options)
                .code <= 1);
    const json suite = json::parse(workspace.read("s.json"));
    CHECK(criterion.at("suite").at("tests") == suite.at("suite").at("tests"));
    CHECK(criterion.at("suite").at("steps") == suite.at("suite").at("steps"));
    CHECK(criterion.at("suite").value("duration", "") == suite.at("suite").value("duration", ""));
    CHECK(criterion.at("suite").at("expansions") == suite.at("search").at("expansions"));
    CHECK(criterion.at("items") == suite.at("criteria").at(0).at("total"));
    CHECK(criterion.at("infeasible") == suite.at("criteria").at(0).at("infeasible"));
    CHECK(criterion.at("undecided") == suite.at("criteria").at(0).at("undecided"));
    // The row of the matrix is what measure says.
    const json measured =
        json::parse(run(workspace, "measure " + file + " s.json -q --explore --format json -c " +
                                       list + options)
                        .out);
    for (std::size_t k = 0; k < model.at("criteria").size(); ++k) {
      const json& share = criterion.at("suite").at("coverage").at(k);
      const json& counts = measured.at("merged").at("criteria").at(k);
      CAPTURE(share.at("criterion"));
      CHECK(share.at("criterion") == counts.at("name"));
      CHECK(share.at("covered") == counts.at("covered"));
      CHECK(share.at("feasible") ==
            counts.at("total").get<int>() - counts.at("infeasible").get<int>());
    }
    // It grows to what it covers in the end, in no more than its steps.
    const json& growth = criterion.at("growth");
    if (growth.empty())
      continue;
    std::uint64_t all = 0;
    for (const json& share : criterion.at("suite").at("coverage"))
      all += share.at("covered").get<std::uint64_t>();
    CHECK(growth.back().at(0) <= suite.at("suite").at("steps"));
    CHECK(growth.back().at(1) == criterion.at("suite").at("coverage").at(i).at("covered"));
    CHECK(growth.back().at(2) == all);
    for (std::size_t k = 1; k < growth.size(); ++k) {
      CHECK(growth.at(k - 1).at(0) < growth.at(k).at(0));
      CHECK(growth.at(k - 1).at(2) < growth.at(k).at(2));
    }
  }
}

TEST_CASE("compare: the counts are those of generate and of measure", "[cli][compare]") {
  const Workspace workspace;
  check_counts(workspace, "small.xta", "edge,def-use,cacc,edge-pair");
  check_counts(workspace, "timed.xta", "edge,def-use,pc");
  // Both halves of pairs, wherever in the suite.
  check_counts(workspace, "small.xta", "cacc,racc", " --pairing suite");
}

TEST_CASE("compare: shipped models count alike in generate and measure", "[cli][compare]") {
  const Workspace workspace;
  for (const std::string name :
       {"coffee_machine/coffee_machine.xml", "cruise_control/cruise_control.xml",
        "train_gate/train_gate.xml", "vending_machine/vending_machine.xml",
        "light_switch/light_switch.xml", "peterson/peterson.xml", "lift/lift.xml",
        "train_gate_1994/train_gate_1994.xml", "alternating_bit/alternating_bit.xml",
        "wiper/wiper.xml"}) {
    const std::string file = std::string(TW_SOURCE_DIR) + "/models/" + name;
    if (test::fs::exists(file))
      check_counts(workspace, file, "edge,pc,all-defs");
    else
      FAIL_CHECK("there is no " << file);
  }
}

TEST_CASE("compare: same input, same bytes, however many threads", "[cli][compare]") {
  const Workspace workspace;
  for (const std::string format :
       {"text", "json", "csv", "latex", "svg", "svg-score", "svg-steps"}) {
    CAPTURE(format);
    const std::string arguments = "compare small.xta timed.xta -c all --stable --format " + format;
    const Outcome one = run(workspace, arguments + " --jobs 1 --svg one.svg");
    CHECK(one.code == 0);
    CHECK(run(workspace, arguments + " --jobs 4 --svg four.svg").out == one.out);
    CHECK(workspace.read("one.svg") == workspace.read("four.svg"));
    // Whatever the format: by what program, how, from which models.
    CHECK_THAT(one.out, Contains("tracewright") && Contains("0.1.0") && Contains("small.xta") &&
                            Contains(sha256_of(workspace, "small.xta")));
  }
  CHECK_THAT(workspace.read("one.svg"),
             Contains("<svg ") && Contains("</svg>") && Contains("edge-init"));
}

TEST_CASE("compare: without --stable only the run differs", "[cli][compare]") {
  const Workspace workspace;
  const std::string arguments = "compare small.xta -c edge,pc --format json";
  json one = json::parse(run(workspace, arguments).out);
  json two = json::parse(run(workspace, arguments).out);
  CHECK(one.at("run").at("seconds") >= 0);
  CHECK(one.at("run").at("peak_memory_bytes") > 0);
  CHECK(one.at("run").at("models").at(0).at("seconds").contains("edge"));
  one.erase("run");
  two.erase("run");
  CHECK(one == two);
  CHECK(one == json::parse(run(workspace, arguments + " --stable").out));
}

TEST_CASE("compare: all that changes the result is named", "[cli][compare]") {
  const Workspace workspace;
  const json report = workspace.compare(
      "small.xta -c edge,pc --reduce cover --per instance --order dfs --mutants 3 --combine "
      "pc+edge "
      "--max-states 1000 --time-limit 90s --seed 7 --only '*:Worker*'");
  const json& options = report.at("options");
  CHECK(options.at("criteria") == json::array({"edge", "pc"}));
  CHECK(options.at("reduce") == "cover");
  CHECK(options.at("per") == "instance");
  CHECK(options.at("order") == "dfs");
  CHECK(options.at("mutants") == "3");
  CHECK(options.at("combine") == json::array({"pc+edge"}));
  CHECK(options.at("max_states") == 1000);
  CHECK(options.at("time_limit_seconds") == 90.0);
  CHECK(options.at("seed") == 7);
  const std::string csv =
      run(workspace,
          "compare small.xta -c edge,pc --reduce cover --only '*:Worker*' --max-memory 512M "
          "--mutants 3 --format csv")
          .out;
  // As words of the command line.
  CHECK_THAT(csv, Contains("\"tracewright 0.1.0: compare -c edge,pc --only '*:Worker*' --reduce "
                           "cover --max-memory 524288K --mutants 3\""));
}

TEST_CASE("compare: one line of CSV per suite and criterion", "[cli][compare]") {
  const Workspace workspace;
  for (const std::string more : {"", " --stable"}) {
    const Outcome outcome = run(workspace, "compare timed.xta -c edge,pc --format csv" + more);
    std::istringstream lines(outcome.out);
    std::string line;
    std::getline(lines, line);
    CHECK(line ==
          "model,suite,tests,steps,expansions,killed,mutants,criterion,covered,feasible,infeasible,"
          "undecided,duration,states,seconds,limit,mutants_undecided,measuring_limit,model_sha256,"
          "made_by");
    const json model = workspace.compare("timed.xta -c edge,pc").at("models").at(0);
    std::getline(lines, line);
    // Nothing before these is quoted.
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');)
      fields.push_back(field);
    REQUIRE(fields.size() > 18);
    const json& edge = model.at("criteria").at(0);
    CHECK(fields[0] == "timed.xta");
    CHECK(fields[1] == "edge");
    CHECK(fields[3] == std::to_string(edge.at("suite").at("steps").get<int>()));
    CHECK(fields[10] == std::to_string(edge.at("infeasible").get<int>()));
    CHECK(fields[11] == std::to_string(edge.at("undecided").get<int>()));
    CHECK(fields[12] == edge.at("suite").at("duration"));
    CHECK(fields[14].empty() == !more.empty());
    CHECK(fields[18] == sha256_of(workspace, "timed.xta"));
  }
}

TEST_CASE("compare: outputs are named by format or by ending", "[cli][compare]") {
  const Workspace workspace;
  const std::string arguments = "compare small.xta -c edge,pc --stable";
  CHECK(run(workspace, arguments + " -o a.csv --also latex=a.tex --also svg-score=s.svg --also "
                                   "svg-steps=g.svg --also json=a.txt --svg m.svg")
            .code == 0);
  CHECK_THAT(workspace.read("a.csv"), StartsWith("model,suite,"));
  CHECK_THAT(workspace.read("a.tex"), Contains("\\begin{tabular}"));
  CHECK_THAT(workspace.read("s.svg"), Contains("Length of suites"));
  CHECK_THAT(workspace.read("g.svg"), Contains("Coverage over steps"));
  CHECK_THAT(workspace.read("m.svg"), Contains("Cross coverage"));
  CHECK_THAT(workspace.read("a.txt"), StartsWith("{"));
  CHECK(run(workspace, arguments + " -o b.tex").code == 0);
  CHECK(workspace.read("b.tex") == workspace.read("a.tex"));
  CHECK(run(workspace, arguments + " -o c.tex --format json").code == 0);
  CHECK_THAT(workspace.read("c.tex"), StartsWith("{"));
  for (const std::string wrong : {"--also latex", "--also latex=", "--also pdf=x", "--format pdf",
                                  "-o x.csv --also json=x.csv", "--also json=-"}) {
    CAPTURE(wrong);
    CHECK(run(workspace, arguments + " " + wrong).code == 2);
  }
  CHECK(run(workspace, arguments + " --also json=small.xta").code == 2);
}

// What an SVG shows by text lies inside of it; widths as the program estimates them.
TEST_CASE("compare: whatever the criteria and names, pictures show all text", "[cli][compare]") {
  const Workspace workspace;
  std::string name = "a_long_name_of_a_model";
  for (int i = 0; i < 3; ++i)
    name += "_" + name;
  name = name.substr(0, 200) + ".xta";
  workspace.write(name, workspace.read("small.xta"));
  for (const std::string format : {"svg", "svg-score", "svg-steps"})
    for (const std::string list : {"edge", "edge,pc,location", "all"}) {
      CAPTURE(format, list);
      const Outcome outcome =
          run(workspace, "compare " + name + " --stable -c " + list + " --format " + format);
      REQUIRE(outcome.code == 0);
      check_inside(outcome.out);
    }
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
  CHECK_THAT(limited.out, Contains("the search was stopped") && Contains("Note: partial: ") &&
                              Contains("edge (states)") &&
                              Contains("Note: undecided items count as feasible"));
  // Whoever sees one of the other formats only has to know, too.
  for (const std::string format : {"json", "latex", "svg", "svg-score", "svg-steps"}) {
    const Outcome other =
        run(workspace, "compare small.xta -c edge,def-use --max-states 2 --format " + format);
    CAPTURE(format);
    CHECK(other.code == 4);
    CHECK_THAT(other.out, Contains("partial: ") && Contains("undecided"));
  }
  CHECK_THAT(run(workspace, "compare small.xta -c edge --max-states 2 --format csv").out,
             Contains(",states,"));
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
