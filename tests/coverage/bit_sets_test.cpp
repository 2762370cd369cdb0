// Sets of tokens and items, by number and as codes.

#include "engine/coverage/bit_sets.hpp"

#include <catch2/catch.hpp>

namespace tw {
namespace {

std::vector<std::uint64_t> set_of(std::initializer_list<std::size_t> bits) {
  std::vector<std::uint64_t> out;
  for (const std::size_t bit : bits)
    set_bit(out, bit);
  return out;
}

std::vector<std::size_t> members(Words words) {
  std::vector<std::size_t> out;
  for_each_bit(words, [&](std::size_t bit) { out.push_back(bit); });
  return out;
}

TEST_CASE("sets: equal ones have one number, however many zeros follow", "[coverage][sets]") {
  BitSets sets;
  CHECK(sets.intern({}) == BitSets::kEmpty);
  const std::vector<std::uint64_t> zeros(3);
  CHECK(sets.intern(zeros) == BitSets::kEmpty);
  const SetId some = sets.intern(set_of({3, 70}));
  std::vector<std::uint64_t> longer = set_of({3, 70});
  longer.resize(5);
  CHECK(sets.intern(longer) == some);
  CHECK(members(sets[sets.unite(some, set_of({200}))]) == std::vector<std::size_t>{3, 70, 200});
  CHECK(members(sets[sets.intersect(some, set_of({70, 71}))]) == std::vector<std::size_t>{70});
}

TEST_CASE("sets: a code is the set itself if its members are small", "[coverage][sets]") {
  BitSets sets;
  const std::size_t before = sets.size();
  const SetCode small = sets.encode(set_of({0, 5, 62}));
  CHECK(members(sets[small]) == std::vector<std::size_t>{0, 5, 62});
  CHECK(sets.encode({}).is_empty());
  CHECK(sets.size() == before);  // nothing had to be stored
  for (const auto& other : {set_of({63}), set_of({0, 64}), set_of({1, 2, 300})}) {
    const SetCode code = sets.encode(other);
    CHECK_FALSE(code.is_empty());
    CHECK(members(sets[code]) == members(other));
    CHECK(sets.encode(other).word == code.word);
  }
  const SetCode both = sets.unite(small, set_of({64}));
  CHECK(members(sets[both]) == std::vector<std::size_t>{0, 5, 62, 64});
  std::vector<std::uint64_t> longer = set_of({0, 5, 62});
  longer.resize(4);
  CHECK(sets.encode(longer).word == small.word);
}

}  // namespace
}  // namespace tw
