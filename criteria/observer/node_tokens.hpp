// The items and tokens of an observer's nodes, and what they lead to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "criteria/observer/instances.hpp"
#include "criteria/observer/program.hpp"
#include "criteria/observer/values.hpp"
#include "engine/coverage/rules.hpp"

namespace tw::observer {

/// Tables that rules share, made when they are first asked for.
class Maps {
 public:
  /// Both are borrowed.
  Maps(const ModelValues& values, CoverageRules& rules) : values_(values), rules_(rules) {}

  /// Values to keys; invalid if they are the same.
  [[nodiscard]] MapId keys(ValueType type);
  /// Edges to what a role says of them. Pre: kTemplate or kChannel.
  [[nodiscard]] MapId of_edge(Role role);
  /// A function, then keys if asked for; invalid if it changes nothing.
  [[nodiscard]] MapId function(std::optional<Function> function, ValueType type, bool to_key);

 private:
  const ModelValues& values_;
  CoverageRules& rules_;
  std::map<std::vector<int>, MapId> known_;
};

class NodeTokens {
 public:
  static constexpr std::size_t kMostItems = 4'000'000;
  static constexpr std::size_t kMostLinks = 64'000'000;

  /// All are borrowed. The graph is not needed after start().
  NodeTokens(const Program& program, const ModelValues& values, CoverageRules& rules);

  /// Adds items and tokens; false if they are too many.
  bool start(const InstanceGraph& graph);

  /// How tokens of a node end: by drops only, or with the next step.
  [[nodiscard]] bool stays(std::size_t node) const { return stays_[node]; }
  /// The rule that is replaced by drops.
  [[nodiscard]] bool is_replaced(std::size_t rule) const { return replaced_[rule]; }
  /// Tokens of this node must not be armed before all drops of the step have happened.
  [[nodiscard]] bool is_dropped(std::size_t node) const { return dropped_[node]; }

  [[nodiscard]] TokenFamilyId tokens(std::size_t node) const { return tokens_[node]; }
  [[nodiscard]] ItemFamilyId items(std::size_t node) const { return items_[node]; }
  [[nodiscard]] const std::vector<ItemId>& leads_to(InstanceNumber instance) const {
    return leads_to_[instance];
  }

 private:
  void find_replaced();
  void find_determined();
  void tell_edges(std::size_t node);
  [[nodiscard]] Item describe(std::size_t node, const Arguments& keys) const;

  const Program& program_;
  const ModelValues& values_;
  CoverageRules& rules_;
  std::vector<bool> stays_;     // by node
  std::vector<bool> dropped_;   // by node
  std::vector<bool> replaced_;  // by rule
  std::vector<TokenFamilyId> tokens_;
  std::vector<ItemFamilyId> items_;
  /// By node, then parameter: an argument that says which process it is.
  std::vector<std::vector<bool>> determined_;
  std::vector<std::vector<ItemId>> leads_to_;
};

}  // namespace tw::observer
