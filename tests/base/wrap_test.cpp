#include "engine/base/wrap.hpp"

#include <catch2/catch.hpp>

namespace tw {
namespace {

TEST_CASE("wrap breaks between words and indents what follows", "[base][wrap]") {
  CHECK(wrap("one two three", 0, 2) == "one two three");
  CHECK(wrap("one two three", 13, 2) == "one two three");
  CHECK(wrap("one two three", 12, 2) == "one two\n  three");
  CHECK(wrap("one two three", 7, 2) == "one two\n  three");
  CHECK(wrap("one two three", 6, 2) == "one\n  two\n  three");
  CHECK(wrap("  a  b c", 6, 4) == "  a  b\n    c");
  CHECK(wrap("", 5, 2).empty());
}

TEST_CASE("wrap neither cuts words nor loses them", "[base][wrap]") {
  CHECK(wrap("incomprehensible a b", 4, 1) == "incomprehensible\n a b");
  CHECK(wrap("a incomprehensible", 4, 1) == "a\n incomprehensible");
  CHECK(wrap("a b  ", 3, 0) == "a b\n");
}

TEST_CASE("wrap counts characters, not bytes", "[base][wrap]") {
  CHECK(width_of("…é x") == 4);
  CHECK(wrap("éé éé", 5, 0) == "éé éé");
  CHECK(wrap("éé éé", 4, 0) == "éé\néé");
}

TEST_CASE("wrap_list breaks behind commas, elsewhere only if it must", "[base][wrap]") {
  CHECK(wrap_list("a = 1, b = 2, c = 3", 0, 2) == "a = 1, b = 2, c = 3");
  CHECK(wrap_list("a = 1, b = 2, c = 3", 15, 2) == "a = 1, b = 2,\n  c = 3");
  CHECK(wrap_list("  1  a = 1, b = 2", 12, 4) == "  1  a = 1,\n    b = 2");
  CHECK(wrap_list("a, b = one two three, c", 12, 2) == "a,\n  b = one\n  two three,\n  c");
}

}  // namespace
}  // namespace tw
