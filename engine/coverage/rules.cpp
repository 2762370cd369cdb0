#include "engine/coverage/rules.hpp"

#include <algorithm>
#include <cassert>

#include "engine/base/hash.hpp"

namespace tw {
namespace {

// `*` any text, `?` any character; everything else stands for itself.
bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last one seen …
  std::size_t resume = 0;                     // … and where its text ends so far
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*')
    ++g;
  return g == glob.size();
}

}  // namespace

Arguments::Arguments(std::initializer_list<std::uint32_t> values) {
  for (const std::uint32_t value : values)
    push_back(value);
}

void Arguments::push_back(std::uint32_t value) {
  assert(count_ < kMost);
  values_[count_++] = value;
}

bool ItemFilter::passes(std::string_view id) const {
  return globs_.empty() || std::any_of(globs_.begin(), globs_.end(), [&](const std::string& glob) {
           return glob_matches(glob, id);
         });
}

std::size_t CoverageRules::KeyHash::operator()(const Key& key) const noexcept {
  std::array<std::uint64_t, 1 + Arguments::kMost> words{key.family};
  for (std::size_t i = 0; i < key.arguments.size(); ++i)
    words[i + 1] = key.arguments[i];
  return hash_words(words);
}

CriterionId CoverageRules::begin_criterion(CriterionInfo info) {
  return criteria_.push_back(std::move(info));
}

ItemFamilyId CoverageRules::add_item_family(std::string name,
                                            std::function<Item(const Arguments&)> make) {
  return item_families_.push_back({.criterion = CriterionId(criteria_.size() - 1),
                                   .name = std::move(name),
                                   .make = std::move(make)});
}

ItemId CoverageRules::add_item(ItemFamilyId family, const Arguments& arguments, Item item) {
  if (!only_.passes(item.id))
    return {};
  item.criterion = item_families_[family].criterion;
  item.family = family;
  item.arguments = arguments;
  item_by_id_.emplace(item.id, ItemId(items_.size()));
  const ItemId id = items_.push_back(std::move(item));
  [[maybe_unused]] const bool is_new =
      item_index_
          .emplace(
              Key{.family = static_cast<std::uint32_t>(family.index()), .arguments = arguments}, id)
          .second;
  assert(is_new && "an item is declared once");
  return id;
}

TokenFamilyId CoverageRules::add_token_family(TokenFamily family) {
  family.criterion = CriterionId(criteria_.size() - 1);
  return token_families_.push_back(std::move(family));
}

TokenId CoverageRules::add_token(TokenFamilyId family,
                                 const Arguments& arguments,
                                 std::vector<ItemId> leads_to) {
  std::erase_if(leads_to, [](ItemId item) { return !item.valid(); });
  if (leads_to.empty() && !token_families_[family].open)
    return {};
  std::sort(leads_to.begin(), leads_to.end());
  leads_to.erase(std::unique(leads_to.begin(), leads_to.end()), leads_to.end());
  const TokenId id = tokens_.push_back(
      {.family = family, .arguments = arguments, .leads_to = std::move(leads_to)});
  [[maybe_unused]] const bool is_new =
      token_index_
          .emplace(
              Key{.family = static_cast<std::uint32_t>(family.index()), .arguments = arguments}, id)
          .second;
  assert(is_new && "a token is declared once");
  return id;
}

MapId CoverageRules::add_map(std::vector<std::uint32_t> table) {
  return maps_.push_back(std::move(table));
}

ConditionId CoverageRules::add_condition(Condition condition) {
  for (std::size_t i = 0; i < conditions_.size(); ++i)
    if (conditions_[ConditionId(i)] == condition)
      return ConditionId(i);
  return conditions_.push_back(std::move(condition));
}

void CoverageRules::add_rule(Rule rule) {
  rule.criterion = CriterionId(criteria_.size() - 1);
  rules_.push_back(std::move(rule));
}

void CoverageRules::watch(CellId cell) {
  if (watched_.size() <= cell.index())
    watched_.resize(cell.index() + 1);
  watched_[cell.index()] = true;
}

ItemId CoverageRules::item(ItemFamilyId family, const Arguments& arguments) {
  const auto known = item_index_.find(
      {.family = static_cast<std::uint32_t>(family.index()), .arguments = arguments});
  if (known != item_index_.end())
    return known->second;
  if (!item_families_[family].make)
    return {};
  return add_item(family, arguments, item_families_[family].make(arguments));
}

TokenId CoverageRules::token(TokenFamilyId family, const Arguments& arguments) {
  const auto known = token_index_.find(
      {.family = static_cast<std::uint32_t>(family.index()), .arguments = arguments});
  if (known != token_index_.end())
    return known->second;
  return token_families_[family].open ? add_token(family, arguments, {}) : TokenId();
}

ItemId CoverageRules::find_item(std::string_view id) const {
  const auto known = item_by_id_.find(std::string(id));
  return known == item_by_id_.end() ? ItemId() : known->second;
}

}  // namespace tw
