// Watches over a run: the first Ctrl-C ends the work, not the program, and a terminal sees how far
// it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string_view>

#include "cli/signals.hpp"
#include "engine/search/search_options.hpp"

namespace tw {

/// Make one for the time of the work; not two at a time. The second Ctrl-C ends the program as
/// usual, so that nobody has to wait for the rest.
class Watch {
 public:
  struct Options {
    bool quiet = false;  // no progress, also on a terminal
  };

  explicit Watch(Options options);
  ~Watch() { clear(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// What the search has done so far; writes at most four times a second. From any thread.
  void operator()(const SearchProgress& progress);

  /// The same for other phases of a run, "chaining", and how far they are, if anyone knows: "12 of
  /// 40 items". True: the run shall end.
  bool operator()(std::string_view phase, std::string_view detail = {});

  /// Says nothing.
  [[nodiscard]] bool was_interrupted() const { return signals_.was_interrupted(); }

  /// Removes the line of progress.
  void clear();

 private:
  [[nodiscard]] bool is_due();
  [[nodiscard]] double seconds() const;
  void show(std::string line);

  SignalScope signals_;
  std::mutex mutex_;  // for all below
  bool visible_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = started_;
  std::size_t width_ = 0;  // of the line that stands there
};

}  // namespace tw
