// One rule of an observer as rules of the engine: stages (compiler.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "criteria/observer/instances.hpp"
#include "criteria/observer/node_tokens.hpp"
#include "criteria/observer/plan.hpp"
#include "criteria/observer/program.hpp"
#include "criteria/observer/values.hpp"
#include "engine/coverage/rules.hpp"

namespace tw::observer {

/// What all rules of an observer share. All are borrowed.
struct RuleContext {
  const Program& program;
  const ModelValues& values;
  const KeptAsKeys& keys;
  const InstanceGraph& graph;
  const NodeTokens& nodes;
  Maps& maps;
  CoverageRules& rules;
  Diagnostics& diagnostics;
};

class RuleCompiler {
 public:
  /// Conditions on what happens in one step.
  static constexpr std::size_t kMostEvents = 4;
  /// Different states that a rule can ask for.
  static constexpr std::size_t kMostStates = 4096;

  RuleCompiler(const RuleContext& context, std::size_t rule, const Plan& plan);

  void run();

 private:
  using Stage = std::uint32_t;  // conditions met, as bits

  // Stages.
  bool plan_stage();
  bool add_direct();
  void add_begin();
  void add_moves();
  void add_move(Stage from, Stage met, EventKind on);
  void add_drops();
  void add_end();
  [[nodiscard]] TokenFamilyId family(Stage stage);
  [[nodiscard]] Stage everything_met() const { return (Stage{1} << events_.size()) - 1; }
  [[nodiscard]] bool has_tokens(Stage stage) const { return stage != 0 || begins_; }
  [[nodiscard]] std::vector<bool> bound_in(Stage stage) const;
  void add_members(TokenFamilyId family);

  // Terms.
  [[nodiscard]] std::vector<Term> anything() const;
  [[nodiscard]] Term of_event(Role role);
  [[nodiscard]] std::optional<Term> of_event(VariableNumber variable, const Demand& demand);
  [[nodiscard]] MapId edge_filter(const std::vector<const Demand*>& demands);
  [[nodiscard]] MapId cell_filter(const std::vector<const Demand*>& demands);
  [[nodiscard]] Term for_target(std::size_t position, const std::vector<Value>* values) const;
  [[nodiscard]] std::vector<Term> target_terms(const std::vector<Value>* values) const;
  void add_target(tw::Rule rule, const std::vector<Value>* values);
  [[nodiscard]] bool is_key(VariableNumber variable) const;

  // States (rule_states.cpp).
  void add_states();
  [[nodiscard]] std::vector<VariableNumber> state_variables() const;
  [[nodiscard]] bool describe_state(const std::vector<Value>& values,
                                    Observation& observation,
                                    FormulaId& formula);
  [[nodiscard]] bool describe(const Demand& demand,
                              const std::vector<Value>& values,
                              Observation& observation,
                              FormulaId& formula);
  void require(FormulaId& formula, FormulaId more);
  [[nodiscard]] FormulaId is_at(Observation& observation, LocationId location);

  const RuleContext& context_;
  const CheckedRule& rule_;
  const Plan& plan_;
  const std::vector<Solution>& solutions_;
  CoverageRules& rules_;
  std::vector<const Demand*> events_;  // that must happen
  std::vector<const Demand*> denied_;  // that must not
  bool about_state_ = false;
  bool begins_ = false;  // a token stands for the stage in which nothing has been met
  std::vector<std::optional<std::size_t>> place_;  // by variable: where a stage keeps it
  std::optional<std::size_t> edge_slot_;           // always 0: what filters edges …
  std::optional<std::size_t> cell_slot_;           // … and cells
  std::size_t places_ = 0;
  std::map<Stage, TokenFamilyId> families_;
};

}  // namespace tw::observer
