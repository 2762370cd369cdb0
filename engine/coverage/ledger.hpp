// Which items are covered, and which tokens can still help: a token all of whose items are covered
// is dead (algorithm notes: T3). Items only ever become covered, so the dead stay dead.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/coverage/bit_sets.hpp"
#include "engine/coverage/rules.hpp"

namespace tw {

class Ledger {
 public:
  /// The rules are borrowed.
  explicit Ledger(const CoverageRules& rules);

  /// True if it is news.
  bool cover(ItemId item);

  [[nodiscard]] bool is_covered(ItemId item) const { return contains(covered_, item.index()); }

  [[nodiscard]] std::size_t covered() const { return count_; }

  /// Bits of tokens as in Effects.
  [[nodiscard]] Words dead() const { return dead_; }

 private:
  std::vector<std::uint64_t> covered_;
  std::vector<std::uint64_t> dead_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> open_;  // by token: items it leads to, not covered yet
  // By item: tokens that lead to it. Never changes, so copies of a ledger, of which chaining makes
  // many, share it.
  std::shared_ptr<const std::vector<std::vector<TokenId>>> tokens_of_;
};

}  // namespace tw
