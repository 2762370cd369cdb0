// Expanding ahead. What leaves a state does not depend on the search, so the next entries of a
// breadth-first queue can be expanded together, and by other threads, before it is known what of
// their successors is new: that is decided afterwards, in the order of the queue, by the one search
// loop. So the result is the same for every number of threads, and while the successors of one
// block are looked up the memory already answers for those behind them. What is certainly not new
// (engine/semantics/recent_states.hpp) is left out: whoever expands blocks does so in the order of
// the queue, so what came lately will have been looked up before.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/search/wait_list.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

/// What threads change lies in lines of memory of its own.
inline constexpr std::size_t kLine = 64;

/// Entries with their successors.
struct alignas(kLine) EntryBlock {
  struct Part {
    EntryId entry;
    bool wanted = true;       // expand it
    std::uint32_t end = 0;    // of its successors; those of the part before end where they begin
    std::uint32_t steps = 0;  // how many it has: some may have been left out
  };

  std::vector<Part> parts;
  std::vector<std::uint64_t> states;  // packed, of the parts, wanted or not
  std::vector<Sleep> sleeping;        // by part; may be missing
  Successors successors;              // with an error: of the last part that has any
  std::size_t failed_part = 0;        // with an error: which one had it
  std::size_t expander = 0;           // whose kinds of steps these are
  // Events of the kinds of steps that this expander met for the first time, in their order.
  std::vector<std::uint64_t> new_events;
  std::vector<std::uint32_t> new_ends;

  void clear();
  /// Asks the memory for the states, or for what another thread made of them, before they are
  /// needed one by one: their lines are in the cache of another core.
  void prefetch_states() const;
  void prefetch_successors() const;
};

/// Expands blocks, on one thread.
class Expander {
 public:
  /// The generator is borrowed. With `only_new`, successors that came lately are left out.
  Expander(SuccessorGenerator& generator, std::size_t words, std::size_t number, bool only_new)
      : generator_(generator),
        words_(words),
        number_(number),
        only_new_(only_new) {}

  void expand(EntryBlock& block);

 private:
  SuccessorGenerator& generator_;
  std::size_t words_;  // of a state
  std::size_t number_;
  bool only_new_;
  std::size_t told_kinds_ = 0;
};

/// Blocks in the order of the search, and the threads that work on them. One thread adds and takes
/// away; all of them expand. Whoever has nothing to do looks again for a while before it sleeps:
/// a block takes about as long as waking somebody up.
class BlockQueue {
 public:
  struct Options {
    std::size_t threads = 1;
    OnError on_error = OnError::kStop;
    bool only_new = false;  // leave out what came lately, unless its kind of step is new
  };
  /// All are borrowed; the generator is for the thread that calls. Other threads ask the budget of
  /// this one.
  BlockQueue(const System& system, SuccessorGenerator& generator, Options options);
  ~BlockQueue();
  BlockQueue(const BlockQueue&) = delete;
  BlockQueue& operator=(const BlockQueue&) = delete;

  [[nodiscard]] std::size_t threads() const { return workers_.size() + 1; }
  [[nodiscard]] std::size_t size() const { return added_.load(std::memory_order_relaxed) - first_; }
  /// As many as can be worked on at once, and some to come.
  [[nodiscard]] bool has_room() const { return size() < jobs_.size(); }

  /// An empty block to be filled with parts and states; then add() it. Pre: there is room.
  [[nodiscard]] std::unique_ptr<EntryBlock> take_empty();
  void add(std::unique_ptr<EntryBlock> block);

  /// The first block, expanded. Pre: there is one. Throws what expanding it threw.
  [[nodiscard]] EntryBlock& front();
  void pop_front();

 private:
  struct alignas(kLine) Job {
    std::unique_ptr<EntryBlock> block;
    std::exception_ptr failure;  // read if done
    std::atomic<bool> done = false;
  };
  [[nodiscard]] Job& job(std::uint64_t number) { return jobs_[number % jobs_.size()]; }
  [[nodiscard]] Job* take();
  static void expand(Expander& expander, Job& job);
  void work(std::size_t number);

  const System& system_;  // borrowed
  Options options_;
  Budget* const budget_ = BudgetScope::here();
  Expander own_;
  std::vector<std::unique_ptr<EntryBlock>> empty_;
  // Jobs are numbered; a place is used again once its job was taken away.
  std::vector<Job> jobs_;
  std::uint64_t first_ = 0;  // of the thread that adds
  // Jobs before this one are there …
  alignas(kLine) std::atomic<std::uint64_t> added_ = 0;
  std::atomic<std::uint32_t> news_ = 0;  // changes with every job, and at the end
  std::atomic<bool> stopping_ = false;
  // … and those before this one are being expanded, or were.
  alignas(kLine) std::atomic<std::uint64_t> taken_ = 0;
  alignas(kLine) std::vector<std::jthread> workers_;  // last: they end first
};

}  // namespace tw
