#include "exporters/step_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tw {
namespace {

void join_to(std::string& out, std::string_view text) {
  if (!out.empty())
    out += ", ";
  out += text;
}

std::string changes(const StateNames& names, const Snapshot& before, const Snapshot& after) {
  std::string out;
  for (std::size_t i = 0; i < after.cells.size(); ++i)
    if (before.cells[i] != after.cells[i])
      join_to(out, fmt::format("{} = {} (was {})", names.cell(i), after.cells[i], before.cells[i]));
  return out;
}

}  // namespace

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : (word.ends_with("s") ? "es" : "s"));
}

std::string describe_step(const Network& network, const Step& step) {
  std::string out;
  for (const FiredEdge& fired : step.edges) {
    const Edge& edge = network.edges[fired.edge];
    join_to(out, fmt::format("{}: {} -> {}", network.processes[edge.process].name,
                             network.decl(edge.source).name, network.decl(edge.target).name));
    std::string selects;
    for (std::size_t i = 0; i < fired.selects.size(); ++i)
      join_to(selects, fmt::format("{} = {}", network.variables[edge.labels.selects[i]].name,
                                   fired.selects[i]));
    if (!selects.empty())
      out += fmt::format(" [{}]", selects);
  }
  return out;
}

std::string describe_locations(const Network& network, const Snapshot& state) {
  std::string out;
  for (std::size_t i = 0; i < state.locations.size(); ++i)
    join_to(out, fmt::format("{} in {}", network.processes[ProcessId(i)].name,
                             network.decl(state.locations[i]).name));
  return out;
}

std::string describe_variables(const StateNames& names, const Snapshot& state) {
  std::string out;
  for (std::size_t i = 0; i < state.cells.size(); ++i)
    join_to(out, fmt::format("{} = {}", names.cell(i), state.cells[i]));
  return out;
}

std::string describe_test(const TestText& source) {
  std::size_t width = 0;
  for (const ChannelId channel : source.channels)
    if (channel.valid())
      width = std::max(width, source.network.channels[channel].name.size() + 2);
  std::string out;
  const Snapshot* before = &source.initial;
  for (std::size_t i = 0; i < source.test.steps.size(); ++i) {
    const ChannelId channel = source.channels[i];
    out += fmt::format("{:>4}  {:<{}}{}\n", i + 1,
                       channel.valid() ? source.network.channels[channel].name : "", width,
                       describe_step(source.network, source.test.steps[i]));
    const std::string changed = changes(source.names, *before, source.test.states[i]);
    if (!changed.empty())
      out += fmt::format("      {:<{}}  {}\n", "", width, changed);
    before = &source.test.states[i];
  }
  return out;
}

}  // namespace tw
