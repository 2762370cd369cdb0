// The second reading of coverage rules: follows a run event by event and says what it covers. It
// shares no code with the search and is written to be obviously right: tokens are values in a set,
// every rule on an event is looked at when it happens.
//
// Applying an event: all rules that fit it look at the tokens from before the event; then tokens
// are dropped, then armed. Rules on `state` ask what an observation shows in the new state, for
// every combination of its select values; an atom that cannot be evaluated is undefined. At the end
// of a step tokens of limited lifetime expire: those of this step always; unless the step armed
// them, those that live to the next step, and those that live to the next move if their process
// fired an edge.
//
// What clocks show can be seen at any moment while time passes. A run is looked at when a state is
// entered, after every delay, and when it waits: what it covers in between does not count.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/replay/run_state.hpp"

namespace tw::replay {

struct TokenValue {
  TokenFamilyId family;
  std::vector<std::uint32_t> arguments;

  friend bool operator==(const TokenValue&, const TokenValue&) = default;
  /// Family first, then arguments.
  friend std::strong_ordering operator<=>(const TokenValue& a, const TokenValue& b);
};

class Monitor {
 public:
  /// Both are borrowed and outlive the monitor and its copies. The rules are complete; covering may
  /// add members to their open item families, nothing else changes them.
  Monitor(const Network& network, CoverageRules& rules);

  /// A run begins: forgets what was before.
  void start(const RunState& initial, std::span<const Event> events);
  void advance(const RunState& target, std::span<const Event> events);
  /// Time has passed: what clocks show now.
  void look(const RunState& now);

  /// By this run so far, ascending.
  [[nodiscard]] std::vector<ItemId> covered() const;
  /// The same in the order in which they were covered first.
  [[nodiscard]] const std::vector<ItemId>& in_order() const { return order_; }

  /// Partial items between two steps. With the state they decide what can be covered from here.
  [[nodiscard]] const std::set<TokenValue>& tokens() const { return tokens_; }

 private:
  struct Members {
    std::set<TokenValue> tokens;
    std::map<std::pair<ItemFamilyId, std::vector<std::uint32_t>>, ItemId> items;
    // In the order of the rules: those on an event, and on `state` those that name an observation.
    std::map<EventKind, std::vector<RuleId>> rules_on;
    std::map<ObservationId, std::vector<RuleId>> rules_at;
  };

  // What is going on: an event, and on `state` an observation.
  struct Moment {
    Event event;
    ObservationId observation;
    std::uint32_t binding = 0;
    std::vector<std::optional<bool>> atoms;
  };

  struct Changes {
    std::set<TokenValue> drop;
    std::set<TokenValue> arm;
  };

  void apply(const Event& event);
  void apply(const Moment& now, Changes& changes);
  void apply(const Rule& rule, const Moment& now, const TokenValue* token, Changes& changes);
  void change(const Changes& changes);
  void observe(const RunState& state, bool clocks_only);
  void observe(ObservationId id, const RunState& state, Changes& changes);
  void meet_tuples(const RunState& state);
  void expire(std::span<const Event> events);
  void cover(ItemFamilyId family, const std::vector<std::uint32_t>& arguments);
  void note(ItemId item);

  [[nodiscard]] bool is_made_in(const Observation& observation, const RunState& state) const;
  /// Nullopt: undefined.
  [[nodiscard]] std::optional<bool> holds(const Atom& atom,
                                          const RunState& state,
                                          const std::vector<VariableId>& selects,
                                          const std::vector<std::int32_t>& selected) const;
  [[nodiscard]] std::optional<bool> holds(FormulaId id, const Moment& now) const;
  /// Nullopt: the rule does not apply.
  [[nodiscard]] std::optional<std::uint32_t> value(const Term& term,
                                                   const Moment& now,
                                                   const TokenValue* token) const;
  [[nodiscard]] bool matches(const TokenPattern& pattern,
                             const TokenValue& candidate,
                             const Moment& now,
                             const TokenValue* token) const;
  /// The tokens that match.
  [[nodiscard]] std::vector<const TokenValue*> matching(const TokenPattern& pattern,
                                                        const Moment& now,
                                                        const TokenValue* token) const;

  const Network* network_;  // borrowed
  CoverageRules* rules_;    // borrowed
  // Shared by all copies: a brute-force search keeps one monitor per state.
  std::shared_ptr<const Members> members_;  // of closed families
  std::set<TokenValue> tokens_;
  std::set<TokenValue> fresh_;  // armed in this step
  std::vector<bool> covered_;   // by item; may be shorter
  std::vector<ItemId> order_;   // those, as they came
};

}  // namespace tw::replay
