// A small timed suite built by hand: every kind of delay that texts tell apart.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "exporters/report.hpp"
#include "frontends/load.hpp"

namespace tw::test {

class TimedSample {
 public:
  TimedSample() {
    REQUIRE(model_.network.has_value());
    rules_.begin_criterion({.name = "edge", .options = {}});
    const ItemFamilyId family = rules_.add_item_family("edge");
    rules_.add_item(family, {0}, {.id = "edge:P.A.A", .label = "P: A -> A"});
    verdicts_ = {{.status = ItemStatus::kCovered, .depth = 1}};
    const LocationId a = model_.network->processes[ProcessId(0)].initial;
    suite_.initial = {.locations = {a}, .cells = {}, .clocks = {Rational(0), Rational(3)}};
    Test test;
    test.delays = {{.chosen = fraction(25, 2), .min = 10, .max = 20, .margin = fraction(5, 2)},
                   {.max = 0},
                   {.chosen = 5, .min = 5, .max = 5},
                   {.chosen = fraction(7, 3), .min = 2, .min_strict = true},
                   {.min = 0, .max = 4, .max_strict = true}};
    test.steps.assign(test.delays.size(), Step{{FiredEdge{EdgeId(0), {}}}});
    test.covers = {ItemId(0)};
    suite_.tests = {std::move(test)};
  }

  [[nodiscard]] Report report() const {
    return {.tool = {.version = "1.2.3"},
            .network = *model_.network,
            .file = "timed.xta",
            .source = model_.file,
            .sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            .rules = rules_,
            .options = {},
            .search = {.algorithm = "global", .order = "bfs", .states = 2},
            .verdicts = verdicts_,
            .suite = suite_};
  }

 private:
  LoadedModel model_ = load_model_text("timed.xta",
                                       "clock x; clock y = 3;\n"
                                       "process P() { state A; init A; trans A -> A { }; }\n"
                                       "system P;\n");
  CoverageRules rules_;
  std::vector<Verdict> verdicts_;
  Suite suite_;
};

}  // namespace tw::test
