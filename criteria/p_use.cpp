// Predicate-use coverage: every definition of a variable reaches each of its uses in a guard or in
// the index of a channel (definition_uses.hpp). Also called AllDU (docs/criteria.md#p-use).
//
// Items: (cell, edge that defines, edge that uses).

#include "criteria/definition_uses.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class PredicateUseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_definition_uses({.criterion = "p-use", .uses = UseKind::kPredicate}, network, options,
                            rules, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_p_use() { return std::make_unique<PredicateUseCriterion>(); }

}  // namespace tw
