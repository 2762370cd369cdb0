// Searches in changed copies of a network: is the item covered there? One allowance for all of
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/search/search_options.hpp"

namespace tw {

struct TrialOptions {
  /// Of every search. Limits of all together are the budget's (engine/base/budget.hpp) of this
  /// thread.
  SearchOptions search;
  std::uint64_t most_states = 50'000;         // of one search …
  std::uint64_t most_expansions = 2'000'000;  // … and of all
  std::uint64_t most_searches = 120;
};

class Trials {
 public:
  /// Network and rules are borrowed and outlive this; the rules are those of the original network.
  Trials(const CoverageRules& rules, ItemId item, TrialOptions options);

  struct Success {
    std::uint32_t steps = 0;  // of a shortest test
    std::vector<Step> trace;  // one such
  };

  /// None: the item is not covered in this network, as far as was searched. A step that makes a
  /// run-time error does not exist.
  [[nodiscard]] std::optional<Success> attempt(const Network& network);

  /// The last search left nothing out.
  [[nodiscard]] bool was_complete() const { return complete_; }
  /// Somebody or some limit of the whole program ended a search: there is no use in going on.
  [[nodiscard]] bool is_stopped() const { return stopped_; }
  /// Nothing will be searched any more.
  [[nodiscard]] bool is_spent() const;
  /// Allows so many more searches.
  void allow(std::uint64_t searches) { options_.most_searches = searches_ + searches; }

  [[nodiscard]] const TrialOptions& options() const { return options_; }

 private:
  [[nodiscard]] std::optional<Success> search(const Network& network);

  const CoverageRules& rules_;
  const ItemId item_;
  TrialOptions options_;
  std::uint64_t searches_ = 0;
  std::uint64_t expansions_ = 0;
  bool complete_ = false;
  bool stopped_ = false;
};

}  // namespace tw
