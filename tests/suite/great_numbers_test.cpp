// Constants at the edge of what bounds hold. Along a chain of clocks differences add up: zones
// forget them rather than let sums overflow, and every trace is confirmed.

#include <fmt/format.h>
#include <string>

#include <catch2/catch.hpp>

#include "engine/zone/bound.hpp"
#include "tests/suite/text_model.hpp"

namespace tw {
namespace {

// Each clock is reset while the one before shows at most the constant; at the end all of them are
// looked at, so that none is forgotten before.
std::string chain_model(int clocks, std::int32_t most, const std::string& last) {
  std::string declared = "clock x1";
  std::string states = "state l0, l1";
  std::string edges = "l0 -> l1 { }";
  std::string at_least;
  for (int i = 2; i <= clocks; ++i) {
    declared += fmt::format(", x{}", i);
    states += fmt::format(", l{}", i);
    edges += fmt::format(", l{} -> l{} {{ guard x{} <= {}; assign x{} = 0; }}", i - 1, i, i - 1,
                         most, i);
    at_least += fmt::format("x{} >= {} && ", i, most);
  }
  return declared + "; process P() { " + states + ", e, f; init l0; trans " + edges +
         fmt::format(", l{} -> e {{ guard {} x1 >= 1; }}, e -> f {{ guard {}; }}; }} system P;",
                     clocks, at_least, last);
}

TEST_CASE("differences add up along a chain of clocks", "[suite][timed]") {
  for (const int clocks : {2, 8, 9, 16, 40}) {
    const Generated out =
        generate_locations(chain_model(clocks, Bound::kMostConstant, "x1 >= 2"), {});
    CAPTURE(clocks);
    CHECK(out.internal_error.empty());
    CHECK(count(out, ItemStatus::kCovered) == static_cast<std::size_t>(clocks) + 3);
  }
}

TEST_CASE("what is forgotten makes nothing feasible", "[suite][timed]") {
  // x1 is never less than x2.
  const Generated out =
      generate_locations(chain_model(12, Bound::kMostConstant, "x1 <= 5 && x2 >= 6"), {});
  CHECK(out.internal_error.empty());
  CHECK(count(out, ItemStatus::kCovered) == 14);
  CHECK(count(out, ItemStatus::kCovered) + count(out, ItemStatus::kInfeasible) +
            count(out, ItemStatus::kUndecided) ==
        15);
}

TEST_CASE("the greatest constants are exact", "[suite][timed]") {
  const std::int32_t most = Bound::kMostConstant;
  const Generated out = generate_locations(
      fmt::format("clock x, y; process P() {{ state a {{ x <= {0} }}, b, c, d; init a; trans "
                  "a -> b {{ guard x >= {0}; assign y = 0; }}, b -> c {{ guard y >= {0} && x <= "
                  "{0}; }}, b -> d {{ guard y >= {0}; }}; }} system P;",
                  most));
  CHECK(out.internal_error.empty());
  CHECK(count(out, ItemStatus::kCovered) == 3);
  CHECK(count(out, ItemStatus::kInfeasible) == 1);
}

}  // namespace
}  // namespace tw
