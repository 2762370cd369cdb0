#include "exporters/names.hpp"

#include <fmt/format.h>
#include <map>
#include <utility>

namespace tw {

StateNames::StateNames(const Network& network) : network_(&network) {
  for (std::size_t i = 0; i < network.memory.state; ++i)
    cells_.push_back(network.cell_name(CellId(i)));
  std::map<std::pair<LocationDeclId, LocationDeclId>, std::size_t> seen;
  for (const EdgeDecl& edge : network.edge_decls) {
    const std::size_t number = ++seen[{edge.source, edge.target}];
    std::string name = fmt::format("{}.{}", network.location_decls[edge.source].name,
                                   network.location_decls[edge.target].name);
    edges_.push_back(number == 1 ? std::move(name) : fmt::format("{}.{}", name, number));
  }
}

}  // namespace tw
