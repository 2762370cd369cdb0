#include "cli/watch.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/say.hpp"

namespace tw {

Watch::Watch(Options options) : visible_(!options.quiet && isatty(STDERR_FILENO) != 0) {}

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
  return signals_.was_interrupted();
}

bool Watch::operator()(std::string_view line) {
  if (is_due())
    show(line);
  return signals_.was_interrupted();
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
  say("\r{:<{}}", line, width_);
  std::fflush(stderr);
  width_ = line.size();
}

void Watch::clear() {
  if (width_ != 0)
    say("\r{:{}}\r", "", width_);
  width_ = 0;
}

}  // namespace tw
