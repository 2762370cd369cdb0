// Kernels of the search: hash and insert states into a store, replay a suite, chain its tests.

#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "criteria/registry.hpp"
#include "engine/base/diagnostics.hpp"
#include "engine/replay/check_run.hpp"
#include "engine/search/state_store.hpp"
#include "engine/suite/chain.hpp"
#include "engine/suite/generate.hpp"
#include "engine/suite/walker.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

// A third of the states are new, as in many models.
void insert(benchmark::State& run, StoreKind kind) {
  const auto words = static_cast<std::size_t>(run.range(0));
  const auto count = static_cast<std::size_t>(run.range(1));
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> states(count * words);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = random() % (count / 3);
    for (std::size_t w = 0; w < words; ++w)
      states[i * words + w] = (number >> (8 * w)) % 65536;
  }
  for (auto _ : run) {
    StateStore store(words, words, kind);
    for (std::size_t i = 0; i < count; ++i)
      benchmark::DoNotOptimize(store.insert(states.data() + i * words));
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK_CAPTURE(insert, flat, StoreKind::kFlat)
    ->Name("search/insert/flat")
    ->Args({1, 1 << 20})
    ->Args({4, 1 << 20});
BENCHMARK_CAPTURE(insert, tree, StoreKind::kTree)
    ->Name("search/insert/tree")
    ->Args({1, 1 << 20})
    ->Args({4, 1 << 20});

// A suite with one test per item, and what it takes to make and to use it.
struct Made {
  explicit Made(const std::string& model)
      : network(std::move(*load_model(std::string(TW_SOURCE_DIR) + "/models/" + model).network)) {
    Diagnostics diagnostics;
    make_criterion("def-use")->declare(network, {}, rules, diagnostics);
    generated = generate(network, rules, {.reduce = Reduction::kNone});
  }

  Network network;
  CoverageRules rules;
  Generated generated;
};

// By the second implementation; items are steps.
void replay_suite(benchmark::State& run, const std::string& model) {
  Made made(model);
  const replay::Interpreter interpreter = replay::interpreter_for(made.network, made.rules);
  replay::Monitor monitor(made.network, made.rules);
  for (auto _ : run)
    for (const Test& test : made.generated.suite.tests) {
      std::vector<Rational> delays;
      for (const Delay& delay : test.delays)
        delays.push_back(delay.chosen);
      benchmark::DoNotOptimize(replay::check_run(interpreter, monitor, test.steps, delays));
    }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(made.generated.suite.steps()));
}
BENCHMARK_CAPTURE(replay_suite, lift, "lift/lift.xml")
    ->Name("suite/replay/lift")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_suite, train_gate, "train_gate/train_gate.xml")
    ->Name("suite/replay/train_gate")
    ->Unit(benchmark::kMillisecond);

// Those tests led on to each other, without the attempt to find the optimum.
void chain_suite(benchmark::State& run, const std::string& model) {
  Made made(model);
  const System system(made.network, instrumentation_for(made.rules));
  Ledger others(made.rules);
  for (std::size_t i = 0; i < made.generated.verdicts.size(); ++i)
    if (made.generated.verdicts[i].status != ItemStatus::kCovered)
      others.cover(ItemId(i));
  for (auto _ : run) {
    Effects effects(made.network, made.rules);
    Walker walker(system, effects);
    std::vector<Walk> walks;
    for (const Test& test : made.generated.suite.tests)
      walks.push_back(walker.walk(test.steps));
    benchmark::DoNotOptimize(
        chain(system, effects, others, walks, {.budget = GenerateOptions().chain_budget}));
  }
}
BENCHMARK_CAPTURE(chain_suite, lift, "lift/lift.xml")
    ->Name("suite/chain/lift")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chain_suite, train_gate, "train_gate/train_gate.xml")
    ->Name("suite/chain/train_gate")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tw
