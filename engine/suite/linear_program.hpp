// Linear programs in exact arithmetic: the simplex method in dictionary form with Bland's rule,
// which never cycles. Small and dense is all that tests with stopwatches need
// (docs/algorithms.md 7.4).
#pragma once

#include <optional>
#include <vector>

#include "engine/base/rational.hpp"

namespace tw {

/// Maximise objective · x where rows · x <= limits and x >= 0.
struct LinearProgram {
  std::vector<std::vector<Rational>> rows;
  std::vector<Rational> limits;
  std::vector<Rational> objective;
};

struct LinearSolution {
  bool bounded = true;  // else x is some solution, and there are ever better ones
  std::vector<Rational> x;
  Rational value;
};

/// Nullopt: no x fits.
[[nodiscard]] std::optional<LinearSolution> solve(const LinearProgram& program);

}  // namespace tw
