// Names of what runs, as suites write them: computed once per document, since states repeat them.
#pragma once

#include <string>
#include <vector>

#include "engine/base/id_vector.hpp"
#include "engine/model/network.hpp"

namespace tw {

class StateNames {
 public:
  /// The network is borrowed and outlives the names.
  explicit StateNames(const Network& network);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] const std::string& process(ProcessId id) const {
    return network_->processes[id].name;
  }
  [[nodiscard]] const std::string& location(LocationId id) const { return network_->decl(id).name; }
  [[nodiscard]] const std::string& cell(std::size_t i) const { return cells_[i]; }
  /// For people: "Safe -> Appr", "Safe -> Appr #2".
  [[nodiscard]] const std::string& arrow(EdgeId id) const {
    return arrows_[network_->edges[id].decl];
  }
  /// ElementNames::inner_edge: unique in its template.
  [[nodiscard]] const std::string& edge(EdgeId id) const {
    return edges_[network_->edges[id].decl];
  }

 private:
  const Network* network_;  // borrowed: outlives this
  std::vector<std::string> cells_;
  IdVector<EdgeDeclId, std::string> edges_;
  IdVector<EdgeDeclId, std::string> arrows_;
};

}  // namespace tw
