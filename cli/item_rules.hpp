// What a single item asks for, read off the rules: in words, and as the edges that begin and
// complete it.
#pragma once

#include <string>
#include <vector>

#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"

namespace tw {

struct ItemRules {
  std::vector<std::string> words;  // one line per rule that covers the item or arms its tokens
  std::vector<EdgeId> begins;      // edges of events that arm a token of the item, ascending
  std::vector<EdgeId> completes;   // edges of events that cover it, ascending
  bool needs_token = false;        // it cannot be covered without being begun
};

[[nodiscard]] ItemRules rules_of_item(const Network& network,
                                      const CoverageRules& rules,
                                      ItemId item);

}  // namespace tw
