// tracewright info MODEL: what was loaded.

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <map>
#include <string>

#include "cli/command.hpp"
#include "cli/explore.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/run_budget.hpp"
#include "engine/model/print.hpp"
#include "exporters/info.hpp"
#include "frontends/load.hpp"

namespace tw {
namespace {

enum class InfoFormat {
  kText,
  kJson,
  kXta,
};

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

class InfoCommand final : public Command {
 public:
  explicit InfoCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", model_, "UPPAAL model: .xml, .xta or .ta")->required();
    add_syntax_option(app, old_syntax_);
    const std::map<std::string, InfoFormat> formats = {
        {"text", InfoFormat::kText}, {"json", InfoFormat::kJson}, {"xta", InfoFormat::kXta}};
    CLI::Option* const format = app.add_option(
        "--format", format_,
        "text for people, json for scripts, xta is the model in UPPAAL's text format");
    format->transform(CLI::CheckedTransformer(formats))
        ->option_text("text|json|xta (default text)");
    app.add_flag("--json", json_, "Same as --format json")->excludes(format);
    app.add_flag("-q,--quiet", quiet_, "Show errors, but no warnings or progress");
    app.add_flag("--states", states_, "Explore the model and count its states");
    add_limit_options(app, search_, limits_);
    app.footer(
        "Examples:\n  tracewright info model.xml\n"
        "  tracewright info model.xml --json | jq .totals\n"
        "  tracewright info model.xml --format xta > model.xta\n"
        "  tracewright info model.xml --states --max-states 1000000");
  }

  ExitCode run() override {
    RunBudget run(limits_, {.quiet = quiet_});
    const InfoFormat format = json_ ? InfoFormat::kJson : format_;
    const LoadedModel model = load_model(model_, {}, {.old_syntax = old_syntax_});
    show(model.file, model.diagnostics, {.quiet = quiet_});
    if (!model.network) {
      const ExitCode written = format == InfoFormat::kJson
                                   ? write_stdout(diagnostics_json(model.file, model.diagnostics))
                                   : ExitCode::kOk;
      return worse(written, ExitCode::kBadInput);
    }
    Exploration exploration;
    if (states_) {
      search_.progress = run.progress();
      exploration = explore(model, search_);
      run.watch().clear();
      if (!exploration.counts)
        return exploration.code;
    }
    const ExitCode written = write_stdout(format_info({.network = *model.network,
                                                       .file = model.file,
                                                       .diagnostics = model.diagnostics,
                                                       .format = model.format,
                                                       .counts = exploration.counts},
                                                      format));
    return worse(written, exploration.code);
  }

 private:
  std::string model_;
  InfoFormat format_ = InfoFormat::kText;
  bool json_ = false;
  bool quiet_ = false;
  bool old_syntax_ = false;
  bool states_ = false;
  SearchOptions search_;
  RunLimits limits_;
};

}  // namespace

std::unique_ptr<Command> make_info_command(CLI::App& program) {
  return std::make_unique<InfoCommand>(
      *program.add_subcommand("info", "Load a model and say what is in it"));
}

}  // namespace tw
