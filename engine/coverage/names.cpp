#include "engine/coverage/names.hpp"

#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>

#include "engine/model/print.hpp"

namespace tw {

ElementNames::ElementNames(const Network& network) : network_(&network) {
  for (std::size_t i = 0; i < network.edge_decls.size(); ++i)
    position_.push_back(1);
  for (const Template& owner : network.templates) {
    // By name, since an id is made of names; two locations may share one.
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> count;
    for (const EdgeDeclId id : owner.edges)
      position_[id] = ++count[{source(id), target(id)}];
  }
}

const std::string& ElementNames::source(EdgeDeclId id) const {
  return network_->location_decls[network_->edge_decls[id].source].name;
}

const std::string& ElementNames::target(EdgeDeclId id) const {
  return network_->location_decls[network_->edge_decls[id].target].name;
}

std::string ElementNames::location(LocationDeclId id) const {
  const LocationDecl& decl = network_->location_decls[id];
  return fmt::format("{}.{}", network_->templates[decl.owner].name, decl.name);
}

std::string ElementNames::location(LocationId id) const {
  return fmt::format("{}.{}", network_->processes[network_->locations[id].process].name,
                     network_->decl(id).name);
}

std::string ElementNames::edge(EdgeDeclId id) const {
  return fmt::format("{}.{}", network_->templates[network_->edge_decls[id].owner].name,
                     inner_edge(id));
}

std::string ElementNames::edge(EdgeId id) const {
  const Edge& edge = network_->edges[id];
  return fmt::format("{}.{}", network_->processes[edge.process].name, inner_edge(edge.decl));
}

std::string ElementNames::inner_edge(EdgeDeclId id) const {
  std::string name = fmt::format("{}.{}", source(id), target(id));
  if (position_[id] > 1)
    name += fmt::format(".{}", position_[id]);
  return name;
}

std::string ElementNames::arrow(EdgeDeclId id) const {
  std::string text = fmt::format("{} -> {}", source(id), target(id));
  if (position_[id] > 1)
    text += fmt::format(" #{}", position_[id]);
  return text;
}

std::string ElementNames::arrow_with_channel(EdgeDeclId id) const {
  const EdgeLabels& labels = network_->edge_decls[id].labels;
  if (!labels.channel.valid())
    return arrow(id);
  return fmt::format("{} ({}{})", arrow(id), print_expression(*network_, labels.channel),
                     labels.direction == Direction::kSend ? '!' : '?');
}

}  // namespace tw
