// How short are chained suites? On every shipped model and on random ones, for each criterion: the
// steps of each reduction beside the optimum, which the local algorithm with resets finds where it
// ends within a budget. Prints Markdown tables: bench/chain_quality [random models].

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "criteria/registry.hpp"
#include "engine/suite/generate.hpp"
#include "frontends/load.hpp"
#include "tests/support/random_network.hpp"

namespace tw {
namespace {

struct Ratios {
  std::size_t models = 0;
  double sum = 0;
  double worst = 1;
  std::size_t optimal = 0;

  void add(std::uint64_t steps, std::uint64_t optimum) {
    const double ratio =
        optimum == 0 ? 1.0 : static_cast<double>(steps) / static_cast<double>(optimum);
    ++models;
    sum += ratio;
    worst = std::max(worst, ratio);
    optimal += steps == optimum ? 1U : 0U;
  }

  [[nodiscard]] std::string row(std::string_view name) const {
    return fmt::format("| {} | {} | {:.3f} | {:.2f} | {} |\n", name, models,
                       models == 0 ? 1.0 : sum / static_cast<double>(models), worst, optimal);
  }
};

constexpr std::uint64_t kMostStates = 20'000;
constexpr std::uint64_t kLocalEntries = 20'000;
constexpr std::uint64_t kLocalExpansions = 20'000;

struct Measured {
  std::uint64_t none = 0;
  std::uint64_t redundant = 0;
  std::uint64_t heuristic = 0;  // chain without the exact attempt
  std::uint64_t chain = 0;
  std::size_t tests = 0;
  std::optional<std::uint64_t> optimum;
};

Measured measure(const Network& network, const char* criterion) {
  const auto run = [&](const GenerateOptions& options) {
    CoverageRules rules;
    Diagnostics diagnostics;
    make_criterion(criterion)->declare(network, {}, rules, diagnostics);
    return generate(network, rules, options);
  };
  Measured out;
  const Generated raw = run({.search = {.max_states = kMostStates}, .reduce = Reduction::kNone});
  if (raw.reason == StopReason::kStates)
    return out;  // the local algorithm would not end either
  out.none = raw.suite.steps();
  out.redundant = run({.reduce = Reduction::kRedundant}).suite.steps();
  out.heuristic = run({.exact_budget = 0}).suite.steps();
  const Generated chain = run({});
  out.chain = chain.suite.steps();
  out.tests = chain.suite.tests.size();
  // The optimum by the published algorithm: subsumption in the first direction, resets.
  const auto feasible = std::ranges::count(chain.verdicts, ItemStatus::kCovered, &Verdict::status);
  if (feasible == 0) {
    out.optimum = 0;
    return out;
  }
  const Generated local = run({.search = {.algorithm = Algorithm::kLocal,
                                          .reset = true,
                                          .stop_at = static_cast<std::uint64_t>(feasible),
                                          .max_states = kLocalEntries,
                                          .max_expansions = kLocalExpansions}});
  if (local.reason == StopReason::kStop || local.reason == StopReason::kDecided)
    out.optimum = local.suite.steps();
  return out;
}

void print_tables(std::uint32_t random) {
  constexpr std::array kCriteria = {"location", "edge", "edge-init", "def-use", "edge-pair"};
  Ratios chain;
  Ratios heuristic;
  fmt::print(
      "| model | criterion | none | redundant | chain (tests) | without exact | optimum |\n"
      "|---|---|---|---|---|---|---|\n");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("models"))
    if (entry.path().extension() == ".xml")
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    const LoadedModel model = load_model(file.string());
    if (!model.network || model.network->is_timed())
      continue;
    for (const char* criterion : kCriteria) {
      const Measured m = measure(*model.network, criterion);
      fmt::print("| {} | {} | {} | {} | {} ({}) | {} | {} |\n", file.stem().string(), criterion,
                 m.none, m.redundant, m.chain, m.tests, m.heuristic,
                 m.optimum ? std::to_string(*m.optimum) : "–");
      std::fflush(stdout);
      if (m.optimum) {
        chain.add(m.chain, *m.optimum);
        heuristic.add(m.heuristic, *m.optimum);
      }
    }
  }
  fmt::print(
      "\n| | models × criteria with known optimum | mean ratio | greatest | optimal |\n"
      "|---|---|---|---|---|\n{}{}",
      chain.row("shipped, chain"), heuristic.row("shipped, without exact"));
  std::fflush(stdout);
  Ratios random_chain;
  Ratios random_heuristic;
  std::size_t unknown = 0;
  for (std::uint32_t seed = 1; random_chain.models < random && seed <= 20 * random; ++seed) {
    const Network network = test::random_network(seed, {.locals = seed % 2 == 0});
    const Measured m = measure(network, kCriteria.at(seed % kCriteria.size()));
    if (!m.optimum) {
      ++unknown;
    } else if (*m.optimum > 3) {  // the others have nothing to choose
      random_chain.add(m.chain, *m.optimum);
      random_heuristic.add(m.heuristic, *m.optimum);
    }
  }
  fmt::print("{}{}\nrandom models whose optimum was not found in {} entries: {}\n",
             random_chain.row("random, chain"), random_heuristic.row("random, without exact"),
             kLocalEntries, unknown);
}

}  // namespace
}  // namespace tw

int main(int argc, char** argv) {
  constexpr std::uint32_t kRandomModels = 500;
  tw::print_tables(argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10))
                            : kRandomModels);
  return 0;
}
