// Computation-use coverage: every definition of a variable reaches each of its uses in an update
// (definition_uses.hpp).
//
// Items: (cell, edge that defines, edge that uses).

#include "criteria/definition_uses.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class ComputationUseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_definition_uses({.criterion = "c-use", .uses = UseKind::kComputation}, network, options,
                            rules, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_c_use() { return std::make_unique<ComputationUseCriterion>(); }

}  // namespace tw
