// The program. Each command lives in a file of its own, with its options.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/memory_use.hpp"

namespace {

constexpr std::size_t kHelpWidth = 80;       // where nobody knows better
constexpr std::size_t kMostHelpWidth = 100;  // longer lines are hard to read

int run(int argc, char** argv) {
  const std::size_t terminal = tw::terminal_width(STDOUT_FILENO);
  tw::CommandLine line(terminal == 0 ? kHelpWidth : std::min(terminal, kMostHelpWidth));
  const tw::ParsedLine parsed = line.parse(std::vector<std::string>(argv + 1, argv + argc));
  if (!parsed.err.empty())
    tw::say_lines(parsed.err);
  if (!parsed.out.empty())
    return static_cast<int>(tw::write_stdout(parsed.out));
  return static_cast<int>(parsed.command == nullptr ? parsed.code : parsed.command->run());
}

// A limit was met before there was anything to write.
int tell_limit(tw::Limit limit) {
  if (limit == tw::Limit::kInterrupt) {
    std::fputs("interrupted: nothing was found yet\n", stderr);
    return static_cast<int>(tw::ExitCode::kInterrupted);
  }
  std::fprintf(stderr, "error: %s was reached before anything was found\n",
               limit == tw::Limit::kTime ? "--time-limit" : "--max-memory");
  return static_cast<int>(tw::ExitCode::kLimit);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tw::prepare_streams_and_signals();
    tw::keep_memory_reserve();
    return run(argc, argv);
  } catch (const tw::BudgetSpent& met) {
    return tell_limit(met.limit());
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
  }
  return static_cast<int>(tw::ExitCode::kInternal);
}
