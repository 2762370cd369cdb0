// Pairwise coverage (PWC): every pair of values of two variables occurs in some state; the
// locations of processes count as variables (docs/criteria.md#pwc).
//
// Items: one per pair of values. Tokens: none.

#include "criteria/registry.hpp"
#include "criteria/value_tuples.hpp"

namespace tw {
namespace {

class PairwiseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_value_tuples("pwc", 2, network, options, rules, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_pwc() { return std::make_unique<PairwiseCriterion>(); }

}  // namespace tw
