// Mutants of models that stand in the test: which there are, what kills them, which are equivalent.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/registry.hpp"
#include "engine/mutants/equivalence.hpp"
#include "engine/mutants/kills.hpp"
#include "engine/suite/generate.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

Network load(const std::string& text) {
  LoadedModel model = load_model_text("model.xta", text);
  REQUIRE(model.network);
  return std::move(*model.network);
}

std::vector<Test> tests_for(const Network& network, const char* criterion) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(criterion)->declare(network, {}, rules, diagnostics);
  return generate(network, rules, {}).suite.tests;
}

const Mutant& find(const std::vector<Mutant>& mutants, const std::string& id) {
  const auto at = std::ranges::find(mutants, id, &Mutant::id);
  INFO(id);
  REQUIRE(at != mutants.end());
  return *at;
}

const char* const kCounter = R"(
int[0,9] n;
int[0,9] m;
chan tick, tock;
process P() {
  state a, b, c; init a;
  trans a -> b { guard n < 3 && m == 0; sync tick!; assign n = n + 1; },
        b -> a { sync tock!; },
        a -> c { guard n == 3; assign n = 0, m = 0; };
}
process Q() {
  state q; init q;
  trans q -> q { sync tick?; }, q -> q { sync tock?; };
}
system P, Q;
)";

TEST_CASE("mutants have names, labels and places", "[mutants]") {
  const Network network = load(kCounter);
  const std::vector<Mutant> mutants = list_mutants(network);
  std::vector<std::string> ids;
  for (const Mutant& mutant : mutants) {
    ids.push_back(mutant.id);
    CHECK(!mutant.label.empty());
    CHECK(mutant.where != SourceRange{});
  }
  for (const char* id :
       {"missing-edge:P.a.b", "bound:P.a.b:1:+1", "bound:P.a.b:1:-1", "bound:P.a.b:2:+1",
        "negated-clause:P.a.b:1", "negated-clause:P.a.b:2", "lost-update:P.a.b:1",
        "lost-update:P.a.c:2", "swapped-target:P.a.b:c", "swapped-target:P.a.b:a",
        "renamed-sync:P.a.b:tock", "renamed-sync:Q.q.q.2:tick", "bound:P.a.c:1:-1"}) {
    INFO(id);
    CHECK(std::ranges::find(ids, id) != ids.end());
  }
  std::ranges::sort(ids);
  CHECK(std::ranges::adjacent_find(ids) == ids.end());
  CHECK(
      std::ranges::none_of(ids, [](const std::string& id) { return id.starts_with("invariant"); }));
  CHECK(choose(mutants, 5).size() == 5);
  CHECK(choose(mutants, 1000).size() == mutants.size());
}

TEST_CASE("a mutant differs in one thing and leaves the original alone", "[mutants]") {
  const Network network = load(kCounter);
  const Network again = load(kCounter);
  for (const Mutant& mutant : list_mutants(network)) {
    const Network changed = mutate(network, mutant);
    CHECK(changed.edges.size() == network.edges.size());
    CHECK(changed.cells.size() == network.cells.size());
    CHECK(first_difference(network, again) == std::nullopt);
  }
}

TEST_CASE("tests kill what they fire and see, and nothing else", "[mutants]") {
  const Network network = load(kCounter);
  const std::vector<Mutant> mutants = list_mutants(network);
  TestRuns runs(network);
  const std::vector<Test> tests = tests_for(network, "edge");
  for (const Test& test : tests)
    (void)runs.add(test);
  CHECK(runs.add(tests.front()) == 0);  // the same test again
  const auto is_killed = [&](const char* id) {
    const std::vector<bool> killers = kills(runs, find(mutants, id));
    return std::ranges::find(killers, true) != killers.end();
  };
  CHECK(is_killed("missing-edge:P.a.b"));
  CHECK(is_killed("bound:P.a.b:1:-1"));        // n < 2 is too early
  CHECK_FALSE(is_killed("bound:P.a.b:1:+1"));  // more is possible, nothing less
  CHECK(is_killed("negated-clause:P.a.b:2"));
  CHECK(is_killed("lost-update:P.a.b:1"));
  CHECK_FALSE(is_killed("lost-update:P.a.c:2"));  // m is 0 anyway
  CHECK(is_killed("renamed-sync:P.a.b:tock"));
  CHECK(is_killed("swapped-target:P.a.b:c"));
  CHECK_FALSE(is_killed("swapped-target:P.a.c:a"));  // P never moves again …
}

TEST_CASE("equivalence is decided for all mutants without clocks", "[mutants]") {
  const Network network = load(kCounter);
  const std::vector<Mutant> mutants = list_mutants(network);
  PairJudge pairs(network, {});
  const auto verdict = [&](const char* id) { return pairs.judge(find(mutants, id)); };
  CHECK(verdict("bound:P.a.b:1:+1") == MutantVerdict::kEquivalent);
  CHECK(verdict("lost-update:P.a.c:2") == MutantVerdict::kEquivalent);
  CHECK(verdict("lost-update:P.a.c:1") == MutantVerdict::kKillable);
  CHECK(verdict("swapped-target:P.a.c:a") == MutantVerdict::kEquivalent);
  CHECK(verdict("swapped-target:P.b.a:c") == MutantVerdict::kKillable);
  CHECK(verdict("missing-edge:P.a.c") == MutantVerdict::kKillable);
  PairJudge hurried(network, {.most_pairs = 1});
  CHECK(hurried.judge(find(mutants, "lost-update:P.a.c:2")) == MutantVerdict::kUndecided);
}

TEST_CASE("who receives a broadcast must take part, so a missing receiver is noticed elsewhere",
          "[mutants]") {
  const Network network = load(R"(
broadcast chan go;
int[0,1] v;
process S() { state s; init s; trans s -> s { guard v == 0; sync go!; assign v = 1; }; }
process R() { state r; init r; trans r -> r { guard v == 1; sync go?; }; }
system S, R;
)");
  const std::vector<Mutant> mutants = list_mutants(network);
  const Mutant& receiver = find(mutants, "negated-clause:R.r.r:1");
  CHECK_FALSE(acts_alone(network, receiver));
  CHECK(PairJudge(network, {}).judge(receiver) == MutantVerdict::kKillable);
  TestRuns runs(network);
  for (const Test& test : tests_for(network, "location"))
    (void)runs.add(test);
  for (const Test& test : tests_for(network, "edge"))
    (void)runs.add(test);
  const std::vector<bool> killers = kills(runs, receiver);
  CHECK(std::ranges::find(killers, true) != killers.end());
}

TEST_CASE("with clocks guards, invariants and dead edges are decided", "[mutants][timed]") {
  const Network network = load(R"(
clock x, y;
process P() {
  state a { x <= 5 }, b; init a;
  trans a -> b { guard x >= 3 && y <= 9; assign x = 0; },
        b -> a { guard x == 2; assign x = 0; },
        a -> a { guard x > 7; };
}
system P;
)");
  const std::vector<Mutant> mutants = list_mutants(network);
  const std::vector<MutantVerdict> verdicts = judge(network, mutants, {});
  const auto verdict = [&](const char* id) {
    return verdicts[static_cast<std::size_t>(&find(mutants, id) - mutants.data())];
  };
  CHECK(verdict("bound:P.a.b:1:+1") == MutantVerdict::kKillable);    // x >= 4
  CHECK(verdict("bound:P.a.b:1:-1") == MutantVerdict::kEquivalent);  // x >= 2 allows more
  CHECK(verdict("bound:P.a.b:2:-1") == MutantVerdict::kKillable);    // y <= 8 stops a second round
  CHECK(verdict("bound:P.b.a:1:+1") == MutantVerdict::kKillable);
  CHECK(verdict("invariant:P.a:1:+1") == MutantVerdict::kEquivalent);
  CHECK(verdict("invariant:P.a:1:-1") == MutantVerdict::kKillable);
  CHECK(verdict("missing-edge:P.a.a") == MutantVerdict::kEquivalent);  // x never is above 5 there
  CHECK(verdict("swapped-target:P.a.a:b") == MutantVerdict::kEquivalent);
  CHECK(verdict("negated-clause:P.a.b:1") == MutantVerdict::kKillable);
}

}  // namespace
}  // namespace tw
