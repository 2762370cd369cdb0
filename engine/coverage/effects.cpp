#include "engine/coverage/effects.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/base/memory_use.hpp"

namespace tw {
namespace {

constexpr std::uint32_t kFree = 0xFFFFFFFF;
constexpr std::size_t kFirstSlots = 256;

// A cheap mix is enough: keys are small numbers.
std::size_t place_of(std::uint64_t key) {
  key *= 0x9E3779B97F4A7C15U;
  return key ^ (key >> 32);
}

}  // namespace

struct Effects::Occasion {
  Event event;
  ObservationId observation;
  std::uint32_t binding = 0;
  Valuation valuation;
};

struct Effects::Run {
  bool bottom = false;
  std::vector<TokenId> live;
  std::vector<TokenId> dropped;
  std::vector<TokenId> armed;
  std::vector<ItemId> items;
};

Effects::Effects(const Network& network, CoverageRules& rules)
    : network_(network),
      rules_(rules),
      rules_on_(static_cast<std::size_t>(EventKind::kState)),
      rules_at_(rules.observations().size()),
      observed_families_(rules.token_families().size()),
      outcome_table_(kFirstSlots) {
  for (std::size_t i = 0; i < rules.rules().size(); ++i) {
    const Rule& rule = rules.rules()[RuleId(i)];
    if (rule.on != EventKind::kState) {
      rules_on_[static_cast<std::size_t>(rule.on)].push_back(RuleId(i));
      continue;
    }
    rules_at_[rule.at.index()].push_back(RuleId(i));
    if (rule.needs)
      observed_families_[rule.needs->family.index()] = true;
  }
}

EffectId Effects::initial() {
  std::vector<std::uint64_t> key;
  const auto add = [&](const Event& event) { key.push_back(EventWord::encode(event)); };
  add({.kind = EventKind::kStart});  // tells it from a step, whatever rules look at
  // In the order of numbers: clocks come last.
  for (std::size_t i = 0; i < rules_.watched().size(); ++i)
    if (rules_.watched()[i])
      add({.kind = EventKind::kInitialDefinition, .cell = CellId(i)});
  return of_events(key);
}

// Told apart from steps by its first word: a step has no event `state`.
EffectId Effects::observed(ObservationId observation,
                           std::uint32_t binding,
                           const Valuation& valuation) {
  const std::array<std::uint64_t, 4> key = {
      EventWord::encode({.kind = EventKind::kState, .edge = EdgeId(observation.index())}), binding,
      valuation.values, valuation.defined};
  return effects_.intern(key);
}

std::uint32_t& Effects::outcome_slot(std::uint64_t key) {
  const std::size_t mask = outcome_table_.size() - 1;
  std::size_t at = place_of(key) & mask;
  while (outcome_table_[at].key != key && outcome_table_[at].key != kFreeKey)
    at = (at + 1) & mask;
  if (outcome_table_[at].key == kFreeKey)
    outcome_table_[at] = {.key = key, .outcome = kFree};
  return outcome_table_[at].outcome;
}

void Effects::grow_outcomes() {
  std::vector<Slot> old(outcome_table_.size() * 2);
  old.swap(outcome_table_);
  for (const Slot& slot : old)
    if (slot.key != kFreeKey)
      outcome_slot(slot.key) = slot.outcome;
}

OutcomeId Effects::apply(EffectId effect, SetId tokens) {
  if (outcomes_.size() * 2 >= outcome_table_.size())
    grow_outcomes();
  std::uint32_t& known = outcome_slot((effect.index() << 32) | tokens.index());
  if (known != kFree)
    return OutcomeId(known);
  known = static_cast<std::uint32_t>(outcomes_.size());

  std::vector<ItemId> found = change(effect, sets_[tokens], {}).items;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  outcomes_.push_back({.tokens = sets_.intern(change_.tokens),
                       .passing = sets_.intern(change_.passing),
                       .first_item = static_cast<std::uint32_t>(items_.size()),
                       .item_count = static_cast<std::uint32_t>(found.size())});
  items_.insert(items_.end(), found.begin(), found.end());
  return OutcomeId(outcomes_.size() - 1);
}

void Effects::learn(EffectId effect, Words tokens) {
  if (plans_.size() <= effect.index())
    plans_.resize(effect.index() + 1);
  Plan& plan = plans_[effect.index()];
  if (plan.parts.size() < tokens.size())
    plan.parts.resize(tokens.size());
  const Words key = effects_[effect];
  const bool observed = !key.empty() && EventWord::decode(key.front()).kind == EventKind::kState;
  for_each_bit(tokens, [&](std::size_t bit) {
    Plan::Part& part = plan.parts[bit / 64];
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    if ((part.asked & mask) != 0)
      return;
    part.asked |= mask;
    Single one = observed ? interpret_observed(key, bit) : interpret(key, bit);
    const std::size_t count = count_bits(one.tokens);
    if (one.passing.empty() && one.items.empty() && count <= 1 &&
        (count == 0 || contains(one.tokens, bit))) {
      part.kept |= count == 0 ? 0 : mask;
      return;
    }
    part.single |= mask;
    if (plan.singles.size() <= bit)
      plan.singles.resize(bit + 1);
    plan.singles[bit] = std::move(one);
    ++singles_;
  });
}

bool Effects::is_known(EffectId effect, Words tokens) const {
  if (plans_.size() <= effect.index() || plans_[effect.index()].parts.size() < tokens.size())
    return false;
  const Plan::Part* const parts = plans_[effect.index()].parts.data();
  std::uint64_t unknown = 0;
  for (std::size_t w = 0; w < tokens.size(); ++w)
    unknown |= tokens[w] & ~parts[w].asked;
  return unknown == 0;
}

const Effects::Change& Effects::change(EffectId effect, Words tokens, Words covered) {
  if (!is_known(effect, tokens))
    learn(effect, tokens);
  const Plan& plan = plans_[effect.index()];
  const Plan::Part* const parts = plan.parts.data();
  change_.tokens.resize(tokens.size());
  change_.passing.clear();
  change_.items.clear();
  for (std::size_t w = 0; w < tokens.size(); ++w)
    change_.tokens[w] = tokens[w] & parts[w].kept;
  for (std::size_t w = 0; w < tokens.size(); ++w)
    for (std::uint64_t rest = tokens[w] & parts[w].single; rest != 0; rest &= rest - 1) {
      const Single& one = plan.singles[w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))];
      unite(change_.tokens, one.tokens);
      unite(change_.passing, one.passing);
      for (const ItemId item : one.items)
        if (!contains(covered, item.index()))
          change_.items.push_back(item);
    }
  return change_;
}

Effects::Single Effects::interpret(Words key, std::size_t bit) {
  Run run{.bottom = bit == kBottomBit};
  const TokenId start = run.bottom ? TokenId() : TokenId(bit - 1);
  if (!run.bottom)
    run.live.push_back(start);
  std::vector<TokenId> armed;
  const auto apply_and_look = [&](const Event& event) {
    apply_event({.event = event}, run);
    armed.insert(armed.end(), run.armed.begin(), run.armed.end());
  };
  // Nothing begins before the first step.
  const bool is_step = key.empty() || EventWord::decode(key.front()).kind != EventKind::kStart;
  if (is_step)
    apply_and_look({.kind = EventKind::kBegin});
  for (const std::uint64_t word : key)
    apply_and_look(EventWord::decode(word));
  if (is_step)
    apply_and_look({.kind = EventKind::kEnd});

  Single out{.items = std::move(run.items)};
  if (run.bottom)
    set_bit(out.tokens, kBottomBit);
  for (const TokenId token : run.live) {
    const bool fresh = std::ranges::find(armed, token) != armed.end();
    if (!expires(token, key, fresh))
      set_bit(out.tokens, bit_of(token));
    else if (observed_families_[rules_.tokens()[token].family.index()])
      set_bit(out.passing, bit_of(token));
  }
  return out;
}

Effects::Single Effects::interpret_observed(Words key, std::size_t bit) {
  const Occasion now{.event = {.kind = EventKind::kState},
                     .observation = ObservationId(EventWord::decode(key[0]).edge.index()),
                     .binding = static_cast<std::uint32_t>(key[1]),
                     .valuation = {.values = key[2], .defined = key[3]}};
  Run run{.bottom = bit == kBottomBit};
  if (!run.bottom)
    run.live.emplace_back(bit - 1);
  for (const RuleId id : rules_at_[now.observation.index()]) {
    const Rule& rule = rules_.rules()[id];
    if (!rule.when.valid() || truth(rule.when, now.valuation) == std::optional(true))
      apply_rule(rule, now, run);
  }
  Single out{.items = std::move(run.items)};
  for (const TokenId token : run.armed)
    set_bit(out.tokens, bit_of(token));
  return out;
}

std::optional<bool> Effects::truth(FormulaId id, const Valuation& valuation) const {
  const Formula& formula = rules_.formula(id);
  const auto left = [&] { return truth(formula.left, valuation); };
  const auto right = [&] { return truth(formula.right, valuation); };
  switch (formula.kind) {
    case Formula::Kind::kConstant:
      return formula.number != 0;
    case Formula::Kind::kAtom: {
      const std::uint64_t bit = std::uint64_t{1} << formula.number;
      return (valuation.defined & bit) != 0 ? std::optional((valuation.values & bit) != 0)
                                            : std::nullopt;
    }
    case Formula::Kind::kNot: {
      const std::optional<bool> inner = left();
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Formula::Kind::kAnd: {
      const std::optional<bool> first = left();
      return first == std::optional(true) ? right() : first;
    }
    case Formula::Kind::kOr: {
      const std::optional<bool> first = left();
      return first == std::optional(false) ? right() : first;
    }
    case Formula::Kind::kXor: {
      const std::optional<bool> first = left();
      const std::optional<bool> second = right();
      return first && second ? std::optional(*first != *second) : std::nullopt;
    }
  }
  return std::nullopt;
}

// All rules of an event look at the tokens from before it; drops come before arms.
void Effects::apply_event(const Occasion& now, Run& run) {
  run.dropped.clear();
  run.armed.clear();
  for (const RuleId id : rules_on_[static_cast<std::size_t>(now.event.kind)]) {
    const Rule& rule = rules_.rules()[id];
    if (!rule.use || *rule.use == now.event.use)
      apply_rule(rule, now, run);
  }
  std::erase_if(run.live, [&](TokenId token) {
    return std::ranges::find(run.dropped, token) != run.dropped.end();
  });
  for (const TokenId token : run.armed)
    if (std::ranges::find(run.live, token) == run.live.end())
      run.live.push_back(token);
}

void Effects::apply_rule(const Rule& rule, const Occasion& now, Run& run) {
  // Whatever a rule needs, a token can drop only itself: otherwise the fate of one would depend on
  // another.
  if (rule.action == Rule::Action::kDrop) {
    const TokenPattern victim{.family = rule.token, .arguments = rule.arguments};
    for (const TokenId token : run.live)
      if ((!rule.needs || matches(*rule.needs, now, token)) && matches(victim, now, token))
        run.dropped.push_back(token);
    return;
  }
  if (!rule.needs) {
    if (run.bottom)
      act(rule, now, TokenId(), run);
    return;
  }
  for (const TokenId token : run.live)
    if (matches(*rule.needs, now, token))
      act(rule, now, token, run);
}

void Effects::act(const Rule& rule, const Occasion& now, TokenId token, Run& run) {
  Arguments arguments;
  for (const Term& term : rule.arguments) {
    const std::uint32_t argument = value(term, now, token);
    if (argument == Term::kNothing)
      return;
    arguments.push_back(argument);
  }
  if (rule.action == Rule::Action::kCover) {
    const ItemId item = rules_.item(rule.item, arguments);
    if (item.valid())
      run.items.push_back(item);
    return;
  }
  const TokenId armed = rules_.token(rule.token, arguments);
  if (armed.valid())
    run.armed.push_back(armed);
}

std::uint32_t Effects::value(const Term& term, const Occasion& now, TokenId token) const {
  const Event& event = now.event;
  std::uint32_t plain = term.value;
  switch (term.source) {
    case Term::Source::kConstant:
    case Term::Source::kAny:
      break;
    case Term::Source::kEdge:
      plain = static_cast<std::uint32_t>(event.edge.valid() ? event.edge.index()
                                                            : network_.edges.size());
      break;
    case Term::Source::kCell:
      plain = static_cast<std::uint32_t>(event.cell.index());
      break;
    case Term::Source::kProcess:
      plain = event.edge.valid()
                  ? static_cast<std::uint32_t>(network_.edges[event.edge].process.index())
                  : Term::kNothing;
      break;
    case Term::Source::kToken:
      plain = rules_.tokens()[token].arguments[term.value];
      break;
    case Term::Source::kObservation:
      plain = static_cast<std::uint32_t>(now.observation.index());
      break;
    case Term::Source::kBinding:
      plain = now.binding;
      break;
    case Term::Source::kValuation: {
      const std::size_t atoms = rules_.observations()[now.observation].atoms.size();
      const std::uint64_t all = (std::uint64_t{1} << atoms) - 1;
      plain = now.valuation.defined == all
                  ? static_cast<std::uint32_t>(now.valuation.values) ^ term.value
                  : Term::kNothing;
      break;
    }
  }
  if (!term.map.valid() || plain == Term::kNothing)
    return plain;
  const std::vector<std::uint32_t>& map = rules_.map(term.map);
  return plain < map.size() ? map[plain] : Term::kNothing;
}

bool Effects::matches(const TokenPattern& pattern, const Occasion& now, TokenId token) const {
  const Token& candidate = rules_.tokens()[token];
  if (candidate.family != pattern.family)
    return false;
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    const Term& term = pattern.arguments[i];
    if (term.source != Term::Source::kAny && value(term, now, token) != candidate.arguments[i])
      return false;
  }
  return true;
}

// At the end of a step with these events; `armed`: by one of them.
bool Effects::expires(TokenId token, Words events, bool armed) const {
  const Token& t = rules_.tokens()[token];
  const TokenFamily& family = rules_.token_families()[t.family];
  switch (family.lifetime) {
    case Lifetime::kUntilDropped:
      return false;
    case Lifetime::kThisStep:
      return true;
    case Lifetime::kNextStep:
      return !armed;
    case Lifetime::kNextMove:
      return !armed && std::ranges::any_of(events, [&](std::uint64_t word) {
        const Event event = EventWord::decode(word);
        return event.kind == EventKind::kFired && event.edge.valid() &&
               network_.edges[event.edge].process.index() == t.arguments[family.process_argument];
      });
  }
  return false;
}

std::size_t Effects::bytes() const {
  constexpr std::size_t kSingle = 128;  // what a node with two small vectors takes, about
  const std::size_t table = outcome_table_.size() * sizeof(Slot);
  const bool grows_soon = outcomes_.size() * 9 / 4 >= outcome_table_.size();
  return sets_.bytes() + effects_.bytes() + (grows_soon ? 3 : 1) * table +
         bytes_when_growing(outcomes_) + bytes_when_growing(items_) + singles_ * kSingle;
}

}  // namespace tw
