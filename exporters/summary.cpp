#include "exporters/summary.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/wrap.hpp"
#include "exporters/step_text.hpp"
#include "exporters/time_text.hpp"

namespace tw {
namespace {

std::string title(const CriterionInfo& info) {
  std::string out =
      info.options.empty() ? info.name : fmt::format("{} ({})", info.name, info.options);
  return info.is_fallback ? out + ", fallback" : out;
}

std::string share(const CriterionCounts& c, TextStyle style) {
  if (c.total == c.infeasible)
    return paint(style, Ink::kYellow, c.total == 0 ? "there are no items" : "nothing is feasible");
  return paint(style, c.covered == c.total - c.infeasible ? Ink::kGreen : Ink::kRed,
               fmt::format("{}.{} % of what is feasible", c.permille() / 10, c.permille() % 10));
}

std::string describe_search(const Report& report) {
  const SearchSummary& s = report.search;
  std::string out =
      fmt::format("{}: {}", report.file, plural(s.states, state_word(report.network)));
  if (s.exhaustive)
    return out + ", all there are";
  return out + (s.limit.empty() ? std::string(" were enough")
                                : fmt::format(", then {}", words_for_limit(s.limit)));
}

std::string describe_size(const Report& report, const WrittenSuite& suite) {
  std::string out =
      fmt::format("{}, {}", plural(suite.tests(), "test"), plural(suite.steps(), "step"));
  if (report.network.is_timed())
    out += ", " + describe_duration(suite.duration());
  const std::uint64_t bound = suite.lower_bound();
  if (bound != 0 && bound >= suite.steps())
    out += "; no suite with this coverage has fewer steps";
  else if (bound != 0)
    out += fmt::format("; no suite with this coverage has fewer than {} (gap {})", bound,
                       suite.steps() - bound);
  return out;
}

}  // namespace

std::string_view words_for_limit(std::string_view limit) {
  if (limit == "states")
    return "the limit of states was reached";
  if (limit == "memory")
    return "the limit of memory was reached";
  if (limit == "time")
    return "the time was up";
  if (limit == "interrupt")
    return "it was interrupted";
  if (limit == "stop")
    return "as many items as asked for are covered";
  if (limit == "model-error")
    return "the model makes a run-time error";
  return limit;
}

std::string describe_summary(const Report& report, const WrittenSuite& suite, TextStyle style) {
  const std::vector<CriterionCounts> counts = count_items(report.rules, suite.verdicts());
  std::size_t width = 9;
  for (const CriterionInfo& info : report.rules.criteria())
    width = std::max(width, title(info).size());
  std::string out = paint(style, Ink::kBold,
                          fmt::format("{:<{}}  {:>8} {:>11} {:>10} {:>6}", "criterion", width,
                                      "covered", "infeasible", "undecided", "total")) +
                    '\n';
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const CriterionCounts& c = counts[i];
    out += fmt::format("{:<{}}  {:>8} {:>11} {:>10} {:>6}   {}\n",
                       title(report.rules.criteria()[CriterionId(i)]), width, c.covered,
                       c.infeasible, c.undecided, c.total, share(c, style));
  }
  return out + '\n' + wrap(describe_search(report), style.width, 2) + '\n' +
         wrap(describe_size(report, suite), style.width, 2) + '\n';
}

}  // namespace tw
