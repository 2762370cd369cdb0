#include "criteria/elements.hpp"

namespace tw {
namespace {

std::vector<bool> templates_with_processes(const Network& network) {
  std::vector<bool> used(network.templates.size(), false);
  for (const Process& process : network.processes)
    used[process.of_template.index()] = true;
  return used;
}

std::uint32_t number(std::size_t index) { return static_cast<std::uint32_t>(index); }

}  // namespace

std::vector<EdgeElement> edge_elements(const Network& network, Level level) {
  std::vector<EdgeElement> out;
  if (level == Level::kInstance) {
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
      const Edge& edge = network.edges[EdgeId(i)];
      out.push_back(
          {.key = number(i), .decl = edge.decl, .owner = network.processes[edge.process].name});
    }
    return out;
  }
  const std::vector<bool> used = templates_with_processes(network);
  for (std::size_t t = 0; t < used.size(); ++t) {
    const Template& owner = network.templates[TemplateId(t)];
    if (!used[t])
      continue;
    for (const EdgeDeclId decl : owner.edges)
      out.push_back({.key = number(decl.index()), .decl = decl, .owner = owner.name});
  }
  return out;
}

std::vector<LocationElement> location_elements(const Network& network, Level level) {
  std::vector<LocationElement> out;
  if (level == Level::kInstance) {
    for (std::size_t i = 0; i < network.locations.size(); ++i) {
      const Location& location = network.locations[LocationId(i)];
      if (network.location_decls[location.decl].kind != LocationKind::kBranchpoint)
        out.push_back({.key = number(i),
                       .decl = location.decl,
                       .owner = network.processes[location.process].name});
    }
    return out;
  }
  const std::vector<bool> used = templates_with_processes(network);
  for (std::size_t t = 0; t < used.size(); ++t) {
    const Template& owner = network.templates[TemplateId(t)];
    if (!used[t])
      continue;
    for (const LocationDeclId decl : owner.locations)
      if (network.location_decls[decl].kind != LocationKind::kBranchpoint)
        out.push_back({.key = number(decl.index()), .decl = decl, .owner = owner.name});
  }
  return out;
}

std::vector<std::uint32_t> edge_keys(const Network& network, Level level) {
  std::vector<std::uint32_t> keys;
  keys.reserve(network.edges.size() + 1);
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    keys.push_back(number(level == Level::kInstance ? i : network.edges[EdgeId(i)].decl.index()));
  keys.push_back(Term::kNothing);
  return keys;
}

std::uint32_t key_of(const Network& network, LocationId location, Level level) {
  return number(level == Level::kInstance ? location.index()
                                          : network.locations[location].decl.index());
}

}  // namespace tw
