#include <algorithm>
#include <fmt/format.h>

#include "exporters/info.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

// "int[0,5]", "bool[3]", "struct" …: enough to recognise a variable, not a declaration.
std::string short_type(const Network& network, TypeId id) {
  const Type& type = network.types[id];
  switch (type.kind) {
    case TypeKind::kVoid:
      return "void";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kInt:
      return fmt::format("int[{},{}]", type.low, type.high);
    case TypeKind::kScalar:
      return fmt::format("scalar[{}]", type.high + 1);
    case TypeKind::kClock:
      return "clock";
    case TypeKind::kChannel:
      return fmt::format("{}{}chan", type.urgent ? "urgent " : "",
                         type.broadcast ? "broadcast " : "");
    case TypeKind::kReal:
      return "double";
    case TypeKind::kArray:
      return fmt::format("{}[{}]", short_type(network, type.element),
                         network.types.array_length(id));
    case TypeKind::kStruct:
      return "struct";
  }
  return "";
}

// Long lists help nobody on a screen.
constexpr std::size_t kMaxListed = 20;

template <class Items, class F>
std::string list(const Items& items, F name) {
  std::string out;
  std::size_t count = 0;
  for (const auto& item : items) {
    if (count == kMaxListed)
      return out + fmt::format(", … ({} in all)", items.size());
    out += (count++ == 0 ? "" : ", ") + name(item);
  }
  return out;
}

std::string join(const std::vector<std::string>& names) {
  return list(names, [](const std::string& name) { return name; });
}

void templates(const Network& network, std::string& out) {
  std::vector<std::size_t> instances(network.templates.size(), 0);
  for (const Process& process : network.processes)
    ++instances[process.of_template.index()];
  for (std::size_t i = 0; i < network.templates.size(); ++i) {
    const Template& t = network.templates[TemplateId(i)];
    out += fmt::format("  {:<24} {}, {}, {}\n", t.name, plural(t.locations.size(), "location"),
                       plural(t.edges.size(), "edge"), plural(instances[i], "process"));
  }
}

std::vector<std::string> variable_lines(const Network& network, std::size_t& cells) {
  std::vector<std::string> out;
  cells = 0;
  for (std::size_t i = 0; i < network.memory.state; ++i) {
    const VariableId id = network.cells[CellId(i)].variable;
    ++cells;
    if (network.variables[id].first_cell.index() == i)
      out.push_back(fmt::format("{} {}", short_type(network, network.variables[id].type),
                                network.qualified_name(id)));
  }
  return out;
}

std::vector<std::string> channel_names(const Network& network) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < network.channels.size(); ++i) {
    const VariableId id = network.channels[ChannelId(i)].variable;
    if (network.variables[id].first_channel.index() == i)
      out.push_back(fmt::format("{} {}", short_type(network, network.variables[id].type),
                                network.qualified_name(id)));
  }
  return out;
}

}  // namespace

std::string info_text(const InfoSource& source) {
  const Network& network = source.network;
  std::string out = fmt::format("{} ({})\n", source.file.path, source.format);
  out += fmt::format("\n{}\n", plural(network.templates.size(), "template"));
  templates(network, out);
  out += fmt::format("\n{}: {}\n", plural(network.processes.size(), "process"),
                     list(network.processes, [](const Process& p) { return p.name; }));
  out += fmt::format("  {}, {}\n", plural(network.locations.size(), "location"),
                     plural(network.edges.size(), "edge"));
  const auto section = [&out](std::string_view word, const std::vector<std::string>& names,
                              const std::string& note) {
    out += fmt::format("\n{}{}{}{}\n", plural(names.size(), word), note, names.empty() ? "" : ": ",
                       join(names));
  };
  std::vector<std::string> clocks;
  for (const Clock& clock : network.clocks)
    clocks.push_back(clock.name);
  std::vector<std::string> functions;
  for (const Function& function : network.functions)
    if (!function.process.valid())
      functions.push_back(function.name);
  std::size_t cells = 0;
  const std::vector<std::string> variables = variable_lines(network, cells);
  section("channel", channel_names(network), "");
  section("clock", clocks, "");
  section("variable", variables,
          fmt::format(" ({}, packed state {})", plural(cells, "cell"),
                      plural(network.packed_state_bits(), "bit")));
  section("function", functions, "");
  out += fmt::format("\n{}\n", network.queries.size() == 1
                                   ? "1 query"
                                   : fmt::format("{} queries", network.queries.size()));
  for (const Query& query : network.queries)
    out += fmt::format("  {}\n", query.formula.empty() ? "(empty)" : query.formula);
  if (source.counts) {
    const StateCounts& c = *source.counts;
    const std::string discrete =
        c.discrete_states ? fmt::format(" ({} discrete)", *c.discrete_states) : "";
    out += fmt::format(
        "\n{}{}{}, {}, {}, depth {}, {} per state, {:.2f} s\n", c.exhaustive ? "" : "at least ",
        plural(c.states, state_word(network)), discrete, plural(c.transitions, "transition"),
        plural(c.deadlocks, "deadlock"), c.depth, plural(c.bytes_per_state, "byte"), c.seconds);
  }
  out += fmt::format("\n{}\n", plural(source.diagnostics.warnings(), "warning"));
  return out;
}

}  // namespace tw
