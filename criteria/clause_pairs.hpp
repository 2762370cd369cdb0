// Criteria that need two states of one test: a clause has both values, with something about the
// guard equal or different. The first state arms a token, a later one completes the item; either
// value may come first. Both states belong to one process and to one combination of select values.
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

/// More do not fit into the arguments of tokens.
inline constexpr std::size_t kMostPairedClauses = 31;

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
  ClausePairs(Pairing pairing, CoverageRules& rules);

  void add(const Decision& decision, const std::vector<ClausePair>& pairs);

 private:
  // What a token of an observation can lead to.
  struct Goal {
    ItemId item;
    FormulaId when;
  };
  using Goals = std::map<std::uint32_t, std::vector<Goal>>;  // by observation

  void add_correlated(const Decision& decision, const ClausePair& pair, std::uint32_t number);
  void add_restricted(const Decision& decision, const ClausePair& pair, std::uint32_t number);
  [[nodiscard]] static std::vector<ItemId> leads_to(Pairing pairing,
                                                    const Goals& goals,
                                                    const CoverageRules& rules,
                                                    const Arguments& token);

  Pairing pairing_;
  CoverageRules& rules_;
  ItemFamilyId items_;
  TokenFamilyId tokens_;
  std::shared_ptr<Goals> goals_;  // shared with the token family
};

}  // namespace tw
