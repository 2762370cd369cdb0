#include "criteria/cell_names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "criteria/cell_accesses.hpp"
#include "engine/base/suggest.hpp"

namespace tw {
namespace {

// Those that can be chosen: the state, then the clocks.
template <class Visit>
void each_followed(const Network& network, Visit visit) {
  for (std::size_t i = 0; i < network.memory.state; ++i)
    visit(CellId(i));
  for (std::size_t i = 0; i < network.clocks.size(); ++i)
    visit(network.cell_of(ClockId(i)));
}

const Variable& variable_of(const Network& network, CellId cell) {
  return network.variables[network.variable_at(cell)];
}

// "[2].len": what follows the name of the variable.
std::string suffix_of(const Network& network, CellId cell) {
  const std::string whole = network.cell_name(cell);
  return whole.substr(network.qualified_name(network.variable_at(cell)).size());
}

const std::string& template_name(const Network& network, const Variable& variable) {
  return network.templates[network.processes[variable.process].of_template].name;
}

// All ways to call a variable, without its cells.
std::vector<std::string> names_of(const Network& network, const Variable& variable) {
  if (!variable.process.valid())
    return {variable.name};
  return {variable.name, fmt::format("{}.{}", template_name(network, variable), variable.name),
          fmt::format("{}.{}", network.processes[variable.process].name, variable.name)};
}

std::string hint_for(const Network& network, const std::string& glob) {
  std::vector<std::string> known;
  VariableId last;
  each_followed(network, [&](CellId cell) {
    if (network.variable_at(cell) == last)
      return;
    last = network.variable_at(cell);
    for (std::string& name : names_of(network, network.variables[last]))
      known.push_back(std::move(name));
  });
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::string_view near = nearest_name(glob, known);
  return near.empty() ? "give names such as 'x', 'Train.x', 'list' or 'list[2]'; '*' and '?' match "
                        "any text and any character"
                      : fmt::format("did you mean '{}'?", near);
}

}  // namespace

std::vector<bool> chosen_cells(const Network& network,
                               std::span<const std::string> globs,
                               Diagnostics& diagnostics) {
  std::vector<bool> chosen(cell_count(network), false);
  if (globs.empty())
    each_followed(network, [&chosen](CellId cell) { chosen[cell.index()] = true; });
  for (const std::string& glob : globs) {
    const ItemFilter filter({glob});
    bool found = false;
    each_followed(network, [&](CellId cell) {
      const std::vector<std::string> names = names_of(network, variable_of(network, cell));
      const std::string suffix = suffix_of(network, cell);
      const bool matches = std::ranges::any_of(names, [&](const std::string& name) {
        return filter.passes(name) || (!suffix.empty() && filter.passes(name + suffix));
      });
      chosen[cell.index()] = chosen[cell.index()] || matches;
      found = found || matches;
    });
    if (!found)
      diagnostics.error({}, fmt::format("no variable matches '{}'", glob), hint_for(network, glob));
  }
  return chosen;
}

CellKeys::CellKeys(const Network& network, Level level) : network_(&network), level_(level) {
  // By name, as items are: bounds of an array may differ between processes.
  std::unordered_map<std::string, std::uint32_t> known;
  keys_.resize(cell_count(network));
  std::iota(keys_.begin(), keys_.end(), std::uint32_t{0});
  each_followed(network, [&](CellId cell) {
    std::uint32_t& key = keys_[cell.index()];
    if (level == Level::kTemplate && is_local(cell))
      key = known.emplace(name(cell), key).first->second;
  });
}

bool CellKeys::is_local(CellId cell) const { return variable_of(*network_, cell).process.valid(); }

std::string CellKeys::name(CellId cell) const {
  if (level_ == Level::kInstance || !is_local(cell))
    return network_->cell_name(cell);
  const Variable& variable = variable_of(*network_, cell);
  return fmt::format("{}.{}{}", template_name(*network_, variable), variable.name,
                     suffix_of(*network_, cell));
}

}  // namespace tw
