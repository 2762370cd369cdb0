// What the criteria about queries and requirements share: which properties there are, and rules
// that cover an item on the runs that cover a formula of temporal logic (criteria/temporal.hpp).
//
// The clauses of a property are observed together, in every state. Formulas become, simplest first:
//   F p      covered in a state with p; no token;
//   q U p    token `held(q)`, begun with the run and kept from state to state while q holds; shared
//            by all items of the property with this q;
//   others   token `seen(item, state)` of a deterministic monitor, one step further in every state.
// Clocks are looked at while time passes, which only F p can. Of `G p` with clocks the causes are
// therefore looked for in all states, whether or not p held before.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "criteria/temporal.hpp"
#include "engine/base/diagnostics.hpp"
#include "engine/coverage/criterion.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct TemporalMonitor;

/// Of `E<> p` queries.
[[nodiscard]] std::vector<const Property*> purposes_of(const Network& network,
                                                       const CriterionOptions& options,
                                                       Diagnostics& diagnostics);

/// Of `A[] p` queries, then those given beside the model. `criterion` is who asks, for messages.
[[nodiscard]] std::vector<const Property*> requirements_of(const Network& network,
                                                           std::string_view criterion,
                                                           const CriterionOptions& options,
                                                           Diagnostics& diagnostics);

/// The clauses of a property, and the formulas over them, in the rules.
class PropertyFormulas {
 public:
  /// None if it has more clauses than can be looked at together.
  [[nodiscard]] static std::optional<PropertyFormulas> of(const Network& network,
                                                          const Property& property,
                                                          CoverageRules& rules);

  [[nodiscard]] ObservationId observation() const { return observation_; }
  /// Pre: a state formula.
  FormulaId formula(PropertyNodeId id);
  FormulaId formula(TemporalId id, const TemporalPool& pool);

 private:
  PropertyFormulas(const Property& property, CoverageRules& rules)
      : property_(&property),
        rules_(&rules) {}

  const Property* property_;
  CoverageRules* rules_;
  ObservationId observation_;
  std::vector<std::uint32_t> atom_;  // by node
  std::unordered_map<PropertyNodeId, FormulaId> of_node_;
  std::unordered_map<TemporalId, FormulaId> of_temporal_;
};

/// Declares the items of one criterion.
class RequirementRules {
 public:
  /// All are borrowed. Pre: the criterion has begun.
  RequirementRules(const Network& network,
                   std::string criterion,
                   CoverageRules& rules,
                   Diagnostics& diagnostics);

  /// The items that follow are about this property. False, and reported, if it is too large.
  bool begin(const Property& property, TemporalPool& pool);
  /// Covered by the runs that cover the formula, which is in normal form.
  void add(Item item, TemporalId formula);
  /// To be called last.
  void finish();

 private:
  struct Held {
    std::uint32_t number = 0;
    std::vector<ItemId> items;
  };

  void refuse(std::string_view why, std::string hint);
  void add_held(ItemId item, std::uint32_t number, TemporalId before, TemporalId goal);
  void add_monitor(ItemId item, std::uint32_t number, const TemporalMonitor& monitor);
  void end_property();
  FormulaId choose(const std::vector<TemporalId>& letters, std::span<const bool> table);
  void on_state(FormulaId when, std::optional<TokenPattern> needs, Rule rule);
  [[nodiscard]] Rule covers(std::uint32_t number) const;
  [[nodiscard]] bool is_always_state() const;

  const Network& network_;
  const std::string criterion_;
  CoverageRules& rules_;
  Diagnostics& diagnostics_;
  ItemFamilyId items_;
  TokenFamilyId begun_;
  TokenFamilyId held_;
  TokenFamilyId seen_;
  std::uint32_t next_item_ = 0;
  std::uint32_t next_held_ = 0;
  std::vector<ItemId> begun_items_;

  // Of the current property.
  const Property* property_ = nullptr;
  TemporalPool* pool_ = nullptr;
  std::optional<PropertyFormulas> formulas_;
  std::map<std::size_t, Held> helds_;  // by formula
  bool refused_ = false;
};

}  // namespace tw
