// What guards and updates cost, and the successors of a state, as byte code and as native code; and
// what it costs to make the latter.
//
// semantics/evaluate and semantics/update run the guards, or updates, of all edges in the initial
// state; items are runs. semantics/expand expands the first states of a search; items are states.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/semantics/machine.hpp"
#include "engine/semantics/native.hpp"
#include "engine/semantics/successors.hpp"
#include "frontends/load.hpp"

namespace {

using tw::Execution;

constexpr Execution kByteCode = Execution::kByteCode;
constexpr Execution kNative = Execution::kNative;

// Guards and updates of different weight.
struct Labels {
  const char* guard;
  const char* update;
};

constexpr Labels kScalar = {"last < 3 && count != 2", "last = 1, count = 0"};
constexpr Labels kElement = {"n[k] < 50 && n[last] >= 0", "n[k] = (n[k] + 1) % 50, last = k"};
constexpr Labels kQuantifier = {"forall (i : int[0,3]) n[i] < 90", "n[k] = 1"};
constexpr Labels kFunction = {"free(k)", "add(k)"};

std::string model(const Labels& labels, int edges) {
  std::string out =
      "int[0,100] n[4]; int[0,3] last; int count;\n"
      "bool free(int[0,3] k) { int i; for (i = 0; i < 4; i++) if (n[i] > 50) return false; "
      "return n[k] < 99; }\n"
      "void add(int[0,3] k) { int i; for (i = 3; i > 0; i--) n[i] = (n[i] + n[i - 1] * 3) % 7; "
      "n[k]++; }\n"
      "process P() {\nstate L0, L1;\ninit L0;\ntrans\n";
  for (int i = 0; i < edges; ++i)
    out += fmt::format("{}L{} -> L{} {{ select k : int[0,3]; guard {}; assign {}; }}",
                       i == 0 ? "" : ",\n", i % 2, (i / 2) % 2, labels.guard, labels.update);
  return out + ";\n}\nsystem P;\n";
}

tw::Network load(const std::string& text) {
  tw::LoadedModel out = tw::load_model_text("bench.xta", text);
  if (!out.network)
    std::abort();
  return std::move(*out.network);
}

tw::Network load_shipped(const std::string& name) {
  tw::LoadedModel out =
      tw::load_model(fmt::format("{}/models/{}/{}.xml", TW_SOURCE_DIR, name, name));
  if (!out.network)
    std::abort();
  return std::move(*out.network);
}

void evaluate(benchmark::State& state, const Labels& labels, Execution execution) {
  const tw::Network network = load(model(labels, 64));
  const tw::System system(network, {}, execution);
  const tw::Code& code = system.code();
  std::vector<std::int32_t> memory = code.memory;
  std::int64_t runs = 0;
  for (auto _ : state)
    for (std::uint32_t e = 0; e < network.edges.size(); ++e) {
      const tw::RunResult guard = tw::run(code, system.edge(e).guard, memory.data());
      benchmark::DoNotOptimize(guard);
      ++runs;
    }
  state.SetItemsProcessed(runs);
}

void update(benchmark::State& state, const Labels& labels, Execution execution) {
  const tw::Network network = load(model(labels, 64));
  const tw::System system(network, {}, execution);
  const tw::Code& code = system.code();
  std::vector<std::int32_t> memory = code.memory;
  std::int64_t runs = 0;
  for (auto _ : state) {
    std::copy_n(code.memory.begin(), network.memory.state, memory.begin());
    for (std::uint32_t e = 0; e < network.edges.size(); ++e) {
      const tw::RunResult result = tw::run(code, system.edge(e).updates, memory.data());
      benchmark::DoNotOptimize(result);
      ++runs;
    }
  }
  state.SetItemsProcessed(runs);
}

// The first states, breadth first.
std::vector<std::vector<std::uint64_t>> first_states(const tw::System& system, std::size_t most) {
  tw::SuccessorGenerator generator(system, tw::OnError::kSkip);
  std::vector<std::vector<std::uint64_t>> out = {generator.initial().state};
  std::set<std::vector<std::uint64_t>> seen = {out.front()};
  tw::Successors successors;
  for (std::size_t i = 0; i < out.size() && out.size() < most; ++i) {
    generator.expand(out[i].data(), successors);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      std::vector<std::uint64_t> next(successors.state(k).begin(), successors.state(k).end());
      if (seen.insert(next).second)
        out.push_back(std::move(next));
    }
  }
  return out;
}

void expand(benchmark::State& state, const std::string& name, Execution execution) {
  const tw::Network network = load_shipped(name);
  const tw::System system(network, {}, execution);
  const std::vector<std::vector<std::uint64_t>> states = first_states(system, 2000);
  tw::SuccessorGenerator generator(system, tw::OnError::kSkip);
  tw::Successors successors;
  std::int64_t expanded = 0;
  for (auto _ : state)
    for (const std::vector<std::uint64_t>& s : states) {
      generator.expand(s.data(), successors);
      benchmark::DoNotOptimize(successors.state(0).data());
      ++expanded;
    }
  state.SetItemsProcessed(expanded);
}

void translate(benchmark::State& state, const tw::Network& network) {
  const tw::System system(network, {}, Execution::kByteCode);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const tw::NativeCode native(system.code());
    benchmark::DoNotOptimize(native.functions());
    bytes = native.bytes();
  }
  state.counters["instructions"] = static_cast<double>(system.code().instructions.size());
  state.counters["bytes"] = static_cast<double>(bytes);
}

void translate_edges(benchmark::State& state, const Labels& labels) {
  translate(state, load(model(labels, static_cast<int>(state.range(0)))));
}

void translate_shipped(benchmark::State& state, const std::string& name) {
  translate(state, load_shipped(name));
}

// What is there before: the rest of a system.
void build_edges(benchmark::State& state, const Labels& labels) {
  const tw::Network network = load(model(labels, static_cast<int>(state.range(0))));
  for (auto _ : state) {
    const tw::System system(network, {}, kByteCode);
    benchmark::DoNotOptimize(system.code().instructions.data());
  }
}

BENCHMARK_CAPTURE(evaluate, bytecode_scalar, kScalar, kByteCode)
    ->Name("semantics/evaluate/bytecode/scalar");
BENCHMARK_CAPTURE(evaluate, native_scalar, kScalar, kNative)
    ->Name("semantics/evaluate/native/scalar");
BENCHMARK_CAPTURE(evaluate, bytecode_element, kElement, kByteCode)
    ->Name("semantics/evaluate/bytecode/element");
BENCHMARK_CAPTURE(evaluate, native_element, kElement, kNative)
    ->Name("semantics/evaluate/native/element");
BENCHMARK_CAPTURE(evaluate, bytecode_quantifier, kQuantifier, kByteCode)
    ->Name("semantics/evaluate/bytecode/quantifier");
BENCHMARK_CAPTURE(evaluate, native_quantifier, kQuantifier, kNative)
    ->Name("semantics/evaluate/native/quantifier");
BENCHMARK_CAPTURE(evaluate, bytecode_function, kFunction, kByteCode)
    ->Name("semantics/evaluate/bytecode/function");
BENCHMARK_CAPTURE(evaluate, native_function, kFunction, kNative)
    ->Name("semantics/evaluate/native/function");
BENCHMARK_CAPTURE(update, bytecode_scalar, kScalar, kByteCode)
    ->Name("semantics/update/bytecode/scalar");
BENCHMARK_CAPTURE(update, native_scalar, kScalar, kNative)->Name("semantics/update/native/scalar");
BENCHMARK_CAPTURE(update, bytecode_element, kElement, kByteCode)
    ->Name("semantics/update/bytecode/element");
BENCHMARK_CAPTURE(update, native_element, kElement, kNative)
    ->Name("semantics/update/native/element");
BENCHMARK_CAPTURE(update, bytecode_quantifier, kQuantifier, kByteCode)
    ->Name("semantics/update/bytecode/quantifier");
BENCHMARK_CAPTURE(update, native_quantifier, kQuantifier, kNative)
    ->Name("semantics/update/native/quantifier");
BENCHMARK_CAPTURE(update, bytecode_function, kFunction, kByteCode)
    ->Name("semantics/update/bytecode/function");
BENCHMARK_CAPTURE(update, native_function, kFunction, kNative)
    ->Name("semantics/update/native/function");
BENCHMARK_CAPTURE(expand, bytecode_peterson_n, "peterson_n", kByteCode)
    ->Name("semantics/expand/bytecode/peterson_n");
BENCHMARK_CAPTURE(expand, native_peterson_n, "peterson_n", kNative)
    ->Name("semantics/expand/native/peterson_n");
BENCHMARK_CAPTURE(expand, bytecode_sliding_window, "sliding_window", kByteCode)
    ->Name("semantics/expand/bytecode/sliding_window");
BENCHMARK_CAPTURE(expand, native_sliding_window, "sliding_window", kNative)
    ->Name("semantics/expand/native/sliding_window");
BENCHMARK_CAPTURE(expand, bytecode_train_gate, "train_gate", kByteCode)
    ->Name("semantics/expand/bytecode/train_gate");
BENCHMARK_CAPTURE(expand, native_train_gate, "train_gate", kNative)
    ->Name("semantics/expand/native/train_gate");
BENCHMARK_CAPTURE(expand, bytecode_safety_injection, "safety_injection", kByteCode)
    ->Name("semantics/expand/bytecode/safety_injection");
BENCHMARK_CAPTURE(expand, native_safety_injection, "safety_injection", kNative)
    ->Name("semantics/expand/native/safety_injection");
BENCHMARK_CAPTURE(expand, bytecode_csma_cd, "csma_cd", kByteCode)
    ->Name("semantics/expand/bytecode/csma_cd");
BENCHMARK_CAPTURE(expand, native_csma_cd, "csma_cd", kNative)
    ->Name("semantics/expand/native/csma_cd");
BENCHMARK_CAPTURE(translate_edges, element, kElement)
    ->Name("semantics/jit_compile/element")
    ->Arg(64)
    ->Arg(4244)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate_edges, function, kFunction)
    ->Name("semantics/jit_compile/function")
    ->Arg(64)
    ->Arg(4244)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate_shipped, csma_cd, "csma_cd")
    ->Name("semantics/jit_compile/csma_cd")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_edges, element, kElement)
    ->Name("semantics/compile/element")
    ->Arg(64)
    ->Arg(4244)
    ->Unit(benchmark::kMillisecond);

}  // namespace
