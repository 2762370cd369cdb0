// The criteria there are, by name. criteria.def has one line for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/coverage/criterion.hpp"

namespace tw {

#define TW_CRITERION(make, name, summary) [[nodiscard]] std::unique_ptr<Criterion> make();
#include "criteria/criteria.def"
#undef TW_CRITERION

struct CriterionSummary {
  std::string_view name;
  std::string_view summary;  // its definition in one line
};

/// In the order of criteria.def.
[[nodiscard]] std::span<const CriterionSummary> known_criteria();

/// The name in criteria.def that is meant: in upper or lower case, with '_' for '-' if you like, or
/// an abbreviation of the literature (TP, AllDU, M). Empty: there is none.
[[nodiscard]] std::string criterion_name(std::string_view word);

/// Names as in criterion_name; null if there is none.
[[nodiscard]] std::unique_ptr<Criterion> make_criterion(std::string_view name);

/// What an unknown name was probably meant to be; empty if nothing is near.
[[nodiscard]] std::string_view nearest_criterion(std::string_view name);

}  // namespace tw
