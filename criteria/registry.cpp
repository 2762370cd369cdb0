#include "criteria/registry.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "engine/base/suggest.hpp"

namespace tw {
namespace {

using MakeFunction = std::unique_ptr<Criterion> (*)();

constexpr CriterionSummary kSummaries[] = {
#define TW_CRITERION(make, name, summary) {name, summary},
#include "criteria/criteria.def"
#undef TW_CRITERION
};

constexpr MakeFunction kMakers[] = {
#define TW_CRITERION(make, name, summary) &make,
#include "criteria/criteria.def"
#undef TW_CRITERION
};

// What the literature calls some of them.
struct Abbreviation {
  std::string_view word;
  std::string_view name;
};

constexpr Abbreviation kAbbreviations[] = {
    {"m", "mutation"},        {"tp", "edge-pair"},       {"alldef", "all-defs"},
    {"alldefs", "all-defs"},  {"alldu", "p-use"},        {"all-du", "p-use"},
    {"mcdc", "mcdc-masking"}, {"mc/dc", "mcdc-masking"}, {"all-uses", "def-use"},
};

std::string normal_form(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return out;
}

}  // namespace

std::string criterion_name(std::string_view word) {
  std::string wanted = normal_form(word);
  for (const Abbreviation& known : kAbbreviations)
    if (known.word == wanted)
      return std::string(known.name);
  const bool exists =
      std::ranges::find(kSummaries, wanted, &CriterionSummary::name) != std::end(kSummaries);
  return exists ? wanted : std::string();
}

std::span<const CriterionSummary> known_criteria() { return kSummaries; }

std::unique_ptr<Criterion> make_criterion(std::string_view name) {
  const auto* at = std::ranges::find(kSummaries, criterion_name(name), &CriterionSummary::name);
  return at == std::end(kSummaries) ? nullptr : kMakers[at - std::begin(kSummaries)]();
}

std::string_view nearest_criterion(std::string_view name) {
  std::vector<std::string> names;
  for (const CriterionSummary& known : kSummaries)
    names.emplace_back(known.name);
  const std::string_view near = nearest_name(normal_form(name), names);
  const auto* at = std::ranges::find(kSummaries, near, &CriterionSummary::name);
  return at == std::end(kSummaries) ? std::string_view() : at->name;
}

}  // namespace tw
