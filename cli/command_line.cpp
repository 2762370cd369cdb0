#include "cli/command_line.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/help.hpp"
#include "engine/base/suggest.hpp"

namespace tw {
namespace {

ParsedLine usage_error(std::string_view what, std::string_view hint) {
  return {.code = ExitCode::kUsage, .err = fmt::format("error: {}\n  hint: {}\n", what, hint)};
}

// As they are written on the command line.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      out.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      out.push_back("-" + name);
  }
  return out;
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

// Words that may be control characters or go on for a page.
std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 100;
  std::string out;
  for (const char c : word.substr(0, kMost))
    out += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return word.size() > kMost ? out + "…" : out;
}

}  // namespace

Command::~Command() = default;

bool Command::chosen() const { return app_->parsed(); }

CommandLine::CommandLine(std::size_t width)
    : app_(std::make_unique<CLI::App>(
          "Tracewright: test suites from networks of timed state machines", "tracewright")) {
  app_->formatter(make_help_formatter(width));  // commands inherit it
  app_->set_help_flag("-h,--help", "Show this help");
  app_->set_version_flag("--version", "tracewright " TW_VERSION, "Show the version");
  app_->require_subcommand(1);
  app_->footer(
      "Examples:\n  tracewright generate model.xml -c edge\n"
      "  tracewright generate model.xml -o suite.json\n"
      "  tracewright check model.xml suite.json\n"
      "  tracewright measure model.xml suite.json -c all\n"
      "  tracewright compare model.xml -c all\n"
      "  tracewright info model.xml\n"
      "  tracewright help generate\n\n"
      "Exit codes: 0 done, every item covered or proven infeasible, 1 a goal was not met, or there "
      "is nothing to cover, 2 wrong usage, 3 a file is missing or wrong, or the model makes a "
      "run-time error, 4 a limit was hit, 5 internal error or output not written, 130 "
      "interrupted.");
  commands_.push_back(make_generate_command(*app_));
  commands_.push_back(make_check_command(*app_));
  commands_.push_back(make_info_command(*app_));
  commands_.push_back(make_criteria_command(*app_));
  commands_.push_back(make_explain_command(*app_));
  commands_.push_back(make_measure_command(*app_));
  commands_.push_back(make_compare_command(*app_));
  help_ = app_->add_subcommand("help", "Show the help of a command");
  help_->add_option("COMMAND", topic_, "One of the commands; without it they are listed");
  for (CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; }))
    command->group("Commands");
}

CommandLine::~CommandLine() = default;

ParsedLine CommandLine::parse(const std::vector<std::string>& words) {
  if (words.empty())
    return usage_error("no command is given", "tracewright --help lists them");
  const std::vector<std::string> names = command_names();
  if (!is_option(words.front()) && std::ranges::find(names, words.front()) == names.end())
    return unknown_command(words.front());
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return {.out = app_->help()};
  } catch (const CLI::CallForVersion& version) {
    return {.out = std::string(version.what()) + '\n'};
  } catch (const CLI::Error& error) {
    // What nobody knows comes first: that something else is missing may follow from it.
    if (const std::string word = unknown_word(); !word.empty()) {
      const std::vector<CLI::App*> chosen = app_->get_subcommands();
      const std::string_view near = nearest_name(
          word.substr(0, word.find('=')), option_names(chosen.empty() ? *app_ : *chosen.front()));
      return usage_error(
          fmt::format("{} '{}'", is_option(word) ? "unknown option" : "superfluous argument",
                      shown(word)),
          is_option(word) && !near.empty() ? fmt::format("did you mean '{}'?", near)
                                           : help_command());
    }
    const std::string what = error.what();
    const std::size_t end = what.find(": 1 required ");
    return usage_error(
        shown(end == std::string::npos ? what : what.substr(0, end) + " needs a value"),
        help_command());
  }
  if (help_->parsed())
    return help(topic_);
  for (const std::unique_ptr<Command>& command : commands_)
    if (command->chosen())
      return {.command = command.get()};
  return usage_error("no command is given", "tracewright --help lists them");
}

std::vector<std::string> CommandLine::command_names() const {
  std::vector<std::string> out;
  for (const CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(command->get_name());
  return out;
}

ParsedLine CommandLine::unknown_command(const std::string& word) const {
  const std::vector<std::string> names = command_names();
  const std::string_view near = nearest_name(word, names);
  const bool is_model = word.ends_with(".xml") || word.ends_with(".xta") || word.ends_with(".ta");
  return usage_error(fmt::format("unknown command '{}'", shown(word)),
                     is_model       ? fmt::format("tracewright generate {}", shown(word))
                     : near.empty() ? std::string("tracewright --help lists them")
                                    : fmt::format("did you mean '{}'?", near));
}

// The first that no option and no argument took; options before others.
std::string CommandLine::unknown_word() const {
  std::vector<std::string> words = app_->remaining(true);
  std::erase(words, "--");
  const auto option = std::ranges::find_if(words, is_option);
  if (option != words.end())
    return *option;
  return words.empty() ? "" : words.front();
}

ParsedLine CommandLine::help(const std::string& topic) const {
  if (topic.empty())
    return {.out = app_->get_formatter()->make_help(app_.get(), app_->get_name(),
                                                    CLI::AppFormatMode::Normal)};
  const std::vector<std::string> names = command_names();
  if (std::ranges::find(names, topic) == names.end())
    return unknown_command(topic);
  return {.out = app_->get_subcommand(topic)->help("tracewright")};
}

std::string CommandLine::help_command() const {
  const std::vector<CLI::App*> chosen = app_->get_subcommands();
  return chosen.empty() ? "tracewright --help"
                        : fmt::format("tracewright {} --help", chosen.front()->get_name());
}

}  // namespace tw
