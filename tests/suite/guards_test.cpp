// Criteria about guards on small models: the table of MC/DC variants, which criteria imply which,
// what --observe, --pairing and --best-effort change.

#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "criteria/ladder.hpp"
#include "criteria/registry.hpp"
#include "engine/suite/generate.hpp"
#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

// One step chooses all inputs; then the guard is looked at.
std::string one_step(const std::string& guard, const std::vector<std::string>& inputs) {
  std::string declarations;
  std::string selects;
  std::string updates;
  for (const std::string& input : inputs) {
    const std::string separator = selects.empty() ? "" : ", ";
    declarations += fmt::format("bool {};\n", input);
    selects += fmt::format("{}{}_ : int[0,1]", separator, input);
    updates += fmt::format("{}{} = {}_", separator, input, input);
  }
  return fmt::format(
      "{}process P() {{ state Start, Decide, Done; init Start; trans\n"
      "  Start -> Decide {{ select {}; assign {}; }},\n"
      "  Decide -> Done {{ guard {}; }}; }}\nsystem P;\n",
      declarations, selects, updates, guard);
}

struct Counts {
  std::size_t total = 0;
  std::size_t infeasible = 0;
  std::size_t tests = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.total << '/' << counts.infeasible << '/' << counts.tests;
}

Counts count(const CoverageRules& rules, const Generated& found) {
  CHECK(found.internal_error.empty());
  Counts out{.tests = found.suite.tests.size()};
  for (std::size_t i = 0; i < rules.items().size(); ++i) {
    const ItemStatus status = found.verdicts[i].status;
    CHECK(status != ItemStatus::kUndecided);
    out.total += status == ItemStatus::kNotCounted ? 0U : 1U;
    out.infeasible += status == ItemStatus::kInfeasible ? 1U : 0U;
  }
  if (out.total == out.infeasible)
    out.tests = 0;
  return out;
}

Counts fewest_tests(const Network& network, const char* criterion) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(criterion)->declare(network, {.pairing = HalfPlaces::kSuite}, rules, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  const Generated found =
      generate(network, rules, {.reduce = Reduction::kCover, .optimise = Optimise::kTests});
  return count(rules, found);
}

// Objectives, infeasible ones, and the least number of vectors, over free inputs.
TEST_CASE("variants of MC/DC: objectives and fewest vectors", "[suite][guards][mcdc]") {
  struct Decision {
    std::string model;
    std::array<Counts, 5> expected;
  };
  const std::string modes =
      "int[0,1] s;\nint[0,1] v;\n"
      "process P() { state Start, Decide, Done; init Start; trans\n"
      "  Start -> Decide { select s_ : int[0,1], v_ : int[0,1]; assign s = s_, v = v_; },\n"
      "  Decide -> Done { guard (s == 0 && v > 0) || s == 1; }; }\nsystem P;\n";
  const std::vector<Decision> table = {
      {one_step("a && b", {"a", "b"}), {{{4, 0, 3}, {2, 0, 3}, {2, 0, 3}, {2, 0, 3}, {2, 0, 3}}}},
      {one_step("(a && b) || c", {"a", "b", "c"}),
       {{{6, 0, 4}, {3, 0, 4}, {3, 0, 4}, {3, 0, 4}, {3, 0, 4}}}},
      {one_step("(a || b) && (c || d)", {"a", "b", "c", "d"}),
       {{{8, 0, 4}, {4, 0, 4}, {4, 0, 5}, {4, 0, 5}, {4, 0, 4}}}},
      {one_step("(a || b) && (a || d)", {"a", "b", "d"}),
       {{{6, 0, 4}, {3, 0, 4}, {3, 0, 4}, {4, 2, 3}, {4, 0, 4}}}},
      {one_step("(a && b) || (a && !b)", {"a", "b"}),
       {{{4, 2, 2}, {2, 1, 2}, {2, 1, 2}, {4, 4, 0}, {4, 2, 4}}}},
      {one_step("a ^ b", {"a", "b"}), {{{4, 0, 2}, {2, 0, 3}, {2, 0, 3}, {2, 0, 3}, {2, 0, 3}}}},
      {one_step("(a ^ b) && c", {"a", "b", "c"}),
       {{{6, 0, 3}, {3, 0, 4}, {3, 0, 4}, {3, 0, 4}, {3, 0, 4}}}},
      {modes, {{{6, 1, 3}, {3, 1, 3}, {3, 2, 2}, {3, 2, 2}, {3, 1, 3}}}}};
  constexpr std::array kVariants = {"gacc", "cacc", "racc", "mcdc-unique-cause", "mcdc-masking"};
  for (const Decision& decision : table) {
    const Network network = test::network_of(decision.model);
    for (std::size_t i = 0; i < kVariants.size(); ++i) {
      INFO(kVariants[i] << " of\n" << decision.model);
      CHECK(fewest_tests(network, kVariants[i]) == decision.expected[i]);
    }
  }
}

// Ids without the criterion that all tests of a suite for one criterion cover of another one.
struct Measured {
  std::set<std::string> covered;
  std::set<std::string> infeasible;
};

Measured feasible(const Network& network,
                  const char* criterion,
                  HalfPlaces pairing = HalfPlaces::kTest) {
  CoverageRules rules;
  Diagnostics diagnostics;
  make_criterion(criterion)->declare(network, {.pairing = pairing}, rules, diagnostics);
  const Generated found = generate(network, rules, {});
  CHECK(found.internal_error.empty());
  Measured out;
  for (std::size_t i = 0; i < rules.items().size(); ++i) {
    const std::string& id = rules.items()[ItemId(i)].id;
    if (found.verdicts[i].status == ItemStatus::kCovered)
      out.covered.insert(id.substr(id.find(':') + 1));
    if (found.verdicts[i].status == ItemStatus::kInfeasible)
      out.infeasible.insert(id.substr(id.find(':') + 1));
  }
  return out;
}

// Both values of `a` and `b` are only ever equal: gacc is satisfied, the guard is never true.
TEST_CASE("gacc does not imply pc, cacc does", "[suite][guards][subsumption]") {
  const Network network = test::network_of(
      "bool a; bool b;\n"
      "process P() { state Start, Decide, Done; init Start; trans\n"
      "  Start -> Decide { select v : int[0,1]; assign a = v, b = v; },\n"
      "  Decide -> Done { guard (a && !b) || (!a && b); }; }\nsystem P;\n");
  CHECK(feasible(network, "gacc").infeasible.empty());
  CHECK(feasible(network, "gacc").covered.size() == 4);
  CHECK(feasible(network, "pc").covered == std::set<std::string>{"P.Decide.Done=false"});
  CHECK(feasible(network, "cacc").covered.empty());
}

// Every valuation is reachable, but never two in one test.
TEST_CASE("coc implies cacc, racc and ricc only where halves may be in different tests",
          "[suite][guards][subsumption]") {
  const Network network = test::network_of(one_step("a && b", {"a", "b"}));
  CHECK(feasible(network, "coc").covered.size() == 4);
  for (const char* criterion : {"cacc", "racc"}) {
    CHECK(feasible(network, criterion).covered.empty());
    CHECK(feasible(network, criterion, HalfPlaces::kSuite).infeasible.empty());
  }
  CHECK(feasible(network, "ricc").covered.empty());
  CHECK(feasible(network, "ricc", HalfPlaces::kSuite).covered ==
        std::set<std::string>{"P.Decide.Done#1,guard=false", "P.Decide.Done#2,guard=false"});
}

TEST_CASE("guards with too many clauses are refused, or left out of all criteria",
          "[suite][guards]") {
  std::string guard = "x0 > 0";
  std::string declarations = "int x0;\n";
  for (int i = 1; i < 13; ++i) {
    guard += fmt::format(" && x{} > 0", i);
    declarations += fmt::format("int x{};\n", i);
  }
  const Network network =
      test::network_of(declarations + "process P() { state A; init A; trans A -> A { guard " +
                       guard + "; }; }\nsystem P;\n");
  for (const bool one_of_all : {false, true}) {
    CoverageRules rules;
    Diagnostics diagnostics;
    make_criterion("coc")->declare(network, {.one_of_all = one_of_all}, rules, diagnostics);
    CHECK(diagnostics.errors() == (one_of_all ? 0 : 1));
    CHECK(diagnostics.warnings() == (one_of_all ? 1 : 0));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].message == "this guard has 13 clauses; coc can look at 12");
    CHECK(rules.items().empty());
    make_criterion("racc")->declare(network, {}, rules, diagnostics);
    CHECK(rules.items().size() == 13);
  }
}

TEST_CASE("observe: a state counts once a step leaves it", "[suite][guards][observe]") {
  // In Decide the guard is false for ever when x is 0, and nothing else can happen.
  const Network network = test::network_of(
      "int[0,1] x;\nprocess P() { state Start, Decide, Done; init Start; trans\n"
      "  Start -> Decide { select v : int[0,1]; assign x = v; },\n"
      "  Decide -> Done { guard x == 1; }; }\nsystem P;\n");
  for (const bool observe : {false, true}) {
    CoverageRules rules;
    Diagnostics diagnostics;
    make_criterion("pc")->declare(network, {.observe = observe}, rules, diagnostics);
    const Generated found = generate(network, rules, {});
    CHECK(found.internal_error.empty());
    const ItemId yes = rules.find_item("pc:P.Decide.Done=true");
    const ItemId no = rules.find_item("pc:P.Decide.Done=false");
    CHECK(found.verdicts[yes.index()].depth == (observe ? 2 : 1));
    CHECK(found.verdicts[no.index()].status ==
          (observe ? ItemStatus::kInfeasible : ItemStatus::kCovered));
  }
}

TEST_CASE("best effort: weaker items stand in for infeasible ones", "[suite][guards][ladder]") {
  CHECK(rungs_below("racc") == std::vector<std::string_view>{"cacc", "gacc", "cc", "pc"});
  CHECK(rungs_below("3wc") == std::vector<std::string_view>{"pwc", "sc"});
  CHECK(rungs_below("edge").empty());
  // s == 0 and s == 1 depend on each other: not all of racc is feasible.
  const Network network = test::network_of(
      "int[0,1] s;\nint[0,1] v;\n"
      "process P() { state Decide, Done; init Decide; trans\n"
      "  Decide -> Decide { select s_ : int[0,1], v_ : int[0,1]; assign s = s_, v = v_; },\n"
      "  Decide -> Done { guard (s == 0 && v > 0) || s == 1; }; }\nsystem P;\n");
  CoverageRules rules;
  Diagnostics diagnostics;
  for (const char* criterion : {"racc", "cacc", "gacc", "cc", "pc"})
    make_criterion(criterion)->declare(network, {}, rules, diagnostics);
  for (std::size_t i = 1; i < rules.criteria().size(); ++i)
    rules.set_fallback(CriterionId(i));
  link_rungs(rules);
  const Generated found = generate(network, rules, {});
  CHECK(found.internal_error.empty());
  std::map<std::string, ItemStatus> counted;
  for (std::size_t i = 0; i < rules.items().size(); ++i)
    if (found.verdicts[i].status != ItemStatus::kNotCounted)
      counted[rules.items()[ItemId(i)].id] = found.verdicts[i].status;
  using enum ItemStatus;
  const std::map<std::string, ItemStatus> expected = {
      {"racc:P.Decide.Done#1", kInfeasible},       {"racc:P.Decide.Done#2", kCovered},
      {"racc:P.Decide.Done#3", kInfeasible},       {"cacc:P.Decide.Done#1", kInfeasible},
      {"cacc:P.Decide.Done#3", kCovered},          {"gacc:P.Decide.Done#1=true", kCovered},
      {"gacc:P.Decide.Done#1=false", kInfeasible}, {"cc:P.Decide.Done#1=false", kCovered}};
  CHECK(counted == expected);
}

}  // namespace
}  // namespace tw
