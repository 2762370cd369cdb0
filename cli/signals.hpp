// Signals that ask the program to end: SIGINT, SIGTERM, SIGHUP. While somebody looks at them, the
// first one ends the work and not the program; any other, or a second one, ends it at once and
// leaves no half-written file behind.
#pragma once

#include <csignal>
#include <string>

namespace tw {

/// For main: catches them all, but for those that the parent told us to ignore (nohup, jobs in the
/// background). A closed pipe and a file that is too long are no signals, but errors of writing.
/// A standard stream that is closed becomes one that cannot be written to; otherwise the next file
/// that is opened would take its place.
void prepare_streams_and_signals();

/// Somebody looks at the signals as long as this lives; not two at a time.
class SignalScope {
 public:
  SignalScope();
  ~SignalScope();
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

  [[nodiscard]] bool was_interrupted() const;
};

/// No signal comes as long as this lives.
class SignalPause {
 public:
  SignalPause();
  ~SignalPause();
  SignalPause(const SignalPause&) = delete;
  SignalPause& operator=(const SignalPause&) = delete;

 private:
  sigset_t before_ = {};
};

/// A file that is removed when a signal ends the program. Make it under a SignalPause.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  ~UnfinishedFile() { forget(); }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void remember(const std::string& path);
  void forget();

 private:
  int slot_ = -1;
};

}  // namespace tw
