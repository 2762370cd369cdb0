#include "engine/base/rational.hpp"

#include <catch2/catch.hpp>

namespace tw {
namespace {

TEST_CASE("fractions are written in lowest terms and read back") {
  CHECK(to_string(Rational(3)) == "3");
  CHECK(to_string(fraction(14, 4)) == "7/2");
  CHECK(to_string(fraction(-1, 3)) == "-1/3");
  CHECK(to_string(fraction(0, 5)) == "0");
  CHECK(parse_rational("7/2") == fraction(7, 2));
  CHECK(parse_rational("-14/4") == fraction(-7, 2));
  CHECK(parse_rational("007") == Rational(7));
  CHECK(parse_rational("0") == Rational(0));
}

TEST_CASE("what is no fraction is refused") {
  for (const char* text :
       {"", "-", "/", "1/", "/2", "1/0", "1/-2", "1.5", " 1", "1 ", "0x10", "--1", "1/2/3", "١"}) {
    INFO(text);
    CHECK_FALSE(parse_rational(text).has_value());
  }
  CHECK_FALSE(parse_rational(std::string(10'001, '1')).has_value());
}

TEST_CASE("fractions do not overflow") {
  const Rational big = *parse_rational(std::string(60, '9'));
  CHECK(to_string(Rational(big + fraction(1, 2))).ends_with("/2"));
}

}  // namespace
}  // namespace tw
