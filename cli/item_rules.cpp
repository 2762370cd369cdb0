#include "cli/item_rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/model/print.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

// More than a reader wants to see of one kind.
constexpr std::size_t kMostNames = 6;

template <class Id, class F>
std::string list(const std::vector<Id>& ids, const std::string& separator, F name) {
  std::string out;
  for (std::size_t i = 0; i < ids.size() && i < kMostNames; ++i)
    out += (i == 0 ? "" : separator) + name(ids[i]);
  if (ids.size() > kMostNames)
    out += fmt::format("{}… ({} in all)", separator, ids.size());
  return out;
}

class RuleReader {
 public:
  RuleReader(const Network& network, const CoverageRules& rules, ItemId item)
      : network_(network),
        names_(network),
        rules_(rules),
        id_(item),
        item_(rules.items()[item]) {}

  ItemRules read() {
    const CriterionInfo& criterion = rules_.criteria()[item_.criterion];
    if (!criterion.rules.empty())
      return read_observer(criterion);
    bool without_token = false;
    for (const Rule& rule : rules_.rules())
      if (rule.action == Rule::Action::kCover && rule.item == item_.family &&
          add(rule, item_.arguments, out_.completes, "covered"))
        without_token = without_token || !rule.needs;
    out_.needs_token = !without_token;
    for (const Token& token : rules_.tokens())
      if (std::ranges::find(token.leads_to, id_) != token.leads_to.end())
        add_token(token);
    for (std::vector<EdgeId>* edges : {&out_.begins, &out_.completes}) {
      std::ranges::sort(*edges);
      edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
    }
    return std::move(out_);
  }

 private:
  // In the author's words; the item names the edges.
  ItemRules read_observer(const CriterionInfo& criterion) {
    out_.words = criterion.rules;
    out_.needs_token = !rules_.tokens_of(id_).empty();
    if (const auto& edges = rules_.item_families()[item_.family].edges)
      out_.completes = edges(item_.arguments);
    return std::move(out_);
  }

  void add_token(const Token& token) {
    for (const Rule& rule : rules_.rules())
      if (rule.action == Rule::Action::kArm && rule.token == token.family)
        add(rule, token.arguments, out_.begins, "begun");
  }

  // False if the rule is about other members of the family.
  bool add(const Rule& rule,
           const Arguments& wanted,
           std::vector<EdgeId>& edges,
           std::string_view what) {
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
    std::string line = fmt::format("{} when {}", what, event(rule, by, of));
    if (rule.at.valid())
      if (const std::string where = condition(rules_.observations()[rule.at], rule.when);
          !where.empty())
        line += fmt::format(", where {}", where);
    if (rule.needs)
      line += fmt::format(", while '{}' holds", rules_.token_families()[rule.needs->family].name);
    if (what == "begun")
      line += fmt::format(": then '{}' holds", rules_.token_families()[rule.token].name);
    if (std::ranges::find(out_.words, line) == out_.words.end())
      out_.words.push_back(std::move(line));
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

  std::string event(const Rule& rule,
                    const std::optional<std::vector<EdgeId>>& by,
                    const std::optional<std::vector<CellId>>& of) const {
    const std::string edges =
        by ? list(*by, " or ", [this](EdgeId id) { return describe_edge(names_, id); })
           : std::string("any edge");
    const std::string cells =
        of ? list(*of, " or ", [this](CellId id) { return network_.cell_name(id); })
           : std::string("the variable");
    switch (rule.on) {
      case EventKind::kStart:
        return "a run begins";
      case EventKind::kBegin:
        return "a step begins";
      case EventKind::kEnd:
        return "a step ends";
      case EventKind::kInitialDefinition:
        return fmt::format("the run starts and {} has its initial value", cells);
      case EventKind::kUse:
        return fmt::format(
            "{} uses {}{}", edges.empty() ? "an update hook" : edges, cells,
            rule.use ? (*rule.use == UseKind::kPredicate ? " in a condition" : " in a computation")
                     : "");
      case EventKind::kDefinition:
        return fmt::format("{} defines {}", edges.empty() ? "an update hook" : edges, cells);
      case EventKind::kFired:
        return fmt::format("{} fires", edges);
      case EventKind::kState:
        return "a state is reached";
    }
    return "";
  }

  std::string condition(const Observation& observation, FormulaId when) const {
    std::vector<std::string> parts;
    for (const LocationId id : observation.locations)
      parts.push_back(place(id));
    for (const Observation::CellValue& cell : observation.cells)
      parts.push_back(fmt::format("{} = {}", network_.cell_name(cell.cell), cell.value));
    if (when.valid())
      parts.push_back(formula(observation, when));
    return list(parts, ", ", [](const std::string& part) { return part; });
  }

  std::string place(LocationId id) const {
    return fmt::format("{} in {}", network_.processes[network_.locations[id].process].name,
                       network_.decl(id).name);
  }

  std::string formula(const Observation& observation, FormulaId id) const {
    const Formula& f = rules_.formula(id);
    const auto side = [&](FormulaId part) {
      const Formula::Kind kind = rules_.formula(part).kind;
      const bool simple = kind == Formula::Kind::kConstant || kind == Formula::Kind::kNot;
      const std::string text = formula(observation, part);
      return simple ? text : "(" + text + ")";
    };
    switch (f.kind) {
      case Formula::Kind::kConstant:
        return f.number != 0 ? "true" : "false";
      case Formula::Kind::kAtom: {
        const Atom& atom = observation.atoms[f.number];
        return atom.location.valid() ? place(atom.location)
                                     : print_expression(network_, rules_.pool(), atom.expression);
      }
      case Formula::Kind::kNot:
        return "!" + side(f.left);
      case Formula::Kind::kAnd:
        return fmt::format("{} && {}", side(f.left), side(f.right));
      case Formula::Kind::kOr:
        return fmt::format("{} || {}", side(f.left), side(f.right));
      case Formula::Kind::kXor:
        return fmt::format("{} xor {}", side(f.left), side(f.right));
    }
    return "";
  }

  const Network& network_;
  const StateNames names_;
  const CoverageRules& rules_;
  const ItemId id_;
  const Item& item_;
  ItemRules out_;
};

}  // namespace

ItemRules rules_of_item(const Network& network, const CoverageRules& rules, ItemId item) {
  return RuleReader(network, rules, item).read();
}

}  // namespace tw
