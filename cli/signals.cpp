#include "cli/signals.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace tw {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
// Those that end the program at once, unless nobody wants them: nothing is left beside its files.
constexpr std::array kEndings = {SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

// What the handler needs; it may touch nothing that is not lock-free.
struct State {
  std::atomic<bool> is_watched = false;
  std::atomic<bool> is_seen = false;
  std::atomic<std::int64_t> seen_at = 0;  // in milliseconds
};

// A result and a picture are the most that one run writes.
constexpr std::size_t kMostFiles = 4;

struct File {
  std::atomic<bool> is_set = false;
  std::array<char, PATH_MAX> path = {};
};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
constinit State state;
constinit std::array<File, kMostFiles> files;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

std::int64_t milliseconds() {
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void end_by(int signal) {
  for (const File& file : files)
    if (file.is_set)
      ::unlink(file.path.data());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A second signal ends the program at once, unless it is the same one: timeout(1) signals its child
// and then the whole group. Everything here may be called in a signal handler.
void on_signal(int signal) {
  constexpr std::int64_t kSame = 200;
  if (state.is_watched && !state.is_seen) {
    state.seen_at = milliseconds();
    state.is_seen = true;
    return;
  }
  if (state.is_seen && milliseconds() - state.seen_at <= kSame)
    return;
  end_by(signal);
}

void keep_open(int stream) {
  if (::fcntl(stream, F_GETFD) >= 0)
    return;
  // Opened the wrong way round, so that standard input and output are errors when they are used.
  const int way = stream == STDIN_FILENO ? O_WRONLY : stream == STDOUT_FILENO ? O_RDONLY : O_RDWR;
  (void)::open("/dev/null", way);  // the smallest number that is free
}

// What the caller wants ignored stays ignored.
void handle(int signal, void (*handler)(int)) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN)
    return;
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void prepare_streams_and_signals() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    keep_open(stream);
  for (const int signal : {SIGPIPE, SIGXFSZ})
    std::signal(signal, SIG_IGN);
  for (const int signal : kSignals)
    handle(signal, on_signal);
  for (const int signal : kEndings)
    handle(signal, end_by);
}

SignalScope::SignalScope() {
  state.is_seen = false;
  state.is_watched = true;
}

// What was seen stays seen: the same signal may come once more.
SignalScope::~SignalScope() { state.is_watched = false; }

bool SignalScope::was_interrupted() const { return state.is_seen; }

SignalPause::SignalPause() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals)
    sigaddset(&set, signal);
  for (const int signal : kEndings)
    sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

SignalPause::~SignalPause() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void UnfinishedFile::remember(const std::string& path) {
  for (std::size_t i = 0; i < files.size() && path.size() < PATH_MAX; ++i) {
    if (files[i].is_set)
      continue;
    std::memcpy(files[i].path.data(), path.c_str(), path.size() + 1);
    files[i].is_set = true;
    slot_ = static_cast<int>(i);
    return;
  }
}

void UnfinishedFile::forget() {
  if (slot_ >= 0)
    files[static_cast<std::size_t>(slot_)].is_set = false;
  slot_ = -1;
}

}  // namespace tw
