#include "cli/goal.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/model.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "engine/base/file.hpp"
#include "engine/base/suggest.hpp"
#include "exporters/report.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// What is left of a line of the file without comment and blanks around it. Ids have a '#' in them,
// so a comment begins a line or stands behind a blank.
std::string_view content_of(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || kBlanks.find(line[at - 1]) != std::string_view::npos) {
      line = line.substr(0, at);
      break;
    }
  const std::size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const std::size_t end = line.find_last_not_of(kBlanks);
  return end == std::string_view::npos ? std::string_view() : line.substr(begin, end + 1 - begin);
}

std::vector<ItemId> items_with(ItemStatus status, const std::vector<Verdict>& verdicts) {
  std::vector<ItemId> out;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i].status == status)
      out.push_back(ItemId(i));
  return out;
}

bool accepts(const std::string& glob, const std::string& id) {
  return glob == id || ItemFilter({glob}).passes(id);
}

std::string nearest_id(const CoverageRules& rules, std::string_view wanted) {
  std::vector<std::string> ids;
  for (const Item& item : rules.items())
    ids.push_back(item.id);
  return std::string(nearest_name(wanted, ids));
}

}  // namespace

void add_goal_options(CLI::App& app, GoalOptions& options) {
  const std::string group = "Goals";
  app.add_option("--fail-under", options.fail_under,
                 "Exit code 1 if less than this is covered of what is feasible of a criterion, or "
                 "if nothing is feasible")
      ->check(in_range(0, 100))
      ->option_text("PERCENT")
      ->group(group);
  app.add_flag("--allow-empty", options.allow_empty,
               "That there is nothing feasible to cover is no reason for exit code 1")
      ->group(group);
}

void add_verdict_goals(CLI::App& app, GoalOptions& options) {
  const std::string group = "Goals";
  app.add_option_function<std::vector<std::string>>(
         "--fail-on",
         [&options](const std::vector<std::string>& words) {
           for (const std::string& word : words)
             (word == "infeasible" ? options.fail_on_infeasible : options.fail_on_undecided) = true;
         },
         "Exit code 1 if there are such items; separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& word) {
            return word == "infeasible" || word == "undecided"
                       ? std::string()
                       : fmt::format("'{}' is neither infeasible nor undecided", word);
          },
          ""))
      ->option_text("infeasible|undecided")
      ->group(group);
  app.add_option_function<std::string>(
         "--accept-infeasible",
         [&options](const std::string& path) {
           options.accepted = path;
           options.fail_on_infeasible = true;
         },
         "Items that may be infeasible, an id or a pattern a line, # begins a comment; others "
         "give exit code 1 (--fail-on infeasible)")
      ->option_text("FILE")
      ->group(group);
}

std::optional<Goal> Goal::load(const GoalOptions& options) {
  Goal out(options);
  if (options.accepted.empty())
    return out;
  const FileContents file = read_file(options.accepted);
  if (!file.bytes) {
    say_lines(fmt::format("error: {}\n", file.error));
    return std::nullopt;
  }
  std::string_view text = *file.bytes;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark))
    text.remove_prefix(kByteOrderMark.size());
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view content = content_of(text.substr(0, end)); !content.empty())
      out.accepted_.push_back({.line = line, .glob = std::string(content)});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

ExitCode Goal::judge(const CoverageRules& rules,
                     const std::vector<Verdict>& verdicts,
                     const About& about) const {
  bool ok = !is_empty(verdicts, about);
  ok = !is_short(rules, verdicts, about) && ok;
  if (!about.quiet)
    tell_idle_lines(rules, verdicts);
  const std::vector<ItemId> infeasible = not_accepted(rules, verdicts);
  if (options_.fail_on_infeasible && !infeasible.empty()) {
    say_lines(fmt::format(
        "{}: error: {} infeasible{}\n", about.model,
        infeasible.size() == 1 ? "an item is" : fmt::format("{} items are", infeasible.size()),
        options_.accepted.empty() ? "" : " and not accepted"));
    show_items(rules, infeasible);
    say_lines(fmt::format(
        "  hint: `tracewright explain` says why{}\n",
        options_.accepted.empty() ? "; --accept-infeasible FILE lists those that may be" : ""));
    ok = false;
  }
  const std::vector<ItemId> undecided = items_with(ItemStatus::kUndecided, verdicts);
  if (options_.fail_on_undecided && !undecided.empty()) {
    say_lines(fmt::format(
        "{}: error: {} undecided\n", about.model,
        undecided.size() == 1 ? "an item is" : fmt::format("{} items are", undecided.size())));
    show_items(rules, undecided);
    ok = false;
  }
  return ok ? ExitCode::kOk : ExitCode::kGoalNotMet;
}

// Nothing that anyone could have covered: a slip in the model or the options rather than a success.
bool Goal::is_empty(const std::vector<Verdict>& verdicts, const About& about) const {
  const auto is = [&](ItemStatus status) {
    return std::ranges::find(verdicts, status, &Verdict::status) != verdicts.end();
  };
  if (is(ItemStatus::kCovered) || is(ItemStatus::kUndecided) || is(ItemStatus::kMissed))
    return false;
  if (!about.quiet && is(ItemStatus::kInfeasible))
    say_lines(
        fmt::format("{}: warning: no item is feasible, so there is nothing to test\n  hint: {}\n",
                    about.model, "`tracewright explain` says what is in the way"));
  else if (!about.quiet)
    say_lines(
        fmt::format("{}: warning: there are no items, so there is nothing to test\n  hint: {}\n",
                    about.model, "`tracewright criteria` lists the criteria for -c"));
  return !options_.allow_empty;
}

bool Goal::is_short(const CoverageRules& rules,
                    const std::vector<Verdict>& verdicts,
                    const About& about) const {
  bool out = false;
  const std::vector<CriterionCounts> counts = count_items(rules, verdicts);
  for (std::size_t i = 0; options_.fail_under && i < counts.size(); ++i) {
    const CriterionInfo& info = rules.criteria()[CriterionId(i)];
    const CriterionCounts& c = counts[i];
    const std::uint64_t feasible = c.total - c.infeasible;
    // Nobody asked by name for what `all` and --best-effort bring in.
    const bool may_be_empty = options_.allow_empty || about.one_of_all || info.is_fallback;
    const bool met = feasible == 0 ? may_be_empty
                                   : static_cast<double>(c.covered) * 100 >=
                                         *options_.fail_under * static_cast<double>(feasible);
    if (met)
      continue;
    out = true;
    if (feasible == 0)
      say_lines(fmt::format("{}: error: {}: {}, which --fail-under counts as missed\n", about.model,
                            info.name,
                            c.total == 0 ? "there are no items" : "no item is feasible"));
    else
      say_lines(
          fmt::format("{}: error: {}: {} of {} feasible items covered, {}.{} %, less than {} %\n",
                      about.model, info.name, c.covered, feasible, c.permille() / 10,
                      c.permille() % 10, *options_.fail_under));
  }
  return out;
}

// Lines that accept nothing, or what need not be accepted any more.
void Goal::tell_idle_lines(const CoverageRules& rules, const std::vector<Verdict>& verdicts) const {
  for (const Accepted& accepted : accepted_) {
    bool any = false;
    bool is_needed = false;
    std::vector<ItemId> covered;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (!accepts(accepted.glob, rules.items()[ItemId(i)].id) ||
          verdicts[i].status == ItemStatus::kNotCounted)
        continue;
      any = true;
      is_needed = is_needed || verdicts[i].status != ItemStatus::kCovered;
      if (verdicts[i].status == ItemStatus::kCovered)
        covered.push_back(ItemId(i));
    }
    if (!any) {
      const std::string near = nearest_id(rules, accepted.glob);
      say_lines(fmt::format("{}:{}: warning: no item matches '{}'\n", options_.accepted,
                            accepted.line, accepted.glob));
      if (!near.empty())
        say_lines(fmt::format("  hint: did you mean '{}'?\n", near));
    } else if (!is_needed) {
      say_lines(fmt::format("{}:{}: warning: accepted as infeasible, but covered now\n",
                            options_.accepted, accepted.line));
      show_items(rules, covered);
    }
  }
}

std::vector<ItemId> Goal::not_accepted(const CoverageRules& rules,
                                       const std::vector<Verdict>& verdicts) const {
  std::vector<ItemId> out = items_with(ItemStatus::kInfeasible, verdicts);
  std::erase_if(out, [&](ItemId item) {
    return std::ranges::any_of(accepted_, [&](const Accepted& accepted) {
      return accepts(accepted.glob, rules.items()[item].id);
    });
  });
  return out;
}

}  // namespace tw
