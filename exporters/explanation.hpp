// Why an item is covered or not, for people and for scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/model/network.hpp"
#include "engine/suite/suite.hpp"
#include "exporters/causes.hpp"
#include "exporters/step_text.hpp"

namespace tw {

/// References are borrowed for the call.
struct Explanation {
  const SourceFile& file;
  const Network& network;
  const Item& item;
  std::string criterion;
  std::string definition;          // of the criterion, in words
  std::vector<std::string> rules;  // when the item is covered
  Verdict verdict;
  SearchSummary search;
  std::optional<CausesReport> causes;  // unless covered
  std::optional<TestText> test;        // if covered: a shortest one
};

[[nodiscard]] std::string explanation_text(const Explanation& explanation, TextStyle style = {});
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace tw
