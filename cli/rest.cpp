#include "cli/rest.hpp"

#include <fmt/format.h>
#include <string>

#include "cli/model.hpp"
#include "cli/terminal.hpp"
#include "exporters/summary.hpp"

namespace tw {
namespace {

// What struck, and when.
struct End {
  std::string limit;
  std::string phase;
};

End end_of(const RunRest& rest) {
  // Only the search counts states.
  if (rest.result.reason == StopReason::kStates)
    return {.limit = "states", .phase = "search"};
  for (const PhaseSummary& phase : rest.budget.phases())
    if (!phase.limit.empty())
      return {.limit = phase.limit, .phase = phase.name};
  return {};
}

std::string advice(const RunRest& rest, const std::string& limit) {
  if (limit == "states")
    return "a higher --max-states";
  if (limit == "time")
    return "a longer --time-limit";
  if (limit == "memory")
    return rest.limits.bytes == 0 ? "more memory (or --store tree, which takes less)"
                                  : "more --max-memory (or --store tree, which takes less)";
  return "the same command, not interrupted,";
}

}  // namespace

void tell_rest(const RunRest& rest) {
  const End end = end_of(rest);
  if (end.limit.empty())
    return;
  std::vector<ItemId> undecided;
  for (std::size_t i = 0; i < rest.result.verdicts.size(); ++i)
    if (rest.result.verdicts[i].status == ItemStatus::kUndecided)
      undecided.push_back(ItemId(i));
  const std::string when = fmt::format("{}: warning: {} in the phase '{}'", rest.model,
                                       words_for_limit(end.limit), end.phase);
  if (undecided.empty()) {
    say_lines(fmt::format("{}: every item is decided, but tests may be longer than they need be\n",
                          when));
    say_lines(fmt::format("  hint: {} may make them shorter\n", advice(rest, end.limit)));
    return;
  }
  say_lines(fmt::format(
      "{}: {} undecided\n", when,
      undecided.size() == 1 ? "an item is" : fmt::format("{} items are", undecided.size())));
  show_items(rest.rules, undecided);
  say_lines(fmt::format("  hint: {} may decide them; --only asks for some of them alone\n",
                        advice(rest, end.limit)));
}

}  // namespace tw
