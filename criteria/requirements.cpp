#include "criteria/requirements.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "criteria/temporal_monitor.hpp"

namespace tw {
namespace {

using PropertyKind = PropertyNode::Kind;

// Of one requirement; beyond, obligations take longer to write down than anybody waits.
constexpr std::size_t kMostClauses = 2'000;
constexpr std::size_t kMostXorNesting = 6;

void warn_once(SourceRange where, std::string message, std::string hint, Diagnostics& out) {
  const bool known = std::ranges::any_of(
      out.all(), [&](const Diagnostic& d) { return d.where == where && d.message == message; });
  if (!known)
    out.warning(where, std::move(message), std::move(hint));
}

// Queries of one form: the ones that can be used, and warnings about the others.
std::vector<const Property*> queries_of(const Network& network,
                                        PropertyKind form,
                                        Diagnostics& diagnostics) {
  const char letter = form == PropertyKind::kEventually ? 'E' : 'A';
  std::vector<const Property*> out;
  for (const Query& query : network.queries) {
    const std::size_t first = query.formula.find_first_not_of(" \t\r\n\f\v");
    if (first == std::string::npos || query.formula[first] != letter)
      continue;
    if (query.property)
      out.push_back(&*query.property);
    for (const Diagnostic& problem : query.problems)
      if (problem.severity == Severity::kError)
        warn_once(problem.where, fmt::format("this query is left out: {}", problem.message),
                  problem.hint, diagnostics);
  }
  return out;
}

// A key that equal expressions share, wherever they were written.
void append_structure(const ExpressionPool& pool, ExprId id, std::string& out) {
  const Expression& e = pool[id];
  out += fmt::format("{},{},{},{}(", static_cast<unsigned>(e.kind), static_cast<unsigned>(e.op),
                     e.payload, e.operand_count);
  for (const ExprId part : pool.operands(id))
    append_structure(pool, part, out);
  out += ')';
}

std::size_t xor_nesting(const Property& property, PropertyNodeId id) {
  const PropertyNode& node = property[id];
  if (node.is_clause)
    return 0;
  std::size_t out = 0;
  for (const PropertyNodeId part : {node.left, node.right})
    if (part.valid())
      out = std::max(out, xor_nesting(property, part));
  return out + (node.kind == PropertyKind::kXor ? 1 : 0);
}

}  // namespace

std::vector<const Property*> purposes_of(const Network& network,
                                         const CriterionOptions& options,
                                         Diagnostics& diagnostics) {
  std::vector<const Property*> out = queries_of(network, PropertyKind::kEventually, diagnostics);
  if (out.empty() && !options.one_of_all)
    diagnostics.warning({}, "'query' has no items: the model has no query of the form E<> p",
                        "add one for each thing a test should reach");
  return out;
}

std::vector<const Property*> requirements_of(const Network& network,
                                             std::string_view criterion,
                                             const CriterionOptions& options,
                                             Diagnostics& diagnostics) {
  std::vector<const Property*> out = queries_of(network, PropertyKind::kAlways, diagnostics);
  for (const Property& property : network.properties)
    if (!property.is_condition)
      out.push_back(&property);
  if (out.empty() && !options.one_of_all)
    diagnostics.warning({}, fmt::format("'{}' has no items: there are no requirements", criterion),
                        "add queries of the form A[] p to the model, or give a file of formulas "
                        "with --properties");
  return out;
}

std::optional<PropertyFormulas> PropertyFormulas::of(const Network& network,
                                                     const Property& property,
                                                     CoverageRules& rules) {
  PropertyFormulas out(property, rules);
  out.atom_.resize(property.nodes.size());
  std::vector<bool> needed(property.nodes.size());
  needed[property.root.index()] = true;
  Observation observation;
  std::unordered_map<std::string, std::uint32_t> known;
  // Wholes come after their parts.
  for (std::size_t i = property.nodes.size(); i-- > 0;) {
    const PropertyNode& node = property[PropertyNodeId(i)];
    if (!needed[i])
      continue;
    for (const PropertyNodeId part : {node.left, node.right})
      if (part.valid())
        needed[part.index()] = true;
    Atom atom;
    std::string key;
    if (node.kind == PropertyKind::kLocation) {
      atom.location = node.location;
      key = fmt::format("@{}", node.location.index());
    } else if (node.kind == PropertyKind::kExpression) {
      atom.expression = rules.adopt(network, node.expression);
      append_structure(network.pool, node.expression, key);
    } else {
      continue;
    }
    const auto [at, is_new] =
        known.emplace(std::move(key), static_cast<std::uint32_t>(observation.atoms.size()));
    if (is_new)
      observation.atoms.push_back(atom);
    out.atom_[i] = at->second;
    if (observation.atoms.size() > Observation::kMostAtoms)
      return std::nullopt;
  }
  out.observation_ = rules.add_observation(observation);
  return out;
}

FormulaId PropertyFormulas::formula(PropertyNodeId id) {
  const auto known = of_node_.find(id);
  if (known != of_node_.end())
    return known->second;
  const PropertyNode& node = (*property_)[id];
  const auto left = [&] { return formula(node.left); };
  const auto right = [&] { return formula(node.right); };
  FormulaId out;
  switch (node.kind) {
    case PropertyKind::kExpression:
    case PropertyKind::kLocation:
      out = rules_->atom(atom_[id.index()]);
      break;
    case PropertyKind::kNot:
      out = rules_->negate(left());
      break;
    case PropertyKind::kAnd: {
      const FormulaId first = left();
      out = rules_->both(first, right());
      break;
    }
    case PropertyKind::kOr: {
      const FormulaId first = left();
      out = rules_->either(first, right());
      break;
    }
    case PropertyKind::kImply: {
      const FormulaId first = rules_->negate(left());
      out = rules_->either(first, right());
      break;
    }
    case PropertyKind::kXor: {
      const FormulaId first = left();
      out = rules_->differ(first, right());
      break;
    }
    default:
      out = rules_->constant(node.value);
      break;
  }
  of_node_.emplace(id, out);
  return out;
}

FormulaId PropertyFormulas::formula(TemporalId id, const TemporalPool& pool) {
  const auto known = of_temporal_.find(id);
  if (known != of_temporal_.end())
    return known->second;
  const TemporalNode& node = pool[id];
  FormulaId out;
  switch (node.kind) {
    case TemporalNode::Kind::kClause:
      out = formula(PropertyNodeId(node.number));
      break;
    case TemporalNode::Kind::kNot:
      out = rules_->negate(formula(node.left, pool));
      break;
    case TemporalNode::Kind::kAnd: {
      const FormulaId left = formula(node.left, pool);
      out = rules_->both(left, formula(node.right, pool));
      break;
    }
    case TemporalNode::Kind::kOr: {
      const FormulaId left = formula(node.left, pool);
      out = rules_->either(left, formula(node.right, pool));
      break;
    }
    case TemporalNode::Kind::kXor: {
      const FormulaId left = formula(node.left, pool);
      out = rules_->differ(left, formula(node.right, pool));
      break;
    }
    default:
      out = rules_->constant(node.kind == TemporalNode::Kind::kTrue);
      break;
  }
  of_temporal_.emplace(id, out);
  return out;
}

RequirementRules::RequirementRules(const Network& network,
                                   std::string criterion,
                                   CoverageRules& rules,
                                   Diagnostics& diagnostics)
    : network_(network),
      criterion_(std::move(criterion)),
      rules_(rules),
      diagnostics_(diagnostics),
      items_(rules.add_item_family("obligation")),
      begun_(rules.add_token_family({.name = "begun", .lifetime = Lifetime::kThisStep})),
      held_(rules.add_token_family({.name = "held", .lifetime = Lifetime::kNextStep})),
      seen_(rules.add_token_family({.name = "seen", .lifetime = Lifetime::kNextStep})) {}

// A query is left out, since a model may have some for other tools; what was given on purpose must
// be usable.
void RequirementRules::refuse(std::string_view why, std::string hint) {
  if (std::exchange(refused_, true))
    return;
  if (property_->place.empty())
    warn_once(property_->where, fmt::format("this query is left out of {}: {}", criterion_, why),
              std::move(hint), diagnostics_);
  else
    diagnostics_.error({},
                       fmt::format("requirement '{}' ({}) cannot be used for {}: {}",
                                   property_->name, property_->place, criterion_, why),
                       std::move(hint));
}

bool RequirementRules::begin(const Property& property, TemporalPool& pool) {
  property_ = &property;
  pool_ = &pool;
  refused_ = false;
  end_property();
  formulas_ = PropertyFormulas::of(network_, property, rules_);
  if (!formulas_) {
    refuse(fmt::format("it looks at more than {} different things", Observation::kMostAtoms),
           "split it, or ask about fewer processes at once");
    return false;
  }
  const auto clauses = std::ranges::count_if(property.nodes, &PropertyNode::is_clause);
  if (static_cast<std::size_t>(clauses) > kMostClauses) {
    refuse(fmt::format("it has {} clauses, the limit is {}", clauses, kMostClauses),
           "split it, or ask about fewer processes at once");
    return false;
  }
  if (xor_nesting(property, property.root) > kMostXorNesting) {
    refuse(fmt::format("'xor' and '<->' nest deeper than {}", kMostXorNesting), "split it");
    return false;
  }
  return true;
}

bool RequirementRules::is_always_state() const {
  const Property& property = *property_;
  const PropertyNode& root = property[property.root];
  const auto is_state = [&](const auto& self, PropertyNodeId id) -> bool {
    const PropertyNode& node = property[id];
    return node.is_clause ||
           (node.kind < PropertyKind::kNext && (!node.left.valid() || self(self, node.left)) &&
            (!node.right.valid() || self(self, node.right)));
  };
  return root.kind == PropertyKind::kAlways && is_state(is_state, root.left);
}

Rule RequirementRules::covers(std::uint32_t number) const {
  return {.action = Rule::Action::kCover, .item = items_, .arguments = {Term::constant(number)}};
}

void RequirementRules::on_state(FormulaId when, std::optional<TokenPattern> needs, Rule rule) {
  rule.on = EventKind::kState;
  rule.at = formulas_->observation();
  rule.when = when;
  rule.needs = std::move(needs);
  rules_.add_rule(std::move(rule));
}

void RequirementRules::add(Item item, TemporalId formula) {
  const TemporalNode top = (*pool_)[formula];
  const bool constant = formula == pool_->truth(true) || formula == pool_->truth(false);
  std::optional<TemporalId> goal;
  if (top.kind == TemporalNode::Kind::kUntil && (*pool_)[top.left].is_state)
    goal = pool_->at_once(top.right);
  else if (constant)
    goal = formula;
  const bool timed = rules_.is_timed(formulas_->observation());
  const bool plain =
      goal && (constant || top.left == pool_->truth(true) || (timed && is_always_state()));
  if (timed && !plain) {
    refuse("clocks can be looked at in 'A[] p' and 'G p' only, where p speaks of one state",
           "remove the clocks, or keep their part of the formula in a requirement of its own");
    return;
  }
  std::optional<TemporalMonitor> monitor;
  if (!goal)
    monitor = monitor_of(formula, *pool_);
  if (!goal && !monitor) {
    refuse(fmt::format("its monitor would have more than {} states or look at more than {} things",
                       TemporalMonitor::kMostStates, TemporalMonitor::kMostLetters),
           "split it into smaller requirements");
    return;
  }
  const std::uint32_t number = next_item_;
  const ItemId id = rules_.add_item(items_, {number}, std::move(item));
  if (!id.valid())
    return;
  ++next_item_;
  rules_.lead_to(formulas_->observation(), id);
  if (plain)
    on_state(formulas_->formula(*goal, *pool_), std::nullopt, covers(number));
  else if (goal)
    add_held(id, number, top.left, *goal);
  else
    add_monitor(id, number, *monitor);
}

void RequirementRules::add_held(ItemId item,
                                std::uint32_t number,
                                TemporalId before,
                                TemporalId goal) {
  const auto [at, is_new] = helds_.emplace(before.index(), Held{.number = next_held_});
  at->second.items.push_back(item);
  const TokenPattern first{.family = begun_, .arguments = {}};
  const TokenPattern held{.family = held_, .arguments = {Term::constant(at->second.number)}};
  if (is_new) {
    ++next_held_;
    const Rule arm{.action = Rule::Action::kArm, .token = held_, .arguments = held.arguments};
    for (const TokenPattern& needs : {first, held})
      on_state(formulas_->formula(before, *pool_), needs, arm);
  }
  for (const TokenPattern& needs : {first, held})
    on_state(formulas_->formula(goal, *pool_), needs, covers(number));
  begun_items_.push_back(item);
}

// The letters that are looked at until it is clear where the table has `true`.
FormulaId RequirementRules::choose(const std::vector<TemporalId>& letters,
                                   std::span<const bool> table) {
  if (std::ranges::all_of(table, [](bool value) { return value; }))
    return rules_.constant(true);
  if (std::ranges::none_of(table, [](bool value) { return value; }))
    return rules_.constant(false);
  const std::size_t half = table.size() / 2;
  std::size_t letter = 0;
  while ((std::size_t{1} << letter) < half)
    ++letter;
  const std::span<const bool> low = table.first(half);
  const std::span<const bool> high = table.subspan(half);
  if (std::ranges::equal(low, high))
    return choose(letters, low);
  const FormulaId yes = formulas_->formula(letters[letter], *pool_);
  const FormulaId no = rules_.negate(yes);
  const FormulaId if_yes = choose(letters, high);
  const FormulaId if_no = choose(letters, low);
  return rules_.either(rules_.both(yes, if_yes), rules_.both(no, if_no));
}

void RequirementRules::add_monitor(ItemId item,
                                   std::uint32_t number,
                                   const TemporalMonitor& monitor) {
  const auto state_token = [&](std::uint32_t state) -> TokenPattern {
    return {.family = seen_, .arguments = {Term::constant(number), Term::constant(state)}};
  };
  const std::size_t size = std::size_t{1} << monitor.letters.size();
  const auto table = std::make_unique<bool[]>(size);
  for (std::uint32_t from = 0; from < monitor.next.size(); ++from) {
    const std::vector<std::uint32_t>& next = monitor.next[from];
    std::vector<std::uint32_t> targets = next;
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (const std::uint32_t to : targets) {
      if (to == TemporalMonitor::kReject)
        continue;
      std::ranges::transform(next, table.get(), [to](std::uint32_t one) { return one == to; });
      const FormulaId when = choose(monitor.letters, {table.get(), size});
      Rule rule = covers(number);
      if (to != TemporalMonitor::kAccept)
        rule = {
            .action = Rule::Action::kArm, .token = seen_, .arguments = state_token(to).arguments};
      if (from == 0)
        on_state(when, TokenPattern{.family = begun_, .arguments = {}}, rule);
      on_state(when, state_token(from), std::move(rule));
    }
    rules_.add_token(seen_, {number, from}, {item});
  }
  begun_items_.push_back(item);
}

// All items that a token leads to are known at the end of their property.
void RequirementRules::end_property() {
  for (const auto& [formula, held] : helds_)
    rules_.add_token(held_, {held.number}, held.items);
  helds_.clear();
}

void RequirementRules::finish() {
  end_property();
  if (begun_items_.empty())
    return;
  rules_.add_token(begun_, {}, begun_items_);
  rules_.add_rule({.on = EventKind::kStart, .action = Rule::Action::kArm, .token = begun_});
}

}  // namespace tw
