// From a network and rules to a suite: search, traces, reduction, replay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/search/search_options.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

enum class Reduction : std::uint8_t {
  kNone,       // one shortest trace per item
  kRedundant,  // without tests whose items others cover
  kCover,      // greedy set cover, then the same
  kChain,      // tests that go on to the next item instead of starting over
};

enum class Optimise : std::uint8_t {
  kSteps,  // fewest steps, then fewest tests
  kTests,  // fewest tests, then fewest steps
  kTime,   // least model time, then fewest steps
};

struct GenerateOptions {
  SearchOptions search;
  Reduction reduce = Reduction::kChain;
  Optimise optimise = Optimise::kSteps;
  Delays delays = Delays::kRobust;
  /// Expansions that chaining may spend on each of its ways, if the exploration had not more …
  std::uint64_t chain_budget = 100'000;
  /// … and on finding, or proving, the shortest suite.
  std::uint64_t exact_budget = 20'000;
};

/// A run-time error of the model and the way to it.
struct ErrorTrace {
  ModelError error;
  bool initial = false;  // in the initial state itself, which does not exist then
  std::vector<Step> steps;
};

struct Generated {
  SearchSummary search;
  StopReason reason = StopReason::kExhausted;
  bool has_initial_state = true;
  std::optional<ErrorTrace> error;  // if reason is kModelError
  std::vector<Verdict> verdicts;    // by item
  Suite suite;
  /// What replay found wrong with our own suite; not empty means we are wrong (exit 5).
  std::string internal_error;
};

/// Open families of the rules may get new members.
[[nodiscard]] Generated generate(const Network& network,
                                 CoverageRules& rules,
                                 const GenerateOptions& options);

}  // namespace tw
