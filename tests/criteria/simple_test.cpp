#include <catch2/catch.hpp>

#include "tests/criteria/declared.hpp"

namespace tw {
namespace {

using test::Declared;
using test::Lengths;
using test::Words;

constexpr const char* kTrains = R"(
  chan appr[2], leave[2];
  process Train(const int[0,1] id) {
    state Safe, Appr, Cross;
    init Safe;
    trans Safe -> Appr { sync appr[id]!; },
          Appr -> Cross { },
          Cross -> Safe { sync leave[id]!; };
  }
  process Gate() {
    state Free, Occ;
    init Free;
    trans Free -> Occ { select e : int[0,1]; sync appr[e]?; },
          Occ -> Free { select e : int[0,1]; sync leave[e]?; };
  }
  process Unused() { state Never; init Never; trans Never -> Never { }; }
  system Train, Gate;
)";

constexpr CriterionOptions kPerInstance = {.level = Level::kInstance};

TEST_CASE("location: one item per location of a template that runs", "[criteria][location]") {
  const Declared d(kTrains, "location");
  CHECK(d.ids() == Words{"Train.Safe", "Train.Appr", "Train.Cross", "Gate.Free", "Gate.Occ"});
  CHECK(d.rules.items()[ItemId(1)].id == "location:Train.Appr");
  CHECK(d.labels().front() == "Safe of Train");
  CHECK(d.rules.tokens().empty());
  CHECK_FALSE(d.rules.watches_anything());
}

TEST_CASE("location: the initial state covers its locations", "[criteria][location]") {
  Declared d(kTrains, "location");
  CHECK(d.coverable() == Lengths{{"Train.Safe", 0},
                                 {"Gate.Free", 0},
                                 {"Train.Appr", 1},
                                 {"Gate.Occ", 1},
                                 {"Train.Cross", 2}});
  CHECK(d.covered_by({}) == Words{"Train.Safe", "Gate.Free"});
}

TEST_CASE("location: processes by themselves", "[criteria][location]") {
  Declared d(kTrains, "location", kPerInstance);
  CHECK(d.ids() == Words{"Train(0).Safe", "Train(0).Appr", "Train(0).Cross", "Train(1).Safe",
                         "Train(1).Appr", "Train(1).Cross", "Gate.Free", "Gate.Occ"});
  CHECK(d.covered_by({}) == Words{"Train(0).Safe", "Train(1).Safe", "Gate.Free"});
  CHECK(d.coverable().size() == 8);
}

constexpr const char* kBranch = R"(
  process P() {
    state A, B;
    branchpoint choice;
    init A;
    trans A -> choice { }, choice -> A { probability 1; }, choice -> B { probability 2; };
  }
  system P;
)";

TEST_CASE("location: a branchpoint is none", "[criteria][location]") {
  Declared d(kBranch, "location");
  CHECK(d.coverable() == Lengths{{"P.A", 0}, {"P.B", 1}});
}

TEST_CASE("edge: one item per edge, named by its ends", "[criteria][edge]") {
  Declared d(kTrains, "edge");
  CHECK(d.ids() == Words{"Train.Safe.Appr", "Train.Appr.Cross", "Train.Cross.Safe", "Gate.Free.Occ",
                         "Gate.Occ.Free"});
  CHECK(d.labels() == Words{"Safe -> Appr (appr[id]!) of Train", "Appr -> Cross of Train",
                            "Cross -> Safe (leave[id]!) of Train", "Free -> Occ (appr[e]?) of Gate",
                            "Occ -> Free (leave[e]?) of Gate"});
  CHECK(d.coverable() == Lengths{{"Train.Safe.Appr", 1},
                                 {"Gate.Free.Occ", 1},
                                 {"Train.Appr.Cross", 2},
                                 {"Train.Cross.Safe", 3},
                                 {"Gate.Occ.Free", 3}});
}

TEST_CASE("edge: an item shows its edge in the model", "[criteria][edge]") {
  const Declared d(kTrains, "edge");
  for (const Item& item : d.rules.items())
    CHECK(item.where.end > item.where.begin);
}

TEST_CASE("edge: processes by themselves", "[criteria][edge]") {
  Declared d(kTrains, "edge", kPerInstance);
  CHECK(d.ids() == Words{"Train(0).Safe.Appr", "Train(0).Appr.Cross", "Train(0).Cross.Safe",
                         "Train(1).Safe.Appr", "Train(1).Appr.Cross", "Train(1).Cross.Safe",
                         "Gate.Free.Occ", "Gate.Occ.Free"});
  CHECK(d.labels()[3] == "Safe -> Appr (appr[id]!) of Train(1)");
  CHECK(d.coverable().at("Train(1).Cross.Safe") == 3);
}

TEST_CASE("edge: parallel edges are counted, others are not", "[criteria][edge]") {
  const Declared d(R"(
    process P() { state A, B; init A; trans A -> B { }, A -> A { }, A -> B { }, B -> A { }, A -> B { }; }
    process Q(const int[1,2] i, const int[3,3] k) { state A, B; init A; trans A -> B { }; }
    system P, Q;)",
                   "edge");
  CHECK(d.ids() == Words{"P.A.B", "P.A.A", "P.A.B.2", "P.B.A", "P.A.B.3", "Q.A.B"});
  CHECK(d.labels()[4] == "A -> B #3 of P");
  const Declared each(R"(
    process Q(const int[1,2] i, const int[3,3] k) { state A, B; init A; trans A -> B { }; }
    system Q;)",
                      "edge", kPerInstance);
  CHECK(each.ids() == Words{"Q(1,3).A.B", "Q(2,3).A.B"});
}

TEST_CASE("edge: edges into and out of a branchpoint are edges", "[criteria][edge]") {
  Declared d(kBranch, "edge");
  CHECK(d.coverable() == Lengths{{"P.A.choice", 1}, {"P.choice.A", 1}, {"P.choice.B", 1}});
}

TEST_CASE("edge-init: the initial locations must be reached after the edge",
          "[criteria][edge-init]") {
  Declared d(kTrains, "edge-init");
  CHECK(d.rules.items()[ItemId(0)].id == "edge-init:Train.Safe.Appr");
  CHECK(d.labels().front() ==
        "Safe -> Appr (appr[id]!) of Train, then back to the initial locations");
  CHECK(d.coverable() == Lengths{{"Train.Safe.Appr", 3},
                                 {"Gate.Free.Occ", 3},
                                 {"Train.Appr.Cross", 3},
                                 {"Train.Cross.Safe", 3},
                                 {"Gate.Occ.Free", 3}});
  CHECK(d.rules.tokens().size() == 5);
  CHECK(d.rules.tokens()[TokenId(0)].leads_to == std::vector{ItemId(0)});
}

TEST_CASE("edge-init: the edge itself may return, and no way back is no item",
          "[criteria][edge-init]") {
  Declared d("process P() { state A, B; init A; trans A -> A { }, A -> B { }; } system P;",
             "edge-init");
  CHECK(d.coverable() == Lengths{{"P.A.A", 1}});
}

TEST_CASE("edge-init: variables may have to return, too", "[criteria][edge-init]") {
  const std::string model = R"(
    int[0,1] x; meta int scratch = 2;
    process P() { state A, B; init A; trans A -> B { assign x = 1, scratch = 1; }, B -> A { },
                                          A -> A { guard x == 1; assign x = 0; }; }
    system P;)";
  Declared locations(model, "edge-init");
  CHECK(locations.coverable() == Lengths{{"P.A.B", 2}, {"P.B.A", 2}, {"P.A.A", 3}});
  Declared variables(model, "edge-init", {.initial = InitialSimilarity::kVariables});
  CHECK(variables.coverable() == Lengths{{"P.A.B", 3}, {"P.B.A", 3}, {"P.A.A", 3}});
  CHECK(variables.rules.criteria()[CriterionId(0)].options == "--edge-init variables");
}

TEST_CASE("edge-init: clocks need not return", "[criteria][edge-init][clocks]") {
  Declared d(R"(
    clock x;
    process P() { state A, B; init A; trans A -> B { assign x = 7; }, B -> A { guard x > 8; }; }
    system P;)",
             "edge-init", {.initial = InitialSimilarity::kVariables});
  CHECK(d.covered_by({0, 1}, {1, 2}) == Words{"P.A.B", "P.B.A"});
}

TEST_CASE("criteria: --only leaves items out before they are declared", "[criteria]") {
  Declared d(kTrains, "edge-init", {}, ItemFilter({"edge-init:Gate.*"}));
  CHECK(d.ids() == Words{"Gate.Free.Occ", "Gate.Occ.Free"});
  CHECK(d.rules.tokens().size() == 2);
  CHECK(d.coverable().size() == 2);
}

TEST_CASE("criteria: several of them share one rule set", "[criteria]") {
  Declared d(kTrains, "edge");
  make_location()->declare(d.network, {}, d.rules, d.diagnostics);
  REQUIRE(d.rules.items().size() == 10);
  CHECK(d.rules.criteria()[d.rules.items()[ItemId(9)].criterion].name == "location");
  CHECK(d.rules.find_item("location:Gate.Occ") == ItemId(9));
  CHECK(d.covered_by({}) == Words{"Train.Safe", "Gate.Free"});
}

}  // namespace
}  // namespace tw
