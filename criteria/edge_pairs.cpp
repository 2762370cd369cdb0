#include "criteria/edge_pairs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "criteria/elements.hpp"
#include "engine/coverage/names.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostItems = 4'000'000;

bool is_branchpoint(const Network& network, LocationId location) {
  return network.decl(location).kind == LocationKind::kBranchpoint;
}

}  // namespace

void refuse_edge_pairs(std::string_view criterion, Diagnostics& diagnostics) {
  diagnostics.error({}, fmt::format("{} has more than {} items here", criterion, kMostItems),
                    "choose another criterion");
}

EdgePairs add_edge_pairs(const Network& network,
                         Level level,
                         const EdgePairOptions& options,
                         const EdgePairList& pairs,
                         CoverageRules& rules,
                         Diagnostics& diagnostics) {
  const std::vector<std::uint32_t> keys = edge_keys(network, level);
  EdgePairs out{.items = rules.add_item_family("pair"),
                .keys = rules.add_map(keys),
                .items_of = std::vector<std::vector<ItemId>>(pairs.size())};
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const EdgeId second : pairs[i]) {
      known.emplace(keys[i], keys[second.index()]);
      if (known.size() > kMostItems) {
        refuse_edge_pairs(options.criterion, diagnostics);
        return out;
      }
    }
  const ElementNames names(network);
  std::vector<EdgeElement> by_key;
  for (const EdgeElement& edge : edge_elements(network, level)) {
    if (by_key.size() <= edge.key)
      by_key.resize(edge.key + std::size_t{1});
    by_key[edge.key] = edge;
  }
  for (const auto& [first, second] : known) {
    const EdgeElement& a = by_key[first];
    const EdgeElement& b = by_key[second];
    const std::string inner = names.inner_edge(b.decl);
    rules.add_item(
        out.items, {first, second},
        {.id = fmt::format("{}:{}.{}:{}", options.criterion, a.owner, names.inner_edge(a.decl),
                           options.own ? inner : fmt::format("{}.{}", b.owner, inner)),
         .label = fmt::format("{} {}, {} {} {}", a.owner, names.arrow(a.decl), options.joint,
                              b.owner, names.arrow(b.decl)),
         .where = network.edge_decls[b.decl].where});
  }
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const EdgeId second : pairs[i])
      out.items_of[i].push_back(rules.item(out.items, {keys[i], keys[second.index()]}));
  return out;
}

StepEnds::StepEnds(const Network& network)
    : network_(&network),
      begins_(network.edges.size()),
      ends_(network.edges.size()) {
  std::vector<std::vector<LocationId>> into(network.locations.size());
  std::vector<std::vector<LocationId>> out_of(network.locations.size());
  for (const Edge& edge : network.edges) {
    into[edge.target.index()].push_back(edge.source);
    out_of[edge.source.index()].push_back(edge.target);
  }
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    const Edge& edge = network.edges[EdgeId(i)];
    begins_[i] =
        is_branchpoint(network, edge.source) ? into[edge.source.index()] : std::vector{edge.source};
    ends_[i] = is_branchpoint(network, edge.target) ? out_of[edge.target.index()]
                                                    : std::vector{edge.target};
  }
}

bool StepEnds::can_follow(EdgeId first, EdgeId second) const {
  return std::ranges::any_of(ends_[first.index()], [&](LocationId end) {
    return std::ranges::find(begins_[second.index()], end) != begins_[second.index()].end();
  });
}

}  // namespace tw
