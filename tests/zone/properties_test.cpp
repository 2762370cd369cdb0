// What must hold of any zones whatever: laws of the operations, and that the fewest constraints say
// the same as the zone.

#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>

#include "tests/zone/reference.hpp"

namespace tw::test {
namespace {

constexpr std::uint32_t kSeeds = 1'500;

template <typename Operation>
Matrix after(Matrix zone, const Operation& operation) {
  operation(zone.view());
  return zone;
}

bool includes(Matrix big, Matrix small) { return big.view().includes(small.view()); }

bool is_simulated_by(Matrix zone, Matrix other, const LuBounds& bounds) {
  return zone.view().is_simulated_by(other.view(), bounds);
}

Matrix extrapolated(const Matrix& zone, const LuBounds& bounds) {
  return after(zone, [&](ZoneView view) { view.extrapolate(bounds); });
}

// The zone and a part of it.
struct Nested {
  Matrix big;
  Matrix small;
};

Nested nested(Random& random, std::size_t clocks, std::int32_t most) {
  Matrix big = random.zone(clocks, most);
  Matrix small = big;
  for (int i = 0; i < 3; ++i) {
    Matrix tighter = small;
    if (tighter.view().constrain(random.constraint(clocks, most)))
      small = tighter;
  }
  return {.big = big, .small = small};
}

TEST_CASE("constraining is idempotent and its order does not matter", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 8);
    const Matrix zone = random.zone(clocks, 9);
    const ClockConstraint a = random.constraint(clocks, 9);
    const ClockConstraint b = random.constraint(clocks, 9);
    INFO("seed " << seed << "\n" << print(zone));
    Matrix ab = zone;
    Matrix ba = zone;
    const bool ab_left = ab.view().constrain(a) && ab.view().constrain(b);
    const bool ba_left = ba.view().constrain(b) && ba.view().constrain(a);
    REQUIRE(ab_left == ba_left);
    if (!ab_left)
      continue;
    REQUIRE(ab == ba);
    REQUIRE(ab.view().constrain(a));
    REQUIRE(ab == ba);
    REQUIRE(ab.view().implies(b));
    REQUIRE(includes(zone, ab));
  }
}

TEST_CASE("constraints together do what they do one by one", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 13);
    Matrix one_by_one = random.zone(clocks, 9);
    INFO("seed " << seed << "\n" << print(one_by_one));
    if (random.chance(50))
      one_by_one.view().up();
    Matrix together = one_by_one;
    std::vector<ClockConstraint> constraints;
    bool left = true;
    for (std::size_t k = random.index(1, 7); k > 0; --k) {
      ClockConstraint c = random.constraint(clocks, 12);
      if (c.i != 0 && random.chance(70))
        c.j = 0;
      constraints.push_back(c);
      left = left && one_by_one.view().constrain(c);
    }
    REQUIRE(together.view().constrain(constraints) == left);
    if (left)
      REQUIRE(together == one_by_one);
  }
}

TEST_CASE("operations are monotone", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 8);
    const auto [big, small] = nested(random, clocks, 9);
    const std::size_t i = random.index(1, clocks);
    const std::size_t j = random.index(0, clocks);
    const std::int32_t value = random.number(0, 9);
    std::vector<bool> stopped(clocks + 1);
    for (std::size_t k = 1; k <= clocks; ++k)
      stopped[k] = random.chance(50);
    const ClockConstraint c = random.constraint(clocks, 9);
    INFO("seed " << seed << "\n" << print(big) << "part\n" << print(small));
    REQUIRE(includes(big, small));
    const std::vector<std::function<void(ZoneView)>> operations = {
        [](ZoneView view) { view.up(); }, [&](ZoneView view) { view.up(stopped); },
        [&](ZoneView view) { view.set(i, value); },
        [&](ZoneView view) { view.set_to(i, j, value); }, [&](ZoneView view) { view.free(i); }};
    for (const auto& operation : operations)
      REQUIRE(includes(after(big, operation), after(small, operation)));
    Matrix big_part = big;
    Matrix small_part = small;
    if (small_part.view().constrain(c)) {
      REQUIRE(big_part.view().constrain(c));
      REQUIRE(includes(big_part, small_part));
    }
  }
}

TEST_CASE("letting time pass, setting and freeing again change nothing", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 8);
    const Matrix zone = random.zone(clocks, 9);
    const std::size_t i = random.index(1, clocks);
    const std::size_t j = random.index(1, clocks);
    const std::int32_t a = random.number(0, 9);
    const std::int32_t b = random.number(0, 9);
    INFO("seed " << seed << "\n" << print(zone));
    const auto up = [](ZoneView view) { view.up(); };
    REQUIRE(after(after(zone, up), up) == after(zone, up));
    REQUIRE(includes(after(zone, up), zone));
    const auto free_i = [&](ZoneView view) { view.free(i); };
    REQUIRE(after(after(zone, free_i), free_i) == after(zone, free_i));
    REQUIRE(includes(after(zone, free_i), zone));
    const auto set_a = [&](ZoneView view) { view.set(i, a); };
    const auto set_b = [&](ZoneView view) { view.set(i, b); };
    REQUIRE(after(after(zone, set_a), set_b) == after(zone, set_b));
    REQUIRE(after(after(zone, free_i), set_a) == after(zone, set_a));
    REQUIRE(after(after(zone, set_a), free_i) == after(zone, free_i));
    const auto set_to_zero = [&](ZoneView view) { view.set_to(i, 0, a); };
    REQUIRE(after(zone, set_to_zero) == after(zone, set_a));
    const auto shift = [&](ZoneView view) { view.set_to(i, i, a); };
    const auto shift_back = [&](ZoneView view) { view.set_to(i, i, -a); };
    REQUIRE(after(after(zone, shift), shift_back) == zone);
    if (i != j) {
      const auto set_other = [&](ZoneView view) { view.set(j, b); };
      REQUIRE(after(after(zone, set_a), set_other) == after(after(zone, set_other), set_a));
    }
    const std::vector<bool> all_stopped(clocks + 1, true);
    REQUIRE(after(zone, [&](ZoneView view) { view.up(all_stopped); }) == zone);
    std::vector<bool> stopped(clocks + 1);
    stopped[i] = true;
    const auto up_stopped = [&](ZoneView view) { view.up(stopped); };
    REQUIRE(after(after(zone, up_stopped), up_stopped) == after(zone, up_stopped));
    REQUIRE(includes(after(zone, up_stopped), zone));
    REQUIRE(after(zone, [](ZoneView view) { view.close(); }) == zone);
  }
}

TEST_CASE("inclusion is a partial order", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 4);
    const auto [a, b] = nested(random, clocks, 2);
    const Matrix c = random.chance(50) ? random.zone(clocks, 2) : nested(random, clocks, 2).small;
    INFO("seed " << seed << "\n" << print(a) << print(b) << print(c));
    REQUIRE(includes(a, a));
    REQUIRE(((includes(a, b) && includes(b, a)) == (a == b)));
    REQUIRE(((includes(a, c) && includes(c, a)) == (a == c)));
    REQUIRE((!includes(b, c) || includes(a, c)));
    REQUIRE((!includes(c, a) || includes(c, b)));
    REQUIRE(includes(Matrix(clocks), a));
  }
}

TEST_CASE("extrapolation only adds, once, and leaves few constants", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 8);
    const std::int32_t most = random.number(0, 12);
    const auto [big, small] = nested(random, clocks, 9);
    const LuBounds bounds = random.lu_bounds(clocks, most);
    const Matrix once = extrapolated(big, bounds);
    INFO("seed " << seed << "\n" << print(big) << "once\n" << print(once) << print(bounds));
    REQUIRE(includes(once, big));
    REQUIRE(extrapolated(once, bounds) == once);
    // Finitely many results: closing adds entries up to the bounds, each clock's once.
    for (std::size_t i = 0; i <= clocks; ++i) {
      for (std::size_t j = 0; j <= clocks; ++j) {
        if (once(i, j).is_infinite())
          continue;
        REQUIRE(once(i, j).constant() <= most * static_cast<std::int32_t>(clocks));
        REQUIRE(once(i, j).constant() >= -most);
      }
    }
  }
}

TEST_CASE("forgetting great differences only adds, and leaves a closed zone", "[zone]") {
  for (const std::size_t clocks : {2U, 4U, 7U}) {
    // Each clock was reset up to the greatest constant after the one before.
    Matrix zone(clocks);
    for (std::size_t i = 1; i < clocks; ++i)
      REQUIRE(zone.view().constrain({.i = static_cast<std::uint32_t>(i),
                                     .j = static_cast<std::uint32_t>(i + 1),
                                     .bound = Bound::at_most(Bound::kMostConstant)}));
    REQUIRE(zone.view().constrain({.i = 0, .j = 1, .bound = Bound::at_most(-3)}));
    const Matrix before = zone;
    CAPTURE(clocks, print(before));
    REQUIRE(zone.view().forget_great_differences() == (clocks > 3));
    REQUIRE(includes(zone, before));
    Matrix closed = zone;
    REQUIRE(closed.view().close());
    REQUIRE(closed == zone);
    REQUIRE(zone(0, 1) == Bound::at_most(-3));
    REQUIRE_FALSE(zone.view().forget_great_differences());
  }
}

TEST_CASE("simulation is a preorder coarser than inclusion and extrapolation", "[zone]") {
  std::size_t chains = 0;
  for (std::uint32_t seed = 0; seed < 3 * kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 8);
    const auto [a, b] = nested(random, clocks, 4);
    const Matrix c = random.zone(clocks, 4);
    const LuBounds bounds = random.lu_bounds(clocks, 5);
    INFO("seed " << seed << "\n" << print(a) << print(b) << print(c) << print(bounds));
    REQUIRE(is_simulated_by(a, a, bounds));
    REQUIRE(is_simulated_by(b, a, bounds));
    REQUIRE(is_simulated_by(extrapolated(a, bounds), a, bounds));
    REQUIRE((!includes(extrapolated(a, bounds), c) || is_simulated_by(c, a, bounds)));
    REQUIRE((!includes(extrapolated(b, bounds), a) || is_simulated_by(a, b, bounds)));
    if (is_simulated_by(c, b, bounds))
      REQUIRE(is_simulated_by(c, a, bounds));
    if (is_simulated_by(a, b, bounds) && is_simulated_by(b, c, bounds)) {
      REQUIRE(is_simulated_by(a, c, bounds));
      ++chains;
    }
  }
  CHECK(chains > 20);
}

// What it is for: whatever a zone can do within the bounds, the one that simulates it can.
TEST_CASE("simulation survives delays, resets and comparisons within the bounds", "[zone]") {
  std::size_t checked = 0;
  for (std::uint32_t seed = 0; seed < 6 * kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 5);
    Matrix zone = random.zone(clocks, 4);
    Matrix other = random.chance(50) ? random.zone(clocks, 4) : zone;
    if (!other.view().constrain(random.constraint(clocks, 4)))
      continue;
    const LuBounds bounds = random.lu_bounds(clocks, 4);
    if (!is_simulated_by(zone, other, bounds))
      continue;
    ++checked;
    INFO("seed " << seed << "\n" << print(zone) << print(other) << print(bounds));
    const auto up = [](ZoneView view) { view.up(); };
    REQUIRE(is_simulated_by(after(zone, up), after(other, up), bounds));
    const std::size_t i = random.index(1, clocks);
    const auto set = [&](ZoneView view) { view.set(i, 2); };
    REQUIRE(is_simulated_by(after(zone, set), after(other, set), bounds));
    const auto x = static_cast<std::uint32_t>(i);
    std::vector<ClockConstraint> guards;
    if (bounds.upper[i] >= 0)
      guards.push_back({.i = x, .j = 0, .bound = random.bound(0, bounds.upper[i])});
    if (bounds.lower[i] >= 0)
      guards.push_back({.i = 0, .j = x, .bound = random.bound(-bounds.lower[i], 0)});
    for (const ClockConstraint& guard : guards) {
      Matrix zone_part = zone;
      Matrix other_part = other;
      if (!zone_part.view().constrain(guard))
        continue;
      REQUIRE(other_part.view().constrain(guard));
      REQUIRE(is_simulated_by(zone_part, other_part, bounds));
    }
  }
  CHECK(checked > 500);
}

Matrix closed(const std::vector<ClockConstraint>& constraints, std::size_t clocks) {
  Graph graph(Matrix{clocks});
  for (const ClockConstraint& c : constraints)
    graph.add(c.i, c.j, c.bound);
  REQUIRE(graph.close());
  return graph.matrix();
}

TEST_CASE("the fewest constraints imply the zone, and each is needed", "[zone]") {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::size_t clocks = random.index(1, 7);
    Matrix zone = random.zone(clocks, seed % 2 == 0 ? 2 : 9);
    const std::vector<ClockConstraint> fewest = minimal_constraints(zone.view());
    INFO("seed " << seed << "\n" << print(zone));
    REQUIRE(closed(fewest, clocks) == zone);
    Matrix built(clocks);
    for (const ClockConstraint& c : fewest)
      REQUIRE(built.view().constrain(c));
    REQUIRE(built == zone);
    REQUIRE(minimal_constraints(built.view()) == fewest);
    for (std::size_t i = 0; i < fewest.size(); ++i) {
      std::vector<ClockConstraint> rest = fewest;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      INFO("without x" << fewest[i].i << " - x" << fewest[i].j << print(fewest[i].bound));
      REQUIRE(closed(rest, clocks) != zone);
    }
  }
}

// Any constraint that a zone meets may be replaced by the entry itself, so it is enough to try sets
// of entries.
TEST_CASE("no smaller set of constraints implies the zone", "[zone]") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const std::size_t clocks = 1 + seed % 3;
    Matrix zone = random.zone(clocks, 2);
    std::vector<ClockConstraint> all;
    for (std::uint32_t i = 0; i <= clocks; ++i)
      for (std::uint32_t j = 0; j <= clocks; ++j)
        if (i != j && !zone(i, j).is_infinite())
          all.push_back({.i = i, .j = j, .bound = zone(i, j)});
    const std::size_t fewest = minimal_constraints(zone.view()).size();
    INFO("seed " << seed << "\n" << print(zone));
    for (std::uint32_t set = 0; set < std::uint32_t{1} << all.size(); ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) + 1 != fewest)
        continue;
      std::vector<ClockConstraint> some;
      for (std::size_t i = 0; i < all.size(); ++i)
        if ((set >> i & 1) != 0)
          some.push_back(all[i]);
      if (closed(some, clocks) == zone)
        FAIL(fewest << " constraints where " << some.size() << " are enough");
    }
  }
}

TEST_CASE("the zone of all values has no constraints, the zone of zeros one for each clock",
          "[zone]") {
  Zone all(4);
  CHECK(minimal_constraints(all.view()).empty());
  Zone zeros(4);
  zeros.view().set_zero();
  CHECK(minimal_constraints(zeros.view()).size() == 4);
  CHECK(all.view().includes(zeros.view()));
  CHECK(zeros.view().constrain({.i = 3, .j = 1, .bound = Bound::at_most(0)}));
  CHECK_FALSE(zeros.view().constrain({.i = 0, .j = 2, .bound = Bound::less_than(0)}));
}

}  // namespace
}  // namespace tw::test
