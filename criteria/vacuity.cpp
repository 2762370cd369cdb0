// Vacuity coverage (VC): every clause of every requirement matters on some run
// (docs/criteria.md#vc). A clause below an even number of negations is replaced by false, below an
// odd one by true (left of an implication counts as one); a run shows that the clause matters if it
// violates the requirement after the replacement.
//
// Items: one per clause, as often as it is written; two where xor or equivalence makes a clause
// both positive and negative. Tokens: none for `A[] p` and G p, where a state that violates the
// changed p is looked for; otherwise monitor states.

#include <fmt/format.h>

#include "criteria/registry.hpp"
#include "criteria/requirements.hpp"

namespace tw {
namespace {

class VacuityCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion({.name = "vc", .options = {}});
    RequirementRules items(network, "vc", rules, diagnostics);
    for (const Property* property : requirements_of(network, "vc", options, diagnostics)) {
      TemporalPool pool;
      if (!items.begin(*property, pool))
        continue;
      const std::vector<PropertyNodeId> clauses = temporal_property(*property, pool).clauses;
      for (const Obligation& one : vacuity_obligations(*property, pool)) {
        const std::string& clause = (*property)[clauses[one.clause]].text;
        const std::string_view value = one.value == std::optional(true) ? "true" : "false";
        items.add(
            {.id = fmt::format("vc:{}#{}{}", property->name, one.clause + 1,
                               one.value ? fmt::format("={}", value) : ""),
             .label = fmt::format("{} matters{} in {}", clause,
                                  one.value ? fmt::format(" (not {})", value) : "", property->text),
             .where = property->where},
            one.formula);
      }
    }
    items.finish();
  }
};

}  // namespace

std::unique_ptr<Criterion> make_vc() { return std::make_unique<VacuityCriterion>(); }

}  // namespace tw
