// Synchronisation-pair coverage: every sending edge meets every receiving edge that it can
// synchronise with, in one step.
//
// Items: (sender's edge, receiver's edge) of different processes, on channels that may be the same:
// of one declaration, with indices whose ranges meet. Of a broadcast each receiver that takes part
// makes a pair.
// Tokens: sent(edge), within a step.

#include <algorithm>

#include "criteria/edge_pairs.hpp"
#include "criteria/registry.hpp"
#include "engine/base/budget.hpp"

namespace tw {
namespace {

// A channel as it is written: the variable and the ranges of its indices.
struct ChannelPlace {
  VariableId variable;  // invalid: could be any
  std::vector<Interval> indices;
};

ChannelPlace place_of(const Network& network, ExprId channel) {
  ChannelPlace out;
  ExprId at = channel;
  for (; network.pool[at].kind == ExprKind::kIndex; at = network.pool.operand(at, 0))
    out.indices.push_back(interval_of(network, network.pool.operand(at, 1)));
  if (network.pool[at].kind == ExprKind::kVariable)
    out.variable = network.pool[at].variable();
  return out;
}

bool can_meet(const ChannelPlace& a, const ChannelPlace& b) {
  if (!a.variable.valid() || !b.variable.valid())
    return true;
  if (a.variable != b.variable)
    return false;
  for (std::size_t i = 0; i < std::min(a.indices.size(), b.indices.size()); ++i)
    if (a.indices[i].high < b.indices[i].low || b.indices[i].high < a.indices[i].low)
      return false;
  return true;
}

class SyncPairCriterion final : public Criterion {
 public:
  void declare(const Network& network,
               const CriterionOptions& options,
               CoverageRules& rules,
               Diagnostics& diagnostics) const override {
    rules.begin_criterion({.name = "sync-pair", .options = {}});
    const EdgePairs pairs =
        add_edge_pairs(network, options.level, {.criterion = "sync-pair", .joint = "received by"},
                       candidates(network), rules, diagnostics);
    const TokenFamilyId sent =
        rules.add_token_family({.name = "sent", .lifetime = Lifetime::kThisStep});
    for (std::size_t i = 0; i < network.edges.size(); ++i)
      rules.add_token(sent, {static_cast<std::uint32_t>(i)}, pairs.items_of[i]);
    rules.add_rule({.on = EventKind::kFired,
                    .action = Rule::Action::kArm,
                    .token = sent,
                    .arguments = {Term::edge()}});
    rules.add_rule({.on = EventKind::kFired,
                    .needs = TokenPattern{.family = sent, .arguments = {Term::any()}},
                    .action = Rule::Action::kCover,
                    .item = pairs.items,
                    .arguments = {Term::token(0, pairs.keys), Term::edge(pairs.keys)}});
  }

 private:
  static EdgePairList candidates(const Network& network) {
    EdgePairList out(network.edges.size());
    std::vector<std::pair<EdgeId, ChannelPlace>> receivers;
    const auto each = [&](Direction direction, const auto& visit) {
      for (std::size_t i = 0; i < network.edges.size(); ++i) {
        const EdgeLabels& labels = network.edges[EdgeId(i)].labels;
        if (labels.direction == direction)
          visit(EdgeId(i), place_of(network, labels.channel));
      }
    };
    each(Direction::kReceive,
         [&](EdgeId id, ChannelPlace place) { receivers.emplace_back(id, std::move(place)); });
    each(Direction::kSend, [&](EdgeId id, const ChannelPlace& place) {
      spend_budget(receivers.size());
      for (const auto& [receiver, own] : receivers)
        if (network.edges[receiver].process != network.edges[id].process && can_meet(place, own))
          out[id.index()].push_back(receiver);
    });
    return out;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_sync_pair() { return std::make_unique<SyncPairCriterion>(); }

}  // namespace tw
