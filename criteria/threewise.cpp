// Three-wise coverage (3WC): every triple of values of three variables occurs in some state; the
// locations of processes count as variables (docs/criteria.md#3wc).
//
// Items: one per triple of values. Tokens: none.

#include "criteria/registry.hpp"
#include "criteria/value_tuples.hpp"

namespace tw {
namespace {

class ThreewiseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_value_tuples("3wc", 3, network, options, rules, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_3wc() { return std::make_unique<ThreewiseCriterion>(); }

}  // namespace tw
