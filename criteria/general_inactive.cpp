// General inactive clause coverage (GICC): every clause is true and false where it does not decide
// the guard, once with the guard true and once with the guard false (docs/criteria.md#gicc).
//
// Items: four per clause; a guard of one clause has only infeasible ones. Tokens: none.

#include <fmt/format.h>

#include "criteria/decisions.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class GeneralInactiveCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(guard_criterion("gicc", options));
    const ItemFamilyId family = rules.add_item_family("inactive clause");
    for (const Decision& decision :
         decisions_of(network, options, "gicc", Observation::kMostAtoms, rules, diagnostics))
      for (std::uint32_t i = 0; i < decision.clauses.size(); ++i)
        for (const bool value : {true, false})
          for (const bool guard : {true, false})
            add_item(decision, i, value, guard, family, rules);
  }

 private:
  static void add_item(const Decision& decision,
                       std::uint32_t i,
                       bool value,
                       bool guard,
                       ItemFamilyId family,
                       CoverageRules& rules) {
    const FormulaId clause = value ? decision.clause[i] : rules.negate(decision.clause[i]);
    const FormulaId whole = guard ? decision.guard : rules.negate(decision.guard);
    add_decision_item(
        decision, family, {decision.key, i, value ? 1U : 0U, guard ? 1U : 0U},
        {.id = fmt::format("gicc:{}{}={},guard={}", decision.name, Decision::number(i),
                           truth_name(value), truth_name(guard)),
         .label = fmt::format("{} is {} and does not decide the guard of {}, which is {}",
                              decision.clauses[i], truth_name(value), decision.label,
                              truth_name(guard))},
        rules.both(rules.negate(decision.determines[i]), rules.both(clause, whole)), rules);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_gicc() { return std::make_unique<GeneralInactiveCriterion>(); }

}  // namespace tw
