// The words of the command line: which command they name, with its options set, or what is wrong
// with them. Nothing is printed, nothing ends the program.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"

namespace tw {

struct ParsedLine {
  Command* command = nullptr;  // borrowed from the CommandLine; none: there is nothing to run
  ExitCode code = ExitCode::kOk;
  std::string out;  // help, version
  std::string err;
};

class CommandLine {
 public:
  /// Help is wrapped to this width.
  explicit CommandLine(std::size_t width);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Once: without the name of the program.
  [[nodiscard]] ParsedLine parse(const std::vector<std::string>& words);

 private:
  [[nodiscard]] std::vector<std::string> command_names() const;
  [[nodiscard]] ParsedLine unknown_command(const std::string& word) const;
  [[nodiscard]] std::string unknown_word() const;
  [[nodiscard]] ParsedLine help(const std::string& topic) const;
  [[nodiscard]] std::string help_command() const;

  std::unique_ptr<CLI::App> app_;
  std::string topic_;  // of `help`
  CLI::App* help_ = nullptr;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace tw
