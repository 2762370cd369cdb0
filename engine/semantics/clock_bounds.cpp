#include "engine/semantics/clock_bounds.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "engine/semantics/clock_diagonals.hpp"
#include "engine/semantics/clock_updates.hpp"

namespace tw {
namespace {

// A bound, and through how many copies with a negative offset it came. Only those make bounds grow,
// so one that came through more of them than there are has been round a circle. The bound is the
// upper half; the copies count downwards in the lower one, so that of two ways to the same bound
// the greater number is the shorter way, and a circle that gains nothing comes to rest.
class Reach {
 public:
  constexpr Reach() = default;  // no bound

  /// Pre: at most kMostConstant.
  explicit constexpr Reach(std::int64_t bound) : raw_((bound + 1) * kOne - 1) {}

  [[nodiscard]] constexpr std::int32_t bound() const {
    return static_cast<std::int32_t>(raw_ >> 32);
  }
  [[nodiscard]] constexpr std::int64_t copies() const { return ~raw_ & (kOne - 1); }

  /// What the source of a copy can be compared with if the target can with this.
  [[nodiscard]] constexpr Reach before(std::int64_t offset) const {
    Reach out;
    if (bound() >= 0 && bound() >= offset)
      out.raw_ = raw_ - offset * kOne - (offset < 0 ? 1 : 0);
    return out;
  }

  friend constexpr bool operator<(Reach a, Reach b) { return a.raw_ < b.raw_; }

 private:
  static constexpr std::int64_t kOne = std::int64_t{1} << 32;

  std::int64_t raw_ = -1;  // bound -1, no copies
};

struct Reaches {
  Reach lower;
  Reach upper;
};

// The bounds in one location, by clock.
using Row = std::span<Reaches>;

std::int64_t clamped(std::int64_t constant) {
  return std::clamp<std::int64_t>(constant, -Bound::kMostConstant, Bound::kMostConstant);
}

void raise(Reach& reach, Reach other) {
  if (reach < other)
    reach = other;
}

// The front end lets no clock into the guard of an urgent edge; what else builds networks may.
bool may_be_negated(const Network& network, const Edge& edge) {
  if (!edge.labels.channel.valid())
    return false;
  const Type& channel = network.types[network.pool[edge.labels.channel].type];
  return channel.urgent || (channel.broadcast && edge.labels.direction == Direction::kReceive);
}

bool has_priorities(const Network& network) {
  return !network.channel_priorities.empty() ||
         std::any_of(network.processes.begin(), network.processes.end(),
                     [](const Process& process) { return process.priority != 0; });
}

// `negated`: where the test fails matters as well.
void add_test(const ClockTest& test, bool negated, Row row) {
  if (test.minus.count != 0)
    return;
  bool lower = negated;
  bool upper = negated;
  bool at_zero = true;  // whether a comparison with 0 says anything about a clock
  switch (test.relation) {
    case ExprKind::kGreaterEqual:
      at_zero = false;
      lower = true;
      break;
    case ExprKind::kGreater:
      lower = true;
      break;
    case ExprKind::kLess:
      at_zero = false;
      upper = true;
      break;
    case ExprKind::kLessEqual:
      upper = true;
      break;
    default:
      lower = upper = true;
  }
  if (test.high < (at_zero ? 0 : 1))
    return;
  const Reach reach(clamped(test.high));
  for (std::uint32_t i = 0; i < test.clock.count; ++i) {
    Reaches& reaches = row[test.clock.first + i];
    raise(reaches.lower, lower ? reach : Reach());
    raise(reaches.upper, upper ? reach : Reach());
  }
}

// Clocks whose rate an invariant speaks of.
void note_stopwatches(const Network& network, ExprId id, std::vector<bool>& out) {
  if (network.pool[id].kind == ExprKind::kRate) {
    const ExprId clock = network.pool.operand(id, 0);
    for (const Use& use : accesses_of(network, clock, UseKind::kPredicate).uses)
      if (use.place.is_clock)
        std::fill_n(out.begin() + use.place.first, use.place.count, true);
    return;
  }
  for (const ExprId part : network.pool.operands(id))
    note_stopwatches(network, part, out);
}

// A copy, and the only process that makes it; invalid: several do, or all.
struct Copy {
  ClockWay assignment;
  ProcessId only;
};

class Analysis {
 public:
  Analysis(const Network& network, std::span<const ObservedTest> observed);

  void run();

  [[nodiscard]] IdVector<LocationId, LuBounds> take_bounds() { return std::move(bounds_); }
  [[nodiscard]] std::vector<ClockConstraint> take_diagonals() { return std::move(diagonals_); }
  [[nodiscard]] std::vector<bool> take_drifting() { return std::move(drifting_); }
  [[nodiscard]] ClockId unbounded() const { return unbounded_; }

 private:
  void note(std::span<const ClockUpdate> updates, ProcessId process);
  void collect_diagonals();
  void collect_drifting();

  void solve(ProcessId id);
  void prepare(ProcessId id);
  void add_guards(EdgeId id);
  bool solve(LocationId location);
  void publish(const Process& process);

  void undo(const ClockUpdate& update, Row row);
  bool copy(const ClockWay& assignment, Reaches reaches, Row row);
  bool close(std::span<const ClockWay> copies, Row row);
  bool raise_by_copy(Reach& reach, Reach other, ClockId clock);

  [[nodiscard]] Row row(LocationId location) {
    return Row(table_).subspan((location.index() - first_location_) * clocks_, clocks_);
  }
  [[nodiscard]] bool is_branchpoint(LocationId location) const {
    return network_.decl(location).kind == LocationKind::kBranchpoint;
  }

  const Network& network_;
  const std::span<const ObservedTest> observed_;
  const std::size_t clocks_;
  const bool priorities_;
  IdVector<EdgeId, std::vector<ClockUpdate>> updates_;
  std::vector<ClockWay> assignments_;  // of the whole network, ascending
  std::vector<Copy> copies_;           // of the whole network
  std::int64_t growing_copies_ = 0;    // places where a copy has a negative offset
  std::vector<Reaches> everywhere_;    // bounds in every location

  // Of the process at work.
  std::size_t first_location_ = 0;
  std::vector<Reaches> table_;
  std::vector<Reaches> scratch_;
  std::vector<ClockWay> foreign_;                // copies by others
  std::vector<std::vector<EdgeId>> leaving_;     // by location
  std::vector<std::vector<LocationId>> before_;  // by location: where edges come from

  IdVector<LocationId, LuBounds> bounds_;
  std::vector<ClockConstraint> diagonals_;
  std::vector<bool> drifting_;
  ClockId unbounded_;
};

Analysis::Analysis(const Network& network, std::span<const ObservedTest> observed)
    : network_(network),
      observed_(observed),
      clocks_(network.clocks.size()),
      priorities_(has_priorities(network)),
      everywhere_(clocks_),
      scratch_(clocks_) {}

void Analysis::run() {
  ClockUpdateReader reader(network_);
  for (const Edge& edge : network_.edges) {
    updates_.push_back(reader.read(edge.labels.updates));
    note(updates_[EdgeId(updates_.size() - 1)], edge.process);
  }
  note(reader.read(network_.before_update), ProcessId());
  note(reader.read(network_.after_update), ProcessId());
  if (reader.failed())
    unbounded_ = ClockId(0);
  std::sort(assignments_.begin(), assignments_.end());
  assignments_.erase(std::unique(assignments_.begin(), assignments_.end()), assignments_.end());
  std::sort(copies_.begin(), copies_.end(), [](const Copy& a, const Copy& b) {
    return std::tie(a.assignment, a.only) < std::tie(b.assignment, b.only);
  });
  std::vector<Copy> merged;
  for (const Copy& copy : copies_) {
    if (merged.empty() || merged.back().assignment != copy.assignment)
      merged.push_back(copy);
    else if (merged.back().only != copy.only)
      merged.back().only = ProcessId();
  }
  copies_ = std::move(merged);
  collect_diagonals();
  collect_drifting();
  for (std::size_t i = 0; i < network_.locations.size(); ++i)
    bounds_.push_back({});
  for (std::size_t i = 0; i < network_.processes.size(); ++i)
    solve(ProcessId(i));
}

void Analysis::note(std::span<const ClockUpdate> updates, ProcessId process) {
  for (const ClockUpdate& update : updates) {
    for (const ClockWay& way : update.ways) {
      assignments_.push_back(way);
      if (!way.value.clock.valid())
        continue;
      copies_.push_back({.assignment = way, .only = process});
      growing_copies_ += way.value.low < 0 ? 1 : 0;
    }
  }
}

void Analysis::collect_diagonals() {
  Diagonals diagonals(clocks_, assignments_);
  for (const Edge& edge : network_.edges)
    for (const ClockTest& test : edge.facts.clock_tests)
      diagonals.add(test);
  for (const Location& location : network_.locations)
    if (location.invariant.valid())
      for (const ClockTest& test : clock_tests_of(network_, location.invariant))
        diagonals.add(test);
  for (const ObservedTest& observed : observed_)
    diagonals.add(observed.test);
  diagonals.close();
  diagonals_ = diagonals.constraints();
  for (std::size_t i = 0; i < clocks_; ++i) {
    const std::int32_t bound = diagonals.bounds()[ClockId(i)];
    everywhere_[i] = {.lower = Reach(bound), .upper = Reach(bound)};
  }
  for (const ObservedTest& observed : observed_)
    if (!observed.at.valid())
      add_test(observed.test, true, everywhere_);
  if (diagonals.unbounded().valid())
    unbounded_ = diagonals.unbounded();
}

// Whatever is forgotten of a clock that drifts, something may be found that is not there. Up to the
// greatest constant that any clock is compared with, it is remembered.
void Analysis::collect_drifting() {
  std::vector<bool> stops(clocks_);
  for (const Location& location : network_.locations)
    if (location.invariant.valid())
      note_stopwatches(network_, location.invariant, stops);
  for (const ClockConstraint& diagonal : diagonals_) {
    if (!stops[diagonal.i - 1] && !stops[diagonal.j - 1])
      continue;
    drifting_.resize(clocks_);
    drifting_[diagonal.i - 1] = drifting_[diagonal.j - 1] = true;
  }
  std::int64_t greatest = 0;
  const auto note_tests = [&greatest](std::span<const ClockTest> tests) {
    for (const ClockTest& test : tests)
      greatest = std::max({greatest, test.high, -test.low});
  };
  for (const Edge& edge : network_.edges)
    note_tests(edge.facts.clock_tests);
  for (const Location& location : network_.locations)
    if (location.invariant.valid())
      note_tests(clock_tests_of(network_, location.invariant));
  for (std::size_t i = 0; i < drifting_.size(); ++i) {
    if (!drifting_[i])
      continue;
    raise(everywhere_[i].lower, Reach(clamped(greatest)));
    raise(everywhere_[i].upper, Reach(clamped(greatest)));
  }
}

// Reverse depth-first order is a good one for a backward analysis: most targets come before their
// sources, so few rounds are needed.
std::vector<LocationId> targets_first(const Network& network,
                                      const Process& process,
                                      const std::vector<std::vector<EdgeId>>& leaving) {
  const std::size_t first = process.first_location.index();
  std::vector<LocationId> out;
  std::vector<bool> seen(process.location_count);
  std::vector<std::pair<LocationId, std::size_t>> path;  // and the next edge to follow
  const auto visit = [&](LocationId from) {
    if (!seen[from.index() - first])
      path.emplace_back(from, 0);
    seen[from.index() - first] = true;
  };
  for (std::size_t i = 0; i <= process.location_count; ++i) {
    visit(i == 0 ? process.initial : LocationId(first + i - 1));
    while (!path.empty()) {
      auto& [at, next] = path.back();
      const std::vector<EdgeId>& edges = leaving[at.index() - first];
      if (next < edges.size()) {
        visit(network.edges[edges[next++]].target);
        continue;
      }
      out.push_back(at);
      path.pop_back();
    }
  }
  return out;
}

void Analysis::solve(ProcessId id) {
  const Process& process = network_.processes[id];
  prepare(id);
  const std::vector<LocationId> order = targets_first(network_, process, leaving_);
  std::vector<bool> due(process.location_count, true);
  for (bool again = true; again && !unbounded_.valid();) {
    again = false;
    for (const LocationId location : order) {
      const std::size_t local = location.index() - first_location_;
      if (!due[local])
        continue;
      due[local] = false;
      if (!solve(location))
        continue;
      again = true;
      for (const LocationId source : before_[local])
        due[source.index() - first_location_] = true;
    }
  }
  publish(process);
}

// What is compared in each location itself.
void Analysis::prepare(ProcessId id) {
  const Process& process = network_.processes[id];
  first_location_ = process.first_location.index();
  table_.clear();
  leaving_.assign(process.location_count, {});
  before_.assign(process.location_count, {});
  foreign_.clear();
  for (const Copy& copy : copies_)
    if (copy.only != id)
      foreign_.push_back(copy.assignment);
  for (std::size_t i = 0; i < process.location_count; ++i)
    table_.insert(table_.end(), everywhere_.begin(), everywhere_.end());
  for (std::size_t i = 0; i < process.location_count; ++i) {
    const LocationId location(first_location_ + i);
    const ExprId invariant = network_.locations[location].invariant;
    if (!invariant.valid() || is_branchpoint(location))
      continue;
    for (const ClockTest& test : clock_tests_of(network_, invariant))
      add_test(test, priorities_, row(location));
  }
  for (std::size_t i = 0; i < process.edge_count; ++i) {
    const EdgeId edge_id(process.first_edge.index() + i);
    const Edge& edge = network_.edges[edge_id];
    leaving_[edge.source.index() - first_location_].push_back(edge_id);
    before_[edge.target.index() - first_location_].push_back(edge.source);
  }
  for (std::size_t i = 0; i < process.edge_count; ++i)
    add_guards(EdgeId(process.first_edge.index() + i));
  // Whether it holds or not, both are of interest.
  for (const ObservedTest& observed : observed_)
    if (observed.at.valid() && network_.locations[observed.at].process == id)
      add_test(observed.test, true, row(observed.at));
}

// The guard behind a branchpoint is tested before anything happens, with that of the edge into it.
void Analysis::add_guards(EdgeId id) {
  const Edge& edge = network_.edges[id];
  if (is_branchpoint(edge.source))
    return;
  bool negated = priorities_ || may_be_negated(network_, edge);
  std::span<const EdgeId> branches;
  if (is_branchpoint(edge.target))
    branches = leaving_[edge.target.index() - first_location_];
  for (const EdgeId branch : branches)
    negated = negated || may_be_negated(network_, network_.edges[branch]);
  for (const ClockTest& test : edge.facts.clock_tests)
    add_test(test, negated, row(edge.source));
  for (const EdgeId branch : branches)
    for (const ClockTest& test : network_.edges[branch].facts.clock_tests)
      add_test(test, negated, row(edge.source));
}

// Did anything change?
bool Analysis::solve(LocationId location) {
  const Row here = row(location);
  bool changed = false;
  const auto raise_here = [&changed](Reach& reach, Reach other) {
    changed = changed || reach < other;
    raise(reach, other);
  };
  for (const EdgeId id : leaving_[location.index() - first_location_]) {
    Row behind = row(network_.edges[id].target);
    const std::vector<ClockUpdate>& updates = updates_[id];
    if (!updates.empty()) {
      std::copy(behind.begin(), behind.end(), scratch_.begin());
      behind = scratch_;
      for (auto update = updates.rbegin(); update != updates.rend(); ++update)
        undo(*update, behind);
    }
    for (std::size_t i = 0; i < clocks_; ++i) {
      raise_here(here[i].lower, behind[i].lower);
      raise_here(here[i].upper, behind[i].upper);
    }
  }
  return close(foreign_, here) || changed;
}

// From what matters after the update to what matters before it.
void Analysis::undo(const ClockUpdate& update, Row row) {
  if (!update.sure.valid()) {
    close(update.ways, row);
    return;
  }
  const Reaches after = std::exchange(row[update.sure.index()], Reaches());
  for (const ClockWay& way : update.ways)
    copy(way, after, row);
}

// All these copies may happen, in any order and number. Did anything change?
bool Analysis::close(std::span<const ClockWay> copies, Row row) {
  bool ever = false;
  for (bool again = true; again && !unbounded_.valid();) {
    again = false;
    for (const ClockWay& assignment : copies)
      again = copy(assignment, row[assignment.target.index()], row) || again;
    ever = ever || again;
  }
  return ever;
}

// `reaches`: what the target can be compared with afterwards. Did anything change?
bool Analysis::copy(const ClockWay& assignment, Reaches reaches, Row row) {
  const ClockValue& value = assignment.value;
  if (!value.clock.valid())
    return false;
  const std::int64_t offset = clamped(value.low);
  Reaches& source = row[value.clock.index()];
  bool changed = raise_by_copy(source.lower, reaches.lower.before(offset), value.clock);
  changed = raise_by_copy(source.upper, reaches.upper.before(offset), value.clock) || changed;
  if (offset < 0) {
    // A negative result is an error, so who runs into it matters.
    changed = raise_by_copy(source.lower, Reach(-offset), value.clock) || changed;
    changed = raise_by_copy(source.upper, Reach(-offset), value.clock) || changed;
  }
  return changed;
}

bool Analysis::raise_by_copy(Reach& reach, Reach other, ClockId clock) {
  if (other.bound() > Bound::kMostConstant || other.copies() > growing_copies_)
    unbounded_ = clock;
  if (unbounded_.valid() || !(reach < other))
    return false;
  reach = other;
  return true;
}

void Analysis::publish(const Process& process) {
  for (std::size_t i = 0; i < process.location_count; ++i) {
    const LocationId location(first_location_ + i);
    LuBounds& out = bounds_[location];
    out.lower.reserve(clocks_ + 1);
    out.upper.reserve(clocks_ + 1);
    out.lower.push_back(0);
    out.upper.push_back(0);
    for (const Reaches& reaches : row(location)) {
      out.lower.push_back(reaches.lower.bound());
      out.upper.push_back(reaches.upper.bound());
    }
  }
}

}  // namespace

ClockBounds::ClockBounds(const Network& network, std::span<const ObservedTest> observed) {
  Analysis analysis(network, observed);
  analysis.run();
  bounds_ = analysis.take_bounds();
  diagonals_ = analysis.take_diagonals();
  drifting_ = analysis.take_drifting();
  unbounded_ = analysis.unbounded();
}

}  // namespace tw
