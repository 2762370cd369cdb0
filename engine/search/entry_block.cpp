#include "engine/search/entry_block.hpp"

#include <algorithm>

namespace tw {

void EntryBlock::clear() {
  parts.clear();
  states.clear();
  successors.clear();
  known.clear();
  numbers.clear();
  new_events.clear();
  new_ends.clear();
}

void Expander::expand(EntryBlock& block) {
  block.expander = number_;
  const std::uint64_t* state = block.states.data();
  for (std::size_t i = 0; i < block.parts.size(); ++i, state += words_) {
    if (block.parts[i].wanted && block.successors.error.status == RunStatus::kOk) {
      generator_.append(state, block.successors);
      if (block.successors.error.status != RunStatus::kOk)
        block.failed_part = i;
    }
    const std::uint32_t before = i == 0 ? 0 : block.parts[i - 1].end;
    block.parts[i].end = static_cast<std::uint32_t>(block.successors.size());
    block.parts[i].steps = block.parts[i].end - before;
  }
  if (recent_)
    leave_out(block, [&](std::size_t i) {
      return recent_->meet(block.successors.states.data() + i * words_, block.successors.hashes[i]);
    });
}

void Expander::leave_out_known(EntryBlock& block) const {
  if (recent_)
    leave_out(block, [&](std::size_t i) { return block.known[i].valid(); });
}

template <class IsOld>
void Expander::leave_out(EntryBlock& block, IsOld is_old) const {
  Successors& all = block.successors;
  const bool numbered = !block.numbers.empty();
  if (!numbered)
    block.numbers.resize(all.size());
  std::size_t kept = 0;
  std::size_t first = 0;
  for (EntryBlock::Part& part : block.parts) {
    for (std::size_t i = first; i < part.end; ++i) {
      if (is_old(i) && was_passed_on(all.steps[i].kind))
        continue;
      for (std::size_t k = 0; k < words_; ++k)
        all.states[kept * words_ + k] = all.states[i * words_ + k];
      all.steps[kept] = all.steps[i];
      all.hashes[kept] = all.hashes[i];
      if (!block.known.empty())
        block.known[kept] = block.known[i];
      block.numbers[kept] = numbered ? block.numbers[i] : static_cast<std::uint32_t>(i - first);
      ++kept;
    }
    first = part.end;
    part.end = static_cast<std::uint32_t>(kept);
  }
  all.steps.resize(kept);
  all.hashes.resize(kept);
  all.states.resize(kept * words_);
  block.numbers.resize(kept);
  if (!block.known.empty())
    block.known.resize(kept);
}

// A kind may be known without any step of it: a step that others keep from happening.
void Expander::finish(EntryBlock& block) {
  for (; told_kinds_ < generator_.kinds(); ++told_kinds_) {
    const auto events = generator_.events(StepKindId(told_kinds_));
    block.new_events.insert(block.new_events.end(), events.begin(), events.end());
    block.new_ends.push_back(static_cast<std::uint32_t>(block.new_events.size()));
  }
  if (!recent_)
    return;
  passed_on_.resize(told_kinds_);
  for (const Successors::StepRef& step : block.successors.steps)
    passed_on_[step.kind.index()] = true;
}

BlockQueue::BlockQueue(const System& system,
                       SuccessorGenerator& generator,
                       StateStore& store,
                       Options options)
    : system_(system),
      store_(store),
      options_(options),
      own_(generator, system.state_words(), 0, options.only_new) {
  // All are made before the first one starts: threads do not see the list change.
  for (std::size_t i = 1; i < options.threads; ++i) {
    Worker& worker = workers_.emplace_back();
    worker.generator = std::make_unique<SuccessorGenerator>(system, options.on_error);
    worker.expander =
        std::make_unique<Expander>(*worker.generator, system.state_words(), i, options.only_new);
  }
  for (std::size_t i = 0; i < workers_.size(); ++i)
    workers_[i].thread = std::jthread([this, i] { work(i); });
}

BlockQueue::~BlockQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
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
  if (workers_.empty()) {
    jobs_.push_back({.block = std::move(block)});
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back({.block = std::move(block)});
  }
  changed_.notify_all();
}

BlockQueue::Job* BlockQueue::take_ready() {
  for (Job& job : jobs_) {
    if (job.progress != Progress::kReady)
      continue;
    job.progress = Progress::kTaken;
    return &job;
  }
  return nullptr;
}

// Whoever needs a block that nobody has begun expands it; while somebody else does, the next one.
EntryBlock& BlockQueue::front() {
  if (workers_.empty()) {
    Job& job = jobs_.front();
    if (job.progress == Progress::kReady) {
      own_.expand(*job.block);
      own_.finish(*job.block);
    }
    job.progress = Progress::kDone;
    return *job.block;
  }
  std::unique_lock lock(mutex_);
  while (jobs_.front().progress != Progress::kDone) {
    Job* const job = take_ready();
    if (job == nullptr) {
      changed_.wait(lock);
      continue;
    }
    EntryBlock& block = *job->block;
    lock.unlock();
    own_.expand(block);
    own_.finish(block);
    lock.lock();
    job->progress = Progress::kDone;
  }
  return *jobs_.front().block;
}

void BlockQueue::pop_front() {
  std::unique_lock<std::mutex> lock;
  if (!workers_.empty())
    lock = std::unique_lock(mutex_);
  empty_.push_back(std::move(jobs_.front().block));
  jobs_.pop_front();
}

void BlockQueue::reserve(std::size_t more) {
  if (workers_.empty() || !store_.is_full(more))
    return;
  const std::unique_lock lock(table_);
  while (store_.is_full(more))
    store_.grow();
}

void BlockQueue::work(std::size_t number) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopping_)
      return;
    Job* const job = take_ready();
    if (job == nullptr) {
      changed_.wait(lock);
      continue;
    }
    EntryBlock& block = *job->block;
    lock.unlock();
    Expander& expander = *workers_[number].expander;
    expander.expand(block);
    if (options_.look_up) {
      look_up(block);
      expander.leave_out_known(block);
    }
    expander.finish(block);
    lock.lock();
    job->progress = Progress::kDone;
    changed_.notify_all();
  }
}

void BlockQueue::look_up(EntryBlock& block) {
  const std::shared_lock lock(table_);
  const Successors& successors = block.successors;
  const std::size_t words = system_.state_words();
  constexpr std::size_t kAhead = 16;
  const auto key = [&](std::size_t i) {
    return StateKey{.state = successors.states.data() + i * words, .hash = successors.hashes[i]};
  };
  block.known.resize(successors.size());
  for (std::size_t i = 0; i < successors.size() + kAhead; ++i) {
    if (i < successors.size())
      store_.prefetch(successors.hashes[i]);
    if (i >= kAhead / 2 && i - kAhead / 2 < successors.size())
      store_.prefetch_record(successors.hashes[i - kAhead / 2]);
    if (i >= kAhead)
      block.known[i - kAhead] = store_.find(key(i - kAhead));
  }
}

}  // namespace tw
