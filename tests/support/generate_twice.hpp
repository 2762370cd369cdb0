// Random and oracle tests run the product twice: as the options say, and in another way that must
// not make a difference.
#pragma once

#include <array>
#include <optional>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/suite/generate.hpp"

namespace tw {

using Lengths = std::vector<std::optional<std::size_t>>;

// Covered items with the lengths the search found; none where it proved the item infeasible.
inline Lengths lengths_of(const Generated& generated) {
  Lengths out;
  for (const Verdict& verdict : generated.verdicts)
    out.push_back(verdict.status == ItemStatus::kCovered ? std::optional<std::size_t>(verdict.depth)
                                                         : std::nullopt);
  return out;
}

// The same in all that a user sees.
inline void require_same(const Generated& one, const Generated& other, bool same_memory) {
  REQUIRE(lengths_of(one) == lengths_of(other));
  REQUIRE(one.search.states == other.search.states);
  REQUIRE(one.search.expansions == other.search.expansions);
  REQUIRE(one.search.transitions == other.search.transitions);
  REQUIRE(one.search.depth == other.search.depth);
  REQUIRE((!same_memory || one.search.bytes_per_state == other.search.bytes_per_state));
  REQUIRE(one.suite.tests.size() == other.suite.tests.size());
  for (std::size_t i = 0; i < one.suite.tests.size(); ++i)
    REQUIRE(one.suite.tests[i].steps == other.suite.tests[i].steps);
}

// With fewer states: the same verdicts and, where they are shortest, lengths.
inline void require_same_verdicts(const Generated& one,
                                  const Generated& other,
                                  const SearchOptions& options) {
  REQUIRE(one.verdicts.size() == other.verdicts.size());
  for (std::size_t i = 0; i < one.verdicts.size(); ++i)
    REQUIRE(one.verdicts[i].status == other.verdicts[i].status);
  if (options.order == Order::kBfs && options.algorithm != Algorithm::kLocal &&
      options.subsumption != Subsumption::kBothWays)
    REQUIRE(lengths_of(one) == lengths_of(other));
}

// generate(), and once more with byte code, a tree of states, two threads, all steps taken, or
// states told apart by values that nobody reads: then there are more of them.
inline Generated generate_twice(const Network& network,
                                CoverageRules& rules,
                                const GenerateOptions& options) {
  CoverageRules again = rules;
  Generated out = generate(network, rules, options);
  static std::mt19937 random(1);
  const std::array names = {"byte code", "a tree", "two threads", "all steps", "dead values"};
  const std::size_t which = random() % names.size();
  GenerateOptions others = options;
  if (which == 0)
    others.search.execution = Execution::kByteCode;
  else if (which == 1)
    others.search.store = StoreKind::kTree;
  else if (which == 2)
    others.search.threads = 2;
  else if (which == 3)
    others.search.leave_out = false;
  else
    others.search.keep_dead = true;
  INFO("with " << names[which]);
  const Generated other = generate(network, again, others);
  if (which != 4) {
    require_same(out, other, which % 2 == 0);
  } else if (other.reason == StopReason::kExhausted || other.reason == StopReason::kDecided) {
    REQUIRE(out.reason == other.reason);
    require_same_verdicts(out, other, options.search);
    REQUIRE((out.reason == StopReason::kDecided || out.search.states <= other.search.states));
  }
  return out;
}

}  // namespace tw
