// Kernels of the search: states into a store, effects on tokens, replay of a suite, chaining.

#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "criteria/registry.hpp"
#include "engine/base/diagnostics.hpp"
#include "engine/search/state_store.hpp"
#include "engine/suite/generate.hpp"
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
BENCHMARK_CAPTURE(insert, search / insert / flat, StoreKind::kFlat)
    ->Args({1, 1 << 20})
    ->Args({4, 1 << 20});
BENCHMARK_CAPTURE(insert, search / insert / tree, StoreKind::kTree)
    ->Args({1, 1 << 20})
    ->Args({4, 1 << 20});

// The whole way, so that the difference of two of them is replay or chaining.
void generate_suite(benchmark::State& run, const std::string& model, Reduction reduction) {
  Diagnostics diagnostics;
  LoadedModel loaded = load_model(std::string(TW_SOURCE_DIR) + "/models/" + model);
  for (auto _ : run) {
    CoverageRules rules;
    make_criterion("def-use")->declare(*loaded.network, {}, rules, diagnostics);
    benchmark::DoNotOptimize(generate(*loaded.network, rules, {.reduce = reduction}));
  }
}
BENCHMARK_CAPTURE(generate_suite, suite / replay / lift, "lift/lift.xml", Reduction::kNone)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_suite, suite / chain / lift, "lift/lift.xml", Reduction::kChain)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tw
