#include "engine/replay/monitor.hpp"

#include <algorithm>
#include <cassert>

#include "engine/base/budget.hpp"

namespace tw::replay {
namespace {

// In units of BudgetMeter: of one rule, of one choice of values.
constexpr std::uint64_t kRuleWork = 32;
constexpr std::uint64_t kTupleWork = 8;

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

std::size_t value_of(const Network& network,
                     const ValueTuples::Factor& factor,
                     const RunState& state) {
  if (factor.cell.valid())
    return static_cast<std::size_t>(state.cells[factor.cell.index()] - factor.low);
  return state.locations[factor.process.index()].index() -
         network.processes[factor.process].first_location.index();
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
  for (std::size_t i = 0; i < rules.rules().size(); ++i) {
    const Rule& rule = rules.rules()[RuleId(i)];
    if (rule.at.valid())
      members->rules_at[rule.at].push_back(RuleId(i));
    else
      members->rules_on[rule.on].push_back(RuleId(i));
  }
  for (std::size_t i = 0; i < rules.observations().size(); ++i) {
    members->all.emplace_back(i);
    if (rules.is_timed(ObservationId(i)))
      members->timed.emplace_back(i);
  }
  members_ = members;
}

void Monitor::start(const RunState& initial, std::span<const Event> events) {
  tokens_.clear();
  covered_.clear();
  order_.clear();
  fresh_.clear();
  news_.clear();
  apply({.kind = EventKind::kStart});
  for (const Event& event : events) {
    if (event.kind == EventKind::kState)
      enter(initial);
    else
      apply(event);
  }
  expire(events);
}

void Monitor::advance(const RunState& target, std::span<const Event> events) {
  news_.clear();
  apply({.kind = EventKind::kBegin});
  for (const Event& event : events) {
    if (event.kind == EventKind::kState) {
      apply({.kind = EventKind::kEnd});
      enter(target);
    } else {
      apply(event);
    }
  }
  expire(events);
}

void Monitor::apply(const Event& event) {
  Changes changes;
  apply({.event = event}, changes);
  change(changes);
}

// From one change of a comparison to the next; what is evaluated between two changes may ask clocks
// that were not asked before, and these may change in between.
void Monitor::look(const RunState& from, const RunState& to) {
  news_.clear();
  std::vector<ObservationId> here;
  for (const ObservationId id : members_->timed)
    if (is_made_in(rules_->observations()[id], from))
      here.push_back(id);
  std::vector<Values> shown(here.size());
  if (!here.empty() && from.clocks == to.clocks)
    look_at(here, to, 1, shown);
  Rational at = here.empty() || from.clocks == to.clocks ? 1 : 0;
  while (at < 1) {
    check_budget();
    Rational end = 1;
    narrow(here, from, to, at, at, end);
    Rational middle;
    Rational before;
    do {
      before = end;
      middle = (at + end) / 2;
      narrow(here, from, to, middle, at, end);
    } while (end != before);
    look_at(here, on_the_way(from, to, middle), middle, shown);
    look_at(here, on_the_way(from, to, end), end, shown);
    at = end;
  }
  fresh_.clear();
}

// All that is observed at one moment happens at once. `shown`: what it was a moment before.
void Monitor::look_at(const std::vector<ObservationId>& here,
                      const RunState& state,
                      const Rational& moment,
                      std::vector<Values>& shown) {
  Changes changes;
  for (std::size_t i = 0; i < here.size(); ++i) {
    Values values = atoms_of(here[i], state);
    const bool goes_on = values == shown[i];
    for (Sight& sight : news_)
      if (goes_on && sight.observation == here[i] && sight.last == last_look_)
        sight.last = moment;
    if (observe(here[i], values, changes))
      news_.push_back({.observation = here[i], .first = moment, .last = moment});
    shown[i] = std::move(values);
  }
  last_look_ = moment;
  change(changes);
}

// Nothing that is evaluated at this moment changes between `begin` and `end` afterwards.
void Monitor::narrow(const std::vector<ObservationId>& here,
                     const RunState& from,
                     const RunState& to,
                     const Rational& at,
                     const Rational& begin,
                     Rational& end) const {
  const RunState state = on_the_way(from, to, at);
  Gaps gaps;
  for (const ObservationId id : here)
    (void)atoms_of(id, state, to.clocks, gaps);
  for (const Evaluator::Gap& gap : gaps) {
    if (gap.now == gap.then)
      continue;
    const Rational change = at + (1 - at) * (gap.now / (gap.now - gap.then));
    if (begin < change && change < end)
      end = change;
  }
}

void Monitor::apply(const Moment& now, Changes& changes) {
  const auto rules_for = [](const auto& table, auto key) -> std::span<const RuleId> {
    const auto at = table.find(key);
    return at == table.end() ? std::span<const RuleId>() : std::span<const RuleId>(at->second);
  };
  for (const RuleId id : now.observation.valid() ? rules_for(members_->rules_at, now.observation)
                                                 : rules_for(members_->rules_on, now.event.kind)) {
    spend_budget(kRuleWork);
    const Rule& rule = rules_->rules()[id];
    if (rule.on != now.event.kind || (rule.use && *rule.use != now.event.use) ||
        (rule.when.valid() && holds(rule.when, now) != std::optional(true)))
      continue;
    if (!rule.needs) {
      apply(rule, now, nullptr, changes);
      continue;
    }
    for (const TokenValue* token : matching(*rule.needs, now, nullptr))
      apply(rule, now, token, changes);
  }
}

void Monitor::change(const Changes& changes) {
  for (const TokenValue& token : changes.drop) {
    tokens_.erase(token);
    fresh_.erase(token);
  }
  tokens_.insert(changes.arm.begin(), changes.arm.end());
  fresh_.insert(changes.arm.begin(), changes.arm.end());
}

// All that is observed in one state happens at once.
void Monitor::enter(const RunState& state) {
  Changes changes;
  for (const ObservationId id : members_->all) {
    if (is_made_in(rules_->observations()[id], state) &&
        observe(id, atoms_of(id, state), changes) && rules_->is_timed(id))
      news_.push_back({.observation = id, .first = 0, .last = 0});
  }
  meet_tuples(state);
  change(changes);
}

// Whether that is anything new.
bool Monitor::observe(ObservationId id, const Values& values, Changes& changes) {
  Moment now{.event = {.kind = EventKind::kState}, .observation = id};
  const std::size_t covered = order_.size();
  Changes own;
  for (const auto& atoms : values) {
    now.atoms = atoms;
    apply(now, own);
    ++now.binding;
  }
  const bool is_new =
      order_.size() != covered ||
      std::ranges::any_of(own.arm, [&](const TokenValue& t) { return !tokens_.contains(t); });
  changes.drop.merge(own.drop);
  changes.arm.merge(own.arm);
  return is_new;
}

Monitor::Values Monitor::atoms_of(ObservationId id, const RunState& state) const {
  Gaps gaps;
  return atoms_of(id, state, state.clocks, gaps);
}

Monitor::Values Monitor::atoms_of(ObservationId id,
                                  const RunState& state,
                                  const std::vector<Rational>& then,
                                  Gaps& gaps) const {
  const Observation& observation = rules_->observations()[id];
  Values out;
  std::vector<const Type*> ranges;
  std::vector<std::int32_t> selected;
  for (const VariableId select : observation.selects) {
    ranges.push_back(&network_->types[network_->variables[select].type]);
    selected.push_back(ranges.back()->low);
    if (ranges.back()->low > ranges.back()->high)
      return out;
  }
  for (;;) {
    spend_budget(kRuleWork * (1 + observation.atoms.size()));
    out.emplace_back();
    for (const Atom& atom : observation.atoms) {
      Evaluator evaluator(*network_, state);
      evaluator.note_gaps(then, gaps);
      evaluator.set_selects(observation.selects, selected);
      out.back().push_back(holds(atom, state, evaluator));
    }
    std::size_t i = selected.size();
    for (; i > 0 && selected[i - 1] == ranges[i - 1]->high; --i)
      selected[i - 1] = ranges[i - 1]->low;
    if (i == 0)
      return out;
    ++selected[i - 1];
  }
}

bool Monitor::is_made_in(const Observation& observation, const RunState& state) const {
  const auto is_there = [&](LocationId location) {
    return state.locations[network_->locations[location].process.index()] == location;
  };
  const auto has_value = [&](const Observation::CellValue& cell) {
    return state.cells[cell.cell.index()] == cell.value;
  };
  return std::ranges::all_of(observation.locations, is_there) &&
         std::ranges::all_of(observation.cells, has_value);
}

// Every choice of so many factors: what values have they?
void Monitor::meet_tuples(const RunState& state) {
  for (const ValueTuples& tuples : rules_->value_tuples()) {
    std::size_t base = 0;
    std::vector<std::size_t> chosen;
    const auto choose = [&](auto& self, std::size_t first) -> void {
      if (chosen.size() == tuples.strength) {
        spend_budget(kTupleWork);
        std::size_t code = 0;
        std::size_t values = 1;
        for (const std::size_t i : chosen) {
          const ValueTuples::Factor& factor = tuples.factors[i];
          code = code * factor.count + value_of(*network_, factor, state);
          values *= factor.count;
        }
        const ItemId item = tuples.items[base + code];
        if (item.valid())
          note(item);
        base += values;
        return;
      }
      for (std::size_t i = first; i < tuples.factors.size(); ++i) {
        chosen.push_back(i);
        self(self, i + 1);
        chosen.pop_back();
      }
    };
    choose(choose, 0);
  }
}

void Monitor::apply(const Rule& rule,
                    const Moment& now,
                    const TokenValue* token,
                    Changes& changes) {
  if (rule.action == Rule::Action::kDrop) {
    const TokenPattern pattern{.family = rule.token, .arguments = rule.arguments};
    for (const TokenValue* candidate : matching(pattern, now, token))
      changes.drop.insert(*candidate);
    return;
  }
  std::vector<std::uint32_t> arguments;
  for (const Term& term : rule.arguments) {
    const std::optional<std::uint32_t> argument = value(term, now, token);
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

void Monitor::note(ItemId item) {
  if (covered_.size() <= item.index())
    covered_.resize(item.index() + 1);
  if (covered_[item.index()])
    return;
  covered_[item.index()] = true;
  order_.push_back(item);
}

std::vector<ItemId> Monitor::covered() const {
  std::vector<ItemId> out;
  for (std::size_t i = 0; i < covered_.size(); ++i)
    if (covered_[i])
      out.emplace_back(i);
  return out;
}

void Monitor::cover(ItemFamilyId family, const std::vector<std::uint32_t>& arguments) {
  if (rules_->item_families()[family].make) {
    const ItemId item = rules_->item(family, arguments_of(arguments));
    if (item.valid())
      note(item);
    return;
  }
  const auto known = members_->items.find({family, arguments});
  if (known != members_->items.end())
    note(known->second);
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
    if (family.lifetime == Lifetime::kThisStep)
      return true;
    if (fresh_.contains(token))
      return false;
    switch (family.lifetime) {
      case Lifetime::kUntilDropped:
      case Lifetime::kThisStep:
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

std::optional<bool> Monitor::holds(const Atom& atom,
                                   const RunState& state,
                                   Evaluator& evaluator) const {
  if (atom.location.valid())
    return state.locations[network_->locations[atom.location].process.index()] == atom.location;
  const bool result = evaluator.holds_in(rules_->pool(), atom.expression);
  return evaluator.failure().happened() ? std::nullopt : std::optional(result);
}

std::optional<bool> Monitor::holds(FormulaId id, const Moment& now) const {
  const Formula& formula = rules_->formula(id);
  if (formula.kind == Formula::Kind::kConstant)
    return formula.number == 1;
  if (formula.kind == Formula::Kind::kAtom)
    return now.atoms[formula.number];
  const std::optional<bool> left = holds(formula.left, now);
  if (!left)
    return std::nullopt;
  if (formula.kind == Formula::Kind::kNot)
    return !*left;
  if (formula.kind == Formula::Kind::kAnd && !*left)
    return false;
  if (formula.kind == Formula::Kind::kOr && *left)
    return true;
  const std::optional<bool> right = holds(formula.right, now);
  if (!right || formula.kind != Formula::Kind::kXor)
    return right;
  return *left != *right;
}

std::optional<std::uint32_t> Monitor::value(const Term& term,
                                            const Moment& now,
                                            const TokenValue* token) const {
  const Event& event = now.event;
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
    case Term::Source::kObservation:
      plain = now.observation.index();
      break;
    case Term::Source::kBinding:
      plain = now.binding;
      break;
    case Term::Source::kValuation:
      plain = 0;
      for (std::size_t i = 0; i < now.atoms.size(); ++i) {
        if (!now.atoms[i])
          return std::nullopt;
        plain += *now.atoms[i] ? std::size_t{1} << i : 0;
      }
      plain ^= term.value;
      break;
  }
  if (term.map.valid() && plain != Term::kNothing)
    plain = rules_->map(term.map).at(plain);
  if (plain == Term::kNothing)
    return std::nullopt;
  return static_cast<std::uint32_t>(plain);
}

// Tokens are sorted by family and arguments: those that begin as the pattern does lie together.
std::vector<const TokenValue*> Monitor::matching(const TokenPattern& pattern,
                                                 const Moment& now,
                                                 const TokenValue* token) const {
  TokenValue first{.family = pattern.family, .arguments = {}};
  for (const Term& term : pattern.arguments) {
    if (term.source == Term::Source::kAny)
      break;
    const std::optional<std::uint32_t> argument = value(term, now, token);
    if (!argument)
      return {};
    first.arguments.push_back(*argument);
  }
  std::vector<const TokenValue*> out;
  for (auto at = tokens_.lower_bound(first); at != tokens_.end(); ++at) {
    const bool begins_alike =
        at->family == first.family && at->arguments.size() >= first.arguments.size() &&
        std::equal(first.arguments.begin(), first.arguments.end(), at->arguments.begin());
    if (!begins_alike)
      break;
    if (matches(pattern, *at, now, token))
      out.push_back(&*at);
  }
  return out;
}

bool Monitor::matches(const TokenPattern& pattern,
                      const TokenValue& candidate,
                      const Moment& now,
                      const TokenValue* token) const {
  if (candidate.family != pattern.family || candidate.arguments.size() != pattern.arguments.size())
    return false;
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    const Term& term = pattern.arguments[i];
    if (term.source != Term::Source::kAny && value(term, now, token) != candidate.arguments[i])
      return false;
  }
  return true;
}

}  // namespace tw::replay
