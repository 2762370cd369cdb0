// Which items are covered, and which tokens can still help: a token all of whose items are covered
// is dead (docs/algorithms.md 2.5). Items only ever become covered, so the dead stay dead.
#pragma once

#include <cstdint>
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

  /// How many.
  [[nodiscard]] std::size_t covered() const { return count_; }
  [[nodiscard]] Words covered_items() const { return covered_; }

  /// Bits of tokens as in Effects. Those that were made since the last call are looked at first.
  [[nodiscard]] Words dead() {
    if (open_.size() != rules_->tokens().size())
      add_tokens();
    return dead_;
  }

  /// Nothing that an observation leads to is left.
  [[nodiscard]] bool is_settled(ObservationId id) const { return left_[id.index()] == 0; }

 private:
  void add_tokens();

  const CoverageRules* rules_;  // borrowed
  std::vector<std::uint64_t> covered_;
  std::vector<std::uint64_t> dead_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> open_;  // by token: items it leads to, not covered yet; 0: unknown
  std::vector<std::uint32_t> left_;  // by observation: the same; at least 1 if it is never settled
};

}  // namespace tw
