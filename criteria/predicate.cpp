// Predicate coverage (PC): every guard is once true and once false while its process is in the
// source location (docs/criteria.md#pc).
//
// Items: two per guard. Tokens: none.

#include <fmt/format.h>

#include "criteria/decisions.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class PredicateCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(guard_criterion("pc", options));
    const ItemFamilyId family = rules.add_item_family("guard");
    for (const Decision& decision :
         decisions_of(network, options, "pc", Observation::kMostAtoms, rules, diagnostics))
      for (const bool value : {true, false})
        add_decision_item(
            decision, family, {decision.key, value ? 1U : 0U},
            {.id = fmt::format("pc:{}={}", decision.name, truth_name(value)),
             .label = fmt::format("guard of {} is {}", decision.label, truth_name(value))},
            value ? decision.guard : rules.negate(decision.guard), rules);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_pc() { return std::make_unique<PredicateCriterion>(); }

}  // namespace tw
