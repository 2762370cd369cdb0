// Single-value coverage (SC): every value of every variable, and every location of every process,
// occurs in some state (docs/criteria.md#sc).
//
// Items: one per value. Tokens: none.

#include "criteria/registry.hpp"
#include "criteria/value_tuples.hpp"

namespace tw {
namespace {

class SingleValueCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_value_tuples("sc", 1, network, options, rules, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_sc() { return std::make_unique<SingleValueCriterion>(); }

}  // namespace tw
