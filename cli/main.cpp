// The command line. Each command lives in a file of its own, with its options.

#include <array>
#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <new>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/memory_use.hpp"

namespace tw {

Command::~Command() = default;

bool Command::chosen() const { return app_->parsed(); }

}  // namespace tw

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Tracewright: test suites from networks of timed state machines", "tracewright"};
  app.set_version_flag("--version", "tracewright " TW_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n  tracewright generate model.xml -c edge\n"
      "  tracewright generate model.xml --format json -o suite.json\n"
      "  tracewright check model.xml suite.json\n"
      "  tracewright measure model.xml suite.json -c all\n"
      "  tracewright compare model.xml -c all\n"
      "  tracewright info model.xml\n\n"
      "Exit codes: 0 done, every item covered or proven infeasible, 1 a goal was not met,\n"
      "2 wrong usage, 3 a file is missing or wrong, or the model makes a run-time error,\n"
      "4 a limit was hit, 5 internal error or output not written, 130 interrupted.");
  const std::array<std::unique_ptr<tw::Command>, 7> commands = {
      tw::make_generate_command(app), tw::make_check_command(app),   tw::make_info_command(app),
      tw::make_criteria_command(app), tw::make_explain_command(app), tw::make_measure_command(app),
      tw::make_compare_command(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const bool named = argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
    if (named)
      tw::say("error: unknown command '{}'\n  hint: tracewright --help lists them\n", argv[1]);
    else
      app.exit(error);
    return static_cast<int>(tw::ExitCode::kUsage);
  } catch (const CLI::ParseError& error) {
    // CLI11 reports through exceptions; help and version come this way, too, with code 0.
    const bool usage = app.exit(error) != 0;
    return static_cast<int>(usage ? tw::ExitCode::kUsage : tw::ExitCode::kOk);
  }
  for (const std::unique_ptr<tw::Command>& command : commands)
    if (command->chosen())
      return static_cast<int>(command->run());
  return static_cast<int>(tw::ExitCode::kUsage);
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
    const int code = run(argc, argv);
    // Help and version go through std::cout; a full disk must not pass for success there either.
    if (std::cout.flush() && std::fflush(stdout) == 0)
      return code;
    std::fputs("error: cannot write to standard output\n", stderr);
    return static_cast<int>(tw::ExitCode::kInternal);
  } catch (const tw::BudgetSpent& met) {
    return tell_limit(met.limit());
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
  }
  return static_cast<int>(tw::ExitCode::kInternal);
}
