#include "exporters/names.hpp"

#include "engine/coverage/names.hpp"

namespace tw {

StateNames::StateNames(const Network& network) : network_(&network) {
  for (std::size_t i = 0; i < network.memory.state; ++i)
    cells_.push_back(network.cell_name(CellId(i)));
  const ElementNames names(network);
  for (std::size_t i = 0; i < network.edge_decls.size(); ++i) {
    edges_.push_back(names.inner_edge(EdgeDeclId(i)));
    arrows_.push_back(names.arrow(EdgeDeclId(i)));
  }
}

}  // namespace tw
