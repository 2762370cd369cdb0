// General active clause coverage (GACC): every clause is once true and once false where it decides
// the guard, that is, where the guard with the clause true differs from the guard with the clause
// false (docs/criteria.md#gacc). Satisfying it does not make the guard itself true and false: for
// `a ^ b` two states with the same outcome will do.
//
// Items: two per clause. Tokens: none.

#include <fmt/format.h>

#include "criteria/decisions.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class GeneralActiveCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(guard_criterion("gacc", options));
    const ItemFamilyId family = rules.add_item_family("active clause");
    for (const Decision& decision :
         decisions_of(network, options, "gacc", Observation::kMostAtoms, rules, diagnostics))
      for (std::uint32_t i = 0; i < decision.clauses.size(); ++i)
        for (const bool value : {true, false})
          add_decision_item(
              decision, family, {decision.key, i, value ? 1U : 0U},
              {.id = fmt::format("gacc:{}{}={}", decision.name, Decision::number(i),
                                 truth_name(value)),
               .label = fmt::format("{} is {} and decides the guard of {}", decision.clauses[i],
                                    truth_name(value), decision.label)},
              rules.both(decision.determines[i],
                         value ? decision.clause[i] : rules.negate(decision.clause[i])),
              rules);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_gacc() { return std::make_unique<GeneralActiveCriterion>(); }

}  // namespace tw
