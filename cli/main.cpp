// The command line. Options are parsed here; each command lives in a file of its own.

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <new>

#include "cli/exit_code.hpp"
#include "cli/info_command.hpp"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Tracewright: test suites from networks of timed state machines", "tracewright"};
  app.set_version_flag("--version", "tracewright " TW_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n  tracewright info model.xml\n  tracewright info model.xml --json\n\n"
      "Exit codes: 0 done, 2 wrong usage, 3 the model is missing, wrong or makes a run-time "
      "error,\n4 a limit was hit, 5 internal error or output not written, 130 interrupted.");

  tw::InfoOptions info;
  bool json = false;
  CLI::App* info_command = app.add_subcommand("info", "Load a model and say what is in it");
  info_command->add_option("MODEL", info.model, "UPPAAL model: .xml, .xta or .ta")->required();
  const std::map<std::string, tw::InfoFormat> formats = {{"text", tw::InfoFormat::kText},
                                                         {"json", tw::InfoFormat::kJson},
                                                         {"xta", tw::InfoFormat::kXta}};
  info_command
      ->add_option(
          "--format", info.format,
          "text for people, json for scripts, xta prints the model in UPPAAL's text format")
      ->transform(CLI::CheckedTransformer(formats))
      ->option_text("text|json|xta");
  info_command->add_flag("--json", json, "Same as --format json");
  info_command->add_flag("-q,--quiet", info.quiet, "Show errors, but no warnings");
  info_command->add_flag("--states", info.states,
                         "Explore the model (without clocks) and count its states");
  info_command->add_option("--max-states", info.explore.max_states, "Stop after this many states")
      ->option_text("N");
  info_command
      ->add_option("--max-memory", info.explore.max_megabytes, "Stop when states take this much")
      ->option_text("MB");
  info_command
      ->add_option("--time-limit", info.explore.time_limit_seconds, "Stop after this many seconds")
      ->check(CLI::NonNegativeNumber)
      ->option_text("SECONDS");
  std::string on_error = "stop";
  info_command
      ->add_option("--on-error", on_error, "A step that makes a run-time error: stop or skip it")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->option_text("stop|skip");
  info_command->footer(
      "Examples:\n  tracewright info model.xml\n"
      "  tracewright info model.xml --json | jq .totals\n"
      "  tracewright info model.xml --format xta > model.xta\n"
      "  tracewright info model.xml --states --max-states 1000000");
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const bool named = argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
    if (named)
      fmt::print(stderr, "error: unknown command '{}'\n  hint: tracewright --help lists them\n",
                 argv[1]);
    else
      app.exit(error);
    return static_cast<int>(tw::ExitCode::kUsage);
  } catch (const CLI::ParseError& error) {
    // CLI11 reports through exceptions; help and version come this way, too, with code 0.
    const bool usage = app.exit(error) != 0;
    return static_cast<int>(usage ? tw::ExitCode::kUsage : tw::ExitCode::kOk);
  }
  info.explore.skip_errors = on_error == "skip";
  if (json)
    info.format = tw::InfoFormat::kJson;
  return static_cast<int>(tw::run_info(info));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    // Help and version go through std::cout; a full disk must not pass for success there either.
    if (std::cout.flush() && std::fflush(stdout) == 0)
      return code;
    std::fputs("error: cannot write to standard output\n", stderr);
    return static_cast<int>(tw::ExitCode::kInternal);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
  }
  return static_cast<int>(tw::ExitCode::kInternal);
}
