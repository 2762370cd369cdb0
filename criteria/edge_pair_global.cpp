// Global edge-pair coverage: two edges that fire in consecutive steps of the network, of whatever
// processes (docs/criteria.md#edge-pair-global).
//
// Items: (edge, edge); of one process only where the second step can start where the first ends.
// Edges that fire together are no pair (sync-pair).
// Tokens: last(edge), fired in the last step; within a step before(edge), the same for its events.

#include "criteria/edge_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

// Pairs of edges of processes.
constexpr std::size_t kMostEdges = 8000;

class EdgePairGlobalCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion({.name = "edge-pair-global", .options = {}});
    if (network.edges.size() > kMostEdges) {
      diagnostics.error({}, "edge-pair-global has too many items here", "use edge-pair");
      return;
    }
    const EdgePairs pairs = add_edge_pairs(
        network, options.level, {.criterion = "edge-pair-global", .joint = "in the next step"},
        candidates(network), rules, diagnostics);
    const TokenFamilyId last = rules.add_token_family({.name = "last step"});
    const TokenFamilyId before =
        rules.add_token_family({.name = "step before", .lifetime = Lifetime::kThisStep});
    for (std::size_t i = 0; i < network.edges.size(); ++i)
      for (const TokenFamilyId family : {last, before})
        rules.add_token(family, {static_cast<std::uint32_t>(i)}, pairs.items_of[i]);
    rules.add_rule({.on = EventKind::kBegin,
                    .needs = TokenPattern{.family = last, .arguments = {Term::any()}},
                    .action = Rule::Action::kArm,
                    .token = before,
                    .arguments = {Term::token(0)}});
    rules.add_rule({.on = EventKind::kBegin,
                    .action = Rule::Action::kDrop,
                    .token = last,
                    .arguments = {Term::any()}});
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = last,
                    .arguments = {Term::edge()}});
    rules.add_rule({.on = EventKind::kFired,
                    .needs = TokenPattern{.family = before, .arguments = {Term::any()}},
                    .action = Rule::Action::kCover,
                    .item = pairs.items,
                    .arguments = {Term::token(0, pairs.keys), Term::edge(pairs.keys)}});
  }

 private:
  static EdgePairList candidates(const Network& network) {
    const StepEnds ends(network);
    EdgePairList out(network.edges.size());
    for (std::size_t i = 0; i < network.edges.size(); ++i)
      for (std::size_t k = 0; k < network.edges.size(); ++k)
        if (network.edges[EdgeId(i)].process != network.edges[EdgeId(k)].process ||
            ends.can_follow(EdgeId(i), EdgeId(k)))
          out[i].emplace_back(k);
    return out;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_edge_pair_global() {
  return std::make_unique<EdgePairGlobalCriterion>();
}

}  // namespace tw
