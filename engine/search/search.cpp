#include "engine/search/search.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <type_traits>

#include "engine/search/zone_pass.hpp"

namespace tw {
namespace {

// The time and interrupts are looked at once per so much work, memory more often. Expansions and
// transitions count: a state may have a million successors.
constexpr std::uint64_t kLookInterval = 4096;
constexpr std::uint64_t kMemoryInterval = 64;

// What is asked for in expansions includes comparing paths, which takes longer if they are many.
constexpr std::uint64_t kComparisonsPerExpansion = 512;
// … and looking at moments to wait for, of which a path can string many together.
constexpr std::uint64_t kWaitsPerExpansion = 16;

// Numbers of entries are 32 bits wide and one is reserved.
constexpr std::uint64_t kMostEntries = std::numeric_limits<std::uint32_t>::max() - 1;

}  // namespace

Search::Search(const System& system, Effects& effects, Ledger ledger, SearchOptions options)
    : system_(system),
      effects_(effects),
      ledger_(std::move(ledger)),
      options_(std::move(options)),
      generator_(system, options_.on_error),
      step_effects_(system, effects),
      observer_(system, generator_, effects),
      store_(options_.algorithm == Algorithm::kGlobal ? system.layout().words()
                                                      : system.state_words()),
      found_(effects.rules().items().size()),
      covered_before_(ledger_.covered()) {}

Search::~Search() = default;

std::optional<Arrival> Search::found(ItemId item) const {
  return item.index() < found_.size() ? found_[item.index()] : std::nullopt;
}

// Open families may have got the item only now.
std::optional<Arrival>& Search::place_of(ItemId item) {
  if (found_.size() <= item.index())
    found_.resize(item.index() + 1);
  return found_[item.index()];
}

// Fixes the first entry; false if there is none.
bool Search::prepare_start() {
  if (start_)
    return true;
  const SuccessorGenerator::Initial initial = generator_.initial();
  error_ = initial.error;
  has_initial_state_ = initial.exists;
  if (error_.status != RunStatus::kOk || !initial.exists)
    return false;
  start_ = SearchStart{.state = initial.state};
  const StepLook look = look_at_initial(effects_, observer_, initial.state.data());
  start_->tokens = look.tokens;
  for (const ItemId item : look.items)
    if (!ledger_.is_covered(item))
      place_of(item) = Arrival{};
  initial_items_ = look.items;
  return true;
}

StopReason Search::run() {
  started_ = std::chrono::steady_clock::now();
  StopReason reason = StopReason::kExhausted;
  if (!prepare_start()) {
    if (error_.status != RunStatus::kOk)
      reason = StopReason::kModelError;
    return reason;
  }
  reason = choose_and_explore();
  return reason;
}

StopReason Search::choose_and_explore() {
  const std::uint64_t* const first = start_->state.data();
  const SetId tokens = start_->tokens;
  if (options_.algorithm == Algorithm::kLocal) {
    paths_ = std::make_unique<PathPass>(options_, store_, effects_, ledger_);
    paths_->start(first, tokens, initial_items_);
    best_ = Arrival{};
    best_count_ = paths_->coverage(EntryId(0));
    return explore(*paths_);
  }
  for (const ItemId item : initial_items_)
    ledger_.cover(item);
  if (system_.is_timed() && options_.algorithm == Algorithm::kGlobal) {
    zones_ = std::make_unique<ZonePass>(options_, system_, store_, effects_, ledger_);
    zones_->start(first, tokens);
    return explore(*zones_);
  }
  if (effects_.rules().token_families().empty()) {
    states_ = std::make_unique<StatePass>(options_, store_);
    states_->start(first, tokens);
    return explore(*states_);
  }
  if (options_.algorithm == Algorithm::kFig3) {
    subsets_ = std::make_unique<SubsetPass>(options_, store_, effects_);
    subsets_->start(first, tokens);
    return explore(*subsets_);
  }
  tokens_ = std::make_unique<TokenPass>(options_, store_, effects_, ledger_);
  tokens_->start(first, tokens);
  return explore(*tokens_);
}

std::optional<StopReason> Search::goal_reached() const {
  if (goal_ == Goal::kNearest)
    return std::nullopt;  // the layer is finished first
  const bool local = options_.algorithm == Algorithm::kLocal;
  const std::size_t covered = local ? best_count_ : ledger_.covered() - covered_before_;
  if (options_.stop_at != 0 && covered >= options_.stop_at)
    return StopReason::kStop;
  if (!options_.full && covered + covered_before_ == effects_.rules().coverable_items() &&
      !effects_.rules().items().empty())
    return StopReason::kDecided;
  return std::nullopt;
}

std::optional<StopReason> Search::limit_reached(std::size_t states, std::size_t bytes) {
  if (options_.max_bytes != 0 && bytes > options_.max_bytes)
    return StopReason::kMemory;
  const std::uint64_t work = statistics_.expansions + statistics_.transitions;
  if (work < next_look_)
    return std::nullopt;
  next_look_ = work + kLookInterval;
  if (options_.time_limit.count() != 0 &&
      std::chrono::steady_clock::now() - started_ > options_.time_limit)
    return StopReason::kTime;
  if (options_.interrupted && options_.interrupted({.states = states,
                                                    .bytes = bytes,
                                                    .items = effects_.rules().coverable_items(),
                                                    .covered = ledger_.covered()}))
    return StopReason::kInterrupted;
  return std::nullopt;
}

// Breadth first, an entry is the first one of the next depth: is it worth going there?
std::optional<StopReason> Search::enter_layer(std::size_t entries) {
  ++statistics_.depth;
  layer_end_ = entries;
  if (best_ && goal_ == Goal::kNearest)
    return StopReason::kStop;
  if (options_.max_depth != 0 && statistics_.depth >= options_.max_depth)
    return StopReason::kStates;
  return std::nullopt;
}

template <class Pass>
bool Search::has_done_enough(const Pass& pass) const {
  const std::uint64_t most = options_.max_states == 0 ? kMostEntries : options_.max_states;
  std::uint64_t expansions = statistics_.expansions + waiting_work_ / kWaitsPerExpansion;
  if constexpr (std::is_same_v<Pass, PathPass>)
    expansions += pass.comparisons() / kComparisonsPerExpansion;
  return pass.entries() >= most ||
         (options_.max_expansions != 0 && expansions >= options_.max_expansions);
}

template <class Pass>
StopReason Search::explore(Pass& pass) {
  const bool layers = !paths_ && options_.order == Order::kBfs;
  const auto bytes = [&] {
    return store_.bytes_with(kMemoryInterval + most_successors_) + pass.bytes() + effects_.bytes();
  };
  look_ahead(pass, 0);
  layer_end_ = pass.entries();
  if constexpr (std::is_same_v<Pass, ZonePass>)
    pass.end_start();
  std::optional<StopReason> stop = goal_reached();
  while (!stop) {
    // Where looking at moments was ended early, entries are missing: no end of all entries then.
    stop = waiting_stopped_;
    const std::optional<EntryId> entry = stop ? std::nullopt : pass.pop();
    if (!entry)
      break;
    const std::uint64_t work = statistics_.expansions + statistics_.transitions;
    if (layers && entry->index() == layer_end_)
      stop = enter_layer(pass.entries());
    if (!stop && has_done_enough(pass))
      stop = StopReason::kStates;
    if (!stop && work >= next_memory_look_) {
      next_memory_look_ = work + kMemoryInterval;
      stop = limit_reached(pass.states(), bytes());
    }
    if (!stop)
      stop = expand(pass, *entry);
  }
  statistics_.states = pass.states();
  statistics_.bytes = store_.bytes() + pass.bytes() + effects_.bytes();
  return stop.value_or(StopReason::kExhausted);
}

template <class Pass>
std::optional<StopReason> Search::expand(Pass& pass, EntryId entry) {
  const SetId tokens = pass.rest(entry);
  if (tokens == BitSets::kEmpty)
    return std::nullopt;
  const std::uint64_t* const state = pass.state(entry);
  generator_.expand(state, successors_);
  ++statistics_.expansions;
  if (successors_.error.status != RunStatus::kOk) {
    error_ = successors_.error;
    failed_entry_ = entry;
    return StopReason::kModelError;
  }
  const std::size_t count = successors_.size();
  statistics_.transitions += count;
  statistics_.deadlocks += count == 0 ? 1U : 0U;
  // Ask for all places in the table first: the memory answers while the others are worked on.
  hashes_.resize(count);
  most_successors_ = std::max(most_successors_, count);
  for (std::size_t i = 0; i < count; ++i) {
    hashes_[i] = store_.hash(successor(i));
    store_.prefetch(hashes_[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const EffectId effect = step_effects_.of(successors_, i);
    // Without tokens an effect has one outcome, and nothing in it is new a second time.
    std::optional<OutcomeId> outcome;
    if (!std::is_same_v<Pass, StatePass> || !is_known(effect))
      outcome = effects_.apply(effect, tokens);
    if (arrive(pass, i, outcome, entry))
      if (const auto reached = goal_reached())
        return reached;
  }
  if constexpr (std::is_same_v<Pass, PathPass>) {
    if (options_.reset) {
      const std::size_t first = pass.entries();
      pass.add_reset(entry);
      look_ahead(pass, first);
    }
  }
  return std::nullopt;
}

// A step leads somewhere: what does it cover, what does the new state show, and is it new? Without
// an outcome nothing of the step itself is. True: something was noted.
template <class Pass>
bool Search::arrive(Pass& pass,
                    std::size_t successor_number,
                    std::optional<OutcomeId> outcome,
                    EntryId from) {
  constexpr bool kPaths = std::is_same_v<Pass, PathPass>;
  constexpr bool kWhole = kPaths || std::is_same_v<Pass, SubsetPass>;
  const std::uint64_t* const state = successor(successor_number);
  const std::uint32_t hash = hashes_[successor_number];
  const std::size_t entries = pass.entries();
  items_.clear();
  armed_.clear();
  SetId tokens;
  bool passing = false;
  if (outcome) {
    gather<Pass>(*outcome);
    tokens = effects_.tokens(*outcome);
    passing = effects_.passing(*outcome) != BitSets::kEmpty;
    if (passing)
      gather_observed<Pass>(state, effects_.passing(*outcome));
  }
  if constexpr (kWhole) {
    gather_observed<Pass>(state, tokens);
    tokens = effects_.sets().unite(tokens, armed_);
    if constexpr (kPaths)
      pass.arrive(state, hash, tokens, items_, from, 1);
    else
      pass.arrive(state, hash, tokens, from);
  } else {
    SetId fresh =
        pass.arrive(state, hash, passing ? effects_.sets().unite(tokens, armed_) : tokens, from);
    // What the state arms is not looked at in the same state again.
    if (passing)
      fresh = effects_.sets().intersect(fresh, effects_.sets()[tokens]);
    if (fresh != BitSets::kEmpty && observer_.is_needed()) {
      armed_.clear();
      gather_observed<Pass>(state, fresh);
      if (!armed_.empty())
        pass.add_to_last(armed_);
    }
  }
  const bool any = !items_.empty();
  if (any)
    note(pass, {.from = from, .step = static_cast<std::uint32_t>(successor_number)});
  if (observer_.waits() && pass.entries() != entries)
    look_ahead(pass, entries);
  return any || observer_.waits();
}

// What the state itself shows these tokens.
template <class Pass>
void Search::gather_observed(const std::uint64_t* state, SetId tokens) {
  if (!observer_.is_needed())
    return;
  findings_.outcomes.clear();
  findings_.items.clear();
  observer_.look(state, tokens, std::is_same_v<Pass, PathPass> ? nullptr : &ledger_, findings_);
  for (const OutcomeId outcome : findings_.outcomes) {
    gather<Pass>(outcome);
    unite(armed_, effects_.sets()[effects_.tokens(outcome)]);
  }
  items_.insert(items_.end(), findings_.items.begin(), findings_.items.end());
}

// Items are new the first time an outcome is met; along a path all of them count.
template <class Pass>
void Search::gather(OutcomeId outcome) {
  const auto items = effects_.items(outcome);
  if (items.empty())
    return;
  if constexpr (!std::is_same_v<Pass, PathPass>) {
    if (seen_.size() <= outcome.index())
      seen_.resize(outcome.index() + 1);
    if (seen_[outcome.index()])
      return;
    seen_[outcome.index()] = true;
  }
  items_.insert(items_.end(), items.begin(), items.end());
}

// Entries from this one on are new: where time passes in them, what can be seen? That may add more
// entries, with the same depth.
template <class Pass>
void Search::look_ahead(Pass& pass, std::size_t first_entry) {
  if (!observer_.waits())
    return;
  for (std::size_t i = first_entry; i < pass.entries() && !waiting_stopped_; ++i) {
    const std::uint64_t* const found = pass.state(EntryId(i));
    const std::vector<std::uint64_t> state(found, found + system_.state_words());
    std::vector<StateObserver::Moment> moments;
    observer_.look_ahead(state.data(), node(EntryId(i)).tokens,
                         std::is_same_v<Pass, PathPass> ? nullptr : &ledger_, moments);
    for (const StateObserver::Moment& moment : moments)
      wait(pass, EntryId(i), state, moment);
    waiting_work_ += moments.size() + 1;
    if (has_done_enough(pass))
      waiting_stopped_ = StopReason::kStates;
    else if (waiting_work_ >= next_waiting_look_) {
      next_waiting_look_ = waiting_work_ + kMemoryInterval;
      next_look_ = 0;
      waiting_stopped_ = limit_reached(pass.states(), store_.bytes() + pass.bytes());
    }
  }
}

// One such moment. Tokens that are armed there go on in the part of the zone that follows it.
template <class Pass>
void Search::wait(Pass& pass,
                  EntryId entry,
                  const std::vector<std::uint64_t>& state,
                  const StateObserver::Moment& moment) {
  constexpr bool kPaths = std::is_same_v<Pass, PathPass>;
  items_.clear();
  gather<Pass>(moment.outcome);
  const SetId armed = effects_.tokens(moment.outcome);
  const auto number = static_cast<std::uint32_t>(waits_.size());
  const std::size_t entries = pass.entries();
  if (armed != BitSets::kEmpty || kPaths) {
    const SuccessorGenerator::Waiting waiting = generator_.wait(state.data(), moment.until);
    const std::uint32_t hash = store_.hash(waiting.state.data());
    const SetId all = effects_.sets().unite(node(entry).tokens, effects_.sets()[armed]);
    if constexpr (kPaths)
      pass.arrive(waiting.state.data(), hash, all, items_, entry, 0);
    else
      pass.arrive(waiting.state.data(), hash, std::is_same_v<Pass, SubsetPass> ? all : armed,
                  entry);
  }
  const bool new_entry = pass.entries() != entries;
  if (!items_.empty() || new_entry)
    waits_.push_back(moment.until);
  if (new_entry)
    wait_of_.emplace(EntryId(entries), number);
  if (!items_.empty())
    note(pass, {.from = entry, .step = Arrival::kWait | number});
}

// Whether an effect was met before; from now on it was.
bool Search::is_known(EffectId effect) {
  if (known_effects_.size() <= effect.index())
    known_effects_.resize(effect.index() + 1);
  const bool known = known_effects_[effect.index()] != 0;
  known_effects_[effect.index()] = 1;
  return known;
}

// What an arrival covers, whether or not its target is new.
template <class Pass>
void Search::note(Pass& pass, Arrival arrival) {
  if constexpr (std::is_same_v<Pass, PathPass>) {
    const std::size_t count = pass.coverage(arrival.from, items_);
    if (count > best_count_) {
      best_count_ = count;
      best_ = arrival;
    }
  }
  std::size_t news = 0;
  for (const ItemId item : items_) {
    if (ledger_.is_covered(item))
      continue;
    ++news;
    if (goal_ == Goal::kNearest)
      continue;
    std::optional<Arrival>& found = place_of(item);
    if (!found) {
      arrival.depth = depth(arrival.from) + (arrival.is_wait() ? 0 : 1);
      found = arrival;
    }
    if constexpr (!std::is_same_v<Pass, PathPass>)
      ledger_.cover(item);
  }
  if (goal_ == Goal::kNearest && news > best_count_) {
    best_count_ = news;
    best_ = arrival;
  }
}

Node Search::node(EntryId entry) const {
  if (states_)
    return states_->node(entry);
  if (tokens_)
    return tokens_->node(entry);
  if (subsets_)
    return subsets_->node(entry);
  if (zones_)
    return zones_->node(entry);
  return paths_->node(entry);
}

std::size_t Search::entries() const {
  if (states_)
    return states_->entries();
  if (tokens_)
    return tokens_->entries();
  if (subsets_)
    return subsets_->entries();
  if (zones_)
    return zones_->entries();
  return paths_ ? paths_->entries() : 0;
}

// The whole state of an entry; good until the next call. Where its zone was dropped, the steps from
// the nearest one before it that has a zone are taken again.
const std::uint64_t* Search::state(EntryId entry) {
  if (!zones_)
    return store_[node(entry).state];
  if (zones_->has_state(entry))
    return zones_->state(entry);
  std::vector<EntryId> path;
  EntryId at = entry;
  for (; at != recomputed_ && !zones_->has_state(at); at = node(at).parent)
    path.push_back(at);
  if (at != recomputed_) {
    const std::uint64_t* const first = zones_->state(at);
    recomputed_state_.assign(first, first + system_.state_words());
  }
  for (; !path.empty(); path.pop_back()) {
    const EntryId next = path.back();
    if (const auto wait = wait_of_.find(next); wait != wait_of_.end()) {
      recomputed_state_ = generator_.wait(recomputed_state_.data(), waits_[wait->second]).state;
    } else {
      generator_.expand(recomputed_state_.data(), successors_);
      const std::optional<std::size_t> step = step_between(at, next);
      assert(step && "an entry is a successor of its parent");
      if (step)
        recomputed_state_.assign(successor(*step), successor(*step) + system_.state_words());
    }
    at = next;
  }
  recomputed_ = entry;
  return recomputed_state_.data();
}

bool Search::is_state(EntryId entry, const std::uint64_t* state) {
  if (zones_)
    return zones_->is_state(entry, state);
  return std::equal(state, state + system_.state_words(), store_[node(entry).state]);
}

std::uint32_t Search::depth(EntryId entry) const {
  std::uint32_t steps = 0;
  for (; node(entry).parent.valid(); entry = node(entry).parent)
    steps += node(entry).reset || wait_of_.contains(entry) ? 0U : 1U;
  return steps;
}

// Which successor of `from` an entry is: the one with its state whose path carries its tokens. The
// number is not stored, since it is asked for a few times and would cost memory for every entry.
// Pre: `from` was expanded last.
std::optional<std::size_t> Search::step_between(EntryId from, EntryId to) {
  const Node source = node(from);
  const Node target = node(to);
  for (std::size_t i = 0; i < successors_.size(); ++i) {
    if (!is_state(to, successor(i)))
      continue;
    const StepLook look = look_at_step(effects_, observer_, step_effects_.of(successors_, i),
                                       source.tokens, successor(i));
    const BitSets& sets = effects_.sets();
    if (!is_subset(sets[target.tokens], sets[look.tokens]))
      continue;
    if (!paths_)
      return i;
    std::vector<std::uint64_t> items;
    for (const ItemId item : look.items)
      set_bit(items, item.index());
    unite(items, paths_->items(source.items));
    if (is_subset(paths_->items(target.items), items))
      return i;
  }
  return std::nullopt;
}

std::vector<std::vector<Step>> Search::traces(EntryId to) {
  std::vector<EntryId> path;
  for (EntryId at = to; at.valid(); at = node(at).parent)
    path.push_back(at);
  std::reverse(path.begin(), path.end());
  std::vector<std::vector<Step>> out(1);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (node(path[i + 1]).reset) {
      out.emplace_back();
      continue;
    }
    if (const auto wait = wait_of_.find(path[i + 1]); wait != wait_of_.end()) {
      out.back().push_back({.until = waits_[wait->second]});
      continue;
    }
    // Traces share their first steps.
    const auto known = step_to_.find(path[i + 1]);
    if (known != step_to_.end()) {
      out.back().push_back(known->second);
      continue;
    }
    generator_.expand(state(path[i]), successors_);
    const std::optional<std::size_t> step = step_between(path[i], path[i + 1]);
    assert(step && "an entry is a successor of its parent");
    if (step)
      out.back().push_back(
          step_to_.emplace(path[i + 1], generator_.describe(successors_, *step)).first->second);
  }
  return out;
}

std::vector<std::vector<Step>> Search::traces(const Arrival& to) {
  if (!to.from.valid())
    return {{}};
  std::vector<std::vector<Step>> out = traces(to.from);
  if (to.is_wait()) {
    out.back().push_back({.until = waits_[to.wait()]});
    return out;
  }
  generator_.expand(state(to.from), successors_);
  out.back().push_back(generator_.describe(successors_, to.step));
  return out;
}

}  // namespace tw
