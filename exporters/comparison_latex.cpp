// A comparison as a LaTeX table: a tabular in the style of booktabs, for \input in a table. Of one
// model its suites, of several the means. What a reader has to know stands below the numbers, what
// an author has to know in comments above them.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "exporters/comparison.hpp"

namespace tw {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '~')
      out += "\\textasciitilde{}";
    else if (c == '^')
      out += "\\textasciicircum{}";
    else if (c == '<' || c == '>' || c == '|' || c == '"')
      out += fmt::format("\\symbol{{{}}}", static_cast<int>(c));
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

// A comment ends with its line, and so must whatever stands in it.
std::string comment(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return "% " + text + "\n";
}

// Rounded down, so that only all of it is 100.
std::string tenths(std::optional<double> value) {
  return value ? fmt::format("{:.1f}", std::floor(*value * 10) / 10) : "--";
}

class Table {
 public:
  explicit Table(const Comparison& comparison) : comparison_(comparison) {}

  std::string write() {
    out_ = comment(comparison_.provenance());
    for (const ComparedModel& model : comparison_.models)
      out_ += comment(fmt::format("model {}, sha256 {}", model.file,
                                  model.sha256.empty() ? "unknown" : model.sha256));
    out_ += comment("needs \\usepackage{booktabs}");
    const std::vector<const ComparedModel*> models = comparison_.compared();
    if (models.empty())
      return out_ + comment("no model could be compared");
    if (models.size() == 1)
      one(*models.front());
    else
      means();
    return out_;
  }

 private:
  using Cells = std::vector<std::string>;

  void begin(const Cells& titles) {
    columns_ = titles.size();
    out_ += fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\n", std::string(columns_ - 1, 'r'));
    row(titles);
    out_ += "\\midrule\n";
  }

  void row(const Cells& cells) { out_ += fmt::format("{} \\\\\n", fmt::join(cells, " & ")); }

  void end() {
    out_ += "\\bottomrule\n";
    for (const std::string& note : comparison_.notes())
      out_ += fmt::format(
          "\\multicolumn{{{}}}{{@{{}}p{{0.9\\linewidth}}@{{}}}}{{\\footnotesize {}}} \\\\\n",
          columns_, escaped(note));
    out_ += "\\end{tabular}\n";
  }

  void one(const ComparedModel& model) {
    const bool timed = !model.all_at_once.duration.empty();
    const bool mutants = !model.mutants.empty();
    Cells titles = {"suite of", "items", "infeasible", "undecided", "tests", "steps"};
    if (timed)
      titles.emplace_back("duration");
    titles.insert(titles.end(), {"expansions", "covers \\%"});
    if (mutants)
      titles.emplace_back("killed \\%");
    begin(titles);
    const auto suite = [&](Cells cells, const ComparedSuite& s, bool searched) {
      cells.push_back(std::to_string(s.tests));
      cells.push_back(std::to_string(s.steps));
      if (timed)
        cells.push_back(s.duration);
      cells.push_back(searched ? std::to_string(s.expansions) : "");
      cells.push_back(tenths(s.mean_percent()));
      if (mutants)
        cells.push_back(tenths(model.score(s)));
      row(cells);
    };
    for (const ComparedCriterion& c : model.criteria)
      if (c.problem.empty())
        suite({escaped(c.name), std::to_string(c.items), std::to_string(c.infeasible),
               std::to_string(c.undecided)},
              c.suite, true);
    out_ += "\\midrule\n";
    suite({"one run for all", "", "", ""}, model.all_at_once, true);
    if (!model.combinations.empty())
      out_ += "\\midrule\n";
    for (const ComparedCombination& c : model.combinations)
      suite({escaped(c.name), "", "", ""}, c.suite, false);
    end();
  }

  void means() {
    begin({"suite of", "models", "infeasible \\%", "tests", "steps", "covers \\%", "killed \\%"});
    const auto mean = [this](const Comparison::Row& r, bool single) {
      row({escaped(r.name), std::to_string(r.models), single ? tenths(r.infeasible) : "",
           tenths(r.tests), tenths(r.steps), tenths(r.covers), tenths(r.killed)});
    };
    for (const Comparison::Row& r : comparison_.mean_rows())
      mean(r, true);
    out_ += "\\midrule\n";
    mean(comparison_.mean_of_all_at_once(), false);
    const std::vector<Comparison::Row> combinations = comparison_.mean_combinations();
    if (!combinations.empty())
      out_ += "\\midrule\n";
    for (const Comparison::Row& r : combinations)
      mean(r, false);
    end();
  }

  const Comparison& comparison_;
  std::size_t columns_ = 0;
  std::string out_;
};

}  // namespace

std::string comparison_latex(const Comparison& comparison) { return Table(comparison).write(); }

}  // namespace tw
