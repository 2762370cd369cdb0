#include "engine/semantics/system.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/semantics/compiler.hpp"

namespace tw {
namespace {

// With so few bits most combinations come again and again.
constexpr std::size_t kMostResolvedBits = 26;

// A branchpoint is no place to stay, so it has nothing to say.
ExprId invariant_of(const Network& network, LocationId location) {
  const bool branchpoint = network.decl(location).kind == LocationKind::kBranchpoint;
  return branchpoint ? ExprId() : network.locations[location].invariant;
}

// Guard, invariant, channel: each on its own, as an error in the invariant ends its uses only.
void compile_notes(const Network& network,
                   InvariantUses invariants,
                   Compiler& compiler,
                   CompiledEdge& out) {
  const Edge& edge = network.edges[out.id];
  const auto add = [&out](std::uint32_t entry) {
    if (entry != CodeBlock::kNone)
      out.source_notes.push_back(entry);
  };
  add(compiler.condition_notes(edge.labels.guard));
  if (invariants == InvariantUses::kLeave)
    add(compiler.condition_notes(invariant_of(network, edge.source)));
  add(compiler.channel_notes(edge.labels.channel));
  if (invariants == InvariantUses::kEnter)
    out.target_notes = compiler.condition_notes(invariant_of(network, edge.target));
}

// From the static facts: what the updates may define, at the most; and what is forgotten.
std::vector<std::uint32_t> written_cells(const Network& network,
                                         const EdgeFacts& facts,
                                         std::vector<std::uint32_t> forgotten) {
  std::vector<std::uint32_t> out = std::move(forgotten);
  for (const Definition& definition : facts.definitions)
    for (std::uint32_t i = 0; !definition.place.is_clock && i < definition.place.count; ++i)
      if (definition.place.first + i < network.memory.state)
        out.push_back(definition.place.first + i);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// May it, or an edge that goes on behind a branchpoint, synchronise on an urgent channel?
bool is_urgent(const Network& network, const Edge& edge) {
  if (edge.labels.channel.valid())
    return network.types[network.pool[edge.labels.channel].type].urgent;
  if (network.decl(edge.target).kind != LocationKind::kBranchpoint)
    return false;
  const Process& process = network.processes[edge.process];
  for (std::size_t k = 0; k < process.edge_count; ++k) {
    const Edge& other = network.edges[EdgeId(process.first_edge.index() + k)];
    if (other.source == edge.target && is_urgent(network, other))
      return true;
  }
  return false;
}

CompiledEdge compile_edge(const Network& network,
                          EdgeId id,
                          std::vector<std::uint32_t> forgotten,
                          Compiler& compiler) {
  const Edge& edge = network.edges[id];
  const Process& process = network.processes[edge.process];
  CompiledEdge out{
      .id = id,
      .process = static_cast<std::uint32_t>(edge.process.index()),
      .target = static_cast<std::uint32_t>(edge.target.index() - process.first_location.index()),
      .direction = edge.labels.direction};
  for (const VariableId select : edge.labels.selects) {
    const Variable& variable = network.variables[select];
    const Type& type = network.types[variable.type];
    out.selects.push_back({.cell = static_cast<std::uint32_t>(variable.first_cell.index()),
                           .low = type.low,
                           .high = type.high});
  }
  if (edge.labels.guard.valid())
    out.guard = compiler.condition(edge.labels.guard);
  if (edge.labels.channel.valid())
    out.channel = compiler.channel_block(edge.labels.channel);
  out.updates = compiler.updates(edge.labels.updates);
  out.writes = written_cells(network, edge.facts, forgotten);
  out.forgets = std::move(forgotten);
  return out;
}

// Adds the bits of states that an expression without side effects reads. True: it reads a `meta`
// variable, too; that has the value that the step before gave it, which is not part of the state.
bool reads_meta(const Network& network,
                const PackedLayout& layout,
                ExprId expression,
                std::span<std::uint64_t> mask) {
  const Accesses accesses = accesses_of(network, expression, UseKind::kPredicate);
  bool out = false;
  const auto add = [&](const PlaceRange& place) {
    const std::uint32_t end = place.is_clock ? 0 : place.first + place.count;
    for (std::uint32_t cell = place.first; cell < std::min(end, network.memory.meta); ++cell) {
      if (cell < network.memory.state)
        layout.add_cell_bits(cell, mask);
      else
        out = true;
    }
  };
  for (const Use& use : accesses.uses)
    add(use.place);
  for (const Definition& definition : accesses.definitions)
    add(definition.place);
  return out;
}

std::vector<ObservedTest> observed_tests(const Network& network,
                                         const Instrumentation& instrumentation) {
  std::vector<ObservedTest> out;
  for (const Instrumentation::Predicate& predicate : instrumentation.predicates)
    for (const ClockTest& test :
         clock_tests_of(network, *instrumentation.pool, predicate.expression))
      out.push_back({.test = test, .at = predicate.at});
  return out;
}

}  // namespace

System::System(const Network& network, const Instrumentation& instrumentation, Execution execution)
    : network_(&network),
      layout_(network),
      bounds_(network, observed_tests(network, instrumentation)),
      zone_size_(network.clocks.size() + 1),
      forgot_(std::make_unique<std::atomic<bool>>(false)) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  if (is_timed())
    zone_words_ = (zone_size_ * zone_size_ * sizeof(Bound) + kWord - 1) / kWord;
  Compiler compiler(network, instrumentation.watched);
  for (std::size_t i = 0; i < network.edges.size(); ++i)
    edges_.push_back(compile_edge(network, EdgeId(i),
                                  instrumentation.forgotten.empty() ? std::vector<std::uint32_t>()
                                                                    : instrumentation.forgotten[i],
                                  compiler));
  compile_locations(compiler);
  connect_edges();
  list_bounds();
  find_great_numbers();
  before_update_ = compiler.updates(network.before_update);
  after_update_ = compiler.updates(network.after_update);
  // Last: what runs only now and then does not lie between what runs all the time.
  for (CompiledEdge& edge : edges_)
    compile_notes(network, instrumentation.invariants, compiler, edge);
  for (const Instrumentation::Predicate& predicate : instrumentation.predicates)
    predicates_.push_back(compiler.foreign_condition(*instrumentation.pool, predicate.expression));
  has_priorities_ = !network.channel_priorities.empty() ||
                    std::any_of(network.processes.begin(), network.processes.end(),
                                [](const Process& process) { return process.priority != 0; });
  code_ = compiler.take();
  find_dependencies(instrumentation.invariants);
  for (std::size_t i = 0; i < instrumentation.watched.size(); ++i)
    if (instrumentation.watched[i])
      shows_watched_ = shows_watched_ && i < network.memory.state && layout_.has_bits(i);
  has_stopwatches_ = std::ranges::any_of(code_.instructions, [](const Instruction& instruction) {
    return instruction.op == Opcode::kSetRate;
  });
  if (execution == Execution::kNative) {
    native_ = std::make_unique<const NativeCode>(code_);
    code_.native = native_->functions();
  }
}

// Static over-approximations: `a[i]` depends on all of `a`.
void System::find_dependencies(InvariantUses invariants) {
  const Network& network = *network_;
  using Mask = std::vector<std::uint64_t>;
  const auto add_place = [&](const PlaceRange& place, Mask& mask) {
    for (std::uint32_t i = 0; !place.is_clock && i < place.count; ++i)
      if (place.first + i < network.memory.state)
        layout_.add_cell_bits(place.first + i, mask);
  };
  const auto add_all = [&](ExprId expression, Mask& mask) {
    const Accesses accesses = accesses_of(network, expression, UseKind::kPredicate);
    for (const Use& use : accesses.uses)
      add_place(use.place, mask);
    for (const Definition& definition : accesses.definitions)
      add_place(definition.place, mask);
  };
  const auto add_invariant = [&](LocationId location, Mask& mask) {
    if (network.locations[location].invariant.valid())
      add_all(network.locations[location].invariant, mask);
  };

  shared_bits_.assign(layout_.words(), 0);
  for (const std::vector<ExprId>* hook : {&network.before_update, &network.after_update})
    for (const ExprId update : *hook)
      add_all(update, shared_bits_);
  for (std::size_t p = 0; !is_timed() && p < network.processes.size(); ++p) {
    const Process& process = network.processes[ProcessId(p)];
    for (std::size_t i = 0; i < process.location_count; ++i) {
      const LocationId id(process.first_location.index() + i);
      if (!network.locations[id].invariant.valid())
        continue;
      layout_.add_location_bits(p, shared_bits_);
      add_invariant(id, shared_bits_);
    }
  }

  std::vector<Mask> offered(edges_.size(), Mask(layout_.words()));
  for (CompiledEdge& edge : edges_) {
    const Edge& original = network.edges[edge.id];
    Mask& read = edge.read_bits;
    read.assign(layout_.words(), 0);
    for (const Use& use : original.facts.uses) {
      const bool is_offer = use.kind == UseKind::kPredicate;
      if (is_offer)
        add_place(use.place, offered[edge.id.index()]);
      if (!is_offer || is_watching())
        add_place(use.place, read);
    }
    edge.write_bits.assign(layout_.words(), 0);
    layout_.add_location_bits(edge.process, edge.write_bits);
    for (const std::uint32_t cell : edge.writes)
      layout_.add_cell_bits(cell, edge.write_bits);
    // Nothing could stand for "not written" there (SuccessorGenerator::hide_unread).
    for (const std::uint32_t cell : edge.writes)
      if (network.cells[CellId(cell)].low == std::numeric_limits<std::int32_t>::min())
        layout_.add_cell_bits(cell, read);
    if (is_watching() && invariants != InvariantUses::kNone) {
      add_invariant(original.source, read);
      add_invariant(original.target, read);
    }
  }
  if (is_timed())
    find_clock_bits(offered);
  std::size_t process = 0;
  for (std::size_t number = 0; number < locations_.size(); ++number) {
    while (process + 1 < first_location_.size() && first_location_[process + 1] <= number)
      ++process;
    CompiledLocation& location = locations_[number];
    Mask mask(layout_.words());
    const auto add = [&](std::uint32_t edge) {
      for (std::size_t i = 0; i < mask.size(); ++i)
        mask[i] |= offered[edge][i];
    };
    Mask steps = shared_bits_;
    const auto add_step = [&](std::uint32_t edge) {
      for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] |= edges_[edge].read_bits[i];
    };
    for (const std::uint32_t edge : location.edges) {
      add(edge);
      add_step(edge);
      for (const std::uint32_t branch : edges_[edge].branches) {
        add(branch);
        add_step(branch);
      }
    }
    std::size_t bits = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
      steps[i] |= mask[i];
      bits += static_cast<std::size_t>(std::popcount(steps[i]));
    }
    location.resolves = !is_timed() && bits <= kMostResolvedBits;
    layout_.add_location_bits(process, steps);
    layout_.add_location_bits(process, mask);
    location.offer_mask = location.resolves ? std::move(steps) : std::move(mask);
    location.offer_bits = state_bits(location.offer_mask);
  }
}

// `offered`: by edge, what it offers depends on.
void System::find_clock_bits(std::span<const std::vector<std::uint64_t>> offered) {
  std::vector<std::uint64_t> mask(layout_.words());
  bool is_known = true;
  const auto add_offered = [&](std::uint32_t edge) {
    for (std::size_t i = 0; i < mask.size(); ++i)
      mask[i] |= offered[edge][i];
  };
  std::size_t process = 0;
  for (std::size_t number = 0; number < locations_.size(); ++number) {
    while (process + 1 < first_location_.size() && first_location_[process + 1] <= number)
      ++process;
    const CompiledLocation& location = locations_[number];
    const bool has_invariant = location.invariant != CodeBlock::kNone;
    if (has_invariant) {
      const std::size_t local = number - first_location_[process];
      const LocationId id(network_->processes[ProcessId(process)].first_location.index() + local);
      is_known =
          !reads_meta(*network_, layout_, network_->locations[id].invariant, mask) && is_known;
    }
    for (const std::uint32_t edge : location.urgent_edges) {
      add_offered(edge);
      std::ranges::for_each(edges_[edge].branches, add_offered);
    }
    if (has_invariant || location.stops_time || !location.urgent_edges.empty() ||
        first_bound_[number] != first_bound_[number + 1])
      layout_.add_location_bits(process, mask);
  }
  knows_clock_bits_ = is_known;
  if (is_known)
    clock_bits_ = state_bits(mask);
}

void System::compile_locations(Compiler& compiler) {
  const Network& network = *network_;
  for (const Process& process : network.processes) {
    first_location_.push_back(locations_.size());
    for (std::size_t i = 0; i < process.location_count; ++i) {
      const LocationId id(process.first_location.index() + i);
      const LocationKind kind = network.decl(id).kind;
      CompiledLocation location{
          .committed = kind == LocationKind::kCommitted,
          .stops_time = kind == LocationKind::kCommitted || kind == LocationKind::kUrgent};
      if (network.locations[id].invariant.valid()) {
        location.invariant = compiler.condition(network.locations[id].invariant);
        has_invariants_ = true;
      }
      locations_.push_back(std::move(location));
    }
  }
}

void System::connect_edges() {
  const Network& network = *network_;
  for (std::size_t i = 0; i < network.edges.size(); ++i) {
    const Edge& edge = network.edges[EdgeId(i)];
    const Process& process = network.processes[edge.process];
    const std::size_t local = edge.source.index() - process.first_location.index();
    CompiledLocation& source = locations_[first_location_[edge.process.index()] + local];
    source.edges.push_back(static_cast<std::uint32_t>(i));
    if (is_urgent(network, edge)) {
      source.urgent_edges.push_back(static_cast<std::uint32_t>(i));
      has_urgent_channels_ = true;
    }
    edges_[i].enters_committed = network.decl(edge.target).kind == LocationKind::kCommitted;
    if (network.decl(edge.target).kind != LocationKind::kBranchpoint)
      continue;
    edges_[i].enters_branchpoint = true;
    for (std::size_t k = 0; k < process.edge_count; ++k) {
      const auto other = static_cast<std::uint32_t>(process.first_edge.index() + k);
      if (network.edges[EdgeId(other)].source == edge.target)
        edges_[i].branches.push_back(other);
    }
  }
}

void System::list_bounds() {
  if (!is_timed())
    return;
  // All locations of a process list the same clocks, so that processors can tell how many come.
  std::vector<bool> known(zone_size_);
  for (const Process& process : network_->processes) {
    const auto bounds_at = [&](std::size_t k) -> const LuBounds& {
      return bounds_.at(LocationId(process.first_location.index() + k));
    };
    known.assign(zone_size_, false);
    for (std::size_t k = 0; k < process.location_count; ++k)
      for (std::size_t i = 1; i < zone_size_; ++i)
        if (bounds_at(k).lower[i] != LuBounds::kNoBound ||
            bounds_at(k).upper[i] != LuBounds::kNoBound)
          known[i] = true;
    for (std::size_t k = 0; k < process.location_count; ++k) {
      first_bound_.push_back(static_cast<std::uint32_t>(known_bounds_.size()));
      for (std::size_t i = 1; i < zone_size_; ++i)
        if (known[i])
          known_bounds_.push_back({.clock = static_cast<std::uint32_t>(i),
                                   .lower = bounds_at(k).lower[i],
                                   .upper = bounds_at(k).upper[i]});
    }
  }
  first_bound_.push_back(static_cast<std::uint32_t>(known_bounds_.size()));
}

// A difference is at most the sum of the constants of all clocks between the two.
void System::find_great_numbers() {
  std::int64_t greatest = 0;
  for (const KnownBound& known : known_bounds_)
    greatest = std::max<std::int64_t>({greatest, known.lower, known.upper});
  has_great_numbers_ =
      greatest * static_cast<std::int64_t>(zone_size_) > std::int64_t{Bound::kMostDifference};
}

std::vector<StateBits> System::location_bits() const {
  std::vector<std::uint64_t> mask(layout_.words());
  for (std::size_t p = 0; p < processes(); ++p)
    layout_.add_location_bits(p, mask);
  return state_bits(mask);
}

void System::collect_bounds(std::span<const std::uint32_t> locations, LuBounds& out) const {
  out.lower.resize(zone_size_);
  out.upper.resize(zone_size_);
  std::int32_t* const lower = out.lower.data();
  std::int32_t* const upper = out.upper.data();
  for (std::size_t i = 0; i < zone_size_; ++i)
    lower[i] = upper[i] = LuBounds::kNoBound;
  const std::uint32_t* const first = first_bound_.data();
  const std::size_t* const first_location = first_location_.data();
  for (std::size_t p = 0; p < locations.size(); ++p) {
    const std::size_t location = first_location[p] + locations[p];
    const KnownBound* const end = known_bounds_.data() + first[location + 1];
    for (const KnownBound* known = known_bounds_.data() + first[location]; known != end; ++known) {
      lower[known->clock] = std::max(lower[known->clock], known->lower);
      upper[known->clock] = std::max(upper[known->clock], known->upper);
    }
  }
}

// Whatever extrapolation adds is explored, so it may add too much; what simulation leaves out is
// not.
void System::collect_simulation_bounds(std::span<const std::uint32_t> locations,
                                       LuBounds& out) const {
  collect_bounds(locations, out);
  for (std::size_t i = 0; i < bounds_.drifting().size(); ++i)
    if (bounds_.drifting()[i])
      out.lower[i + 1] = out.upper[i + 1] = Bound::kMostConstant;
  // A zone that forgot a difference lies on both sides of what it is compared with.
  if (has_great_numbers_)
    for (const ClockConstraint& diagonal : diagonals())
      for (const std::uint32_t clock : {diagonal.i, diagonal.j})
        out.lower[clock] = out.upper[clock] = Bound::kMostConstant;
}

}  // namespace tw
