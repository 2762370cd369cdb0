// What makes a run green: goals that the user sets, and that there was something to cover at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/suite/suite.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}  // namespace CLI

namespace tw {

struct GoalOptions {
  std::optional<double> fail_under;  // percent of what is feasible, of every criterion
  bool allow_empty = false;
  bool fail_on_infeasible = false;
  bool fail_on_undecided = false;
  std::string accepted;  // a file: ids and globs of items that may be infeasible; empty: none
};

/// --fail-under and --allow-empty.
void add_goal_options(CLI::App& app, GoalOptions& options);

/// --fail-on and --accept-infeasible.
void add_verdict_goals(CLI::App& app, GoalOptions& options);

class Goal {
 public:
  struct About {
    std::string_view model;   // as the user named it
    bool one_of_all = false;  // criteria that nobody asked for by name
    bool quiet = false;       // no warnings
  };

  /// Reads the file, if there is one. None if it cannot be read, which is told.
  [[nodiscard]] static std::optional<Goal> load(const GoalOptions& options);

  /// kOk or kGoalNotMet; why is told on stderr.
  [[nodiscard]] ExitCode judge(const CoverageRules& rules,
                               const std::vector<Verdict>& verdicts,
                               const About& about) const;

 private:
  struct Accepted {
    std::size_t line = 0;
    std::string glob;
  };

  explicit Goal(const GoalOptions& options) : options_(options) {}

  [[nodiscard]] bool is_short(const CoverageRules& rules,
                              const std::vector<Verdict>& verdicts,
                              const About& about) const;
  [[nodiscard]] bool is_empty(const std::vector<Verdict>& verdicts, const About& about) const;
  void tell_idle_lines(const CoverageRules& rules, const std::vector<Verdict>& verdicts) const;
  [[nodiscard]] std::vector<ItemId> not_accepted(const CoverageRules& rules,
                                                 const std::vector<Verdict>& verdicts) const;

  GoalOptions options_;
  std::vector<Accepted> accepted_;
};

}  // namespace tw
