// Clause coverage (CC): every clause of a guard is once true and once false while the process is in
// the source location (docs/criteria.md#cc).
//
// Items: two per clause. Tokens: none.

#include <fmt/format.h>

#include "criteria/decisions.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class ClauseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion(guard_criterion("cc", options));
    const ItemFamilyId family = rules.add_item_family("clause");
    for (const Decision& decision :
         decisions_of(network, options, "cc", Observation::kMostAtoms, rules, diagnostics))
      for (std::uint32_t i = 0; i < decision.clauses.size(); ++i)
        for (const bool value : {true, false})
          add_decision_item(decision, family, {decision.key, i, value ? 1U : 0U},
                            {.id = fmt::format("cc:{}{}={}", decision.name, Decision::number(i),
                                               truth_name(value)),
                             .label = fmt::format("{} is {} in {}", decision.clauses[i],
                                                  truth_name(value), decision.label)},
                            value ? decision.clause[i] : rules.negate(decision.clause[i]), rules);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_cc() { return std::make_unique<ClauseCriterion>(); }

}  // namespace tw
