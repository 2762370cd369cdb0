#include "engine/coverage/rules.hpp"

#include <algorithm>
#include <cassert>

#include "engine/base/budget.hpp"
#include "engine/base/hash.hpp"
#include "engine/model/network.hpp"

namespace tw {
namespace {

constexpr std::uint64_t kDeclarationWork = 200;  // in units of BudgetMeter

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
  return hash_words(std::span(words).first(1 + key.arguments.size()));
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
  return only_.passes(item.id) ? insert_item(family, arguments, std::move(item)) : ItemId();
}

ItemId CoverageRules::add_half(ItemFamilyId family, const Arguments& arguments, Item item) {
  const ItemId id = insert_item(family, arguments, std::move(item));
  is_half_.resize(id.index() + 1);
  is_half_[id.index()] = true;
  return id;
}

void CoverageRules::set_pairs(ItemId whole, std::vector<ItemPair> pairs) {
  assert(std::ranges::all_of(
      pairs, [this](const ItemPair& pair) { return is_half(pair.first) && is_half(pair.second); }));
  pairs_of_item_.emplace(whole, std::move(pairs));
}

void CoverageRules::add_fallback(ItemId stronger, ItemId weaker) {
  if (stronger_.size() <= weaker.index())
    stronger_.resize(weaker.index() + 1);
  stronger_[weaker.index()].push_back(stronger);
}

ItemId CoverageRules::insert_item(ItemFamilyId family, const Arguments& arguments, Item item) {
  spend_budget(kDeclarationWork);
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
  spend_budget(kDeclarationWork);
  std::erase_if(leads_to, [](ItemId item) { return !item.valid(); });
  const TokenFamily& own = token_families_[family];
  if (leads_to.empty() && (!own.open || own.leads_to))
    return {};
  std::sort(leads_to.begin(), leads_to.end());
  leads_to.erase(std::unique(leads_to.begin(), leads_to.end()), leads_to.end());
  for (const ItemId item : leads_to) {
    if (tokens_of_item_.size() <= item.index())
      tokens_of_item_.resize(item.index() + 1);
    tokens_of_item_[item.index()].emplace_back(tokens_.size());
  }
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

ObservationId CoverageRules::add_observation(const Observation& observation) {
  spend_budget(kDeclarationWork);
  assert(observation.atoms.size() <= Observation::kMostAtoms);
  std::vector<std::uint64_t> words;
  for (const LocationId location : observation.locations)
    words.push_back(location.index());
  for (const Atom& atom : observation.atoms)
    words.push_back(atom.location.valid() ? ~std::uint64_t{0} - atom.location.index()
                                          : atom.expression.index());
  std::vector<ObservationId>& alike = observation_index_[hash_words(words)];
  for (const ObservationId id : alike)
    if (observations_[id] == observation)
      return id;
  alike.push_back(observations_.push_back(observation));
  items_of_observation_.push_back({});
  return alike.back();
}

void CoverageRules::lead_to(ObservationId observation, ItemId item) {
  spend_budget(kDeclarationWork);
  if (!item.valid())
    return;
  if (observations_of_item_.size() <= item.index())
    observations_of_item_.resize(item.index() + 1);
  std::vector<ObservationId>& back = observations_of_item_[item.index()];
  if (std::ranges::find(back, observation) != back.end())
    return;
  back.push_back(observation);
  items_of_observation_[observation].push_back(item);
}

ExprId CoverageRules::adopt(const Network& network, ExprId expression) {
  const auto known = adopted_.find(expression);
  if (known != adopted_.end())
    return known->second;
  std::vector<ExprId> operands;
  for (const ExprId part : network.pool.operands(expression))
    operands.push_back(adopt(network, part));
  Expression copy = network.pool[expression];
  copy.first_operand = 0;
  copy.operand_count = 0;
  const ExprId id = pool_.add(copy, operands);
  adopted_.emplace(expression, id);
  return id;
}

FormulaId CoverageRules::constant(bool value) {
  return add_formula({.kind = Formula::Kind::kConstant, .number = value ? 1U : 0U});
}

FormulaId CoverageRules::atom(std::size_t number) {
  return add_formula({.kind = Formula::Kind::kAtom, .number = static_cast<std::uint32_t>(number)});
}

FormulaId CoverageRules::negate(FormulaId formula) {
  return add_formula({.kind = Formula::Kind::kNot, .left = formula});
}

FormulaId CoverageRules::both(FormulaId left, FormulaId right) {
  return add_formula({.kind = Formula::Kind::kAnd, .left = left, .right = right});
}

FormulaId CoverageRules::either(FormulaId left, FormulaId right) {
  return add_formula({.kind = Formula::Kind::kOr, .left = left, .right = right});
}

FormulaId CoverageRules::differ(FormulaId left, FormulaId right) {
  return add_formula({.kind = Formula::Kind::kXor, .left = left, .right = right});
}

void CoverageRules::add_value_tuples(ValueTuples tuples) {
  value_tuples_.push_back(std::move(tuples));
}

bool CoverageRules::is_timed(ObservationId id) const {
  return std::ranges::any_of(observations_[id].atoms, [this](const Atom& atom) {
    return atom.expression.valid() && pool_[atom.expression].timed;
  });
}

bool CoverageRules::has_timed_observations() const {
  for (std::size_t i = 0; i < observations_.size(); ++i)
    if (is_timed(ObservationId(i)))
      return true;
  return false;
}

void CoverageRules::add_rule(Rule rule) {
  spend_budget(kDeclarationWork);
  assert((rule.on == EventKind::kState) == rule.at.valid());
  assert(rule.on != EventKind::kState || rule.action != Rule::Action::kDrop);
  rule.criterion = CriterionId(criteria_.size() - 1);
  if (rule.on == EventKind::kState && rule.action == Rule::Action::kCover &&
      criteria_[rule.criterion].observe) {
    rule.token = shown_family(rule.item, rule.arguments.size());
    rule.action = Rule::Action::kArm;
  }
  rules_.push_back(std::move(rule));
}

// Tokens for what a state has shown; the next step covers it.
TokenFamilyId CoverageRules::shown_family(ItemFamilyId family, std::size_t arity) {
  const auto known = shown_.find(family);
  if (known != shown_.end())
    return known->second;
  const TokenFamilyId shown = add_token_family(
      {.name = "shown",
       .lifetime = Lifetime::kNextStep,
       .open = true,
       .leads_to = [family](const CoverageRules& rules, const Arguments& arguments) {
         return std::vector{rules.find_item(family, arguments)};
       }});
  shown_.emplace(family, shown);
  Rule cover{.on = EventKind::kBegin,
             .needs = TokenPattern{.family = shown, .arguments = {}},
             .action = Rule::Action::kCover,
             .item = family};
  for (std::uint32_t i = 0; i < arity; ++i) {
    cover.needs->arguments.push_back(Term::any());
    cover.arguments.push_back(Term::token(i));
  }
  add_rule(std::move(cover));
  return shown;
}

void CoverageRules::watch(CellId cell) {
  if (watched_.size() <= cell.index())
    watched_.resize(cell.index() + 1);
  watched_[cell.index()] = true;
}

ItemId CoverageRules::item(ItemFamilyId family, const Arguments& arguments) {
  const ItemId known = find_item(family, arguments);
  if (known.valid())
    return known;
  if (!item_families_[family].make)
    return {};
  return add_item(family, arguments, item_families_[family].make(arguments));
}

TokenId CoverageRules::token(TokenFamilyId family, const Arguments& arguments) {
  const auto known = token_index_.find(
      {.family = static_cast<std::uint32_t>(family.index()), .arguments = arguments});
  if (known != token_index_.end())
    return known->second;
  const TokenFamily& own = token_families_[family];
  if (!own.open)
    return {};
  return add_token(family, arguments,
                   own.leads_to ? own.leads_to(*this, arguments) : std::vector<ItemId>());
}

ItemId CoverageRules::find_item(ItemFamilyId family, const Arguments& arguments) const {
  const auto known = item_index_.find(
      {.family = static_cast<std::uint32_t>(family.index()), .arguments = arguments});
  return known == item_index_.end() ? ItemId() : known->second;
}

ItemId CoverageRules::find_item(std::string_view id) const {
  const auto known = item_by_id_.find(std::string(id));
  return known == item_by_id_.end() ? ItemId() : known->second;
}

}  // namespace tw
