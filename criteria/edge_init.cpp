// Edge-init coverage: every edge is fired, and a state similar to the initial one is reached after
// it, so that tests can be run one after the other (Hessel and Pettersson, 2007).
//
// Items: one per edge. The step that fires the edge may itself be the one that returns.
// Tokens: fired(edge), armed when the edge fires, never dropped. Which process fired it does not
// matter afterwards, so there is one token per item.
// Similar means: all processes are in their initial locations; as an option all variables have
// their initial values, too. Clocks and meta variables never count.

#include <fmt/format.h>

#include "criteria/elements.hpp"
#include "criteria/registry.hpp"
#include "engine/coverage/names.hpp"

namespace tw {
namespace {

class EdgeInitCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& /*diagnostics*/) const override {
    const bool variables = options.initial == InitialSimilarity::kVariables;
    rules.begin_criterion(
        {.name = "edge-init", .options = variables ? "--edge-init variables" : ""});
    const ElementNames names(network);
    const ItemFamilyId returned = rules.add_item_family("returned");
    const TokenFamilyId fired = rules.add_token_family({.name = "fired"});
    const ObservationId back = rules.add_observation(initial_state(network, variables));
    for (const EdgeElement& edge : edge_elements(network, options.level)) {
      const ItemId item = rules.add_item(
          returned, {edge.key},
          {.id = fmt::format("edge-init:{}.{}", edge.owner, names.inner_edge(edge.decl)),
           .label = fmt::format("{} of {}, then back to the initial {}",
                                names.arrow_with_channel(edge.decl), edge.owner,
                                variables ? "state" : "locations"),
           .where = network.edge_decls[edge.decl].where});
      rules.add_token(fired, {edge.key}, {item});
      rules.lead_to(back, item);
    }
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = fired,
                    .arguments = {Term::edge(rules.add_map(edge_keys(network, options.level)))}});
    rules.add_rule({.on = EventKind::kState,
                    .at = back,
                    .needs = TokenPattern{.family = fired, .arguments = {Term::any()}},
                    .action = Rule::Action::kCover,
                    .item = returned,
                    .arguments = {Term::token(0)}});
  }

 private:
  static Observation initial_state(const Network& network, bool with_variables) {
    Observation out;
    for (const Process& process : network.processes)
      out.locations.push_back(process.initial);
    for (std::size_t i = 0; with_variables && i < network.memory.state; ++i)
      out.cells.push_back({.cell = CellId(i), .value = network.cells[CellId(i)].initial});
    return out;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_edge_init() { return std::make_unique<EdgeInitCriterion>(); }

}  // namespace tw
