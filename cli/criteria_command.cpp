// tracewright criteria: which criteria there are.

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/say.hpp"
#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"
#include "exporters/criteria_list.hpp"

namespace tw {
namespace {

std::string describe(const observer::Observer& observer, const std::string& path) {
  std::vector<std::string> parameters;
  for (const observer::Parameter& parameter : observer.parameters)
    parameters.push_back(fmt::format("{} {}", name_of(parameter.type), parameter.name.text));
  std::vector<std::string> accepting;
  for (const observer::Word& node : observer.accepting)
    accepting.push_back(node.text);
  return fmt::format("observer in {}{}; items: {}", path,
                     parameters.empty() ? "" : fmt::format(" for {}", fmt::join(parameters, ", ")),
                     fmt::join(accepting, ", "));
}

class CriteriaCommand final : public Command {
 public:
  explicit CriteriaCommand(CLI::App& app) : Command(app) {
    app.add_option("FILE.obs", observers_, "Observer files: are they right, and what are they?")
        ->check(CLI::Validator(
            [](const std::string& word) {
              return is_observer_file(word) ? std::string()
                                            : fmt::format("'{}' is no observer file", word);
            },
            ""));
    add_json_option(app, json_);
    app.footer(
        "Examples:\n  tracewright criteria\n  tracewright criteria my.obs\n"
        "  tracewright criteria --format json | jq -r '.criteria[].name'");
  }

  ExitCode run() override {
    std::vector<CriterionLine> lines;
    std::vector<ObserverFile> files;
    std::vector<std::string> words;  // of the lines
    bool fine = true;
    for (const std::string& path : observers_) {
      files.push_back(load_observer(path));
      const ObserverFile& file = files.back();
      if (!file.problem.empty())
        say("error: {}\n", file.problem);
      show(file.file, file.diagnostics, {});
      fine = fine && file.observer;
      words.push_back(file.observer ? describe(*file.observer, path) : "");
    }
    if (!fine)
      return ExitCode::kBadInput;
    for (std::size_t i = 0; i < files.size(); ++i)
      lines.push_back({.name = files[i].observer->name.text, .summary = words[i]});
    if (files.empty())
      for (const CriterionSummary& known : known_criteria())
        lines.push_back({.name = known.name, .summary = known.summary});
    return write_stdout(json_ ? criteria_json(lines) : criteria_text(lines));
  }

 private:
  std::vector<std::string> observers_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_criteria_command(CLI::App& program) {
  return std::make_unique<CriteriaCommand>(
      *program.add_subcommand("criteria", "List the criteria with their definitions"));
}

}  // namespace tw
