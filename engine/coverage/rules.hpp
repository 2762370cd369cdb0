// Coverage as data. A criterion is a function from a network to items, tokens and rules; nothing of
// it runs in the hot loop. All criteria of a run put theirs into one rule set, so one exploration
// serves them all.
//
// A *rule* says what an event does: `on EVENT where CONDITION [while TOKEN]: cover ITEM | arm TOKEN
// | drop TOKEN`. A *token* is a partial item (Hessel and Pettersson, 2007): "x was last defined
// by this edge". Rules look at one token at a time and never at the absence of one. So what a set
// of tokens does in a step is the union of what each does alone, which is all that token pruning
// needs.
//
// In one step rules are applied event by event. At one event, all rules look at the tokens from
// before it; first tokens are dropped, then the new ones are armed (a token that is dropped and
// armed by the same event lives). Conditions are about the source state of the step, those of
// `state` events about the new state.
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

using CriterionId = Id<struct CriterionTag>;
using ItemId = Id<struct ItemTag>;
using TokenId = Id<struct TokenTag>;
using ItemFamilyId = Id<struct ItemFamilyTag>;
using TokenFamilyId = Id<struct TokenFamilyTag>;
using ConditionId = Id<struct ConditionTag>;
using MapId = Id<struct MapTag>;
using RuleId = Id<struct RuleTag>;

/// Up to four numbers.
class Arguments {
 public:
  static constexpr std::size_t kMost = 4;

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
  };

  Source source = Source::kConstant;
  std::uint32_t value = 0;  // the constant, or the position of the token's argument
  MapId map;                // invalid: none

  static Term constant(std::uint32_t value) { return {.value = value}; }
  static Term edge(MapId map = {}) { return {.source = Source::kEdge, .map = map}; }
  static Term cell(MapId map = {}) { return {.source = Source::kCell, .map = map}; }
  static Term process() { return {.source = Source::kProcess}; }
  static Term token(std::uint32_t position, MapId map = {}) {
    return {.source = Source::kToken, .value = position, .map = map};
  }
  static Term any() { return {.source = Source::kAny}; }
};

/// Tokens of one family whose arguments equal the terms.
struct TokenPattern {
  TokenFamilyId family;
  std::vector<Term> arguments;
};

/// A predicate over states; all parts must hold.
struct Condition {
  struct CellValue {
    CellId cell;
    std::int32_t value = 0;

    friend bool operator==(const CellValue&, const CellValue&) = default;
  };

  std::vector<LocationId> locations;  // their processes are in them
  std::vector<CellValue> cells;
  ExprId expression;  // of the rule set's own pool; invalid: none

  friend bool operator==(const Condition&, const Condition&) = default;
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
  ConditionId where;                  // invalid: always
  std::optional<TokenPattern> needs;  // `while`: acts once per token of this form
  Action action = Action::kCover;
  ItemFamilyId item;            // kCover
  TokenFamilyId token;          // kArm, kDrop
  std::vector<Term> arguments;  // of the item or token; kDrop is a pattern
};

struct CriterionInfo {
  std::string name;
  std::string options;  // as given, in a normal form; empty: defaults
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
};

enum class Lifetime : std::uint8_t {
  kUntilDropped,
  kNextStep,  // seen by the events of the next step, then gone unless armed again
  kNextMove,  // the same with the next step in which its process fires an edge
};

struct TokenFamily {
  CriterionId criterion;
  std::string name;
  Lifetime lifetime = Lifetime::kUntilDropped;
  std::uint32_t process_argument = 0;  // kNextMove: where the process stands
  bool open = false;
};

struct Token {
  TokenFamilyId family;
  Arguments arguments;
  /// All items that this token, or one it turns into, can help to cover. Once all are covered the
  /// token is dead. Members of open families have none and never die.
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
  /// Invalid if `--only` leaves it out. Pre: new.
  ItemId add_item(ItemFamilyId family, const Arguments& arguments, Item item);
  TokenFamilyId add_token_family(TokenFamily family);
  /// A token that leads nowhere is not added: arming it has no effect.
  TokenId add_token(TokenFamilyId family, const Arguments& arguments, std::vector<ItemId> leads_to);
  MapId add_map(std::vector<std::uint32_t> table);
  /// Equal conditions are one.
  ConditionId add_condition(Condition condition);
  void add_rule(Rule rule);
  /// Uses and definitions of this cell or clock (Network::cell_of) must be noticed.
  void watch(CellId cell);
  void set_invariant_uses(InvariantUses uses) { invariant_uses_ = uses; }
  /// For conditions that a criterion builds; types and variables are the network's.
  ExpressionPool& pool() { return pool_; }

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
  [[nodiscard]] const IdVector<ConditionId, Condition>& conditions() const { return conditions_; }
  [[nodiscard]] const std::vector<std::uint32_t>& map(MapId id) const { return maps_[id]; }
  [[nodiscard]] const ExpressionPool& pool() const { return pool_; }
  /// By cell, clocks behind all memory; shorter if none of the rest is watched.
  [[nodiscard]] const std::vector<bool>& watched() const { return watched_; }
  [[nodiscard]] bool watches_anything() const { return !watched_.empty(); }
  [[nodiscard]] InvariantUses invariant_uses() const { return invariant_uses_; }

  /// The member of a family; of an open one it is made if need be. Invalid: no such member.
  ItemId item(ItemFamilyId family, const Arguments& arguments);
  TokenId token(TokenFamilyId family, const Arguments& arguments);
  /// Only looks.
  [[nodiscard]] ItemId find_item(std::string_view id) const;

 private:
  struct Key {
    std::uint32_t family = 0;
    Arguments arguments;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };

  ItemFilter only_;
  IdVector<CriterionId, CriterionInfo> criteria_;
  IdVector<ItemFamilyId, ItemFamily> item_families_;
  IdVector<TokenFamilyId, TokenFamily> token_families_;
  IdVector<ItemId, Item> items_;
  IdVector<TokenId, Token> tokens_;
  IdVector<ConditionId, Condition> conditions_;
  IdVector<MapId, std::vector<std::uint32_t>> maps_;
  IdVector<RuleId, Rule> rules_;
  ExpressionPool pool_;
  std::vector<bool> watched_;
  InvariantUses invariant_uses_ = InvariantUses::kNone;
  std::unordered_map<Key, ItemId, KeyHash> item_index_;
  std::unordered_map<Key, TokenId, KeyHash> token_index_;
  std::unordered_map<std::string, ItemId> item_by_id_;
};

}  // namespace tw
