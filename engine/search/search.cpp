#include "engine/search/search.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <new>
#include <type_traits>

#include "engine/coverage/commuting.hpp"
#include "engine/search/zone_pass.hpp"

namespace tw {
namespace {

// The time and interrupts are looked at once per so much work, memory more often. Expansions and
// transitions count: a state may have a million successors.
constexpr std::uint64_t kLookInterval = 4096;
constexpr std::uint64_t kMemoryInterval = 64;
// … where states are so many words long; more often where they are longer.
constexpr std::uint64_t kLookWords = 64;

// What is asked for in expansions includes comparing paths, which takes longer if they are many.
constexpr std::uint64_t kComparisonsPerExpansion = 512;
// … and looking at moments to wait for, of which a path can string many together.
constexpr std::uint64_t kWaitsPerExpansion = 16;

// Numbers of entries are 32 bits wide and one is reserved; a table of states counts up to half as
// many.
constexpr std::uint64_t kMostEntries = std::numeric_limits<std::int32_t>::max() - 1;

// Policies that take tokens one by one.
template <class Pass>
constexpr bool kOneByOne = std::is_same_v<Pass, TokenPass> || std::is_same_v<Pass, ZonePass>;

bool is_empty(SetId set) { return set == BitSets::kEmpty; }
bool is_empty(const SetCode& set) { return set.is_empty(); }

// Entries that are expanded together; with threads, so that handing over costs little. Where states
// are long there are fewer, so that the successors of a block stay in the cache of a core.
constexpr std::size_t kBlockEntries = 256;
constexpr std::size_t kThreadBlockEntries = 512;
constexpr std::size_t kLeastBlockEntries = 32;
constexpr std::size_t kBlockWords = 4096;
// With their successors they take no more than this, unless a single one does.
constexpr std::size_t kMostBlockWords = std::size_t{1} << 20;

std::size_t most_block_entries(std::size_t threads,
                               std::size_t state_words,
                               std::size_t successors) {
  const std::size_t usual = std::clamp(kBlockWords / state_words, kLeastBlockEntries,
                                       threads == 1 ? kBlockEntries : kThreadBlockEntries);
  const std::size_t most = kMostBlockWords / (state_words * (successors + 1));
  return std::clamp(most, std::size_t{1}, usual);
}

std::uint64_t look_interval(std::size_t state_words) {
  return std::max<std::uint64_t>(
      1, kLookInterval * kLookWords / std::max<std::uint64_t>(kLookWords, state_words));
}

}  // namespace

Search::Search(const System& system, Effects& effects, Ledger ledger, SearchOptions options)
    : system_(system),
      effects_(effects),
      ledger_(std::move(ledger)),
      options_(std::move(options)),
      generator_(system, options_.on_error),
      observer_(system, generator_, effects),
      store_(
          options_.algorithm == Algorithm::kGlobal ? system.layout().words() : system.state_words(),
          system.layout().words(),
          options_.store),
      is_tokenless_(effects.rules().token_families().empty()),
      kinds_(1),
      look_interval_(look_interval(system.state_words())),
      sleeping_(system.processes()),
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
  max_bytes_ = budget_ == nullptr ? 0 : budget_->bytes_left();
  return ended_by_limits([this] {
    if (!prepare_start())
      return error_.status != RunStatus::kOk ? StopReason::kModelError : StopReason::kExhausted;
    return choose_and_explore();
  });
}

template <class Work>
StopReason Search::ended_by_limits(Work work) {
  try {
    return work();
  } catch (const BudgetSpent& met) {
    return spent(met.limit());
  } catch (const std::bad_alloc&) {
    return spent(Limit::kMemory);
  }
}

// A limit ends the search; what it found is kept.
StopReason Search::spent(Limit limit) const {
  switch (limit) {
    case Limit::kTime:
      return StopReason::kTime;
    case Limit::kInterrupt:
      return StopReason::kInterrupted;
    case Limit::kMemory:
    case Limit::kNone:
      break;
  }
  if (budget_ != nullptr)
    budget_->note_memory();
  return StopReason::kMemory;
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
  if (is_tokenless_) {
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
  if (max_bytes_ != 0 && bytes > max_bytes_)
    return spent(Limit::kMemory);
  const std::uint64_t work = statistics_.expansions + statistics_.transitions;
  if (work < next_look_)
    return std::nullopt;
  next_look_ = work + look_interval_;
  if (options_.progress)
    options_.progress({.states = states,
                       .bytes = bytes,
                       .items = effects_.rules().coverable_items(),
                       .covered = ledger_.covered()});
  if (budget_ == nullptr)
    return std::nullopt;
  hold_back();
  if (budget_->is_spent())
    return spent(budget_->phase_limit());
  return std::nullopt;
}

// What was found will be walked along again: to find the steps, to see what they cover, to shorten
// and to replay them. And every item is written.
void Search::hold_back() const {
  constexpr std::uint64_t kRounds = 12;
  constexpr std::chrono::microseconds kPerItem{5};
  const auto taken = std::chrono::steady_clock::now() - started_;
  budget_->hold_back(taken / std::max<std::uint64_t>(1, statistics_.expansions) *
                         (kRounds * way_steps_) +
                     kPerItem * found_.size());
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

// Entries that can be expanded now, in blocks; false: there are none. Only breadth first is it
// known what comes after the next one.
template <class Pass>
bool Search::queue_blocks(Pass& pass) {
  const std::size_t words = system_.state_words();
  const auto add_block = [&](EntryId first, std::size_t count) {
    std::unique_ptr<EntryBlock> block = blocks_->take_empty();
    block->parts.resize(count);
    block->states.resize(count * words);
    std::uint64_t* to = block->states.data();
    for (std::size_t i = 0; i < count; ++i, to += words) {
      const EntryId entry(first.index() + i);
      block->parts[i] = {.entry = entry, .wanted = !pass.is_spent(entry)};
      if (!block->parts[i].wanted)
        continue;
      const std::uint64_t* const state = pass.state(entry);
      for (std::size_t k = 0; k < words; ++k)
        to[k] = state[k];
    }
    if (leaves_out_)
      sleeping_.take(count, block->sleeping);
    blocks_->add(std::move(block));
  };
  if (!layers_) {
    if (const std::optional<EntryId> entry = pass.pop())
      add_block(*entry, 1);
    return blocks_->size() != 0;
  }
  const std::size_t threads = blocks_->threads();
  const std::size_t most = most_block_entries(threads, words, most_successors_);
  // Entries of a later layer may turn out to be superfluous, or the search ends before.
  const bool within_layer = (threads == 1 || std::is_same_v<Pass, ZonePass>)&&queued_ < layer_end_;
  const std::size_t end = within_layer ? layer_end_ : pass.entries();
  while (blocks_->has_room() && queued_ < end) {
    const std::size_t share = threads == 1 ? most : (end - queued_) / (2 * threads) + 1;
    const std::size_t count = std::min({most, share, end - queued_});
    add_block(EntryId(queued_), count);
    queued_ += count;
  }
  return blocks_->size() != 0;
}

// Before its successors are looked at.
void Search::open_block(EntryBlock& block) {
  kinds_[block.expander].add(block.new_events, block.new_ends);
  keys_made_ = 0;
  if (block.expander != 0)
    block.prefetch_successors();
  // What key_of() has no time to ask for ahead.
  for (std::size_t i = 0; i < std::min(kAhead, block.successors.size()); ++i)
    if (store_.has_plain_keys())
      store_.prefetch(block.successors.hash(i));
}

template <class Pass>
std::optional<StopReason> Search::look_at_limits(Pass& pass, EntryId entry) {
  if (layers_ && entry.index() == layer_end_)
    if (const auto stop = enter_layer(pass.entries()))
      return stop;
  if (has_done_enough(pass))
    return StopReason::kStates;
  const std::uint64_t work = statistics_.expansions + statistics_.transitions;
  if (work < next_memory_look_)
    return std::nullopt;
  next_memory_look_ =
      work + (max_bytes_ == 0 ? look_interval_ : std::min(kMemoryInterval, look_interval_));
  return limit_reached(pass.states(), store_.bytes(kMemoryInterval + most_successors_) +
                                          pass.bytes() + effects_.bytes() + sleeping_.bytes() +
                                          generator_.memo_bytes());
}

// Whatever ends it, what was found can be asked for.
template <class Pass>
StopReason Search::explore(Pass& pass) {
  const StopReason reason = ended_by_limits([&] { return work(pass); });
  blocks_.reset();
  statistics_.states = pass.states();
  statistics_.bytes = store_.bytes() + pass.bytes() + effects_.bytes();
  return reason;
}

template <class Pass>
StopReason Search::work(Pass& pass) {
  layers_ = !paths_ && options_.order == Order::kBfs;
  // Tokens are where a step leads, too: they must not tell in which order two steps were taken.
  const bool tokens_commute = std::is_same_v<Pass, TokenPass> && system_.shows_watched() &&
                              tokens_keep_to_cells(effects_.rules());
  leaves_out_ =
      options_.leave_out && layers_ && (std::is_same_v<Pass, StatePass> || tokens_commute);
  blocks_ = std::make_unique<BlockQueue>(
      system_, generator_,
      BlockQueue::Options{
          .threads = layers_ ? options_.threads : 1,
          .on_error = options_.on_error,
          .only_new = leaves_out_ && std::is_same_v<Pass, StatePass> && !observer_.is_needed()});
  kinds_.resize(blocks_->threads());
  if (leaves_out_)
    sleeping_.push(0);
  look_ahead(pass, 0);
  layer_end_ = pass.entries();
  if constexpr (std::is_same_v<Pass, ZonePass>)
    pass.end_start();
  std::optional<StopReason> stop = goal_reached();
  while (!stop && queue_blocks(pass)) {
    EntryBlock& block = blocks_->front();
    open_block(block);
    for (std::size_t i = 0; i < block.parts.size() && !stop; ++i) {
      // Where looking at moments was ended early, entries are missing: no end of all entries then.
      stop = waiting_stopped_;
      const EntryId entry = block.parts[i].entry;
      if (layers_ && !stop)
        static_cast<void>(pass.pop());
      if (!stop)
        stop = look_at_limits(pass, entry);
      if (!stop)
        stop = expand(pass, block, i);
    }
    blocks_->pop_front();
  }
  if (!stop)
    stop = waiting_stopped_;
  return stop.value_or(StopReason::kExhausted);
}

// The memory is asked for what the next successors need while this one is worked on.
inline StateKey Search::key_of(const EntryBlock& block, std::size_t successor) {
  const std::size_t last = block.successors.size() - 1;
  if (store_.has_plain_keys()) {
    // Beyond the last one: once more for it, which costs nothing.
    const std::size_t far = std::min(successor + kAhead, last);
    store_.prefetch(block.successors.hash(far));
    const std::size_t near = std::min(successor + kAhead / 2, last);
    store_.prefetch_record(block.successors.hash(near));
    return plain_key(block, successor);
  }
  for (; keys_made_ <= std::min(successor + kAhead, last); ++keys_made_) {
    const StateKey plain = plain_key(block, keys_made_);
    store_.prefetch_parts(plain_key(block, std::min(keys_made_ + kAhead / 2, last)).state);
    keys_[keys_made_ % keys_.size()] = store_.key(plain.state, plain.hash);
    store_.prefetch(keys_[keys_made_ % keys_.size()].hash);
  }
  store_.prefetch_record(keys_[std::min(successor + kAhead / 2, last) % keys_.size()].hash);
  return keys_[successor % keys_.size()];
}

template <class Pass>
std::optional<StopReason> Search::expand(Pass& pass, EntryBlock& block, std::size_t part) {
  const EntryId entry = block.parts[part].entry;
  const auto tokens = pass.rest(entry);
  if (is_empty(tokens))
    return std::nullopt;
  assert(block.parts[part].wanted && "what is spent stays spent");
  ++statistics_.expansions;
  if (block.successors.error.status != RunStatus::kOk && block.failed_part == part) {
    error_ = block.successors.error;
    failed_entry_ = entry;
    return StopReason::kModelError;
  }
  for (const ModelError& error : block.successors.skipped)
    skipped_.add(system_.network(), error);
  const std::size_t first = part == 0 ? 0 : block.parts[part - 1].end;
  part_first_ = first;
  const std::size_t end = block.parts[part].end;
  const std::size_t steps = block.parts[part].steps;
  statistics_.transitions += steps;
  statistics_.deadlocks += steps == 0 ? 1U : 0U;
  most_successors_ = std::max(most_successors_, steps);
  StepEffects& kinds = kinds_[block.expander];
  for (std::size_t i = first; i < end; ++i) {
    if ((i - first) % kLookInterval == kLookInterval - 1)
      check_budget();
    const StepKindId kind = block.successors.step(i).kind;
    std::optional<Outcome> outcome;
    if constexpr (std::is_same_v<Pass, StatePass>) {
      // Without tokens a kind of step has one outcome, and nothing in it is new a second time.
      const bool is_met = kinds.is_met(kind);
      if (is_met && !observer_.is_needed()) {
        if (pass.arrive(key_of(block, i), tokens, entry) && leaves_out_)
          sleeping_.push(block.successors.sleeping(i));
        continue;
      }
      if (!is_met)
        outcome = outcome_of<Pass>(effects_.apply(kinds.of(kind, effects_), tokens));
    } else if constexpr (kOneByOne<Pass>) {
      if (is_tokenless_ && kinds.is_met(kind) && !observer_.is_needed()) {
        pass.arrive(key_of(block, i), effects_.sets()[tokens], entry);
        continue;
      }
      const Effects::Change& change = effects_.change(
          kinds.of(kind, effects_), effects_.sets()[tokens], ledger_.covered_items());
      // Sets that lead nowhere new need no number.
      if (!observer_.is_needed() && change.passing.empty() && change.items.empty()) {
        if (pass.arrive(key_of(block, i), change.tokens, entry) && leaves_out_)
          sleeping_.push(block.successors.sleeping(i));
        continue;
      }
      outcome = {.tokens = effects_.sets().intern(change.tokens),
                 .passing = effects_.sets().intern(change.passing),
                 .items = change.items};
    } else {
      outcome = outcome_of<Pass>(effects_.apply(kinds.of(kind, effects_), tokens));
    }
    const std::size_t entries = pass.entries();
    const bool any = arrive(pass, block, i, outcome, entry);
    if (leaves_out_ && entries != pass.entries())
      sleeping_.push(block.successors.sleeping(i));
    if (any)
      if (const auto reached = goal_reached())
        return reached;
  }
  if constexpr (std::is_same_v<Pass, PathPass>) {
    if (options_.reset) {
      const std::size_t first_new = pass.entries();
      pass.add_reset(entry);
      look_ahead(pass, first_new);
    }
  }
  return std::nullopt;
}

// A step leads somewhere: what does it cover, what does the new state show, and is it new? Without
// an outcome nothing of the step itself is. True: something was noted.
template <class Pass>
bool Search::arrive(Pass& pass,
                    const EntryBlock& block,
                    std::size_t successor_number,
                    const std::optional<Outcome>& outcome,
                    EntryId from) {
  constexpr bool kPaths = std::is_same_v<Pass, PathPass>;
  constexpr bool kWhole = kPaths || std::is_same_v<Pass, SubsetPass>;
  const StateKey key = key_of(block, successor_number);
  const std::uint64_t* const state = key.state;
  const std::size_t entries = pass.entries();
  items_.clear();
  armed_.clear();
  SetId tokens;
  bool passing = false;
  if (outcome) {
    items_.assign(outcome->items.begin(), outcome->items.end());
    tokens = outcome->tokens;
    passing = outcome->passing != BitSets::kEmpty;
    if (passing)
      gather_observed<Pass>(state, outcome->passing);
  }
  if constexpr (kWhole) {
    gather_observed<Pass>(state, tokens);
    tokens = effects_.sets().unite(tokens, armed_);
    if constexpr (kPaths)
      pass.arrive(key, tokens, items_, from, 1);
    else
      pass.arrive(key, tokens, from);
  } else {
    const SetId all = passing ? effects_.sets().unite(tokens, armed_) : tokens;
    bool is_new = false;
    if constexpr (kOneByOne<Pass>)
      is_new = pass.arrive(key, effects_.sets()[all], from);
    else
      is_new = pass.arrive(key, all, from);
    if (is_new && observer_.is_needed()) {
      // What the state arms is not looked at in the same state again.
      const SetId fresh =
          passing ? effects_.sets().intersect(pass.fresh(), effects_.sets()[tokens]) : pass.fresh();
      armed_.clear();
      if (fresh != BitSets::kEmpty)
        gather_observed<Pass>(state, fresh);
      if (!armed_.empty())
        pass.add_to_last(armed_);
    }
  }
  const bool any = !items_.empty();
  if (any)
    note(pass, {.from = from, .step = step_number(block, successor_number, from)});
  if (observer_.waits() && pass.entries() != entries)
    look_ahead(pass, entries);
  return any || observer_.waits();
}

// Where some successors were left out, all are made again to see which one it is: that happens as
// often as items are covered.
std::uint32_t Search::step_number(const EntryBlock& block, std::size_t successor, EntryId from) {
  const Successors& some = block.successors;
  const std::size_t number = successor - part_first_;
  if (!leaves_out_ || all_covered(items_))
    return static_cast<std::uint32_t>(number);
  const std::uint64_t* const target = plain_key(block, successor).state;
  generator_.expand(state(from), successors_);
  for (std::size_t i = number; i < successors_.size(); ++i)
    if (std::equal(target, target + system_.state_words(), successors_.state(i).data()) &&
        std::ranges::equal(kinds_[block.expander].events(some.step(successor).kind),
                           generator_.events(successors_.step(i).kind)))
      return static_cast<std::uint32_t>(i);
  assert(false && "a successor is made again");
  return 0;
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
Search::Outcome Search::outcome_of(OutcomeId id) {
  Outcome out{
      .tokens = effects_.tokens(id), .passing = effects_.passing(id), .items = effects_.items(id)};
  if constexpr (!std::is_same_v<Pass, PathPass>) {
    if (seen_.size() <= id.index())
      seen_.resize(id.index() + 1);
    if (seen_[id.index()])
      out.items = {};
    seen_[id.index()] = true;
  }
  return out;
}

template <class Pass>
void Search::gather(OutcomeId id) {
  const Outcome outcome = outcome_of<Pass>(id);
  items_.insert(items_.end(), outcome.items.begin(), outcome.items.end());
}

bool Search::all_covered(std::span<const ItemId> items) const {
  return std::ranges::all_of(items, [this](ItemId item) { return ledger_.is_covered(item); });
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
    const StateKey key = store_.key(waiting.state.data());
    const SetId all = effects_.sets().unite(node(entry).tokens, effects_.sets()[armed]);
    if constexpr (kPaths)
      pass.arrive(key, all, items_, entry, 0);
    else if constexpr (kOneByOne<Pass>)
      pass.arrive(key, effects_.sets()[armed], entry);
    else
      pass.arrive(key, std::is_same_v<Pass, SubsetPass> ? all : armed, entry);
  }
  const bool new_entry = pass.entries() != entries;
  if (!items_.empty() || new_entry)
    waits_.push_back(moment.until);
  if (new_entry)
    wait_of_.emplace(EntryId(entries), number);
  if (!items_.empty())
    note(pass, {.from = entry, .step = Arrival::kWait | number});
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
      if (arrival.depth == 0) {
        arrival.depth = depth(arrival.from) + (arrival.is_wait() ? 0 : 1);
        way_steps_ += arrival.depth;
      }
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
        recomputed_state_.assign(successors_.state(*step).begin(), successors_.state(*step).end());
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
  StepEffects& kinds = kinds_.front();
  kinds.add_all(generator_);
  for (std::size_t i = 0; i < successors_.size(); ++i) {
    if (!is_state(to, successors_.state(i).data()))
      continue;
    const StepLook look =
        look_at_step(effects_, observer_, kinds.of(successors_.step(i).kind, effects_),
                     source.tokens, successors_.state(i).data());
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
