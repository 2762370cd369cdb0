// How elements of a model are called in item ids and labels. Ids are made of names, not positions:
// they stay the same when something else in the model changes, and need no quotes in a shell unless
// a process has arguments.
#pragma once

#include <string>

#include "engine/base/id_vector.hpp"
#include "engine/model/network.hpp"

namespace tw {

class ElementNames {
 public:
  /// The network is borrowed and outlives the names.
  explicit ElementNames(const Network& network);

  // Of the template, and of the process.
  [[nodiscard]] std::string location(LocationDeclId id) const;  // "Train.Safe"
  [[nodiscard]] std::string location(LocationId id) const;      // "Train(1).Safe"
  [[nodiscard]] std::string edge(EdgeDeclId id) const;          // "Train.Safe.Appr"
  [[nodiscard]] std::string edge(EdgeId id) const;              // "Train(1).Safe.Appr"

  /// Inside its template: "Safe.Appr"; "Safe.Appr.2" is the second edge, in document order, that
  /// has the same ends.
  [[nodiscard]] std::string inner_edge(EdgeDeclId id) const;

  /// For people: "Safe -> Appr", "Safe -> Appr #2".
  [[nodiscard]] std::string arrow(EdgeDeclId id) const;

  /// The same with the synchronisation, as it is written: "Safe -> Appr (appr[id]!)".
  [[nodiscard]] std::string arrow_with_channel(EdgeDeclId id) const;

 private:
  [[nodiscard]] const std::string& source(EdgeDeclId id) const;
  [[nodiscard]] const std::string& target(EdgeDeclId id) const;

  const Network* network_;                        // borrowed: outlives this
  IdVector<EdgeDeclId, std::uint32_t> position_;  // among edges with the same ends, from 1
};

}  // namespace tw
