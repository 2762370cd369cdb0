// A command of the program: it declares its options when it is made and runs once they are parsed.
#pragma once

#include <memory>

#include "cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}  // namespace CLI

namespace tw {

class Command {
 public:
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command();

  [[nodiscard]] virtual ExitCode run() = 0;

  /// Whether the user named this command.
  [[nodiscard]] bool chosen() const;

 protected:
  /// The app is the one of this command, borrowed: it outlives the command.
  explicit Command(CLI::App& app) : app_(&app) {}

 private:
  CLI::App* app_;
};

// Each in the file of its name.
[[nodiscard]] std::unique_ptr<Command> make_generate_command(CLI::App& program);
[[nodiscard]] std::unique_ptr<Command> make_check_command(CLI::App& program);
[[nodiscard]] std::unique_ptr<Command> make_info_command(CLI::App& program);
[[nodiscard]] std::unique_ptr<Command> make_criteria_command(CLI::App& program);
[[nodiscard]] std::unique_ptr<Command> make_explain_command(CLI::App& program);
[[nodiscard]] std::unique_ptr<Command> make_measure_command(CLI::App& program);
[[nodiscard]] std::unique_ptr<Command> make_compare_command(CLI::App& program);

}  // namespace tw
