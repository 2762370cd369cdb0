// Edge coverage: every edge is fired (docs/criteria.md#edge).
//
// Items: one per edge. The edge into a branchpoint and the one out of it are two edges.
// Tokens: none.

#include <fmt/format.h>

#include "criteria/elements.hpp"
#include "criteria/registry.hpp"
#include "engine/coverage/names.hpp"

namespace tw {
namespace {

class EdgeCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& /*diagnostics*/) const override {
    rules.begin_criterion({.name = "edge", .options = {}});
    const ElementNames names(network);
    const ItemFamilyId fired = rules.add_item_family("fired");
    for (const EdgeElement& edge : edge_elements(network, options.level))
      rules.add_item(
          fired, {edge.key},
          {.id = fmt::format("edge:{}.{}", edge.owner, names.inner_edge(edge.decl)),
           .label = fmt::format("{} of {}", names.arrow_with_channel(edge.decl), edge.owner),
           .where = network.edge_decls[edge.decl].where});
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kCover,
                    .item = fired,
                    .arguments = {Term::edge(rules.add_map(edge_keys(network, options.level)))}});
  }
};

}  // namespace

std::unique_ptr<Criterion> make_edge() { return std::make_unique<EdgeCriterion>(); }

}  // namespace tw
