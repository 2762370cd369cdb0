// What a suite has to cover, once it is known what can be covered. Most items stand for themselves.
// A whole wants both halves of one of its pairs, wherever they are; which pair is a choice that
// decides how long the suite is. A fallback is wanted only where a stronger item is not to be had.
#pragma once

#include <vector>

#include "engine/coverage/bit_sets.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/suite/suite.hpp"

namespace tw {

/// One of the alternatives must be covered, all of its items. Each has one item, or two.
struct Requirement {
  std::vector<std::vector<ItemId>> alternatives;
};

/// Verdicts are by item; those of items that rules can cover are known. Decides wholes, and takes
/// fallbacks that nobody needs out of the count. Halves are still counted.
void settle_goals(const CoverageRules& rules, std::vector<Verdict>& verdicts);

/// Pre: settled. What the verdicts promise.
[[nodiscard]] std::vector<Requirement> requirements_of(const CoverageRules& rules,
                                                       const std::vector<Verdict>& verdicts);

/// The items that meet the requirements where these are covered: of each the first alternative.
[[nodiscard]] std::vector<std::uint64_t> wanted_items(const std::vector<Requirement>& requirements,
                                                      Words covered);

/// Halves are out of the count from now on.
void discount_halves(const CoverageRules& rules, std::vector<Verdict>& verdicts);

/// The verdicts if exactly these items are covered, halves among them, and a search has found out
/// the rest: `explored`, by item, may be shorter. What it says is covered and is not among these is
/// undecided. Settled and without halves.
[[nodiscard]] std::vector<Verdict> verdicts_of(const CoverageRules& rules,
                                               Words covered,
                                               const std::vector<Verdict>& explored);

/// Adds the wholes whose halves are covered.
void add_wholes(const CoverageRules& rules, std::vector<std::uint64_t>& covered);

/// By item: the numbers of the tests that cover it, ascending. `covers` is by test. Of a whole
/// those of the first pair of halves.
[[nodiscard]] std::vector<std::vector<std::size_t>> tests_by_item(
    const CoverageRules& rules, const std::vector<std::vector<ItemId>>& covers);

}  // namespace tw
