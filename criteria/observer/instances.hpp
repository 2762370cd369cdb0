// Which instances of nodes there may be, read off the model without running it: what is reached
// from `start` when every edge may fire, every statement of an edge may be executed, every process
// may be anywhere and every variable have every value of its range. An over-approximation; what is
// outside cannot be reached.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "criteria/cell_accesses.hpp"
#include "criteria/observer/plan.hpp"
#include "criteria/observer/program.hpp"
#include "criteria/observer/values.hpp"
#include "engine/coverage/rules.hpp"

namespace tw::observer {

using InstanceNumber = std::uint32_t;

struct NodeInstance {
  std::size_t node = 0;
  Arguments arguments;
};

/// Values for the variables of a rule that satisfy what is known of it, and where they lead.
struct Solution {
  std::vector<Value> values;
  InstanceNumber target = 0;
};

/// By node and position: nothing but ids of items depends on the value, so keys are kept instead.
using KeptAsKeys = std::vector<std::vector<bool>>;

[[nodiscard]] KeptAsKeys kept_as_keys(const Program& program);

struct InstanceGraph {
  std::vector<NodeInstance> instances;
  std::vector<std::vector<InstanceNumber>> before;  // by instance: which lead to it in one step
  std::vector<std::vector<Solution>> solutions;     // by rule, if its plan needs them
  std::vector<bool> watched;                        // by cell
};

/// What a model allows. None if it is too much: the limit is on all solutions together.
class InstanceFinder {
 public:
  static constexpr std::size_t kMostSolutions = 4'000'000;

  /// All are borrowed. `accesses`: by cell, which edges may use and define it.
  InstanceFinder(const Program& program,
                 const std::vector<Plan>& plans,
                 const KeptAsKeys& keys,
                 const ModelValues& values,
                 const std::vector<CellAccesses>& accesses);

  [[nodiscard]] std::optional<InstanceGraph> run();

 private:
  struct Key {
    std::size_t node = 0;
    Arguments arguments;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };

  void solve(std::size_t rule, std::optional<InstanceNumber> source);
  void go_on(std::size_t step);
  void join_event(const Demand& demand, std::size_t step);
  void try_event(const Demand& demand, std::optional<Value> cell, Value edge, std::size_t step);
  void join_location(const Demand& demand, std::size_t step);
  void join_value(const Demand& demand, std::size_t step);
  void try_value(const Demand& demand, std::size_t step);
  void finish();
  [[nodiscard]] bool holds(const Demand& check) const;
  [[nodiscard]] bool contradicts_itself() const;
  [[nodiscard]] std::vector<Value> values_of(const Side& side) const;
  [[nodiscard]] InstanceNumber instance(std::size_t node, const Arguments& arguments);
  bool take(const Operand& operand, Value value, std::vector<VariableNumber>& taken);
  void give_back(const std::vector<VariableNumber>& taken);
  void watch(const Demand& demand);

  const Program& program_;
  const std::vector<Plan>& plans_;
  const KeptAsKeys& keys_;
  const ModelValues& values_;
  const std::vector<CellAccesses>& accesses_;
  InstanceGraph graph_;
  std::unordered_map<Key, InstanceNumber, KeyHash> known_;
  std::size_t count_ = 0;
  // The rule being solved.
  std::size_t rule_ = 0;
  std::optional<InstanceNumber> source_;
  std::vector<Value> now_;  // by variable; kNoValue: none yet
};

}  // namespace tw::observer
