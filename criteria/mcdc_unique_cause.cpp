// Modified condition/decision coverage, unique cause, per occurrence
// (docs/criteria.md#mcdc-unique-cause): every condition, where each occurrence in the guard is one
// of its own, turns the guard in two states of a test while all other conditions stay as they are.
// A condition that occurs twice changes at both places, so its items are infeasible. Where no
// clause occurs twice this is RACC.
//
// Items: one per occurrence. Tokens: as for RACC.

#include <algorithm>
#include <fmt/format.h>

#include "criteria/clause_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class McdcUniqueCauseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(pair_criterion("mcdc-unique-cause", options));
    ClausePairs pairs(Pairing::kRestricted, options.pairing, rules);
    for (const Decision& decision :
         decisions_of(network, options, "mcdc-unique-cause", most_paired_clauses(options), rules,
                      diagnostics)) {
      std::vector<ClausePair> own;
      for (std::uint32_t i = 0; i < decision.occurrences.size(); ++i) {
        const std::uint32_t clause = decision.occurrences[i];
        const bool alone = std::ranges::count(decision.occurrences, clause) == 1;
        own.push_back(
            {.clause = clause,
             .when = alone ? decision.determines[clause] : rules.constant(false),
             .id = fmt::format("mcdc-unique-cause:{}{}", decision.name, Decision::number(i)),
             .label = fmt::format("{} at place {} alone turns the guard of {}",
                                  decision.clauses[clause], i + 1, decision.label)});
      }
      pairs.add(decision, own);
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_mcdc_unique_cause() {
  return std::make_unique<McdcUniqueCauseCriterion>();
}

}  // namespace tw
