#include "criteria/definition_uses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

#include "criteria/cell_accesses.hpp"
#include "criteria/cell_names.hpp"
#include "criteria/liveness.hpp"
#include "engine/coverage/names.hpp"

namespace tw {
namespace {

constexpr std::size_t kMostItems = 4'000'000;
// Template-level items are few, but each token has a list of those it leads to.
constexpr std::size_t kMostPairs = 64'000'000;
// Stands for all edges that use.
constexpr std::uint32_t kAnyUse = Term::kNothing - 1;

std::uint32_t number(EdgeId edge) { return static_cast<std::uint32_t>(edge.index()); }

std::string options_text(const CriterionOptions& options) {
  std::vector<std::string> parts;
  if (options.def_use == DefUseReading::kAtomic)
    parts.emplace_back("--def-use atomic");
  if (!options.variables.empty())
    parts.push_back(fmt::format("--vars {}", fmt::join(options.variables, ",")));
  if (options.invariants != InvariantUses::kNone)
    parts.push_back(fmt::format("--invariants {}",
                                options.invariants == InvariantUses::kLeave ? "leave" : "enter"));
  return fmt::format("{}", fmt::join(parts, " "));
}

// Definitions that may be live, each with the keys of the edges that may use them.
struct Pairs {
  struct Live {
    CellId cell;
    EdgeId definition;
    std::size_t first = 0;  // in uses
    std::size_t count = 0;
  };

  std::vector<Live> live;
  std::vector<std::uint32_t> uses;
};

class Declaration {
 public:
  Declaration(const DefinitionUses& what,
              const Network& network,
              const CriterionOptions& options,
              CoverageRules& rules)
      : what_(what),
        network_(network),
        options_(options),
        rules_(rules),
        names_(network),
        cells_(network, options.level) {
    for (const Edge& edge : network.edges)
      edge_keys_.push_back(static_cast<std::uint32_t>(edge.decl.index()));
    edge_keys_.push_back(static_cast<std::uint32_t>(network.edge_decls.size()));      // hook
    edge_keys_.push_back(static_cast<std::uint32_t>(network.edge_decls.size() + 1));  // init
    if (options.level == Level::kInstance)
      for (std::size_t i = 0; i < edge_keys_.size(); ++i)
        edge_keys_[i] = static_cast<std::uint32_t>(i);
    initial_key_ = edge_keys_.back();
    hook_key_ = edge_keys_[edge_keys_.size() - 2];
  }

  void run(Diagnostics& diagnostics) {
    rules_.begin_criterion(
        {.name = std::string(what_.criterion), .options = options_text(options_)});
    rules_.set_invariant_uses(options_.invariants);
    const std::size_t errors = diagnostics.errors();
    std::vector<bool> chosen = chosen_cells(network_, options_.variables, diagnostics);
    if (diagnostics.errors() != errors)
      return;
    const auto accesses = cell_accesses(network_, {.reading = options_.def_use,
                                                   .invariants = options_.invariants,
                                                   .uses = what_.uses,
                                                   .cells = std::move(chosen)});
    if (!accesses || !find_pairs(*accesses) || !add_items()) {
      diagnostics.error({},
                        fmt::format("{} has more than {} items here", what_.criterion, kMostItems),
                        "choose variables with --vars");
      return;
    }
    if (options_.def_use == DefUseReading::kAtomic)
      add_atomic();
    else
      add_sequential();
  }

 private:
  using Triple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // cell, def, use: keys

  bool find_pairs(const std::vector<CellAccesses>& accesses);
  void add_pairs(CellId cell, const CellAccesses& accesses, const Liveness& liveness);
  [[nodiscard]] std::size_t count_items(std::size_t first) const;
  [[nodiscard]] std::vector<Triple> triples() const;
  bool add_items();
  [[nodiscard]] Item describe(const Triple& triple) const;
  [[nodiscard]] EdgeDeclId decl_of(std::uint32_t edge_key) const;
  [[nodiscard]] std::string edge_id(std::uint32_t edge_key, bool local) const;
  [[nodiscard]] std::string edge_words(std::uint32_t edge_key) const;

  void add_sequential();
  void add_atomic();
  TokenFamilyId add_tokens(std::string name, Lifetime lifetime = Lifetime::kUntilDropped);
  void add_cover_rule(TokenFamilyId live);
  void arm(EventKind on, TokenFamilyId token, Term definition);
  void drop(EventKind on, TokenFamilyId token, Term cell);
  [[nodiscard]] std::vector<ItemId> items_of(const Pairs::Live& live);

  const DefinitionUses& what_;
  const Network& network_;
  const CriterionOptions& options_;
  CoverageRules& rules_;
  ElementNames names_;
  CellKeys cells_;
  std::vector<std::uint32_t> edge_keys_;  // by edge, then hook and init
  std::uint32_t hook_key_ = 0;
  std::uint32_t initial_key_ = 0;
  Pairs pairs_;
  ItemFamilyId items_;
  MapId cell_map_;
  MapId edge_map_;
};

// --- Pairs

bool Declaration::find_pairs(const std::vector<CellAccesses>& accesses) {
  const Liveness liveness(network_);
  std::size_t before = 0;  // where the pairs of the cell before begin
  std::size_t items = 0;   // at least so many
  std::size_t own_items = 0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const std::size_t first = pairs_.live.size();
    if (accesses[i].uses.empty())
      continue;
    // Most cells of an array are touched by the same edges: copy instead of searching again.
    if (i > 0 && accesses[i] == accesses[i - 1]) {
      for (std::size_t k = before; k < first; ++k) {
        Pairs::Live live = pairs_.live[k];
        live.cell = CellId(i);
        pairs_.live.push_back(live);
      }
    } else {
      add_pairs(CellId(i), accesses[i], liveness);
      own_items = count_items(first);
    }
    before = first;
    items += cells_.keys()[i] == i ? own_items : 0;
    if (items > kMostItems || pairs_.uses.size() > kMostPairs || pairs_.live.size() > kMostPairs)
      return false;
  }
  return true;
}

// Of one cell, whose definitions begin here.
std::size_t Declaration::count_items(std::size_t first) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;
  for (std::size_t k = first; k < pairs_.live.size(); ++k) {
    const Pairs::Live& live = pairs_.live[k];
    for (std::size_t i = 0; i < live.count; ++i)
      keys.emplace_back(edge_keys_[live.definition.index()], pairs_.uses[live.first + i]);
  }
  std::ranges::sort(keys);
  return static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

void Declaration::add_pairs(CellId cell, const CellAccesses& accesses, const Liveness& liveness) {
  const auto add = [&](EdgeId definition) {
    std::vector<std::uint32_t> keys;
    for (const EdgeId use : liveness.reached_uses(accesses, definition))
      keys.push_back(what_.any_use ? kAnyUse : edge_keys_[use.index()]);
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    pairs_.live.push_back({.cell = cell,
                           .definition = definition,
                           .first = pairs_.uses.size(),
                           .count = keys.size()});
    pairs_.uses.insert(pairs_.uses.end(), keys.begin(), keys.end());
  };
  add(initial_edge(network_));
  for (const CellAccesses::Definition& definition : accesses.definitions)
    add(definition.edge);
}

// --- Items

// Cells and edges in the order of the document, the initial definition first.
std::vector<Declaration::Triple> Declaration::triples() const {
  std::vector<Triple> out;
  for (const Pairs::Live& live : pairs_.live)
    for (std::size_t i = 0; i < live.count; ++i)
      out.emplace_back(cells_.keys()[live.cell.index()], edge_keys_[live.definition.index()],
                       pairs_.uses[live.first + i]);
  const auto order = [this](const Triple& triple) {
    const auto& [cell, definition, use] = triple;
    return Triple(cell, definition == initial_key_ ? 0 : definition + 1, use);
  };
  std::ranges::sort(out, {}, order);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool Declaration::add_items() {
  std::size_t pairs = 0;
  for (const Pairs::Live& live : pairs_.live)
    pairs += live.count;
  if (pairs > kMostPairs)
    return false;
  const std::vector<Triple> all = triples();
  if (all.size() > kMostItems)
    return false;
  items_ = rules_.add_item_family("used");
  for (const Triple& triple : all) {
    const auto& [cell, definition, use] = triple;
    rules_.add_item(items_, {cell, definition, use}, describe(triple));
  }
  return true;
}

EdgeDeclId Declaration::decl_of(std::uint32_t edge_key) const {
  if (edge_key == hook_key_ || edge_key == initial_key_)
    return {};
  return options_.level == Level::kInstance ? network_.edges[EdgeId(edge_key)].decl
                                            : EdgeDeclId(edge_key);
}

std::string Declaration::edge_id(std::uint32_t edge_key, bool local) const {
  if (edge_key == hook_key_)
    return "hook";
  if (edge_key == initial_key_)
    return "init";
  if (local)
    return names_.inner_edge(decl_of(edge_key));
  return options_.level == Level::kInstance ? names_.edge(EdgeId(edge_key))
                                            : names_.edge(EdgeDeclId(edge_key));
}

std::string Declaration::edge_words(std::uint32_t edge_key) const {
  if (edge_key == hook_key_)
    return "an update hook";
  const EdgeDeclId decl = decl_of(edge_key);
  const std::string& owner = options_.level == Level::kInstance
                                 ? network_.processes[network_.edges[EdgeId(edge_key)].process].name
                                 : network_.templates[network_.edge_decls[decl].owner].name;
  return fmt::format("{} {}", owner, names_.arrow(decl));
}

Item Declaration::describe(const Triple& triple) const {
  const auto& [cell, definition, use] = triple;
  const bool local = cells_.is_local(CellId(cell));
  const std::string name = cells_.name(CellId(cell));
  const bool by_use = use != kAnyUse && use != hook_key_;
  const EdgeDeclId shown = decl_of(by_use ? use : definition);
  const std::string set = definition == initial_key_
                              ? std::string("initial value")
                              : fmt::format("set by {}", edge_words(definition));
  return {.id = fmt::format("{}:{}:{}{}", what_.criterion, name, edge_id(definition, local),
                            use == kAnyUse ? "" : ":" + edge_id(use, local)),
          .label = fmt::format("{}: {}, {}", name, set,
                               use == kAnyUse ? "used" : "used by " + edge_words(use)),
          .where = shown.valid() ? network_.edge_decls[shown].where : SourceRange{}};
}

// --- Tokens and rules

std::vector<ItemId> Declaration::items_of(const Pairs::Live& live) {
  std::vector<ItemId> out;
  for (std::size_t i = 0; i < live.count; ++i)
    out.push_back(
        rules_.item(items_, {cells_.keys()[live.cell.index()], edge_keys_[live.definition.index()],
                             pairs_.uses[live.first + i]}));
  return out;
}

TokenFamilyId Declaration::add_tokens(std::string name, Lifetime lifetime) {
  const TokenFamilyId family =
      rules_.add_token_family({.name = std::move(name), .lifetime = lifetime});
  for (const Pairs::Live& live : pairs_.live) {
    const TokenId token = rules_.add_token(
        family, {static_cast<std::uint32_t>(live.cell.index()), number(live.definition)},
        items_of(live));
    if (token.valid())
      rules_.watch(live.cell);
  }
  return family;
}

void Declaration::add_cover_rule(TokenFamilyId live) {
  if (options_.level == Level::kTemplate && !edge_map_.valid()) {
    cell_map_ = rules_.add_map(cells_.keys());
    edge_map_ = rules_.add_map(edge_keys_);
  }
  rules_.add_rule({.on = EventKind::kUse,
                   .use = what_.uses,
                   .needs = TokenPattern{.family = live, .arguments = {Term::cell(), Term::any()}},
                   .action = Rule::Action::kCover,
                   .item = items_,
                   .arguments = {Term::cell(cell_map_), Term::token(1, edge_map_),
                                 what_.any_use ? Term::constant(kAnyUse) : Term::edge(edge_map_)}});
}

void Declaration::arm(EventKind on, TokenFamilyId token, Term definition) {
  rules_.add_rule({.on = on,
                   .action = Rule::Action::kArm,
                   .token = token,
                   .arguments = {Term::cell(), definition}});
}

void Declaration::drop(EventKind on, TokenFamilyId token, Term cell) {
  rules_.add_rule(
      {.on = on, .action = Rule::Action::kDrop, .token = token, .arguments = {cell, Term::any()}});
}

void Declaration::add_sequential() {
  const TokenFamilyId live = add_tokens("live");
  arm(EventKind::kInitialDefinition, live, Term::constant(number(initial_edge(network_))));
  drop(EventKind::kDefinition, live, Term::cell());
  arm(EventKind::kDefinition, live, Term::edge());
  add_cover_rule(live);
}

void Declaration::add_atomic() {
  const TokenFamilyId live = add_tokens("live");
  const TokenFamilyId visible = add_tokens("visible", Lifetime::kThisStep);
  arm(EventKind::kInitialDefinition, live, Term::constant(number(initial_edge(network_))));
  rules_.add_rule({.on = EventKind::kBegin,
                   .needs = TokenPattern{.family = live, .arguments = {Term::any(), Term::any()}},
                   .action = Rule::Action::kArm,
                   .token = visible,
                   .arguments = {Term::token(0), Term::token(1)}});
  drop(EventKind::kDefinition, live, Term::cell());
  arm(EventKind::kDefinition, live, Term::edge());
  add_cover_rule(visible);
}

}  // namespace

void declare_definition_uses(const DefinitionUses& what,
                             const Network& network,
                             const CriterionOptions& options,
                             CoverageRules& rules,
                             Diagnostics& diagnostics) {
  Declaration(what, network, options, rules).run(diagnostics);
}

}  // namespace tw
