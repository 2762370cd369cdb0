#include "frontends/uppaal/symbols.hpp"

#include <algorithm>
#include <utility>

namespace tw::uppaal {

SymbolId SymbolTable::declare(Symbol symbol) {
  symbol.frame = frames_.back().frame;
  std::string name = symbol.name;
  const SymbolId id = symbols_.push_back(std::move(symbol));
  frames_.back().by_name.insert_or_assign(std::move(name), id);
  return id;
}

SymbolId SymbolTable::find_here(std::string_view name) const {
  const auto& names = frames_.back().by_name;
  const auto at = names.find(std::string(name));
  return at == names.end() ? SymbolId() : at->second;
}

SymbolId SymbolTable::find(std::string_view name) const {
  const std::string key(name);
  for (std::size_t depth = frames_.size(); depth-- > 0;) {
    const auto& names = frames_[depth].by_name;
    const auto at = names.find(key);
    if (at != names.end())
      return at->second;
  }
  return {};
}

std::string SymbolTable::suggestion(std::string_view name) const {
  // A help, not a duty: hopeless inputs with thousands of long names must not take forever.
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kMostNames = 5000;
  std::string best;
  if (name.size() > kLongest || symbols_.size() > kMostNames)
    return best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const Names& frame : frames_) {
    for (const auto& [candidate, id] : frame.by_name) {
      const std::size_t longer = std::max(candidate.size(), name.size());
      const std::size_t shorter = std::min(candidate.size(), name.size());
      if (longer - shorter >= least || (frame.frame == Frame::kBuiltin && name.size() < 4))
        continue;
      const std::size_t distance = edit_distance(candidate, name);
      // The order of an unordered map must not show: among equals the alphabet decides.
      if (distance < least || (distance == least && !best.empty() && candidate < best)) {
        least = distance;
        best = candidate;
      }
    }
  }
  return best;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[b.size()];
}

}  // namespace tw::uppaal
