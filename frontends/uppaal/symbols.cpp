#include "frontends/uppaal/symbols.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/suggest.hpp"

namespace tw::uppaal {

SymbolId SymbolTable::declare(Symbol symbol) {
  symbol.frame = frames_.back().frame;
  const SymbolId id = symbols_.push_back(std::move(symbol));
  meanings_[symbols_[id].name].push_back({.symbol = id, .depth = frames_.size()});
  frames_.back().declared.push_back(id);
  return id;
}

void SymbolTable::pop() {
  for (const SymbolId id : frames_.back().declared)
    meanings_.find(symbols_[id].name)->second.pop_back();
  frames_.pop_back();
}

SymbolId SymbolTable::find_here(std::string_view name) const {
  const auto at = meanings_.find(name);
  const bool here =
      at != meanings_.end() && !at->second.empty() && at->second.back().depth == frames_.size();
  return here ? at->second.back().symbol : SymbolId();
}

SymbolId SymbolTable::find(std::string_view name) const {
  const auto at = meanings_.find(name);
  return at == meanings_.end() || at->second.empty() ? SymbolId() : at->second.back().symbol;
}

SymbolId SymbolTable::suggestion(std::string_view name,
                                 const std::function<bool(const Symbol&)>& fits) const {
  // A help, not a duty: hopeless inputs with thousands of long names must not take forever.
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kMostNames = 5000;
  SymbolId best;
  if (name.size() > kLongest || symbols_.size() > kMostNames)
    return best;
  std::size_t least = name.size() / 3 + 1;  // one slip per three characters
  for (const auto& [candidate, meanings] : meanings_) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (meanings.empty() || longer - shorter > least || !fits(symbols_[meanings.back().symbol]))
      continue;
    const std::size_t distance = edit_distance(candidate, name);
    // The order of an unordered map must not show: among equals the alphabet decides.
    if (distance < least ||
        (distance == least && best.valid() && candidate < symbols_[best].name)) {
      least = distance;
      best = meanings.back().symbol;
    }
  }
  return best;
}

}  // namespace tw::uppaal
