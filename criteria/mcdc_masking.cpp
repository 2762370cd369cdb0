// Modified condition/decision coverage, masking, per occurrence (docs/criteria.md#mcdc-masking):
// every condition, where each occurrence in the guard is one of its own, decides the guard in two
// states of a test with both its values and both values of the guard. Other conditions may differ,
// as long as they do not mask it. Where no clause occurs twice this is CACC.
//
// Items: one per occurrence. Tokens: as for CACC. A condition that occurs twice changes everywhere
// at once; it decides at one place if the guard would turn when only that place did.

#include <fmt/format.h>

#include "criteria/clause_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class McdcMaskingCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(pair_criterion("mcdc-masking", options));
    ClausePairs pairs(Pairing::kCorrelated, options.pairing, rules);
    for (const Decision& decision : decisions_of(
             network, options, "mcdc-masking", most_paired_clauses(options), rules, diagnostics)) {
      std::vector<ClausePair> own;
      for (std::uint32_t i = 0; i < decision.occurrences.size(); ++i)
        own.push_back({.clause = decision.occurrences[i],
                       .when = decision.occurrence_determines[i],
                       .id = fmt::format("mcdc-masking:{}{}", decision.name, Decision::number(i)),
                       .label = fmt::format("{} at place {} decides the guard of {}, both ways",
                                            decision.clauses[decision.occurrences[i]], i + 1,
                                            decision.label)});
      pairs.add(decision, own);
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_mcdc_masking() { return std::make_unique<McdcMaskingCriterion>(); }

}  // namespace tw
