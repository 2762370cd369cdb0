#include "cli/item_rules.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "engine/model/print.hpp"
#include "exporters/step_text.hpp"

namespace tw {
namespace {

// More than a reader wants to see of one kind.
constexpr std::size_t kMostNames = 6;

std::string list(const std::vector<std::string>& words, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < words.size() && i < kMostNames; ++i)
    out += (i == 0 ? "" : std::string(separator)) + words[i];
  if (words.size() > kMostNames)
    out += fmt::format("{}… ({} in all)", separator, words.size());
  return out;
}

void add_new(std::vector<std::string>& words, std::string word) {
  if (std::ranges::find(words, word) == words.end())
    words.push_back(std::move(word));
}

// A condition in words, as short as it gets: rules are made for every guard by the same pattern, so
// much of what they ask is constant or said twice.
struct Condition {
  std::optional<bool> constant;
  std::string text;
  bool is_negated = false;
  Formula::Kind kind = Formula::Kind::kAtom;
};

Condition constant(bool value) { return {.constant = value}; }

Condition negation(Condition of) {
  if (of.constant)
    return constant(!*of.constant);
  of.is_negated = !of.is_negated;
  return of;
}

std::string show(const Condition& condition) {
  if (condition.constant)
    return *condition.constant ? "true" : "false";
  return condition.is_negated ? fmt::format("!({})", condition.text) : condition.text;
}

std::string show_within(const Condition& side, Formula::Kind kind) {
  const bool is_plain =
      side.constant || side.is_negated || side.kind == Formula::Kind::kAtom || side.kind == kind;
  return is_plain ? show(side) : fmt::format("({})", show(side));
}

Condition both(const Condition& a, const Condition& b, Formula::Kind kind) {
  const bool neutral = kind == Formula::Kind::kAnd;  // true && x is x, false || x is x
  if (a.constant)
    return *a.constant == neutral ? b : a;
  if (b.constant)
    return *b.constant == neutral ? a : b;
  if (a.text == b.text)
    return a.is_negated == b.is_negated ? a : constant(!neutral);
  return {.text = fmt::format("{} {} {}", show_within(a, kind), neutral ? "&&" : "||",
                              show_within(b, kind)),
          .kind = kind};
}

Condition either(const Condition& a, const Condition& b) {
  if (a.constant)
    return *a.constant ? negation(b) : b;
  if (b.constant)
    return *b.constant ? negation(a) : a;
  if (a.text == b.text)
    return constant(a.is_negated != b.is_negated);
  return {.text = fmt::format("{} xor {}", show_within(a, Formula::Kind::kXor),
                              show_within(b, Formula::Kind::kXor)),
          .kind = Formula::Kind::kXor};
}

enum class Family {
  kLocation,
  kEdge,
  kEdgeInit,
  kUse,
  kEdgePair,
  kNextStep,
  kSyncPair,
  kValues,
  kGuard,      // a state in which a condition about a guard holds
  kDecides,    // the same, where a clause decides or does not
  kMutation,   // the same, where two guards differ
  kPair,       // two states in which a clause decides
  kEqualPair,  // the same, with all other clauses equal
  kIdlePair,   // where it does not decide
  kQuery,
  kMatters,
  kFirstCause,
};

struct FamilyOf {
  std::string_view criterion;
  Family family;
};

constexpr std::array kFamilies = {FamilyOf{"location", Family::kLocation},
                                  FamilyOf{"edge", Family::kEdge},
                                  FamilyOf{"edge-init", Family::kEdgeInit},
                                  FamilyOf{"def-use", Family::kUse},
                                  FamilyOf{"p-use", Family::kUse},
                                  FamilyOf{"c-use", Family::kUse},
                                  FamilyOf{"all-defs", Family::kUse},
                                  FamilyOf{"edge-pair", Family::kEdgePair},
                                  FamilyOf{"edge-pair-global", Family::kNextStep},
                                  FamilyOf{"sync-pair", Family::kSyncPair},
                                  FamilyOf{"sc", Family::kValues},
                                  FamilyOf{"pwc", Family::kValues},
                                  FamilyOf{"3wc", Family::kValues},
                                  FamilyOf{"pc", Family::kGuard},
                                  FamilyOf{"cc", Family::kGuard},
                                  FamilyOf{"coc", Family::kGuard},
                                  FamilyOf{"gacc", Family::kDecides},
                                  FamilyOf{"gicc", Family::kDecides},
                                  FamilyOf{"mutation", Family::kMutation},
                                  FamilyOf{"cacc", Family::kPair},
                                  FamilyOf{"mcdc-masking", Family::kPair},
                                  FamilyOf{"racc", Family::kEqualPair},
                                  FamilyOf{"mcdc-unique-cause", Family::kEqualPair},
                                  FamilyOf{"ricc", Family::kIdlePair},
                                  FamilyOf{"query", Family::kQuery},
                                  FamilyOf{"vc", Family::kMatters},
                                  FamilyOf{"ufc", Family::kFirstCause}};

// What rules say of one item.
struct Parts {
  std::vector<std::string> edges;   // any of these
  std::vector<std::string> cells;   // of these variables
  std::vector<std::string> places;  // and locations, of states, any of these
  std::vector<std::string> states;  // … with what has to hold there
  bool any_possible = false;        // not all of those are conditions that never hold
  bool at_start = false;            // also without an edge
  bool of_initial_value = false;
  std::optional<UseKind> use;
};

class RuleReader {
 public:
  RuleReader(const Network& network, const CoverageRules& rules, ItemId item)
      : network_(network),
        names_(network),
        rules_(rules),
        id_(item),
        item_(rules.items()[item]) {}

  std::vector<std::string> read() {
    const CriterionInfo& criterion = rules_.criteria()[item_.criterion];
    if (!criterion.rules.empty())
      return criterion.rules;  // in the author's words
    collect();
    const auto* const known =
        std::ranges::find(kFamilies, std::string_view(criterion.name), &FamilyOf::criterion);
    std::vector<std::string> out =
        known == kFamilies.end() ? std::vector<std::string>() : words(known->family);
    if (criterion.observe)
      out.emplace_back("counts once a further step is taken (--observe)");
    return out;
  }

 private:
  void collect() {
    add_covers(id_);
    if (rules_.is_whole(id_))
      for (const ItemPair& pair : rules_.pairs_of(id_)) {
        add_covers(pair.first);
        add_covers(pair.second);
      }
    for (const TokenId id : rules_.tokens_of(id_)) {
      const Token& token = rules_.tokens()[id];
      for (const Rule& rule : rules_.rules())
        if (rule.action == Rule::Action::kArm && rule.token == token.family)
          add(rule, id_, token.arguments, begins_);
    }
  }

  void add_covers(ItemId id) {
    const Item& item = rules_.items()[id];
    for (const Rule& rule : rules_.rules())
      if (rule.action == Rule::Action::kCover && rule.item == item.family)
        add(rule, id, item.arguments, covers_);
  }

  // Nothing if the rule is about other members of the family.
  void add(const Rule& rule, ItemId item, const Arguments& wanted, Parts& parts) {
    if (rule.at.valid()) {
      const std::vector<ItemId>& leads_to = rules_.items_of(rule.at);
      if (!leads_to.empty() && std::ranges::find(leads_to, item) == leads_to.end())
        return;
    }
    std::optional<std::vector<EdgeId>> by;  // none: whatever the edge
    std::optional<std::vector<CellId>> of;
    for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
      const Term& term = rule.arguments[i];
      if (term.source == Term::Source::kConstant && term.value != wanted[i])
        return;
      if (term.source == Term::Source::kEdge)
        by = solve<EdgeId>(term.map, wanted[i], network_.edges.size());
      if (term.source == Term::Source::kCell)
        of = solve<CellId>(term.map, wanted[i], network_.memory.total + network_.clocks.size());
    }
    const bool has_hooks = !network_.before_update.empty() || !network_.after_update.empty();
    const bool by_nobody = by && by->empty() && (rule.on == EventKind::kFired || !has_hooks);
    if (by_nobody || (of && of->empty()))
      return;
    add_names(by, of, parts);
    parts.at_start = parts.at_start || (!by && rule.on != EventKind::kInitialDefinition);
    parts.of_initial_value = parts.of_initial_value || rule.on == EventKind::kInitialDefinition;
    if (rule.use)
      parts.use = rule.use;
    if (rule.at.valid())
      add_state(rules_.observations()[rule.at], rule.when, parts);
  }

  void add_names(const std::optional<std::vector<EdgeId>>& by,
                 const std::optional<std::vector<CellId>>& of,
                 Parts& parts) const {
    if (by && by->empty())
      add_new(parts.edges, "an update hook");
    for (const EdgeId edge : by.value_or(std::vector<EdgeId>()))
      add_new(parts.edges, describe_edge(names_, edge));
    for (const CellId cell : of.value_or(std::vector<CellId>()))
      add_new(parts.cells, network_.cell_name(cell));
  }

  void add_state(const Observation& observation, FormulaId when, Parts& parts) const {
    std::vector<std::string> where;
    for (const LocationId id : observation.locations)
      where.push_back(place(id));
    if (!where.empty())
      add_new(parts.places, list(where, ", "));
    for (const Observation::CellValue& cell : observation.cells)
      where.push_back(fmt::format("{} = {}", network_.cell_name(cell.cell), cell.value));
    const Condition holds = when.valid() ? formula(observation, when) : constant(true);
    parts.any_possible = parts.any_possible || holds.constant.value_or(true);
    if (!holds.constant)
      where.push_back(show(holds));
    if (holds.constant.value_or(true))
      add_new(parts.states, list(where, ", "));
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

  std::string place(LocationId id) const {
    return fmt::format("{} in {}", network_.processes[network_.locations[id].process].name,
                       network_.decl(id).name);
  }

  Condition formula(const Observation& observation, FormulaId id) const {
    const Formula& f = rules_.formula(id);
    switch (f.kind) {
      case Formula::Kind::kConstant:
        return constant(f.number != 0);
      case Formula::Kind::kAtom: {
        const Atom& atom = observation.atoms[f.number];
        return {.text = atom.location.valid()
                            ? place(atom.location)
                            : print_expression(network_, rules_.pool(), atom.expression)};
      }
      case Formula::Kind::kNot:
        return negation(formula(observation, f.left));
      case Formula::Kind::kAnd:
      case Formula::Kind::kOr:
        return both(formula(observation, f.left), formula(observation, f.right), f.kind);
      case Formula::Kind::kXor:
        return either(formula(observation, f.left), formula(observation, f.right));
    }
    return {};
  }

  std::vector<std::string> words(Family family) const {
    const std::string edges = list(covers_.edges, " or ");
    const std::string before = list(begins_.edges, " or ");
    switch (family) {
      case Family::kLocation: {
        std::vector<std::string> out;
        if (covers_.at_start)
          out.emplace_back("covered at the beginning of every test");
        if (!edges.empty())
          out.push_back(fmt::format("covered when {} fires", edges));
        return out;
      }
      case Family::kEdge:
        return {fmt::format("covered when {} fires", edges)};
      case Family::kEdgeInit:
        return {fmt::format("covered when {} fires and, later in the same test, the locations and "
                            "variables that count are as in the initial state:",
                            before),
                "  " + list(covers_.states, " or ")};
      case Family::kUse:
        return uses();
      case Family::kEdgePair:
        return {
            fmt::format("covered when {} fires", edges),
            fmt::format("  and the edge that the same process fired last before is {}", before)};
      case Family::kNextStep:
        return {fmt::format("covered when {} fires", edges),
                fmt::format("  in the step right after one in which {} fires", before)};
      case Family::kSyncPair:
        return {fmt::format("covered when {} receives", edges),
                fmt::format("  what {} sends, in one step", before)};
      case Family::kValues:
        return {fmt::format("covered when a state is reached with {}", without_end(" at once"))};
      case Family::kGuard:
      case Family::kDecides:
      case Family::kMutation:
        return state_words(family);
      case Family::kPair:
      case Family::kEqualPair:
      case Family::kIdlePair:
        return pair_words(family);
      case Family::kQuery:
        return {"covered when a state is reached in which the condition of the query holds"};
      case Family::kMatters:
        return {
            "covered by a test in which the requirement would be violated if this clause were "
            "a constant:",
            "  false where it helps the requirement to hold, true where it stands in its way"};
      case Family::kFirstCause:
        return {
            "covered by a test in which this clause is the first and only reason why the "
            "requirement holds:",
            "  nothing else had made it hold before, and with this clause otherwise it would "
            "not"};
    }
    return {};
  }

  std::string without_end(std::string_view end) const {
    std::string out = item_.label;
    if (out.ends_with(end))
      out.resize(out.size() - end.size());
    return out;
  }

  std::vector<std::string> uses() const {
    const std::string cells = covers_.cells.empty() ? "the variable" : list(covers_.cells, " or ");
    std::string use =
        fmt::format("covered when {} uses {}",
                    covers_.edges.empty() ? "any edge" : list(covers_.edges, " or "), cells);
    if (covers_.use)
      use += *covers_.use == UseKind::kPredicate ? " in a condition" : " in a computation";
    std::vector<std::string> values;
    if (begins_.of_initial_value)
      values.emplace_back("its initial value");
    if (!begins_.edges.empty())
      values.push_back("the value from " + list(begins_.edges, " or "));
    return {use, fmt::format("  while it has {}: nothing has written to it since",
                             list(values, ", or "))};
  }

  std::vector<std::string> state_words(Family family) const {
    std::vector<std::string> out;
    if (family == Family::kDecides)
      out.emplace_back(
          "a clause decides where the guard would have another value if the clause alone had");
    if (family == Family::kMutation)
      out.emplace_back("the guard and the changed guard must have different values");
    if (!covers_.any_possible)
      out.emplace_back("no values of the clauses do so: no state can cover it");
    for (std::size_t i = 0; i < covers_.states.size() && i < kMostNames; ++i)
      out.push_back("covered when a state is reached with " + covers_.states[i]);
    if (covers_.states.size() > kMostNames)
      out.push_back(fmt::format("… ({} in all)", covers_.states.size()));
    return out;
  }

  std::vector<std::string> pair_words(Family family) const {
    const bool anywhere = rules_.is_whole(id_);
    const std::vector<std::string>& places =
        covers_.places.empty() ? begins_.places : covers_.places;
    std::vector<std::string> out = {
        fmt::format("covered when {} reaches two states, in any order, with {}",
                    anywhere ? "the suite" : "one test",
                    places.empty() ? "the process in the edge's source" : list(places, " or "))};
    out.emplace_back(family == Family::kIdlePair
                         ? "  in both the guard has this value, whatever the clause is"
                         : "  in both the clause decides: the guard would have another value if "
                           "the clause alone had");
    out.emplace_back(family == Family::kIdlePair
                         ? "  the clause is true in one of them and false in the other"
                         : "  the clause is true in one of them and false in the other, and so is "
                           "the guard");
    if (family != Family::kPair)
      out.emplace_back("  all other clauses have the same values in both");
    return out;
  }

  const Network& network_;
  const StateNames names_;
  const CoverageRules& rules_;
  const ItemId id_;
  const Item& item_;
  Parts covers_;
  Parts begins_;
};

}  // namespace

std::vector<std::string> describe_item_rules(const Network& network,
                                             const CoverageRules& rules,
                                             ItemId item) {
  return RuleReader(network, rules, item).read();
}

}  // namespace tw
