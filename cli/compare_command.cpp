// tracewright compare MODEL…: which criterion gives which suite, and what is it worth?

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <thread>

#include "cli/command.hpp"
#include "cli/compare.hpp"
#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/say.hpp"
#include "criteria/observer/observer.hpp"
#include "criteria/registry.hpp"
#include "exporters/comparison.hpp"

namespace tw {
namespace {

class CompareCommand final : public Command {
 public:
  explicit CompareCommand(CLI::App& app) : Command(app) {
    app.add_option("MODEL", models_, "UPPAAL models: .xml, .xta or .ta")->required();
    add_output_options(app);
    add_coverage_options(app, options_.coverage);
    add_generate_options(app, options_.generate);
    add_limit_options(app, options_.generate.search, options_.limits);
    app.footer(
        "Examples:\n  tracewright compare model.xml -c all\n"
        "  tracewright compare model.xml -c pc,cc,gacc,def-use --combine pc+cc,gacc+def-use\n"
        "  tracewright compare models/*/*.xml -c all -o all.json --also latex=table.tex "
        "--also svg-score=score.svg\n\n"
        "Formats: text, json, csv; latex, a table for \\input; svg, the matrix as a heat map;\n"
        "svg-score, length of suites against mutants killed; svg-steps, coverage over steps.\n\n"
        "Limits are those of each search. Exit codes: 0 done, 3 a model is missing or wrong (the\n"
        "others are compared), 4 a limit was hit, 130 interrupted; what was found is written, and\n"
        "says that it is partial.");
  }

  ExitCode run() override {
    if (const std::string wrong = read_outputs(); !wrong.empty()) {
      say("error: {}\n", wrong);
      return ExitCode::kUsage;
    }
    const std::vector<std::string> inputs = input_files(models_, options_.coverage);
    std::vector<OutputFile> files(outputs_.size());
    for (std::size_t i = 0; i < files.size(); ++i)
      if (const ExitCode opened = files[i].open(outputs_[i].path, inputs); opened != ExitCode::kOk)
        return opened;
    // Of which criterion would a fallback be the cost?
    if (options_.coverage.best_effort) {
      say("error: compare has no --best-effort\n  hint: add the weaker criteria\n");
      return ExitCode::kUsage;
    }
    const std::string problem = read_combinations();
    if (!problem.empty()) {
      say("error: {}\n", problem);
      return ExitCode::kUsage;
    }
    options_.quiet = quiet_;
    options_.jobs =
        jobs_ != 0 ? jobs_ : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    if (mutants_ != "all")
      options_.most_mutants = mutants_ == "none" ? 0 : std::stoull(mutants_);
    CompareResult result = compare(models_, options_);
    result.comparison.tool = {.version = TW_VERSION};
    result.comparison.mutants = mutants_;
    result.comparison.combine = combine_;
    result.comparison.stable = stable_;
    ExitCode code = result.code;
    if (code == ExitCode::kInternal)
      return code;
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i].write(outputs_[i].format->write(result.comparison));
      code = worse(code, files[i].commit());
    }
    return code;
  }

 private:
  struct Output {
    const ComparisonFormat* format = nullptr;
    std::string path;
  };

  [[nodiscard]] static const ComparisonFormat* format_named(std::string_view name) {
    const auto at = std::ranges::find(comparison_formats(), name, &ComparisonFormat::name);
    return at == comparison_formats().end() ? nullptr : &*at;
  }

  // `svg|latex|…`
  [[nodiscard]] static std::string format_names() {
    std::string out;
    for (const ComparisonFormat& format : comparison_formats())
      out += (out.empty() ? "" : "|") + std::string(format.name);
    return out;
  }

  [[nodiscard]] static std::string unknown_format(const std::string& word) {
    return format_named(word) != nullptr ? std::string()
                                         : fmt::format("'{}' is none of {}", word, format_names());
  }

  // What is written where; an error message, or nothing.
  std::string read_outputs() {
    // A file's ending says what is meant, unless somebody says something else.
    const auto by_ending =
        std::ranges::find_if(comparison_formats(), [this](const ComparisonFormat& format) {
          return !format.ending.empty() && output_.ends_with(format.ending);
        });
    const bool is_known = by_ending != comparison_formats().end();
    outputs_ = {{.format = !format_.empty() ? format_named(format_)
                           : is_known       ? &*by_ending
                                            : format_named("text"),
                 .path = output_ == "-" ? "" : output_}};
    if (!svg_.empty())
      also_.push_back("svg=" + svg_);
    for (const std::string& word : also_) {
      const std::size_t end = word.find('=');
      outputs_.push_back(
          {.format = format_named(word.substr(0, end)), .path = word.substr(end + 1)});
      if (outputs_.back().path == "-")
        outputs_.back().path.clear();
      for (std::size_t i = 0; i + 1 < outputs_.size(); ++i)
        if (outputs_[i].path == outputs_.back().path)
          return outputs_[i].path.empty()
                     ? fmt::format("'{}' and the result both go to standard output", word)
                     : fmt::format("two outputs go to '{}'", outputs_[i].path);
    }
    return "";
  }

  void add_output_options(CLI::App& app) {
    const auto is_count = [](const std::string& word) {
      return !word.empty() && word.size() < 10 &&
             word.find_first_not_of("0123456789") == std::string::npos &&
             word.find_first_not_of('0') != std::string::npos;
    };
    const std::string group = "Output";
    CLI::Option* const format = app.add_option(
        "--format", format_, "How the result is written; without it -o x.csv is CSV");
    format->check(CLI::Validator(unknown_format, ""))
        ->option_text(format_names() + " (default text)")
        ->group(group);
    app.add_flag_callback(
           "--json", [this] { format_ = "json"; }, "Same as --format json")
        ->excludes(format)
        ->group(group);
    app.add_option("-o,--output", output_, "Write to this file instead of standard output")
        ->option_text("FILE")
        ->group(group);
    app.add_option("--also", also_,
                   "Write the same in another format, too: latex=table.tex; can be given "
                   "repeatedly")
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](const std::string& word) {
              const std::size_t end = word.find('=');
              return end == std::string::npos || end + 1 == word.size()
                         ? fmt::format("'{}' is not of the form FORMAT=FILE", word)
                         : unknown_format(word.substr(0, end));
            },
            ""))
        ->option_text("FORMAT=FILE")
        ->group(group);
    app.add_option("--svg", svg_, "Short for --also svg=FILE")->option_text("FILE")->group(group);
    app.add_flag("--stable", stable_, "Leave out seconds and memory: same run, same bytes")
        ->group(group);
    app.add_flag("-q,--quiet", quiet_, "Show errors, but neither warnings nor progress")
        ->group(group);
    const std::string compared = "What to compare";
    app.add_option("--combine", combine_,
                   "Combinations of criteria, separated by commas: pc+cc,gacc+cacc")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->option_text("LIST (default: usual ones)")
        ->group(compared);
    app.add_option("--mutants", mutants_, "How many mutants of each model the suites are tried on")
        ->check(CLI::Validator(
            [is_count](const std::string& word) {
              return word == "none" || word == "all" || is_count(word)
                         ? std::string()
                         : fmt::format("'{}' is neither none, all nor a positive number", word);
            },
            ""))
        ->option_text("N|none|all (default all)")
        ->group(compared);
    app.add_option("--jobs", jobs_, "Searches at the same time")
        ->check(CLI::Range(1, 1024))
        ->option_text("N (default: one per processor)")
        ->group(compared);
  }

  // An error message, or nothing.
  std::string read_combinations() {
    const std::vector<std::string>& known = options_.coverage.criteria;
    if (combine_.empty()) {
      options_.combinations = usual_combinations(known);
      return "";
    }
    for (const std::string& word : combine_) {
      CombinationRequest request{.name = word, .members = {}};
      if (word == "all")
        request.members = known;
      for (std::size_t begin = 0; word != "all" && begin <= word.size();) {
        const std::size_t end = std::min(word.find('+', begin), word.size());
        const std::string part = word.substr(begin, end - begin);
        const std::string name = is_observer_file(part) ? part : criterion_name(part);
        if (std::ranges::find(known, name) == known.end())
          return fmt::format("--combine: '{}' is not among the criteria of -c", part);
        if (std::ranges::find(request.members, name) == request.members.end())
          request.members.push_back(name);
        begin = end + 1;
      }
      options_.combinations.push_back(std::move(request));
    }
    return "";
  }

  std::vector<std::string> models_;
  std::string format_;
  std::string output_;
  std::vector<std::string> also_;
  std::string svg_;
  std::vector<Output> outputs_;
  std::vector<std::string> combine_;
  std::string mutants_ = "all";
  std::size_t jobs_ = 0;
  bool stable_ = false;
  bool quiet_ = false;
  CompareOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_compare_command(CLI::App& program) {
  return std::make_unique<CompareCommand>(*program.add_subcommand(
      "compare", "Compare criteria: sizes, costs, cross coverage and mutants of their suites"));
}

}  // namespace tw
