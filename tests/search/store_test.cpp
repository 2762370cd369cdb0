// Stores of states against std::map, and lists of parents against a vector: on random records, with
// printed seeds.

#include <map>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/search/number_set.hpp"
#include "engine/search/parent_list.hpp"
#include "engine/search/state_store.hpp"
#include "engine/semantics/recent_states.hpp"

namespace tw {
namespace {

using Record = std::vector<std::uint64_t>;

// Few different words, so that records repeat, and some wide ones.
Record random_record(std::mt19937_64& random, std::size_t words) {
  Record out(words);
  for (std::uint64_t& word : out)
    word = random() % 8 == 0 ? random() >> (random() % 64) : random() % 5;
  return out;
}

void compare_with_map(StateStore& store, std::size_t words, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<Record, std::size_t> expected;
  std::vector<Record> in_order;
  for (int i = 0; i < 6000; ++i) {
    const Record record = random_record(random, words);
    const auto [known, is_new] = expected.emplace(record, expected.size());
    if (is_new)
      in_order.push_back(record);
    const StateStore::Insertion found = store.insert(record.data());
    REQUIRE(found.is_new == is_new);
    REQUIRE(found.id.index() == known->second);
  }
  REQUIRE(store.size() == in_order.size());
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const std::uint64_t* const record = store[StateId(i)];
    REQUIRE(Record(record, record + words) == in_order[i]);
  }
  CHECK(store.bytes() > 0);
  CHECK(store.bytes(1'000'000) > store.bytes());
}

TEST_CASE("stores of states hold each state once, in order", "[search][store]") {
  for (std::size_t words = 1; words <= 9; ++words) {
    INFO("words " << words);
    StateStore flat(words, words, StoreKind::kFlat);
    compare_with_map(flat, words, 100 + words);
    StateStore tree(words, words, StoreKind::kTree);
    compare_with_map(tree, words, 200 + words);
  }
}

TEST_CASE("a state is recent only if it came before", "[search][store]") {
  for (std::size_t words = 1; words <= 5; ++words) {
    INFO("words " << words);
    std::mt19937_64 random(300 + words);
    RecentStates recent(words);
    std::set<Record> met;
    const auto meet = [&](const Record& record, std::size_t hashed) {
      const bool is_recent = recent.meet(record.data(), hash_state(record.data(), hashed));
      if (is_recent)
        REQUIRE(met.contains(record));
      met.insert(record);
      return is_recent;
    };
    // The two that an empty slot could be taken for: all zeros, and the hash zero.
    CHECK_FALSE(meet(Record(words, 0), words));
    Record without_hash(words, 0);
    for (std::size_t i = 0; i < words; ++i)
      without_hash[i] = 0 - (i + 1) * 0xA0761D6478BD642FU;
    REQUIRE(hash_state(without_hash.data(), words) == 0);
    CHECK_FALSE(meet(without_hash, words));
    CHECK(meet(without_hash, words));
    int hits = 0;
    for (int i = 0; i < 20000; ++i)
      hits += meet(random_record(random, words), words) ? 1 : 0;
    CHECK(hits > 0);
  }
}

TEST_CASE("a store that hashes a part of the words only is right about the others",
          "[search][store]") {
  StateStore store(5, 2, StoreKind::kFlat);
  compare_with_map(store, 5, 7);
}

TEST_CASE("numbers keep their ids when they need more bytes", "[search][store]") {
  NumberSet numbers;
  std::vector<std::uint64_t> all;
  for (unsigned shift = 0; shift < 64; ++shift) {
    const std::uint64_t number = std::uint64_t{3} << shift;
    REQUIRE(numbers.insert(number, NumberSet::hash(number)).is_new);
    all.push_back(number);
    for (std::size_t i = 0; i < all.size(); ++i) {
      REQUIRE(numbers[i] == all[i]);
      REQUIRE(numbers.insert(all[i], NumberSet::hash(all[i])).id == i);
    }
  }
}

void compare_with_vector(const std::vector<EntryId>& parents) {
  ParentList list;
  for (const EntryId parent : parents)
    list.push_back(parent);
  REQUIRE(list.size() == parents.size());
  for (std::size_t i = 0; i < parents.size(); ++i)
    REQUIRE(list[i] == parents[i]);
}

TEST_CASE("parents are found again, in order or not", "[search][store]") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    std::vector<EntryId> parents = {EntryId()};
    std::size_t last = 0;
    const std::size_t gap = 1 + seed * 40;
    for (std::size_t i = 1; i < 5000; ++i) {
      last += random() % 3 == 0 ? random() % gap : 0;
      parents.emplace_back(last);
    }
    compare_with_vector(parents);
    parents.emplace_back(3);  // from here on they are kept as they are
    parents.emplace_back(4999);
    compare_with_vector(parents);
  }
}

}  // namespace
}  // namespace tw
