#include "engine/suite/linear_program.hpp"

#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

namespace tw {
namespace {

TEST_CASE("a linear program is solved exactly", "[suite][linear]") {
  // x + 2y <= 4, 3x + y <= 6: the corner is (8/5, 6/5).
  const auto out = solve({.rows = {{1, 2}, {3, 1}}, .limits = {4, 6}, .objective = {1, 1}});
  REQUIRE(out);
  CHECK(out->bounded);
  CHECK(out->x == std::vector<Rational>{fraction(8, 5), fraction(6, 5)});
  CHECK(out->value == fraction(14, 5));
}

TEST_CASE("negative limits ask for a first solution", "[suite][linear]") {
  // x >= 2, y >= 3, x + y <= 6
  const auto out =
      solve({.rows = {{-1, 0}, {0, -1}, {1, 1}}, .limits = {-2, -3, 6}, .objective = {-1, -1}});
  REQUIRE(out);
  CHECK(out->value == -5);
  CHECK_FALSE(solve({.rows = {{-1}, {1}}, .limits = {-2, 1}, .objective = {0}}));
}

TEST_CASE("ever better solutions are told", "[suite][linear]") {
  const auto out = solve({.rows = {{-1, 1}}, .limits = {1}, .objective = {1, 0}});
  REQUIRE(out);
  CHECK_FALSE(out->bounded);
}

// Of a bounded program with two variables the optimum is at a crossing of two limits.
TEST_CASE("optima are those of all corners", "[suite][linear]") {
  std::mt19937 random(1);
  const auto pick = [&random](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int round = 0; round < 2'000; ++round) {
    LinearProgram program{.rows = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}},
                          .limits = {0, 0, 9, 9},
                          .objective = {pick(-3, 3), pick(-3, 3)}};
    for (int k = 0; k < 4; ++k) {
      program.rows.push_back({pick(-3, 3), pick(-3, 3)});
      program.limits.emplace_back(pick(-4, 8));
    }
    std::optional<Rational> best;
    for (std::size_t a = 0; a < program.rows.size(); ++a) {
      for (std::size_t b = a + 1; b < program.rows.size(); ++b) {
        const auto& p = program.rows[a];
        const auto& q = program.rows[b];
        const Rational det = p[0] * q[1] - p[1] * q[0];
        if (det == 0)
          continue;
        const Rational x = (program.limits[a] * q[1] - p[1] * program.limits[b]) / det;
        const Rational y = (p[0] * program.limits[b] - program.limits[a] * q[0]) / det;
        bool fits = true;
        for (std::size_t r = 0; r < program.rows.size(); ++r)
          fits = fits && program.rows[r][0] * x + program.rows[r][1] * y <= program.limits[r];
        const Rational value = program.objective[0] * x + program.objective[1] * y;
        if (fits && (!best || value > *best))
          best = value;
      }
    }
    INFO("round " << round);
    const auto out = solve(program);
    REQUIRE(out.has_value() == best.has_value());
    if (out) {
      CHECK(out->bounded);
      CHECK(out->value == *best);
    }
  }
}

}  // namespace
}  // namespace tw
