#include "criteria/cell_accesses.hpp"

#include <span>
#include <unordered_set>

namespace tw {
namespace {

// Pairs of cell and edge: a big array under an unknown index has many.
constexpr std::uint64_t kMostAccesses = 32'000'000;

bool is_write(ExprKind kind) {
  switch (kind) {
    case ExprKind::kAssign:
    case ExprKind::kCompoundAssign:
    case ExprKind::kPreIncrement:
    case ExprKind::kPreDecrement:
    case ExprKind::kPostIncrement:
    case ExprKind::kPostDecrement:
      return true;
    default:
      return false;
  }
}

class Collector {
 public:
  Collector(const Network& network, const AccessOptions& options)
      : network_(network),
        options_(options),
        cells_(cell_count(network)) {}

  void edge(EdgeId id) {
    const Edge& edge = network_.edges[id];
    begin(id);
    predicate(edge.labels.guard);
    predicate(edge.labels.channel);
    if (options_.invariants == InvariantUses::kLeave)
      predicate(invariant_of(edge.source));
    updates(edge.labels.updates);
    if (options_.invariants == InvariantUses::kEnter)
      uses(invariant_of(edge.target), UseKind::kPredicate);
  }

  void hook(const std::vector<ExprId>& statements) {
    begin(hook_edge(network_));
    updates(statements);
  }

  [[nodiscard]] bool too_many() const { return count_ > kMostAccesses; }

  [[nodiscard]] std::vector<CellAccesses> take() { return std::move(cells_); }

 private:
  void begin(EdgeId edge) {
    edge_ = edge;
    own_.clear();
  }

  [[nodiscard]] ExprId invariant_of(LocationId location) const {
    const bool branchpoint = network_.decl(location).kind == LocationKind::kBranchpoint;
    return branchpoint ? ExprId() : network_.locations[location].invariant;
  }

  [[nodiscard]] bool counts(UseKind kind) const { return !options_.uses || *options_.uses == kind; }

  void predicate(ExprId expression) {
    if (!expression.valid() || !counts(UseKind::kPredicate))
      return;
    for (const Use& use : accesses_of(network_, expression, UseKind::kPredicate).uses)
      each_cell(use.place, [this](std::uint32_t cell) { add_use(cell, true); });
  }

  void updates(std::span<const ExprId> statements) {
    for (const ExprId statement : statements) {
      if (network_.pool[statement].kind == ExprKind::kComma)
        updates(network_.pool.operands(statement));
      else
        update(statement);
    }
  }

  void update(ExprId statement) {
    uses(statement, UseKind::kComputation);
    const Accesses accesses = accesses_of(network_, statement, UseKind::kComputation);
    for (const Definition& definition : accesses.definitions) {
      const bool always = is_always(definition, statement);
      each_cell(definition.place, [&](std::uint32_t cell) {
        add_definition(cell, always);
        if (always)
          own_.insert(cell);
      });
    }
  }

  // A use that follows an own definition for certain is local to the edge.
  void uses(ExprId expression, UseKind kind) {
    if (!expression.valid() || !counts(kind))
      return;
    for (const Use& use : accesses_of(network_, expression, kind).uses)
      each_cell(use.place, [this](std::uint32_t cell) {
        if (!own_.contains(cell))
          add_use(cell, options_.reading == DefUseReading::kAtomic);
      });
  }

  // The statement itself writes, nothing decides whether, and the place is known exactly.
  [[nodiscard]] bool is_always(const Definition& definition, ExprId statement) const {
    if (definition.at != statement || !is_write(network_.pool[statement].kind))
      return false;
    const ExprId target = network_.pool.operand(statement, 0);
    ExprId root = target;
    while (network_.pool[root].kind == ExprKind::kIndex ||
           network_.pool[root].kind == ExprKind::kField)
      root = network_.pool.operand(root, 0);
    const Shape& shape = network_.types.shape(network_.pool[target].type);
    return network_.pool[root].kind == ExprKind::kVariable &&
           definition.place.count == (definition.place.is_clock ? shape.clocks : shape.cells);
  }

  template <class Visit>
  void each_cell(const PlaceRange& place, Visit visit) {
    if (!place.is_clock && place.first >= network_.memory.state)
      return;
    const std::uint32_t first = place.is_clock ? network_.memory.total + place.first : place.first;
    for (std::uint32_t i = 0; i < place.count && !too_many(); ++i)
      if (options_.cells[first + i])
        visit(first + i);
  }

  void add_use(std::uint32_t cell, bool early) {
    std::vector<CellAccesses::Use>& uses = cells_[cell].uses;
    if (uses.empty() || uses.back().edge != edge_) {
      uses.push_back({.edge = edge_});
      ++count_;
    }
    (early ? uses.back().early : uses.back().late) = true;
  }

  void add_definition(std::uint32_t cell, bool always) {
    std::vector<CellAccesses::Definition>& definitions = cells_[cell].definitions;
    if (definitions.empty() || definitions.back().edge != edge_) {
      definitions.push_back({.edge = edge_});
      ++count_;
    }
    definitions.back().always = definitions.back().always || always;
  }

  const Network& network_;
  const AccessOptions& options_;
  std::vector<CellAccesses> cells_;
  EdgeId edge_;
  std::unordered_set<std::uint32_t> own_;  // cells this edge has defined for certain so far
  std::uint64_t count_ = 0;
};

}  // namespace

EdgeId hook_edge(const Network& network) { return EdgeId(network.edges.size()); }

EdgeId initial_edge(const Network& network) { return EdgeId(network.edges.size() + 1); }

std::size_t cell_count(const Network& network) {
  return std::size_t{network.memory.total} + network.clocks.size();
}

std::optional<std::vector<CellAccesses>> cell_accesses(const Network& network,
                                                       const AccessOptions& options) {
  Collector collector(network, options);
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    collector.edge(EdgeId(i));
  collector.hook(network.before_update);
  collector.hook(network.after_update);
  if (collector.too_many())
    return std::nullopt;
  return collector.take();
}

}  // namespace tw
