// The network made ready to run: code for every guard and update, and tables that answer "which
// edges leave here" without searching. Built once per run; read-only afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/events.hpp"
#include "engine/model/network.hpp"
#include "engine/semantics/code.hpp"
#include "engine/semantics/packed_layout.hpp"

namespace tw {

class Compiler;

/// What is to be noticed while running, beyond the states themselves.
struct Instrumentation {
  /// By state or meta cell: produce uses and definitions; shorter means not watched.
  std::vector<bool> watched;
  InvariantUses invariants = InvariantUses::kNone;
  /// Of `conditions`; types, variables and functions are the network's. Borrowed while the system
  /// is built.
  const ExpressionPool* pool = nullptr;
  std::vector<ExprId> conditions;  // further predicates over states
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
  std::vector<std::uint32_t> branches;  // … the edges that leave it
  std::vector<std::uint32_t> writes;    // state cells that the updates may change, ascending
  // Noting code, for when the edge fires: in the source state, and in the new state.
  std::vector<std::uint32_t> source_notes;
  std::uint32_t target_notes = CodeBlock::kNone;
};

struct CompiledLocation {
  bool committed = false;
  std::uint32_t invariant = CodeBlock::kNone;
  std::vector<std::uint32_t> edges;  // all edges that leave, in document order
};

class System {
 public:
  /// Pre: the network has no clocks. It is borrowed and outlives the system.
  explicit System(const Network& network, const Instrumentation& instrumentation = {});

  [[nodiscard]] const Network& network() const { return *network_; }

  [[nodiscard]] const Code& code() const { return code_; }

  [[nodiscard]] const PackedLayout& layout() const { return layout_; }

  [[nodiscard]] const CompiledEdge& edge(std::uint32_t index) const { return edges_[index]; }

  [[nodiscard]] const CompiledLocation& location(std::size_t process, std::uint32_t local) const {
    return locations_[first_location_[process] + local];
  }

  [[nodiscard]] std::size_t processes() const { return first_location_.size(); }

  [[nodiscard]] std::uint32_t before_update() const { return before_update_; }

  [[nodiscard]] std::uint32_t after_update() const { return after_update_; }

  [[nodiscard]] bool has_hooks() const {
    return before_update_ != CodeBlock::kNone || after_update_ != CodeBlock::kNone;
  }

  [[nodiscard]] bool has_priorities() const { return has_priorities_; }

  [[nodiscard]] bool has_invariants() const { return has_invariants_; }

  /// Some cell is watched: steps have events.
  [[nodiscard]] bool is_watching() const { return !code_.watched.empty(); }

  /// Code of a further condition, by its position in the instrumentation.
  [[nodiscard]] std::uint32_t condition(std::size_t index) const { return conditions_[index]; }

 private:
  void compile_locations(Compiler& compiler);
  void connect_edges();

  const Network* network_;  // borrowed: outlives the system
  Code code_;
  PackedLayout layout_;
  std::vector<CompiledEdge> edges_;  // by EdgeId
  std::vector<CompiledLocation> locations_;
  std::vector<std::size_t> first_location_;
  std::uint32_t before_update_ = CodeBlock::kNone;
  std::uint32_t after_update_ = CodeBlock::kNone;
  std::vector<std::uint32_t> conditions_;
  bool has_priorities_ = false;
  bool has_invariants_ = false;
};

}  // namespace tw
