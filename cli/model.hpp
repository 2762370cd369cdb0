// What commands do with a model before and when things go wrong, in the same words everywhere.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "engine/coverage/rules.hpp"
#include "engine/semantics/successors.hpp"
#include "engine/suite/suite.hpp"
#include "frontends/load.hpp"

namespace tw {

struct ShowOptions {
  bool quiet = false;  // errors, but no warnings
};

/// The model, with what the options say about it in its own words: --properties, whose text is read
/// here if it is not there, and --edge-init. All that is wrong is told on stderr; then, or without
/// a model, there is no network.
[[nodiscard]] LoadedModel load_and_show(const std::string& path,
                                        CoverageOptions& options,
                                        ShowOptions show_options);

/// The models and what the options name beside them: files that are read.
[[nodiscard]] std::vector<std::string> input_files(const std::vector<std::string>& models,
                                                   const CoverageOptions& options);

/// All diagnostics on stderr, and how many.
void show(const SourceFile& file, const Diagnostics& diagnostics, ShowOptions options);

/// False, and says so on stderr, if the zones of the model need not be finitely many.
[[nodiscard]] bool can_explore(const LoadedModel& model);

/// The rules of all criteria asked for, and what there is to say about them, by the file it is in.
struct DeclaredRules {
  CoverageRules rules;
  std::vector<std::pair<SourceFile, Diagnostics>> findings;
  std::vector<std::string> problems;  // that are in no file
  std::vector<std::string> unused;    // values given with --observer that no observer wants

  /// What is wrong first; empty: nothing is.
  [[nodiscard]] std::string first_error() const;
};

/// Says nothing.
[[nodiscard]] DeclaredRules declare_criteria(const LoadedModel& model,
                                             const CoverageOptions& options);

/// The same; none if something is wrong, which is told.
[[nodiscard]] std::optional<CoverageRules> declare_rules(const LoadedModel& model,
                                                         const CoverageOptions& options,
                                                         ShowOptions show_options);

/// A run-time error and the way to it.
struct ModelErrorReport {
  const ModelError& error;
  bool initial = false;  // in the initial state itself
  std::span<const Step> steps;
};

/// A finding about the model: the expression, and how to get there.
void show_model_error(const LoadedModel& model, const ModelErrorReport& report);

/// Steps that were left out because of errors are no secret: a warning for each place.
void show_left_out(const LoadedModel& model, std::span<const RunError> errors, ShowOptions options);

void show_no_initial_state(const LoadedModel& model);

/// A list that a person reads: the ids of the first few.
void show_items(const CoverageRules& rules, std::span<const ItemId> items);

}  // namespace tw
