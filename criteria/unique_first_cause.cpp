// Unique first cause coverage (UFC): every clause of every requirement is, on some run, the first
// and only reason why the requirement holds (docs/criteria.md#ufc). What a run must do for a clause
// is a formula of temporal logic:
//
//   of A && B:  a && B, A && b        of A || B:  a && !B, !A && b        of X A:  X a
//   of A U B:   (A && !B) U (a && !B && (A U B)),  (A && !B) U b
//
// where a and b are what makes A and B true. A run is finite: the last part, what has to follow the
// cause, must not be violated in the state of the cause.
//
// Items: one per clause, as often as it is written, more where xor, equivalence or R use a clause
// several times. Tokens: `held` for `A[] p` and G p, otherwise monitor states.

#include <fmt/format.h>
#include <map>

#include "criteria/registry.hpp"
#include "criteria/requirements.hpp"

namespace tw {
namespace {

class FirstCauseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion({.name = "ufc", .options = {}});
    RequirementRules items(network, "ufc", rules, diagnostics);
    for (const Property* property : requirements_of(network, "ufc", options, diagnostics)) {
      TemporalPool pool;
      if (!items.begin(*property, pool))
        continue;
      const std::vector<PropertyNodeId> clauses = temporal_property(*property, pool).clauses;
      std::map<std::size_t, std::size_t> used;  // by clause
      for (const Obligation& one : first_cause_obligations(*property, pool)) {
        const std::size_t time = ++used[one.clause];
        items.add({.id = fmt::format("ufc:{}#{}{}", property->name, one.clause + 1,
                                     time == 1 ? "" : fmt::format(".{}", time)),
                   .label = fmt::format("{} is the first cause of {}",
                                        (*property)[clauses[one.clause]].text, property->text),
                   .where = property->where},
                  one.formula);
      }
    }
    items.finish();
  }
};

}  // namespace

std::unique_ptr<Criterion> make_ufc() { return std::make_unique<FirstCauseCriterion>(); }

}  // namespace tw
