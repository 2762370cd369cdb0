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
    options_.generate.reduce = Reduction::kCover;
    app.add_option("MODEL", models_, "UPPAAL models: .xml, .xta or .ta")->required();
    add_output_options(app);
    add_coverage_options(app, options_.coverage);
    add_generate_options(app, options_.generate);
    add_limit_options(app, options_.generate.search, options_.limits);
    app.footer(
        "Examples:\n  tracewright compare model.xml -c all\n"
        "  tracewright compare model.xml -c pc,cc,gacc,def-use --combine pc+cc,gacc+def-use\n"
        "  tracewright compare models/*/*.xml -c all --svg matrix.svg --format json -o all.json\n\n"
        "Limits are those of each search. Exit codes: 0 done, 3 a model is missing or wrong (the\n"
        "others are compared), 4 a limit was hit, 130 interrupted; what was found is written.");
  }

  ExitCode run() override {
    const std::vector<std::string> inputs = input_files(models_, options_.coverage);
    OutputFile output;
    OutputFile svg;
    ExitCode opened = output.open(output_, inputs);
    if (opened == ExitCode::kOk && !svg_.empty())
      opened = svg.open(svg_, inputs);
    if (opened != ExitCode::kOk)
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
    result.comparison.stable = stable_;
    ExitCode code = result.code;
    if (code == ExitCode::kInternal)
      return code;
    if (!svg_.empty()) {
      svg.write(comparison_svg(result.comparison));
      code = worse(code, svg.commit());
    }
    output.write(format_ == "json"  ? comparison_json(result.comparison)
                 : format_ == "csv" ? comparison_csv(result.comparison)
                                    : comparison_text(result.comparison));
    return worse(code, output.commit());
  }

 private:
  void add_output_options(CLI::App& app) {
    const auto is_count = [](const std::string& word) {
      return !word.empty() && word.size() < 10 &&
             word.find_first_not_of("0123456789") == std::string::npos &&
             word.find_first_not_of('0') != std::string::npos;
    };
    const std::string group = "Output";
    app.add_option("--format", format_, "How the tables are written")
        ->check(CLI::IsMember({"text", "json", "csv"}))
        ->option_text("text|json|csv (default text)")
        ->group(group);
    app.add_option("-o,--output", output_, "Write to this file instead of standard output")
        ->option_text("FILE")
        ->group(group);
    app.add_option("--svg", svg_, "Also draw the matrix, as a heat map")
        ->option_text("FILE")
        ->group(group);
    app.add_flag("--stable", stable_, "Leave out seconds: same run, same bytes")->group(group);
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
  std::string format_ = "text";
  std::string output_;
  std::string svg_;
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
