#include "engine/check/suite_names.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/coverage/names.hpp"

namespace tw {

SuiteNames::SuiteNames(const Network& network) : network_(&network) {
  const ElementNames names(network);
  for (std::size_t i = 0; i < network.processes.size(); ++i)
    processes_.emplace(network.processes[ProcessId(i)].name, i);
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    edges_.emplace(names.edge(EdgeId(i)), i);
  for (std::size_t i = 0; i < network.memory.state; ++i)
    cells_.emplace(network.cell_name(CellId(i)), i);
  for (std::size_t i = 0; i < network.clocks.size(); ++i)
    clocks_.emplace(network.clocks[ClockId(i)].name, i);
}

SuiteNames::Found<Step> SuiteNames::step(const SuiteFile::Step& written) const {
  Step out;
  if (written.delay.has_value() != network_->is_timed())
    return {.value = std::nullopt,
            .problem = written.delay ? "the model has no clocks, the suite gives a delay"
                                     : "the model has clocks, the suite gives no delay"};
  if (written.edges.empty() && !network_->is_timed())
    return {.value = std::nullopt, .problem = "no edge takes part, and no time can pass"};
  for (const SuiteFile::Edge& edge_written : written.edges) {
    Found<FiredEdge> found = edge(edge_written);
    if (!found.value)
      return {.value = std::nullopt, .problem = std::move(found.problem)};
    out.edges.push_back(std::move(*found.value));
  }
  return {.value = std::move(out), .problem = {}};
}

SuiteNames::Found<FiredEdge> SuiteNames::edge(const SuiteFile::Edge& written) const {
  const auto problem = [](std::string text) {
    return Found<FiredEdge>{.value = std::nullopt, .problem = std::move(text)};
  };
  if (!processes_.contains(written.process))
    return problem(fmt::format("the model has no process '{}'", written.process));
  const auto at = edges_.find(fmt::format("{}.{}", written.process, written.edge));
  if (at == edges_.end())
    return problem(fmt::format("process {} has no edge '{}'", written.process, written.edge));
  const Edge& edge = network_->edges[at->second];
  const std::string& source = network_->decl(edge.source).name;
  const std::string& target = network_->decl(edge.target).name;
  if (source != written.source || target != written.target)
    return problem(fmt::format("edge '{}' of {} goes {} -> {}, the suite says {} -> {}",
                               written.edge, written.process, source, target, written.source,
                               written.target));
  FiredEdge out{.edge = at->second};
  for (const VariableId select : edge.labels.selects) {
    const std::string& name = network_->variables[select].name;
    const auto value =
        std::ranges::find(written.select, name, &std::pair<std::string, std::int32_t>::first);
    if (value == written.select.end())
      return problem(fmt::format("edge '{}' of {} selects '{}', the suite gives no value",
                                 written.edge, written.process, name));
    out.selects.push_back(value->second);
  }
  if (out.selects.size() != written.select.size())
    return problem(fmt::format("edge '{}' of {} selects {}, the suite gives {}", written.edge,
                               written.process, out.selects.size(), written.select.size()));
  return {.value = std::move(out), .problem = {}};
}

SuiteNames::Found<std::string> SuiteNames::difference(const SuiteFile::State& written,
                                                      const replay::RunState& reached) const {
  const auto problem = [](std::string text) {
    return Found<std::string>{.value = std::nullopt, .problem = std::move(text)};
  };
  for (const auto& [name, location] : written.locations) {
    const auto at = processes_.find(name);
    if (at == processes_.end())
      return problem(fmt::format("the model has no process '{}'", name));
    const std::string& is = network_->decl(reached.locations[at->second.index()]).name;
    if (is != location)
      return {.value = fmt::format("{} is in {}, the suite says {}", name, is, location),
              .problem = {}};
  }
  for (const auto& [name, value] : written.variables) {
    const auto at = cells_.find(name);
    if (at == cells_.end())
      return problem(fmt::format("the model has no variable '{}'", name));
    const std::int32_t is = reached.cells[at->second.index()];
    if (is != value)
      return {.value = fmt::format("{} is {}, the suite says {}", name, is, value), .problem = {}};
  }
  for (const auto& [name, value] : written.clocks) {
    const auto at = clocks_.find(name);
    if (at == clocks_.end())
      return problem(fmt::format("the model has no clock '{}'", name));
    const Rational& is = reached.clocks[at->second.index()];
    if (is != value)
      return {.value = fmt::format("clock {} is {}, the suite says {}", name, to_string(is),
                                   to_string(value)),
              .problem = {}};
  }
  return {.value = std::string(), .problem = {}};
}

std::string SuiteNames::gap(const SuiteFile::State& written) const {
  // No key is given twice, and unknown ones differ.
  if (written.locations.size() < network_->processes.size())
    return "the location of some process is missing";
  if (written.variables.size() < network_->memory.state)
    return "the value of some variable is missing";
  if (written.clocks.size() < network_->clocks.size())
    return "the value of some clock is missing";
  return {};
}

SuiteNames::Found<std::string> SuiteNames::difference(const SuiteFile::State& written,
                                                      const replay::RunState& before,
                                                      const Rational& delay,
                                                      const replay::RunState& reached) const {
  Found<std::string> out = difference(written, reached);
  if (!out.value || !out.value->empty())
    return out;
  // What is written is true; is it what changed?
  std::size_t said = 0;
  const auto differs = [&](std::string text) {
    return Found<std::string>{.value = std::move(text), .problem = {}};
  };
  for (const auto& [name, location] : written.locations) {
    const std::size_t i = processes_.at(name).index();
    if (before.locations[i] == reached.locations[i])
      return differs(
          fmt::format("{} stays in {}, the suite says that this changes", name, location));
    ++said;
  }
  for (const auto& [name, value] : written.variables) {
    const std::size_t i = cells_.at(name).index();
    if (before.cells[i] == reached.cells[i])
      return differs(fmt::format("{} stays {}, the suite says that this changes", name, value));
    ++said;
  }
  for (const auto& [name, value] : written.clocks) {
    const std::size_t i = clocks_.at(name).index();
    if (before.clocks[i] + delay == reached.clocks[i])
      return differs(fmt::format("clock {} goes on to {}, the suite says that this changes", name,
                                 to_string(value)));
    ++said;
  }
  std::size_t changed = 0;
  for (std::size_t i = 0; i < reached.locations.size(); ++i)
    changed += before.locations[i] != reached.locations[i] ? 1U : 0U;
  for (std::size_t i = 0; i < network_->memory.state; ++i)
    changed += before.cells[i] != reached.cells[i] ? 1U : 0U;
  for (std::size_t i = 0; i < reached.clocks.size(); ++i)
    changed += before.clocks[i] + delay != reached.clocks[i] ? 1U : 0U;
  return changed == said ? out : differs(unsaid(written, before, delay, reached));
}

// The first change that is not written. Pre: there is one.
std::string SuiteNames::unsaid(const SuiteFile::State& written,
                               const replay::RunState& before,
                               const Rational& delay,
                               const replay::RunState& reached) const {
  const auto is_said = [](const auto& entries, const std::string& name) {
    return std::ranges::any_of(entries, [&](const auto& entry) { return entry.first == name; });
  };
  for (std::size_t i = 0; i < reached.locations.size(); ++i) {
    const std::string& name = network_->processes[ProcessId(i)].name;
    if (before.locations[i] != reached.locations[i] && !is_said(written.locations, name))
      return fmt::format("{} is in {} now, the suite says nothing of it", name,
                         network_->decl(reached.locations[i]).name);
  }
  for (std::size_t i = 0; i < network_->memory.state; ++i) {
    const std::string name = network_->cell_name(CellId(i));
    if (before.cells[i] != reached.cells[i] && !is_said(written.variables, name))
      return fmt::format("{} is {} now, the suite says nothing of it", name, reached.cells[i]);
  }
  for (std::size_t i = 0; i < reached.clocks.size(); ++i) {
    const std::string& name = network_->clocks[ClockId(i)].name;
    if (before.clocks[i] + delay != reached.clocks[i] && !is_said(written.clocks, name))
      return fmt::format("clock {} is {} now, the suite says nothing of it", name,
                         to_string(reached.clocks[i]));
  }
  return {};
}

}  // namespace tw
