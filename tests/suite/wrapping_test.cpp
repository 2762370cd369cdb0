// Arithmetic wraps in 32 bits wherever a model computes: while it is loaded, while it is searched,
// and in replay, which every suite has to pass.

#include <fmt/format.h>

#include "tests/suite/text_model.hpp"

namespace tw {
namespace {

// A model with a location that is reached where the condition holds.
std::size_t reached(const std::string& declarations, const std::string& condition) {
  const Generated generated = generate_locations(fmt::format(
      "{}\nprocess P() {{ state A, B; init A; trans A -> B {{ guard {}; }}; }}\nsystem P;\n",
      declarations, condition));
  REQUIRE(generated.reason != StopReason::kModelError);
  return count(generated, ItemStatus::kCovered) - 1;
}

TEST_CASE("what does not fit into 32 bits wraps, in constants and variables alike",
          "[suite][arithmetic]") {
  const std::string numbers =
      "const int MOST = 2147483647; const int LEAST = -2147483648;\n"
      "int32_t most = 2147483647; int32_t least = -2147483648; int one = 1;\n";
  for (const auto& [constant, variable] : {
           std::pair("MOST + 1 == LEAST", "most + one == least"),
           std::pair("LEAST - 1 == MOST", "least - one == most"),
           std::pair("MOST * 2 == -2", "most * (one + one) == -2"),
           std::pair("-LEAST == LEAST", "-least == least"),
           std::pair("LEAST / -1 == LEAST", "least / -one == least"),
           std::pair("LEAST % -1 == 0", "least % -one == 0"),
           std::pair("abs(LEAST) == LEAST", "abs(least) == least"),
           std::pair("1 << 31 == LEAST", "one << 31 == least"),
           std::pair("3 << 32 == 0", "3 << (one * 32) == 0"),
           std::pair("-5 >> 40 == -1", "-5 >> (one * 40) == -1"),
           std::pair("2 ** 31 == LEAST", "2 ** (one * 31) == least"),
           std::pair("(sum (i : int[1,3]) MOST) == MOST - 2",
                     "(sum (i : int[1,3]) most) == most - 2"),
           std::pair("(LEAST <? MOST + 1) == LEAST", "(least <? most + one) == least"),
       }) {
    INFO(constant << ", " << variable);
    CHECK(reached(numbers + fmt::format("const bool HOLDS = {};", constant), "HOLDS") == 1);
    CHECK(reached(numbers, variable) == 1);
  }
}

TEST_CASE("changes wrap before they are checked", "[suite][arithmetic]") {
  const auto last = [](const std::string& updates, const std::string& guard) {
    const Generated generated = generate_locations(
        fmt::format("int32_t n = 2147483647; int small;\n"
                    "int32_t next(int32_t a) {{ return a + 1; }}\n"
                    "process P() {{ state A, B, C; init A;\n"
                    "trans A -> B {{ assign {}; }}, B -> C {{ guard {}; }}; }}\nsystem P;\n",
                    updates, guard));
    return generated.reason != StopReason::kModelError ? count(generated, ItemStatus::kCovered)
                                                       : std::size_t{0};
  };
  CHECK(last("n++", "n == -2147483647 - 1") == 3);
  CHECK(last("n += 2", "n < 0") == 3);
  CHECK(last("n *= 2", "n == -2") == 3);
  CHECK(last("n <<= 1", "n == -2") == 3);
  CHECK(last("n = next(n)", "n < -2147483647") == 3);
  CHECK(last("small = n * 2 + 7", "small == 5") == 3);
  CHECK(last("small = n", "true") == 0);  // a range of its own
  CHECK(last("small = 32767 + 1", "true") == 0);
  CHECK(last("n = n << -1", "true") == 0);
}

TEST_CASE("a range that was computed knows of wrapping", "[suite][arithmetic]") {
  // With i + 2147483640 in [2147483640, …] clipped, the index would be taken for a constant.
  CHECK(reached("int[0,10] i = 9; int a[3]; int32_t most = 2147483647;",
                "(i + 2147483640 < 0 ? a[i + 2147483640 + 2147483647 + 1 - 1] : 5) == 0") == 1);
  // The least bound of a clock is known although the sum wraps.
  CHECK(reached("int[0,1] i = 1; clock x; const int MOST = 2147483647;",
                "x >= i + MOST + MOST && x >= 3") == 1);
}

}  // namespace
}  // namespace tw
