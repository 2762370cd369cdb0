// A clock that is set to another one minus something: negative values are run-time errors of the
// model, and only those.

#include <string>

#include <catch2/catch.hpp>

#include "tests/suite/text_model.hpp"

namespace tw {
namespace {

std::string setting(const std::string& update) {
  return "clock x, y; process P() { state a, b; init a; trans a -> b { assign " + update +
         "; }; } system P;";
}

const SearchOptions kSkip{.on_error = OnError::kSkip};

TEST_CASE("a clock that may become negative is an error", "[suite][clock]") {
  for (const char* update : {"x = y - 3", "x = y - 3, x = x + 5", "y = 2, x = y - 3"}) {
    INFO(update);
    const Generated out = generate_locations(setting(update));
    CHECK(out.internal_error.empty());
    REQUIRE(out.reason == StopReason::kModelError);
    CHECK(out.error->error.status == RunStatus::kValueOutOfRange);
  }
}

TEST_CASE("where errors are skipped, the step exists where no clock becomes negative",
          "[suite][clock]") {
  for (const char* update : {"x = y - 3", "x = y - 3, x = x + 5"}) {
    for (const Delays delays : {Delays::kEarliest, Delays::kRobust, Delays::kLatest}) {
      INFO(update);
      const Generated out =
          generate_locations(setting(update), {.search = kSkip, .delays = delays});
      CHECK(out.internal_error.empty());
      REQUIRE(count(out, ItemStatus::kCovered) == 2);
      CHECK(out.suite.tests[0].delays[0].min == 3);
    }
  }
  const Generated never = generate_locations(setting("y = 2, x = y - 3"), {.search = kSkip});
  CHECK(never.internal_error.empty());
  CHECK(count(never, ItemStatus::kInfeasible) == 1);
}

TEST_CASE("a step before which enough time has passed makes no error", "[suite][clock]") {
  const Generated out = generate_locations(
      "clock x, y; process P() { state a, b; init a; trans a -> b { guard y >= 3; assign x = y - "
      "3; }; } system P;");
  CHECK(out.internal_error.empty());
  CHECK(count(out, ItemStatus::kCovered) == 2);
}

}  // namespace
}  // namespace tw
