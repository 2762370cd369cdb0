// Edge-init coverage: every edge is fired, and a state similar to the initial one is reached after
// it, so that tests can be run one after the other (docs/criteria.md#edge-init).
//
// Items: one per edge. The step that fires the edge may itself be the one that returns.
// Tokens: fired(edge), armed when the edge fires, never dropped. Which process fired it does not
// matter afterwards, so there is one token per item.
// Similar means: all processes are in their initial locations; as an option all variables have
// their initial values, too, in which case clocks and meta variables do not count; or a condition
// that the user gives.

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

#include "criteria/elements.hpp"
#include "criteria/registry.hpp"
#include "criteria/requirements.hpp"
#include "engine/coverage/names.hpp"

namespace tw {
namespace {

class EdgeInitCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    const bool variables = options.initial == InitialSimilarity::kVariables;
    std::string_view similar = variables ? "the initial state" : "the initial locations";
    std::string words = variables ? "--edge-init variables" : "";
    const Property* condition = nullptr;
    if (options.initial == InitialSimilarity::kCondition) {
      const auto at = std::ranges::find_if(network.properties, &Property::is_condition);
      assert(at != network.properties.end() && "who asks for a condition gives one");
      condition = &*at;
      similar = condition->text;
      words = fmt::format("--edge-init '{}'", condition->text);
    }
    rules.begin_criterion({.name = "edge-init", .options = words});
    const ElementNames names(network);
    const ItemFamilyId returned = rules.add_item_family("returned");
    const TokenFamilyId fired = rules.add_token_family({.name = "fired"});
    FormulaId when;
    ObservationId back;
    if (condition == nullptr) {
      back = rules.add_observation(initial_state(network, variables));
    } else {
      std::optional<PropertyFormulas> formulas = PropertyFormulas::of(network, *condition, rules);
      if (!formulas) {
        diagnostics.error({}, fmt::format("--edge-init looks at more than {} different things",
                                          Observation::kMostAtoms));
        return;
      }
      back = formulas->observation();
      when = formulas->formula(condition->root);
    }
    for (const EdgeElement& edge : edge_elements(network, options.level)) {
      const ItemId item = rules.add_item(
          returned, {edge.key},
          {.id = fmt::format("edge-init:{}.{}", edge.owner, names.inner_edge(edge.decl)),
           .label = fmt::format("{} of {}, then back to {}", names.arrow_with_channel(edge.decl),
                                edge.owner, similar),
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
                    .when = when,
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
