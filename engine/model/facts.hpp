// What can be read off an edge without running it: which variables it defines and uses, its
// decision and clauses, the clocks it tests and resets and against which constants. Computed once,
// when the network is frozen; criteria, extrapolation and slicing all start from here.
//
// The facts are static over-approximations: `a[i] = 1` may define every cell of `a`, a call what
// any path of the body writes. What a step really did is an event of the semantics.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/expression.hpp"
#include "engine/model/ids.hpp"

namespace tw {

struct Network;

/// The cells (or clocks) an expression may touch: `count` from `first` on, of one variable.
struct PlaceRange {
  VariableId variable;
  bool is_clock = false;
  std::uint32_t first = 0;  // CellId or ClockId, as is_clock says
  std::uint32_t count = 0;

  friend bool operator==(const PlaceRange&, const PlaceRange&) = default;
};

enum class UseKind : std::uint8_t {
  kPredicate,    // guard, sync index, select range
  kComputation,  // right-hand sides, indices on the left, arguments
};

struct Use {
  PlaceRange place;
  UseKind kind = UseKind::kComputation;
  ExprId at;  // the expression that reads
};

struct Definition {
  PlaceRange place;
  ExprId at;  // the expression that writes
};

/// A comparison with a clock: `x ~ bound`, `x - y ~ bound`.
struct ClockTest {
  PlaceRange clock;
  PlaceRange minus;                     // count 0: no second clock
  ExprKind relation = ExprKind::kLess;  // as seen from `clock`, on the left
  std::int64_t low = 0;                 // least and greatest value the bound can take
  std::int64_t high = 0;
  ExprId at;
};

/// What a function may touch besides its own frame.
struct FunctionFacts {
  std::vector<Use> uses;
  std::vector<Definition> definitions;
  std::vector<bool> reads_parameter;  // by position; only references count as writes
  std::vector<bool> writes_parameter;
};

struct EdgeFacts {
  std::vector<Use> uses;  // in order of evaluation: guard, channel, updates
  std::vector<Definition> definitions;
  std::vector<ExprId> clauses;         // of the guard: maximal parts without && || ! imply xor
  std::vector<ClockTest> clock_tests;  // of the guard
  std::vector<FunctionId> calls;       // direct calls, each once
};

/// Least and greatest value an integer expression can have, from the ranges of what it reads.
struct Interval {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

[[nodiscard]] Interval interval_of(const Network& network, ExprId id);

/// `&& || ! imply xor`, and `^` of truth values: what decisions are made of.
[[nodiscard]] bool is_connective(const Network& network, ExprId id);

/// The clauses of a decision, left to right; equal clauses are not merged.
[[nodiscard]] std::vector<ExprId> clauses_of(const Network& network, ExprId decision);

/// The comparisons with clocks inside a guard or invariant; one for every clock that `c ? x : y`
/// may be.
[[nodiscard]] std::vector<ClockTest> clock_tests_of(const Network& network, ExprId constraint);

/// The same for an expression of another pool about the network's variables.
[[nodiscard]] std::vector<ClockTest> clock_tests_of(const Network& network,
                                                    const ExpressionPool& pool,
                                                    ExprId constraint);

/// Uses and definitions of an expression, in order of evaluation; calls are included by their
/// facts.
struct Accesses {
  std::vector<Use> uses;
  std::vector<Definition> definitions;
};

[[nodiscard]] Accesses accesses_of(const Network& network, ExprId expression, UseKind kind);

/// Fills the facts of all functions and edges; false, with some missing, if the edges have more
/// than this many uses and definitions together.
[[nodiscard]] bool compute_facts(Network& network, std::uint64_t most_accesses);

}  // namespace tw
