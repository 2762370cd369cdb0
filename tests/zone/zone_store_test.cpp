// The store against what it stands for: a list of zones with reference counts, and comparisons of
// whole zones one by one.

#include "engine/zone/zone_store.hpp"

#include <map>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/zone/reference.hpp"

namespace tw::test {
namespace {

Matrix loaded(const ZoneStore& store, ZoneId id, std::size_t clocks) {
  Matrix out(clocks);
  std::vector<Bound> bounds(out.size() * out.size());
  store.load(id, bounds.data());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j)
      out(i, j) = bounds[i * out.size() + j];
  return out;
}

ZoneId insert(ZoneStore& store, Matrix zone) {
  store.set_probe(zone.view());
  return store.insert();
}

// Zones as a search stores them, and some that are not extrapolated.
Matrix some_zone(Random& random, std::size_t clocks, std::int32_t most, const LuBounds& bounds) {
  Matrix zone = random.zone(clocks, most);
  if (random.chance(70))
    zone.view().extrapolate(bounds);
  return zone;
}

// Asks for all pairs.
void compare_all(ZoneStore& store, std::vector<Matrix>& zones, const LuBounds& bounds) {
  std::vector<ZoneId> ids;
  for (const Matrix& zone : zones)
    ids.push_back(insert(store, zone));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    store.set_probe(zones[i].view());
    store.set_bounds(bounds);
    for (std::size_t k = 0; k < zones.size(); ++k) {
      INFO("probe\n" << print(zones[i]) << "stored\n" << print(zones[k]) << print(bounds));
      REQUIRE(store.is_probe(ids[k]) == (zones[i] == zones[k]));
      REQUIRE(store.simulates_probe(ids[k]) ==
              zones[i].view().is_simulated_by(zones[k].view(), bounds));
      REQUIRE(store.is_simulated_by_probe(ids[k]) ==
              zones[k].view().is_simulated_by(zones[i].view(), bounds));
    }
  }
}

}  // namespace

TEST_CASE("zone store: simulation is that of whole zones", "[zone][store]") {
  const std::size_t clocks = GENERATE(1U, 2U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 33U);
  // Around what 8 and 16 bits can hold, and what sums of 16 bits can.
  const std::int32_t most = GENERATE(3, 62, 63, 64, 200, 1999, 2500, 4999, 5000, 5001, 16384, 40000,
                                     Bound::kMostConstant / 4);
  Random random(static_cast<std::uint32_t>(clocks * 1000003U) + static_cast<std::uint32_t>(most));
  for (int round = 0; round < 4; ++round) {
    const LuBounds bounds = random.lu_bounds(clocks, random.chance(50) ? most : 20);
    ZoneStore store(clocks + 1);
    std::vector<Matrix> zones;
    for (int i = 0; i < 8; ++i) {
      zones.push_back(some_zone(random, clocks, most, bounds));
      // One that is a little smaller: simulated more often than not.
      Matrix smaller = zones.back();
      if (smaller.view().constrain(random.constraint(clocks, most)))
        zones.push_back(smaller);
    }
    compare_all(store, zones, bounds);
  }
}

TEST_CASE("zone store: zones come back as they were, however wide", "[zone][store]") {
  Random random(7);
  for (const std::size_t clocks : {1U, 4U, 11U}) {
    ZoneStore store(clocks + 1);
    std::vector<Matrix> zones;
    std::vector<ZoneId> ids;
    for (const std::int32_t most : {5, 60, 70, 3000, 16000, 17000, 1 << 20, 5}) {
      for (int i = 0; i < 40; ++i) {
        zones.push_back(random.zone(clocks, most));
        ids.push_back(insert(store, zones.back()));
      }
      for (std::size_t i = 0; i < zones.size(); ++i) {
        REQUIRE(loaded(store, ids[i], clocks) == zones[i]);
        REQUIRE(store.hash(ids[i]) == ZoneStore::hash(zones[i].view()));
        REQUIRE(store.at(ids[i], clocks, 0) == zones[i](clocks, 0));
      }
    }
  }
}

TEST_CASE("zone store: equal zones are one, until nobody refers to them", "[zone][store]") {
  constexpr std::size_t kClocks = 2;
  Random random(11);
  ZoneStore store(kClocks + 1);
  std::map<std::size_t, std::pair<Matrix, int>> known;  // by number: zone and references
  for (int round = 0; round < 20000; ++round) {
    if (known.size() > 150 || (!known.empty() && random.chance(45))) {
      auto at = known.begin();
      std::advance(at, random.index(0, known.size() - 1));
      store.release(ZoneId(at->first));
      if (--at->second.second == 0)
        known.erase(at);
    } else {
      const Matrix zone = random.zone(kClocks, round < 10000 ? 6 : 90);
      const std::size_t id = insert(store, zone).index();
      const auto same = std::find_if(known.begin(), known.end(),
                                     [&](const auto& other) { return other.second.first == zone; });
      if (same != known.end()) {
        REQUIRE(same->first == id);
        ++same->second.second;
      } else {
        REQUIRE(known.emplace(id, std::pair(zone, 1)).second);
      }
    }
    REQUIRE(store.size() == known.size());
  }
  for (const auto& [id, zone] : known)
    REQUIRE(loaded(store, ZoneId(id), kClocks) == zone.first);
  REQUIRE(store.bytes() < 100000);  // places are used again
}

}  // namespace tw::test
