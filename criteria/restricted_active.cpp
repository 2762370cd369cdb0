// Restricted active clause coverage (RACC): every clause is true in one state of a test and false
// in another one, all other clauses are equal in both, and the guard differs
// (docs/criteria.md#racc; unique-cause MC/DC per clause).
//
// Items: one per clause. Tokens: a valuation of all clauses in which some clause decides.

#include <fmt/format.h>

#include "criteria/clause_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class RestrictedActiveCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(pair_criterion("racc", options));
    ClausePairs pairs(Pairing::kRestricted, options.pairing, rules);
    for (const Decision& decision :
         decisions_of(network, options, "racc", most_paired_clauses(options), rules, diagnostics)) {
      std::vector<ClausePair> own;
      for (std::uint32_t i = 0; i < decision.clauses.size(); ++i)
        own.push_back({.clause = i,
                       .when = decision.determines[i],
                       .id = fmt::format("racc:{}{}", decision.name, Decision::number(i)),
                       .label = fmt::format("{} alone turns the guard of {}", decision.clauses[i],
                                            decision.label)});
      pairs.add(decision, own);
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_racc() { return std::make_unique<RestrictedActiveCriterion>(); }

}  // namespace tw
