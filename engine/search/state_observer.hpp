// What states show: evaluates the observations of the rules. It costs one look per entry of the
// search, not per step, and nothing that is settled is looked at again: observations are grouped by
// location, one that can help to cover nothing more is passed by, valuations are numbers in a
// table.
//
// What clocks show depends on the moment. A symbolic state is cut into the parts in which all atoms
// of an observation have one value each; every part is a moment that a test can wait for. HOT.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/rational.hpp"
#include "engine/coverage/effects.hpp"
#include "engine/coverage/ledger.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

class StateObserver {
 public:
  /// All are borrowed. Pre: the system was made with instrumentation_for the effects' rules.
  StateObserver(const System& system, SuccessorGenerator& generator, Effects& effects);

  /// There is anything to look at.
  [[nodiscard]] bool is_needed() const { return is_needed_; }
  /// … that depends on clocks.
  [[nodiscard]] bool waits() const { return waits_; }

  struct Findings {
    std::vector<OutcomeId> outcomes;  // of observations: tokens they arm, items they cover
    std::vector<ItemId> items;        // further ones
  };

  /// What a state shows these tokens when it is entered. With a ledger, what can be of no use any
  /// more is left out.
  void look(const std::uint64_t* state, SetId tokens, const Ledger* ledger, Findings& out);

  /// A moment to wait for, and what it shows.
  struct Moment {
    std::vector<ClockConstraint> until;
    OutcomeId outcome;
  };
  /// The moments of a symbolic state that have anything to show to these tokens.
  void look_ahead(const std::uint64_t* state,
                  SetId tokens,
                  const Ledger* ledger,
                  std::vector<Moment>& out);

  /// What is sure to be seen where clocks are in this zone.
  void look_at_moment(const std::uint64_t* state, const Zone& moment, SetId tokens, Findings& out);

  /// Appends constraints on clocks, all met by these values (by clock, from 0), under which these
  /// observations show what they show then.
  void pin(const std::uint64_t* state,
           std::span<const ObservationId> observations,
           std::span<const Rational> clocks,
           std::vector<ClockConstraint>& out);

 private:
  struct CompiledAtom {
    std::uint32_t predicate = 0;  // number among the system's, unless it is about a location
    std::uint32_t process = 0;
    std::uint32_t location = 0;
    bool is_location = false;
  };
  struct Compiled {
    PackedPattern pattern;  // of locations and cells beyond the first location
    bool has_pattern = false;
    std::vector<CompiledAtom> atoms;
    std::vector<CompiledSelect> selects;
    std::uint32_t bindings = 1;
    bool needs_no_token = false;  // some rule acts without a token
    bool timed = false;
    std::vector<std::uint64_t> tokens;  // that some rule needs
    std::vector<EffectId> effects;      // by binding and values, if they are few
  };
  // What atoms are in the state being looked at, as far as it is known without clocks.
  struct Seen {
    std::uint64_t open = 0;  // depend on clocks
    Valuation valuation;
    std::vector<std::vector<ClockConstraint>> constraints;  // by atom
  };

  void compile(const Observation& observation, ObservationId id, std::size_t& predicates);
  void learn_tokens();
  template <class F>
  void for_each_here(
      const std::uint64_t* state, bool timed, SetId tokens, const Ledger* ledger, F f);
  [[nodiscard]] SetId concerned(const Compiled& observation, Words tokens);
  template <class F>
  void for_each_binding(const Compiled& observation, F f);
  void see(const Compiled& observation);
  [[nodiscard]] EffectId effect(std::size_t observation,
                                std::uint32_t binding,
                                const Valuation& valuation);
  void look_at_tuples(const Ledger* ledger, std::vector<ItemId>& out);
  void load(const std::uint64_t* state);

  const System& system_;
  SuccessorGenerator& generator_;
  Effects& effects_;
  bool is_needed_ = false;
  bool waits_ = false;
  std::vector<Compiled> observations_;
  std::vector<std::vector<std::uint32_t>> by_location_;  // by LocationId
  std::vector<std::uint32_t> anywhere_;
  std::size_t known_tokens_ = 0;
  std::vector<std::uint64_t> all_tokens_;  // that concern any observation
  BudgetMeter meter_;
  SetId bottom_;
  bool loaded_ = false;
  Seen seen_;
  std::vector<std::uint32_t> locations_;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::uint32_t> digits_;
};

/// What one step does: tokens afterwards and items it covers, waits aside.
struct StepLook {
  SetId tokens;
  std::vector<ItemId> items;
};

/// A step that leads to this state, with these tokens before it.
[[nodiscard]] StepLook look_at_step(Effects& effects,
                                    StateObserver& observer,
                                    EffectId effect,
                                    SetId tokens,
                                    const std::uint64_t* state);

/// What comes before the first step.
[[nodiscard]] StepLook look_at_initial(Effects& effects,
                                       StateObserver& observer,
                                       const std::uint64_t* state);

}  // namespace tw
