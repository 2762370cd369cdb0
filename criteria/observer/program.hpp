// An observer after checking: names are numbers, every condition has one of five forms.
//
//   event     something that happens in the step: an edge fires, a variable is used or defined
//   location  where a process is in the new state
//   value     a comparison with a variable in the new state
//   initial   all processes are in their initial locations in the new state
//   check     a relation between values alone, whatever the step
//
// What was written in another way is taken apart: `edge(P) != E` becomes `X := edge(P), X != E`
// with a variable X that has no name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "criteria/observer/ast.hpp"
#include "criteria/observer/values.hpp"
#include "engine/model/events.hpp"

namespace tw::observer {

/// A number among the variables of a rule; parameters come first.
using VariableNumber = std::uint32_t;

struct Operand {
  enum class Kind : std::uint8_t {
    kAny,
    kVariable,
    kSet,  // one of these values
  };

  Kind kind = Kind::kAny;
  VariableNumber variable = 0;
  std::vector<Value> set;  // ascending

  [[nodiscard]] bool is_variable() const { return kind == Kind::kVariable; }
  [[nodiscard]] bool admits(Value value) const;
};

/// What an event says of itself.
enum class Role : std::uint8_t {
  kCell,
  kEdge,
  kProcess,
  kTemplate,
  kChannel,
};
inline constexpr std::size_t kRoles = 5;

/// A variable or set, and a function to apply to it.
struct Side {
  Operand base;
  ValueType type = ValueType::kInt;  // of the base
  std::optional<Function> function;
};

struct Demand {
  enum class Kind : std::uint8_t {
    kEvent,
    kLocation,
    kValue,
    kInitial,
    kCheck,
  };

  Kind kind = Kind::kCheck;
  bool negated = false;  // kEvent; kLocation without a process; kInitial
  SourceRange where;
  EventKind on = EventKind::kFired;   // kEvent
  bool last = false;                  // kEvent: no later definition of the cell in the step
  std::array<Operand, kRoles> roles;  // kEvent; kLocation: process and template; kValue: the cell
  Operand location;                   // kLocation
  Relation relation = Relation::kEqual;  // kValue, kCheck
  Operand number;                        // kValue: compared with this, or …
  std::optional<Operand> other;          // … with this cell
  Side left;                             // kCheck
  Side right;
  bool is_branchpoint = false;  // kCheck: the left one is, if the relation is kEqual

  [[nodiscard]] Operand& role(Role which) { return roles[static_cast<std::size_t>(which)]; }
  [[nodiscard]] const Operand& role(Role which) const {
    return roles[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] bool is_about_state() const {
    return kind == Kind::kLocation || kind == Kind::kValue || kind == Kind::kInitial;
  }
};

struct CheckedRule {
  struct Variable {
    std::string name;  // empty: made when a condition was taken apart
    ValueType type = ValueType::kInt;
  };

  std::optional<std::size_t> source;             // none: start
  std::vector<VariableNumber> source_arguments;  // parameters first, as in nodes
  std::size_t target = 0;
  std::vector<VariableNumber> target_arguments;
  std::vector<Variable> variables;
  std::vector<Demand> demands;
  SourceRange where;
};

struct CheckedNode {
  std::string name;
  std::vector<ValueType> positions;  // of the parameters, then its own arguments
  bool accepting = false;
};

struct CheckedParameter {
  std::string name;
  ValueType type = ValueType::kInt;
};

struct Program {
  std::string name;
  std::vector<CheckedParameter> parameters;
  std::vector<CheckedNode> nodes;
  std::vector<CheckedRule> rules;
};

/// A value for a parameter: `V=el`, or `du.V=el` for one observer only.
struct Binding {
  std::string observer;  // empty: of whichever has it
  std::string parameter;
  Expression value;
  std::string text;  // as given
};

/// All that is wrong is reported; none if there is anything. Bindings for parameters that the
/// observer does not have are passed over. Pre: check_names found no error.
[[nodiscard]] std::optional<Program> check(const Observer& observer,
                                           const ModelValues& values,
                                           const std::vector<Binding>& bindings,
                                           Diagnostics& diagnostics);

/// What can be said without a model.
void check_names(const Observer& observer, Diagnostics& diagnostics);

}  // namespace tw::observer
