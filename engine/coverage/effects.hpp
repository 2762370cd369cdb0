// What steps do to tokens and items, worked out once per kind of step.
//
// All that rules see of a step is its list of events. Steps with equal lists have one *effect*; a
// model has few of them, however many states it has. The same holds for what is observed in a
// state: a valuation of the atoms of one observation is an effect, too. The rules are interpreted
// when an effect first meets a token. Most tokens stay as they are: applying an effect to a set
// keeps these word by word and looks at the others one by one. Where the same sets come again and
// again, outcomes are kept in a table. HOT: bench coverage/apply.
//
// Sets of tokens are BitSets with bit 0 for "no token at all" (⊥ in docs/architecture.md), which
// carries the rules without `while`; token t is bit t + 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/sequence_table.hpp"
#include "engine/coverage/bit_sets.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"

namespace tw {

using EffectId = Id<struct EffectTag>;
using OutcomeId = Id<struct OutcomeTag>;  // of applying an effect to a set of tokens

inline constexpr std::size_t kBottomBit = 0;

[[nodiscard]] inline std::size_t bit_of(TokenId token) { return token.index() + 1; }

class Effects {
 public:
  /// Both are borrowed; open families of the rules get new members.
  Effects(const Network& network, CoverageRules& rules);

  /// Of a step with these events (EventWord), in order, without `begin`, `end` and the final
  /// `state`.
  [[nodiscard]] EffectId of_events(Words events) { return effects_.intern(events); }

  /// The events before the first step, without `state`.
  [[nodiscard]] EffectId initial();

  /// What is seen in a state. Its outcomes have the tokens that it arms, and no others.
  [[nodiscard]] EffectId observed(ObservationId observation,
                                  std::uint32_t binding,
                                  const Valuation& valuation);

  /// What becomes of tokens, without remembering it. Good until the next call.
  struct Change {
    std::vector<std::uint64_t> tokens;
    std::vector<std::uint64_t> passing;  // empty: none
    std::vector<ItemId> items;           // covered by it; some may be listed twice
  };
  /// Items that are covered already are not listed.
  [[nodiscard]] const Change& change(EffectId effect, Words tokens, Words covered);

  [[nodiscard]] OutcomeId apply(EffectId effect, SetId tokens);

  [[nodiscard]] SetId tokens(OutcomeId id) const { return outcomes_[id.index()].tokens; }

  /// Tokens that only the observations of the new state see; then they are gone.
  [[nodiscard]] SetId passing(OutcomeId id) const { return outcomes_[id.index()].passing; }

  [[nodiscard]] std::span<const ItemId> items(OutcomeId id) const {
    const Outcome& outcome = outcomes_[id.index()];
    return std::span(items_).subspan(outcome.first_item, outcome.item_count);
  }

  /// Outcomes are numbered from 0.
  [[nodiscard]] std::size_t outcomes() const { return outcomes_.size(); }

  [[nodiscard]] BitSets& sets() { return sets_; }
  [[nodiscard]] const CoverageRules& rules() const { return rules_; }
  /// At the most until a few more are added.
  [[nodiscard]] std::size_t bytes() const;

 private:
  // What one token, or ⊥, becomes.
  struct Single {
    std::vector<std::uint64_t> tokens;  // a set of bits
    std::vector<std::uint64_t> passing;
    std::vector<ItemId> items;
  };
  struct Outcome {
    SetId tokens;
    SetId passing;
    std::uint32_t first_item = 0;  // in items_
    std::uint32_t item_count = 0;
  };
  struct Run;       // the state of an interpretation, in effects.cpp
  struct Occasion;  // an event, and what was observed

  // What is known of an effect, token by token.
  struct Plan {
    struct Part {                // of the tokens of a word:
      std::uint64_t asked = 0;   // what is known of these
      std::uint64_t kept = 0;    // they stay as they are, and nothing else happens
      std::uint64_t single = 0;  // more is to be said of these; the rest is gone
    };
    std::vector<Part> parts;
    std::vector<Single> singles;  // by bit
  };
  void learn(EffectId effect, Words tokens);
  [[nodiscard]] bool is_known(EffectId effect, Words tokens) const;
  [[nodiscard]] Single interpret(Words key, std::size_t bit);
  [[nodiscard]] Single interpret_observed(Words key, std::size_t bit);
  void apply_event(const Occasion& now, Run& run);
  void apply_rule(const Rule& rule, const Occasion& now, Run& run);
  void act(const Rule& rule, const Occasion& now, TokenId token, Run& run);
  [[nodiscard]] std::uint32_t value(const Term& term, const Occasion& now, TokenId token) const;
  [[nodiscard]] bool matches(const TokenPattern& pattern, const Occasion& now, TokenId token) const;
  [[nodiscard]] std::optional<bool> truth(FormulaId formula, const Valuation& valuation) const;
  [[nodiscard]] bool expires(TokenId token, Words events, bool armed) const;
  std::uint32_t& outcome_slot(std::uint64_t key);
  void grow_outcomes();

  const Network& network_;
  CoverageRules& rules_;
  std::vector<std::vector<RuleId>> rules_on_;  // by EventKind; without kState
  std::vector<std::vector<RuleId>> rules_at_;  // by observation
  std::vector<bool> observed_families_;        // by token family: some observation needs them

  BitSets sets_;                                    // of tokens
  SequenceTable<EffectId, std::uint64_t> effects_;  // by their events, or what was observed

  std::vector<Plan> plans_;  // by effect
  std::size_t singles_ = 0;  // in all plans
  Change change_;
  struct Slot {
    std::uint64_t key = kFreeKey;  // effect and set
    std::uint32_t outcome = 0;
  };
  static constexpr std::uint64_t kFreeKey = ~std::uint64_t{0};
  std::vector<Slot> outcome_table_;
  std::vector<Outcome> outcomes_;
  std::vector<ItemId> items_;
};

}  // namespace tw
