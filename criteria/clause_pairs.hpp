// Criteria that need two states: a clause has both values, with something about the guard equal or
// different. In one test the first state arms a token, a later one completes the item; either value
// may come first, and both states belong to one process and to one combination of select values. If
// the states may be in different tests (`--pairing suite`), each of them is an item of its own, a
// half, whichever process and select values; there are no tokens.
//
// Which two states belong together is either *correlated* (the clause decides the guard in both,
// and the guard differs, too: the token is the value of clause and guard) or *restricted* (all
// other clauses are equal: the token is the whole valuation).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "criteria/decisions.hpp"
#include "engine/coverage/rules.hpp"

namespace tw {

/// More do not fit into the arguments of tokens; halves are as many as there are valuations.
[[nodiscard]] std::size_t most_paired_clauses(const CriterionOptions& options);

/// What a criterion about pairs says of itself.
[[nodiscard]] CriterionInfo pair_criterion(std::string_view name, const CriterionOptions& options);

enum class Pairing : std::uint8_t {
  kCorrelated,
  kRestricted,
};

/// One item of a decision: the clause has both values where the formula holds.
struct ClausePair {
  std::uint32_t clause = 0;
  FormulaId when;
  std::string id;
  std::string label;
};

class ClausePairs {
 public:
  /// Adds families to the criterion begun last. The rules are borrowed.
  ClausePairs(Pairing pairing, HalfPlaces places, CoverageRules& rules);

  void add(const Decision& decision, const std::vector<ClausePair>& pairs);

 private:
  // What a token of an observation can lead to.
  struct Goal {
    ItemId item;
    FormulaId when;
  };
  using Goals = std::map<std::uint32_t, std::vector<Goal>>;  // by observation

  void add_tokens(const Decision& decision,
                  const std::vector<ClausePair>& pairs,
                  const std::vector<ItemId>& items);
  void add_correlated(const Decision& decision, const ClausePair& pair, std::uint32_t number);
  void add_restricted(const Decision& decision, const ClausePair& pair, std::uint32_t number);
  void add_correlated_halves(const Decision& decision,
                             const ClausePair& pair,
                             std::uint32_t number,
                             ItemId item);
  void add_restricted_halves(const Decision& decision, const ClausePair& pair, ItemId item);
  ItemId valuation_half(const Decision& decision, std::uint32_t valuation);
  [[nodiscard]] static std::vector<ItemId> leads_to(Pairing pairing,
                                                    const Goals& goals,
                                                    const CoverageRules& rules,
                                                    const Arguments& token);

  Pairing pairing_;
  HalfPlaces places_;
  CoverageRules& rules_;
  ItemFamilyId items_;
  ItemFamilyId halves_;  // of a suite
  TokenFamilyId tokens_;
  std::shared_ptr<Goals> goals_;  // shared with the token family
};

}  // namespace tw
