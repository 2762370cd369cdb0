#include "cli/watch.hpp"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <unistd.h>

namespace tw {
namespace {

// Set by the signal handler, read by the search now and then.
volatile std::sig_atomic_t interrupt_seen =
    0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// When it was set, in milliseconds.
std::int64_t interrupt_time = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// A second signal ends the program at once, unless it is the same one: timeout(1) signals its child
// and then the whole group. Everything here may be called in a signal handler.
void on_interrupt(int signal) {
  constexpr std::int64_t kSame = 200;
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t time = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  if (interrupt_seen == 0) {
    interrupt_time = time;
    interrupt_seen = 1;
  } else if (time - interrupt_time > kSame) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

void catch_signal(int signal) {
  struct sigaction now {};
  // What the parent told us to ignore stays ignored: nohup, jobs in the background.
  if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN)
    return;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(signal, &action, nullptr);
}

void release_signal(int signal) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == on_interrupt)
    std::signal(signal, SIG_DFL);
}

}  // namespace

Watch::Watch(Options options) : visible_(!options.quiet && isatty(STDERR_FILENO) != 0) {
  interrupt_seen = 0;
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

Watch::~Watch() {
  clear();
  release_signal(SIGINT);
  release_signal(SIGTERM);
}

bool Watch::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now - shown_ <= std::chrono::milliseconds(250))
    return false;
  shown_ = now;
  return true;
}

bool Watch::operator()(const SearchProgress& progress) {
  if (is_due())
    show(progress, std::chrono::duration<double>(shown_ - started_).count());
  return interrupt_seen != 0;
}

bool Watch::operator()(std::string_view line) {
  if (is_due())
    show(line);
  return interrupt_seen != 0;
}

void Watch::show(const SearchProgress& progress, double seconds) {
  constexpr double kMebibyte = 1024.0 * 1024.0;
  std::string line = fmt::format("{} states, {:.0f}/s, {:.0f} MB, {:.0f} s", progress.states,
                                 static_cast<double>(progress.states) / seconds,
                                 static_cast<double>(progress.bytes) / kMebibyte, seconds);
  if (progress.items != 0)
    line += fmt::format(", {} of {} items", progress.covered, progress.items);
  show(line);
}

void Watch::show(std::string_view line) {
  // Blanks instead of escape sequences: nothing to switch off for NO_COLOR or a dumb terminal.
  fmt::print(stderr, "\r{:<{}}", line, width_);
  std::fflush(stderr);
  width_ = line.size();
}

void Watch::clear() {
  if (width_ != 0)
    fmt::print(stderr, "\r{:{}}\r", "", width_);
  width_ = 0;
}

}  // namespace tw
