// Extrapolation and simulation against what they mean for points: a point is simulated by another
// if every clock has the same value, or a smaller one that is still above all it will be compared
// with from below, or a greater one where it already is above all it will be compared with from
// above (docs/algorithms.md 3.3, 3.4).

#include <catch2/catch.hpp>

#include "tests/zone/reference.hpp"

namespace tw::test {
namespace {

// No integer bound tells a point from one whose coordinates are multiples of 1/(clocks + 1).
std::int64_t unit_of(std::size_t clocks) { return static_cast<std::int64_t>(clocks) + 1; }

// The greatest number in an entry.
std::int64_t reach(const Matrix& zone) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < zone.size(); ++i)
    for (std::size_t j = 0; j < zone.size(); ++j)
      if (!zone(i, j).is_infinite())
        out = std::max<std::int64_t>(out, std::abs(zone(i, j).constant()));
  return out;
}

// A point of the zone that no point of the other simulates.
std::optional<Point> unsimulated(const Matrix& zone, const Matrix& other, const LuBounds& bounds) {
  const std::size_t clocks = zone.size() - 1;
  const std::int64_t unit = unit_of(clocks);
  std::int64_t most = std::max(reach(zone), reach(other));
  for (const std::int32_t c : bounds.lower)
    most = std::max<std::int64_t>(most, c);
  for (const std::int32_t c : bounds.upper)
    most = std::max<std::int64_t>(most, c);
  // Sorted by value, coordinates further apart than any number that is compared are alike, so they
  // need not be further apart than one more.
  const std::int64_t box = static_cast<std::int64_t>(clocks) * (most + 1) * unit;
  std::optional<Point> out;
  every_point(clocks, 1, box, [&](const Point& point) {
    if (contains(zone, point, unit) && !contains(other, point, unit) &&
        !is_simulated(point, unit, other, bounds))
      out = point;
    return !out;
  });
  return out;
}

// The points of the other zone are tried one by one, as fine as needed: the point adds its own
// coordinates, in thirds, to the integers that differences are compared with.
bool is_simulated_by_search(const Point& point,
                            std::int64_t unit,
                            const Matrix& zone,
                            const LuBounds& bounds) {
  const std::int64_t fine = unit_of(zone.size() - 1);
  return !every_point(zone.size() - 1, 1, 14 * unit * fine, [&](const Point& candidate) {
    for (std::size_t i = 1; i < zone.size(); ++i) {
      const std::int64_t mine = point[i] * fine;
      const std::int64_t theirs = candidate[i];
      const bool alike = theirs == mine ||
                         (bounds.lower[i] * unit * fine < theirs && theirs < mine) ||
                         (bounds.upper[i] * unit * fine < mine && mine < theirs);
      if (!alike)
        return true;
    }
    return !contains(zone, candidate, unit * fine);
  });
}

TEST_CASE("the reference of simulation agrees with trying all points", "[zone]") {
  std::size_t simulated = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Matrix zone = random.zone(2, 2);
    const LuBounds bounds = random.lu_bounds(2, 3);
    const std::int64_t unit = unit_of(2);
    const Point point = {0, random.number(0, 15), random.number(0, 15)};
    INFO("seed " << seed << "\n" << print(zone) << print(bounds));
    const bool found = is_simulated_by_search(point, unit, zone, bounds);
    REQUIRE(is_simulated(point, unit, zone, bounds) == found);
    simulated += found ? 1U : 0U;
  }
  CHECK(simulated > 50);
  CHECK(simulated < 350);
}

void compare_with_points(std::size_t clocks, std::int32_t most, std::uint32_t pairs) {
  std::size_t simulated = 0;
  std::size_t included = 0;
  for (std::uint32_t seed = 0; seed < pairs; ++seed) {
    Random random(seed);
    Matrix zone = random.zone(clocks, most);
    Matrix other = random.zone(clocks, most);
    if (random.chance(30) && !other.view().constrain(random.constraint(clocks, most)))
      continue;
    const LuBounds bounds = random.lu_bounds(clocks, most);
    INFO("seed " << seed << "\n" << print(zone) << "other\n" << print(other) << print(bounds));
    const bool result = zone.view().is_simulated_by(other.view(), bounds);
    const std::optional<Point> left = unsimulated(zone, other, bounds);
    INFO("not simulated " << (left ? Catch::Detail::stringify(*left) : "none"));
    REQUIRE(result == !left);
    simulated += result ? 1U : 0U;
    included += other.view().includes(zone.view()) ? 1U : 0U;
  }
  // Not only what inclusion would have found, and not all.
  CHECK(simulated > included + pairs / 20);
  CHECK(simulated < pairs * 9 / 10);
}

TEST_CASE("a zone is simulated by another if every point is: 1 clock", "[zone]") {
  compare_with_points(1, 4, 3'000);
}
TEST_CASE("a zone is simulated by another if every point is: 2 clocks", "[zone]") {
  compare_with_points(2, 3, 4'000);
}
TEST_CASE("a zone is simulated by another if every point is: 3 clocks", "[zone]") {
  compare_with_points(3, 1, 100);
}

TEST_CASE("extrapolation adds simulated points only", "[zone]") {
  for (std::uint32_t seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    const std::size_t clocks = seed % 200 == 0 ? 3 : 1 + seed % 2;
    const std::int32_t most = clocks == 3 ? 1 : 3;
    Matrix zone = random.zone(clocks, most);
    const LuBounds bounds = random.lu_bounds(clocks, most);
    Matrix result = zone;
    result.view().extrapolate(bounds);
    INFO("seed " << seed << "\n" << print(zone) << "result\n" << print(result) << print(bounds));
    REQUIRE(result.view().includes(zone.view()));
    const std::optional<Point> left = unsimulated(result, zone, bounds);
    INFO("not simulated " << (left ? Catch::Detail::stringify(*left) : "none"));
    REQUIRE_FALSE(left);
  }
}

// The definition of Extra+LU, closed by relaxing. A clock is above a constant if all its values
// are.
Matrix extrapolated(const Matrix& zone, const LuBounds& bounds) {
  const auto is_above = [&](std::size_t i, std::int32_t c) {
    if (c == LuBounds::kNoBound)
      return true;
    const Bound least = zone(0, i);
    return -least.constant() > c || (-least.constant() == c && least.is_strict());
  };
  Graph graph(zone);
  for (std::size_t i = 0; i < zone.size(); ++i) {
    for (std::size_t j = 0; j < zone.size(); ++j) {
      if (i == j)
        continue;
      const bool j_above = j != 0 && is_above(j, bounds.upper[j]);
      if (i == 0 && j_above) {
        graph.forget(i, j);
        graph.add(i, j, 0, false);
        if (bounds.upper[j] != LuBounds::kNoBound)
          graph.add(i, j, -bounds.upper[j], true);
      } else if (i != 0 && (j_above || is_above(i, bounds.lower[i]) ||
                            zone(i, j).constant() > bounds.lower[i])) {
        graph.forget(i, j);
      }
    }
  }
  REQUIRE(graph.close());
  return graph.matrix();
}

TEST_CASE("extrapolation is Extra+LU", "[zone]") {
  for (std::uint32_t seed = 0; seed < 3'000; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 9);
    const std::int32_t most = random.number(1, 20);
    const Matrix zone = random.zone(clocks, most);
    const LuBounds bounds = random.lu_bounds(clocks, random.number(0, 2 * most));
    Matrix result = zone;
    result.view().extrapolate(bounds);
    INFO("seed " << seed << "\n" << print(zone) << "result\n" << print(result) << print(bounds));
    REQUIRE(result == extrapolated(zone, bounds));
  }
}

}  // namespace
}  // namespace tw::test
