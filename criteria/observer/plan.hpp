// In which order the variables of a rule get their values, and from where.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "criteria/observer/program.hpp"

namespace tw::observer {

/// Where the value of a variable comes from while a step is observed.
enum class Origin : std::uint8_t {
  kSource,  // the instance the rule starts from
  kEvent,   // something that happens
  kState,   // the new state
  kGround,  // nothing of these: all values are tried
};

struct Plan {
  struct Step {
    enum class Kind : std::uint8_t {
      kTest,    // a check whose variables have values
      kDerive,  // a check that gives its variable a value
      kJoin,    // an event, location or value
      kTry,     // all values of a variable
    };

    Kind kind = Kind::kTest;
    std::size_t demand = 0;       // all but kTry
    VariableNumber variable = 0;  // kTry, kDerive
    bool from_left = false;       // kDerive: the left side is known
  };

  /// Of a variable that is a function of another one, or its equal.
  struct Derivation {
    VariableNumber base = 0;
    std::optional<Function> function;
  };

  std::vector<Step> steps;
  std::vector<Origin> origins;                         // by variable
  std::vector<std::optional<Derivation>> derivations;  // by variable
  /// Checks that restrict values, rather than giving them, of what does not come from the state.
  bool has_tests = false;
  /// Of a rule of start: one edge that fires decides everything.
  bool is_direct = false;
  /// Solutions are asked for again when rules are made.
  bool needs_solutions = false;
};

[[nodiscard]] Plan make_plan(const CheckedRule& rule);

/// One event could be what must happen and what must not. Then all that it says has a variable.
[[nodiscard]] bool are_contrary(const Demand& wanted, const Demand& denied);

/// All variables of a demand.
[[nodiscard]] std::vector<VariableNumber> variables_of(const Demand& demand);

}  // namespace tw::observer
