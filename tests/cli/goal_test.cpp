// What makes a run green: nothing empty, what --fail-under and --fail-on ask for, and which
// infeasible items are accepted.
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/run.hpp"

namespace tw {
namespace {

using Catch::Matchers::Contains;
using test::Outcome;
using test::run;

class Workspace : public test::Workspace {
 public:
  Workspace() {
    // Edges: 4 feasible, edge:Worker.Busy.Broken is not.
    write("small.xta", test::contents_of(std::string(TW_SOURCE_DIR) + "/tests/golden/small.xta"));
    write("stuck.xta",
          "process P() { state a, b; init a; trans a -> b { guard 1 > 2; }; } system P;");
    write("bare.xta", "process P() { state a; init a; } system P;");
  }
};

TEST_CASE("a run without anything feasible is not green", "[cli][goal]") {
  const Workspace workspace;
  const Outcome stuck = run(workspace, "generate stuck.xta");
  CHECK(stuck.code == 1);
  CHECK_THAT(stuck.err, Contains("stuck.xta: warning: no item is feasible") && Contains("hint: "));
  const Outcome bare = run(workspace, "generate bare.xta");
  CHECK(bare.code == 1);
  CHECK_THAT(bare.err, Contains("bare.xta: warning: there are no items"));
  for (const char* model : {"stuck.xta", "bare.xta"}) {
    CHECK(run(workspace, std::string("generate --allow-empty ") + model).code == 0);
    const Outcome quiet = run(workspace, std::string("generate -q ") + model);
    CHECK(quiet.code == 1);
    CHECK(quiet.err.empty());
  }
  SECTION("one criterion with items is enough") {
    CHECK(run(workspace, "generate bare.xta -c edge,location").code == 0);
    CHECK(run(workspace, "generate stuck.xta -c all").code == 0);
  }
  SECTION("suites are measured alike") {
    REQUIRE(run(workspace, "generate bare.xta -q --allow-empty --format json -o suite.json").code ==
            0);
    CHECK(run(workspace, "measure bare.xta suite.json").code == 1);
    CHECK(run(workspace, "measure bare.xta suite.json --allow-empty").code == 0);
    CHECK(run(workspace, "measure bare.xta suite.json -c location").code == 0);
  }
}

TEST_CASE("option --fail-under counts 0 of 0 as missed", "[cli][goal]") {
  const Workspace workspace;
  const Outcome missed = run(workspace, "generate bare.xta -c edge,location --fail-under 0");
  CHECK(missed.code == 1);
  CHECK_THAT(missed.err,
             Contains("error: edge: there are no items, which --fail-under counts as missed"));
  CHECK_THAT(run(workspace, "generate stuck.xta -c edge,location --fail-under 0").err,
             Contains("error: edge: no item is feasible"));
  CHECK(run(workspace, "generate bare.xta -c edge,location --fail-under 9 --allow-empty").code ==
        0);
  // Nobody asked for each of them by name.
  CHECK(run(workspace, "generate bare.xta -c all --fail-under 100").code == 0);
  SECTION("and says what is missing") {
    const Outcome outcome = run(workspace, "generate small.xta --stop 1 --fail-under 90");
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.err, Contains("small.xta: error: edge: ") &&
                                Contains(" of 5 feasible items covered, ") &&
                                Contains(" %, less than 90 %"));
  }
}

TEST_CASE("option --fail-on names the verdicts that are not wanted", "[cli][goal]") {
  const Workspace workspace;
  const Outcome infeasible = run(workspace, "generate small.xta --fail-on infeasible");
  CHECK(infeasible.code == 1);
  CHECK_THAT(infeasible.err, Contains("small.xta: error: an item is infeasible\n"
                                      "  edge:Worker.Busy.Broken\n"));
  CHECK(run(workspace, "generate small.xta --fail-on undecided").code == 0);
  const Outcome undecided = run(workspace, "generate small.xta --stop 1 --fail-on undecided");
  CHECK(undecided.code == 1);
  CHECK_THAT(undecided.err, Contains("items are undecided\n"));
  CHECK(run(workspace, "generate small.xta --fail-on undecided,infeasible").code == 1);
  CHECK(run(workspace, "generate small.xta --fail-on covered").code == 2);
}

TEST_CASE("option --accept-infeasible lists what may be infeasible", "[cli][goal]") {
  const Workspace workspace;
  const auto generate = [&](const std::string& accepted, const std::string& options = "") {
    workspace.write("accepted", accepted);
    return run(workspace, "generate small.xta --accept-infeasible accepted " + options);
  };
  SECTION("by id or pattern, with comments") {
    for (const char* text : {"edge:Worker.Busy.Broken", "edge:*.Broken\n",
                             "# known\r\n\n  edge:Worker.Busy.Broken  # see the wiki\r\n"}) {
      CAPTURE(text);
      const Outcome outcome = generate(text, "--fail-on infeasible");
      CHECK(outcome.code == 0);
      CHECK(outcome.err.empty());
    }
  }
  SECTION("all others are not wanted, without --fail-on, too") {
    const Outcome outcome = generate("");
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.err, Contains("an item is infeasible and not accepted\n"
                                     "  edge:Worker.Busy.Broken\n"));
  }
  SECTION("a line that matches nothing is told") {
    const Outcome outcome = generate("edge:*.Broken\nedge:Worker.Bsy.Idle\nmutation:*\n");
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, Contains("accepted:2: warning: no item matches 'edge:Worker.Bsy.Idle'\n"
                                     "  hint: did you mean 'edge:Worker.Busy.Idle'?\n"
                                     "accepted:3: warning: no item matches 'mutation:*'\n"));
    CHECK(generate("edge:*.Broken\nnothing", "-q").err.empty());
  }
  SECTION("what is covered now is told") {
    const Outcome outcome = generate("edge:*.Broken\nedge:Worker.Busy.Idle\n");
    CHECK(outcome.code == 0);
    CHECK(outcome.err ==
          "accepted:2: warning: accepted as infeasible, but covered now\n"
          "  edge:Worker.Busy.Idle\n");
  }
  SECTION("ids have a # in them") {
    workspace.write("accepted", "cacc:Worker.Busy.Broken#1\ncacc:*#1 # and so on");
    CHECK_THAT(run(workspace, "generate small.xta -c cacc --accept-infeasible accepted").err,
               !Contains("no item matches"));
  }
  SECTION("the file is read, so it must be there, and is not written to") {
    CHECK(run(workspace, "generate small.xta --accept-infeasible missing").code == 3);
    workspace.write("accepted", "edge:*.Broken");
    CHECK(run(workspace, "generate small.xta --accept-infeasible accepted -o accepted").code == 2);
    CHECK(workspace.read("accepted") == "edge:*.Broken");
  }
}

}  // namespace
}  // namespace tw
