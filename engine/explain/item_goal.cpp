#include "engine/explain/item_goal.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tw {
namespace {

template <class Id>
void make_set(std::vector<Id>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

class EventReader {
 public:
  EventReader(const Network& network, const CoverageRules& rules, ItemId item)
      : network_(network),
        rules_(rules),
        id_(item),
        item_(rules.items()[item]) {}

  ItemEvents read() {
    if (const auto& edges = rules_.item_families()[item_.family].edges) {
      out_.completes = edges(item_.arguments);
      out_.needs_token = !rules_.tokens_of(id_).empty();
    } else {
      read_rules();
    }
    make_set(out_.begins);
    make_set(out_.completes);
    make_set(out_.locations);
    return std::move(out_);
  }

 private:
  void read_rules() {
    bool without_token = false;
    for (const Rule& rule : rules_.rules())
      if (rule.action == Rule::Action::kCover && rule.item == item_.family &&
          add(rule, item_.arguments, out_.completes))
        without_token = without_token || !rule.needs;
    out_.needs_token = !without_token;
    for (const TokenId id : rules_.tokens_of(id_)) {
      const Token& token = rules_.tokens()[id];
      for (const Rule& rule : rules_.rules())
        if (rule.action == Rule::Action::kArm && rule.token == token.family)
          add(rule, token.arguments, out_.begins);
    }
  }

  // False if the rule is about other members of the family.
  bool add(const Rule& rule, const Arguments& wanted, std::vector<EdgeId>& edges) {
    if (rule.at.valid()) {
      const std::vector<ItemId>& leads_to = rules_.items_of(rule.at);
      if (!leads_to.empty() && std::ranges::find(leads_to, id_) == leads_to.end())
        return false;
    }
    std::optional<std::vector<EdgeId>> by;  // none: whatever the edge
    std::optional<std::vector<CellId>> of;
    for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
      const Term& term = rule.arguments[i];
      if (term.source == Term::Source::kConstant && term.value != wanted[i])
        return false;
      if (term.source == Term::Source::kEdge)
        by = solve<EdgeId>(term.map, wanted[i], network_.edges.size());
      if (term.source == Term::Source::kCell)
        of = solve<CellId>(term.map, wanted[i], network_.memory.total + network_.clocks.size());
    }
    if ((by && by->empty() && rule.on == EventKind::kFired) || (of && of->empty()))
      return false;
    if (by)
      edges.insert(edges.end(), by->begin(), by->end());
    if (rule.at.valid()) {
      const std::vector<LocationId>& at = rules_.observations()[rule.at].locations;
      out_.locations.insert(out_.locations.end(), at.begin(), at.end());
    }
    return true;
  }

  // All values that the term makes the wanted argument of.
  template <class Id>
  std::vector<Id> solve(MapId map, std::uint32_t wanted, std::size_t count) const {
    std::vector<Id> out;
    for (std::size_t i = 0; i < count; ++i) {
      const bool fits =
          map.valid() ? i < rules_.map(map).size() && rules_.map(map)[i] == wanted : i == wanted;
      if (fits)
        out.push_back(Id(i));
    }
    return out;
  }

  const Network& network_;
  const CoverageRules& rules_;
  const ItemId id_;
  const Item& item_;
  ItemEvents out_;
};

}  // namespace

ItemEvents events_of_item(const Network& network, const CoverageRules& rules, ItemId item) {
  return EventReader(network, rules, item).read();
}

ItemGoal goal_of(const ItemEvents& events) {
  ItemGoal out{.edges = events.begins, .locations = events.locations};
  out.edges.insert(out.edges.end(), events.completes.begin(), events.completes.end());
  make_set(out.edges);
  return out;
}

}  // namespace tw
