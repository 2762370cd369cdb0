#include "engine/mutants/mutant.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

#include "engine/coverage/names.hpp"
#include "engine/model/print.hpp"

namespace tw {
namespace {

using Path = std::vector<std::size_t>;

bool has_priorities(const Network& network) {
  return !network.channel_priorities.empty() ||
         std::ranges::any_of(network.processes, [](const Process& p) { return p.priority != 0; });
}

// A comparison with another operator, or none if zones cannot express it.
std::optional<ExprKind> opposite(ExprKind comparison) {
  switch (comparison) {
    case ExprKind::kLess:
      return ExprKind::kGreaterEqual;
    case ExprKind::kLessEqual:
      return ExprKind::kGreater;
    case ExprKind::kGreaterEqual:
      return ExprKind::kLess;
    case ExprKind::kGreater:
      return ExprKind::kLessEqual;
    default:
      return std::nullopt;
  }
}

ExprId literal(Network& network, std::int32_t value, SourceRange where) {
  return network.pool.add({.kind = ExprKind::kConstant,
                           .type = network.types.int_type(),
                           .where = where,
                           .payload = static_cast<std::uint32_t>(value)});
}

// A rate is no number here: those that are not 0 or 1 mean nothing.
bool is_number(const Network& network, ExprId id) {
  const TypeKind kind = network.types[network.pool[id].type].kind;
  return (kind == TypeKind::kInt || kind == TypeKind::kClock) &&
         network.pool[id].kind != ExprKind::kRate;
}

// Made of literals and constants by arithmetic.
bool is_constant(const Network& network, ExprId id) {
  const Expression& e = network.pool[id];
  if (network.types[e.type].kind != TypeKind::kInt)
    return false;
  if (e.kind == ExprKind::kConstant)
    return true;
  if (e.kind == ExprKind::kVariable)
    return network.variables[e.variable()].storage == Storage::kConstant;
  const bool arithmetic =
      e.kind == ExprKind::kNegate || (e.kind >= ExprKind::kAdd && e.kind <= ExprKind::kModulo);
  return arithmetic && std::ranges::all_of(network.pool.operands(id),
                                           [&](ExprId part) { return is_constant(network, part); });
}

struct Part {
  Path path;
  ExprId expression;
};

// Constants that something is compared with.
void collect_bounds(const Network& network, ExprId id, Path& path, std::vector<Part>& out) {
  const auto operands = network.pool.operands(id);
  if (is_comparison(network.pool[id].kind) && is_number(network, operands[0]) &&
      is_number(network, operands[1])) {
    for (const std::size_t side : {std::size_t{1}, std::size_t{0}}) {
      if (!is_constant(network, operands[side]))
        continue;
      path.push_back(side);
      out.push_back({.path = path, .expression = operands[side]});
      path.pop_back();
      return;
    }
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    path.push_back(i);
    collect_bounds(network, operands[i], path, out);
    path.pop_back();
  }
}

void collect_clauses(const Network& network, ExprId id, Path& path, std::vector<Part>& out) {
  if (!is_connective(network, id)) {
    out.push_back({.path = path, .expression = id});
    return;
  }
  const auto operands = network.pool.operands(id);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    path.push_back(i);
    collect_clauses(network, operands[i], path, out);
    path.pop_back();
  }
}

class Lister {
 public:
  explicit Lister(const Network& network) : network_(network), names_(network) {
    written_.resize(network.variables.size());
    for (const Edge& edge : network.edges)
      for (const Definition& definition : edge.facts.definitions)
        written_[definition.place.variable.index()] = true;
  }

  std::vector<Mutant> run() {
    for (std::size_t t = 0; t < network_.templates.size(); ++t) {
      const auto process =
          std::ranges::find(network_.processes, TemplateId(t), &Process::of_template);
      if (process == network_.processes.end())
        continue;
      for (std::size_t i = 0; i < process->location_count; ++i)
        list_invariant(LocationId(process->first_location.index() + i));
      for (std::size_t i = 0; i < process->edge_count; ++i)
        list_edge(*process, EdgeId(process->first_edge.index() + i));
    }
    return std::move(out_);
  }

 private:
  void list_invariant(LocationId id) {
    const Location& location = network_.locations[id];
    if (!location.invariant.valid())
      return;
    const Mutant base{.kind = MutantKind::kInvariant,
                      .id = "invariant:" + names_.location(location.decl),
                      .where = network_.location_decls[location.decl].where,
                      .location = location.decl};
    add_bounds(base, location.invariant, names_.location(location.decl));
  }

  // One more, one less; each on its own.
  void add_bounds(const Mutant& base, ExprId root, const std::string& place) {
    std::vector<Part> bounds;
    Path path;
    collect_bounds(network_, root, path, bounds);
    for (std::size_t i = 0; i < bounds.size(); ++i)
      for (const std::int32_t delta : {1, -1}) {
        Mutant mutant = base;
        Path above = bounds[i].path;
        above.pop_back();
        mutant.id += fmt::format(":{}:{:+}", i + 1, delta);
        mutant.label =
            fmt::format("{}: {} with {}{}1", place,
                        print_expression(network_, part_at(network_.pool, root, above)),
                        print_expression(network_, bounds[i].expression), delta > 0 ? "+" : "-");
        place_at(mutant, bounds[i].expression);
        mutant.path = bounds[i].path;
        mutant.delta = delta;
        out_.push_back(std::move(mutant));
      }
  }

  void place_at(Mutant& mutant, ExprId expression) const {
    const SourceRange where = network_.pool[expression].where;
    if (where != SourceRange{})
      mutant.where = where;
  }

  void list_edge(const Process& process, EdgeId id) {
    const Edge& edge = network_.edges[id];
    const std::string name = names_.edge(edge.decl);
    const Mutant base{.where = network_.edge_decls[edge.decl].where, .edge = edge.decl};
    const auto add = [&](MutantKind kind, const std::string& detail, const std::string& label) {
      Mutant mutant = base;
      mutant.kind = kind;
      mutant.id = fmt::format("{}:{}{}", name_of(kind), name, detail);
      mutant.label = fmt::format("{}: {}", name, label);
      return mutant;
    };
    out_.push_back(add(MutantKind::kMissingEdge, "", "the edge is missing"));
    if (edge.labels.guard.valid()) {
      add_bounds(add(MutantKind::kBound, "", ""), edge.labels.guard, name);
      std::vector<Part> clauses;
      Path path;
      collect_clauses(network_, edge.labels.guard, path, clauses);
      for (std::size_t i = 0; i < clauses.size(); ++i) {
        const Expression& clause = network_.pool[clauses[i].expression];
        if (clause.timed && !opposite(clause.kind))
          continue;
        Mutant mutant = add(MutantKind::kNegatedClause, fmt::format(":{}", i + 1),
                            fmt::format("not ({})", print(clauses[i].expression)));
        place_at(mutant, clauses[i].expression);
        mutant.path = clauses[i].path;
        out_.push_back(std::move(mutant));
      }
    }
    for (std::size_t i = 0; i < edge.labels.updates.size(); ++i) {
      Mutant mutant = add(MutantKind::kLostUpdate, fmt::format(":{}", i + 1),
                          fmt::format("without {}", print(edge.labels.updates[i])));
      place_at(mutant, edge.labels.updates[i]);
      mutant.update = i;
      out_.push_back(std::move(mutant));
    }
    for (const VariableId variable : resets_for(process, id)) {
      const Variable& v = network_.variables[variable];
      Mutant mutant = add(MutantKind::kAddedReset, ":" + v.name, "also resets " + v.name);
      mutant.variable = variable;
      out_.push_back(std::move(mutant));
    }
    for (const LocationDeclId target : targets_for(edge)) {
      const std::string& there = network_.location_decls[target].name;
      Mutant mutant = add(MutantKind::kSwappedTarget, ":" + there, "leads to " + there);
      mutant.location = target;
      out_.push_back(std::move(mutant));
    }
    const VariableId channel = channel_for(edge);
    if (channel.valid()) {
      const std::string& other = network_.variables[channel].name;
      Mutant mutant = add(MutantKind::kRenamedSync, ":" + other, "synchronises on " + other);
      place_at(mutant, edge.labels.channel);
      mutant.variable = channel;
      out_.push_back(std::move(mutant));
    }
  }

  [[nodiscard]] std::string print(ExprId id) const { return print_expression(network_, id); }

  [[nodiscard]] bool is_reset_candidate(VariableId copy, bool clock) const {
    const Variable& v = network_.variables[copy];
    const TypeKind kind = network_.types[v.type].kind;
    const bool fits =
        clock ? kind == TypeKind::kClock : kind == TypeKind::kInt || kind == TypeKind::kBool;
    return fits && v.storage == Storage::kState && !v.is_alias() && written_[copy.index()];
  }

  // One clock and one variable that the edge does not set, but others do: another one from edge to
  // edge, so that all get their turn.
  [[nodiscard]] std::vector<VariableId> resets_for(const Process& process, EdgeId id) const {
    const EdgeFacts& facts = network_.edges[id].facts;
    std::vector<VariableId> out;
    for (const bool clock : {true, false}) {
      std::vector<VariableId> candidates;  // prototypes and globals
      const auto consider = [&](VariableId copy, VariableId original) {
        const bool sets = std::ranges::any_of(
            facts.definitions, [&](const Definition& d) { return d.place.variable == copy; });
        if (!sets && is_reset_candidate(copy, clock))
          candidates.push_back(original);
      };
      for (const VariableId local : process.variables)
        consider(local, network_.variables[local].made_from);
      for (const VariableId global : network_.globals)
        consider(global, global);
      if (!candidates.empty())
        out.push_back(candidates[id.index() % candidates.size()]);
    }
    return out;
  }

  // The location behind the target, in document order, and the one before it.
  [[nodiscard]] std::vector<LocationDeclId> targets_for(const Edge& edge) const {
    const auto is_place = [&](LocationDeclId id) {
      return network_.location_decls[id].kind != LocationKind::kBranchpoint;
    };
    const LocationDeclId target = network_.locations[edge.target].decl;
    if (!is_place(target))
      return {};
    std::vector<LocationDeclId> places;
    for (const LocationDeclId id :
         network_.templates[network_.location_decls[target].owner].locations)
      if (is_place(id))
        places.push_back(id);
    const auto at = static_cast<std::size_t>(std::ranges::find(places, target) - places.begin());
    std::vector<LocationDeclId> out;
    for (const std::size_t other :
         {(at + 1) % places.size(), (at + places.size() - 1) % places.size()})
      if (other != at && std::ranges::find(out, places[other]) == out.end())
        out.push_back(places[other]);
    return out;
  }

  // The next one of the same type: urgent or not, broadcast or not, as many, indexed alike.
  [[nodiscard]] VariableId channel_for(const Edge& edge) const {
    ExprId channel = edge.labels.channel;
    if (!channel.valid())
      return {};
    while (network_.pool[channel].kind == ExprKind::kIndex)
      channel = network_.pool.operand(channel, 0);
    if (network_.pool[channel].kind != ExprKind::kVariable)
      return {};
    const VariableId is = network_.pool[channel].variable();
    std::vector<VariableId> same;
    for (const VariableId global : network_.globals)
      if (network_.variables[global].type == network_.variables[is].type)
        same.push_back(global);
    const auto at = std::ranges::find(same, is);
    if (at == same.end() || same.size() < 2)
      return {};
    return same[static_cast<std::size_t>(at - same.begin() + 1) % same.size()];
  }

  const Network& network_;
  const ElementNames names_;
  std::vector<bool> written_;  // by variable: some edge sets it
  std::vector<Mutant> out_;
};

// A channel expression on another channel, with the same indices.
ExprId on_channel(Network& network, ExprId channel, VariableId other) {
  if (network.pool[channel].kind != ExprKind::kIndex) {
    Expression e = network.pool[channel];
    e.payload = static_cast<std::uint32_t>(other.index());
    return network.pool.add(e);
  }
  const Expression e = network.pool[channel];
  const ExprId index = network.pool.operand(channel, 1);
  const std::array operands = {on_channel(network, network.pool.operand(channel, 0), other), index};
  return network.pool.add(e, operands);
}

void change_edge(Network& network, const Mutant& mutant, EdgeId id) {
  // By value: the network grows meanwhile.
  EdgeLabels labels = network.edges[id].labels;
  switch (mutant.kind) {
    case MutantKind::kInvariant:
      return;
    case MutantKind::kMissingEdge:
      labels.guard = network.pool.add(
          {.kind = ExprKind::kConstant, .type = network.types.bool_type(), .where = mutant.where});
      break;
    case MutantKind::kBound:
    case MutantKind::kNegatedClause: {
      const ExprId part = part_at(network.pool, labels.guard, mutant.path);
      labels.guard = replace_part(network.pool, labels.guard, mutant.path,
                                  changed_part(network, mutant, part));
      break;
    }
    case MutantKind::kLostUpdate:
      labels.updates.erase(labels.updates.begin() + static_cast<std::ptrdiff_t>(mutant.update));
      break;
    case MutantKind::kAddedReset:
      labels.updates.push_back(
          reset_of(network, variable_in(network, network.edges[id].process, mutant.variable)));
      break;
    case MutantKind::kSwappedTarget: {
      const Process& process = network.processes[network.edges[id].process];
      for (std::size_t i = 0; i < process.location_count; ++i) {
        const LocationId place(process.first_location.index() + i);
        if (network.locations[place].decl == mutant.location)
          network.edges[id].target = place;
      }
      return;
    }
    case MutantKind::kRenamedSync:
      labels.channel = on_channel(network, labels.channel, mutant.variable);
      break;
  }
  network.edges[id].labels = std::move(labels);
}

}  // namespace

std::string_view name_of(MutantKind kind) {
  switch (kind) {
    case MutantKind::kMissingEdge:
      return "missing-edge";
    case MutantKind::kBound:
      return "bound";
    case MutantKind::kInvariant:
      return "invariant";
    case MutantKind::kNegatedClause:
      return "negated-clause";
    case MutantKind::kLostUpdate:
      return "lost-update";
    case MutantKind::kAddedReset:
      return "added-reset";
    case MutantKind::kSwappedTarget:
      return "swapped-target";
    case MutantKind::kRenamedSync:
      return "renamed-sync";
  }
  return "";
}

ExprId part_at(const ExpressionPool& pool, ExprId root, const Path& path) {
  for (const std::size_t step : path)
    root = pool.operand(root, step);
  return root;
}

ExprId replace_part(ExpressionPool& pool, ExprId root, const Path& path, ExprId part) {
  if (path.empty())
    return part;
  const std::vector<std::size_t> rest(path.begin() + 1, path.end());
  const auto old = pool.operands(root);
  std::vector<ExprId> operands(old.begin(), old.end());
  operands[path.front()] = replace_part(pool, operands[path.front()], rest, part);
  const Expression e = pool[root];
  return pool.add(e, operands);
}

ExprId negation(Network& network, ExprId clause) {
  const Expression e = network.pool[clause];
  if (e.timed) {
    const std::optional<ExprKind> other = opposite(e.kind);
    assert(other && "the opposite of this is no zone");
    Expression flipped = e;
    flipped.kind = *other;
    const auto old = network.pool.operands(clause);
    const std::vector<ExprId> operands(old.begin(), old.end());
    return network.pool.add(flipped, operands);
  }
  const std::array operands = {clause};
  return network.pool.add(
      {.kind = ExprKind::kNot, .type = network.types.bool_type(), .where = e.where}, operands);
}

ExprId changed_part(Network& network, const Mutant& mutant, ExprId part) {
  if (mutant.kind == MutantKind::kNegatedClause)
    return negation(network, part);
  const Expression e = network.pool[part];
  using Range = std::numeric_limits<std::int32_t>;
  if (e.kind == ExprKind::kConstant &&
      e.value() != (mutant.delta > 0 ? Range::max() : Range::min()))
    return literal(network, e.value() + mutant.delta, e.where);
  const std::array operands = {part, literal(network, 1, e.where)};
  return network.pool.add({.kind = mutant.delta > 0 ? ExprKind::kAdd : ExprKind::kSubtract,
                           .type = network.types.int_type(),
                           .where = e.where},
                          operands);
}

VariableId variable_in(const Network& network, ProcessId process, VariableId id) {
  for (const VariableId copy : network.processes[process].variables)
    if (network.variables[copy].made_from == id)
      return copy;
  return id;
}

ExprId reset_of(Network& network, VariableId id) {
  const Variable& v = network.variables[id];
  const bool clock = network.types[v.type].kind == TypeKind::kClock;
  const std::int32_t initial =
      clock ? network.clocks[v.first_clock].initial : network.cells[v.first_cell].initial;
  const TypeId type = v.type;
  const ExprId target = network.pool.add({.kind = ExprKind::kVariable,
                                          .timed = clock,
                                          .type = type,
                                          .payload = static_cast<std::uint32_t>(id.index())});
  const std::array operands = {target, literal(network, initial, {})};
  return network.pool.add({.kind = ExprKind::kAssign, .type = type}, operands);
}

std::vector<Mutant> list_mutants(const Network& network) { return Lister(network).run(); }

std::vector<Mutant> choose(std::vector<Mutant> mutants, std::size_t most) {
  if (mutants.size() <= most)
    return mutants;
  std::vector<Mutant> out;
  for (std::size_t i = 0; i < most; ++i)
    out.push_back(std::move(mutants[i * mutants.size() / most]));
  return out;
}

Network mutate(const Network& network, const Mutant& mutant) {
  Network out = network;
  if (mutant.kind == MutantKind::kInvariant) {
    for (std::size_t i = 0; i < out.locations.size(); ++i) {
      Location& location = out.locations[LocationId(i)];
      if (location.decl != mutant.location)
        continue;
      const ExprId old = location.invariant;
      const ExprId part = changed_part(out, mutant, part_at(out.pool, old, mutant.path));
      out.locations[LocationId(i)].invariant = replace_part(out.pool, old, mutant.path, part);
    }
    return out;
  }
  for (std::size_t i = 0; i < out.edges.size(); ++i)
    if (out.edges[EdgeId(i)].decl == mutant.edge)
      change_edge(out, mutant, EdgeId(i));
  // The facts of the original are within its limits, and a mutant has hardly more.
  (void)compute_facts(out, std::numeric_limits<std::uint64_t>::max());
  return out;
}

bool acts_alone(const Network& network, const Mutant& mutant) {
  if (has_priorities(network))
    return false;
  if (mutant.kind == MutantKind::kInvariant)
    return true;
  const auto is_watched = [&](const Edge& edge) {
    if (!edge.labels.channel.valid())
      return false;
    const Type& type = network.types[network.pool[edge.labels.channel].type];
    return type.urgent || (type.broadcast && edge.labels.direction == Direction::kReceive);
  };
  const auto is_branchpoint = [&](LocationId id) {
    return network.decl(id).kind == LocationKind::kBranchpoint;
  };
  return std::ranges::none_of(network.edges, [&](const Edge& edge) {
    if (edge.decl != mutant.edge)
      return false;
    // At a branchpoint guard and channel may stand at different edges.
    return is_watched(edge) || is_branchpoint(edge.source) || is_branchpoint(edge.target);
  });
}

}  // namespace tw
