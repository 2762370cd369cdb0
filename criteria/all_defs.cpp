// All-definitions coverage: every definition of a variable reaches one of its uses
// (definition_uses.hpp).
//
// Items: (cell, edge that defines). A definition without a use that it could reach is none.

#include "criteria/definition_uses.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class AllDefsCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    declare_definition_uses({.criterion = "all-defs", .any_use = true}, network, options, rules,
                            diagnostics);
  }
};

}  // namespace

std::unique_ptr<Criterion> make_all_defs() { return std::make_unique<AllDefsCriterion>(); }

}  // namespace tw
