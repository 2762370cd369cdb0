// Every operation on zones against both references: point by point for up to three clocks, and
// entry by entry against graphs for more clocks and for constants as great as they get.

#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "tests/zone/reference.hpp"

namespace tw::test {
namespace {

// Points are multiples of a quarter: with up to three clocks, all sets of points that no integer
// bound tells apart have one. What an operation forgets is looked for in eighths, since it may lie
// strictly between quarters.
constexpr std::int64_t kUnit = 8;
constexpr std::int64_t kStep = 2;

struct Scale {
  std::size_t clocks;
  std::int32_t most;     // constants of constraints
  std::int64_t box;      // points go this far
  std::uint32_t zones;   // how many
  std::int32_t percent;  // of the points outside that are looked at
};

constexpr Scale kScales[] = {{.clocks = 1, .most = 4, .box = 6, .zones = 300, .percent = 100},
                             {.clocks = 2, .most = 3, .box = 7, .zones = 100, .percent = 30},
                             {.clocks = 3, .most = 2, .box = 5, .zones = 12, .percent = 2}};

Point with(Point point, std::size_t i, std::int64_t value) {
  point[i] = value;
  return point;
}

Point earlier(Point point, std::int64_t delay) {
  for (std::size_t i = 1; i < point.size(); ++i)
    point[i] -= delay;
  return point;
}

// Is there a value of clock i with which the point is in the zone?
bool with_some(const Matrix& zone, const Point& point, std::size_t i, const Scale& scale) {
  const std::int64_t far = (2 * scale.box + 2) * kUnit;
  for (std::int64_t value = 0; value <= far; ++value)
    if (contains(zone, with(point, i, value), kUnit))
      return true;
  return false;
}

bool is_closed(const Matrix& zone) {
  Graph graph(zone);
  return graph.close() && graph.matrix() == zone;
}

// The zone holds the points it should, and its entries are as tight as can be.
void expect_points(const Matrix& zone,
                   const Scale& scale,
                   Random& random,
                   const std::function<bool(const Point&)>& belongs) {
  INFO("result\n" << print(zone));
  REQUIRE(is_closed(zone));
  every_point(scale.clocks, kStep, scale.box * kUnit, [&](const Point& point) {
    const bool held = contains(zone, point, kUnit);
    if ((held || random.chance(scale.percent)) && held != belongs(point))
      FAIL((held ? "holds " : "does not hold ") << Catch::Detail::stringify(point));
    return true;
  });
}

template <typename Check>
void for_random_zones(const Check& check) {
  for (const Scale& scale : kScales) {
    for (std::uint32_t seed = 0; seed < scale.zones; ++seed) {
      Random random(seed);
      const Matrix zone = random.zone(scale.clocks, scale.most);
      INFO(scale.clocks << " clocks, seed " << seed << "\n" << print(zone));
      REQUIRE(is_closed(zone));
      check(zone, scale, random);
    }
  }
}

TEST_CASE("constrain leaves the points that meet the constraint", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    for (int i = 0; i < 3; ++i) {
      const ClockConstraint c = random.constraint(scale.clocks, scale.most);
      INFO("x" << c.i << " - x" << c.j << print(c.bound));
      Matrix alone(scale.clocks);
      alone(c.i, c.j) = c.bound;
      bool some = false;
      bool all = true;
      every_point(scale.clocks, kStep, (scale.box + 3) * kUnit, [&](const Point& point) {
        if (contains(zone, point, kUnit))
          (contains(alone, point, kUnit) ? some : all) = contains(alone, point, kUnit);
        return true;
      });
      Matrix result = zone;
      const bool left = result.view().constrain(c);
      CHECK(left == some);
      Matrix same = zone;
      CHECK(same.view().can_hold(c) == some);
      CHECK(same.view().implies(c) == all);
      if (left)
        expect_points(result, scale, random, [&](const Point& point) {
          return contains(zone, point, kUnit) && contains(alone, point, kUnit);
        });
    }
  });
}

TEST_CASE("a constraint or its negation holds, not both", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    const ClockConstraint c = random.constraint(scale.clocks, scale.most);
    Matrix holds = zone;
    Matrix fails = zone;
    const bool can_hold = holds.view().constrain(c);
    const bool can_fail = fails.view().constrain(c.negated());
    CHECK((can_hold || can_fail));
    CHECK(c.negated().negated() == c);
    every_point(scale.clocks, kStep, scale.box * kUnit, [&](const Point& point) {
      const bool in_one = can_hold && contains(holds, point, kUnit);
      const bool in_other = can_fail && contains(fails, point, kUnit);
      if (contains(zone, point, kUnit) ? in_one == in_other : in_one || in_other)
        FAIL(Catch::Detail::stringify(point));
      return true;
    });
  });
}

TEST_CASE("up adds what comes later", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    Matrix result = zone;
    result.view().up();
    expect_points(result, scale, random, [&](const Point& point) {
      const std::int64_t oldest = *std::min_element(point.begin() + 1, point.end());
      for (std::int64_t delay = 0; delay <= oldest; ++delay)
        if (contains(zone, earlier(point, delay), kUnit))
          return true;
      return false;
    });
  });
}

// What is reached need not be a zone: the result must hold it, and no entry may be tighter.
TEST_CASE("up with stopped clocks is the smallest zone around what comes later", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    std::vector<bool> stopped(scale.clocks + 1);
    for (std::size_t i = 1; i <= scale.clocks; ++i)
      stopped[i] = random.chance(50);
    Matrix result = zone;
    result.view().up(stopped);
    INFO("stopped " << Catch::Detail::stringify(stopped) << "\n" << print(result));
    CHECK(is_closed(result));
    const std::size_t n = scale.clocks + 1;
    const std::int64_t box = 2 * scale.box * kUnit;
    const std::int64_t far = 2 * box;
    std::vector<std::int64_t> greatest(n * n, -far);  // differences of points reached
    every_point(scale.clocks, kStep, box, [&](const Point& point) {
      if (!contains(zone, point, kUnit))
        return true;
      for (const std::int64_t delay : {std::int64_t{0}, std::int64_t{1}, kUnit, far}) {
        Point later = point;
        for (std::size_t i = 1; i < n; ++i)
          later[i] += stopped[i] ? 0 : delay;
        if (!contains(result, later, kUnit))
          FAIL("lost " << Catch::Detail::stringify(later));
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            greatest[i * n + j] = std::max(greatest[i * n + j], later[i] - later[j]);
      }
      return true;
    });
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        INFO("entry " << i << ", " << j);
        const Bound bound = result(i, j);
        if (bound.is_infinite())
          CHECK(greatest[i * n + j] > box / 2);
        else if (bound.is_strict())
          CHECK(greatest[i * n + j] > (bound.constant() - 1) * kUnit);
        else
          CHECK(greatest[i * n + j] == bound.constant() * kUnit);
      }
    }
    if (std::ranges::count(stopped, true) == 0) {
      Matrix all_run = zone;
      all_run.view().up();
      CHECK(result == all_run);
    }
  });
}

TEST_CASE("set forgets the old value of a clock", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    const std::size_t i = random.index(1, scale.clocks);
    const std::int32_t value = random.number(0, scale.most);
    INFO("x" << i << " = " << value);
    Matrix result = zone;
    result.view().set(i, value);
    expect_points(result, scale, random, [&](const Point& point) {
      return point[i] == value * kUnit && with_some(zone, point, i, scale);
    });
  });
}

TEST_CASE("set_to copies and shifts values", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    const std::size_t i = random.index(1, scale.clocks);
    const std::size_t j = random.index(0, scale.clocks);
    const Bound least = zone(0, j);  // minus the least value of j
    const std::int32_t offset = random.number(least.constant(), scale.most);
    INFO("x" << i << " = x" << j << " + " << offset);
    Matrix result = zone;
    result.view().set_to(i, j, offset);
    expect_points(result, scale, random, [&](const Point& point) {
      if (i == j)
        return contains(zone, with(point, i, point[i] - offset * kUnit), kUnit);
      return point[i] == point[j] + offset * kUnit && with_some(zone, point, i, scale);
    });
  });
}

TEST_CASE("free forgets a clock", "[zone]") {
  for_random_zones([](const Matrix& zone, const Scale& scale, Random& random) {
    const std::size_t i = random.index(1, scale.clocks);
    Matrix result = zone;
    result.view().free(i);
    expect_points(result, scale, random,
                  [&](const Point& point) { return with_some(zone, point, i, scale); });
  });
}

TEST_CASE("a zone includes another if it has all its points", "[zone]") {
  std::size_t included = 0;
  for_random_zones([&](const Matrix& zone, const Scale& scale, Random& random) {
    for (int i = 0; i < 10; ++i) {
      Matrix other = i % 2 == 0 ? random.zone(scale.clocks, scale.most) : zone;
      if (i % 2 == 1 && !other.view().constrain(random.constraint(scale.clocks, scale.most)))
        continue;
      Matrix mine = zone;
      const auto has = [&](const Matrix& big, const Matrix& small) {
        return every_point(scale.clocks, kStep, (scale.box + 3) * kUnit, [&](const Point& point) {
          return !contains(small, point, kUnit) || contains(big, point, kUnit);
        });
      };
      INFO(print(other));
      CHECK(mine.view().includes(other.view()) == has(mine, other));
      CHECK(other.view().includes(mine.view()) == has(other, mine));
      included += mine.view().includes(other.view()) ? 1U : 0U;
    }
  });
  CHECK(included > 500);
}

// Entries of all sizes, most of them not tight; every second matrix is empty.
TEST_CASE("close finds what the entries imply, or that nothing is left", "[zone]") {
  std::size_t empty = 0;
  for (std::uint32_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 9);
    Matrix zone(clocks);
    const std::int32_t percent = random.number(5, 100);
    const std::int32_t least = random.number(-6, 0);
    for (std::size_t i = 0; i <= clocks; ++i)
      for (std::size_t j = 0; j <= clocks; ++j)
        if (i != j && random.chance(percent))
          zone(i, j) = random.bound(least, i == 0 ? 0 : 9);
    INFO("seed " << seed << "\n" << print(zone));
    Graph graph(zone);
    const bool left = graph.close();
    Matrix result = zone;
    REQUIRE(result.view().close() == left);
    if (left)
      REQUIRE(result == graph.matrix());
    empty += left ? 0U : 1U;
  }
  CHECK(empty > 500);
  CHECK(empty < 1'500);
}

// As above, with a node of its own for what is new.
void compare_with_graphs(const Matrix& zone, Random& random, std::int32_t most) {
  const std::size_t n = zone.size();
  const auto expect = [&](Graph& graph, const Matrix& result, std::size_t replaced) {
    std::vector<std::size_t> nodes(n);
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    nodes[replaced] = n;
    REQUIRE(graph.close());
    const Matrix expected = graph.matrix(nodes);
    INFO("expected\n" << print(expected) << "result\n" << print(result));
    REQUIRE(result == expected);
  };
  {
    // Time passes: zero moves back.
    Graph graph(zone, 1);
    graph.add(n, 0, 0, false);
    Matrix result = zone;
    result.view().up();
    expect(graph, result, 0);
  }
  const std::size_t i = random.index(1, n - 1);
  {
    const std::int32_t value = random.number(0, most);
    INFO("x" << i << " = " << value);
    Graph graph(zone, 1);
    graph.add_equal(n, 0, value);
    Matrix result = zone;
    result.view().set(i, value);
    expect(graph, result, i);
  }
  {
    const std::size_t j = random.index(0, n - 1);
    const std::int32_t offset = random.number(std::max(-most, zone(0, j).constant()), most);
    INFO("x" << i << " = x" << j << " + " << offset);
    Graph graph(zone, 1);
    graph.add_equal(n, j, offset);
    Matrix result = zone;
    result.view().set_to(i, j, offset);
    expect(graph, result, i);
  }
  {
    INFO("free x" << i);
    Graph graph(zone, 1);
    graph.add(0, n, 0, false);
    Matrix result = zone;
    result.view().free(i);
    expect(graph, result, i);
  }
  for (int round = 0; round < 3; ++round) {
    const ClockConstraint c = random.constraint(n - 1, most);
    INFO("x" << c.i << " - x" << c.j << print(c.bound));
    Graph graph(zone);
    graph.add(c.i, c.j, c.bound);
    const bool left = graph.close();
    Matrix result = zone;
    REQUIRE(result.view().can_hold(c) == left);
    REQUIRE(result.view().implies(c) == (left && graph.matrix() == zone));
    REQUIRE(result.view().constrain(c) == left);
    if (left)
      REQUIRE(result == graph.matrix());
  }
}

TEST_CASE("operations agree with graphs of constraints", "[zone]") {
  for (std::uint32_t seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    const std::int32_t most = random.number(1, 20);
    const Matrix zone = random.zone(random.index(1, 8), most);
    INFO("seed " << seed << "\n" << print(zone));
    REQUIRE(is_closed(zone));
    compare_with_graphs(zone, random, most);
  }
}

TEST_CASE("operations agree with graphs for the greatest constants", "[zone]") {
  for (std::uint32_t seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    const Matrix zone = random.zone(random.index(1, 2), Bound::kMostConstant);
    INFO("seed " << seed << "\n" << print(zone));
    REQUIRE(is_closed(zone));
    compare_with_graphs(zone, random, Bound::kMostConstant);
  }
}

}  // namespace
}  // namespace tw::test
