// The seam for criteria: each is asked once per run for its items, tokens and rules.
#pragma once

#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"

namespace tw {

/// Items of a template, whichever process covers them, or of each process by itself.
enum class Level : std::uint8_t {
  kTemplate,
  kInstance,
};

/// How uses see definitions of the same step.
enum class DefUseReading : std::uint8_t {
  kSequential,  // in the order of evaluation
  kAtomic,      // only definitions of earlier steps
};

/// What "similar to the initial state" means.
enum class InitialSimilarity : std::uint8_t {
  kLocations,
  kVariables,  // locations and variables
  kCondition,  // what the user says: the property that is a condition
};

/// Where the two halves of a pair of states may be.
enum class HalfPlaces : std::uint8_t {
  kTest,   // in one test
  kSuite,  // in any two tests
};

struct CriterionOptions {
  Level level = Level::kTemplate;
  DefUseReading def_use = DefUseReading::kSequential;
  InvariantUses invariants = InvariantUses::kNone;
  std::vector<std::string> variables;  // globs of names; empty: all
  InitialSimilarity initial = InitialSimilarity::kLocations;
  HalfPlaces pairing = HalfPlaces::kTest;
  /// What a state covers counts once a step leaves it.
  bool observe = false;
  /// Not asked for by name: that there are no items is no news, and what is too large is left out
  /// with a warning.
  bool one_of_all = false;
};

class Criterion {
 public:
  Criterion() = default;
  Criterion(const Criterion&) = delete;
  Criterion& operator=(const Criterion&) = delete;
  virtual ~Criterion();

  /// Adds items, tokens and rules for this network. Never called in the hot loop. What is wrong
  /// (too many items, a name in --vars that does not exist) becomes a diagnostic.
  virtual void declare(const Network& network,
                       const CriterionOptions& options,
                       CoverageRules& rules,
                       Diagnostics& diagnostics) const = 0;
};

}  // namespace tw
