#include "engine/suite/run_graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "engine/base/budget.hpp"
#include "engine/base/memory_use.hpp"

namespace tw {
RunGraph::RunGraph(const System& system,
                   Effects& effects,
                   const Ledger& others,
                   std::span<const ItemId> wanted,
                   Options options)
    : system_(system),
      effects_(effects),
      others_(others),
      options_(std::move(options)),
      generator_(system, options_.on_error),
      observer_(system, generator_, effects),
      most_expansions_(options_.max_expansions / (observer_.waits() ? 4 : 1)),
      wanted_(wanted.begin(), wanted.end()),
      has_tokens_(!effects.rules().token_families().empty()) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (number_of_.size() <= wanted[i].index())
      number_of_.resize(wanted[i].index() + 1, kUnknown);
    number_of_[wanted[i].index()] = static_cast<std::uint32_t>(i);
  }
  static_cast<void>(gains_.intern({}));
  const SuccessorGenerator::Initial initial = generator_.initial();
  const StepLook look = look_at_initial(effects_, observer_, initial.state.data());
  initial_gain_ = gain_of(look.items);
  static_cast<void>(node_of(initial.state, look.tokens));
}

// Tokens that lead to nothing that is wanted would keep nodes apart for nothing.
SetId RunGraph::live(SetId tokens) {
  const auto [known, is_new] = live_.try_emplace(tokens.index());
  if (!is_new)
    return known->second;
  const Words dead = others_.dead();
  std::vector<std::uint64_t> out(effects_.sets()[tokens].begin(), effects_.sets()[tokens].end());
  for (std::size_t i = 0; i < std::min(out.size(), dead.size()); ++i)
    out[i] &= ~dead[i];
  return known->second = effects_.sets().intern(out);
}

RunGraph::Node RunGraph::node_of(std::span<const std::uint64_t> state, SetId tokens) {
  const StateNumber number = states_.intern(state);
  if (is_timed() && number.index() == discrete_.size())
    discrete_.push_back(static_cast<std::uint32_t>(
        places_of_.intern(state.first(system_.layout().words())).index()));
  const std::uint64_t key = (number.index() << 32) | live(tokens).index();
  const NodeId id = nodes_.intern(std::span(&key, 1));
  if (id.index() == places_.size())
    places_.emplace_back();
  return static_cast<Node>(id.index());
}

RunGraph::Gain RunGraph::gain_of(std::span<const ItemId> items) {
  numbers_.clear();
  for (const ItemId item : items)
    if (item.index() < number_of_.size() && number_of_[item.index()] != kUnknown)
      numbers_.push_back(number_of_[item.index()]);
  std::ranges::sort(numbers_);
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  return gains_.intern(numbers_);
}

// Closed zones include each other as their bounds do, one by one.
bool RunGraph::includes(Node node, Node other) const {
  const auto zone = [&](Node n) {
    return states_[StateNumber(std::size_t{state_number(n)})].subspan(system_.layout().words());
  };
  const auto large = zone(node);
  const auto small = zone(other);
  for (std::size_t w = 0; w < large.size(); ++w) {
    const auto a = std::bit_cast<std::array<std::int32_t, 2>>(large[w]);
    const auto b = std::bit_cast<std::array<std::int32_t, 2>>(small[w]);
    if (b[0] > a[0] || b[1] > a[1])
      return false;
  }
  return true;
}

bool RunGraph::has_room() {
  if (full_)
    return false;
  full_ =
      expansions_ >= most_expansions_ || (options_.max_bytes != 0 && bytes() > options_.max_bytes);
  return !full_;
}

// Of steps with the same target one with the same gain is enough, and one that leads nowhere is
// none.
bool RunGraph::expand(Node node) {
  if (!has_room())
    return false;
  check_budget();
  ++expansions_;
  load(node);
  generator_.expand(state_.data(), successors_);
  step_effects_.add_all(generator_);
  failed_ = failed_ || successors_.error.status != RunStatus::kOk;
  const SetId carried = tokens(node);
  leaving_.clear();
  for (std::size_t i = 0; i < successors_.size(); ++i) {
    const StepLook look =
        look_at_step(effects_, observer_, step_effects_.of(successors_.step(i).kind, effects_),
                     carried, successors_.state(i).data());
    leaving_.push_back({.to = node_of(successors_.state(i), look.tokens),
                        .gain = gain_of(look.items),
                        .how = static_cast<std::uint32_t>(i)});
  }
  if (observer_.waits())
    add_waits(node, leaving_);
  const auto key = [](const Arc& arc) {
    return std::tuple(arc.length(), arc.to, arc.gain.index(), arc.how);
  };
  const auto place = [](const Arc& arc) {
    return std::tuple(arc.length(), arc.to, arc.gain.index());
  };
  std::erase_if(leaving_, [&](const Arc& arc) { return arc.to == node && arc.gain.index() == 0; });
  std::ranges::sort(leaving_, {}, key);
  const auto same = std::ranges::unique(leaving_, {}, place);
  leaving_.erase(same.begin(), same.end());
  places_[node] = {.first = arcs_.size(), .count = static_cast<std::uint32_t>(leaving_.size())};
  arcs_.insert(arcs_.end(), leaving_.begin(), leaving_.end());
  return true;
}

// Moments of the stay at which something wanted is shown, or a token is armed. All that is sure to
// be shown then counts.
void RunGraph::add_waits(Node node, std::vector<Arc>& out) {
  const SetId carried = tokens(node);
  std::vector<StateObserver::Moment> moments;
  observer_.look_ahead(state_.data(), carried, nullptr, moments);
  std::vector<std::vector<ClockConstraint>> known;
  expansions_ += moments.size();
  for (StateObserver::Moment& moment : moments) {
    if (std::ranges::find(known, moment.until) != known.end())
      continue;
    known.push_back(moment.until);
    const SuccessorGenerator::Waiting waiting = generator_.wait(state_.data(), moment.until);
    StateObserver::Findings findings;
    observer_.look_at_moment(state_.data(), waiting.moment, carried, findings);
    SetId armed = carried;
    std::vector<ItemId> items;
    for (const OutcomeId outcome : findings.outcomes) {
      armed = effects_.sets().unite(armed, effects_.sets()[effects_.tokens(outcome)]);
      const auto shown = effects_.items(outcome);
      items.insert(items.end(), shown.begin(), shown.end());
    }
    const Gain gain = gain_of(items);
    if (gain.index() == 0 && live(armed) == carried)
      continue;
    out.push_back({.to = node_of(waiting.state, armed),
                   .gain = gain,
                   .how = Arc::kWait | static_cast<std::uint32_t>(waits_.size())});
    waits_.push_back(std::move(moment.until));
  }
}

// Questions that follow each other differ in a few items: it is counted how many of them each token
// leads to.
const std::vector<std::uint64_t>& RunGraph::tokens_for(Words items) {
  const CoverageRules& rules = effects_.rules();
  if (live_tokens_.empty() || leads_to_.size() != rules.tokens().size()) {  // open families grow
    leads_to_.assign(rules.tokens().size(), 0);
    counted_items_.clear();
    live_tokens_.clear();
    set_bit(live_tokens_, kBottomBit);
    for (std::size_t i = 0; i < leads_to_.size(); ++i)
      if (rules.tokens()[TokenId(i)].leads_to.empty())
        set_bit(live_tokens_, bit_of(TokenId(i)));
  }
  const auto count = [&](std::size_t item, bool is_in) {
    for (const TokenId token : rules.tokens_of(wanted_[item])) {
      std::uint32_t& now = leads_to_[token.index()];
      now += is_in ? 1U : ~0U;
      const std::size_t bit = bit_of(token);
      set_bit(live_tokens_, bit);
      if (now == 0)
        live_tokens_[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
    }
  };
  counted_items_.resize(std::max(counted_items_.size(), items.size()));
  for (std::size_t w = 0; w < counted_items_.size(); ++w) {
    const std::uint64_t now = w < items.size() ? items[w] : 0;
    for (std::uint64_t rest = counted_items_[w] ^ now; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
      count(w * 64 + bit, ((now >> bit) & 1) != 0);
    }
    counted_items_[w] = now;
  }
  return live_tokens_;
}

// Where there is no room for all, as much is left to go to where it is needed.
bool RunGraph::complete() {
  for (Node node = 0; node < places_.size(); ++node)
    if (places_[node].count == kUnknown && !expand(node)) {
      most_expansions_ = 3 * options_.max_expansions;
      full_ = false;
      return false;
    }
  return !failed_;
}

std::optional<RunGraph::Move> RunGraph::find(Node from, const Step& step) {
  auto& known = found_[from];
  for (const auto& [found, arc] : known)
    if (found == step)
      return Move{.from = from, .arc = arc};
  if (places_[from].count == kUnknown && !expand(from))
    return std::nullopt;
  Node to = 0;
  Gain gain;
  load(from);
  if (step.is_wait()) {
    const std::vector<Arc> others(known_arcs(from).begin(), known_arcs(from).end());
    leaving_.clear();
    add_waits(from, leaving_);
    const auto same = std::ranges::find_if(
        leaving_, [&](const Arc& arc) { return waits_[arc.how & ~Arc::kWait] == step.until; });
    if (same == leaving_.end())
      return std::nullopt;
    for (std::uint32_t i = 0; i < others.size(); ++i)
      if (others[i].length() == 0 && others[i].to == same->to && others[i].gain == same->gain) {
        known.emplace_back(step, i);
        return Move{.from = from, .arc = i};
      }
    return std::nullopt;
  }
  generator_.expand(state_.data(), successors_);
  step_effects_.add_all(generator_);
  std::size_t number = 0;
  while (number < successors_.size() && generator_.describe(successors_, number) != step)
    ++number;
  if (number == successors_.size())
    return std::nullopt;
  const StepLook look =
      look_at_step(effects_, observer_, step_effects_.of(successors_.step(number).kind, effects_),
                   tokens(from), successors_.state(number).data());
  to = node_of(successors_.state(number), look.tokens);
  gain = gain_of(look.items);
  const auto leaving = known_arcs(from);
  for (std::uint32_t i = 0; i < leaving.size(); ++i)
    if (leaving[i].to == to && leaving[i].gain == gain && leaving[i].length() == 1) {
      known.emplace_back(step, i);
      return Move{.from = from, .arc = i};
    }
  return std::nullopt;
}

const Step& RunGraph::step(Move move) {
  const auto [known, is_new] = steps_.try_emplace(places_[move.from].first + move.arc);
  if (!is_new)
    return known->second;
  const Arc& taken = arc(move);
  if (taken.length() == 0)
    return known->second = Step{.until = waits_[taken.how & ~Arc::kWait]};
  load(move.from);
  generator_.expand(state_.data(), successors_);
  return known->second = generator_.describe(successors_, taken.how);
}

std::size_t RunGraph::bytes() const {
  return states_.bytes() + places_of_.bytes() + bytes_when_growing(discrete_) + nodes_.bytes() +
         gains_.bytes() + bytes_when_growing(places_) + bytes_when_growing(arcs_) +
         effects_.bytes() + generator_.memo_bytes();
}

}  // namespace tw
