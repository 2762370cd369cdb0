#include "cli/watch.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "cli/say.hpp"
#include "cli/terminal.hpp"

namespace tw {

Watch::Watch(Options options) : visible_(!options.quiet && isatty(STDERR_FILENO) != 0) {}

bool Watch::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now - shown_ <= std::chrono::milliseconds(250))
    return false;
  shown_ = now;
  return true;
}

double Watch::seconds() const { return std::chrono::duration<double>(shown_ - started_).count(); }

void Watch::operator()(const SearchProgress& progress) {
  const std::scoped_lock lock(mutex_);
  if (is_due()) {
    constexpr double kMebibyte = 1024.0 * 1024.0;
    std::string line =
        fmt::format("search: {} states, {:.0f}/s, {:.0f} MB, {:.0f} s", progress.states,
                    static_cast<double>(progress.states) / seconds(),
                    static_cast<double>(progress.bytes) / kMebibyte, seconds());
    if (progress.items != 0)
      line += fmt::format(", {} of {} items", progress.covered, progress.items);
    show(std::move(line));
  }
}

bool Watch::operator()(std::string_view phase, std::string_view detail) {
  const std::scoped_lock lock(mutex_);
  // The search tells more itself.
  if (phase != "search" && !phase.empty() && is_due())
    show(fmt::format("{}: {}{}{:.0f} s", phase, detail, detail.empty() ? "" : ", ", seconds()));
  return was_interrupted();
}

void Watch::show(std::string line) {
  // A line that does not fit would stay for ever. The last column is not used: the cursor stands
  // there.
  if (const std::size_t columns = terminal_width(STDERR_FILENO); columns > 1)
    line.resize(std::min(line.size(), columns - 1));
  // Blanks instead of escape sequences: nothing to switch off for NO_COLOR or a dumb terminal.
  say("\r{:<{}}", line, std::exchange(width_, line.size()));
}

void Watch::clear() {
  const std::scoped_lock lock(mutex_);
  // With the ^C that a terminal shows behind it.
  constexpr std::size_t kEcho = 2;
  if (width_ != 0)
    say("\r{:{}}\r", "",
        std::min(width_ + kEcho, std::max(terminal_width(STDERR_FILENO), width_ + 1) - 1));
  width_ = 0;
}

}  // namespace tw
