// explain says what an item asks for in the words of whoever writes the model.
#include <map>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using test::Outcome;
using test::run;

// The first item of every criterion, as the CSV lists them.
std::map<std::string, std::string> first_items(const std::string& csv) {
  std::map<std::string, std::string> out;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const bool is_quoted = line.starts_with('"');
    const std::size_t end = is_quoted ? line.find('"', 1) : line.find(',');
    const std::string id = line.substr(is_quoted ? 1 : 0, end - (is_quoted ? 1 : 0));
    out.emplace(id.substr(0, id.find(':')), id);
  }
  return out;
}

std::string shipped(const std::string& model) {
  return test::contents_of(std::string(TW_SOURCE_DIR) + "/models/" + model + "/" + model + ".xml");
}

TEST_CASE("explain has words for every family of criteria, and none of the engine's",
          "[cli][explain]") {
  const test::Workspace workspace;
  workspace.write("gate.xml", shipped("train_gate"));
  const auto items =
      first_items(run(workspace, "generate gate.xml -q -c all --format csv --max-states 300").out);
  CHECK(items.size() == 27);
  for (const auto& [criterion, id] : items) {
    CAPTURE(id);
    const Outcome outcome = run(workspace, "explain gate.xml -q --max-states 100 --only '" + id +
                                               "' -c " + criterion + " '" + id + "'");
    CHECK_THAT(outcome.out, Contains("\ncovered ") || Contains("no state can cover it"));
    for (const char* word : {"token", "' holds", "begun", "xor"})
      CHECK_THAT(outcome.out, !Contains(word));
  }
}

TEST_CASE("explain: what the families ask for", "[cli][explain]") {
  const test::Workspace workspace;
  workspace.write("m.xta",
                  "int[0,3] n; chan c;\n"
                  "process P() { state A, B; init A;\n"
                  "  trans A -> B { guard n > 0 && n < 3; sync c!; assign n = 2; },\n"
                  "    B -> A { assign n = n - 1; }, A -> A { assign n = 1; }; }\n"
                  "process Q() { state S; init S; trans S -> S { sync c?; }; }\n"
                  "system P, Q;\n");
  const auto explain = [&](const std::string& item) {
    const Outcome outcome = run(workspace, "explain m.xta -q '" + item + "'");
    CAPTURE(outcome.err);
    CHECK(outcome.code <= 1);
    return outcome.out;
  };
  CHECK_THAT(explain("location:P.A"), Contains("covered at the beginning of every test\n"
                                               "covered when P: B -> A or P: A -> A fires\n"));
  CHECK_THAT(explain("edge-init:P.B.A"),
             Contains("covered when P: B -> A fires and, later in the same test, the locations and "
                      "variables that count are as in the initial state:\n"
                      "  P in A, Q in S\n"));
  CHECK_THAT(
      explain("def-use:n:P.A.B:P.B.A"),
      Contains("covered when P: B -> A uses n\n"
               "  while it has the value from P: A -> B: nothing has written to it since\n"));
  CHECK_THAT(explain("def-use:n:init:P.A.B"),
             Contains("  while it has its initial value: nothing has written to it since\n"));
  CHECK_THAT(explain("edge-pair:P.B.A:A.A"),
             Contains("covered when P: A -> A fires\n"
                      "  and the edge that the same process fired last before is P: B -> A\n"));
  CHECK_THAT(explain("edge-pair-global:P.B.A:P.A.A"),
             Contains("  in the step right after one in which P: B -> A fires\n"));
  CHECK_THAT(explain("sync-pair:P.A.B:Q.S.S"), Contains("covered when Q: S -> S receives\n"
                                                        "  what P: A -> B sends, in one step\n"));
  CHECK_THAT(explain("pc:P.A.B=true"),
             Contains("covered when a state is reached with P in A, n > 0 && n < 3\n"));
  CHECK_THAT(explain("gacc:P.A.B#1=true"),
             Contains("a clause decides where the guard would have another value if the clause "
                      "alone had\n"
                      "covered when a state is reached with P in A, n < 3 && n > 0\n"));
  CHECK_THAT(explain("cacc:P.A.B#1"),
             Contains("covered when one test reaches two states, in any order, with P in A\n") &&
                 Contains("  the clause is true in one of them and false in the other, and so is "
                          "the guard\n"));
  CHECK_THAT(
      explain("racc:P.A.B#1"),
      Contains("with P in A\n") && Contains("  all other clauses have the same values in both\n"));
}

}  // namespace
}  // namespace tw
