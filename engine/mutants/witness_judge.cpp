#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/budget.hpp"
#include "engine/mutants/equivalence.hpp"
#include "engine/search/search.hpp"

namespace tw {
namespace {

// Where a mutant would be noticed.
struct Witness {
  /// In the states in which the edge fires, for each of its processes; any of them. An invalid one
  /// stands for "always".
  std::vector<ExprId> conditions;
  bool exact = false;  // where it holds the mutant is noticed indeed
};

// Clauses that hold where this one does not; none if zones cannot express them.
std::optional<std::vector<ExprId>> opposites(Network& network, ExprId condition) {
  const Expression e = network.pool[condition];
  if (!e.timed)
    return std::vector{negation(network, condition)};
  switch (e.kind) {
    case ExprKind::kLess:
    case ExprKind::kLessEqual:
    case ExprKind::kGreaterEqual:
    case ExprKind::kGreater:
      return std::vector{negation(network, condition)};
    case ExprKind::kEqual: {
      const auto old = network.pool.operands(condition);
      const std::vector<ExprId> operands(old.begin(), old.end());
      std::vector<ExprId> out;
      for (const ExprKind kind : {ExprKind::kLess, ExprKind::kGreater}) {
        Expression other = e;
        other.kind = kind;
        out.push_back(network.pool.add(other, operands));
      }
      return out;
    }
    default:
      return std::nullopt;
  }
}

// The conjunct of a constraint in which a path ends, and the rest of the path.
struct Conjunct {
  ExprId expression;
  std::vector<std::size_t> path;
};

Conjunct conjunct_at(const Network& network, ExprId root, const std::vector<std::size_t>& path) {
  std::size_t depth = 0;
  while (depth < path.size() && network.pool[root].kind == ExprKind::kAnd)
    root = network.pool.operand(root, path[depth++]);
  return {.expression = root,
          .path = {path.begin() + static_cast<std::ptrdiff_t>(depth), path.end()}};
}

// What a constraint's mutated part excludes, given that the constraint holds.
std::optional<std::vector<ExprId>> excluded(Network& network, const Mutant& mutant, ExprId root) {
  const Conjunct conjunct = conjunct_at(network, root, mutant.path);
  const ExprId part = part_at(network.pool, conjunct.expression, conjunct.path);
  const ExprId changed = replace_part(network.pool, conjunct.expression, conjunct.path,
                                      changed_part(network, mutant, part));
  return opposites(network, changed);
}

bool mentions(const Network& network, ExprId id, auto is_it) {
  return is_it(network.pool[id]) ||
         std::ranges::any_of(network.pool.operands(id),
                             [&](ExprId part) { return mentions(network, part, is_it); });
}

// Whether nothing before the updates of this edge changes variables in the same step.
bool updates_first(const Network& network, const Edge& edge) {
  return network.before_update.empty() && edge.labels.direction != Direction::kReceive &&
         network.decl(edge.source).kind != LocationKind::kBranchpoint;
}

// `variable == value` in the source state: the assignment would change nothing. None if that cannot
// be said there.
std::optional<std::vector<ExprId>> changes(Network& network, ExprId assignment) {
  const ExprId target = network.pool.operand(assignment, 0);
  const ExprId value = network.pool.operand(assignment, 1);
  const auto acts = [](const Expression& e) {
    return e.kind == ExprKind::kCall || e.kind >= ExprKind::kAssign;
  };
  const bool simple = network.pool[target].kind == ExprKind::kVariable &&
                      network.types[network.pool[target].type].kind < TypeKind::kChannel &&
                      !network.pool[value].timed && !mentions(network, value, acts);
  if (!simple)
    return std::nullopt;
  const std::array operands = {target, value};
  const ExprId equal =
      network.pool.add({.kind = ExprKind::kEqual, .type = network.types.bool_type()}, operands);
  return opposites(network, equal);
}

std::optional<Witness> witness_of(Network& network, const Mutant& mutant, const Edge edge) {
  const Witness always{.conditions = {ExprId()}};
  const auto from = [&](std::optional<std::vector<ExprId>> conditions) {
    return conditions ? Witness{.conditions = std::move(*conditions)} : always;
  };
  switch (mutant.kind) {
    case MutantKind::kMissingEdge:
    case MutantKind::kRenamedSync:
      return Witness{.conditions = {ExprId()}, .exact = true};
    case MutantKind::kBound:
    case MutantKind::kNegatedClause: {
      std::optional<std::vector<ExprId>> conditions = excluded(network, mutant, edge.labels.guard);
      if (!conditions)
        return always;
      return Witness{.conditions = std::move(*conditions), .exact = true};
    }
    case MutantKind::kLostUpdate: {
      const ExprId update = edge.labels.updates[mutant.update];
      // Updates before it may change what it reads.
      if (mutant.update != 0 || !updates_first(network, edge) ||
          network.pool[update].kind != ExprKind::kAssign)
        return always;
      return from(changes(network, update));
    }
    case MutantKind::kAddedReset: {
      // The edge itself does not set the variable.
      if (!updates_first(network, edge))
        return always;
      return from(
          changes(network, reset_of(network, variable_in(network, edge.process, mutant.variable))));
    }
    case MutantKind::kSwappedTarget:
      return always;
    case MutantKind::kInvariant:
      break;
  }
  return std::nullopt;
}

bool is_about_guards(MutantKind kind) {
  return kind != MutantKind::kLostUpdate && kind != MutantKind::kAddedReset &&
         kind != MutantKind::kSwappedTarget;
}

class WitnessSearch {
 public:
  WitnessSearch(const Network& network,
                std::span<const Mutant> mutants,
                const JudgeOptions& options)
      : network_(network),
        mutants_(mutants),
        options_(options) {
    item_.resize(mutants.size());
    exact_.resize(mutants.size());
    rules_.begin_criterion({.name = "mutant", .options = {}});
    family_ = rules_.add_item_family("noticed");
  }

  std::vector<MutantVerdict> run() {
    add_witnesses();
    std::vector<std::uint32_t> mutant_of(network_.edges.size(), Term::kNothing);
    for (std::size_t i = 0; i < witness_.size(); ++i)
      mutant_of[i] = witness_[i];
    rules_.add_rule({.on = EventKind::kFired,
                     .action = Rule::Action::kCover,
                     .item = family_,
                     .arguments = {Term::edge(rules_.add_map(std::move(mutant_of)))}});
    const System system(network_, instrumentation_for(rules_), options_.execution);
    Effects effects(network_, rules_);
    const SearchOptions options{.max_expansions = options_.most_expansions};
    Search search(system, effects, Ledger(rules_), options);
    const StopReason reason = search.run();
    const bool complete = reason == StopReason::kExhausted || reason == StopReason::kDecided;
    std::vector<MutantVerdict> out;
    for (std::size_t i = 0; i < mutants_.size(); ++i) {
      if (!item_[i].valid())
        out.push_back(MutantVerdict::kUndecided);
      else if (search.found(item_[i]))
        out.push_back(exact_[i] && !system.zones_exceed() ? MutantVerdict::kKillable
                                                          : MutantVerdict::kUndecided);
      else
        out.push_back(complete ? MutantVerdict::kEquivalent : MutantVerdict::kUndecided);
    }
    return out;
  }

 private:
  // Adds the witnesses of all mutants to the network, behind the edges of their processes.
  void add_witnesses() {
    std::vector<std::vector<std::pair<std::uint32_t, Edge>>> added(network_.processes.size());
    for (std::size_t i = 0; i < mutants_.size(); ++i) {
      const Mutant& mutant = mutants_[i];
      if (is_about_guards(mutant.kind) && !acts_alone(network_, mutant))
        continue;
      item_[i] = rules_.add_item(family_, {static_cast<std::uint32_t>(i)}, {.id = mutant.id});
      exact_[i] = true;
      if (mutant.kind == MutantKind::kInvariant) {
        observe(i);
        continue;
      }
      for (std::size_t e = 0; e < network_.edges.size(); ++e) {
        const Edge edge = network_.edges[EdgeId(e)];
        if (edge.decl != mutant.edge)
          continue;
        const std::optional<Witness> witness = witness_of(network_, mutant, edge);
        exact_[i] = exact_[i] && witness->exact;
        for (const ExprId condition : witness->conditions)
          added[edge.process.index()].emplace_back(i, guarded(edge, condition));
      }
    }
    insert(added);
    (void)compute_facts(network_, std::numeric_limits<std::uint64_t>::max());
  }

  Edge guarded(Edge edge, ExprId condition) {
    if (!condition.valid())
      return edge;
    if (!edge.labels.guard.valid()) {
      edge.labels.guard = condition;
      return edge;
    }
    const std::array operands = {edge.labels.guard, condition};
    edge.labels.guard =
        network_.pool.add({.kind = ExprKind::kAnd, .type = network_.types.bool_type()}, operands);
    return edge;
  }

  void insert(const std::vector<std::vector<std::pair<std::uint32_t, Edge>>>& added) {
    IdVector<EdgeId, Edge> edges;
    for (std::size_t p = 0; p < network_.processes.size(); ++p) {
      Process& process = network_.processes[ProcessId(p)];
      const EdgeId first(edges.size());
      for (std::size_t k = 0; k < process.edge_count; ++k) {
        edges.push_back(network_.edges[EdgeId(process.first_edge.index() + k)]);
        witness_.push_back(Term::kNothing);
      }
      for (const auto& [mutant, edge] : added[p]) {
        edges.push_back(edge);
        witness_.push_back(mutant);
      }
      process.first_edge = first;
      process.edge_count = static_cast<std::uint32_t>(edges.size() - first.index());
    }
    network_.edges = std::move(edges);
  }

  // A stricter invariant is noticed at any moment at which it is broken.
  void observe(std::size_t i) {
    const Mutant& mutant = mutants_[i];
    for (std::size_t l = 0; l < network_.locations.size(); ++l) {
      const Location location = network_.locations[LocationId(l)];
      if (location.decl != mutant.location)
        continue;
      const auto broken = excluded(network_, mutant, location.invariant);
      if (!broken) {
        item_[i] = {};
        return;
      }
      for (const ExprId condition : *broken) {
        const ObservationId at =
            rules_.add_observation({.locations = {LocationId(l)},
                                    .atoms = {{.expression = rules_.adopt(network_, condition)}}});
        rules_.lead_to(at, item_[i]);
        rules_.add_rule({.on = EventKind::kState,
                         .at = at,
                         .when = rules_.atom(0),
                         .action = Rule::Action::kCover,
                         .item = family_,
                         .arguments = {Term::constant(static_cast<std::uint32_t>(i))}});
      }
    }
  }

  Network network_;  // with witnesses
  std::span<const Mutant> mutants_;
  const JudgeOptions& options_;
  CoverageRules rules_;
  ItemFamilyId family_;
  std::vector<ItemId> item_;            // by mutant; invalid: nothing can be said
  std::vector<bool> exact_;             // by mutant
  std::vector<std::uint32_t> witness_;  // by edge: of which mutant
};

}  // namespace

std::vector<MutantVerdict> judge_by_witnesses(const Network& network,
                                              std::span<const Mutant> mutants,
                                              const JudgeOptions& options) {
  if (mutants.empty())
    return {};
  return WitnessSearch(network, mutants, options).run();
}

std::vector<MutantVerdict> judge(const Network& network,
                                 std::span<const Mutant> mutants,
                                 const JudgeOptions& options) {
  std::vector<MutantVerdict> out;
  // What a limit leaves open is undecided.
  try {
    if (network.is_timed())
      return judge_by_witnesses(network, mutants, options);
    PairJudge pairs(network, options);
    for (const Mutant& mutant : mutants)
      out.push_back(pairs.judge(mutant));
  } catch (const BudgetSpent&) {
    out.resize(mutants.size(), MutantVerdict::kUndecided);
  }
  return out;
}

}  // namespace tw
