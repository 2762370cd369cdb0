// Edge-pair coverage (also transition pairs): two edges that a process can fire one after the
// other, whatever other processes do in between (docs/criteria.md#edge-pair).
//
// Items: (edge, edge) of one process, where the second starts where the first ends; a loop makes a
// pair with itself. The edge into a branchpoint and the one out of it are such a pair, too, within
// one step.
// Tokens: last(process, edge), "this edge was the last one of the process".

#include "criteria/edge_pairs.hpp"
#include "criteria/registry.hpp"

namespace tw {
namespace {

class EdgePairCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion({.name = "edge-pair", .options = {}});
    const std::vector<std::vector<EdgeId>> out_of = edges_out_of(network);
    std::uint64_t count = 0;
    for (const Edge& edge : network.edges)
      count += out_of[edge.target.index()].size();
    if (count > kMostEdgePairs) {
      refuse_edge_pairs("edge-pair", diagnostics);
      return;
    }
    const EdgePairs pairs = add_edge_pairs(network, options.level,
                                           {.criterion = "edge-pair", .joint = "then", .own = true},
                                           candidates(network, out_of), rules, diagnostics);
    const TokenFamilyId last = rules.add_token_family({.name = "last"});
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
      const auto process = static_cast<std::uint32_t>(network.edges[EdgeId(i)].process.index());
      rules.add_token(last, {process, static_cast<std::uint32_t>(i)}, pairs.items_of[i]);
    }
    rules.add_rule(
        {.on = EventKind::kFired,
         .needs = TokenPattern{.family = last, .arguments = {Term::process(), Term::any()}},
         .action = Rule::Action::kCover,
         .item = pairs.items,
         .arguments = {Term::token(1, pairs.keys), Term::edge(pairs.keys)}});
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kDrop,
                    .token = last,
                    .arguments = {Term::process(), Term::any()}});
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = last,
                    .arguments = {Term::process(), Term::edge()}});
  }

 private:
  static std::vector<std::vector<EdgeId>> edges_out_of(const Network& network) {
    std::vector<std::vector<EdgeId>> out(network.locations.size());
    for (std::size_t i = 0; i < network.edges.size(); ++i)
      out[network.edges[EdgeId(i)].source.index()].emplace_back(i);
    return out;
  }

  static EdgePairList candidates(const Network& network,
                                 const std::vector<std::vector<EdgeId>>& out_of) {
    EdgePairList out;
    for (const Edge& edge : network.edges)
      out.push_back(out_of[edge.target.index()]);
    return out;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_edge_pair() { return std::make_unique<EdgePairCriterion>(); }

}  // namespace tw
