#include "engine/search/state_observer.hpp"

#include <algorithm>

namespace tw {
namespace {

// Beyond this a table of effects per observation is not worth its memory.
constexpr std::uint64_t kMostDirect = 4096;

constexpr std::uint64_t kAtomWork = 8;  // in units of BudgetMeter

}  // namespace

StateObserver::StateObserver(const System& system, SuccessorGenerator& generator, Effects& effects)
    : system_(system),
      generator_(generator),
      effects_(effects),
      by_location_(system.network().locations.size()),
      locations_(system.processes()) {
  const CoverageRules& rules = effects.rules();
  std::size_t predicates = 0;
  for (std::size_t i = 0; i < rules.observations().size(); ++i)
    compile(rules.observations()[ObservationId(i)], ObservationId(i), predicates);
  for (const Rule& rule : rules.rules())
    if (rule.on == EventKind::kState && !rule.needs)
      observations_[rule.at.index()].needs_no_token = true;
  is_needed_ = !observations_.empty() || !rules.value_tuples().empty();
  scratch_.clear();
  set_bit(scratch_, kBottomBit);
  bottom_ = effects_.sets().intern(scratch_);
}

void StateObserver::compile(const Observation& observation,
                            ObservationId id,
                            std::size_t& predicates) {
  const Network& network = system_.network();
  Compiled out{.pattern = system_.layout().pattern()};
  const auto local = [&](LocationId location) {
    const Process& process = network.processes[network.locations[location].process];
    return static_cast<std::uint32_t>(location.index() - process.first_location.index());
  };
  for (std::size_t i = 1; i < observation.locations.size(); ++i) {
    const LocationId location = observation.locations[i];
    system_.layout().require_location(network.locations[location].process.index(), local(location),
                                      out.pattern);
    out.has_pattern = true;
  }
  for (const Observation::CellValue& cell : observation.cells) {
    system_.layout().require_cell(cell.cell.index(), cell.value, out.pattern);
    out.has_pattern = true;
  }
  for (const Atom& atom : observation.atoms) {
    CompiledAtom compiled;
    if (atom.location.valid()) {
      compiled.is_location = true;
      compiled.process =
          static_cast<std::uint32_t>(network.locations[atom.location].process.index());
      compiled.location = local(atom.location);
    } else {
      compiled.predicate = static_cast<std::uint32_t>(predicates++);
    }
    out.atoms.push_back(compiled);
  }
  std::uint64_t bindings = 1;
  for (const VariableId select : observation.selects) {
    const Variable& variable = network.variables[select];
    const Type& type = network.types[variable.type];
    out.selects.push_back({.cell = static_cast<std::uint32_t>(variable.first_cell.index()),
                           .low = type.low,
                           .high = type.high});
    bindings *= type.low > type.high
                    ? 0
                    : static_cast<std::uint64_t>(std::int64_t{type.high} - type.low + 1);
  }
  out.bindings = static_cast<std::uint32_t>(bindings);
  out.timed = effects_.rules().is_timed(id);
  waits_ = waits_ || out.timed;
  if (out.atoms.size() < 12 && (bindings << out.atoms.size()) <= kMostDirect)
    out.effects.resize(bindings << out.atoms.size());
  const auto number = static_cast<std::uint32_t>(observations_.size());
  if (observation.locations.empty())
    anywhere_.push_back(number);
  else
    by_location_[observation.locations.front().index()].push_back(number);
  observations_.push_back(std::move(out));
}

// Open families grow.
void StateObserver::learn_tokens() {
  const CoverageRules& rules = effects_.rules();
  if (known_tokens_ == rules.tokens().size())
    return;
  std::vector<std::vector<std::uint32_t>> by_family(rules.token_families().size());
  for (const Rule& rule : rules.rules())
    if (rule.on == EventKind::kState && rule.needs)
      by_family[rule.needs->family.index()].push_back(static_cast<std::uint32_t>(rule.at.index()));
  for (; known_tokens_ < rules.tokens().size(); ++known_tokens_) {
    const TokenId id(known_tokens_);
    const Token& token = rules.tokens()[id];
    const TokenFamily& family = rules.token_families()[token.family];
    if (by_family[token.family.index()].empty())
      continue;
    set_bit(all_tokens_, bit_of(id));
    if (family.observation_argument) {
      set_bit(observations_[token.arguments[*family.observation_argument]].tokens, bit_of(id));
      continue;
    }
    for (const std::uint32_t observation : by_family[token.family.index()])
      set_bit(observations_[observation].tokens, bit_of(id));
  }
}

// Of the tokens those that an observation does something with.
SetId StateObserver::concerned(const Compiled& observation, Words tokens) {
  scratch_.clear();
  std::uint64_t any = 0;
  const std::size_t common = std::min(tokens.size(), observation.tokens.size());
  for (std::size_t i = 0; i < common; ++i)
    any |= tokens[i] & observation.tokens[i];
  const bool bottom = observation.needs_no_token && contains(tokens, kBottomBit);
  if (any == 0)
    return bottom ? bottom_ : BitSets::kEmpty;
  for (std::size_t i = 0; i < common; ++i)
    scratch_.push_back(tokens[i] & observation.tokens[i]);
  if (bottom)
    set_bit(scratch_, kBottomBit);
  return effects_.sets().intern(scratch_);
}

void StateObserver::load(const std::uint64_t* state) {
  if (!loaded_)
    generator_.look_at(state);
  loaded_ = true;
}

// Calls f(number, binding, tokens) for every observation to be made here, with its atoms seen.
template <class F>
void StateObserver::for_each_here(
    const std::uint64_t* state, bool timed, SetId tokens, const Ledger* ledger, F f) {
  learn_tokens();
  const Words all = effects_.sets()[tokens];
  std::uint64_t any = contains(all, kBottomBit) ? 1 : 0;
  for (std::size_t i = 0; i < std::min(all.size(), all_tokens_.size()); ++i)
    any |= all[i] & all_tokens_[i];
  if (any == 0)
    return;
  system_.layout().unpack_locations(state, locations_);
  loaded_ = false;
  const auto visit = [&](std::uint32_t number) {
    const Compiled& observation = observations_[number];
    if (observation.timed != timed || observation.bindings == 0 ||
        (ledger != nullptr && ledger->is_settled(ObservationId(number))) ||
        (observation.has_pattern && !observation.pattern.matches(state)))
      return;
    // The sets move when one is added.
    const SetId concerns = concerned(observation, effects_.sets()[tokens]);
    if (concerns == BitSets::kEmpty)
      return;
    load(state);
    for_each_binding(observation, [&](std::uint32_t binding) { f(number, binding, concerns); });
  };
  for (std::size_t p = 0; p < locations_.size(); ++p) {
    const std::size_t first = system_.network().processes[ProcessId(p)].first_location.index();
    for (const std::uint32_t number : by_location_[first + locations_[p]])
      visit(number);
  }
  for (const std::uint32_t number : anywhere_)
    visit(number);
}

// Calls f(binding) for every choice of select values, with its atoms seen. Pre: it has some.
template <class F>
void StateObserver::for_each_binding(const Compiled& observation, F f) {
  for (const CompiledSelect& select : observation.selects)
    generator_.choose(select.cell, select.low);
  for (std::uint32_t binding = 0;; ++binding) {
    meter_.spend(kAtomWork * (observation.atoms.size() + 1));
    see(observation);
    f(binding);
    if (binding + 1 == observation.bindings)
      return;
    for (std::size_t i = observation.selects.size(); i-- > 0;) {
      const CompiledSelect& select = observation.selects[i];
      const std::int32_t value = generator_.cell(select.cell);
      generator_.choose(select.cell, value < select.high ? value + 1 : select.low);
      if (value < select.high)
        break;
    }
  }
}

void StateObserver::see(const Compiled& observation) {
  seen_.valuation = {};
  seen_.open = 0;
  seen_.constraints.resize(std::max(seen_.constraints.size(), observation.atoms.size()));
  for (std::size_t i = 0; i < observation.atoms.size(); ++i) {
    const CompiledAtom& atom = observation.atoms[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    bool value = false;
    if (atom.is_location) {
      value = locations_[atom.process] == atom.location;
    } else {
      seen_.constraints[i].clear();
      const auto seen = generator_.see(atom.predicate, seen_.constraints[i]);
      if (seen == SuccessorGenerator::Seen::kUndefined)
        continue;
      value = seen == SuccessorGenerator::Seen::kTrue;
      if (value && !seen_.constraints[i].empty())
        seen_.open |= bit;
    }
    seen_.valuation.defined |= bit;
    seen_.valuation.values |= value ? bit : 0;
  }
}

EffectId StateObserver::effect(std::size_t observation,
                               std::uint32_t binding,
                               const Valuation& valuation) {
  Compiled& own = observations_[observation];
  const std::uint64_t all = (std::uint64_t{1} << own.atoms.size()) - 1;
  if (own.effects.empty() || valuation.defined != all)
    return effects_.observed(ObservationId(observation), binding, valuation);
  EffectId& known = own.effects[(std::uint64_t{binding} << own.atoms.size()) | valuation.values];
  if (!known.valid())
    known = effects_.observed(ObservationId(observation), binding, valuation);
  return known;
}

void StateObserver::look(const std::uint64_t* state,
                         SetId tokens,
                         const Ledger* ledger,
                         Findings& out) {
  for_each_here(
      state, false, tokens, ledger,
      [&](std::uint32_t number, std::uint32_t binding, SetId concerned) {
        out.outcomes.push_back(effects_.apply(effect(number, binding, seen_.valuation), concerned));
      });
  if (!effects_.rules().value_tuples().empty() && contains(effects_.sets()[tokens], kBottomBit)) {
    load(state);
    look_at_tuples(ledger, out.items);
  }
  loaded_ = false;
}

void StateObserver::look_at_tuples(const Ledger* ledger, std::vector<ItemId>& out) {
  for (const ValueTuples& tuples : effects_.rules().value_tuples()) {
    const std::size_t count = tuples.factors.size();
    digits_.clear();
    for (const ValueTuples::Factor& factor : tuples.factors)
      digits_.push_back(factor.cell.valid() ? static_cast<std::uint32_t>(
                                                  generator_.cell(factor.cell.index()) - factor.low)
                                            : generator_.location_of(factor.process.index()));
    std::size_t base = 0;
    const auto meet = [&](std::size_t values, std::size_t code) {
      const ItemId item = tuples.items[base + code];
      base += values;
      if (item.valid() && (ledger == nullptr || !ledger->is_covered(item)))
        out.push_back(item);
    };
    const auto& f = tuples.factors;
    for (std::size_t i = 0; i < count; ++i) {
      if (tuples.strength == 1)
        meet(f[i].count, digits_[i]);
      for (std::size_t j = i + 1; tuples.strength > 1 && j < count; ++j) {
        const std::size_t values = std::size_t{f[i].count} * f[j].count;
        const std::size_t code = std::size_t{digits_[i]} * f[j].count + digits_[j];
        if (tuples.strength == 2)
          meet(values, code);
        for (std::size_t k = j + 1; tuples.strength > 2 && k < count; ++k)
          meet(values * f[k].count, code * f[k].count + digits_[k]);
      }
    }
  }
}

void StateObserver::look_ahead(const std::uint64_t* state,
                               SetId tokens,
                               const Ledger* ledger,
                               std::vector<Moment>& out) {
  Zone whole(system_.zone_size() - 1);
  system_.load_zone(state, whole.data());
  std::vector<ClockConstraint> until;
  const auto show = [&](std::uint32_t number, std::uint32_t binding, SetId concerned,
                        const Valuation& valuation) {
    const OutcomeId outcome = effects_.apply(effect(number, binding, valuation), concerned);
    if (!effects_.items(outcome).empty() || effects_.tokens(outcome) != BitSets::kEmpty)
      out.push_back({.until = until, .outcome = outcome});
  };
  // Cuts at one atom after the other; where one is false it is so by one of its constraints.
  const auto cut = [&](auto& self, const Zone& zone, std::size_t atom, Valuation valuation,
                       std::uint32_t number, std::uint32_t binding, SetId concerned) -> void {
    meter_.spend(std::uint64_t{system_.zone_size()} * system_.zone_size());
    const std::size_t count = observations_[number].atoms.size();
    while (atom < count && ((seen_.open >> atom) & 1) == 0)
      ++atom;
    if (atom == count) {
      show(number, binding, concerned, valuation);
      return;
    }
    const std::size_t depth = until.size();
    Zone inside = zone;
    bool possible = true;
    for (const ClockConstraint& constraint : seen_.constraints[atom]) {
      if (inside.view().implies(constraint))
        continue;
      Zone outside = inside;
      if (outside.view().constrain(constraint.negated())) {
        Valuation other = valuation;
        other.values &= ~(std::uint64_t{1} << atom);
        until.push_back(constraint.negated());
        self(self, outside, atom + 1, other, number, binding, concerned);
        until.pop_back();
      }
      until.push_back(constraint);
      possible = inside.view().constrain(constraint);
      if (!possible)
        break;
    }
    if (possible)
      self(self, inside, atom + 1, valuation, number, binding, concerned);
    until.resize(depth);
  };
  for_each_here(state, true, tokens, ledger,
                [&](std::uint32_t number, std::uint32_t binding, SetId concerned) {
                  cut(cut, whole, 0, seen_.valuation, number, binding, concerned);
                });
}

void StateObserver::look_at_moment(const std::uint64_t* state,
                                   const Zone& moment,
                                   SetId tokens,
                                   Findings& out) {
  for_each_here(
      state, true, tokens, nullptr,
      [&](std::uint32_t number, std::uint32_t binding, SetId concerned) {
        Valuation valuation = seen_.valuation;
        for (std::size_t i = 0; i < observations_[number].atoms.size(); ++i) {
          if (((seen_.open >> i) & 1) == 0)
            continue;
          const std::vector<ClockConstraint>& all = seen_.constraints[i];
          if (std::ranges::all_of(
                  all, [&](const ClockConstraint& c) { return moment.view().implies(c); }))
            continue;
          // Each on its own: a part where they exclude each other counts as undecided.
          if (std::ranges::all_of(
                  all, [&](const ClockConstraint& c) { return moment.view().can_hold(c); }))
            return;
          valuation.values &= ~(std::uint64_t{1} << i);
        }
        out.outcomes.push_back(effects_.apply(effect(number, binding, valuation), concerned));
      });
}

void StateObserver::pin(const std::uint64_t* state,
                        std::span<const ObservationId> observations,
                        std::span<const Rational> clocks,
                        std::vector<ClockConstraint>& out) {
  const auto holds = [&](const ClockConstraint& c) {
    const auto value = [&](std::uint32_t clock) {
      return clock == 0 ? Rational(0) : clocks[clock - 1];
    };
    const Rational room = static_cast<long>(c.bound.constant()) - (value(c.i) - value(c.j));
    return c.bound.is_strict() ? room > 0 : room >= 0;
  };
  system_.layout().unpack_locations(state, locations_);
  generator_.look_at(state);
  for (const ObservationId id : observations) {
    const Compiled& observation = observations_[id.index()];
    for_each_binding(observation, [&](std::uint32_t /*binding*/) {
      for (std::size_t i = 0; i < observation.atoms.size(); ++i) {
        if (((seen_.open >> i) & 1) == 0)
          continue;
        // True by all of them, or false by one.
        const std::vector<ClockConstraint>& all = seen_.constraints[i];
        const auto fails = std::ranges::find_if_not(all, holds);
        if (fails != all.end())
          out.push_back(fails->negated());
        else
          out.insert(out.end(), all.begin(), all.end());
      }
    });
  }
}

StepLook look_at_step(Effects& effects,
                      StateObserver& observer,
                      EffectId effect,
                      SetId tokens,
                      const std::uint64_t* state) {
  const OutcomeId outcome = effects.apply(effect, tokens);
  const auto items = effects.items(outcome);
  StepLook out{.tokens = effects.tokens(outcome), .items = {items.begin(), items.end()}};
  if (!observer.is_needed())
    return out;
  StateObserver::Findings findings;
  if (effects.passing(outcome) != BitSets::kEmpty)
    observer.look(state, effects.passing(outcome), nullptr, findings);
  observer.look(state, out.tokens, nullptr, findings);
  std::vector<std::uint64_t> armed;
  for (const OutcomeId seen : findings.outcomes) {
    unite(armed, effects.sets()[effects.tokens(seen)]);
    const auto more = effects.items(seen);
    out.items.insert(out.items.end(), more.begin(), more.end());
  }
  out.items.insert(out.items.end(), findings.items.begin(), findings.items.end());
  out.tokens = effects.sets().unite(out.tokens, armed);
  return out;
}

StepLook look_at_initial(Effects& effects, StateObserver& observer, const std::uint64_t* state) {
  std::vector<std::uint64_t> bottom;
  set_bit(bottom, kBottomBit);
  return look_at_step(effects, observer, effects.initial(), effects.sets().intern(bottom), state);
}

}  // namespace tw
