#include "engine/search/entry_block.hpp"

#include <algorithm>

namespace tw {

void EntryBlock::clear() {
  parts.clear();
  states.clear();
  successors.clear();
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
  for (; told_kinds_ < generator_.kinds(); ++told_kinds_) {
    const auto events = generator_.events(StepKindId(told_kinds_));
    block.new_events.insert(block.new_events.end(), events.begin(), events.end());
    block.new_ends.push_back(static_cast<std::uint32_t>(block.new_events.size()));
  }
  if (recent_)
    leave_out_recent(block);
}

// A kind may be known before there is a step of it: others may keep it from happening.
void Expander::leave_out_recent(EntryBlock& block) {
  Successors& all = block.successors;
  passed_on_.resize(told_kinds_);
  block.numbers.resize(all.size());
  std::size_t kept = 0;
  std::size_t first = 0;
  for (EntryBlock::Part& part : block.parts) {
    for (std::size_t i = first; i < part.end; ++i) {
      const std::size_t kind = all.steps[i].kind.index();
      if (recent_->meet(all.states.data() + i * words_, all.hashes[i]) && passed_on_[kind] != 0)
        continue;
      passed_on_[kind] = 1;
      for (std::size_t k = 0; k < words_; ++k)
        all.states[kept * words_ + k] = all.states[i * words_ + k];
      all.steps[kept] = all.steps[i];
      all.hashes[kept] = all.hashes[i];
      block.numbers[kept] = static_cast<std::uint32_t>(i - first);
      ++kept;
    }
    first = part.end;
    part.end = static_cast<std::uint32_t>(kept);
  }
  all.steps.resize(kept);
  all.hashes.resize(kept);
  all.states.resize(kept * words_);
  block.numbers.resize(kept);
}

BlockQueue::BlockQueue(const System& system, SuccessorGenerator& generator, Options options)
    : own_(generator, system.state_words(), 0, options.only_new) {
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
    if (job.progress == Progress::kReady)
      own_.expand(*job.block);
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
    workers_[number].expander->expand(block);
    lock.lock();
    job->progress = Progress::kDone;
    changed_.notify_all();
  }
}

}  // namespace tw
