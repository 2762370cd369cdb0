// Def-use coverage (all uses): every definition of a variable reaches each of its uses
// (definition_uses.hpp).
//
// Items: (cell, edge that defines, edge that uses).

#include "criteria/definition_uses.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class DefUseCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_definition_uses({.criterion = "def-use"}, network, options, rules, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_def_use() { return std::make_unique<DefUseCriterion>(); }

}  // namespace tw
