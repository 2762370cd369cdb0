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
// What clocks show depends on the moment. A run is looked at all the time: when a state is entered,
// at every moment of its stay there, and when it leaves. Comparisons of clocks change at finitely
// many moments of a stay, so these, and one moment between each two, stand for all.
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
#include "engine/replay/evaluator.hpp"
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
  /// Time has passed between these two states: what clocks have shown on the way.
  void look(const RunState& from, const RunState& to);

  /// Clocks had something new to show, and as long as they showed it. Moments are parts of the way
  /// from one state to the other, from 0 to 1.
  struct Sight {
    ObservationId observation;
    Rational first;
    Rational last;
  };
  /// Of the last thing that happened: entering a state (moments mean nothing), or staying there.
  [[nodiscard]] const std::vector<Sight>& news() const { return news_; }

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
    std::vector<ObservationId> all;
    std::vector<ObservationId> timed;  // what clocks show
  };
  // What the atoms of an observation are; by binding, then atom.
  using Values = std::vector<std::vector<std::optional<bool>>>;
  using Gaps = std::vector<Evaluator::Gap>;

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
  void enter(const RunState& state);
  bool observe(ObservationId id, const Values& values, Changes& changes);
  [[nodiscard]] Values atoms_of(ObservationId id, const RunState& state) const;
  /// By the way asks what comparisons of clocks will be then.
  [[nodiscard]] Values atoms_of(ObservationId id,
                                const RunState& state,
                                const std::vector<Rational>& then,
                                Gaps& gaps) const;
  void look_at(const std::vector<ObservationId>& here,
               const RunState& state,
               const Rational& moment,
               std::vector<Values>& shown);
  void narrow(const std::vector<ObservationId>& here,
              const RunState& from,
              const RunState& to,
              const Rational& at,
              const Rational& begin,
              Rational& end) const;
  void meet_tuples(const RunState& state);
  void expire(std::span<const Event> events);
  void cover(ItemFamilyId family, const std::vector<std::uint32_t>& arguments);
  void note(ItemId item);

  [[nodiscard]] bool is_made_in(const Observation& observation, const RunState& state) const;
  /// Nullopt: undefined.
  [[nodiscard]] std::optional<bool> holds(const Atom& atom,
                                          const RunState& state,
                                          Evaluator& evaluator) const;
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
  std::vector<Sight> news_;
  Rational last_look_;  // during a stay
};

}  // namespace tw::replay
