#include "engine/suite/linear_program.hpp"

#include <cassert>
#include <cstddef>

namespace tw {
namespace {

// basic[i] = limits[i] - Σ rows[i][j] · free[j]; the objective is value + Σ gains[j] · free[j].
class Dictionary {
 public:
  // The last variable is an artificial one that relaxes all rows, for finding a first solution.
  explicit Dictionary(const LinearProgram& program)
      : rows_(program.rows),
        limits_(program.limits),
        variables_(program.objective.size()) {
    for (std::vector<Rational>& row : rows_)
      row.emplace_back(-1);
    for (std::size_t j = 0; j <= variables_; ++j)
      free_.push_back(j == variables_ ? artificial() : j);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      basic_.push_back(variables_ + i);
  }

  // Makes all limits non-negative; false: impossible.
  bool find_first() {
    std::size_t worst = rows_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (limits_[i] < 0 && (worst == rows_.size() || limits_[i] < limits_[worst]))
        worst = i;
    if (worst != rows_.size()) {
      gains_.assign(variables_ + 1, Rational(0));
      gains_.back() = -1;
      value_ = 0;
      pivot(worst, variables_);
      [[maybe_unused]] const bool bounded = climb();
      assert(bounded && "the artificial variable is not negative");
      if (value_ != 0)
        return false;
      // It may still be basic, at zero: any free variable of its row takes its place.
      for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t j = 0; basic_[i] == artificial() && j < free_.size(); ++j)
          if (rows_[i][j] != 0)
            pivot(i, j);
    }
    drop_artificial();
    return true;
  }

  void set_objective(const std::vector<Rational>& objective) {
    value_ = 0;
    gains_.assign(free_.size(), Rational(0));
    for (std::size_t j = 0; j < free_.size(); ++j)
      if (free_[j] < variables_)
        gains_[j] += objective[free_[j]];
    for (std::size_t i = 0; i < basic_.size(); ++i) {
      if (basic_[i] >= variables_)
        continue;
      const Rational& gain = objective[basic_[i]];
      value_ += gain * limits_[i];
      for (std::size_t j = 0; j < free_.size(); ++j)
        gains_[j] -= gain * rows_[i][j];
    }
  }

  // To the optimum; false: there is none.
  bool climb() {
    for (;;) {
      std::size_t enter = free_.size();
      for (std::size_t j = 0; j < free_.size(); ++j)
        if (gains_[j] > 0 && (enter == free_.size() || free_[j] < free_[enter]))
          enter = j;
      if (enter == free_.size())
        return true;
      std::size_t leave = rows_.size();
      Rational least;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i][enter] <= 0)
          continue;
        const Rational most = limits_[i] / rows_[i][enter];
        if (leave == rows_.size() || most < least || (most == least && basic_[i] < basic_[leave])) {
          leave = i;
          least = most;
        }
      }
      if (leave == rows_.size())
        return false;
      pivot(leave, enter);
    }
  }

  [[nodiscard]] LinearSolution solution() const {
    LinearSolution out{.x = std::vector<Rational>(variables_), .value = value_};
    for (std::size_t i = 0; i < basic_.size(); ++i)
      if (basic_[i] < variables_)
        out.x[basic_[i]] = limits_[i];
    return out;
  }

 private:
  [[nodiscard]] std::size_t artificial() const { return variables_ + rows_.size(); }

  void drop_artificial() {
    for (std::size_t j = 0; j < free_.size(); ++j) {
      if (free_[j] != artificial())
        continue;
      const auto at = static_cast<std::ptrdiff_t>(j);
      for (std::vector<Rational>& row : rows_)
        row.erase(row.begin() + at);
      free_.erase(free_.begin() + at);
      return;
    }
  }

  // The basic variable of a row and a free one change places.
  void pivot(std::size_t i, std::size_t j) {
    const Rational by = rows_[i][j];
    for (Rational& entry : rows_[i])
      entry /= by;
    rows_[i][j] = 1 / by;
    limits_[i] /= by;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Rational factor = rows_[k][j];
      if (k == i || factor == 0)
        continue;
      for (std::size_t l = 0; l < rows_[k].size(); ++l)
        rows_[k][l] =
            l == j ? Rational(-factor * rows_[i][l]) : Rational(rows_[k][l] - factor * rows_[i][l]);
      limits_[k] -= factor * limits_[i];
    }
    const Rational gain = gains_[j];
    value_ += gain * limits_[i];
    for (std::size_t l = 0; l < gains_.size(); ++l)
      gains_[l] = l == j ? Rational(-gain * rows_[i][l]) : Rational(gains_[l] - gain * rows_[i][l]);
    std::swap(basic_[i], free_[j]);
  }

  std::vector<std::vector<Rational>> rows_;
  std::vector<Rational> limits_;
  std::vector<Rational> gains_;
  Rational value_;
  std::size_t variables_;
  std::vector<std::size_t> free_;   // numbers of variables; those from variables_ on are slack
  std::vector<std::size_t> basic_;  // by row
};

}  // namespace

std::optional<LinearSolution> solve(const LinearProgram& program) {
  Dictionary dictionary(program);
  if (!dictionary.find_first())
    return std::nullopt;
  dictionary.set_objective(program.objective);
  const bool bounded = dictionary.climb();
  LinearSolution out = dictionary.solution();
  out.bounded = bounded;
  return out;
}

}  // namespace tw
