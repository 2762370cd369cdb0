#include "engine/search/entry_block.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace tw {
namespace {

constexpr std::size_t kJobsPerThread = 8;
constexpr std::size_t kLooks = 256;

// For about as long as a block takes. True: it has happened.
template <class Happened>
bool look_again(Happened happened) {
  for (std::size_t i = 0; i < kLooks; ++i) {
    if (happened())
      return true;
    std::this_thread::yield();
  }
  return false;
}

void prefetch_stretch(const void* first, std::size_t bytes) {
  const char* const begin = static_cast<const char*>(first);
  for (std::size_t i = 0; i < bytes; i += kLine)
    __builtin_prefetch(begin + i);
}

template <class T>
void prefetch_all(const std::vector<T>& list) {
  prefetch_stretch(list.data(), list.size() * sizeof(T));
}

}  // namespace

void EntryBlock::prefetch_states() const {
  prefetch_all(states);
  prefetch_all(parts);
  prefetch_all(sleeping);
}

void EntryBlock::prefetch_successors() const {
  prefetch_all(parts);
  successors.for_each_stretch(prefetch_stretch);
}

void EntryBlock::clear() {
  // Parts and states are written anew in any case.
  successors.clear();
  sleeping.clear();
  new_events.clear();
  new_ends.clear();
}

void Expander::expand(EntryBlock& block) {
  block.expander = number_;
  if (number_ != 0)
    block.prefetch_states();
  const std::uint64_t* state = block.states.data();
  for (std::size_t i = 0; i < block.parts.size(); ++i, state += words_) {
    if (block.parts[i].wanted && block.successors.error.status == RunStatus::kOk) {
      block.parts[i].steps = static_cast<std::uint32_t>(generator_.append(
          state, block.successors,
          {.sleeping = block.sleeping.empty() ? 0 : block.sleeping[i], .recent = only_new_}));
      if (block.successors.error.status != RunStatus::kOk)
        block.failed_part = i;
    }
    block.parts[i].end = static_cast<std::uint32_t>(block.successors.size());
  }
  for (; told_kinds_ < generator_.kinds(); ++told_kinds_) {
    const auto events = generator_.events(StepKindId(told_kinds_));
    block.new_events.insert(block.new_events.end(), events.begin(), events.end());
    block.new_ends.push_back(static_cast<std::uint32_t>(block.new_events.size()));
  }
}

BlockQueue::BlockQueue(const System& system, SuccessorGenerator& generator, Options options)
    : system_(system),
      options_(options),
      own_(generator, system.state_words(), 0, options.only_new),
      jobs_(options.threads == 1 ? 1 : kJobsPerThread * options.threads) {
  // Where the system has no more threads, those that are there do the work.
  try {
    for (std::size_t i = 1; i < options.threads; ++i)
      workers_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error&) {
  }
}

BlockQueue::~BlockQueue() {
  stopping_ = true;
  ++news_;
  news_.notify_all();
}

std::unique_ptr<EntryBlock> BlockQueue::take_empty() {
  if (empty_.empty())
    return std::make_unique<EntryBlock>();
  std::unique_ptr<EntryBlock> out = std::move(empty_.back());
  empty_.pop_back();
  out->clear();
  return out;
}

void BlockQueue::add(std::unique_ptr<EntryBlock> block) {
  const std::uint64_t number = added_.load(std::memory_order_relaxed);
  job(number).block = std::move(block);
  job(number).done.store(false, std::memory_order_relaxed);
  added_.store(number + 1, std::memory_order_release);
  if (workers_.empty())
    return;
  ++news_;
  news_.notify_all();
}

// The next job that nobody has begun.
BlockQueue::Job* BlockQueue::take() {
  std::uint64_t next = taken_.load(std::memory_order_relaxed);
  while (next != added_.load(std::memory_order_acquire))
    if (taken_.compare_exchange_weak(next, next + 1, std::memory_order_relaxed))
      return &job(next);
  return nullptr;
}

void BlockQueue::expand(Expander& expander, Job& job) {
  try {
    expander.expand(*job.block);
  } catch (...) {  // a limit, or out of memory: the thread that asked for the block has to know
    job.failure = std::current_exception();
  }
  job.done.store(true, std::memory_order_release);
  job.done.notify_one();
}

// Whoever needs a block that nobody has begun expands it; while somebody else does, the next one.
EntryBlock& BlockQueue::front() {
  Job& first = job(first_);
  while (!first.done.load(std::memory_order_acquire)) {
    if (Job* const next = take())
      expand(own_, *next);
    else if (!look_again([&] { return first.done.load(std::memory_order_acquire); }))
      first.done.wait(false, std::memory_order_acquire);
  }
  if (first.failure)
    std::rethrow_exception(std::exchange(first.failure, nullptr));
  return *first.block;
}

void BlockQueue::pop_front() {
  empty_.push_back(std::move(job(first_).block));
  ++first_;
}

// A thread makes its generator itself: memory that it changes all the time is then not mixed with
// that of others.
void BlockQueue::work(std::size_t number) {
  const BudgetScope scope(budget_);
  std::optional<SuccessorGenerator> generator;
  try {
    generator.emplace(system_, options_.on_error);
  } catch (const std::bad_alloc&) {
    return;  // the others do its work
  }
  Expander expander(*generator, system_.state_words(), number, options_.only_new);
  for (;;) {
    const std::uint32_t seen = news_;
    if (stopping_)
      return;
    if (Job* const next = take())
      expand(expander, *next);
    else if (!look_again([&] { return news_ != seen; }))
      news_.wait(seen);
  }
}

}  // namespace tw
