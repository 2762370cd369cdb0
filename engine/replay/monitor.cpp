#include "engine/replay/monitor.hpp"

#include <algorithm>
#include <cassert>

#include "engine/replay/evaluator.hpp"

namespace tw::replay {
namespace {

std::vector<std::uint32_t> values_of(const Arguments& arguments) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    out.push_back(arguments[i]);
  return out;
}

Arguments arguments_of(const std::vector<std::uint32_t>& values) {
  Arguments out;
  for (const std::uint32_t value : values)
    out.push_back(value);
  return out;
}

}  // namespace

std::strong_ordering operator<=>(const TokenValue& a, const TokenValue& b) {
  const std::strong_ordering families = a.family.index() <=> b.family.index();
  return families != std::strong_ordering::equal ? families : a.arguments <=> b.arguments;
}

Monitor::Monitor(const Network& network, CoverageRules& rules)
    : network_(&network),
      rules_(&rules) {
  const auto members = std::make_shared<Members>();
  for (const Token& token : rules.tokens())
    members->tokens.insert({token.family, values_of(token.arguments)});
  for (std::size_t i = 0; i < rules.items().size(); ++i) {
    const Item& item = rules.items()[ItemId(i)];
    members->items[{item.family, values_of(item.arguments)}] = ItemId(i);
  }
  members_ = members;
}

void Monitor::start(const RunState& initial, std::span<const Event> events) {
  tokens_.clear();
  covered_.clear();
  fresh_.clear();
  for (const Event& event : events)
    apply({.event = event, .state = initial});
  fresh_.clear();
}

void Monitor::advance(const RunState& source,
                      const RunState& target,
                      std::span<const Event> events) {
  for (const Event& event : events)
    apply({.event = event, .state = event.kind == EventKind::kState ? target : source});
  expire(events);
}

void Monitor::apply(const Moment& now) {
  Changes changes;
  for (const Rule& rule : rules_->rules()) {
    if (rule.on != now.event.kind || (rule.use && *rule.use != now.event.use) ||
        !holds(rule.where, now.state))
      continue;
    if (!rule.needs) {
      apply(rule, now.event, nullptr, changes);
      continue;
    }
    for (const TokenValue& token : tokens_)
      if (matches(*rule.needs, token, now.event, nullptr))
        apply(rule, now.event, &token, changes);
  }
  for (const TokenValue& token : changes.drop) {
    tokens_.erase(token);
    fresh_.erase(token);
  }
  tokens_.insert(changes.arm.begin(), changes.arm.end());
  fresh_.insert(changes.arm.begin(), changes.arm.end());
}

void Monitor::apply(const Rule& rule,
                    const Event& event,
                    const TokenValue* token,
                    Changes& changes) {
  if (rule.action == Rule::Action::kDrop) {
    const TokenPattern pattern{.family = rule.token, .arguments = rule.arguments};
    for (const TokenValue& candidate : tokens_)
      if (matches(pattern, candidate, event, token))
        changes.drop.insert(candidate);
    return;
  }
  std::vector<std::uint32_t> arguments;
  for (const Term& term : rule.arguments) {
    const std::optional<std::uint32_t> argument = value(term, event, token);
    if (!argument)
      return;
    arguments.push_back(*argument);
  }
  if (rule.action == Rule::Action::kCover) {
    cover(rule.item, arguments);
    return;
  }
  TokenValue armed{.family = rule.token, .arguments = std::move(arguments)};
  if (rules_->token_families()[rule.token].open || members_->tokens.contains(armed))
    changes.arm.insert(std::move(armed));
}

void Monitor::cover(ItemFamilyId family, const std::vector<std::uint32_t>& arguments) {
  if (rules_->item_families()[family].make) {
    const ItemId item = rules_->item(family, arguments_of(arguments));
    if (item.valid())
      covered_.insert(item);
    return;
  }
  const auto known = members_->items.find({family, arguments});
  if (known != members_->items.end())
    covered_.insert(known->second);
}

void Monitor::expire(std::span<const Event> events) {
  const auto moved = [&](std::uint32_t process) {
    return std::ranges::any_of(events, [&](const Event& event) {
      return event.kind == EventKind::kFired &&
             network_->edges[event.edge].process.index() == process;
    });
  };
  const auto is_over = [&](const TokenValue& token) {
    const TokenFamily& family = rules_->token_families()[token.family];
    if (fresh_.contains(token))
      return false;
    switch (family.lifetime) {
      case Lifetime::kUntilDropped:
        return false;
      case Lifetime::kNextStep:
        return true;
      case Lifetime::kNextMove:
        return moved(token.arguments[family.process_argument]);
    }
    return false;
  };
  std::erase_if(tokens_, is_over);
  fresh_.clear();
}

bool Monitor::holds(ConditionId id, const RunState& state) const {
  if (!id.valid())
    return true;
  const Condition& condition = rules_->conditions()[id];
  for (const LocationId location : condition.locations)
    if (state.locations[network_->locations[location].process.index()] != location)
      return false;
  for (const Condition::CellValue& cell : condition.cells)
    if (state.cells[cell.cell.index()] != cell.value)
      return false;
  if (!condition.expression.valid())
    return true;
  return Evaluator(*network_, state).holds_in(rules_->pool(), condition.expression);
}

std::optional<std::uint32_t> Monitor::value(const Term& term,
                                            const Event& event,
                                            const TokenValue* token) const {
  const auto process = [&]() -> std::uint32_t {
    if (!event.edge.valid())
      return Term::kNothing;
    return static_cast<std::uint32_t>(network_->edges[event.edge].process.index());
  };
  std::size_t plain = term.value;
  switch (term.source) {
    case Term::Source::kConstant:
      break;
    case Term::Source::kEdge:
      plain = event.edge.valid() ? event.edge.index() : network_->edges.size();
      break;
    case Term::Source::kCell:
      plain = event.cell.index();
      break;
    case Term::Source::kProcess:
      plain = process();
      break;
    case Term::Source::kToken:
      assert(token != nullptr && "only a rule with `while` has a token");
      plain = token->arguments[term.value];
      break;
    case Term::Source::kAny:
      assert(false && "only patterns leave something open");
      return std::nullopt;
  }
  if (term.map.valid() && plain != Term::kNothing)
    plain = rules_->map(term.map).at(plain);
  if (plain == Term::kNothing)
    return std::nullopt;
  return static_cast<std::uint32_t>(plain);
}

bool Monitor::matches(const TokenPattern& pattern,
                      const TokenValue& candidate,
                      const Event& event,
                      const TokenValue* token) const {
  if (candidate.family != pattern.family || candidate.arguments.size() != pattern.arguments.size())
    return false;
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    const Term& term = pattern.arguments[i];
    if (term.source != Term::Source::kAny && value(term, event, token) != candidate.arguments[i])
      return false;
  }
  return true;
}

}  // namespace tw::replay
