#include "tests/zone/reference.hpp"

#include <fmt/format.h>
#include <numeric>

namespace tw::test {

std::string print(Bound bound) {
  if (bound.is_infinite())
    return "inf";
  return fmt::format("{}{}", bound.is_strict() ? "<" : "<=", bound.constant());
}

std::string print(const Matrix& zone) {
  std::string out;
  for (std::size_t i = 0; i < zone.size(); ++i) {
    for (std::size_t j = 0; j < zone.size(); ++j)
      out += fmt::format("{:>7}", print(zone(i, j)));
    out += '\n';
  }
  return out;
}

std::string print(const LuBounds& bounds) {
  std::string out;
  for (std::size_t i = 1; i < bounds.lower.size(); ++i)
    out += fmt::format(" L{} = {}, U{} = {};", i, bounds.lower[i], i, bounds.upper[i]);
  return out;
}

bool contains(const Matrix& zone, const Point& point, std::int64_t unit) {
  for (std::size_t i = 0; i < zone.size(); ++i) {
    for (std::size_t j = 0; j < zone.size(); ++j) {
      const Bound bound = zone(i, j);
      if (bound.is_infinite())
        continue;
      const std::int64_t difference = point[i] - point[j];
      const std::int64_t most = bound.constant() * unit;
      if (bound.is_strict() ? difference >= most : difference > most)
        return false;
    }
  }
  return true;
}

bool every_point(std::size_t clocks,
                 std::int64_t step,
                 std::int64_t most,
                 const std::function<bool(const Point&)>& holds) {
  Point point(clocks + 1);
  while (true) {
    if (!holds(point))
      return false;
    std::size_t i = 1;
    while (i <= clocks && point[i] + step > most)
      point[i++] = 0;
    if (i > clocks)
      return true;
    point[i] += step;
  }
}

Graph::Graph(const Matrix& zone, std::size_t more) : Graph(zone.size() + more) {
  for (std::size_t i = 0; i < zone.size(); ++i)
    for (std::size_t j = 0; j < zone.size(); ++j)
      add(i, j, zone(i, j));
}

void Graph::add(std::size_t i, std::size_t j, std::int64_t c, bool strict) {
  std::optional<Weight>& old = weight(i, j);
  if (!old || c < old->constant || (c == old->constant && strict))
    old = Weight{.constant = c, .strict = strict};
}

void Graph::add(std::size_t i, std::size_t j, Bound bound) {
  if (!bound.is_infinite())
    add(i, j, bound.constant(), bound.is_strict());
}

void Graph::add_equal(std::size_t i, std::size_t j, std::int64_t c) {
  add(i, j, c, false);
  add(j, i, -c, false);
}

// True: the way through k is tighter.
bool Graph::relax(std::size_t i, std::size_t k, std::size_t j) {
  if (!weight(i, k) || !weight(k, j))
    return false;
  const Weight a = *weight(i, k);
  const Weight b = *weight(k, j);
  const std::optional<Weight> old = weight(i, j);
  add(i, j, a.constant + b.constant, a.strict || b.strict);
  return !old || old->constant != weight(i, j)->constant || old->strict != weight(i, j)->strict;
}

bool Graph::close() {
  for (std::size_t i = 0; i < n_; ++i)
    add(i, i, 0, false);
  // Round a circle below 0 the weights would grow without end.
  const auto is_below_zero = [&](std::size_t i) {
    return weight(i, i)->constant < 0 || weight(i, i)->strict;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        for (std::size_t k = 0; k < n_; ++k)
          changed = relax(i, k, j) || changed;
        if (is_below_zero(i))
          return false;
      }
    }
  }
  return true;
}

Matrix Graph::matrix(const std::vector<std::size_t>& nodes) const {
  Matrix out(nodes.size() - 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      const std::optional<Weight>& w = weight(nodes[i], nodes[j]);
      if (!w) {
        out(i, j) = Bound::infinity();
        continue;
      }
      const auto c = static_cast<std::int32_t>(w->constant);
      out(i, j) = w->strict ? Bound::less_than(c) : Bound::at_most(c);
    }
  }
  return out;
}

Matrix Graph::matrix() const {
  std::vector<std::size_t> nodes(n_);
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  return matrix(nodes);
}

// Every choice of one of the three ways for each clock is a box; is one of them met by the zone?
bool is_simulated(const Point& point,
                  std::int64_t unit,
                  const Matrix& zone,
                  const LuBounds& bounds) {
  const std::size_t n = zone.size();
  std::size_t choices = 1;
  for (std::size_t i = 1; i < n; ++i)
    choices *= 3;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    Graph graph(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (!zone(i, j).is_infinite())
          graph.add(i, j, zone(i, j).constant() * unit, zone(i, j).is_strict());
    bool possible = true;
    std::size_t ways = choice;
    for (std::size_t i = 1; i < n; ++i, ways /= 3) {
      if (ways % 3 == 0) {
        graph.add_equal(i, 0, point[i]);
      } else if (ways % 3 == 1) {
        graph.add(i, 0, point[i], true);
        if (bounds.lower[i] != LuBounds::kNoBound)
          graph.add(0, i, -bounds.lower[i] * unit, true);
      } else {
        graph.add(0, i, -point[i], true);
        possible = possible &&
                   (bounds.upper[i] == LuBounds::kNoBound || point[i] > bounds.upper[i] * unit);
      }
    }
    if (possible && graph.close())
      return true;
  }
  return false;
}

ClockConstraint Random::constraint(std::size_t clocks, std::int32_t most) {
  const std::size_t i = index(0, clocks);
  const std::size_t j = (i + index(1, clocks)) % (clocks + 1);
  return {.i = static_cast<std::uint32_t>(i),
          .j = static_cast<std::uint32_t>(j),
          .bound = bound(-most, most)};
}

Matrix Random::constrained_zone(std::size_t clocks, std::int32_t most) {
  Graph graph(Matrix{clocks});
  for (std::size_t count = index(0, 3 * clocks); count > 0; --count) {
    const ClockConstraint c = constraint(clocks, most);
    Graph tighter = graph;
    tighter.add(c.i, c.j, c.bound);
    if (tighter.close())
      graph = tighter;
  }
  graph.close();
  return graph.matrix();
}

// As searches make them: guards, resets and delays from the beginning on.
Matrix Random::reached_zone(std::size_t clocks, std::int32_t most) {
  Matrix out(clocks);
  out.view().set_zero();
  for (std::size_t count = index(1, 3 * clocks); count > 0; --count) {
    switch (index(0, 3)) {
      case 0:
        out.view().up();
        break;
      case 1:
        out.view().set(index(1, clocks), number(0, chance(50) ? 0 : most));
        break;
      default: {
        ClockConstraint c = constraint(clocks, most);
        if (chance(70))
          (chance(50) ? c.i : c.j) = 0;
        Matrix tighter = out;
        if (c.i != c.j && tighter.view().constrain(c))
          out = tighter;
      }
    }
  }
  return out;
}

Matrix Random::zone(std::size_t clocks, std::int32_t most) {
  return chance(50) ? constrained_zone(clocks, most) : reached_zone(clocks, most);
}

LuBounds Random::lu_bounds(std::size_t clocks, std::int32_t most) {
  // Whatever is said of clock 0 must not matter.
  LuBounds out{.lower = {number(LuBounds::kNoBound, most)},
               .upper = {number(LuBounds::kNoBound, most)}};
  for (std::size_t i = 0; i < clocks; ++i) {
    out.lower.push_back(number(LuBounds::kNoBound, most));
    out.upper.push_back(number(LuBounds::kNoBound, most));
  }
  return out;
}

}  // namespace tw::test
