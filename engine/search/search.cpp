#include "engine/search/search.hpp"

#include <algorithm>
#include <limits>

namespace tw {
namespace {

// Clocks and interrupts are looked at once per this many expansions.
constexpr std::uint64_t kLookInterval = 1024;

// State numbers are 32 bits wide and one is reserved.
constexpr std::uint64_t kMostStates = std::numeric_limits<std::uint32_t>::max() - 1;

}  // namespace

Search::Search(const System& system, SearchOptions options)
    : system_(system),
      options_(std::move(options)),
      generator_(system, options_.on_error),
      store_(system.layout().words()) {}

std::optional<StopReason> Search::limit_reached() const {
  const std::uint64_t most = options_.max_states == 0 ? kMostStates : options_.max_states;
  if (store_.size() >= most)
    return StopReason::kStates;
  if (statistics_.expansions % kLookInterval != 0)
    return std::nullopt;
  if (options_.max_bytes != 0 && store_.bytes() > options_.max_bytes)
    return StopReason::kMemory;
  if (options_.time_limit.count() != 0 &&
      std::chrono::steady_clock::now() - started_ > options_.time_limit)
    return StopReason::kTime;
  if (options_.interrupted && options_.interrupted())
    return StopReason::kInterrupted;
  return std::nullopt;
}

StopReason Search::run() {
  started_ = std::chrono::steady_clock::now();
  const SuccessorGenerator::Initial initial = generator_.initial();
  if (initial.error.status != RunStatus::kOk) {
    error_ = initial.error;
    return StopReason::kModelError;
  }
  has_initial_state_ = initial.exists;
  if (!initial.exists)
    return StopReason::kExhausted;
  store_.insert(initial.state.data(), StateId());

  StopReason reason = StopReason::kExhausted;
  const std::size_t words = system_.layout().words();
  std::size_t layer_end = 1;  // states of the depth being expanded lie before this number
  for (std::size_t at = 0; at < store_.size(); ++at) {
    if (const auto limit = limit_reached()) {
      reason = *limit;
      break;
    }
    if (at == layer_end) {
      ++statistics_.depth;
      layer_end = store_.size();
    }
    generator_.expand(store_.state(StateId(at)), successors_);
    ++statistics_.expansions;
    if (successors_.error.status != RunStatus::kOk) {
      error_ = successors_.error;
      failed_state_ = StateId(at);
      reason = StopReason::kModelError;
      break;
    }
    statistics_.transitions += successors_.size();
    statistics_.deadlocks += successors_.size() == 0 ? 1U : 0U;
    for (std::size_t i = 0; i < successors_.size(); ++i)
      store_.insert(successors_.states.data() + i * words, StateId(at));
  }
  statistics_.states = store_.size();
  statistics_.bytes = store_.bytes();
  return reason;
}

std::vector<Step> Search::trace(StateId to) {
  std::vector<StateId> path = {to};
  while (store_.parent(path.back()).valid())
    path.push_back(store_.parent(path.back()));
  std::reverse(path.begin(), path.end());
  std::vector<Step> out;
  const std::size_t words = system_.layout().words();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    generator_.expand(store_.state(path[i]), successors_);
    const std::uint64_t* next = store_.state(path[i + 1]);
    for (std::size_t k = 0; k < successors_.size(); ++k) {
      const std::uint64_t* candidate = successors_.states.data() + k * words;
      if (std::equal(next, next + words, candidate)) {
        out.push_back(generator_.describe(successors_, k));
        break;
      }
    }
  }
  return out;
}

}  // namespace tw
