#include <nlohmann/json.hpp>

#include "engine/model/print.hpp"
#include "exporters/info.hpp"

namespace tw {
namespace {

// Keeps the order in which members are written: the same model gives the same bytes.
using Json = nlohmann::ordered_json;

Json position(const SourceFile& file, std::size_t offset) {
  const SourcePosition at = position_of(file, offset);
  return {{"line", at.line}, {"column", at.column}};
}

Json diagnostic(const SourceFile& file, const Diagnostic& d) {
  Json out = {{"severity", name_of(d.severity)}, {"message", d.message}};
  if (!d.hint.empty())
    out["hint"] = d.hint;
  out["file"] = file.path;
  out.update(position(file, d.where.begin));
  out["end"] = position(file, std::max(d.where.begin, d.where.end));
  const PartPosition part = part_position_of(file, d.where);
  if (!part.address.empty())
    out["part"] = {{"xpath", part.address},
                   {"line", part.begin.line},
                   {"column", part.begin.column},
                   {"end_line", part.end.line},
                   {"end_column", part.end.column}};
  return out;
}

Json diagnostics_of(const SourceFile& file, const Diagnostics& diagnostics, Severity severity) {
  Json out = Json::array();
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == severity)
      out.push_back(diagnostic(file, d));
  return out;
}

std::string_view name_of(LocationKind kind) {
  switch (kind) {
    case LocationKind::kNormal:
      return "normal";
    case LocationKind::kUrgent:
      return "urgent";
    case LocationKind::kCommitted:
      return "committed";
    case LocationKind::kBranchpoint:
      return "branchpoint";
  }
  return "";
}

std::string_view name_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kVoid:
      return "void";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kInt:
      return "int";
    case TypeKind::kScalar:
      return "scalar";
    case TypeKind::kClock:
      return "clock";
    case TypeKind::kChannel:
      return "chan";
    case TypeKind::kReal:
      return "double";
    case TypeKind::kArray:
      return "array";
    case TypeKind::kStruct:
      return "struct";
  }
  return "";
}

class InfoWriter {
 public:
  explicit InfoWriter(const InfoSource& source) : source_(source), network_(source.network) {}

  Json write() const {
    Json out;
    out["format"] = "tracewright-info";
    out["version"] = 1;
    out["model"] = {{"file", source_.file.path}, {"format", source_.format}};
    out["templates"] = templates();
    out["processes"] = processes();
    out["locations"] = locations();
    out["edges"] = edges();
    out["channels"] = channels();
    out["clocks"] = clocks();
    out["variables"] = variables();
    out["functions"] = functions();
    out["queries"] = queries();
    out["totals"] = totals();
    if (source_.counts)
      out["states"] = states(*source_.counts);
    out["warnings"] = diagnostics_of(source_.file, source_.diagnostics, Severity::kWarning);
    return out;
  }

 private:
  Json templates() const {
    std::vector<std::size_t> instances(network_.templates.size(), 0);
    for (const Process& process : network_.processes)
      ++instances[process.of_template.index()];
    Json out = Json::array();
    for (std::size_t i = 0; i < network_.templates.size(); ++i) {
      const Template& t = network_.templates[TemplateId(i)];
      Json parameters = Json::array();
      for (const VariableId parameter : t.parameters)
        parameters.push_back(network_.variables[parameter].name);
      out.push_back({{"name", t.name},
                     {"parameters", parameters},
                     {"locations", t.locations.size()},
                     {"edges", t.edges.size()},
                     {"initial", network_.location_decls[t.initial].name},
                     {"processes", instances[i]}});
    }
    return out;
  }

  Json processes() const {
    Json out = Json::array();
    for (const Process& p : network_.processes)
      out.push_back({{"name", p.name},
                     {"template", network_.templates[p.of_template].name},
                     {"arguments", p.arguments},
                     {"priority", p.priority}});
    return out;
  }

  Json locations() const {
    Json out = Json::array();
    for (const LocationDecl& l : network_.location_decls) {
      Json entry = {{"template", network_.templates[l.owner].name},
                    {"name", l.name},
                    {"kind", name_of(l.kind)}};
      if (l.invariant.valid())
        entry["invariant"] = print_expression(network_, l.invariant);
      entry.update(position(source_.file, l.where.begin));
      out.push_back(std::move(entry));
    }
    return out;
  }

  Json edges() const {
    Json out = Json::array();
    for (const EdgeDecl& e : network_.edge_decls) {
      Json entry = {{"template", network_.templates[e.owner].name},
                    {"source", network_.location_decls[e.source].name},
                    {"target", network_.location_decls[e.target].name}};
      labels(e.labels, entry);
      entry["controllable"] = e.controllable;
      entry.update(position(source_.file, e.where.begin));
      out.push_back(std::move(entry));
    }
    return out;
  }

  void labels(const EdgeLabels& l, Json& entry) const {
    if (!l.selects.empty()) {
      entry["select"] = Json::array();
      for (const VariableId select : l.selects)
        entry["select"].push_back(network_.variables[select].name);
    }
    if (l.guard.valid())
      entry["guard"] = print_expression(network_, l.guard);
    if (l.channel.valid())
      entry["sync"] =
          print_expression(network_, l.channel) + (l.direction == Direction::kSend ? "!" : "?");
    if (!l.updates.empty()) {
      entry["update"] = Json::array();
      for (const ExprId update : l.updates)
        entry["update"].push_back(print_expression(network_, update));
    }
  }

  Json channels() const {
    Json out = Json::array();
    for (std::size_t i = 0; i < network_.channels.size(); ++i) {
      const Channel& channel = network_.channels[ChannelId(i)];
      const Variable& variable = network_.variables[channel.variable];
      if (variable.first_channel.index() != i)
        continue;
      out.push_back({{"name", network_.qualified_name(channel.variable)},
                     {"size", network_.types.shape(variable.type).channels},
                     {"urgent", channel.urgent},
                     {"broadcast", channel.broadcast}});
    }
    return out;
  }

  Json clocks() const {
    Json out = Json::array();
    for (const Clock& clock : network_.clocks)
      out.push_back({{"name", clock.name}, {"initial", clock.initial}});
    return out;
  }

  // State and meta variables; constants are not variables of the model.
  Json variables() const {
    Json out = Json::array();
    for (std::size_t i = 0; i < network_.memory.meta; ++i) {
      const VariableId id = network_.cells[CellId(i)].variable;
      const Variable& variable = network_.variables[id];
      if (variable.first_cell.index() != i)
        continue;
      const std::uint64_t cells = network_.types.shape(variable.type).cells;
      Json entry = {{"name", network_.qualified_name(id)},
                    {"type", name_of(network_.types[variable.type].kind)},
                    {"cells", cells},
                    {"bits", network_.packed_bits(id)},
                    {"meta", variable.storage == Storage::kMeta}};
      if (cells == 1) {
        const Cell& cell = network_.cells[CellId(i)];
        entry["low"] = cell.low;
        entry["high"] = cell.high;
        entry["initial"] = cell.initial;
      }
      out.push_back(std::move(entry));
    }
    return out;
  }

  Json functions() const {
    Json out = Json::array();
    for (const Function& f : network_.functions) {
      if (f.process.valid())
        continue;
      Json entry = {{"name", f.name}, {"parameters", f.parameters.size()}};
      if (f.owner_template.valid())
        entry["template"] = network_.templates[f.owner_template].name;
      out.push_back(std::move(entry));
    }
    return out;
  }

  Json queries() const {
    Json out = Json::array();
    for (const Query& q : network_.queries) {
      Json entry = {{"formula", q.formula}};
      if (!q.comment.empty())
        entry["comment"] = q.comment;
      if (!q.expected.empty())
        entry["expected"] = q.expected;
      out.push_back(std::move(entry));
    }
    return out;
  }

  static Json states(const StateCounts& c) {
    Json out = {{"states", c.states}};
    if (c.discrete_states)
      out["discrete_states"] = *c.discrete_states;
    out.update({{"transitions", c.transitions},
                {"deadlocks", c.deadlocks},
                {"depth", c.depth},
                {"bytes_per_state", c.bytes_per_state},
                {"seconds", c.seconds},
                {"exhaustive", c.exhaustive},
                {"limit", c.limit.empty() ? Json(nullptr) : Json(c.limit)}});
    return out;
  }

  Json totals() const {
    return {{"templates", network_.templates.size()},
            {"processes", network_.processes.size()},
            {"template_locations", network_.location_decls.size()},
            {"template_edges", network_.edge_decls.size()},
            {"process_locations", network_.locations.size()},
            {"process_edges", network_.edges.size()},
            {"channels", network_.channels.size()},
            {"clocks", network_.clocks.size()},
            {"cells", network_.memory.state},
            {"meta_cells", network_.memory.meta - network_.memory.state},
            {"packed_state_bits", network_.packed_state_bits()},
            {"queries", network_.queries.size()},
            {"warnings", source_.diagnostics.warnings()}};
  }

  const InfoSource& source_;
  const Network& network_;
};

// Names come from files: bytes that are no UTF-8 must not make the writer throw.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string info_json(const InfoSource& source) { return dump(InfoWriter(source).write()); }

std::string diagnostics_json(const SourceFile& file, const Diagnostics& diagnostics) {
  Json out;
  out["format"] = "tracewright-info";
  out["version"] = 1;
  out["model"] = {{"file", file.path}};
  out["errors"] = diagnostics_of(file, diagnostics, Severity::kError);
  out["warnings"] = diagnostics_of(file, diagnostics, Severity::kWarning);
  return dump(out);
}

}  // namespace tw
