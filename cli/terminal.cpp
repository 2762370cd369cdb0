#include "cli/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/say.hpp"
#include "engine/base/wrap.hpp"

namespace tw {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

std::size_t terminal_width(int stream) {
  struct winsize size {};
  return ::isatty(stream) != 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool wants_colours(int stream) {
  const std::string_view terminal = variable("TERM");
  return ::isatty(stream) != 0 && variable("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

void say_lines(std::string_view lines) {
  const std::size_t width = terminal_width(STDERR_FILENO);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    say("{}\n", wrap(line, width, std::min(line.find_first_not_of(' '), line.size()) + 2));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace tw
