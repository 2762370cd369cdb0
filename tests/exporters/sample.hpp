// A small suite built by hand: two processes, a channel array, selects, one item of each verdict.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include <catch2/catch.hpp>

#include "engine/base/budget.hpp"
#include "exporters/report.hpp"
#include "frontends/load.hpp"

namespace tw::test {

class Sample {
 public:
  Sample() {
    REQUIRE(model_.network.has_value());
    const CriterionId edge = rules_.begin_criterion({.name = "edge"});
    const ItemFamilyId family = rules_.add_item_family("edge");
    for (std::uint32_t i = 0; i < 3; ++i)
      rules_.add_item(family, {i}, {.criterion = edge, .id = kIds[i], .label = kLabels[i]});
    rules_.begin_criterion({.name = "def-use", .options = "sequential"});
    const TokenFamilyId tokens = rules_.add_token_family({.name = "defined"});
    const ItemFamilyId pairs = rules_.add_item_family("def-use");
    const ItemId pair = rules_.add_item(
        pairs, {0}, {.id = "def-use:n:A.B:B.A", .label = "n, from \"A -> B\" to B -> A"});
    rules_.add_token(tokens, {0}, {pair});
    verdicts_ = {{.status = ItemStatus::kCovered, .depth = 1},
                 {.status = ItemStatus::kInfeasible},
                 {.status = ItemStatus::kUndecided},
                 {.status = ItemStatus::kCovered, .depth = 2}};
    const Network& n = network();
    const LocationId a = n.processes[ProcessId(0)].initial;
    const LocationId q = n.processes[ProcessId(1)].initial;
    suite_.initial = {.locations = {a, q}, .cells = {0, 5}};
    suite_.lower_bound = 2;
    Test first;
    first.steps = {Step{{FiredEdge{EdgeId(0), {2}}, FiredEdge{EdgeId(3), {2}}}},
                   Step{{FiredEdge{EdgeId(2), {}}}}};
    first.covers = {ItemId(0), ItemId(3)};
    Test second;
    second.steps = {Step{{FiredEdge{EdgeId(1), {}}}}};
    second.covers = {ItemId(0)};
    suite_.tests = {std::move(first), std::move(second)};
    // The search took a quarter of a second, which was the limit.
    const Budget::Phase phase(budget_, "search");
    now_ += std::chrono::milliseconds(250);
    REQUIRE(budget_.is_spent());
  }

  [[nodiscard]] const Network& network() const { return *model_.network; }

  [[nodiscard]] Report report() const {
    return {.tool = {.version = "1.2.3"},
            .network = network(),
            .file = "model.xta",
            .source = model_.file,
            .sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            .rules = rules_,
            .options = {},
            .search = {.algorithm = "global",
                       .order = "bfs",
                       .states = 7,
                       .expansions = 8,
                       .transitions = 9,
                       .tokens = 1,
                       .depth = 3,
                       .bytes_per_state = 24,
                       .seconds = 0.5,
                       .peak_memory_bytes = 4096,
                       .limit = "states"},
            .verdicts = verdicts_,
            .suite = suite_,
            .budget = &budget_};
  }

  CoverageRules& rules() { return rules_; }
  std::vector<Verdict>& verdicts() { return verdicts_; }

 private:
  static constexpr const char* kIds[] = {"edge:P.A.B", "edge:P.A.B.2", "edge:P.B.A"};
  static constexpr const char* kLabels[] = {"P: A -> B", "P: A -> B, the second", "P: B -> A"};

  LoadedModel model_ = load_model_text(
      "model.xta",
      "int[0,9] n; chan go[4];\n"
      "process P() { int[0,9] left = 5; state A, B; init A;\n"
      "  trans A -> B { select i : int[0,3]; sync go[i]!; assign n = i; }, A -> B { },\n"
      "        B -> A { guard n > 0; assign left = left - 1; }; }\n"
      "process Q() { state S; init S; trans S -> S { select k : int[0,3]; sync go[k]?; }; }\n"
      "system P, Q;\n");
  CoverageRules rules_;
  std::vector<Verdict> verdicts_;
  Suite suite_;
  Budget::Time now_;
  Budget budget_{{.most = {.time = std::chrono::milliseconds(249), .bytes = 0},
                  .interrupted = {},
                  .started = now_,
                  .now = [this] { return now_; },
                  .resident = [] { return std::uint64_t{2048}; }}};
};

}  // namespace tw::test
