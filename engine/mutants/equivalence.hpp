// Can any test kill a mutant? Tests and what they observe are those of kills.hpp.
//
// Without clocks the answer is exact. Given a run of the original, the run of the mutant is
// determined, so a breadth-first search over pairs (state of the original, state of the mutant)
// along the steps of the original sees everything: if every step of the original is possible in the
// mutant and shows the same, no test can tell the two apart. Since all variables are observed,
// pairs differ in locations at the most, and that only where an edge leads elsewhere.
//
// With clocks, pairs of zones would be needed. Instead the original gets one more copy of the edge,
// a *witness*, that fires only where the mutant would be noticed: where the guard holds and the
// mutated one does not, where a lost assignment would have changed something. If exploration proves
// that it never fires, the mutant is equivalent. Invariants are observed the same way. This is
// exact for missing edges, guards, invariants and channels; for assignments and targets only
// "equivalent" is a proof. Where others look at the guard (see acts_alone) the answer is
// "undecided".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/network.hpp"
#include "engine/mutants/mutant.hpp"
#include "engine/semantics/system.hpp"

namespace tw {

enum class MutantVerdict : std::uint8_t {
  kKillable,
  kEquivalent,
  kUndecided,
};

struct JudgeOptions {
  std::uint64_t most_pairs = 200'000;       // per mutant, without clocks
  std::uint64_t most_expansions = 200'000;  // with clocks, for all mutants together
  Execution execution = Execution::kNative;
};

/// Networks without clocks.
class PairJudge {
 public:
  /// The network is borrowed and outlives this.
  PairJudge(const Network& network, JudgeOptions options);
  ~PairJudge();
  PairJudge(const PairJudge&) = delete;
  PairJudge& operator=(const PairJudge&) = delete;

  [[nodiscard]] MutantVerdict judge(const Mutant& mutant);

 private:
  class Graph;
  const Network& network_;
  JudgeOptions options_;
  std::unique_ptr<Graph> graph_;
};

/// Any network; by mutant.
[[nodiscard]] std::vector<MutantVerdict> judge_by_witnesses(const Network& network,
                                                            std::span<const Mutant> mutants,
                                                            const JudgeOptions& options);

/// The better of the two for this network.
[[nodiscard]] std::vector<MutantVerdict> judge(const Network& network,
                                               std::span<const Mutant> mutants,
                                               const JudgeOptions& options);

}  // namespace tw
