// The network made ready to run: code for every guard and update, and tables that answer "which
// edges leave here" without searching. Built once per run; read-only afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/semantics/clock_bounds.hpp"
#include "engine/semantics/code.hpp"
#include "engine/semantics/native.hpp"
#include "engine/semantics/packed_layout.hpp"

namespace tw {

class Compiler;

/// Who runs the code; results are the same.
enum class Execution : std::uint8_t {
  kNative,  // where it can be had, else as below
  kByteCode,
};

/// What is to be noticed while running, beyond the states themselves.
struct Instrumentation {
  /// By state or meta cell, or clock (Network::cell_of): produce uses and definitions; shorter
  /// means not watched.
  std::vector<bool> watched;
  InvariantUses invariants = InvariantUses::kNone;
  /// Of `predicates`; types, variables and functions are the network's. Borrowed while the system
  /// is built.
  const ExpressionPool* pool = nullptr;
  /// A further expression that is looked at in states.
  struct Predicate {
    ExprId expression;
    LocationId at;  // only while its process is there; invalid: everywhere
  };
  std::vector<Predicate> predicates;
  /// By edge: state cells that get their initial values back when a step with this edge is over
  /// (dead_cells). Empty: none.
  std::vector<std::vector<std::uint32_t>> forgotten;
};

struct CompiledSelect {
  std::uint32_t cell = 0;
  std::int32_t low = 0;
  std::int32_t high = 0;
};

struct CompiledEdge {
  EdgeId id;
  std::uint32_t process = 0;
  std::uint32_t target = 0;  // location within the process
  std::uint32_t guard = CodeBlock::kNone;
  std::uint32_t updates = CodeBlock::kNone;
  CodeBlock channel;  // present unless internal
  Direction direction = Direction::kInternal;
  std::vector<CompiledSelect> selects;
  bool enters_branchpoint = false;
  bool enters_committed = false;        // its target is committed
  std::vector<std::uint32_t> branches;  // … the edges that leave it
  std::vector<std::uint32_t> forgets;   // state cells that get their initial values, at last
  std::vector<std::uint32_t> writes;    // state cells that may change, ascending
  /// Bits of a state, by word: what its updates read, and all that decides which events they have …
  std::vector<std::uint64_t> read_bits;
  /// … and all that may change; its process's location, too.
  std::vector<std::uint64_t> write_bits;
  // Noting code, for when the edge fires: in the source state, and in the new state.
  std::vector<std::uint32_t> source_notes;
  std::uint32_t target_notes = CodeBlock::kNone;
};

struct CompiledLocation {
  bool committed = false;
  bool stops_time = false;  // urgent or committed
  std::uint32_t invariant = CodeBlock::kNone;
  std::vector<std::uint32_t> edges;         // all edges that leave, in document order
  std::vector<std::uint32_t> urgent_edges;  // those that may synchronise on an urgent channel
  /// Of a state: that its process is here, and what guards and channels of its edges read.
  std::vector<StateBits> offer_bits;
  std::vector<std::uint64_t> offer_mask;  // the same, by word
  /// These are few although they include all that internal edges read: what they do can be worked
  /// out with the guards.
  bool resolves = false;
};

class System {
 public:
  /// The network is borrowed and outlives the system.
  explicit System(const Network& network,
                  const Instrumentation& instrumentation = {},
                  Execution execution = Execution::kNative);

  [[nodiscard]] const Network& network() const { return *network_; }

  [[nodiscard]] const Code& code() const { return code_; }

  [[nodiscard]] const PackedLayout& layout() const { return layout_; }

  [[nodiscard]] bool is_timed() const { return zone_size_ > 1; }

  /// A zone has one row and column per clock and one for the constant zero.
  [[nodiscard]] std::size_t zone_size() const { return zone_size_; }

  /// Words of a state: the discrete part (layout), then the zone, if there are clocks.
  [[nodiscard]] std::size_t state_words() const { return layout_.words() + zone_words_; }

  /// The zone of a packed state, out and in.
  void load_zone(const std::uint64_t* state, Bound* zone) const {
    std::memcpy(static_cast<void*>(zone), state + layout_.words(),
                zone_size_ * zone_size_ * sizeof(Bound));
  }
  void store_zone(const Bound* zone, std::uint64_t* state) const {
    state[state_words() - 1] = 0;  // padding
    std::memcpy(state + layout_.words(), zone, zone_size_ * zone_size_ * sizeof(Bound));
  }

  /// What clocks can still be compared with where the processes are in these locations.
  void collect_bounds(std::span<const std::uint32_t> locations, LuBounds& out) const;

  /// The same for telling whether a zone simulates another one: of clocks that drift all values are
  /// told apart.
  void collect_simulation_bounds(std::span<const std::uint32_t> locations, LuBounds& out) const;

  /// Some difference that is compared with something changes while time passes.
  [[nodiscard]] bool has_drift() const { return !bounds_.drifting().empty(); }

  /// A zone need not lie on one side of every diagonal. Also after a step that clocks do not see it
  /// is split then, and pieces are numbered.
  [[nodiscard]] bool splits_again() const {
    return has_drift() || (has_great_numbers_ && !diagonals().empty());
  }

  /// Comparisons of two clocks: zones lie on one side of each; with drift they may lie on both.
  [[nodiscard]] const std::vector<ClockConstraint>& diagonals() const {
    return bounds_.diagonals();
  }

  [[nodiscard]] const CompiledEdge& edge(std::uint32_t index) const { return edges_[index]; }

  [[nodiscard]] const CompiledLocation& location(std::size_t number) const {
    return locations_[number];
  }
  [[nodiscard]] const CompiledLocation& location(std::size_t process, std::uint32_t local) const {
    return locations_[location_number(process, local)];
  }

  /// By which locations can be told apart.
  [[nodiscard]] std::size_t location_number(std::size_t process, std::uint32_t local) const {
    return first_location_[process] + local;
  }

  [[nodiscard]] std::size_t locations() const { return locations_.size(); }

  [[nodiscard]] std::size_t processes() const { return first_location_.size(); }

  [[nodiscard]] std::uint32_t before_update() const { return before_update_; }

  [[nodiscard]] std::uint32_t after_update() const { return after_update_; }

  [[nodiscard]] bool has_hooks() const {
    return before_update_ != CodeBlock::kNone || after_update_ != CodeBlock::kNone;
  }

  [[nodiscard]] bool has_priorities() const { return has_priorities_; }

  [[nodiscard]] bool has_invariants() const { return has_invariants_; }

  /// Clocks may stand still: zones contain more than what can happen.
  [[nodiscard]] bool has_stopwatches() const { return has_stopwatches_; }

  /// Constants are so great, and clocks so many, that differences may leave the range of bounds:
  /// then they are forgotten.
  [[nodiscard]] bool has_great_numbers() const { return has_great_numbers_; }
  void note_forgotten() const { forgot_->store(true, std::memory_order_relaxed); }

  /// Zones may contain, or did contain, more than what can happen: traces have to be confirmed.
  [[nodiscard]] bool zones_exceed() const {
    return has_stopwatches_ || forgot_->load(std::memory_order_relaxed);
  }

  [[nodiscard]] bool has_urgent_channels() const { return has_urgent_channels_; }

  /// Some cell is watched: steps have events.
  [[nodiscard]] bool is_watching() const { return !code_.watched.empty(); }
  /// The bits that steps depend on and may change show all that they do with watched cells: each of
  /// these has some.
  [[nodiscard]] bool shows_watched() const { return shows_watched_; }

  /// Bits of a state, by word, that matter for every step: what hooks read and may change, and,
  /// without clocks, all that invariants depend on.
  [[nodiscard]] std::span<const std::uint64_t> shared_bits() const { return shared_bits_; }

  /// Bits of a state that what happens to clocks there depends on: invariants, whether time passes,
  /// and what clocks can still be compared with. If they are not known, other things matter, too.
  [[nodiscard]] std::span<const StateBits> clock_bits() const { return clock_bits_; }
  [[nodiscard]] bool knows_clock_bits() const { return knows_clock_bits_; }

  /// Bits of a state that tell the locations of all processes.
  [[nodiscard]] std::vector<StateBits> location_bits() const;

  /// Code of a further predicate, by its position in the instrumentation.
  [[nodiscard]] std::uint32_t predicate(std::size_t index) const { return predicates_[index]; }

 private:
  // What one location says of a clock.
  struct KnownBound {
    std::uint32_t clock = 0;
    std::int32_t lower = LuBounds::kNoBound;
    std::int32_t upper = LuBounds::kNoBound;
  };

  void compile_locations(Compiler& compiler);
  void connect_edges();
  void find_dependencies(InvariantUses invariants);
  void find_clock_bits(std::span<const std::vector<std::uint64_t>> offered);
  void list_bounds();
  void find_great_numbers();

  const Network* network_;  // borrowed: outlives the system
  Code code_;
  std::unique_ptr<const NativeCode> native_;  // whose functions the code refers to; or null
  PackedLayout layout_;
  ClockBounds bounds_;
  std::size_t zone_size_ = 1;
  std::size_t zone_words_ = 0;
  // Those of bounds_ that are there, one location after the other: most locations know few clocks.
  std::vector<KnownBound> known_bounds_;
  std::vector<std::uint32_t> first_bound_;  // by location, and behind the last
  std::vector<CompiledEdge> edges_;         // by EdgeId
  std::vector<CompiledLocation> locations_;
  std::vector<std::size_t> first_location_;
  std::uint32_t before_update_ = CodeBlock::kNone;
  std::uint32_t after_update_ = CodeBlock::kNone;
  std::vector<std::uint32_t> predicates_;
  std::vector<std::uint64_t> shared_bits_;
  std::vector<StateBits> clock_bits_;
  bool knows_clock_bits_ = false;
  bool has_priorities_ = false;
  bool has_invariants_ = false;
  bool has_urgent_channels_ = false;
  bool has_stopwatches_ = false;
  bool has_great_numbers_ = false;
  std::unique_ptr<std::atomic<bool>> forgot_;  // generators of several threads note it
  bool shows_watched_ = true;
};

}  // namespace tw
