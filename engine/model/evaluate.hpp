// Evaluates what must be known before anything runs: array sizes, ranges, initial values, arguments
// of templates. A plain walk over the tree, including functions (which may loop, so steps are
// counted); it reads constants only and needs no memory layout.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/model/ids.hpp"
#include "engine/model/network.hpp"
#include "engine/model/run_status.hpp"

namespace tw {

/// The value of a discrete expression is one number per cell of its type.
struct EvalResult {
  RunStatus status = RunStatus::kOk;
  ExprId at;  // what failed
  std::vector<std::int32_t> cells;

  [[nodiscard]] bool ok() const { return status == RunStatus::kOk; }

  [[nodiscard]] std::int32_t scalar() const { return cells.front(); }
};

/// Steps all evaluations of a model together may take before they are given up as endless.
inline constexpr std::uint64_t kMaxEvaluationSteps = 20'000'000;

/// How deep calls and expressions may nest together, so that the walk fits into any stack.
inline constexpr std::size_t kMaxEvaluationDepth = 4000;

using CellValues = std::unordered_map<VariableId, std::vector<std::int32_t>>;

/// Known values of constants, and how many steps were spent on computing with them.
struct ConstantValues {
  CellValues values;
  std::uint64_t steps = 0;
};

/// Pre: the expression mentions no prototypes.
[[nodiscard]] EvalResult evaluate(const Network& network,
                                  ConstantValues& constants,
                                  ExprId expression);

/// 0 if the type's range holds it, else the bound nearest to it: what an uninitialised cell starts
/// with.
[[nodiscard]] std::int32_t default_value(const Type& type);

/// default_value of every cell of a type, in layout order.
void append_default_values(const TypeTable& types, TypeId id, std::vector<std::int32_t>& out);

/// Low and high bound of every cell of a type, in layout order.
struct Bounds {
  std::int32_t low = 0;
  std::int32_t high = 0;
};
void append_bounds(const TypeTable& types, TypeId id, std::vector<Bounds>& out);

/// Arithmetic of the language on two numbers of 32 bits; what does not fit wraps.
[[nodiscard]] RunStatus apply_operator(ExprKind op,
                                       std::int64_t a,
                                       std::int64_t b,
                                       std::int64_t& out);

}  // namespace tw
