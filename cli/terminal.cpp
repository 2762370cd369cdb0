#include "cli/terminal.hpp"

#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

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

}  // namespace tw
