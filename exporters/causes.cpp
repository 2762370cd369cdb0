#include "exporters/causes.hpp"

#include <fmt/format.h>

#include "engine/model/print.hpp"
#include "exporters/causes_json.hpp"
#include "exporters/names.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

// As if the sides had changed places.
ExprKind flipped(ExprKind op) {
  if (op == ExprKind::kLess)
    return ExprKind::kGreater;
  if (op == ExprKind::kLessEqual)
    return ExprKind::kGreaterEqual;
  if (op == ExprKind::kGreaterEqual)
    return ExprKind::kLessEqual;
  return op == ExprKind::kGreater ? ExprKind::kLess : op;
}

std::string shifted(const Network& network, ExprId bound, std::int64_t shift) {
  const Expression& e = network.pool[bound];
  if (e.kind == ExprKind::kConstant)
    return fmt::format("{}", e.value() + shift);
  const std::string text = print_expression(network, bound);
  if (shift == 0)
    return text;
  return fmt::format("{} {} {}", text, shift < 0 ? '-' : '+', shift < 0 ? -shift : shift);
}

std::string describe_met(const Network& network, const MetBound& met) {
  const bool turn = network.pool[met.left].kind == ExprKind::kConstant;
  const ExprKind op = turn ? flipped(met.op) : met.op;
  return fmt::format(
      "{} {} {}", print_expression(network, turn ? met.right : met.left), spelling(op),
      turn ? shifted(network, met.left, -met.shift) : shifted(network, met.right, met.shift));
}

std::string describe_met(const Network& network, const std::vector<MetBound>& met) {
  std::string out;
  for (const MetBound& bound : met)
    out += (out.empty() ? "" : " or ") + describe_met(network, bound);
  return out;
}

class CauseWriter {
 public:
  explicit CauseWriter(const CausesReport& report)
      : report_(report),
        network_(report.network),
        names_(report.network) {}

  // The part of the model in its own words; empty for priorities.
  [[nodiscard]] std::string text_of(const Cause& cause) const {
    if (cause.obstacle.kind == ObstacleKind::kUrgentChannel)
      return network_.variables[cause.obstacle.channel].name;
    const ExprId expression = expression_of(network_, cause.obstacle);
    if (!expression.valid())
      return cause.location.valid() ? names_.location(cause.location) : "";
    std::string text = print_expression(network_, expression);
    if (cause.obstacle.kind == ObstacleKind::kSynchronisation)
      text += is_sender(cause) ? "!" : "?";
    return text;
  }

  [[nodiscard]] std::string edge(const Cause& cause) const {
    return fmt::format("{}: {}", owner(cause, network_.edges[cause.edge].process),
                       names_.arrow(cause.edge));
  }

  [[nodiscard]] std::string location(const Cause& cause) const {
    return fmt::format("{} of {}", names_.location(cause.location),
                       owner(cause, network_.locations[cause.location].process));
  }

  [[nodiscard]] std::string place(const Cause& cause) const {
    const SourceRange where = place_of(network_, cause.obstacle);
    if (where == SourceRange{})
      return "";
    const SourcePosition at = position_of(report_.file, where.begin);
    return fmt::format(" ({}:{}:{})", report_.file.path, at.line, at.column);
  }

  [[nodiscard]] std::string owner(const Cause& cause, ProcessId process) const {
    return cause.of_template ? network_.templates[network_.processes[process].of_template].name
                             : names_.process(process);
  }

  [[nodiscard]] bool is_sender(const Cause& cause) const {
    return cause.edge.valid() && network_.edges[cause.edge].labels.direction == Direction::kSend;
  }

  // What else there is to say of it.
  [[nodiscard]] std::string more(const Cause& cause) const {
    if (!cause.met.empty())
      return fmt::format("; met instead: {}", describe_met(network_, cause.met));
    if (cause.error)
      return fmt::format("; run-time error: {}", describe(network_, cause.error->what()));
    if (cause.obstacle.kind != ObstacleKind::kSynchronisation || !cause.edge.valid())
      return "";
    const std::string_view part = is_sender(cause) ? "receives" : "sends";
    if (cause.partners.empty())
      return fmt::format("; nobody {} there", part);
    std::string list;
    constexpr std::size_t kMostPartners = 4;
    for (std::size_t i = 0; i < cause.partners.size() && i < kMostPartners; ++i)
      list += (i == 0 ? "" : ", ") + describe_edge(names_, cause.partners[i]);
    if (cause.partners.size() > kMostPartners)
      list += fmt::format(", … ({} in all)", cause.partners.size());
    return fmt::format("; never ready then: {}", list);
  }

  [[nodiscard]] std::string line(const Cause& cause) const {
    switch (cause.obstacle.kind) {
      case ObstacleKind::kGuard:
        return fmt::format("guard '{}' of {}{}{}", text_of(cause), edge(cause), place(cause),
                           more(cause));
      case ObstacleKind::kInvariant:
        return fmt::format("invariant '{}' of {}{}{}", text_of(cause), location(cause),
                           place(cause), more(cause));
      case ObstacleKind::kSynchronisation:
        return fmt::format("synchronisation '{}' of {}{}{}", text_of(cause), edge(cause),
                           place(cause), more(cause));
      case ObstacleKind::kUpdate:
        return fmt::format("update '{}' of {}{}{}", text_of(cause), edge(cause), place(cause),
                           more(cause));
      case ObstacleKind::kCommitted:
        return fmt::format("location {} is committed{}: meanwhile nobody else moves",
                           location(cause), place(cause));
      case ObstacleKind::kUrgentLocation:
        return fmt::format("location {} is urgent{}: no time passes there", location(cause),
                           place(cause));
      case ObstacleKind::kUrgentChannel:
        return fmt::format(
            "channel '{}' is urgent{}: no time passes while somebody can synchronise on it",
            text_of(cause), place(cause));
      case ObstacleKind::kChannelPriorities:
        return "priorities of channels: something of higher priority is possible";
      case ObstacleKind::kProcessPriorities:
        return "priorities of processes: something of higher priority is possible";
    }
    return "";
  }

  [[nodiscard]] std::string line(const Blocked& blocked) const {
    const Edge& edge = network_.edges[blocked.edge];
    std::string out = fmt::format("{} {}", describe_edge(names_, blocked.edge),
                                  report_.exhaustive ? "never fires" : "was not seen to fire");
    if (!blocked.source_is_reached)
      out += fmt::format(": {} {} in {}", names_.process(edge.process),
                         report_.exhaustive ? "is never" : "was not seen",
                         names_.location(edge.source));
    return out;
  }

  [[nodiscard]] Json json(const Cause& cause) const {
    Json out = {{"kind", name_of(cause.obstacle.kind)}, {"text", text_of(cause)}};
    if (cause.edge.valid())
      out["edge"] = edge_json(cause.edge, owner(cause, network_.edges[cause.edge].process));
    if (cause.location.valid())
      out["location"] = {{"process", owner(cause, network_.locations[cause.location].process)},
                         {"location", names_.location(cause.location)}};
    const SourceRange where = place_of(network_, cause.obstacle);
    const bool is_somewhere = where != SourceRange{};
    const SourcePosition at = position_of(report_.file, where.begin);
    out["line"] = is_somewhere ? Json(at.line) : Json(nullptr);
    out["column"] = is_somewhere ? Json(at.column) : Json(nullptr);
    if (!cause.met.empty())
      out["met"] = describe_met(network_, cause.met);
    if (cause.error)
      out["error"] = describe(network_, cause.error->what());
    if (cause.obstacle.kind == ObstacleKind::kSynchronisation) {
      out["partners"] = Json::array();
      for (const EdgeId partner : cause.partners)
        out["partners"].push_back(
            edge_json(partner, names_.process(network_.edges[partner].process)));
    }
    return out;
  }

  [[nodiscard]] Json json(const Blocked& blocked) const {
    Json out = edge_json(blocked.edge, names_.process(network_.edges[blocked.edge].process));
    out["source_is_reached"] = blocked.source_is_reached;
    return out;
  }

 private:
  [[nodiscard]] Json edge_json(EdgeId id, const std::string& process) const {
    return {{"process", process}, {"edge", names_.edge(id)}};
  }

  const CausesReport& report_;
  const Network& network_;
  const StateNames names_;
};

std::string remedy(const Causes& causes) {
  const bool one = causes.causes.size() == 1;
  const std::string test = causes.steps == 0
                               ? std::string("the initial state")
                               : fmt::format("a test of {}", plural(causes.steps, "step"));
  return fmt::format("without {} {} covers it{}", one ? "that" : "them", test,
                     one || causes.minimal ? "" : "; fewer may have to go");
}

}  // namespace

std::vector<std::string> describe_causes(const CausesReport& report) {
  const CauseWriter writer(report);
  const Causes& causes = report.causes;
  std::vector<std::string> out;
  for (const Blocked& blocked : causes.behind)
    out.push_back(writer.line(blocked));
  for (const Cause& cause : causes.causes)
    out.push_back("in the way: " + writer.line(cause));
  if (!causes.causes.empty())
    out.push_back(remedy(causes));
  for (const LocationId location : causes.without_way_in)
    out.push_back(
        fmt::format("no edge leads to {} of {}", report.network.decl(location).name,
                    report.network.processes[report.network.locations[location].process].name));
  if (causes.without_edges)
    out.emplace_back("there is no edge that could cover it");
  if (causes.cut_short)
    out.push_back(fmt::format(
        "the search for causes was cut short ({}), so there may be more to say", report.limit));
  else if (out.empty())
    out.emplace_back("nothing was found that could be taken out of the model to cover it");
  return out;
}

Json causes_json(const CausesReport& report) {
  const CauseWriter writer(report);
  Json list = Json::array();
  for (const Cause& cause : report.causes.causes)
    list.push_back(writer.json(cause));
  Json behind = Json::array();
  for (const Blocked& blocked : report.causes.behind)
    behind.push_back(writer.json(blocked));
  Json out = {{"obstacles", std::move(list)}, {"behind", std::move(behind)}};
  const bool found = !report.causes.causes.empty();
  out["steps"] = found ? Json(report.causes.steps) : Json(nullptr);
  out["minimal"] = found ? Json(report.causes.minimal) : Json(nullptr);
  out["limit"] = report.causes.cut_short ? Json(report.limit) : Json(nullptr);
  return out;
}

}  // namespace tw
