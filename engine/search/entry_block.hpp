// Expanding ahead. What leaves a state does not depend on the search, so the next entries of a
// breadth-first queue can be expanded together, and by other threads, before it is known what of
// their successors is new: that is decided afterwards, in the order of the queue, by the one search
// loop. So the result is the same for every number of threads, and while the successors of one
// block are looked up the memory already answers for those behind them. What is certainly not new
// (recent_states.hpp) is left out: whoever expands blocks does so in the order of the queue, so
// what came lately will have been looked up before.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "engine/search/recent_states.hpp"
#include "engine/search/wait_list.hpp"
#include "engine/semantics/successors.hpp"

namespace tw {

/// Entries with their successors.
struct EntryBlock {
  struct Part {
    EntryId entry;
    bool wanted = true;       // expand it
    std::uint32_t end = 0;    // of its successors; those of the part before end where they begin
    std::uint32_t steps = 0;  // how many it had before some were left out
  };

  std::vector<Part> parts;
  std::vector<std::uint64_t> states;  // packed, of the parts, wanted or not
  Successors successors;              // with an error: of the last part that has any
  std::size_t failed_part = 0;        // with an error: which one had it
  std::vector<std::uint32_t>
      numbers;               // by successor, if some were left out: its number in the part
  std::size_t expander = 0;  // whose kinds of steps these are
  // Events of the kinds of steps that this expander met for the first time, in their order.
  std::vector<std::uint64_t> new_events;
  std::vector<std::uint32_t> new_ends;

  void clear();
};

/// Expands blocks, on one thread.
class Expander {
 public:
  /// The generator is borrowed. With `only_new`, successors that came lately are left out.
  Expander(SuccessorGenerator& generator, std::size_t words, std::size_t number, bool only_new)
      : generator_(generator),
        words_(words),
        number_(number) {
    if (only_new)
      recent_.emplace(words);
  }

  void expand(EntryBlock& block);

 private:
  void leave_out_recent(EntryBlock& block);

  SuccessorGenerator& generator_;
  std::size_t words_;  // of a state
  std::size_t number_;
  std::size_t told_kinds_ = 0;
  std::vector<char> passed_on_;  // by kind: a step of it was not left out
  std::optional<RecentStates> recent_;
};

/// Blocks in the order of the search, and the threads that work on them.
class BlockQueue {
 public:
  struct Options {
    std::size_t threads = 1;
    OnError on_error = OnError::kStop;
    bool only_new = false;  // leave out what came lately, unless its kind of step is new
  };
  /// All are borrowed; the generator is for the thread that calls.
  BlockQueue(const System& system, SuccessorGenerator& generator, Options options);
  ~BlockQueue();
  BlockQueue(const BlockQueue&) = delete;
  BlockQueue& operator=(const BlockQueue&) = delete;

  [[nodiscard]] std::size_t threads() const { return workers_.size() + 1; }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }

  /// An empty block to be filled with parts and states; then add() it.
  [[nodiscard]] std::unique_ptr<EntryBlock> take_empty();
  void add(std::unique_ptr<EntryBlock> block);

  /// The first block, expanded. Pre: there is one.
  [[nodiscard]] EntryBlock& front();
  void pop_front();

 private:
  enum class Progress : std::uint8_t {
    kReady,
    kTaken,
    kDone,
  };
  struct Job {
    std::unique_ptr<EntryBlock> block;
    Progress progress = Progress::kReady;
  };
  struct Worker {
    std::unique_ptr<SuccessorGenerator> generator;
    std::unique_ptr<Expander> expander;
    std::jthread thread;
  };
  void work(std::size_t number);
  [[nodiscard]] Job* take_ready();

  Expander own_;
  std::vector<std::unique_ptr<EntryBlock>> empty_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  std::vector<Worker> workers_;  // last: they end first
};

}  // namespace tw
