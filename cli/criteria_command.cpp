// tracewright criteria: which criteria there are.

#include <CLI/CLI.hpp>
#include <string>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "criteria/registry.hpp"
#include "exporters/criteria_list.hpp"

namespace tw {
namespace {

class CriteriaCommand final : public Command {
 public:
  explicit CriteriaCommand(CLI::App& app) : Command(app) {
    add_json_option(app, json_);
    app.footer(
        "Examples:\n  tracewright criteria\n"
        "  tracewright criteria --format json | jq -r '.criteria[].name'");
  }

  ExitCode run() override {
    std::vector<CriterionLine> lines;
    for (const CriterionSummary& known : known_criteria())
      lines.push_back({.name = known.name, .summary = known.summary});
    return write_stdout(json_ ? criteria_json(lines) : criteria_text(lines));
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_criteria_command(CLI::App& program) {
  return std::make_unique<CriteriaCommand>(
      *program.add_subcommand("criteria", "List the criteria with their definitions"));
}

}  // namespace tw
