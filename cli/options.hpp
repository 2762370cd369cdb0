// Options that several commands share: one declaration each, whoever uses them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/coverage/criterion.hpp"
#include "engine/suite/generate.hpp"
#include "exporters/report.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class Validator;
}  // namespace CLI

namespace tw {

/// What to cover.
struct CoverageOptions {
  std::vector<std::string> criteria = {"edge"};  // known names and observer files
  std::vector<std::string> observer;             // values of their parameters: V=el
  CriterionOptions criterion;
  std::vector<std::string> only;
  bool best_effort = false;              // weaker criteria where an item is infeasible
  std::optional<SourceFile> properties;  // --properties; the text is read with the model
  std::string similar;                   // --edge-init: a condition in the user's words
  bool old_syntax = false;               // the model is in the language of UPPAAL 3
};

/// Numbers from one to the other.
[[nodiscard]] CLI::Validator in_range(double least, double most);

/// --max-states, --max-memory, --time-limit, --on-error, --store, --threads, --no-jit.
void add_limit_options(CLI::App& app, SearchOptions& options, RunLimits& limits);

/// --max-memory and --time-limit alone.
void add_time_and_memory(CLI::App& app, RunLimits& limits);

/// --criteria, --per, --only and the options of single criteria.
void add_coverage_options(CLI::App& app, CoverageOptions& options);

/// --old-syntax, of every command that reads a model.
void add_syntax_option(CLI::App& app, bool& old_syntax);

/// What --edge-init means by this word, or expression.
void set_similarity(const std::string& text, CoverageOptions& options);

/// --algorithm, --order and what belongs to them; --reduce, --optimise, --delays.
void add_generate_options(CLI::App& app, GenerateOptions& options);

/// --format and --json of a command that writes text or JSON, and nothing else.
void add_json_option(CLI::App& app, bool& json);

/// Where a result goes, and how it is written.
struct OutputOptions {
  std::string path;    // empty or "-": standard output
  std::string format;  // one of the command's
  bool quiet = false;

  [[nodiscard]] bool is_stdout() const { return path.empty() || path == "-"; }
};

/// --format, --json, -o and -q. The first format is the one for people; the others are also chosen
/// by the ending of the file's name.
void add_output_options(CLI::App& app,
                        OutputOptions& options,
                        const std::vector<std::string>& formats);

[[nodiscard]] ReportOptions report_options(const CoverageOptions& coverage,
                                           const GenerateOptions& generate,
                                           const RunLimits& limits);

/// "500M", "4GB", "64KiB" (1024 each); a plain number is in megabytes. None: nothing of the kind.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

/// "60s", "5m", "1h", "250ms"; a plain number is in seconds. None: nothing of the kind.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// "1000", "64k", "1.5M", "2G" (1000 each), at least 1. None: nothing of the kind.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace tw
