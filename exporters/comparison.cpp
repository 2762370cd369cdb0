#include "exporters/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "exporters/step_text.hpp"

namespace tw {
namespace {

// A running mean that may stay empty.
struct Mean {
  double sum = 0;
  std::size_t count = 0;

  void add(std::optional<double> value) {
    if (!value)
      return;
    sum += *value;
    ++count;
  }

  [[nodiscard]] std::optional<double> value() const {
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
  }
};

// As in a shell, so that it can be copied.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,+=%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
    return word;
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

// The options that differ from the defaults.
class Words {
 public:
  void flag(std::string_view name, bool value) {
    if (value)
      out_ += fmt::format(" {}", name);
  }
  void word(std::string_view name, const std::string& value, const std::string& usual) {
    if (value != usual)
      out_ += fmt::format(" {} {}", name, quoted(value));
  }
  void words(std::string_view name, const std::vector<std::string>& values) {
    for (const std::string& value : values)
      word(name, value, "");
  }
  void number(std::string_view name, std::uint64_t value, std::uint64_t usual) {
    if (value != usual)
      out_ += fmt::format(" {} {}", name, value);
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

std::string words_for(const ReportOptions& o) {
  const ReportOptions usual;
  Words out;
  out.flag("--old-syntax", o.old_syntax);
  out.words("--observer", o.observer);
  out.word("--per", o.per, usual.per);
  out.words("--only", o.only);
  out.word("--vars", joined(o.vars), "");
  out.word("--def-use", o.def_use, usual.def_use);
  out.word("--invariants", o.invariants, usual.invariants);
  out.word("--edge-init", o.edge_init, usual.edge_init);
  out.word("--properties", o.properties_file, "");
  out.word("--pairing", o.pairing, usual.pairing);
  out.flag("--observe", o.observe);
  out.flag("--best-effort", o.best_effort);
  out.word("--algorithm", o.algorithm, usual.algorithm);
  out.word("--order", o.order, usual.order);
  out.number("--seed", o.seed, usual.seed);
  out.word("--subsumption", o.subsumption, usual.subsumption);
  out.flag("--reset", o.reset);
  out.flag("--full", o.full);
  out.flag("--keep-dead", o.keep_dead);
  out.number("--stop", o.stop, 0);
  out.word("--on-error", o.on_error, usual.on_error);
  out.word("--reduce", o.reduce, usual.reduce);
  out.word("--optimise", o.optimise, usual.optimise);
  out.word("--delays", o.delays, usual.delays);
  out.number("--max-states", o.max_states, 0);
  if (o.max_memory_bytes != 0)
    out.word("--max-memory", fmt::format("{}K", (o.max_memory_bytes + 1023) / 1024), "");
  if (o.time_limit_seconds > 0)
    out.word("--time-limit", fmt::format("{}s", o.time_limit_seconds), "");
  return out.take();
}

Comparison::Row row_of(
    std::string name,
    const std::vector<std::pair<const ComparedModel*, const ComparedSuite*>>& suites) {
  Mean tests;
  Mean steps;
  Mean covers;
  Mean killed;
  for (const auto& [model, suite] : suites) {
    tests.add(static_cast<double>(suite->tests));
    steps.add(static_cast<double>(suite->steps));
    covers.add(suite->mean_percent());
    killed.add(model->score(*suite));
  }
  return {.name = std::move(name),
          .models = suites.size(),
          .infeasible = std::nullopt,
          .tests = tests.value(),
          .steps = steps.value(),
          .covers = covers.value(),
          .killed = killed.value()};
}

// "edge-pair 3, def-use 1"
void add_to_list(std::string& list, std::string_view name, std::string_view what) {
  list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, what);
}

constexpr std::array<ComparisonFormat, 7> kFormats = {{
    {.name = "text", .ending = ".txt", .write = comparison_text},
    {.name = "json", .ending = ".json", .write = comparison_json},
    {.name = "csv", .ending = ".csv", .write = comparison_csv},
    {.name = "latex", .ending = ".tex", .write = comparison_latex},
    {.name = "svg", .ending = ".svg", .write = comparison_matrix_svg},
    {.name = "svg-score", .ending = "", .write = comparison_score_svg},
    {.name = "svg-steps", .ending = "", .write = comparison_growth_svg},
}};

}  // namespace

std::span<const ComparisonFormat> comparison_formats() { return kFormats; }

std::optional<double> ComparedSuite::mean_percent() const {
  Mean mean;
  for (const CoverageShare& share : coverage)
    mean.add(share.percent());
  return mean.value();
}

std::uint64_t ComparedModel::count_mutants(std::string_view status) const {
  return static_cast<std::uint64_t>(std::ranges::count(mutants, status, &ComparedMutant::status));
}

std::uint64_t ComparedModel::single_expansions() const {
  std::uint64_t sum = 0;
  for (const ComparedCriterion& criterion : criteria)
    sum += criterion.suite.expansions;
  return sum;
}

const ComparedCriterion* ComparedModel::dearest() const {
  const auto at = std::ranges::max_element(
      criteria, {}, [](const ComparedCriterion& c) { return c.suite.expansions; });
  return at == criteria.end() ? nullptr : &*at;
}

std::vector<std::string> ComparedModel::notes() const {
  std::vector<std::string> out;
  if (!problem.empty())
    return {"not compared: " + problem};
  std::string stopped;
  std::string open;
  for (const ComparedCriterion& criterion : criteria) {
    if (!criterion.problem.empty())
      out.push_back(fmt::format("{} cannot be used here: {}", criterion.name, criterion.problem));
    if (!criterion.suite.limit.empty())
      add_to_list(stopped, criterion.name, fmt::format("({})", criterion.suite.limit));
    if (criterion.undecided != 0)
      add_to_list(open, criterion.name, std::to_string(criterion.undecided));
  }
  if (!all_at_once.limit.empty())
    add_to_list(stopped, "one run for all", fmt::format("({})", all_at_once.limit));
  if (!stopped.empty())
    out.push_back(
        "partial: searches were stopped, so these suites may lack items and may be "
        "longer than needed: " +
        stopped);
  if (!open.empty())
    out.push_back("undecided items count as feasible, so shares may be too low: " + open);
  if (!limit.empty())
    out.push_back(fmt::format(
        "partial: measuring the suites was stopped ({}), so shares are missing", limit));
  if (mutants.size() < mutants_chosen)
    out.push_back(
        fmt::format("partial: of {} mutants the first {} were tried, scores are about "
                    "those",
                    mutants_chosen, mutants.size()));
  if (const std::uint64_t unknown = count_mutants("undecided"); unknown != 0)
    out.push_back(
        fmt::format("{} of {} {} undecided and count as if a test could kill them, so "
                    "scores may be too low",
                    unknown, plural(mutants.size(), "mutant"), unknown == 1 ? "is" : "are"));
  return out;
}

std::string Comparison::provenance() const {
  std::string out = fmt::format("{} {}: compare -c {}{}", tool.name, tool.version,
                                quoted(joined(criteria)), words_for(options));
  if (!combine.empty())
    out += " --combine " + quoted(joined(combine));
  if (mutants != "all")
    out += " --mutants " + mutants;
  return out;
}

std::vector<std::string> Comparison::notes() const {
  std::vector<std::string> out;
  for (const ComparedModel& model : models)
    for (const std::string& note : model.notes())
      out.push_back(models.size() == 1 ? note : fmt::format("{}: {}", model.file, note));
  return out;
}

std::vector<const ComparedModel*> Comparison::compared() const {
  std::vector<const ComparedModel*> out;
  for (const ComparedModel& model : models)
    if (model.problem.empty())
      out.push_back(&model);
  return out;
}

std::vector<Comparison::Row> Comparison::mean_rows() const {
  std::vector<Row> out;
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    std::vector<std::pair<const ComparedModel*, const ComparedSuite*>> suites;
    Mean infeasible;
    for (const ComparedModel* model : compared()) {
      const ComparedCriterion& criterion = model->criteria[i];
      infeasible.add(
          CoverageShare{.covered = criterion.infeasible, .feasible = criterion.items}.percent());
      if (criterion.suite.tests != 0)
        suites.emplace_back(model, &criterion.suite);
    }
    out.push_back(row_of(criteria[i], suites));
    out.back().infeasible = infeasible.value();
  }
  return out;
}

Comparison::Row Comparison::mean_of_all_at_once() const {
  std::vector<std::pair<const ComparedModel*, const ComparedSuite*>> suites;
  for (const ComparedModel* model : compared())
    suites.emplace_back(model, &model->all_at_once);
  return row_of("one run for all", suites);
}

// A combination counts on the models that have all its members.
std::vector<Comparison::Row> Comparison::mean_combinations() const {
  std::vector<std::string> names;
  for (const ComparedModel* model : compared())
    for (const ComparedCombination& c : model->combinations)
      if (std::ranges::find(names, c.name) == names.end())
        names.push_back(c.name);
  std::vector<Row> out;
  for (const std::string& name : names) {
    std::vector<std::pair<const ComparedModel*, const ComparedSuite*>> suites;
    for (const ComparedModel* model : compared()) {
      const auto at = std::ranges::find(model->combinations, name, &ComparedCombination::name);
      if (at != model->combinations.end())
        suites.emplace_back(model, &at->suite);
    }
    out.push_back(row_of(name, suites));
  }
  return out;
}

std::vector<std::vector<std::optional<double>>> Comparison::mean_matrix() const {
  std::vector<std::vector<Mean>> means(criteria.size(), std::vector<Mean>(criteria.size()));
  for (const ComparedModel& model : models) {
    if (!model.problem.empty())
      continue;
    for (std::size_t row = 0; row < criteria.size(); ++row)
      // A criterion that has nothing to cover has no suite that could be good or bad.
      if (model.criteria[row].suite.tests != 0)
        for (std::size_t column = 0; column < criteria.size(); ++column)
          means[row][column].add(model.criteria[row].suite.coverage[column].percent());
  }
  std::vector<std::vector<std::optional<double>>> out;
  for (const std::vector<Mean>& row : means) {
    out.emplace_back();
    for (const Mean& mean : row)
      out.back().push_back(mean.value());
  }
  return out;
}

std::optional<Comparison::Ratios> Comparison::ratios() const {
  double to_sum = 0;
  double to_dearest = 0;
  std::size_t count = 0;
  for (const ComparedModel& model : models) {
    const ComparedCriterion* dearest = model.problem.empty() ? model.dearest() : nullptr;
    if (dearest == nullptr || dearest->suite.expansions == 0 || model.all_at_once.expansions == 0)
      continue;
    const auto own = static_cast<double>(model.all_at_once.expansions);
    to_sum += std::log(own / static_cast<double>(model.single_expansions()));
    to_dearest += std::log(own / static_cast<double>(dearest->suite.expansions));
    ++count;
  }
  if (count == 0)
    return std::nullopt;
  return Ratios{.to_sum = std::exp(to_sum / static_cast<double>(count)),
                .to_dearest = std::exp(to_dearest / static_cast<double>(count))};
}

}  // namespace tw
