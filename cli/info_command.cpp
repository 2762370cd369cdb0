#include "cli/info_command.hpp"

#include <cstdio>
#include <fmt/format.h>

#include "engine/model/print.hpp"
#include "exporters/info.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

void show(const LoadedModel& model, bool quiet) {
  for (const Diagnostic& d : model.diagnostics.all())
    if (d.severity == Severity::kError || !quiet)
      fmt::print(stderr, "{}", render(d, model.file));
  if (model.diagnostics.dropped() != 0)
    fmt::print(stderr, "… and {} more\n", model.diagnostics.dropped());
  if (model.diagnostics.has_errors())
    fmt::print(stderr, "{} error{}, {} warning{}\n", model.diagnostics.errors(),
               model.diagnostics.errors() == 1 ? "" : "s", model.diagnostics.warnings(),
               model.diagnostics.warnings() == 1 ? "" : "s");
}

// A full disk or a closed pipe must not pass for success.
ExitCode write_out(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0)
    return ExitCode::kOk;
  fmt::print(stderr, "error: cannot write to standard output\n");
  return ExitCode::kInternal;
}

std::string format_info(const InfoSource& source, InfoFormat format) {
  switch (format) {
    case InfoFormat::kText:
      return info_text(source);
    case InfoFormat::kJson:
      return info_json(source);
    case InfoFormat::kXta:
      return print_xta(source.network);
  }
  return {};
}

}  // namespace

ExitCode run_info(const InfoOptions& options) {
  const LoadedModel model = load_model(options.model);
  show(model, options.quiet);
  if (!model.network) {
    if (options.format == InfoFormat::kJson) {
      const ExitCode written = write_out(diagnostics_json(model.file, model.diagnostics));
      if (written != ExitCode::kOk)
        return written;
    }
    return ExitCode::kBadInput;
  }
  Exploration exploration;
  if (options.states) {
    exploration = explore(model, options.explore);
    if (!exploration.counts)
      return exploration.code;
  }
  const ExitCode written = write_out(format_info({.network = *model.network,
                                                  .file = model.file,
                                                  .diagnostics = model.diagnostics,
                                                  .format = model.format,
                                                  .counts = exploration.counts},
                                                 options.format));
  return written != ExitCode::kOk ? written : exploration.code;
}

}  // namespace tw
