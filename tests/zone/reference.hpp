// Zones the slow and obvious way, twice. Points: a zone is what it contains, asked point by point
// on a grid. Graphs: a zone is what its constraints imply, found by relaxing until nothing changes;
// an operation adds a node for what is new and forgets the one for what is old. Neither shares code
// with engine/zone, nor the way it packs bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/zone/dbm.hpp"

namespace tw::test {

/// A matrix whose entries may be written, closed or not.
class Matrix {
 public:
  explicit Matrix(std::size_t clocks) : bounds_((clocks + 1) * (clocks + 1)), n_(clocks + 1) {
    view().set_universe();
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] Bound& operator()(std::size_t i, std::size_t j) { return bounds_[i * n_ + j]; }
  [[nodiscard]] Bound operator()(std::size_t i, std::size_t j) const { return bounds_[i * n_ + j]; }
  [[nodiscard]] ZoneView view() { return {bounds_.data(), n_}; }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::vector<Bound> bounds_;
  std::size_t n_;
};

[[nodiscard]] std::string print(Bound bound);
[[nodiscard]] std::string print(const Matrix& zone);
[[nodiscard]] std::string print(const LuBounds& bounds);

/// By clock, in fractions of one; clock 0 is 0.
using Point = std::vector<std::int64_t>;

/// Does the point, in parts of 1/unit, meet all constraints?
[[nodiscard]] bool contains(const Matrix& zone, const Point& point, std::int64_t unit);

/// All points with coordinates 0, step, 2 step ... most, until the function says false. False: it
/// did.
bool every_point(std::size_t clocks,
                 std::int64_t step,
                 std::int64_t most,
                 const std::function<bool(const Point&)>& holds);

/// Difference constraints between nodes.
class Graph {
 public:
  explicit Graph(std::size_t nodes) : weights_(nodes * nodes), n_(nodes) {}
  /// Nodes are the clocks; `more` nodes are free.
  explicit Graph(const Matrix& zone, std::size_t more = 0);

  /// Node i minus node j is at most, or less than, c.
  void add(std::size_t i, std::size_t j, std::int64_t c, bool strict);
  void add(std::size_t i, std::size_t j, Bound bound);
  /// Node i minus node j is c.
  void add_equal(std::size_t i, std::size_t j, std::int64_t c);
  void forget(std::size_t i, std::size_t j) { weight(i, j).reset(); }

  /// False: nothing meets all constraints.
  bool close();

  /// What the constraints say of these nodes, as clocks 0, 1 ... Pre: closed.
  [[nodiscard]] Matrix matrix(const std::vector<std::size_t>& nodes) const;
  [[nodiscard]] Matrix matrix() const;

 private:
  struct Weight {
    std::int64_t constant;
    bool strict;
  };
  [[nodiscard]] std::optional<Weight>& weight(std::size_t i, std::size_t j) {
    return weights_[i * n_ + j];
  }
  [[nodiscard]] const std::optional<Weight>& weight(std::size_t i, std::size_t j) const {
    return weights_[i * n_ + j];
  }
  bool relax(std::size_t i, std::size_t k, std::size_t j);

  std::vector<std::optional<Weight>> weights_;
  std::size_t n_;
};

/// Is there a point of the zone that can do whatever this one can, as far as comparisons within the
/// bounds tell? For every clock: the same value, or a smaller one above all lower bounds, or a
/// greater one where already this one is above all upper bounds.
[[nodiscard]] bool is_simulated(const Point& point,
                                std::int64_t unit,
                                const Matrix& zone,
                                const LuBounds& bounds);

/// What the seed makes: random choices.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  /// From first to last, both included.
  std::int32_t number(std::int32_t first, std::int32_t last) {
    // The distributions of the standard library differ from one to the next.
    return first +
           static_cast<std::int32_t>(engine_() % static_cast<std::uint32_t>(last - first + 1));
  }
  std::size_t index(std::size_t first, std::size_t last) {
    return first + engine_() % (last - first + 1);
  }
  bool chance(std::int32_t percent) { return number(1, 100) <= percent; }

  Bound bound(std::int32_t first, std::int32_t last) {
    const std::int32_t c = number(first, last);
    return chance(50) ? Bound::at_most(c) : Bound::less_than(c);
  }
  /// Between two different clocks, 0 included. Pre: there is a clock.
  ClockConstraint constraint(std::size_t clocks, std::int32_t most);
  /// A closed zone that is not empty, of constraints up to the constant.
  Matrix zone(std::size_t clocks, std::int32_t most);
  LuBounds lu_bounds(std::size_t clocks, std::int32_t most);

 private:
  Matrix constrained_zone(std::size_t clocks, std::int32_t most);
  Matrix reached_zone(std::size_t clocks, std::int32_t most);

  std::mt19937 engine_;
};

}  // namespace tw::test
