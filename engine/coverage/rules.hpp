// Coverage as data. A criterion is a function from a network to items, tokens and rules; nothing of
// it runs in the hot loop. All criteria of a run put theirs into one rule set, so one exploration
// serves them all.
//
// A *rule* says what an event does: `on EVENT [while TOKEN]: cover ITEM | arm TOKEN | drop TOKEN`.
// A *token* is a partial item: "x was last defined by this edge". Rules look at one token at a time
// and never at the absence of one. So what a set of tokens does in a step is the union of what each
// does alone, which is all that token pruning needs (docs/algorithms.md 1.2).
//
// In one step rules are applied event by event. At one event, all rules look at the tokens from
// before it; first tokens are dropped, then the new ones are armed (a token that is dropped and
// armed by the same event lives).
//
// What is true in a state is *observed*: an observation is a group of Boolean atoms that are looked
// at together wherever some processes are in some locations, such as the clauses of a guard. Rules
// on `state` name an observation and a formula over its atoms; they cover and arm. Atoms about
// clocks are observed at every moment while time passes, the others when a state is entered.
//
// Items and tokens are families with arguments, plain numbers such as the index of an edge. A
// closed family has exactly the members that were added: covering or arming anything else has no
// effect. An open family gets its members when they are met.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/base/id_vector.hpp"
#include "engine/model/events.hpp"
#include "engine/model/expression.hpp"
#include "engine/model/ids.hpp"

namespace tw {

struct Network;

using CriterionId = Id<struct CriterionTag>;
using ItemId = Id<struct ItemTag>;
using TokenId = Id<struct TokenTag>;
using ItemFamilyId = Id<struct ItemFamilyTag>;
using TokenFamilyId = Id<struct TokenFamilyTag>;
using ObservationId = Id<struct ObservationTag>;
using FormulaId = Id<struct FormulaTag>;
using MapId = Id<struct MapTag>;
using RuleId = Id<struct RuleTag>;

/// Up to eight numbers.
class Arguments {
 public:
  static constexpr std::size_t kMost = 8;

  Arguments() = default;
  Arguments(std::initializer_list<std::uint32_t> values);

  void push_back(std::uint32_t value);
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return values_[i]; }

  friend bool operator==(const Arguments&, const Arguments&) = default;

 private:
  std::array<std::uint32_t, kMost> values_{};
  std::uint32_t count_ = 0;
};

/// An argument of a pattern or action: a constant, or something of the event or of the `while`
/// token, optionally looked up in a table. A rule whose table says kNothing does not apply.
struct Term {
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;

  enum class Source : std::uint8_t {
    kConstant,
    kEdge,     // of the event: its index, or the number of edges for an update hook
    kCell,     // of the event; clocks count behind all memory (Network::cell_of)
    kProcess,  // of the event's edge; kNothing for an update hook
    kToken,    // an argument of the `while` token
    kAny,      // in patterns: whatever is there
    // kState only:
    kObservation,  // its number
    kBinding,      // the number of the select values
    kValuation,    // all atoms as bits, some flipped; a rule does not apply if one is undefined
  };

  Source source = Source::kConstant;
  std::uint32_t value = 0;  // the constant, the position of the token's argument, bits to flip
  MapId map;                // invalid: none

  static Term constant(std::uint32_t value) { return {.value = value}; }
  static Term edge(MapId map = {}) { return {.source = Source::kEdge, .map = map}; }
  static Term cell(MapId map = {}) { return {.source = Source::kCell, .map = map}; }
  static Term process() { return {.source = Source::kProcess}; }
  static Term token(std::uint32_t position, MapId map = {}) {
    return {.source = Source::kToken, .value = position, .map = map};
  }
  static Term any() { return {.source = Source::kAny}; }
  static Term observation() { return {.source = Source::kObservation}; }
  static Term binding() { return {.source = Source::kBinding}; }
  static Term valuation(std::uint32_t flipped = 0) {
    return {.source = Source::kValuation, .value = flipped};
  }
};

/// Tokens of one family whose arguments equal the terms.
struct TokenPattern {
  TokenFamilyId family;
  std::vector<Term> arguments;
};

/// What is looked at in a state: a Boolean expression of the rule set's own pool, or whether a
/// process is in a location.
struct Atom {
  ExprId expression;
  LocationId location;

  friend bool operator==(const Atom&, const Atom&) = default;
};

/// Atoms that are looked at together.
struct Observation {
  static constexpr std::size_t kMostAtoms = 62;

  struct CellValue {
    CellId cell;
    std::int32_t value = 0;

    friend bool operator==(const CellValue&, const CellValue&) = default;
  };

  std::vector<LocationId> locations;  // only where their processes are in them …
  std::vector<CellValue> cells;       // … and these cells have these values
  /// Select variables the atoms speak of: looked at once per combination of their values, which are
  /// numbered, the last variable fastest.
  std::vector<VariableId> selects;
  std::vector<Atom> atoms;

  friend bool operator==(const Observation&, const Observation&) = default;
};

/// The atoms of an observation in a state, as bits. One that cannot be evaluated is not defined.
struct Valuation {
  std::uint64_t values = 0;
  std::uint64_t defined = 0;
};

/// A formula over atoms, three-valued: `and` and `or` look at their right side if the left one does
/// not decide, and what needs an undefined atom is undefined.
struct Formula {
  enum class Kind : std::uint8_t {
    kConstant,
    kAtom,
    kNot,
    kAnd,
    kOr,
    kXor,
  };

  Kind kind = Kind::kConstant;
  std::uint32_t number = 0;  // the constant, or which atom
  FormulaId left;
  FormulaId right;
};

/// Items for every combination of values that several cells or processes (their locations) have at
/// once: one item per choice of `strength` factors and of values for them.
struct ValueTuples {
  struct Factor {
    CellId cell;        // … or
    ProcessId process;  // its location, counted within the process
    std::int32_t low = 0;
    std::uint32_t count = 0;  // of values
  };

  std::vector<Factor> factors;
  std::uint32_t strength = 1;  // at most 3
  /// By choice of factors, in lexicographic order, then by values, the last factor fastest.
  /// Invalid: not asked for.
  std::vector<ItemId> items;
};

struct Rule {
  enum class Action : std::uint8_t {
    kCover,
    kArm,
    kDrop
  };

  CriterionId criterion;
  EventKind on = EventKind::kState;
  std::optional<UseKind> use;         // kUse: only this kind
  ObservationId at;                   // kState, and only there
  FormulaId when;                     // kState; invalid: always
  std::optional<TokenPattern> needs;  // `while`: acts once per token of this form
  Action action = Action::kCover;
  ItemFamilyId item;            // kCover
  TokenFamilyId token;          // kArm, kDrop
  std::vector<Term> arguments;  // of the item or token; kDrop is a pattern
};

struct CriterionInfo {
  std::string name;
  std::string options;  // as given, in a normal form; empty: defaults
  /// What a state covers counts once a step leaves it: the effect can be seen
  /// (docs/criteria.md#guards).
  bool observe = false;
  /// Nobody asked for it: its items stand in for infeasible ones of a stronger criterion.
  bool is_fallback = false;
  // Of an observer:
  std::string file;                // where it is written; empty: a built-in criterion
  std::string definition;          // in one line
  std::vector<std::string> rules;  // as its author wrote them
};

/// Two items that make up a third one, wherever in a suite they are covered.
struct ItemPair {
  ItemId first;
  ItemId second;
};

struct Item {
  CriterionId criterion;
  ItemFamilyId family;
  Arguments arguments;
  std::string id;     // stable: `edge:Train.Safe.Appr`
  std::string label;  // for people
  SourceRange where;  // what to show of the model
};

struct ItemFamily {
  CriterionId criterion;
  std::string name;
  /// Open if given: how a member that is met first is called.
  std::function<Item(const Arguments&)> make;
  /// For explanations, where the rules do not tell: the edges that a member speaks of.
  std::function<std::vector<EdgeId>(const Arguments&)> edges;
};

enum class Lifetime : std::uint8_t {
  kUntilDropped,
  kThisStep,  // seen by the later events of the step that armed it, then gone
  kNextStep,  // seen by the events of the next step, too, then gone unless armed again
  kNextMove,  // the same with the next step in which its process fires an edge
};

class CoverageRules;

struct TokenFamily {
  CriterionId criterion;
  std::string name;
  Lifetime lifetime = Lifetime::kUntilDropped;
  std::uint32_t process_argument = 0;  // kNextMove: where the process stands
  /// Members matter to one observation only: where its number stands.
  std::optional<std::uint32_t> observation_argument;
  bool open = false;
  /// Of an open family: what a member that is met first leads to. Without it members never die.
  std::function<std::vector<ItemId>(const CoverageRules&, const Arguments&)> leads_to;
};

struct Token {
  TokenFamilyId family;
  Arguments arguments;
  /// All items that this token, or one it turns into, can help to cover. Once all are covered the
  /// token is dead. Without any it never dies.
  std::vector<ItemId> leads_to;
};

/// `--only`: items whose id matches a glob.
class ItemFilter {
 public:
  ItemFilter() = default;
  explicit ItemFilter(std::vector<std::string> globs) : globs_(std::move(globs)) {}

  /// Everything passes an empty filter; otherwise one glob must match.
  [[nodiscard]] bool passes(std::string_view id) const;

 private:
  std::vector<std::string> globs_;
};

class CoverageRules {
 public:
  explicit CoverageRules(ItemFilter only = {}) : only_(std::move(only)) {}

  // Declaring, by criteria. What follows belongs to the criterion begun last.
  CriterionId begin_criterion(CriterionInfo info);
  ItemFamilyId add_item_family(std::string name, std::function<Item(const Arguments&)> make = {});
  void set_edges(ItemFamilyId family, std::function<std::vector<EdgeId>(const Arguments&)> edges) {
    item_families_[family].edges = std::move(edges);
  }
  /// Invalid if `--only` leaves it out. Pre: new.
  ItemId add_item(ItemFamilyId family, const Arguments& arguments, Item item);
  /// One that counts only as part of others (add_pair); `--only` does not apply to it.
  ItemId add_half(ItemFamilyId family, const Arguments& arguments, Item item);
  /// No rule covers `whole`: it is covered when both halves of one of its pairs are, by any tests.
  /// Without pairs it is infeasible.
  void set_pairs(ItemId whole, std::vector<ItemPair> pairs);
  void set_fallback(CriterionId criterion) { criteria_[criterion].is_fallback = true; }
  /// The weaker item stands in for the stronger one where that is infeasible.
  void add_fallback(ItemId stronger, ItemId weaker);
  TokenFamilyId add_token_family(TokenFamily family);
  /// A token that leads nowhere is not added: arming it has no effect.
  TokenId add_token(TokenFamilyId family, const Arguments& arguments, std::vector<ItemId> leads_to);
  MapId add_map(std::vector<std::uint32_t> table);
  /// Equal observations are one.
  ObservationId add_observation(const Observation& observation);
  /// Says that it can help to cover an item, directly or through tokens. Once all such items are
  /// covered it is not looked at any more; without any it always is.
  void lead_to(ObservationId observation, ItemId item);
  FormulaId constant(bool value);
  FormulaId atom(std::size_t number);
  FormulaId negate(FormulaId formula);
  FormulaId both(FormulaId left, FormulaId right);
  FormulaId either(FormulaId left, FormulaId right);
  FormulaId differ(FormulaId left, FormulaId right);
  void add_value_tuples(ValueTuples tuples);
  void add_rule(Rule rule);
  /// Uses and definitions of this cell or clock (Network::cell_of) must be noticed.
  void watch(CellId cell);
  void set_invariant_uses(InvariantUses uses) { invariant_uses_ = uses; }
  /// For conditions that a criterion builds; types and variables are the network's.
  ExpressionPool& pool() { return pool_; }
  /// A copy of an expression of the network in the pool; always the same one.
  ExprId adopt(const Network& network, ExprId expression);

  // Reading.
  [[nodiscard]] const IdVector<CriterionId, CriterionInfo>& criteria() const { return criteria_; }
  [[nodiscard]] const IdVector<ItemId, Item>& items() const { return items_; }
  [[nodiscard]] const IdVector<TokenId, Token>& tokens() const { return tokens_; }
  [[nodiscard]] const IdVector<ItemFamilyId, ItemFamily>& item_families() const {
    return item_families_;
  }
  [[nodiscard]] const IdVector<TokenFamilyId, TokenFamily>& token_families() const {
    return token_families_;
  }
  [[nodiscard]] const IdVector<RuleId, Rule>& rules() const { return rules_; }
  [[nodiscard]] const IdVector<ObservationId, Observation>& observations() const {
    return observations_;
  }
  [[nodiscard]] const Formula& formula(FormulaId id) const { return formulas_[id]; }
  [[nodiscard]] const std::vector<ValueTuples>& value_tuples() const { return value_tuples_; }
  /// Some atom speaks of clocks.
  [[nodiscard]] bool is_timed(ObservationId id) const;
  [[nodiscard]] bool has_timed_observations() const;
  /// Which items an observation leads to, and back.
  [[nodiscard]] const std::vector<ItemId>& items_of(ObservationId id) const {
    return items_of_observation_[id];
  }
  [[nodiscard]] std::span<const ObservationId> observations_of(ItemId id) const {
    return list_at(observations_of_item_, id.index());
  }
  /// Tokens that lead to an item.
  [[nodiscard]] std::span<const TokenId> tokens_of(ItemId id) const {
    return list_at(tokens_of_item_, id.index());
  }
  [[nodiscard]] bool is_whole(ItemId id) const { return pairs_of_item_.contains(id); }
  /// Pre: a whole.
  [[nodiscard]] const std::vector<ItemPair>& pairs_of(ItemId id) const {
    return pairs_of_item_.at(id);
  }
  [[nodiscard]] bool is_half(ItemId id) const {
    return id.index() < is_half_.size() && is_half_[id.index()];
  }
  /// Items that this one may stand in for.
  [[nodiscard]] std::span<const ItemId> stronger_than(ItemId id) const {
    return list_at(stronger_, id.index());
  }
  /// Items that rules can cover: all but the wholes.
  [[nodiscard]] std::size_t coverable_items() const {
    return items_.size() - pairs_of_item_.size();
  }
  [[nodiscard]] const std::vector<std::uint32_t>& map(MapId id) const { return maps_[id]; }
  [[nodiscard]] const ExpressionPool& pool() const { return pool_; }
  /// By cell, clocks behind all memory; shorter if none of the rest is watched.
  [[nodiscard]] const std::vector<bool>& watched() const { return watched_; }
  [[nodiscard]] bool watches_anything() const { return !watched_.empty(); }
  [[nodiscard]] InvariantUses invariant_uses() const { return invariant_uses_; }

  /// The member of a family; of an open one it is made if need be. Invalid: no such member.
  ItemId item(ItemFamilyId family, const Arguments& arguments);
  TokenId token(TokenFamilyId family, const Arguments& arguments);
  /// Only look.
  [[nodiscard]] ItemId find_item(std::string_view id) const;
  [[nodiscard]] ItemId find_item(ItemFamilyId family, const Arguments& arguments) const;

 private:
  struct Key {
    std::uint32_t family = 0;
    Arguments arguments;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };

  template <class T>
  [[nodiscard]] static std::span<const T> list_at(const std::vector<std::vector<T>>& lists,
                                                  std::size_t i) {
    return i < lists.size() ? std::span<const T>(lists[i]) : std::span<const T>();
  }
  FormulaId add_formula(Formula formula) { return formulas_.push_back(formula); }
  ItemId insert_item(ItemFamilyId family, const Arguments& arguments, Item item);
  [[nodiscard]] TokenFamilyId shown_family(ItemFamilyId family, std::size_t arity);

  ItemFilter only_;
  IdVector<CriterionId, CriterionInfo> criteria_;
  IdVector<ItemFamilyId, ItemFamily> item_families_;
  IdVector<TokenFamilyId, TokenFamily> token_families_;
  IdVector<ItemId, Item> items_;
  IdVector<TokenId, Token> tokens_;
  IdVector<ObservationId, Observation> observations_;
  std::unordered_map<std::uint64_t, std::vector<ObservationId>> observation_index_;  // by hash
  IdVector<ObservationId, std::vector<ItemId>> items_of_observation_;
  std::vector<std::vector<ObservationId>> observations_of_item_;
  std::vector<std::vector<TokenId>> tokens_of_item_;
  std::unordered_map<ItemId, std::vector<ItemPair>> pairs_of_item_;
  std::vector<std::vector<ItemId>> stronger_;  // by weaker item
  std::vector<bool> is_half_;
  std::unordered_map<ItemFamilyId, TokenFamilyId> shown_;  // by items they wait to cover
  IdVector<FormulaId, Formula> formulas_;
  std::vector<ValueTuples> value_tuples_;
  IdVector<MapId, std::vector<std::uint32_t>> maps_;
  IdVector<RuleId, Rule> rules_;
  ExpressionPool pool_;
  std::unordered_map<ExprId, ExprId> adopted_;
  std::vector<bool> watched_;
  InvariantUses invariant_uses_ = InvariantUses::kNone;
  std::unordered_map<Key, ItemId, KeyHash> item_index_;
  std::unordered_map<Key, TokenId, KeyHash> token_index_;
  std::unordered_map<std::string, ItemId> item_by_id_;
};

}  // namespace tw
