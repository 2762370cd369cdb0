#include "exporters/explanation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "engine/base/wrap.hpp"
#include "exporters/causes_json.hpp"
#include "exporters/report.hpp"
#include "exporters/run_errors.hpp"
#include "exporters/step_json.hpp"

namespace tw {
namespace {

std::string verdict_words(const Explanation& e) {
  const std::string states = plural(e.search.states, state_word(e.network));
  switch (e.verdict.status) {
    case ItemStatus::kCovered:
      return fmt::format("covered: a shortest test has {}", plural(e.verdict.depth, "step"));
    case ItemStatus::kInfeasible:
      return fmt::format("infeasible: {} were visited, all there are, and none covers it{}", states,
                         e.search.errors.empty() ? ""
                                                 : "; steps that make a run-time error are left "
                                                   "out, at " +
                                                       plural(e.search.errors.size(), "place"));
    case ItemStatus::kUndecided:
      return fmt::format("undecided: {} were visited, then the search ended ({})", states,
                         e.search.limit.empty() ? "not exhaustive" : e.search.limit);
    case ItemStatus::kMissed:
    case ItemStatus::kNotCounted:
      return "not counted: it is needed only for others";
  }
  return "";
}

Ink ink_of(ItemStatus status) {
  if (status == ItemStatus::kCovered)
    return Ink::kGreen;
  return status == ItemStatus::kInfeasible ? Ink::kYellow : Ink::kRed;
}

std::vector<std::string> reasons_of(const Explanation& e) {
  return e.causes ? describe_causes(*e.causes) : std::vector<std::string>();
}

}  // namespace

std::string explanation_text(const Explanation& e, TextStyle style) {
  const auto line = [style](std::string_view text) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    return wrap(text, style.width, blanks + 4) + '\n';
  };
  std::string out = paint(style, Ink::kBold, e.item.id) + '\n' + line("  " + e.item.label) +
                    line(fmt::format("  criterion {}: {}", e.criterion, e.definition)) + '\n';
  out += render({.severity = Severity::kNote, .where = e.item.where, .message = "in the model"},
                e.file);
  out += '\n';
  for (const std::string& rule : e.rules)
    out += line(rule);
  out +=
      '\n' + paint(style, ink_of(e.verdict.status), wrap(verdict_words(e), style.width, 4)) + '\n';
  if (e.verdict.status == ItemStatus::kInfeasible)
    out += describe_errors(e.network, e.file, e.search.errors);
  for (const std::string& reason : reasons_of(e))
    out += line("  " + reason);
  if (e.test && !e.test->test.steps.empty())
    out += '\n' + describe_test({.names = e.test->names,
                                 .initial = e.test->initial,
                                 .test = e.test->test,
                                 .style = style});
  else if (e.test)
    out += "  the initial state covers it\n";
  return out;
}

std::string explanation_json(const Explanation& e) {
  const SourcePosition at = position_of(e.file, e.item.where.begin);
  const bool covered = e.verdict.status == ItemStatus::kCovered;
  Json out = {{"format", "tracewright-explanation"},
              {"version", 2},
              {"model", {{"file", e.file.path}}},
              {"item",
               {{"id", e.item.id},
                {"criterion", e.criterion},
                {"label", e.item.label},
                {"status", name_of(e.verdict.status)},
                {"depth", covered ? Json(e.verdict.depth) : Json(nullptr)},
                {"line", at.line},
                {"column", at.column}}},
              {"definition", e.definition},
              {"rules", e.rules},
              {"search",
               {{"exhaustive", e.search.exhaustive},
                {"states", e.search.states},
                {"limit", e.search.limit.empty() ? Json(nullptr) : Json(e.search.limit)}}},
              {"reasons", reasons_of(e)},
              {"causes", e.causes ? causes_json(*e.causes) : Json(nullptr)}};
  for (const RunError& error : e.search.errors) {
    const SourcePosition place = place_of(e.network, e.file, error);
    out["search"]["errors"].push_back(
        {{"message", describe(e.network, error)}, {"line", place.line}, {"column", place.column}});
  }
  if (e.test) {
    const StepWriter writer(e.network);
    Json steps = Json::array();
    TestStates states(e.network);
    Snapshot before = e.test->initial;
    for (std::size_t i = 0; i < e.test->test.steps.size(); ++i) {
      states.take(e.test->test, i);
      steps.push_back(writer.step(e.test->test, i, before, states));
      before = states.state();
    }
    out["initial"] = writer.state(e.test->initial);
    out["steps"] = std::move(steps);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tw
