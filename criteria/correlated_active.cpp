// Correlated active clause coverage (CACC): every clause is true in one state of a test and false
// in another one, decides the guard in both, and the guard differs (docs/criteria.md#cacc; masking
// MC/DC per clause).
//
// Items: one per clause. Tokens: value of clause and guard in a state where the clause decides.

#include <fmt/format.h>

#include "criteria/clause_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class CorrelatedActiveCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(pair_criterion("cacc", options));
    ClausePairs pairs(Pairing::kCorrelated, options.pairing, rules);
    for (const Decision& decision :
         decisions_of(network, options, "cacc", most_paired_clauses(options), rules, diagnostics)) {
      std::vector<ClausePair> own;
      for (std::uint32_t i = 0; i < decision.clauses.size(); ++i)
        own.push_back({.clause = i,
                       .when = decision.determines[i],
                       .id = fmt::format("cacc:{}{}", decision.name, Decision::number(i)),
                       .label = fmt::format("{} decides the guard of {}, both ways",
                                            decision.clauses[i], decision.label)});
      pairs.add(decision, own);
    }
  }
};

}  // namespace

std::unique_ptr<Criterion> make_cacc() { return std::make_unique<CorrelatedActiveCriterion>(); }

}  // namespace tw
