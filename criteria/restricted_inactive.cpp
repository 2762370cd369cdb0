// Restricted inactive clause coverage (RICC): every clause is true in one state of a test and false
// in another one, all other clauses are equal in both, and the guard is the same: once true, once
// false (docs/criteria.md#ricc).
//
// Items: two per clause; a guard of one clause has only infeasible ones. Tokens: a valuation of all
// clauses in which some clause does not decide.

#include <fmt/format.h>

#include "criteria/clause_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class RestrictedInactiveCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(pair_criterion("ricc", options));
    ClausePairs pairs(Pairing::kRestricted, options.pairing, rules);
    for (const Decision& decision :
         decisions_of(network, options, "ricc", most_paired_clauses(options), rules, diagnostics)) {
      std::vector<ClausePair> own;
      for (std::uint32_t i = 0; i < decision.clauses.size(); ++i)
        for (const bool guard : {true, false})
          own.push_back(
              {.clause = i,
               .when = rules.both(rules.negate(decision.determines[i]),
                                  guard ? decision.guard : rules.negate(decision.guard)),
               .id = fmt::format("ricc:{}{},guard={}", decision.name, Decision::number(i),
                                 truth_name(guard)),
               .label = fmt::format("{} alone does not turn the guard of {}, which is {}",
                                    decision.clauses[i], decision.label, truth_name(guard))});
      pairs.add(decision, own);
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_ricc() { return std::make_unique<RestrictedInactiveCriterion>(); }

}  // namespace tw
